"""What reading a response head costs, beside parsers that do less or the same with it."""

import random
import subprocess

from bench import Section
from figures import interleaved, number, ratio, spread, values
from measure import Run
from tools import ordinary, root

number_of_heads = 256
usual = [
    ("Date", "Mon, 30 Nov 2026 12:00:00 GMT"),
    ("Content-Type", "application/octet-stream"),
    ("Content-Length", "4294967296"),
    ("Connection", "keep-alive"),
    ("Last-Modified", "Sun, 01 Nov 2026 08:30:15 GMT"),
    ("ETag", '"1c8f0a-4b2e77d05f3c0"'),
    ("Accept-Ranges", "bytes"),
    ("Cache-Control", "public, max-age=604800, immutable"),
    ("Server", "nginx/1.22.1"),
    ("Age", "40213"),
    ("X-Cache", "HIT, MISS"),
    ("Via", "1.1 edge-17.example, 1.1 shield-02.example (cache)"),
]
names = ("Detail", "Trace-Id")
further = [(f"X-{names[index % 2]}-{index}", "0123456789abcdef" * (1 + index % 3)) for index in range(28)]


def heads(fields):
    """Heads that differ in the order of their fields and the length of values, as those of many servers do."""
    chance = random.Random(fields)
    texts = []
    for _ in range(number_of_heads):
        chosen = (usual + further)[:fields]
        chance.shuffle(chosen)
        lines = [f"{name}: {value + filling(chance, name)}\r\n" for name, value in chosen]
        texts.append("HTTP/1.1 200 OK\r\n" + "".join(lines) + "\r\n")
    return "".join(texts)


def filling(chance, name):
    return "x" * chance.randrange(8) if name.startswith(("X-", "Server", "Via")) else ""


def readers(bench):
    """Command by name, for those that can be had."""
    sources = root / "build" / "bench" / "parsers"
    known = {"limit: memchr by line": "lines"}
    more = []
    if (sources / "parsers.txt").exists():  # parsers.sh was here
        files = [sources / name for name in ("picohttpparser.c", "llhttp.c", "api.c", "http.c")]
        more = ["-DPICOHTTPPARSER", "-DLLHTTP", "-isystem", sources, "-w", *files]
        known |= {"picohttpparser": "picohttpparser", "llhttp": "llhttp"}
    program = bench.tools.compile("limits/heads.c", more=more)
    commands = {name: [program, None, None, word] for name, word in known.items()}
    ours = root / "build" / "bench" / "bin" / "rawget-bench-heads"
    if ours.exists():
        commands["rawget"] = [ours, None, None]
    return commands


def measure(bench, fields):
    path = bench.folder / "heads"
    path.write_text(heads(fields))
    commands = readers(bench)

    def run(case, repetition):
        count = str(bench.pick(4_000_000, 12_000_000) // (fields * 12))
        command = [commands[case][0], path, count, *commands[case][3:]]
        said = subprocess.run(command, stdout=subprocess.PIPE, text=True)
        return Run(more={"each": float(said.stdout)}) if said.returncode == 0 else None

    results = interleaved(commands, bench.pick(3, 7), run, warm=False)
    reference = "picohttpparser" if "picohttpparser" in commands else "limit: memchr by line"
    against = {case: ratio(results, case, reference, "each") for case in commands}
    goal = f"heads {fields}"
    found = Section(
        f"A response head of {fields} fields",
        ["", "CPU ns", f"against {reference.removeprefix('limit: ')}"],
        [[case, spread(values(results, case, "each"), 0), number(against[case])] for case in commands],
        f"{path.stat().st_size // number_of_heads} bytes on average; all optimised, none for this machine alone.",
    )
    if "picohttpparser" in commands:
        found.figures[goal] = {ordinary: against.get("rawget")}
        found.limits[goal] = against["limit: memchr by line"]
        found.best[goal] = ("llhttp", against["llhttp"])
    return found


def sections(bench):
    return [measure(bench, 12), measure(bench, 40)]
