#!/usr/bin/env python3
"""Measures rawget beside the peers and the limits: `make bench`, `make bench-full` (Benchmarks/README.md)."""

import argparse
import contextlib
import importlib
import json
import os
import resource
import shutil
import sys
import tempfile
import time
from pathlib import Path

sys.dont_write_bytecode = True

import machine  # noqa: E402
import plot  # noqa: E402
import report  # noqa: E402
from bench import Bench  # noqa: E402
from server import Server  # noqa: E402
from tools import Missing, Tools, root  # noqa: E402

names = ["bulk", "paced", "startup", "files", "flaky", "slow", "heads", "lanes"]  # lanes leaves the network it is in


def options():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--full", action="store_true", help="everything, 20 minutes; else a subset, two")
    parser.add_argument("--only", help="these sections, separated by commas: " + ", ".join(names))
    parser.add_argument("--folder", help="where files are made; a RAM disk unless given")
    parser.add_argument("--write", help="put the report between this Markdown file's markers")
    chosen = parser.parse_args()
    chosen.sections = chosen.only.split(",") if chosen.only else names
    if set(chosen.sections) - set(names) or (chosen.only and chosen.write):
        parser.error("--only takes sections there are, and --write all of them")
    return chosen


def main():
    chosen = options()
    raise_limit_of_files()
    results = root / "build" / "bench"
    try:
        tools = Tools(results / "bin")
        if not tools.builds:
            raise Missing("neither build/rawget nor build/embedded/rawget is there: make build embedded")
        with temporary(chosen.folder) as folder:
            server = Server(tools, folder)
            try:
                return measured(chosen, Bench(tools, folder, server, chosen.full), results)
            finally:
                server.stop()
    except Missing as missing:
        print(f"bench: {missing}", file=sys.stderr)
        return 1


def measured(chosen, bench, results):
    loads = [os.getloadavg()[0]]
    began, sections = time.monotonic(), []
    for name in chosen.sections:
        sections += importlib.import_module(f"sections.{name}").sections(bench)
        print(f"bench: {name} done after {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)
    loads.append(os.getloadavg()[0])
    about = machine.described(bench.tools.versions(), bench.folder, bench.full, loads)
    if bench.failed:
        about += "\nNot counted, because a peer failed: " + "; ".join(bench.failed) + ".\n"
    publish(about, sections, results / "report.md", "")
    (results / "results.json").write_text(json.dumps([vars(section) for section in sections], default=str, indent=1))
    print((results / "report.md").read_text())
    for sentence in report.missed(sections):
        print(f"missed: {sentence}")
    for sentence in bench.failed:
        print(f"a peer failed: {sentence}")
    for sentence in bench.wrong:
        print(f"WRONG: {sentence}")
    if chosen.write and not bench.wrong:
        publish(about, sections, Path(chosen.write), "performance/")
    return 1 if bench.wrong else 0


def publish(about, sections, path, folder):
    """Writes the report, into its place if `path` is there already, and the charts below `folder` beside it."""
    charts = {section.title: folder + report.file_name(section.title) for section in sections if section.bars}
    text = report.markdown(about, sections, charts)
    if folder:
        text = report.between_markers(path.read_text(), text)
        shutil.rmtree(path.parent / folder, ignore_errors=True)
    (path.parent / folder).mkdir(parents=True, exist_ok=True)
    for section in sections:
        if section.bars:
            (path.parent / charts[section.title]).write_text(plot.bars(section.bars_title, section.bars))
    path.write_text(text)


@contextlib.contextmanager
def temporary(folder):
    """A folder of our own, on a RAM disk unless told otherwise, and gone afterwards."""
    memory = "/dev/shm"
    where = folder or (memory if os.access(memory, os.W_OK) else None)
    path = Path(tempfile.mkdtemp(prefix="rawget-bench.", dir=where))
    path.chmod(0o755)  # nginx may work as a user of its own
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


def raise_limit_of_files():
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
