"""How does one result reach the reader in JupyterLab, in a committed notebook and on the site?

Three modes, chosen by the environment variable `OSFHELPERS_RENDER`, which kernels inherit:

- "live" (the default): pictures as PNG, explorers as widgets;
- "committed": what is stored in the repository: PNG and plain HTML, no scripts, no widgets;
- "static": HTML figures with real alternative text, explorers with all their states.
"""

import base64
import os
import re
from dataclasses import dataclass
from enum import Enum
from html import escape
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


def table_html(frame: Any, caption: str = "") -> str:
    """Return a pandas table as plain HTML: words to the left, numbers to the right, nothing cut.

    Runs of equal values in the first column become one cell.
    """
    flat = frame.reset_index() if frame.index.names[0] else frame
    rows = [[_cell_text(value) for value in row] for row in flat.itertuples(index=False)]
    head = "".join(f'<th scope="col">{escape(str(name))}</th>' for name in flat.columns)
    body = []
    for number, row in enumerate(rows):
        cells = [_cell_html(text) for text in row[1:]]
        if number == 0 or rows[number - 1][0] != row[0] or len(row) < 3:
            after = (n for n in range(number, len(rows)) if rows[n][0] != row[0])
            span = next(after, len(rows)) - number if len(row) > 2 else 1
            cells.insert(0, f'<th scope="rowgroup" rowspan="{span}" style="{LEFT}">{escape(row[0])}</th>')
        body.append(f"<tr>{''.join(cells)}</tr>")
    title = f"<caption>{escape(caption)}</caption>" if caption else ""
    return (
        f'<div class="osf-table"><table>{title}<thead><tr>{head}</tr></thead>'
        f"<tbody>{''.join(body)}</tbody></table></div>"
    )


LEFT, RIGHT = "text-align: left", "text-align: right; white-space: nowrap"
NUMBER = re.compile(r"[-+−]?[\d.,]+%?( ?[/±(].*)?")


def _cell_html(text: str) -> str:
    return f'<td style="{RIGHT if NUMBER.fullmatch(text) else LEFT}">{escape(text)}</td>'


def _cell_text(value: Any) -> str:
    return "" if value is None else str(value)


@dataclass(frozen=True)
class Table:
    """A pandas table that reads well in a notebook, on the site and in a terminal."""

    frame: Any
    caption: str = ""

    def __repr__(self) -> str:
        return self.frame.to_string()

    def _repr_html_(self) -> str:
        return table_html(self.frame, self.caption)


def sentence_html(sentence: str) -> str:
    """Return a sentence as it stands beneath a picture."""
    return f'<p class="osf-say"><strong>{escape(sentence)}</strong></p>'


def data_uri(png: bytes, kind: str = "image/png") -> str:
    """Return a picture as a `data:` address, so that the page needs no second file."""
    return f"data:{kind};base64,{base64.b64encode(png).decode()}"
