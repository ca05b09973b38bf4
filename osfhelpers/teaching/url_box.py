"""Type two URLs: what does each step make of them, and are they one page?

Live, two fields to type in; a committed notebook and the site show the table of the two URLs
that it starts with. A URL that carries a password is not repeated.
"""

from dataclasses import dataclass
from typing import Any

from osfhelpers.drawing.rendering import HTML, Mode, mode, rows_html, sentence_html
from osfhelpers.engine.urls import STEPS, NotAPage, browser_href, normalise, trace
from osfhelpers.teaching.live import errors_shown_in

LIVE = "Run this notebook in JupyterLab to get two fields in which you can type URLs of your own."
COLUMNS = ("step", "first URL", "second URL")
NUMBER = {True: "One page", False: "Two pages"}


@dataclass(frozen=True)
class UrlBox:
    """Two URLs to start with."""

    first: str
    second: str

    def __repr__(self) -> str:
        rows = [" | ".join(row) for row in url_rows(self.first, self.second)]
        return "\n".join([*rows, verdict(self.first, self.second)])

    def _ipython_display_(self) -> None:
        from IPython.display import display

        if mode() is Mode.LIVE:
            display(self.widget())
            return
        display(HTML(f"{_html(self.first, self.second)}<p>{LIVE}</p>", repr(self)))

    def widget(self) -> Any:
        """Return the live form: two fields, and the table of what becomes of them."""
        import ipywidgets as widgets

        look = {"style": {"description_width": "6em"}, "layout": {"width": "44em", "max_width": "100%"}}
        fields = [
            widgets.Text(text, description=name, **look)
            for text, name in zip((self.first, self.second), COLUMNS[1:], strict=True)
        ]
        table = widgets.HTML()

        def judge(change: Any = None) -> None:
            with errors_shown_in(table):
                table.value = _html(*(field.value for field in fields))

        for field in fields:
            field.observe(judge, names="value")
        judge()
        box = widgets.VBox([*fields, table])
        box.add_class("osf-urls")
        return box


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


def _html(first: str, second: str) -> str:
    return rows_html(COLUMNS, url_rows(first, second)) + sentence_html(verdict(first, second))
