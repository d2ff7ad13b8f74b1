"""The usual case: the network is slower than the client, so that what counts is how often the client wakes."""

from bench import Section
from clients import fetch
from figures import interleaved, number, ratio, spread, values
from sections.bulk import gib
from server import url

link = 100_000_000  # bytes a second, in pieces of 16 KiB


def sections(bench):
    size = bench.pick(64 << 20, 256 << 20)
    source, out = bench.server.file("paced", size), bench.folder / "out"
    marked = "limit: recv 500 KB, mark 128 KiB, write"

    def command(case, port):
        if case == "limit: recv 64 KiB, write":
            return [bench.tools.program("http"), str(port), "/paced", out, "65536", "0"]
        if case == marked:
            return [bench.tools.program("http"), str(port), "/paced", out, "512000", "131072"]
        return fetch(bench.tools, case, url(port, "/paced"), out)

    def run(case, repetition):
        with bench.server.slowed(link=link) as seen:
            return bench.fetch(f"paced, {case}", command(case, seen["port"]), out, source)

    def count(case):
        out.unlink(missing_ok=True)
        with bench.server.slowed(link=link) as seen:
            calls = bench.meter.calls(command(case, seen["port"]))
        return None if calls is None else calls / (size >> 20)

    peers = bench.pick([peer for peer in bench.tools.peers if peer in ("curl", "wget2")], bench.tools.peers)
    cases = ["limit: recv 64 KiB, write", marked, *bench.ours(), *peers]
    results = interleaved(cases, bench.pick(3, 5), run, warm=False)
    calls = {case: count(case) for case in cases}
    against = {case: ratio(results, case, "curl", "cpu") for case in cases}
    rows = [
        [
            case,
            spread(values(results, case, "cpu", gib / size)),
            number(against[case]),
            spread(values(results, case, "waits", (1 << 20) / size), 1),
            number(calls[case], 1),
        ]
        for case in cases
    ]
    found = Section(
        "A network slower than the client",
        ["", "CPU s/GiB", "CPU against curl", "waits/MiB", "calls/MiB"],
        rows,
        f"{size >> 20} MiB over http through {link // 1_000_000} MB/s, in pieces of 16 KiB.",
    )
    found.figures = {"paced": {b: against[b] for b in bench.ours()}, "calls paced": {b: calls[b] for b in bench.ours()}}
    found.limits = {"paced": against[marked], "calls paced": calls[marked]}
    for goal, figures in (("paced", against), ("calls paced", calls)):
        theirs = [(figures[peer], peer) for peer in peers if figures[peer] is not None]
        if theirs:
            found.best[goal] = min(theirs)[::-1]
    return [found]
