"""16 connections for one file, each limited by the server and far away: time, order, and what is fetched twice.

With the rights for it, all of it is in a network of its own, in which TCP sends no timestamps: by them the kernel would
measure how near the proxy is, and make the windows as small as that asks for. Only then the proxy may respect windows.
"""

import contextlib
import ctypes
import fcntl
import os
import socket
import struct

from bench import Section
from clients import fetch, is_ours, leftovers
from figures import interleaved, median, number, spread, values
from ideal import least_time
from server import Server, url
from watch import Watch

lanes = 16
rate, size = 2_000_000, 64 << 20  # bytes a second for each, bytes
fast_rate, fast_size = 10_000_000, 256 << 20
new_network = 0x40000000  # CLONE_NEWNET
set_flags, is_up = 0x8914, 1  # SIOCSIFFLAGS, IFF_UP


def leave_network():
    """Into a network of our own that has a loopback interface and nothing else; whether that was allowed."""
    if ctypes.CDLL(None, use_errno=True).unshare(new_network) != 0:
        return False
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, set_flags, struct.pack("16sH14x", b"lo", is_up))
    with contextlib.suppress(OSError), open("/proc/sys/net/ipv4/tcp_timestamps", "w") as setting:
        setting.write("0")
        return True
    return False


def measure(bench, milliseconds, slow_lane, secure, window, rate=rate, size=size):
    source, out = bench.server.file(f"lanes{size}", size), bench.folder / "out"
    round_trip = milliseconds / 1000
    ideal, bound = least_time(size, round_trip, rate, connections=lanes, secure=secure)
    trust = bench.server.authority if secure else None
    scheme = "https, " if secure else ""
    kind = "slow lane" if slow_lane else "fast lanes" if rate == fast_rate else "lanes"
    what = {"slow lane": "one of them ten times slower, ", "fast lanes": "10 MB/s each, ", "lanes": ""}[kind]
    conditions = {"rtt": round_trip, "rate": rate, "slowstart": 1, "window": int(window)}
    if slow_lane:
        conditions["slow"] = lanes // 2

    def run(case, repetition):
        with bench.server.slowed(secure, **conditions) as seen:
            watch = Watch(leftovers(out)[:2], source)
            for path in leftovers(out):
                path.unlink(missing_ok=True)
            watch.start()
            target = url(seen["port"], f"/lanes{size}", secure)
            command = fetch(bench.tools, case, target, out, trust, connections=lanes)
            name = f"{lanes} lanes, {scheme}{what}{milliseconds} ms, {case}"
            outcome = bench.fetch(name, command, out, source, limit=60)
            mean = watch.mean()
        if outcome:
            outcome.more.update(against=outcome.wall / ideal, prefix=mean, wire=seen["far"] / size, used=seen["used"])
        return outcome

    cases = bench.ours() + [peer for peer in ("aria2c", "axel") if peer in bench.tools.peers and bench.full]
    results = interleaved(cases, bench.pick(1, 5), run, warm=False)
    found = Section(
        f"16 connections, {scheme}{what}{milliseconds} ms",
        ["", "time s", "against the ideal", "mean prefix", "sent / size", "connections", "peak MiB"],
        [
            [
                case,
                spread(values(results, case, "wall")),
                number(median(values(results, case, "against")), 3),
                number(median(values(results, case, "prefix"))),
                number(median(values(results, case, "wire")), 4),
                number(median(values(results, case, "used")), 0),
                number(median(values(results, case, "peak", 1 / 1024)), 1),
            ]
            for case in cases
        ],
        f"{size >> 20} MiB at {rate / 1e6:.0f} MB/s a connection, slow start; "
        + f"the ideal is {ideal:.2f} s with a mean prefix of {bound:.2f}"
        + ("." if window else "; windows not respected, for want of rights."),
    )
    for goal, name, best in ((f"lanes {milliseconds}", "against", min), (f"prefix {milliseconds}", "prefix", max)):
        figures = {case: median(values(results, case, name)) for case in cases}
        if name == "prefix" and kind != "lanes":
            continue
        goal = goal.replace("lanes", kind)
        goal += " https" if secure else ""
        found.figures[goal] = {build: figures[build] for build in bench.ours()}
        found.limits[goal] = 1.0 if name == "against" else bound
        theirs = [(figures[case], case) for case in cases if not is_ours(case) and figures[case] is not None]
        if theirs:
            found.best[goal] = best(theirs)[::-1]
    if kind == "lanes" and not secure:
        peaks = {case: median(values(results, case, "peak", 1 / 1024)) for case in cases}
        found.figures[f"lanes peak {milliseconds}"] = {build: peaks[build] for build in bench.ours()}
    return found


def sections(bench):
    own = os.getuid() == 0 and leave_network()
    if own:  # the server of the others is in the network that was left
        bench.server.stop()
        (bench.folder / "lanes").mkdir()
        bench.server = Server(bench.tools, bench.folder / "lanes")
    try:
        plan = [(trip, slow, secure) for secure in (False, True) for slow in (False, True) for trip in (50, 200)]
        subset = [case for case in plan if case[0] == 50 and not (case[1] and case[2])]
        found = [measure(bench, *case, own) for case in bench.pick(subset, plan)]
        return found + [measure(bench, 50, False, False, own, fast_rate, fast_size)]
    finally:
        if own:
            bench.server.stop()
