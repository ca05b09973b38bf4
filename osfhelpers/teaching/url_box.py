"""Type two URLs: what does each step make of them, and are they one page?

Live, two fields to type in; a committed notebook and the site show the table of the two URLs
that it starts with. A URL that carries a password is not repeated.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from osfhelpers.drawing.rendering import rows_html, sentence_html
from osfhelpers.engine.urls import STEPS, NotAPage, browser_href, normalise, trace
from osfhelpers.teaching.boxes import LAYOUT, Box

COLUMNS = ("step", "first URL", "second URL")
NUMBER = {True: "One page", False: "Two pages"}


@dataclass(frozen=True, repr=False)
class UrlBox(Box):
    """Two URLs to start with."""

    first: str
    second: str

    css_class = "osf-urls"
    live = "Run this notebook in JupyterLab to get two fields in which you can type URLs of your own."

    def __repr__(self) -> str:
        rows = [" | ".join(row) for row in url_rows(self.first, self.second)]
        return "\n".join([*rows, verdict(self.first, self.second)])

    def fields(self) -> Sequence[Any]:
        """Return a field for each URL."""
        import ipywidgets as widgets

        look = {"style": {"description_width": "6em"}, "layout": LAYOUT}
        return [
            widgets.Text(text, description=name, **look)
            for text, name in zip((self.first, self.second), COLUMNS[1:], strict=True)
        ]

    def verdict_html(self, first: str, second: str) -> str:
        """Return what each step makes of two URLs, and the sentence beneath."""
        return rows_html(COLUMNS, url_rows(first, second)) + sentence_html(verdict(first, second))

    def worked_html(self) -> str:
        """Return the same of the URLs that the box starts with."""
        return self.verdict_html(self.first, self.second)


def url_box(first: str, second: str) -> UrlBox:
    """Return a box for two URLs."""
    return UrlBox(first, second)


def url_rows(first: str, second: str) -> list[tuple[str, str, str]]:
    """Return what each step makes of two URLs; a text that names no page gets the reason instead."""
    columns = [_column(text) for text in (first, second)]
    names = ["as written", *STEPS, "browser href"]
    return [(name, *(column.get(name, "") for column in columns)) for name in names]


def _column(text: str) -> dict[str, str]:
    try:
        became, href = trace(text), browser_href(text)
    except NotAPage as reason:
        return {"as written": str(reason)}
    before = ["", *became.values()]
    shown = {
        name: "unchanged" if url == earlier else url
        for (name, url), earlier in zip(became.items(), before, strict=False)
    }
    return {**shown, "browser href": href}


def verdict(first: str, second: str) -> str:
    """Say in a sentence whether two URLs are one page, by the steps and by their browser hrefs."""
    try:
        hrefs = browser_href(first) == browser_href(second)
        steps = normalise(first) == normalise(second)
    except NotAPage:
        return "No key names both: what names no page is merged with nothing."
    return f"{NUMBER[steps]} by all seven steps, {NUMBER[hrefs].lower()} by browser hrefs."
