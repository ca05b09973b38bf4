"""Draw the picture of docs/architecture.md from its table, so that the two cannot differ."""

import re
import textwrap
from html import escape

WIDTH, LEFT, TEXT_LEFT, ARROW_X = 720, 16, 208, 688
LINE, PADDING, GAP = 19, 13, 8
CHARACTERS_PER_LINE = 56

# The picture brings its own card, so that it can be read in either theme.
STYLE = """
  .card { fill: #fffdf8 } .row { fill: #f1ebdd } .engine { fill: #cfeee3 } .bar { fill: #b9ab8c }
  .engine-bar { fill: #009e73 } text { fill: #1b1b1b; font: 14px 'DejaVu Sans', Verdana, sans-serif }
  .name { font: bold 14px 'DejaVu Sans Mono', Consolas, monospace } .faint { fill: #5c5c5c }
  .arrow { stroke: #5c5c5c; fill: none; stroke-width: 2 }
  @media (prefers-color-scheme: dark) {
    .card { fill: #17191c } .row { fill: #262a2f } .engine { fill: #12382d } .bar { fill: #6b6353 }
    text { fill: #ececec } .faint { fill: #b4b4b4 } .arrow { stroke: #b4b4b4 }
  }
"""


def rows(page: str) -> list[tuple[str, list[str], str]]:
    """Return number, names and description of each row of the table."""
    found = re.findall(r"^\| (\d+) \| (.*?) \| (.*?) \|$", page, re.MULTILINE)
    return [(number, re.findall(r"`([^`]+)`", names), what) for number, names, what in found]


def svg(page: str) -> str:
    """Return the house as SVG: a band per row, from the engine down, and the one way of imports."""
    bands, y = [], LEFT
    for number, names, what in rows(page):
        said = textwrap.wrap(what.replace("`", ""), CHARACTERS_PER_LINE)
        height = LINE * max(len(said), len(names)) + 2 * PADDING
        kind = "engine" if number == "1" else "row"
        bar = "engine-bar" if number == "1" else "bar"
        bands.append(f'<rect class="{kind}" x="{LEFT}" y="{y}" width="640" height="{height}" rx="6"/>')
        bands.append(f'<rect class="{bar}" x="{LEFT}" y="{y}" width="6" height="{height}" rx="2"/>')
        bands.append(_line(LEFT + 18, y + PADDING + 14, number, "faint"))
        for at, text in enumerate(names):
            bands.append(_line(LEFT + 42, y + PADDING + 14 + LINE * at, text, "name"))
        for at, text in enumerate(said):
            bands.append(_line(TEXT_LEFT, y + PADDING + 14 + LINE * at, text, ""))
        y += height + GAP
    bottom = y - GAP
    arrow = (
        f'<path class="arrow" d="M{ARROW_X - 12} {bottom} V{LEFT + 4} m-6 10 l6 -10 l6 10"/>'
        f'<text class="faint" transform="translate({ARROW_X + 10} {(LEFT + bottom) // 2}) rotate(-90)" '
        'text-anchor="middle">imports go upwards only</text>'
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {bottom + LEFT}" width="{WIDTH}" '
        f'height="{bottom + LEFT}" role="img"><title>The rows of the house</title><style>{STYLE}</style>\n'
        f'<rect class="card" width="{WIDTH}" height="{bottom + LEFT}" rx="8"/>\n'
        + "\n".join([*bands, arrow])
        + "\n</svg>\n"
    )


def _line(x: int, y: int, text: str, kind: str) -> str:
    return f'<text class="{kind}" x="{x}" y="{y}">{escape(text)}</text>'
