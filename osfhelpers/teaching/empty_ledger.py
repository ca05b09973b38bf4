"""How much damage does each phrase prevent? The ledger before any row is filled.

The reader gives one guess per phrase. Live, a choice is stored in `guesses.json` in the working
directory, for the last chapter, and is sent nowhere; without a kernel the rows are a table to
fill in on paper. The computed values stand at the end of each chapter, and not here.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from osfhelpers.drawing.rendering import HTML, Mode, box, mode, rows_html
from osfhelpers.teaching.guesses import FILE, GuessFileError, remember, remembered

CHOICES = (0, 2, 10, 25, 50, 100, 1000)
QUESTION = "Wrong outcomes per 100 sessions without the phrase?"
LIVE = "Run this notebook in JupyterLab to choose with buttons, or write your guesses down."


@dataclass(frozen=True)
class Asked:
    """One row to guess: the words of a chapter's ledger row."""

    chapter: str
    phrase: str
    wrong: str

    @property
    def name(self) -> str:
        """Under which name the guess is stored."""
        return f"ledger {self.chapter}"


@dataclass(frozen=True)
class EmptyLedger:
    """The rows of the ledger, as questions."""

    rows: Sequence[Asked]

    def __repr__(self) -> str:
        return "\n".join(f"{row.chapter}  {row.phrase}: {row.wrong}" for row in self.rows)

    def _ipython_display_(self) -> None:
        from IPython.display import display

        if mode() is Mode.LIVE:
            display(self.widget())
            return
        columns = ("chapter and phrase", "what counts as wrong")
        rows = [(f"{row.chapter} · {row.phrase}", row.wrong) for row in self.rows]
        choices = ", ".join(f"{choice:,}" for choice in CHOICES)
        words = f"<p><strong>Guess first.</strong> {QUESTION} {choices}? {LIVE}</p>"
        display(HTML(box("guess", words + rows_html(columns, rows)), repr(self)))

    def widget(self) -> Any:
        """Return the live form: a row of buttons per phrase, at the guesses that are stored already."""
        import ipywidgets as widgets

        told = widgets.HTML()
        try:
            stored = remembered()
        except GuessFileError as error:
            stored, told.value = {}, f"<p>{escape(str(error))}</p>"
        forms = [widgets.HTML(f"<p><strong>Guess first.</strong> {QUESTION}</p>")]
        for row in self.rows:
            words = f"<strong>{row.chapter}</strong> <s>{escape(row.phrase)}</s>: {escape(row.wrong)}"
            options = [(f"{choice:,}", choice) for choice in CHOICES]
            known = stored.get(row.name)
            buttons = widgets.ToggleButtons(options=options, value=known if known in CHOICES else None)
            buttons.style.button_width = "4.5em"
            buttons.observe(lambda change, row=row: self._keep(row, change.new, told), names="value")
            forms += [widgets.HTML(words), buttons]
        return widgets.VBox([*forms, told])

    def _keep(self, row: Asked, choice: float, told: Any) -> None:
        try:
            remember(row.name, choice)
            kept = len({asked.name for asked in self.rows} & set(remembered()))
            told.value = f"<p>{kept} of {len(self.rows)} guesses are kept in {FILE}, and sent nowhere.</p>"
        except GuessFileError as error:
            told.value = f"<p>{escape(str(error))}</p>"
