"""Draw the picture of docs/architecture.md from its table, so that the two cannot differ."""

import re
import textwrap
from html import escape

WIDTH, BAND, TEXT_LEFT, ARROW_X = 400, 356, 42, 372
LINE, PADDING, GAP = 19, 10, 7
# As wide as a phone, so that nothing of it is cut.
CHARACTERS_PER_LINE = 40

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
    bands, y = [], 0
    for number, names, what in rows(page):
        # The table beneath the picture says the rest.
        in_short = re.split("[:;]", what.replace("`", ""))[0]
        said = textwrap.wrap(in_short, CHARACTERS_PER_LINE)
        listed = textwrap.wrap(", ".join(names), CHARACTERS_PER_LINE - 4)
        height = LINE * (len(listed) + len(said)) + 2 * PADDING
        kind = "engine" if number == "1" else "row"
        bar = "engine-bar" if number == "1" else "bar"
        bands.append(f'<rect class="{kind}" y="{y}" width="{BAND}" height="{height}" rx="6"/>')
        bands.append(f'<rect class="{bar}" y="{y}" width="6" height="{height}" rx="2"/>')
        bands.append(_line(18, y + PADDING + 14, number, "faint"))
        lines = [(text, "name") for text in listed] + [(text, "") for text in said]
        for at, (text, look) in enumerate(lines):
            bands.append(_line(TEXT_LEFT, y + PADDING + 14 + LINE * at, text, look))
        y += height + GAP
    bottom = y - GAP
    arrow = (
        f'<path class="arrow" d="M{ARROW_X} {bottom} V2 m-6 10 l6 -10 l6 10"/>'
        f'<text class="faint" transform="translate({ARROW_X + 20} {bottom // 2}) rotate(-90)" '
        'text-anchor="middle">imports go upwards only</text>'
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {bottom}" width="{WIDTH}" '
        f'height="{bottom}" role="img"><title>The rows of the house</title><style>{STYLE}</style>\n'
        f'<rect class="card" width="{WIDTH}" height="{bottom}" rx="8"/>\n'
        + "\n".join([*bands, arrow])
        + "\n</svg>\n"
    )


def _line(x: int, y: int, text: str, look: str) -> str:
    return f'<text class="{look}" x="{x}" y="{y}">{escape(text)}</text>'
