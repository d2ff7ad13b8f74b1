"""The inputs: each seed as it is, and seeds with one to three things done to them, the same for every run."""

import random
from pathlib import Path

from readers import Case, read_with_llhttp

ROOT = Path(__file__).resolve().parents[2]

# Folders of seeds, and how many bytes at the end of each seed are decisions of a harness, and no text.
CORPORA = {
    ROOT / "fuzz/corpus/response": 8,
    ROOT / "Tests/Differential/corpus": 0,
}

TOKENS = [
    text.encode("latin-1")
    for text in (
        "\r\n", "\n", "\r", "\r\n\r\n", " ", "\t", ":", ";", ",", "\0", "\x7f", "\xff", '"', "\\", "0", "00", "1", "-1",
        "+1", "0x1", "f", "G", "7fffffffffffffff", "8000000000000000", "ffffffffffffffff1", "9223372036854775807",
        "9223372036854775808", "HTTP/1.1 ", "HTTP/1.0 ", "HTTP/1.2 ", "HTTP/2 ", "HTTP/0.9 ", "http/1.1 ", "ICY ",
        "100", "101", "103", "199", "200", "204", "206", "304", "416", "600", "999", "099", "\r\n ", "\r\n\t", "\n ",
        "Content-Length: 0\r\n", "Content-Length: 5\r\n", "Content-Length: 5, 5\r\n", "Content-Length:\r\n",
        "content-length : 5\r\n", "Transfer-Encoding: chunked\r\n", "Transfer-Encoding: gzip, chunked\r\n",
        "Transfer-Encoding: identity\r\n", "transfer-encoding:\tCHUNKED\r\n", "Transfer-Encoding: chunked, chunked\r\n",
        "Connection: close\r\n", "Connection: keep-alive\r\n", "Connection: upgrade\r\nUpgrade: x\r\n",
        "Keep-Alive: 1\r\n", "Proxy-Connection: close\r\n", "X: y\r\n", ": y\r\n", "X\r\n", "0\r\n\r\n",
        "1\r\na\r\n", "1;e=v\r\nb\r\n",
        "1 \r\nc\r\n", '1;e="q\\"r"\r\nd\r\n', "0\r\nT: u\r\n\r\n", "HTTP/1.1 100 Continue\r\n\r\n",
        "HTTP/1.1 103 x\r\nContent-Length: 9\r\n\r\n", "HTTP/1.1 204 x\r\n\r\n",
    )
]  # fmt: skip


def seeds():
    found = []
    for folder, decisions in CORPORA.items():
        for path in sorted(folder.iterdir()) if folder.is_dir() else ():
            text = path.read_bytes()
            found.append((path.name, text[: len(text) - decisions]))
    if not found:
        raise SystemExit("differential: there are no seeds")
    return found


def flip(text, rng, others):
    place = rng.randrange(len(text))
    return text[:place] + bytes([text[place] ^ 1 << rng.randrange(8)]) + text[place + 1 :]


def replace(text, rng, others):
    place = rng.randrange(len(text))
    return text[:place] + bytes([rng.randrange(256)]) + text[place + 1 :]


def delete(text, rng, others):
    place = rng.randrange(len(text))
    return text[:place] + text[place + rng.choice((1, 1, 2, 5, 20)) :]


def cut(text, rng, others):
    return text[: rng.randrange(len(text))]


def repeat(text, rng, others):
    place = rng.randrange(len(text))
    part = text[place : place + rng.choice((1, 2, 4, 16, 64))]
    return text[:place] + part + text[place:]


def insert_token(text, rng, others):
    place = rng.randrange(len(text) + 1)
    return text[:place] + rng.choice(TOKENS) + text[place:]


def insert_line(text, rng, others):
    lines = text.splitlines(keepends=True)
    lines.insert(rng.randrange(len(lines) + 1), rng.choice(TOKENS))
    return b"".join(lines)


def swap_lines(text, rng, others):
    lines = text.splitlines(keepends=True)
    first, second = rng.randrange(len(lines)), rng.randrange(len(lines))
    lines[first], lines[second] = lines[second], lines[first]
    return b"".join(lines)


def splice(text, rng, others):
    other = rng.choice(others)[1]
    return text[: rng.randrange(len(text) + 1)] + other[rng.randrange(len(other) + 1) :]


MUTATIONS = (flip, replace, delete, cut, repeat, swap_lines, splice) + (insert_token, insert_line) * 2
LONGEST = 20_000  # bytes of a seed that is mutated; longer ones are read as they are


def cases(count, number):
    """All seeds, then so many mutations of them, chosen by the number of the run."""
    originals = seeds()
    for name, text in originals:
        yield Case(name, "GET", text)
        yield Case(name, "HEAD", text)
    rng = random.Random(number)
    short = [seed for seed in originals if 0 < len(seed[1]) <= LONGEST]
    sound = [seed for seed in short if read_with_llhttp(Case("", "GET", seed[1]), lenient=True).refusal is None]
    for _ in range(count):
        name, text = rng.choice(short if rng.randrange(8) == 0 else sound)  # what is broken stays so, mostly
        for _ in range(rng.choice((1, 1, 1, 2, 3))):
            mutation = rng.choice(MUTATIONS)
            if text:
                text = mutation(text, rng, short)
                name += " " + mutation.__name__.replace("_", "-")
        yield Case(name, "HEAD" if rng.randrange(16) == 0 else "GET", text)
