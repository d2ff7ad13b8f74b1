"""What was found, as Markdown: the goals first, then every section; and where it stands in docs/PERFORMANCE.md."""

import re

from figures import number
from goals import goals
from tools import embedded, ordinary

begin, finish = "<!-- measured: begin -->", "<!-- measured: end -->"


def table(columns, rows):
    lines = ["| " + " | ".join(columns) + " |", "|" + "---|" * len(columns)]
    return "\n".join(lines + ["| " + " | ".join(map(str, row)) + " |" for row in rows]) + "\n"


def gathered(sections):
    """The figures of all sections: {goal: {build: figure}}. Of two for one goal, the worse counts."""
    figures = {}
    at_least = {goal.name for goal in goals if goal.at_least}
    for section in sections:
        for name, found in section.figures.items():
            mine = figures.setdefault(name, {})
            for build, figure in found.items():
                if figure is not None:
                    worse = min if name in at_least else max
                    mine[build] = worse(mine.get(build, figure), figure)
    return figures


def cell(goal, build, figures):
    figure = figures.get(goal.name, {}).get(build)
    if figure is None or build not in goal.bounds:
        return "–"
    text = number(figure, goal.digits)
    return text if goal.is_met(build, figure) else f"**{text}** missed"


def asked(goal):
    sign = "≥" if goal.at_least else "≤"
    return sign + " " + " / ".join(dict.fromkeys(number(bound, goal.digits) for bound in goal.bounds.values()))


def goals_table(sections):
    figures, limits, best = gathered(sections), {}, {}
    for section in reversed(sections):
        limits |= section.limits
        best |= section.best
    rows = []
    for goal in goals:
        if goal.name not in figures:
            continue
        peer = best.get(goal.name)
        rows.append(
            [
                goal.measure,
                asked(goal),
                cell(goal, ordinary, figures),
                cell(goal, embedded, figures),
                number(limits.get(goal.name), goal.digits),
                f"{peer[0]} {number(peer[1], goal.digits)}" if peer else "–",
            ]
        )
    return table(["", "goal", "ordinary", "Embedded", "the limit", "best peer"], rows)


def missed(sections):
    figures = gathered(sections)
    return [
        f"{goal.measure}: {build} {number(figures[goal.name][build], goal.digits)}, goal {asked(goal)}"
        for goal in goals
        for build in goal.bounds
        if figures.get(goal.name, {}).get(build) is not None and not goal.is_met(build, figures[goal.name][build])
    ]


def markdown(about, sections, charts):
    """`charts` is the path of each section's chart, by title, as the text links to it."""
    parts = [about, goals_table(sections)]
    for section in sections:
        parts.append(f"### {section.title}\n")
        if section.note:
            parts.append(section.note + "\n")
        parts.append(table(section.columns, section.rows))
        if section.title in charts:
            parts.append(f"![{section.bars_title}]({charts[section.title]})\n")
    return "\n".join(parts)


def between_markers(text, measured):
    """`text` with what stands between its markers replaced; what is around them is written by hand."""
    place = re.compile(re.escape(begin) + ".*?" + re.escape(finish), re.DOTALL)
    if len(place.findall(text)) != 1:
        raise ValueError(f"not one {begin} with a {finish} after it")
    return place.sub(lambda _: f"{begin}\n\n{measured}\n{finish}", text)


def file_name(title):
    return re.sub(r"[^a-z0-9]+", "-", title.lower().replace(",", "").replace("'", "")).strip("-") + ".svg"
