"""What is made of many runs: medians, ranges, and ratios that survive a machine whose speed drifts.

A repetition runs every case once, in a new random order; a ratio is formed inside a repetition, and then the median is
taken. Results are a list of runs by case, None where a run failed, with the same index for the same repetition.
"""

import random
import statistics


def interleaved(cases, repetitions, run, seed=1, warm=True):
    """Runs every case `repetitions` times, after once for the caches if `warm`: `run(case, repetition)`, from -1."""
    order = list(cases)
    shuffled = random.Random(seed)
    results = {case: [] for case in order}
    for repetition in range(-1 if warm else 0, repetitions):
        shuffled.shuffle(order)
        for case in order:
            outcome = run(case, repetition)
            if repetition >= 0:
                results[case].append(outcome)
    return results


def values(results, case, name, scale=1.0):
    found = [run.get(name) for run in results.get(case, ()) if run is not None]
    return [value * scale for value in found if value is not None]


def median(numbers):
    numbers = [number for number in numbers if number is not None]
    return statistics.median(numbers) if numbers else None


def ratios(results, case, reference, name):
    """Of a figure to that of another case, one for each repetition that has both."""
    pairs = zip(results.get(case, ()), results.get(reference, ()))
    both = [(run.get(name), other.get(name)) for run, other in pairs if run is not None and other is not None]
    return [mine / theirs for mine, theirs in both if mine is not None and theirs]


def ratio(results, case, reference, name):
    return median(ratios(results, case, reference, name))


def number(value, digits=2):
    return "–" if value is None else f"{value:,.{digits}f}"


def spread(numbers, digits=2):
    """`median [least, most]`, or the one number there is."""
    if not numbers:
        return "–"
    middle = number(statistics.median(numbers), digits)
    if len(numbers) == 1:
        return middle
    return f"{middle} [{number(min(numbers), digits)}, {number(max(numbers), digits)}]"
