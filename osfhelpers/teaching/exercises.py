"""Is this answer right, and if not, why not?

An exercise shows its task with folded hints and a folded solution, which open without a
kernel, and judges an answer when one is given. A wrong answer is told its reason: each
exercise names the misconceptions that it expects, and a test holds that each is rejected.
"""

import functools
import importlib
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from html import escape
from numbers import Real
from typing import Any

from osfhelpers.drawing.rendering import HTML, box


class State(Enum):
    """Where a reader stands with an exercise."""

    NOT_ATTEMPTED = "not attempted yet"
    WRONG = "not right yet"
    RIGHT = "right"


COLOURS = {State.NOT_ATTEMPTED: "#56b4e9", State.WRONG: "#d55e00", State.RIGHT: "#009e73"}


@dataclass(frozen=True)
class Verdict:
    """What a check found, with the reason."""

    state: State
    reason: str = ""

    def __repr__(self) -> str:
        return f"{self.state.value}: {self.reason}" if self.reason else self.state.value

    def _repr_html_(self) -> str:
        colon = ": " if self.reason else ""
        return (
            f'<p class="osf-verdict" role="status" style="border-left: 5px solid {COLOURS[self.state]}; '
            'padding-left: 1em">'
            f"<strong>{self.state.value}</strong>{colon}{escape(self.reason)}</p>"
        )


NOTHING_YET = Verdict(State.NOT_ATTEMPTED, "replace the ... by your answer and run the cell again")


class NotAttempted(Exception):
    """The reader's function still returns the ellipsis that it came with."""


def _attempted(answer: Any) -> Any:
    # A function that was not filled in yet is no wrong answer.
    if not inspect.isfunction(answer):
        return answer

    @functools.wraps(answer)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        returned = answer(*args, **kwargs)
        if returned is ...:
            raise NotAttempted
        return returned

    return wrapped


@dataclass(frozen=True)
class Exercise:
    """One exercise.

    Args:
        judge: returns None for a right answer, else the reason why it is wrong.
        worked: the solution as the reader sees it; `answer` is the same as a value.
        misconceptions: wrong answers that readers are expected to give, by name.
    """

    number: str
    title: str
    task: str
    hints: tuple[str, ...]
    worked: str
    answer: Any = field(repr=False)
    judge: Callable[[Any], str | None] = field(repr=False)
    misconceptions: Mapping[str, Any] = field(repr=False)

    def check(self, answer: Any = ...) -> Verdict:
        """Judge an answer; an ellipsis stands for none."""
        if answer is ...:
            return NOTHING_YET
        if callable(self.answer) and not callable(answer):
            return Verdict(State.WRONG, f"the answer is a function, and {answer!r} cannot be called")
        try:
            reason = self.judge(_attempted(answer))
        except NotAttempted:
            return NOTHING_YET
        except Exception as error:  # the reader's own code may raise anything
            reason = f"it raised {type(error).__name__}: {error}"
        return Verdict(State.RIGHT) if reason is None else Verdict(State.WRONG, reason)

    def hint(self, number: int = 1) -> HTML:
        """Show one hint; they are numbered from 1."""
        if not 1 <= number <= len(self.hints):
            raise ValueError(f"exercise {self.number} has hints 1 to {len(self.hints)}, not {number!r}")
        return HTML(f"<p>{self.hints[number - 1]}</p>", self.hints[number - 1])

    def solution(self) -> HTML:
        """Show the solution."""
        return HTML(f"<pre>{escape(self.worked)}</pre>", self.worked)

    def __repr__(self) -> str:
        return f"Exercise {self.number}. {self.title}: {self.task}"

    def _repr_html_(self) -> str:
        hints = "".join(
            f"<details><summary>Hint {number}</summary><p>{hint}</p></details>"
            for number, hint in enumerate(self.hints, 1)
        )
        return box(
            "exercise",
            f"<p><strong>Exercise {self.number}. {escape(self.title)}</strong></p><p>{self.task}</p>{hints}"
            f"<details><summary>Solution</summary><pre>{escape(self.worked)}</pre></details>",
        )


def predict(
    number: str,
    task: str,
    right: float,
    wrong: Mapping[str, tuple[float, str]],
    *,
    hints: tuple[str, ...],
    worked: str,
    advice: str,
    within: float = 0,
) -> Exercise:
    """Return the exercise in which a reader predicts a number.

    Args:
        wrong: the numbers that readers are expected to give, each with the reason against it,
            by the name of the misconception.
        advice: what any other wrong number is told.
        within: how far from one of these numbers an answer may lie and still be taken for it.
    """

    def judge(answer: Any) -> str | None:
        if isinstance(answer, bool) or not isinstance(answer, Real) or answer != answer:
            return f"a prediction is a number, and {answer!r} is none"
        if abs(answer - right) <= within:
            return None
        why_not = (why for given, why in wrong.values() if abs(answer - given) <= within)
        return next(why_not, f"{answer} is too {'high' if answer > right else 'low'}; {advice}")

    misconceptions = {name: given for name, (given, _) in wrong.items()}
    return Exercise(number, "Predict", task, hints, worked, right, judge, misconceptions)


def exercise(number: str) -> Exercise:
    """Return an exercise by its number, such as "04.2".

    Raises:
        ValueError: there is no such exercise; the message lists those of the chapter.
    """
    number = str(number)  # a reader may well write 4.2, and is told what there is
    known = {each.number: each for each in chapter(number.partition(".")[0]).EXERCISES}
    if number not in known:
        raise ValueError(f"there is no exercise {number!r}; this chapter has {', '.join(known)}")
    return known[number]


def chapter(number: str) -> Any:
    """Return the module that holds a chapter's guess and exercises."""
    name = f"osfhelpers.chapters.c{number}"
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if not name.startswith(str(error.name)):  # the chapter is there, and something that it needs is not
            raise
        raise ValueError(f"there is no chapter {number!r} with exercises; give one such as '04'") from None
