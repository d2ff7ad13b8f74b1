"""The reviewed list of what rawget and llhttp disagree about: for each class of responses who says what, and why.

A rule is as narrow as its reason. It looks at the response, at both outcomes, and at the one thing that differs in
them; a disagreement that no rule explains fails the test. `right` says whose reading the RFC supports:
`rawget`, `llhttp`, or `either` where the RFC leaves it open.

Where strict llhttp refuses what rawget grants, `Granted` names the leniency, and llhttp with that leniency is compared
in its place: all that it then makes of the response must agree, or be explained by another rule.
"""

import re
from dataclasses import dataclass
from typing import Callable

BARE_LF = re.compile(rb"(?<!\r)\n")
FOLD = re.compile(rb"\n[ \t]")
CONTROL = re.compile(rb"[\x01-\x08\x0b\x0c\x0e-\x1f\x7f]")
PADDED_SIZE = re.compile(rb"\n[0-9A-Fa-f]+[ \t]")
LENGTH_BY_TAB = re.compile(rb"\ncontent-length:[ \t]*\t|\ncontent-length:[ \t]*[0-9]+ *\t", re.IGNORECASE)
FOLD_OF_NOTHING = re.compile(rb":[ \t]*\r?\n[ \t]")
ACTED_ON = (b"content-length", b"transfer-encoding", b"connection", b"proxy-connection")
UNKNOWN_INTERIM = re.compile(
    rb"HTTP/1\.[0-9] 1(?!0[0-3])[0-9][0-9](?:(?!\n\r?\n).)*\n(content-length|transfer-encoding):",
    re.IGNORECASE | re.DOTALL,
)
INTERIM = re.compile(rb"HTTP/1\.[0-9] 1")


@dataclass
class Disagreement:
    case: object
    own: object
    theirs: object
    what: str  # verdict, status, content, end, persists, fields or trailers

    @property
    def refusal(self):
        """llhttp's, if rawget accepts."""
        return self.theirs.refusal if self.what == "verdict" else None

    @property
    def own_refusal(self):
        """Rawget's, if llhttp accepts."""
        return self.own.refusal if self.what == "verdict" else None

    @property
    def text(self):
        return self.case.text

    @property
    def head(self):
        """All heads of the response, as rawget read them or as llhttp did."""
        outcome = self.own if self.own.refusal is None else self.theirs
        return self.text[: len(self.text) if outcome.refusal else outcome.end - len(outcome.content)]

    def members(self, outcome, name):
        """The members of a list field of the final head, in lower case."""
        values = [value for field, value in outcome.fields if field == name]
        return [member.strip(b" \t").lower() for value in values for member in value.split(b",")]

    @property
    def length_frames(self):
        """Whether Content-Length may say where the content ends (RFC 9112 §6.3, rules 1 and 2)."""
        return self.case.method != "HEAD" and self.own.status not in (204, 304)

    @property
    def lengths_agree(self):
        lengths = self.members(self.own, b"content-length")
        if not all(re.fullmatch(rb"[0-9]+", length) for length in lengths):
            return False
        return len({int(length) for length in lengths}) == 1


@dataclass
class Rule:
    name: str
    right: str
    why: str
    explains: Callable[[Disagreement], bool]


@dataclass
class Granted(Rule):
    """Strict llhttp refuses, saying one of these."""

    refusals: tuple = ()


GRANTED = [
    Granted(
        "controls in a field value",
        "either",
        "RFC 9110 §5.5 demands action for CR, LF and NUL only; others may be kept where nothing interprets them.",
        lambda it: bool(CONTROL.search(it.text)),
        ("Invalid header value char",),
    ),
    Granted(
        "LF alone ends a line of a head or of a trailer section",
        "either",
        "RFC 9112 §2.2 lets a recipient do so. A bare CR stays refused, so there is one reading.",
        lambda it: bool(BARE_LF.search(it.text)),
        (
            "Missing expected CR after response line",
            "Missing expected CR after header value",
            "Invalid header field char",
            "Invalid response status",
            "Invalid header value char",  # after a colon alone
        ),
    ),
    Granted(
        "a folded line, on a field that does not frame",
        "either",
        "RFC 9112 §5.2: a user agent replaces each obs-fold with SP. A server may refuse it, and llhttp is for both.",
        lambda it: bool((FOLD if "Unexpected" in it.refusal else FOLD_OF_NOTHING).search(it.text)),
        ("Unexpected whitespace after header value", "Invalid header value char"),
    ),
    Granted(
        "Transfer-Encoding together with Content-Length",
        "either",
        "RFC 9112 §6.3 rule 3: Transfer-Encoding overrides; handled as an error, or read and closed after.",
        lambda it: b"content-length" in it.text.lower() and b"transfer-encoding" in it.text.lower(),
        (
            "Transfer-Encoding can't be present with Content-Length",
            "Content-Length can't be present with Transfer-Encoding",
        ),
    ),
    Granted(
        "blanks between a chunk size and its line end",
        "either",
        "RFC 9112 §7.1.1 allows BWS before an extension, and old servers pad with it. The line end stays certain.",
        lambda it: bool(PADDED_SIZE.search(it.text)),
        ("Invalid character in chunk size",),
    ),
]


def squeezed(fields):
    """The same with one SP for every run of blanks in a value."""
    return [(name, b" ".join(value.split())) for name, value in fields]


LENGTH_REFUSALS = (
    "Invalid character in Content-Length",
    "Duplicate Content-Length",
    "Empty Content-Length",
    "Content-Length overflow",
)

RULES = [
    # llhttp refuses, rawget accepts.
    Rule(
        "HTTP/1.2 to HTTP/1.9",
        "rawget",
        "RFC 9110 §2.5: a higher minor version is processed as the highest that is implemented.",
        lambda it: it.refusal == "Invalid HTTP version" and bool(re.search(rb"(^|\n)HTTP/1\.[2-9] ", it.head)),
    ),
    Rule(
        "Content-Length with equal values, on lines or in a list",
        "either",
        "RFC 9110 §8.6: equal values may be replaced with a single one, or refused.",
        lambda it: it.refusal in LENGTH_REFUSALS[:2]
        and it.length_frames
        and it.lengths_agree
        and len(it.members(it.own, b"content-length")) > 1,
    ),
    Rule(
        "Content-Length with HTAB around its value",
        "rawget",
        "RFC 9110 §5.6.3: OWS is SP or HTAB.",
        lambda it: it.refusal == "Invalid character in Content-Length"
        and it.lengths_agree
        and bool(LENGTH_BY_TAB.search(it.head)),
    ),
    Rule(
        "a broken Content-Length where it does not frame",
        "either",
        "RFC 9112 §6.3 rule 1: to HEAD, with 1xx, 204 and 304 there is no content, regardless of the fields.",
        lambda it: it.refusal in LENGTH_REFUSALS and (not it.length_frames or bool(INTERIM.match(it.text))),
    ),
    Rule(
        "close in an interim response",
        "either",
        "RFC 9110 §15.2, RFC 9112 §9.6: no field of an interim response counts for the final one behind it.",
        lambda it: (it.refusal or "").startswith("Data after `Connection: close`") and bool(INTERIM.match(it.text)),
    ),
    Rule(
        "Content-Length or Transfer-Encoding in an interim response other than 100 to 103",
        "rawget",
        "RFC 9112 §6.3 rule 1: no 1xx has content. llhttp knows it of those with a name, reads content for others.",
        lambda it: it.refusal is not None and bool(UNKNOWN_INTERIM.search(it.text)),
    ),
    Rule(
        "a field among the trailers that would frame, had it stood in the head",
        "rawget",
        "RFC 9110 §6.5.1: a trailer is never taken for a field of the head. llhttp judges its value, and acts on it.",
        lambda it: (it.refusal in LENGTH_REFUSALS or it.what == "persists")
        and any(name in ACTED_ON for name, _ in it.own.trailers),
    ),
    Rule(
        "a chunk extension beyond what llhttp knows of the grammar",
        "either",
        "RFC 9112 §7.1.1: unknown extensions are ignored. BWS in them is even within the grammar.",
        lambda it: (it.refusal or "").startswith("Invalid character in chunk extensions")
        and b"chunked" in it.members(it.own, b"transfer-encoding"),
    ),
    # Rawget refuses, llhttp accepts.
    Rule(
        "a Transfer-Encoding that is not `chunked` alone",
        "rawget",
        "RFC 9112 §6.1, §6.3: llhttp reads on until the connection ends, or does not mind the other codings; rawget"
        " asked for none, can decode none, and does not guess.",
        lambda it: it.own_refusal == "bad-transfer-encoding"
        and it.members(it.theirs, b"transfer-encoding") not in ([], [b"chunked"]),
    ),
    Rule(
        "HTAB around `chunked`",
        "rawget",
        "RFC 9110 §5.6.3: OWS is SP or HTAB. llhttp does not know the coding then, and takes the chunks for content.",
        lambda it: it.theirs.refusal is None
        and it.theirs.end == len(it.text)
        and it.theirs.persists is False
        and it.members(it.theirs, b"transfer-encoding") == [b"chunked"]
        and bool(re.search(rb"\ntransfer-encoding:[^\n]*\t", it.text, re.IGNORECASE)),
    ),
    Rule(
        "Transfer-Encoding in HTTP/1.0",
        "rawget",
        "RFC 9112 §6.1: such a message is to be treated as if its framing were faulty.",
        lambda it: it.own_refusal == "bad-transfer-encoding"
        and it.members(it.theirs, b"transfer-encoding") == [b"chunked"]
        and bool(re.search(rb"(^|\n)HTTP/1\.0 ", it.head)),
    ),
    Rule(
        "empty lines before the status line",
        "rawget",
        "RFC 9112 §2.2 grants them to a server before a request line, and to nobody before a status line.",
        lambda it: it.own_refusal == "bad-status-line" and bool(re.search(rb"(^|\n\r?\n)[\r\n]", it.text)),
    ),
    Rule(
        "a status below 100",
        "rawget",
        "RFC 9110 §15: the first digit is the class, from 1 on.",
        lambda it: it.own_refusal == "bad-status-line"
        and bool(re.search(rb"(^|\n)HTTP/1\.[0-9] 0[0-9][0-9]", it.text)),
    ),
    Rule(
        "101 although no Upgrade was sent",
        "rawget",
        "RFC 9110 §15.2.2, §7.8: what follows would not be HTTP.",
        lambda it: it.own_refusal == "unexpected-upgrade" and it.theirs.status == 101,
    ),
    Rule(
        "HTTP/0.9 and HTTP/2.0",
        "rawget",
        "RFC 9112 §2.3: another major version is another protocol.",
        lambda it: it.own_refusal == "unsupported-version" and bool(re.search(rb"(^|\n)HTTP/(0\.9|2\.0) ", it.head)),
    ),
    Rule(
        "NUL in a reason",
        "rawget",
        "RFC 9112 §4: a reason is of HTAB, SP, VCHAR and obs-text; RFC 9110 §5.5 on NUL.",
        lambda it: it.own_refusal == "bad-header" and bool(re.search(rb"(^|\n)HTTP/1\.[0-9] [0-9]+ [^\n]*\0", it.text)),
    ),
    # Both accept.
    Rule(
        "Transfer-Encoding together with Content-Length ends the connection",
        "rawget",
        "RFC 9112 §6.1: the connection is closed after such a message.",
        lambda it: it.what == "persists"
        and not it.own.persists
        and it.members(it.own, b"content-length") != []
        and it.members(it.own, b"transfer-encoding") == [b"chunked"],
    ),
    Rule(
        "Proxy-Connection",
        "rawget",
        "RFC 9112 appendix C.2.2: not a field of the standard; llhttp takes it for Connection.",
        lambda it: it.what == "persists" and it.members(it.own, b"proxy-connection") != [],
    ),
    Rule(
        "close anywhere in Connection",
        "rawget",
        "RFC 9112 §9.3: with the close option the connection does not persist. llhttp lets what stands before it win.",
        lambda it: it.what == "persists" and not it.own.persists and b"close" in it.members(it.own, b"connection"),
    ),
    Rule(
        "HTAB after `keep-alive` or `close`",
        "rawget",
        "RFC 9110 §5.6.3: OWS is SP or HTAB.",
        lambda it: it.what == "persists" and bool(re.search(rb"\nconnection:[^\n]*\t", it.head, re.IGNORECASE)),
    ),
    Rule(
        "what a fold becomes",
        "either",
        "RFC 9112 §5.2: one or more SP for each obs-fold, with the blanks around the line end. llhttp leaves those.",
        lambda it: it.what in ("fields", "trailers")
        and bool(FOLD.search(it.text))
        and squeezed(getattr(it.own, it.what)) == squeezed(getattr(it.theirs, it.what)),
    ),
]


def explain(case, own, strict, lenient):
    """The rules that explain all that is different; the second result is what they do not explain."""
    theirs = strict
    rules = []
    if own.refusal is None and strict.refusal is not None:
        verdict = Disagreement(case, own, strict, "verdict")
        granted = [rule for rule in GRANTED if strict.refusal in rule.refusals and rule.explains(verdict)]
        if granted:
            rules.append(granted[0])
            theirs = lenient
    unexplained = []
    for what in sorted(own.differences(theirs)):
        disagreement = Disagreement(case, own, theirs, what)
        found = next((rule for rule in RULES if rule.explains(disagreement)), None)
        if found:
            rules.append(found)
        else:
            unexplained.append(what)
    return rules, unexplained
