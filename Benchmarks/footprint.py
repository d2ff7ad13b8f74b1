#!/usr/bin/env python3
"""What each client needs of disk, memory and time before it does anything: `make footprint`, into docs/FOOTPRINT.md."""

import argparse
import os
import re
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True

import clients  # noqa: E402
import machine  # noqa: E402
from bench import Bench  # noqa: E402
from figures import interleaved, median, number, ratio, values  # noqa: E402
from report import between_markers, table  # noqa: E402
from run import temporary  # noqa: E402
from server import Server, url  # noqa: E402
from tools import Missing, Tools, root, said  # noqa: E402

hello = "hello in C"
others = {  # beside the two builds that every benchmark measures
    "rawget, Embedded, without TLS": "build/embedded/rawget-notls",
    "rawget, static with musl": "build/static/rawget",
}
size = 1 << 30  # bytes


def libraries(path):
    """What the loader brings with it: how many, and their size in bytes."""
    found = re.findall(r"=> (/\S+)|^\s*(/\S+) \(", said(["ldd", path]), re.MULTILINE)
    paths = {os.path.realpath(one or other) for one, other in found}
    return len(paths), sum(os.path.getsize(path) for path in paths)


def programs(tools, folder):
    """Paths by name."""
    found = dict(tools.builds) | {name: root / path for name, path in others.items() if (root / path).exists()}
    found |= {peer: said(["which", peer]).strip() for peer in tools.peers}
    source = folder / "hello.c"
    source.write_text('#include <stdio.h>\nint main(void) { puts("hello"); return 0; }\n')
    subprocess.run([tools.compiler, "-O2", "-o", folder / "hello", source], check=True)
    return found | {hello: folder / "hello"}


def peaks(bench, found, secure):
    """MiB resident at most for 1 GiB into a file, by name."""
    server, out = bench.server, bench.folder / "out"
    source = server.file("large", size)
    trust = server.authority if secure else None
    peak = {}
    for name, path in found.items():
        if name == hello or secure and name in others:
            continue
        if name in others:
            command = [path, "--no-config", "-q", "-o", out, url(server.http, "/large")]
        else:
            command = clients.fetch(bench.tools, name, url(server.port(secure), "/large", secure), out, trust)
        runs = [bench.fetch(f"1 GiB, {name}", command, out, source) for _ in range(3)]
        peak[name] = median([run.peak / 1024 for run in runs if run])
    return peak


def measured(bench):
    found = programs(bench.tools, bench.folder)
    commands = {name: [path] if name == hello else [path, "--version"] for name, path in found.items()}
    starts = interleaved(commands, 200, lambda case, repetition: bench.meter.run(commands[case]))
    http, https = peaks(bench, found, False), peaks(bench, found, True)
    rows = []
    for name, path in found.items():
        count, bytes_of_libraries = libraries(path)
        rows.append(
            [
                name,
                number(os.path.getsize(path) / 1e3, 0),
                f"{count}, {number(bytes_of_libraries / 1e6, 1)} MB" if count else "none",
                number(median(values(starts, name, "wall", 1e3))),
                number(ratio(starts, name, hello, "wall")),
                number(min(values(starts, name, "peak", 1 / 1024)), 1),
                number(http.get(name), 1),
                number(https.get(name), 1),
            ]
        )
    columns = ["", "KB", "libraries at the start", "`--version`, ms", "against hello", "MiB", "1 GiB over http, MiB", "https, MiB"]
    return table(columns, rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", help="put the table between this Markdown file's markers")
    chosen = parser.parse_args()
    try:
        tools = Tools(root / "build" / "bench" / "bin")
        with temporary(None) as folder:
            server = Server(tools, folder)
            try:
                load = os.getloadavg()[0]
                bench = Bench(tools, folder, server, True)
                found = measured(bench)
                about = machine.described(tools.versions(), folder, True, [load, os.getloadavg()[0]])
            finally:
                server.stop()
    except Missing as missing:
        print(f"footprint: {missing}", file=sys.stderr)
        return 1
    print(found)
    for sentence in bench.wrong + bench.failed:
        print(f"WRONG: {sentence}")
    if chosen.write and not bench.wrong:
        path = Path(chosen.write)
        path.write_text(between_markers(path.read_text(), f"{about}\n{found}"))
    return 1 if bench.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
