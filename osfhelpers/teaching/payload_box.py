"""Type a payload, or break one: what do the judges say, and where?

Live, a box to type in; a committed notebook and the site show the worked examples in a table.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from osfhelpers.drawing.rendering import Table, table_html
from osfhelpers.engine.check import check_text
from osfhelpers.engine.json_text import JSONTextError
from osfhelpers.engine.snapshot import tool, tools
from osfhelpers.teaching.boxes import LAYOUT, Box

COLUMNS = ("payload", "judge", "verdict")


@dataclass(frozen=True, repr=False)
class PayloadBox(Box):
    """Payloads of one tool, as JSON texts; the first one stands in the live box at the start."""

    tool: str
    texts: tuple[str, ...]

    css_class = "osf-payload"
    live = "Run this notebook in JupyterLab to get a box in which you can change the payload."

    def __repr__(self) -> str:
        return repr(self._worked())

    def worked_html(self) -> str:
        """Return the payloads with the words of each judge."""
        return self._worked()._repr_html_()

    def _worked(self) -> Table:
        import pandas as pd

        rows = [(text, *row) for text in self.texts for row in judged(self.tool, text)]
        return Table(pd.DataFrame(rows, columns=COLUMNS), f"Arguments of {self.tool}")

    def fields(self) -> Sequence[Any]:
        """Return a choice of the examples, one of the tools, and a text area."""
        import ipywidgets as widgets

        look = {"style": {"description_width": "5em"}, "layout": LAYOUT}
        starts = [(text, number) for number, text in enumerate(self.texts)]
        example = widgets.Dropdown(options=starts, description="example", **look)
        names = widgets.Dropdown(options=list(tools()), value=self.tool, description="tool", **look)
        text = widgets.Textarea(self.texts[0], description="payload", rows=8, **look)

        def start_again(change: Any) -> None:
            names.value, text.value = self.tool, self.texts[change.new]

        example.observe(start_again, names="value")
        return example, names, text

    def verdict_html(self, example: int, name: str, text: str) -> str:
        """Return the words of each judge as a table, whichever example the payload began as."""
        import pandas as pd

        return table_html(pd.DataFrame(judged(name, text), columns=COLUMNS[1:]))


def payload_box(name: str, *texts: str) -> PayloadBox:
    """Return a box for the arguments of a tool, given one JSON text or several to start from.

    Raises:
        UnknownTool: the snapshot has no tool of that name.
        ValueError: no text is given.
    """
    if not texts:
        raise ValueError("payload_box needs at least one JSON text to start from")
    return PayloadBox(tool(name).name, texts)


def judged(name: str, text: str) -> list[tuple[str, str]]:
    """Return each judge with its words on a payload; a text that is no JSON reaches no judge."""
    try:
        verdicts = check_text(name, text).verdicts()
    except JSONTextError as error:
        return [("no judge is asked", str(error))]
    return [(judge, "; ".join(problems) or verdict) for judge, verdict, problems in verdicts]
