#!/usr/bin/env python3
"""Lines about a public interface, sorted so that they differ only where it does.

interface.py swift GRAPH         every public symbol of a symbol graph, as it is declared
interface.py undocumented GRAPH  those without a word; there should be none
interface.py c HEADER            every declaration of a header, comments and layout left out
"""

import json
import re
import sys
from pathlib import Path


def symbols(path):
    """Ours, with their declarations: not what the standard library adds to them."""
    for symbol in json.loads(Path(path).read_text())["symbols"]:
        if "::SYNTHESIZED::" not in symbol["identifier"]["precise"]:
            declared = "".join(piece["spelling"] for piece in symbol["declarationFragments"])
            yield ".".join(symbol["pathComponents"]), symbol["kind"]["identifier"], " ".join(declared.split()), symbol


def swift(path):
    return sorted({f"{name}: {declared}" for name, _, declared, _ in symbols(path)})


def undocumented(path):
    """An operator, and what a protocol derives, need no word of their own."""
    return sorted(
        name
        for name, kind, _, symbol in symbols(path)
        if kind != "swift.func.op" and not symbol.get("docComment") and symbol["pathComponents"][-1] not in {"hash(into:)", "hashValue"}
    )


def c(path):
    text = re.sub(r"/\*.*?\*/", " ", Path(path).read_text(), flags=re.DOTALL)
    text = re.sub(r"^#(?!define RAWGET_(?!H$)).*$", "", text, flags=re.MULTILINE)
    defines = re.findall(r"^#(define .*)$", text, re.MULTILINE)
    text = " ".join(re.sub(r"^#.*$", "", text, flags=re.MULTILINE).split())
    text = text.replace('extern "C" {', "")
    declarations, depth, start = [], 0, 0
    for place, character in enumerate(text):
        depth += {"{": 1, "}": -1}.get(character, 0)
        if character == ";" and depth == 0:
            declarations.append(text[start : place + 1].strip())
            start = place + 1
    return [re.sub(r" +$", "", line) for line in defines] + declarations


if __name__ == "__main__":
    mode, path = sys.argv[1:]
    lines = {"swift": swift, "undocumented": undocumented, "c": c}[mode](path)
    print("\n".join(lines), end="\n" if lines else "")
