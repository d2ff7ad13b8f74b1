"""What each reader makes of a response: `Outcome`, and two ways to get one.

Rawget is asked through its parse driver (Tests/ParseDriver), llhttp through its Python package, twice: strict as it
comes, and with those of its leniencies that rawget grants as well. So a response that strict llhttp refuses for such a
leniency is still compared, byte for byte.
"""

import base64
import json
import subprocess
from dataclasses import dataclass, field

import llhttp


@dataclass
class Case:
    """A response as it arrived, whole, before the connection ended in order."""

    origin: str  # the seed, and what was done to it
    method: str  # GET or HEAD
    text: bytes


@dataclass
class Outcome:
    refusal: str | None = None  # why; None: accepted
    status: int | None = None
    content: bytes = b""
    end: int = 0  # where the message ends, in bytes of the text
    persists: bool | None = None  # None: not said
    fields: list = field(default_factory=list)  # (name in lower case, value) of the final head
    trailers: list = field(default_factory=list)

    def differences(self, other):
        """The names of what two outcomes differ in."""
        if self.refusal is not None or other.refusal is not None:
            return {"verdict"} if (self.refusal is None) != (other.refusal is None) else set()
        names = {"status", "content", "end", "fields", "trailers"}
        different = {name for name in names if getattr(self, name) != getattr(other, name)}
        if None not in (self.persists, other.persists) and self.persists != other.persists:
            different.add("persists")
        return different

    def __str__(self):
        if self.refusal is not None:
            return f"refuses: {self.refusal}"
        return (
            f"accepts: {self.status}, ends at {self.end}, persists {self.persists}, content {self.content!r:.80},"
            f" fields {self.fields!r:.300}, trailers {self.trailers!r:.200}"
        )


class Message(llhttp.Response):
    """llhttp's callbacks, gathered into an outcome. Interim responses are passed over."""

    # Each as rawget grants it: LF alone in heads, fold and controls in values, blanks after a chunk size, a
    # Content-Length beside Transfer-Encoding.
    granted = (
        "lenient_optional_cr_before_lf",
        "lenient_headers",
        "lenient_spaces_after_chunk_size",
        "lenient_chunked_length",
    )

    def __init__(self, method, lenient):
        self.method_is_head = method == "HEAD"
        for name in self.granted if lenient else ():
            setattr(self, name, True)
        self.ending = False
        self.on_message_begin()

    def on_message_begin(self):
        self.outcome = Outcome()
        self.head_is_whole = False
        self.is_whole = False
        self.name = self.value = b""

    @property
    def is_interim(self):
        return 100 <= self.outcome.status < 200 and self.outcome.status != 101

    def on_header_field(self, part):
        self.name += bytes(part)

    def on_header_value(self, part):
        self.value += bytes(part)

    def on_header_value_complete(self):
        lines = self.outcome.trailers if self.head_is_whole else self.outcome.fields
        lines.append((self.name.lower(), self.value.strip(b" \t")))  # llhttp leaves blanks at the end
        self.name = self.value = b""

    def on_headers_complete(self):
        self.head_is_whole = True
        self.outcome.status = self.status or 0  # the package says None for 000
        if self.method_is_head and not self.is_interim:
            self.is_whole = True
            self.pause()

    def on_body(self, part):
        self.outcome.content += bytes(part)

    def on_message_complete(self):
        if not self.is_whole:
            self.outcome.persists = self.should_keep_alive
        self.is_whole = True
        if not self.ending:
            self.pause()


def read_with_llhttp(case, lenient):
    reader = Message(case.method, lenient)
    position = 0
    try:
        while not reader.is_whole and position < len(case.text):
            position += reader.execute(case.text[position:])
            if not reader.is_whole:
                break
            if reader.is_interim:
                reader.unpause()
                reader.is_whole = False  # the next message is the answer
                reader.on_message_begin()
        if not reader.is_whole:
            reader.ending = True
            reader.finish()
    except llhttp.Error as error:
        return Outcome(refusal=str(error) or type(error).__name__)
    if not reader.is_whole:
        return Outcome(refusal="the end came too early")
    reader.outcome.end = position
    return reader.outcome


def read_with_rawget(driver, cases):
    lines = [
        json.dumps(
            {
                "id": number,
                "method": case.method,
                "close": "fin",
                "pieces": [base64.b64encode(case.text).decode()],
                "range": None,
            }
        )
        for number, case in enumerate(cases)
    ]
    run = subprocess.run([driver], input=("\n".join(lines) + "\n").encode(), stdout=subprocess.PIPE, timeout=600)
    answers = {}
    for line in run.stdout.splitlines():
        answer = json.loads(line)
        answers[answer["id"]] = answer
    if run.returncode != 0 or len(answers) != len(cases):
        missing = next((cases[number] for number in range(len(cases)) if number not in answers), None)
        raise SystemExit(f"differential: the driver ended with {run.returncode}, at {missing!r}")
    return [outcome(answers[number], case) for number, case in enumerate(cases)]


def outcome(answer, case):
    if answer["verdict"] != "accept":
        return Outcome(refusal=answer["category"])
    leftover = base64.b64decode(answer["leftover"])

    def pairs(lines):
        return [(name.encode("latin-1").lower(), value.encode("latin-1")) for name, value in lines]

    return Outcome(
        status=answer["status"],
        content=base64.b64decode(answer["body"]),
        end=len(case.text) - len(leftover),
        # With surplus bytes rawget gives the connection up, whatever the message says: nothing to compare.
        persists=None if leftover or case.method == "HEAD" else answer["reusable"],
        fields=pairs(answer["headers"]),
        trailers=pairs(answer["trailers"]),
    )
