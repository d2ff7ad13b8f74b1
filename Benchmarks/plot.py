"""Bars as SVG, written by hand: a chart is a few rectangles and words."""

from html import escape

width, label, height, gap = 760, 290, 18, 7  # pixels
colours = {"limit": "#8a8f98", "ours": "#1f6feb", "peer": "#c9a227"}


def kind(case):
    return "limit" if case.startswith("limit") else "ours" if case.startswith("rawget") else "peer"


def bars(title, figures):
    """One bar a case, the shortest first; a line at 1, which is what all are compared with."""
    figures = sorted(((case, figure) for case, figure in figures if figure is not None), key=lambda pair: pair[1])
    longest = max((figure for _, figure in figures), default=1.0)
    scale = (width - label - 60) / max(longest, 1.0)
    top = 34
    below = top + len(figures) * (height + gap)
    one = label + scale
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{below + 10}" '
        'font-family="sans-serif" font-size="12">',
        f'<rect width="{width}" height="{below + 10}" fill="#ffffff"/>',
        f'<text x="10" y="20" font-size="14" font-weight="bold">{escape(title)}</text>',
    ]
    for index, (case, figure) in enumerate(figures):
        y = top + index * (height + gap)
        name = case.removeprefix("limit: ")
        lines += [
            f'<text x="{label - 8}" y="{y + 13}" text-anchor="end">{escape(name)}</text>',
            f'<rect x="{label}" y="{y}" width="{figure * scale:.1f}" height="{height}" fill="{colours[kind(case)]}"/>',
            f'<text x="{label + figure * scale + 6:.1f}" y="{y + 13}">{figure:.2f}</text>',
        ]
    lines += [
        f'<line x1="{one:.1f}" y1="{top - 4}" x2="{one:.1f}" y2="{below}" stroke="#000000" stroke-dasharray="3,3"/>',
        "</svg>",
    ]
    return "\n".join(lines) + "\n"
