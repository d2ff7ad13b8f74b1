"""The machine that was measured on, in the words of a report."""

import os
import platform
import re
import time
from pathlib import Path


def described(versions, folder, full, load):
    """`load` is what ran when the measuring began and when it ended, for one minute, by the kernel's average."""
    model = re.search(r"^model name\s*:\s*(.*)$", text_of("/proc/cpuinfo"), re.MULTILINE)
    memory = re.search(r"^MemTotal:\s*(\d+)", text_of("/proc/meminfo"), re.MULTILINE)
    system = re.search(r'^PRETTY_NAME="(.*)"$', text_of("/etc/os-release"), re.MULTILINE)
    control = text_of("/proc/sys/net/ipv4/tcp_congestion_control").strip()
    rooms = "/".join(text_of("/proc/sys/net/ipv4/tcp_rmem").split())
    names = ", ".join(f"{name} {version}" for name, version in versions.items())
    return (
        f"{time.strftime('%Y-%m-%d %H:%M UTC', time.gmtime())}, {'in full' if full else 'the subset of two minutes'}. "
        f"{os.cpu_count()} cores ({first(model)}), {int(first(memory, '0')) >> 20} GiB, {first(system)}, "
        f"Linux {platform.release().split('-')[0]}, files on {file_system(folder)}, loopback, "
        f"congestion control {control}, tcp_rmem {rooms}. {names}. "
        f"Load {load[0]:.1f} at the beginning, {load[1]:.1f} at the end, the measuring's own included.\n"
    )


def first(match, otherwise="?"):
    return match.group(1) if match else otherwise


def text_of(path):
    try:
        return Path(path).read_text()
    except OSError:
        return ""


def file_system(folder):
    """The kind of file system that holds `folder`."""
    best, kind = "", "?"
    for line in text_of("/proc/mounts").splitlines():
        _, point, its_kind, *_ = line.split()
        if os.path.realpath(folder).startswith(point) and len(point) >= len(best):
            best, kind = point, its_kind
    return kind
