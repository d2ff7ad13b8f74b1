"""What every section needs, and what it hands back."""

import contextlib
import shutil
from dataclasses import dataclass, field

import clients
from measure import Meter
from tools import embedded, ordinary


@dataclass
class Section:
    """What one section found: a table of all its cases, and what the goals ask for."""

    title: str
    columns: list
    rows: list
    note: str = ""
    figures: dict = field(default_factory=dict)  # {goal: {build: figure}}
    limits: dict = field(default_factory=dict)  # {goal: what the limit program has}
    best: dict = field(default_factory=dict)  # {goal: (peer, figure), the best of them}
    bars: list = field(default_factory=list)  # [(case, figure)]
    bars_title: str = ""


class Bench:
    """The tools, the server and the folder of one run; and everything that came out wrong in it."""

    def __init__(self, tools, folder, server, full):
        self.tools, self.folder, self.server, self.full = tools, folder, server, full
        self.meter = Meter(tools.program("launch"), folder, tools)
        self.wrong = []  # sentences: of ours, and of the limits
        self.failed = []  # sentences: of peers, whose rows then stay empty

    def pick(self, subset, full):
        return full if self.full else subset

    def ours(self):
        return [build for build in (ordinary, embedded) if build in self.tools.builds]

    def everybody(self):
        return self.ours() + self.tools.peers

    def fetch(self, case, command, out, source, **options):
        """Runs a command that makes `out` of `source`: None, and a line in `wrong`, unless every byte is right."""
        for path in clients.leftovers(out):
            path.unlink(missing_ok=True)
        run = self.meter.run(command, **options)
        if run.status == 0 and same_bytes(out, source):
            return run
        self.blame(case, f"exit {run.status}, the file is {'right' if same_bytes(out, source) else 'not right'}", run)
        return None

    def fetch_all(self, case, command, folder, sources, **options):
        """The same for a folder of many files; `sources` is the right file by name."""
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        run = self.meter.run(command, **options)
        right = sum(same_bytes(folder / name, source) for name, source in sources.items())
        if run.status == 0 and right == len(sources) == sum(1 for _ in folder.iterdir()):
            return run
        self.blame(case, f"exit {run.status}, {right} of {len(sources)} files are right", run)
        return None

    def blame(self, case, what, run):
        said = run.errors.splitlines()
        told = self.failed if clients.is_peer(case.rpartition(", ")[2]) else self.wrong
        told.append(f"{case}: {what}" + (f" ({said[-1][:120]})" if said else ""))


def same_bytes(path, source):
    with contextlib.suppress(FileNotFoundError):
        if path.stat().st_size != source.stat().st_size:
            return False
        with open(path, "rb") as mine, open(source, "rb") as theirs:
            while piece := mine.read(1 << 20):
                if piece != theirs.read(1 << 20):
                    return False
            return True
    return False
