"""What do the boxes to type in have in common? Fields, and beneath them the verdict on their values.

Live, every change is judged; a committed notebook and the site show worked examples, and say
how to get the box.
"""

from collections.abc import Sequence
from typing import Any, ClassVar

from osfhelpers.drawing.rendering import HTML, Mode, mode
from osfhelpers.teaching.live import errors_shown_in

LAYOUT = {"width": "44em", "max_width": "100%"}


class Box:
    """A box to type in; a kind of box adds its fields, their verdict and the worked examples."""

    css_class: ClassVar[str]
    live: ClassVar[str]  # what says how to get the box, where there is no kernel

    def _ipython_display_(self) -> None:
        from IPython.display import display

        if mode() is Mode.LIVE:
            display(self.widget())
            return
        display(HTML(f"{self.worked_html()}<p>{self.live}</p>", repr(self)))

    def widget(self) -> Any:
        """Return the live form: the fields and the verdict, which follows each of them."""
        import ipywidgets as widgets

        fields, verdict = self.fields(), widgets.HTML()

        def judge(change: Any = None) -> None:
            with errors_shown_in(verdict):
                verdict.value = self.verdict_html(*(field.value for field in fields))

        for field in fields:
            field.observe(judge, names="value")
        judge()
        box = widgets.VBox([*fields, verdict])
        box.add_class(self.css_class)
        return box

    def fields(self) -> Sequence[Any]:
        """Return the widgets to type in, or to choose with, at their start values."""
        raise NotImplementedError

    def verdict_html(self, *values: Any) -> str:
        """Return the verdict on the values of the fields."""
        raise NotImplementedError

    def worked_html(self) -> str:
        """Return the verdicts on the start values, for readers without a kernel."""
        raise NotImplementedError
