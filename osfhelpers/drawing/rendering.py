"""How does one result reach the reader in JupyterLab, in a committed notebook and on the site?

Three modes, chosen by the environment variable `OSFHELPERS_RENDER`, which kernels inherit:

- "live" (the default): pictures as PNG, explorers as widgets;
- "committed": what is stored in the repository: PNG and plain HTML, no scripts, no widgets;
- "static": HTML figures with real alternative text, explorers with all their states.
"""

import base64
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from html import escape
from itertools import takewhile
from typing import Any

VARIABLE = "OSFHELPERS_RENDER"


class Mode(Enum):
    """Where the outputs of a notebook will be read."""

    LIVE = "live"
    COMMITTED = "committed"
    STATIC = "static"


def mode() -> Mode:
    """Return the mode of this process.

    Raises:
        ValueError: the environment variable holds an unknown mode.
    """
    value = os.environ.get(VARIABLE, Mode.LIVE.value)
    try:
        return Mode(value)
    except ValueError:
        known = ", ".join(mode.value for mode in Mode)
        raise ValueError(f"{VARIABLE} must be one of {known}, but it is {value!r}") from None


@dataclass(frozen=True)
class HTML:
    """A piece of HTML with its plain-text form for readers without it."""

    html: str
    text: str

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return self.html


@dataclass(frozen=True)
class Picture:
    """A drawn result: the picture, its size on the page, and the sentence that says the same."""

    png: bytes
    sentence: str
    width_px: int
    height_px: int

    def __repr__(self) -> str:
        return self.sentence

    def figure_html(self) -> str:
        """Return the picture as an HTML figure whose alternative text is the sentence."""
        return (
            f'<figure class="osf-figure"><img src="{data_uri(self.png)}" width="{self.width_px}" '
            f'height="{self.height_px}" alt="{escape(self.sentence)}"></figure>'
        )

    def png_bundle(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the picture as a notebook output: data and metadata."""
        data = {"image/png": base64.b64encode(self.png).decode(), "text/plain": self.sentence}
        return data, {"image/png": {"alt": self.sentence, "width": self.width_px}}

    def _ipython_display_(self) -> None:
        from IPython.display import display

        if mode() is Mode.STATIC:
            html = self.figure_html() + sentence_html(self.sentence)
            display({"text/html": html, "text/plain": self.sentence}, raw=True)
            return
        data, metadata = self.png_bundle()
        display(data, metadata=metadata, raw=True)
        display(HTML(sentence_html(self.sentence), self.sentence))


def box(kind: str, content: str) -> str:
    """Return one of the boxes of a chapter: a phrase, a guess, an exercise or a ledger row.

    The look stands in the element, since JupyterLab and code hosts know no stylesheet of ours.
    """
    style = f"border-left: 5px solid {BOXES[kind]}; padding: 0.4em 1em; margin: 0.6em 0"
    return f'<aside class="osf-{kind}" style="{style}">{content}</aside>'


def table_html(frame: Any, caption: str = "") -> str:
    """Return a pandas table as plain HTML; see `rows_html`."""
    flat = frame.reset_index() if frame.index.names[0] else frame
    return rows_html(list(flat.columns), list(flat.itertuples(index=False)), caption)


def rows_html(columns: Sequence[Any], rows: Sequence[Sequence[Any]], caption: str = "") -> str:
    """Return rows as an HTML table: words to the left, numbers to the right, nothing cut.

    The first column names the rows, and its runs of equal values become one cell.
    """
    texts = [["" if value is None else str(value) for value in row] for row in rows]
    sides = [
        RIGHT if place and all(NUMBER.fullmatch(text) for text in column) else LEFT
        for place, column in enumerate(zip(*texts, strict=True))
    ]
    head = "".join(
        f'<th scope="col" style="{side}">{escape(str(name))}</th>'
        for name, side in zip(columns, sides, strict=False)
    )
    body = []
    for number, row in enumerate(texts):
        cells = [
            f'<td style="{side}">{escape(text)}</td>' for text, side in zip(row[1:], sides[1:], strict=True)
        ]
        first = row[0]
        if number == 0 or texts[number - 1][0] != first:
            span = len(list(takewhile(lambda later: later[0] == first, texts[number:])))  # noqa: B023
            cells.insert(0, f'<th scope="rowgroup" rowspan="{span}" style="{LEFT}">{escape(first)}</th>')
        body.append(f"<tr>{''.join(cells)}</tr>")
    title = f"<caption>{escape(caption)}</caption>" if caption else ""
    return (
        f'<div class="osf-table"><table>{title}<thead><tr>{head}</tr></thead>'
        f"<tbody>{''.join(body)}</tbody></table></div>"
    )


BOXES = {"phrase": "#d55e00", "guess": "#0072b2", "exercise": "#009e73", "ledger": "#6b6b6b"}
LEFT, RIGHT = (
    "text-align: left; vertical-align: top",
    "text-align: right; white-space: nowrap; vertical-align: top",
)
NUMBER = re.compile(r"([-+−]?[\d.,]+%?( ?[/±(].*)?)?")


@dataclass(frozen=True)
class Table:
    """A pandas table that reads well in a notebook, on the site and in a terminal."""

    frame: Any
    caption: str = ""

    def __repr__(self) -> str:
        return self.frame.to_string()

    def _repr_html_(self) -> str:
        return table_html(self.frame, self.caption)


def counted(number: int, noun: str) -> str:
    """Return a number with its noun, such as "1 call" or "13 calls"."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


@dataclass(frozen=True)
class Listing:
    """Code or another text that is shown as it stands; a title is its first line, as a comment."""

    text: str
    language: str
    title: str = ""

    def __repr__(self) -> str:
        return self.text

    def _repr_markdown_(self) -> str:
        title = f"# {self.title}\n" if self.title else ""
        return f"```{self.language}\n{title}{self.text}\n```"


def sentence_html(sentence: str) -> str:
    """Return a sentence as it stands beneath a picture."""
    return f'<p class="osf-say">{escape(sentence)}</p>'


def data_uri(png: bytes, kind: str = "image/png") -> str:
    """Return a picture as a `data:` address, so that the page needs no second file."""
    return f"data:{kind};base64,{base64.b64encode(png).decode()}"
