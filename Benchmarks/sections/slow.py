"""1,000 slow downloads in one process: what a connection that mostly waits holds in memory."""

from concurrent.futures import ThreadPoolExecutor

from bench import Section
from clients import fetch_list
from figures import number
from server import url

count = 1000
rate = 8000  # bytes a second, each
limit = "limit: one buffer, and OpenSSL's sessions"


def measure(bench, secure):
    """All clients at the same time: it is memory that is measured, and they wait for the network."""
    server = bench.server
    size = bench.pick(32 << 10, 64 << 10)
    source = server.file("slow", size)
    trust = server.authority if secure else None
    scheme = "https" if secure else "http"

    def run(case, number_of, port):
        name = "".join(letter for letter in case if letter.isalnum())
        work = bench.folder / f"{name}-{scheme}-{number_of}"
        work.mkdir()
        if case == limit:
            words = [bench.tools.program("slow"), str(port), "/slow", str(number_of), *([trust] if trust else [])]
            return bench.meter.run(words)
        urls = work / "urls"
        urls.write_text("".join(url(port, f"/slow/{index}\n", secure) for index in range(number_of)))
        out = work / "out"
        command = fetch_list(bench.tools, case, urls, out, number_of, trust)
        sources = {str(index): source for index in range(number_of)}
        return bench.fetch_all(f"1,000 slow, {scheme}, {case}", command, out, sources)

    def behind_proxy(case):
        with server.slowed(secure, rate=rate, rtt=0.05) as seen:
            many = run(case, count if case != "curl" else 300, seen["port"])
        return many, seen["most"]

    able = bench.pick([], ["curl", "wget2", "aria2c"])
    cases = [limit, *bench.ours(), *[peer for peer in able if peer in bench.tools.peers]]
    ones = {case: run(case, 1, server.port(secure)) for case in cases}
    with ThreadPoolExecutor(len(cases)) as pool:
        crowds = dict(zip(cases, pool.map(behind_proxy, cases)))
    rows, each = [], {}
    for case in cases:
        (many, most), one = crowds[case], ones[case]
        if many is None or one is None:
            continue
        each[case] = (many.peak - one.peak) / max(most - 1, 1)
        peaks = [number(run.peak / 1024, 1) for run in (one, many)]
        rows.append([case, number(most, 0), *peaks, number(each[case], 1)])
    found = Section(
        f"1,000 slow downloads, {scheme}",
        ["", "at once", "peak MiB, one", "peak MiB, all", "KiB each"],
        rows,
        f"{size >> 10} KiB each at {rate // 1000} kB/s, 50 ms away.",
    )
    goal = f"slow {scheme}"
    found.figures[goal] = {build: each[build] for build in bench.ours() if build in each}
    found.limits[goal] = each.get(limit)
    theirs = [(each[peer], peer) for peer in bench.tools.peers if peer in each]
    if theirs:
        found.best[goal] = min(theirs)[::-1]
    return found


def sections(bench):
    return [measure(bench, False), measure(bench, True)]
