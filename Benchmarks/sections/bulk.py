"""One large file as fast as the machine goes: the way of the bytes and nothing else."""

from bench import Section
from clients import fetch, is_ours
from figures import interleaved, median, number, ratio, spread, values
from server import url

gib = 1 << 30
loop = "limit: recv 64 KiB, write"
loop_tls = "limit: SSL_read 16 KiB, write"


def limits(bench, secure, path, out):
    port, tools = str(bench.server.port(secure)), bench.tools
    if secure:
        command = [tools.program("https"), port, path, out, bench.server.authority]
        return {loop_tls: [*command, "records"], "limit: own BIO of 256 KiB, write": [*command, "batches"]}
    command = [tools.program("http"), port, path, out]
    return {
        loop: [*command, "65536", "0"],
        "limit: recv 500 KB, mark 128 KiB, write": [*command, "512000", "131072"],
        "limit: splice": [*command, "splice"],
    }


def measure(bench, secure):
    scheme = "https" if secure else "http"
    size = bench.pick(256 << 20, gib)
    source, out = bench.server.file("bulk", size), bench.folder / "out"
    trust = bench.server.authority if secure else None
    commands = limits(bench, secure, "/bulk", out)
    for client in bench.everybody():
        commands[client] = fetch(bench.tools, client, url(bench.server.port(secure), "/bulk", secure), out, trust)
    results = interleaved(
        commands,
        bench.pick(3, 5),
        lambda case, repetition: bench.fetch(f"bulk {scheme}, {case}", commands[case], out, source),
        warm=False,
    )
    calls = {case: calls_per_mib(bench, command, out, size) for case, command in commands.items()}
    return section(bench, secure, commands, results, calls, size)


def calls_per_mib(bench, command, out, size):
    """How much waits at each receive is chance: the median of some runs."""
    counts = []
    for _ in range(bench.pick(1, 3)):
        out.unlink(missing_ok=True)
        counts.append(bench.meter.calls(command))
    calls = median(counts)
    return None if calls is None else calls / (size >> 20)


def section(bench, secure, commands, results, calls, size):
    scheme, reference = ("https", loop_tls) if secure else ("http", loop)
    each_gib = gib / size
    rows, against = [], {}
    for case in commands:
        against[case] = ratio(results, case, reference, "cpu")
        peak = median(values(results, case, "peak", 1 / 1024))
        rows.append(
            [
                case,
                spread(values(results, case, "cpu", each_gib)),
                number(against[case]),
                spread(values(results, case, "wall", each_gib)),
                number(peak, 1),
                number(calls[case], 1),
            ]
        )
    found = Section(
        f"Bulk, {scheme}",
        ["", "CPU s/GiB", f"CPU against the first", "time s/GiB", "peak MiB", "calls/MiB"],
        rows,
        f"{size >> 20} MiB to a file in memory, as fast as it goes; {len(results[reference])} repetitions.",
        bars=[(case, against[case]) for case in commands],
        bars_title=f"Bulk {scheme}: CPU against a loop of {'SSL_read' if secure else 'recv'} and write",
    )
    file_figures(bench, found, scheme, against, calls, results)
    return found


def file_figures(bench, found, scheme, against, calls, results):
    peaks = {case: median(values(results, case, "peak", 1 / 1024)) for case in against}
    for goal, figures in ((scheme, against), (f"calls {scheme}", calls), (f"peak {scheme}", peaks)):
        found.figures[goal] = {build: figures[build] for build in bench.ours()}
        best_limit = [figures[case] for case in figures if case.startswith("limit") and figures[case] is not None]
        found.limits[goal] = min(best_limit, default=None)
        theirs = [(figures[peer], peer) for peer in bench.tools.peers if figures[peer] is not None]
        if theirs and not is_ours(min(theirs)[1]):
            found.best[goal] = min(theirs)[::-1]


def sections(bench):
    return [measure(bench, False), measure(bench, True)]
