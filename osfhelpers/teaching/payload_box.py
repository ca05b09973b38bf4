"""Type a payload, or break one: what do the judges say, and where?

Live, a box to type in; a committed notebook and the site show the worked examples in a table.
"""

from dataclasses import dataclass
from typing import Any

from osfhelpers.drawing.rendering import HTML, Mode, Table, mode, table_html
from osfhelpers.engine.check import check_text
from osfhelpers.engine.json_text import JSONTextError
from osfhelpers.engine.snapshot import tool, tools
from osfhelpers.teaching.live import errors_shown_in

LIVE = "<p>Run this notebook in JupyterLab to get a box in which you can change the payload.</p>"
COLUMNS = ("payload", "judge", "verdict")


@dataclass(frozen=True)
class PayloadBox:
    """Payloads of one tool, as JSON texts; the first one stands in the live box at the start."""

    tool: str
    texts: tuple[str, ...]

    def _ipython_display_(self) -> None:
        from IPython.display import display

        if mode() is Mode.LIVE:
            display(self.widget())
            return
        import pandas as pd

        rows = [(text, *row) for text in self.texts for row in judged(self.tool, text)]
        table = Table(pd.DataFrame(rows, columns=COLUMNS), f"Arguments of {self.tool}")
        display(HTML(table._repr_html_() + LIVE, repr(table)))

    def widget(self) -> Any:
        """Return the live form: an example to start from, a tool, a text, and the verdicts."""
        import ipywidgets as widgets

        look = {"style": {"description_width": "5em"}, "layout": {"width": "44em", "max_width": "100%"}}
        starts = [(text, number) for number, text in enumerate(self.texts)]
        example = widgets.Dropdown(options=starts, description="example", **look)
        names = widgets.Dropdown(options=list(tools()), value=self.tool, description="tool", **look)
        text = widgets.Textarea(self.texts[0], description="payload", rows=8, **look)
        verdict = widgets.HTML()

        def judge(change: Any = None) -> None:
            with errors_shown_in(verdict):
                verdict.value = verdict_html(names.value, text.value)

        def start_again(change: Any) -> None:
            names.value, text.value = self.tool, self.texts[change.new]

        for knob, react in ((names, judge), (text, judge), (example, start_again)):
            knob.observe(react, names="value")
        judge()
        box = widgets.VBox([example, names, text, verdict])
        box.add_class("osf-payload")
        return box


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


def verdict_html(name: str, text: str) -> str:
    """Return the verdicts on a payload as a table, one row for each judge."""
    import pandas as pd

    return table_html(pd.DataFrame(judged(name, text), columns=COLUMNS[1:]))
