"""A connection that ends after every 3 MB: what is fetched twice, and what the reconnecting costs."""

from bench import Section
from clients import aria2, fetch, is_ours
from figures import interleaved, median, number, spread, values
from ideal import least_time
from server import url

drop = 3 << 20  # bytes of content
head = 512  # bytes that an answer may need before them
round_trip = 0.02  # seconds
link = 50_000_000  # bytes a second


def stubborn(tools, client, address, out):
    """The command with which a client continues and does not give up."""
    if client == "wget":
        return ["wget", "--no-config", "-q", "-c", "-t", "200", "--waitretry=0", "-O", out, address]
    if client == "aria2c":
        alone = ["-x", "1", "-s", "1", "-d", out.parent, "-o", out.name]
        return aria2(None) + ["-c", "-m", "200", "--retry-wait=0", *alone, address]
    return fetch(tools, client, address, out)


def measure(bench, reset):
    size = bench.pick(24 << 20, 64 << 20)
    source, out = bench.server.file("flaky", size), bench.folder / "out"
    pieces = [min(drop, size - start) for start in range(0, size, drop)]
    ideal = sum(least_time(piece, round_trip, link=link)[0] for piece in pieces)
    how = "by RST" if reset else "by FIN"

    def run(case, repetition):
        with bench.server.slowed(rtt=round_trip, link=link, slowstart=1, drop=drop + head, reset=int(reset)) as seen:
            command = stubborn(bench.tools, case, url(seen["port"], "/flaky"), out)
            outcome = bench.fetch(f"flaky {how}, {case}", command, out, source, limit=60)
        if outcome:
            outcome.more.update(wire=seen["down"] / size, against=outcome.wall / ideal, used=seen["used"])
        return outcome

    cases = bench.ours() + [peer for peer in ("wget", "aria2c") if peer in bench.tools.peers]
    results = interleaved(cases, bench.pick(1, 5), run, warm=False)
    found = Section(
        f"A connection that ends every 3 MB, {how}",
        ["", "time s", "against the ideal", "wire / size", "connections"],
        [
            [
                case,
                spread(values(results, case, "wall")),
                number(median(values(results, case, "against"))),
                number(median(values(results, case, "wire")), 4),
                number(median(values(results, case, "used")), 0),
            ]
            for case in cases
        ],
        f"{size >> 20} MiB, 20 ms away, {link // 1_000_000} MB/s; ideal {ideal:.2f} s, {len(pieces)} connections.",
    )
    for goal, name in (("flaky wire", "wire"), ("flaky time", "against")):
        figures = {case: median(values(results, case, name)) for case in cases}
        found.figures[goal] = {build: figures[build] for build in bench.ours()}
        found.limits[goal] = 1.0
        theirs = [(figures[case], case) for case in cases if not is_ours(case) and figures[case] is not None]
        if theirs:
            found.best[goal] = min(theirs)[::-1]
    return found


def sections(bench):
    return [measure(bench, False), measure(bench, True)]
