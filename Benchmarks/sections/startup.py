"""A file of one byte: what it costs to start, to ask and to end, and how large the command is."""

from bench import Section
from clients import fetch
from figures import interleaved, number, ratio, spread, values
from server import url
from tools import embedded, ordinary

least = "limit: a client in C"


def measure(bench, secure, reference):
    server, out = bench.server, bench.folder / "out"
    source = server.file("one", 1)
    commands = {least: [bench.tools.program("http"), str(server.http), "/one", out, "65536", "0"]}
    if secure:
        trust = server.folder / "store"
        commands[least] = [bench.tools.program("https"), str(server.https), "/one", out, trust, "records"]
    for client in bench.everybody():
        if not secure or client in (ordinary, embedded, "curl"):
            commands[client] = fetch(bench.tools, client, url(server.port(secure), "/one", secure), out)

    def run(case, repetition):
        environment = system_certificates(server, case) if secure else None
        return bench.fetch(f"one byte, {case}", commands[case], out, source, environment=environment)

    def instructions(case):
        out.unlink(missing_ok=True)
        count = bench.meter.instructions(commands[case], environment=system_certificates(server, case))
        return None if count is None else count / 1e6

    def calls(case):
        out.unlink(missing_ok=True)
        return bench.meter.calls(commands[case], environment=system_certificates(server, case))

    results = interleaved(commands, bench.pick(11, 31), run)
    rows = [
        [
            case,
            spread(values(results, case, "cpu", 1e3)),
            number(ratio(results, case, reference, "cpu")),
            spread(values(results, case, "wall", 1e3)),
            number(instructions(case)),
            number(calls(case), 0),
            number(min(values(results, case, "peak", 1 / 1024), default=None), 1),
        ]
        for case in commands
    ]
    scheme = "https, with the system's certificates" if secure else "http"
    found = Section(
        f"One byte, {scheme}",
        ["", "CPU ms", f"CPU against {reference}", "time ms", "million instructions", "calls", "peak MiB"],
        rows,
        f"{len(results[least])} repetitions; axel sleeps a tenth of a second at its end." if "axel" in commands else "",
        bars=[(case, ratio(results, case, reference, "cpu")) for case in commands],
        bars_title=f"One byte, {scheme}: CPU against {reference}",
    )
    goal = "start https" if secure else "start http"
    found.figures[goal] = {build: ratio(results, build, reference, "cpu") for build in bench.ours()}
    found.limits[goal] = ratio(results, least, reference, "cpu")
    found.best[goal] = (reference, 1.0)
    return found


def system_certificates(server, case):
    """The system's store with our authority added, named as each client finds it by default on Debian: OpenSSL's hashed
    directory; for curl the bundle too, which it reads whole."""
    directory = {"SSL_CERT_DIR": str(server.folder / "store")}
    return {**directory, "SSL_CERT_FILE": str(server.folder / "bundle.pem")} if case == "curl" else directory


def sizes(bench):
    """Of the files themselves; what else is loaded is libc, and OpenSSL with TLS."""
    rows, found = [], {}
    for name, path in (
        ("rawget", bench.tools.builds.get(ordinary)),
        ("rawget, Embedded", bench.tools.builds.get(embedded)),
        ("rawget, Embedded, without TLS", bench.tools.without_tls),
    ):
        if path and path.exists():
            found[name] = path.stat().st_size / 1e3
            rows.append([name, number(found[name], 0)])
    section = Section("The command, stripped", ["", "KB"], rows)
    section.figures["size"] = {embedded: found.get("rawget, Embedded")}
    section.figures["size without TLS"] = {embedded: found.get("rawget, Embedded, without TLS")}
    return section


def sections(bench):
    start = [measure(bench, False, "wget")] if "wget" in bench.tools.peers else []
    if "curl" in bench.tools.peers:
        start.append(measure(bench, True, "curl"))
    return [*start, sizes(bench)]
