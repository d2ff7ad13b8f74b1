"""2,000 files of 10 KB on one connection: what a file costs beside its bytes."""

from bench import Section
from clients import fetch_list
from figures import interleaved, median, number, ratio, spread, values
from server import url

count = 2000
size = 10240  # bytes
limit = "limit: one connection, one file after the other"


def sections(bench):
    server, folder = bench.server, bench.folder / "files"
    sources = {f"{index:04d}": server.file(f"small/{index:04d}", size) for index in range(count)}
    paths, urls = bench.folder / "paths", bench.folder / "urls"
    paths.write_text("".join(f"/small/{name}\n" for name in sources))
    urls.write_text("".join(url(server.http, f"/small/{name}\n") for name in sources))
    commands = {limit: [bench.tools.program("files"), str(server.http), paths, folder]}
    for client in bench.everybody():
        command = fetch_list(bench.tools, client, urls, folder, 1)
        if command:
            commands[client] = command
    for build in bench.ours():
        commands[f"{build}, 16 at once"] = fetch_list(bench.tools, build, urls, folder, 16)

    def run(case, repetition):
        position = server.log.stat().st_size if server.log.exists() else 0
        outcome = bench.fetch_all(f"files, {case}", commands[case], folder, sources)
        if outcome:
            outcome.more["each"] = outcome.cpu / count * 1e6
            outcome.more["rate"] = count / outcome.wall
            outcome.more["connections"] = server.connections_since(position)[0]
        return outcome

    results = interleaved(commands, bench.pick(2, 5), run, warm=bench.full)
    against = {case: ratio(results, case, limit, "each") for case in commands}
    rows = [
        [
            case,
            spread(values(results, case, "each"), 0),
            number(against[case]),
            spread(values(results, case, "rate"), 0),
            number(median(values(results, case, "connections")), 0),
            number(median(values(results, case, "peak", 1 / 1024)), 1),
        ]
        for case in commands
    ]
    found = Section(
        "2,000 small files",
        ["", "CPU µs a file", "CPU against the limit", "files a second", "connections", "peak MiB"],
        rows,
        "10 KiB each, over http, one at a time unless it says so.",
        bars=[(case, against[case]) for case in commands],
        bars_title="2,000 files of 10 KB: CPU a file against the limit",
    )
    found.figures["files"] = {build: against[build] for build in bench.ours()}
    found.limits["files"] = 1.0
    theirs = [(against[peer], peer) for peer in bench.tools.peers if against.get(peer) is not None]
    if theirs:
        found.best["files"] = min(theirs)[::-1]
    return [found]
