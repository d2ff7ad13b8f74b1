"""What is measured and what measures: the two builds, the peers that are installed, the programs in C made here."""

import os
import re
import shutil
import subprocess
from pathlib import Path

here = Path(__file__).resolve().parent
root = here.parent
peers = ["curl", "wget", "wget2", "aria2c", "axel"]
ordinary, embedded = "rawget", "rawget, Embedded"
builds = {ordinary: "build/rawget", embedded: "build/embedded/rawget"}
openssl = ["-lssl", "-lcrypto"]
programs = {  # source, and what it is linked with
    "instruments/launch.c": ["-static"],
    "instruments/proxy.c": ["-lm"],
    "limits/http.c": [],
    "limits/https.c": openssl,
    "limits/files.c": [],
    "limits/slow.c": openssl,
}


class Missing(Exception):
    """Something without which nothing can be measured."""


class Tools:
    """Where everything is; compiles the C programs into `folder`."""

    def __init__(self, folder: Path):
        search = os.environ.get("PATH", os.defpath) + ":/usr/sbin:/sbin"
        self.peers = [name for name in peers if shutil.which(name, path=search)]
        self.strace = shutil.which("strace", path=search)
        self.valgrind = shutil.which("valgrind", path=search)
        self.nginx = needed("nginx", search)
        self.openssl = needed("openssl", search)
        self.compiler = shutil.which("gcc", path=search) or needed("clang", search)
        self.perf = shutil.which("perf", path=search) and counts_calls()
        self.builds = {name: root / path for name, path in builds.items() if (root / path).exists()}
        self.without_tls = root / "build/embedded/rawget-notls"
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        for source, libraries in programs.items():
            self.compile(source, libraries)

    def compile(self, source, libraries=(), more=()):
        out = self.folder / Path(source).stem
        flags = ["-std=gnu99", "-O2", "-Wall", "-Wextra", "-Werror", "-o", out]
        command = [self.compiler, *flags, *more, here / source, *libraries]
        made = subprocess.run(command, stderr=subprocess.PIPE, text=True)
        if made.returncode != 0:
            raise Missing(f"{source} does not compile:\n{made.stderr}")
        return out

    def program(self, name):
        return self.folder / name

    def versions(self):
        """Name and version of all that took part."""
        commands = {name: [name, "--version"] for name in self.peers}
        commands |= {name: [path, "--version"] for name, path in self.builds.items()}
        commands |= {"nginx": [self.nginx, "-v"], "OpenSSL": [self.openssl, "version"]}
        return {name: version_in(said(command)) for name, command in commands.items()}


def needed(name, search):
    found = shutil.which(name, path=search)
    if not found:
        raise Missing(f"{name} is missing (scripts/setup bench installs it)")
    return found


def said(command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout


def version_in(text):
    match = re.search(r"\d+\.\d+[\w.-]*", text)
    return match.group(0) if match else "?"


def counts_calls():
    """perf may count system calls: the kernel has the tracepoint and the user the right."""
    text = said(["perf", "stat", "-x,", "-e", "raw_syscalls:sys_enter", "true"])
    return bool(re.search(r"^\d+,,raw_syscalls:sys_enter", text, re.MULTILINE))
