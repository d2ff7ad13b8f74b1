#!/usr/bin/env python3
"""Whether the benchmarks judge rightly: figures, goals, report, plot, ideal, instruments. `make test` runs it."""

import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree
from pathlib import Path

sys.dont_write_bytecode = True

import figures  # noqa: E402
import goals  # noqa: E402
import plot  # noqa: E402
import report  # noqa: E402
from bench import Bench, Section, same_bytes  # noqa: E402
from ideal import least_time  # noqa: E402
from measure import Meter, Run, by_perf, by_strace, first_number  # noqa: E402
from server import Server, url  # noqa: E402
from tools import Tools, embedded, ordinary  # noqa: E402
from watch import Watch  # noqa: E402


def run(cpu, **more):
    return Run(user=cpu, more=more)


class Figures(unittest.TestCase):
    def test_a_ratio_is_formed_inside_a_repetition(self):
        drifting = {"mine": [run(1), run(2), run(8)], "theirs": [run(2), run(4), run(16)]}
        self.assertEqual(figures.ratios(drifting, "mine", "theirs", "cpu"), [0.5, 0.5, 0.5])

    def test_a_failed_run_takes_its_partner_along(self):
        results = {"mine": [None, run(2), run(9)], "theirs": [run(1), run(4), None]}
        self.assertEqual(figures.ratios(results, "mine", "theirs", "cpu"), [0.5])
        self.assertIsNone(figures.ratio(results, "mine", "nobody", "cpu"))

    def test_every_repetition_has_every_case_and_the_first_is_not_counted(self):
        seen = []
        results = figures.interleaved("abc", 3, lambda case, repetition: seen.append((repetition, case)) or repetition)
        self.assertEqual(sorted(seen), [(r, case) for r in (-1, 0, 1, 2) for case in "abc"])
        self.assertEqual(results, {case: [0, 1, 2] for case in "abc"})
        self.assertNotEqual([case for _, case in seen[:3]], [case for _, case in seen[3:6]])

    def test_numbers_as_they_are_printed(self):
        rows = [([], "–"), ([2.0], "2.00"), ([3, 1, 2], "2.00 [1.00, 3.00]"), ([1234.5, 1], "617.75 [1.00, 1,234.50]")]
        for numbers, text in rows:
            self.assertEqual(figures.spread(numbers), text)
        self.assertEqual(figures.values({"a": [run(1, each=5), None, run(2)]}, "a", "each", 2), [10])


class Goals(unittest.TestCase):
    def test_a_goal_is_judged_by_the_figure_that_is_printed(self):
        at_most = goals.Goal("a", "a", goals.each(1.0, 0.5))
        at_least = goals.Goal("b", "b", goals.both(0.38), at_least=True)
        rows = [
            (at_most, ordinary, 1.004, True),
            (at_most, ordinary, 1.006, False),
            (at_most, embedded, 0.9, False),
            (at_least, ordinary, 0.376, True),
            (at_least, ordinary, 0.374, False),
        ]
        for goal, build, figure, met in rows:
            self.assertEqual(goal.is_met(build, figure), met, (goal.name, build, figure))

    def test_names_are_unique(self):
        names = [goal.name for goal in goals.goals]
        self.assertEqual(len(names), len(set(names)))


def section(title, **found):
    made = Section(title, ["", "figure"], [["rawget", "1"]])
    made.figures = found
    return made


class Report(unittest.TestCase):
    def test_of_two_figures_for_a_goal_the_worse_counts(self):
        sections = [
            section("one", http={ordinary: 0.7, embedded: 0.6}, **{"prefix 50": {ordinary: 0.4}}),
            section("two", http={ordinary: 0.5, embedded: None}, **{"prefix 50": {ordinary: 0.1}}),
        ]
        gathered = report.gathered(sections)
        self.assertEqual(gathered, {"http": {ordinary: 0.7, embedded: 0.6}, "prefix 50": {ordinary: 0.1}})
        self.assertEqual(len(report.missed(sections)), 1)
        self.assertIn("mean contiguous prefix: rawget 0.10, goal ≥ 0.38", report.missed(sections)[0])

    def test_what_is_missed_is_said_beside_the_goal(self):
        lines = report.goals_table([section("one", http={ordinary: 0.9, embedded: 0.7})]).splitlines()
        self.assertEqual(len(lines), 3)
        self.assertIn("| ≤ 0.72 | **0.90** missed | 0.70 | – | – |", lines[2])

    def test_only_what_is_between_the_markers_is_replaced(self):
        text = f"before\n{report.begin}\nold \\1\n{report.finish}\nafter\n"
        once = report.between_markers(text, r"new \1 \g<0>")
        self.assertEqual(once, f"before\n{report.begin}\n\nnew \\1 \\g<0>\n{report.finish}\nafter\n")
        self.assertEqual(report.between_markers(once, r"new \1 \g<0>"), once)
        for bad in ("", report.begin, report.finish + report.begin, text + text):
            with self.assertRaises(ValueError):
                report.between_markers(bad, "new")

    def test_a_table_has_as_many_cells_in_every_line(self):
        lines = report.table(["", "a", "b"], [["x", 1, 2], ["y", 3, 4]]).splitlines()
        self.assertEqual({line.count("|") for line in lines}, {4})


class Plot(unittest.TestCase):
    def test_bars_are_as_long_as_their_figures(self):
        svg = plot.bars("a < b", [("rawget", 2.0), ("limit: x & y", 1.0), ("curl", None)])
        tree = xml.etree.ElementTree.fromstring(svg)
        widths = [float(bar.get("width")) for bar in tree.findall("{*}rect")][1:]
        self.assertEqual(len(widths), 2)
        self.assertAlmostEqual(widths[1], 2 * widths[0], delta=0.1)


class Ideal(unittest.TestCase):
    def test_a_rate_alone(self):
        time, mean = least_time(10_000_000, 0.01, rate=1_000_000)
        self.assertAlmostEqual(time, 10.03, delta=0.02)
        self.assertAlmostEqual(mean, 0.5, delta=0.01)

    def test_further_connections_begin_two_round_trips_later(self):
        time, _ = least_time(100_000, 1.0, rate=10_000, connections=2)  # 20,000 bytes by the first alone
        self.assertAlmostEqual(time, 8.0, delta=0.02)

    def test_tls_is_a_handshake_more(self):
        plain, _ = least_time(100_000, 1.0, rate=10_000, connections=2)
        secure, _ = least_time(100_000, 1.0, rate=10_000, connections=2, secure=True)
        self.assertAlmostEqual(secure - plain, 1.5, delta=0.02)  # 1 for the first, 2 for the other: each brings half

    def test_connections_share_a_link(self):
        alone, _ = least_time(10_000_000, 0.01, rate=1_000_000, link=4_000_000)
        eight, _ = least_time(10_000_000, 0.01, rate=1_000_000, link=4_000_000, connections=8)
        self.assertAlmostEqual(alone / eight, 3.9, delta=0.1)


class Instruments(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.kept = tempfile.TemporaryDirectory()
        cls.folder = Path(cls.kept.name)
        cls.folder.chmod(0o755)
        cls.tools = Tools(cls.folder / "bin")
        cls.server = Server(cls.tools, cls.folder)
        cls.meter = Meter(cls.tools.program("launch"), cls.folder, cls.tools)
        cls.source = cls.server.file("some", 300_000)

    @classmethod
    def tearDownClass(cls):
        cls.server.stop()
        cls.kept.cleanup()

    def fetch(self, port, out):
        return self.meter.run([self.tools.program("http"), port, "/some", out, 65536, 0], limit=20)

    def test_what_the_kernel_counted(self):
        worked = self.meter.run(["sh", "-c", "i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done"])
        self.assertEqual(worked.status, 0)
        self.assertGreater(worked.cpu, 0)
        self.assertLess(worked.peak, 8192)  # KiB: not Python's
        self.assertEqual(self.meter.run(["sh", "-c", "exit 3"]).status, 3)
        self.assertEqual(self.meter.run(["sh", "-c", "echo why >&2; kill -9 $$"]).status, 137)
        self.assertEqual(self.meter.run(["sh", "-c", "echo why >&2"]).errors, "why")
        self.assertEqual(self.meter.run(["sleep", "60"], limit=1).status, 137)
        self.assertEqual(self.meter.run(["/nonexistent"]).status, 127)

    def test_a_peer_that_fails_costs_its_row_alone(self):
        rows = [
            ("one byte, curl", "failed"),
            ("files, curl -Z", "failed"),
            ("16 lanes, https 50 ms, aria2c", "failed"),
            ("one byte, rawget", "wrong"),
            ("files, rawget, Embedded", "wrong"),
            ("files, rawget, Embedded, 16 at once", "wrong"),
            ("files, limit: one connection, one file after the other", "wrong"),
        ]
        for case, expected in rows:
            bench = Bench.__new__(Bench)
            bench.wrong, bench.failed = [], []
            bench.blame(case, "exit 1", Run(errors="why"))
            self.assertEqual({"wrong": bench.wrong, "failed": bench.failed}[expected], [f"{case}: exit 1 (why)"])
            self.assertEqual(len(bench.wrong + bench.failed), 1)

    def test_system_calls_as_perf_or_strace_say_them(self):
        out = self.folder / "said"
        rows = [
            (by_perf, "# started\n\n29,,raw_syscalls:sys_enter,567324,100.00,,\n", 29),
            (by_strace, "100.00    0.000123           4        29         1 total\n", 29),
            (by_strace, "100.00    0.000123           4        29           total\n", 29),
        ]
        for pattern, text, expected in rows:
            out.write_text(text)
            self.assertEqual(first_number(pattern, out), expected, text)

    def test_the_limits_fetch_what_the_server_has(self):
        out = self.folder / "limit"
        https = [self.tools.program("https"), self.server.https, "/some", out, self.server.folder / "store"]
        http = [self.tools.program("http"), self.server.http, "/some", out]
        for command in (http + ["splice"], http + [512000, 131072], https + ["records"], https + ["batches"]):
            out.unlink(missing_ok=True)
            run = self.meter.run(command)
            self.assertEqual((run.status, run.errors, same_bytes(out, self.source)), (0, "", True), command)

    def test_the_proxy_passes_bytes_on_and_counts_them(self):
        out = self.folder / "passed"
        with self.server.slowed(rate=1_000_000, rtt=0.01, slowstart=1) as seen:
            run = self.fetch(seen["port"], out)
        self.assertEqual(run.status, 0)
        self.assertTrue(same_bytes(out, self.source))
        self.assertGreaterEqual(run.wall, 0.3)  # a rate is kept under any load: no less than this
        self.assertEqual((seen["used"], seen["drops"], seen["far"]), (1, 0, seen["down"]))
        self.assertGreater(seen["down"], 300_000)

    def test_the_proxy_breaks_connections(self):
        for reset in (0, 1):
            with self.server.slowed(drop=100_000, reset=reset) as seen:
                run = self.fetch(seen["port"], self.folder / "broken")
            self.assertEqual((run.status, seen["drops"], seen["down"]), (1, 1, 100_000))
            self.assertEqual("reset" in run.errors, bool(reset), run.errors)

    def test_a_file_is_the_same_only_if_every_byte_is(self):
        out = self.folder / "changed"
        right = self.source.read_bytes()
        rows = [(right, True), (right[:-1], False), (right + b"x", False), (right[:-1] + bytes([right[-1] ^ 1]), False)]
        for content, same in rows:
            out.write_bytes(content)
            self.assertEqual(same_bytes(out, self.source), same)
        self.assertFalse(same_bytes(self.folder / "absent", self.source))

    def test_a_prefix_ends_at_the_first_wrong_byte(self):
        out = self.folder / "grown"
        right = self.source.read_bytes()
        watch = Watch([out], self.source)
        self.assertEqual(watch.look(0), 0)
        out.write_bytes(right[:1000] + bytes(5000))
        seen = watch.look(0)
        self.assertTrue(1000 <= seen <= 1000 + 8, seen)  # random bytes may be right by chance
        out.write_bytes(right)
        self.assertEqual(watch.look(seen), len(right))


if __name__ == "__main__":
    unittest.main()
