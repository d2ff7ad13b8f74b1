#!/usr/bin/env python3
"""Compares what rawget and llhttp make of the same responses (run.sh installs llhttp and calls this).

    differential.py [--count N] [--number N] [--plant] DRIVER

Every disagreement must be one of those of disagreements.py, which says who is right and why; any other fails, and is
printed with both outcomes. `--count` is how many mutations are made of the seeds, `--number` chooses other ones,
`--plant` falsifies one answer in a hundred and so must fail.
"""

import argparse
import collections
import sys
from dataclasses import replace

from disagreements import GRANTED, RULES, explain
from mutations import cases
from readers import read_with_llhttp, read_with_rawget

PRINTED = 20  # unexplained disagreements


def plant(outcome, number):
    """A wrong answer, as a fault in the parser would give it."""
    if number % 100 or outcome.refusal is not None:
        return outcome
    return replace(outcome, end=outcome.end + 1)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=30_000)
    parser.add_argument("--number", type=int, default=1)
    parser.add_argument("--plant", action="store_true")
    parser.add_argument("driver")
    arguments = parser.parse_args()

    inputs = list(cases(arguments.count, arguments.number))
    ours = read_with_rawget(arguments.driver, inputs)
    if arguments.plant:
        ours = [plant(outcome, number) for number, outcome in enumerate(ours)]
    explained = collections.Counter()
    counts = collections.Counter()
    for case, own in zip(inputs, ours):
        strict, lenient = read_with_llhttp(case, lenient=False), read_with_llhttp(case, lenient=True)
        if not own.differences(strict):
            counts["accepted alike" if own.refusal is None else "refused by both"] += 1
            continue
        rules, unexplained = explain(case, own, strict, lenient)
        explained.update(rule.name for rule in rules)
        counts["unexplained" if unexplained else "known disagreements"] += 1
        if unexplained and counts["unexplained"] <= PRINTED:
            print(f"UNEXPLAINED: {', '.join(unexplained)} ({case.origin})\n  {case.method} {case.text!r}")
            print(f"  rawget   {own}\n  llhttp   {strict}\n  lenient  {lenient}\n")

    for rule in GRANTED + RULES:
        print(f"{explained[rule.name]:7d}  right: {rule.right:7s} {rule.name}")
    print(f"{len(inputs)} responses:", ", ".join(f"{count} {name}" for name, count in sorted(counts.items())))
    unused = [rule.name for rule in GRANTED + RULES if not explained[rule.name]]
    if unused:
        print("rules that explain nothing: " + "; ".join(unused))
    return 1 if counts["unexplained"] or unused else 0


if __name__ == "__main__":
    sys.exit(main())
