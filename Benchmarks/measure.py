"""One process, measured: CPU and peak memory by the kernel's accounting, system calls, instructions.

A count never comes from the run that is timed: counting slows a program down, and a slower program is woken less often.
"""

import itertools
import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

by_perf = r"^(\d+),,raw_syscalls"
by_strace = r"^100\.00 +[\d.]+ +\d+ +(\d+)( +\d+)? +total$"  # share, seconds, microseconds each, calls, errors


@dataclass
class Run:
    """What the kernel says of a process and the children it waited for."""

    wall: float = 0.0  # seconds
    user: float = 0.0  # seconds
    system: float = 0.0  # seconds
    peak: int = 0  # KiB
    waits: int = 0
    status: int = 0  # 128 + signal when killed
    errors: str = ""
    more: dict = field(default_factory=dict)  # what a section adds, by name

    @property
    def cpu(self):
        return self.user + self.system

    def get(self, name):
        """A figure by its name: ours or a section's; None where there is none."""
        value = self.more.get(name)
        return getattr(self, name, None) if value is None else value


class Meter:
    """Starts commands through the launcher, in `folder`, with an environment that is nobody's."""

    def __init__(self, launcher: Path, folder: Path, tools):
        self.launcher, self.folder, self.tools = launcher, folder, tools
        self.serial = itertools.count()
        (folder / "home").mkdir()
        self.environment = {
            "PATH": "/usr/local/bin:/usr/bin:/bin",
            "HOME": str(folder / "home"),
            "LC_ALL": "C",
        }

    def run(self, command, limit=120, environment=None):
        """Runs `command` for at most `limit` seconds. Where it could not even be launched, the status is not 0."""
        said = self.folder / f"stderr{next(self.serial)}"  # one each: runs may be at once
        with open(said, "wb") as errors:
            line = subprocess.run(
                [self.launcher, str(int(limit)), *map(str, command)],
                stdout=subprocess.PIPE,
                stderr=errors,
                env={**self.environment, **(environment or {})},
                cwd=self.folder,
            ).stdout.split()
        text = said.read_text(errors="replace").strip()
        said.unlink()
        if len(line) != 6:
            return Run(status=126, errors=text)
        wall, user, system = map(float, line[:3])
        peak, waits, status = map(int, line[3:])
        return Run(wall, user, system, peak, waits, status, text)

    def calls(self, command, limit=300, environment=None):
        """System calls of one run: by the kernel's tracepoint at full speed, or by strace where perf may not."""
        out = self.folder / "calls"
        out.unlink(missing_ok=True)
        if self.tools.perf:
            with_perf = ["perf", "stat", "-x,", "-o", out, "-e", "raw_syscalls:sys_enter", "--"]
            self.run([*with_perf, *command], limit, environment)
            return first_number(by_perf, out)
        if self.tools.strace:
            self.run(["strace", "-f", "-c", "-o", out, *command], limit, environment)
            return first_number(by_strace, out)
        return None

    def instructions(self, command, limit=300, environment=None):
        """Instructions of one run in user space, as callgrind executes it; the same under any load."""
        if not self.tools.valgrind:
            return None
        out = self.folder / "callgrind"
        out.unlink(missing_ok=True)
        quiet = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", f"--log-file={out}"]
        self.run([*quiet, *command], limit, environment)
        return first_number(r"Collected : (\d+)", out)


def first_number(pattern, path):
    if not path.exists():
        return None
    match = re.search(pattern, path.read_text(errors="replace"), re.MULTILINE)
    return int(match.group(1)) if match else None
