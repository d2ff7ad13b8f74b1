"""The goals of the project: what rawget's figure should be, for each build."""

from dataclasses import dataclass

from tools import embedded, ordinary


@dataclass(frozen=True)
class Goal:
    name: str  # by which a section files its figure
    measure: str
    bounds: dict  # {build: bound}
    digits: int = 2
    at_least: bool = False

    def is_met(self, build, figure):
        bound = self.bounds[build]
        figure = round(figure, self.digits)  # as it is printed
        return figure >= bound if self.at_least else figure <= bound


def both(bound):
    return {ordinary: bound, embedded: bound}


def each(of_ordinary, of_embedded):
    return {ordinary: of_ordinary, embedded: of_embedded}


goals = [
    Goal("http", "bulk http to a file: CPU against a loop of 64 KiB receives and writes", both(0.72)),
    Goal("https", "bulk https to a file: CPU against a loop of 16 KiB `SSL_read`s and writes", both(0.80)),
    Goal("paced", "http from a network slower than the client: CPU against curl", both(0.58)),
    Goal("calls http", "system calls a MiB, http", both(6), 1),
    Goal("calls https", "system calls a MiB, https", both(14), 1),
    Goal("calls paced", "system calls a MiB, slow network", both(14), 1),
    Goal("start http", "a file of 1 byte, http, start to end: CPU against wget", each(0.75, 0.35)),
    Goal("start https", "a file of 1 byte, https with the system's certificates: CPU against curl", both(0.20)),
    Goal("peak http", "peak resident memory, http, MiB", each(6, 2.5), 1),
    Goal("peak https", "peak resident memory, https, MiB", each(11, 7.5), 1),
    Goal("size without TLS", "the command, Embedded, without TLS, KB", {embedded: 250}, 0),
    Goal("size", "the command, Embedded, with TLS, KB", {embedded: 280}, 0),
    Goal("lanes 50", "`-x 16`, 50 ms, 2 MB/s each: time against the ideal", both(1.03)),
    Goal("prefix 50", "`-x 16`, 50 ms, 2 MB/s each: mean contiguous prefix", both(0.38), at_least=True),
    Goal("lanes 200", "`-x 16`, 200 ms, 2 MB/s each: time against the ideal", both(1.05)),
    Goal("prefix 200", "`-x 16`, 200 ms, 2 MB/s each: mean contiguous prefix", both(0.26), at_least=True),
    Goal("fast lanes 50", "`-x 16`, 50 ms, 10 MB/s each, 256 MiB: time against the ideal", both(1.05)),
    Goal("lanes peak 50", "`-x 16`, 50 ms: peak resident memory, MiB", each(6, 4), 1),
    Goal("lanes peak 200", "`-x 16`, 200 ms: peak resident memory, MiB", each(6, 4), 1),
    Goal("slow lane 50", "`-x 16`, 50 ms, one connection ten times slower: time against the ideal", both(1.15)),
    Goal("slow lane 200", "`-x 16`, 200 ms, one connection ten times slower: time against the ideal", both(1.25)),
    Goal("lanes 50 https", "the same over https: 50 ms", both(1.03)),
    Goal("prefix 50 https", "https, 50 ms: mean contiguous prefix", both(0.38), at_least=True),
    Goal("lanes 200 https", "https, 200 ms", both(1.05)),
    Goal("prefix 200 https", "https, 200 ms: mean contiguous prefix", both(0.26), at_least=True),
    Goal("slow lane 50 https", "https, 50 ms, one connection ten times slower", both(1.15)),
    Goal("slow lane 200 https", "https, 200 ms, one connection ten times slower", both(1.25)),
    Goal("flaky wire", "a connection that ends every 3 MB: bytes on the wire / size", both(1.001), 3),
    Goal("flaky time", "a connection that ends every 3 MB: time against the ideal", both(1.05)),
    Goal("files", "2,000 files of 10 KB on one connection: CPU a file against the limit", both(1.4)),
    Goal("slow http", "1,000 slow downloads in one process, http: memory of each, KiB", both(8), 1),
    Goal("slow https", "1,000 slow downloads in one process, https: memory of each, KiB", both(70), 1),
    Goal("heads 12", "a response head of 12 fields against picohttpparser", {ordinary: 1.5}),
    Goal("heads 40", "a response head of 40 fields against picohttpparser", {ordinary: 1.0}),
]
