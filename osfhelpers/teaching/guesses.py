"""What did the reader expect before seeing the numbers?

A guess is a question with a few answers to choose from. Live, choosing one reveals the
computed answer and stores the choice in `guesses.json` in the working directory, for the last
chapter; it is sent nowhere. Without a kernel the answer is folded.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from osfhelpers.drawing.rendering import HTML, Mode, box, mode
from osfhelpers.teaching.exercises import chapter

FILE = "guesses.json"


class GuessFileError(Exception):
    """The file of guesses cannot be read or written."""


@dataclass(frozen=True)
class Guess:
    """A question to commit to before the numbers are shown.

    Args:
        answer: computes the answer; `because` explains it in a sentence.
    """

    number: str
    question: str
    options: tuple[float, ...]
    unit: str
    answer: Callable[[], float]
    because: str

    def reveal(self, chosen: float | None = None) -> str:
        """Return the computed answer, and how far off a choice was."""
        answer = f"It is {self.answer():,.4g} {self.unit}. {self.because}"
        if chosen is None:
            return answer
        return f"You said {chosen:,.4g} {self.unit}. {answer}"

    def __repr__(self) -> str:
        return f"Guess: {self.question}"

    def _ipython_display_(self) -> None:
        from IPython.display import display

        if mode() is Mode.LIVE:
            display(self._widget())
            return
        options = ", ".join(f"{option:,.4g}" for option in self.options)
        html = box(
            "guess",
            f"<p><strong>Guess first.</strong> {escape(self.question)}</p>"
            f"<p>{escape(options)} {escape(self.unit)}?</p>"
            f"<details><summary>Show the answer</summary><p>{escape(self.reveal())}</p></details>",
        )
        display(HTML(html, repr(self)))

    def _widget(self) -> Any:
        import ipywidgets as widgets

        choices = widgets.ToggleButtons(
            options=[(f"{option:,.4g}", option) for option in self.options], value=None
        )
        answer = widgets.HTML()

        def reveal(change: Any) -> None:
            told = f"<p><strong>{escape(self.reveal(change.new))}</strong></p>"
            try:
                remember(self.number, change.new)
            except GuessFileError as error:
                told += f"<p>{escape(str(error))}</p>"
            answer.value = told

        choices.observe(reveal, names="value")
        question = widgets.HTML(f"<p><strong>Guess first.</strong> {escape(self.question)}</p>")
        return widgets.VBox([question, choices, answer])


def guess(number: str) -> Guess:
    """Return the guess of a chapter, such as "04"."""
    return chapter(number).GUESS


def remembered(folder: Path | None = None) -> dict[str, float]:
    """Return the guesses stored in a folder, by chapter; by default the working directory."""
    path = (folder or Path.cwd()) / FILE
    if not path.exists():
        return {}
    try:
        stored = json.loads(path.read_text(encoding="utf-8"))
        return {str(number): float(value) for number, value in stored.items()}
    except (OSError, ValueError, AttributeError, TypeError) as error:
        raise GuessFileError(f"{path} holds no guesses ({error}); delete it to start again") from error


def remember(number: str, value: float, folder: Path | None = None) -> None:
    """Store one guess beside those already there; a file that is not ours is left alone."""
    path = (folder or Path.cwd()) / FILE
    stored = {**remembered(folder), number: value}
    try:
        path.write_text(json.dumps(stored, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    except OSError as error:
        raise GuessFileError(f"your guess could not be stored in {path}: {error}") from error
