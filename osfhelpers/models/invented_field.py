"""What becomes of a field that the tool does not have? One short history on the real store.

The agent adds two slides, then the cover, and asks for the cover to stand in front: `index: 0`,
a field that it made up. The store reads the fields it knows, so whether anybody notices is up
to the schema before it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from osfhelpers.drawing.figures import FAINT, Outcome, headline
from osfhelpers.drawing.history import History
from osfhelpers.engine.note import Note
from osfhelpers.engine.snapshot import tool
from osfhelpers.engine.validator import full_problems, keep_keywords
from osfhelpers.models.mistakes import CLOSED, KEYWORDS

if TYPE_CHECKING:
    from matplotlib.axes import Axes

TOOL = "edit_note_tab"
COVER = "Q3 review"
SLIDES = ({"title": "Revenue"}, {"title": "Costs"}, {"title": COVER, "index": 0})
CLOSED_WORDS, OPEN_WORDS = f"{CLOSED}: false", "the phrase struck out"
ANSWER_X, DECK_X, SLIDE_X = 0.185, 0.45, 0.125


@dataclass(frozen=True)
class Step:
    """One call, the problem it was refused for (empty when it was done), and the deck after it."""

    fields: Mapping[str, Any]
    refusal: str
    deck: tuple[str, ...]

    @property
    def outcome(self) -> Outcome:
        """What the person notices: a cover that is not in front is wrong, and nobody was told."""
        if self.refusal:
            return Outcome.LOUD
        return Outcome.SILENT if COVER in self.deck[1:] else Outcome.RIGHT


FINDINGS = {
    Outcome.RIGHT: "So far, every slide is where it belongs",
    Outcome.SILENT: "“Done”, and the cover is the last slide",
    Outcome.LOUD: "The cover is refused, and the field named",
}


def add_slides(*, closed: bool) -> tuple[Step, ...]:
    """Send the slides to a fresh Note whose schema is closed or, with the phrase struck out, open."""
    note = Note()
    note.open_to("agent")
    tab_id = note.add("slides", COVER)
    schema = keep_keywords(tool(TOOL).input_schema, set(KEYWORDS) - (set() if closed else {CLOSED}))
    steps = []
    for number, fields in enumerate(SLIDES, 1):
        arguments = {
            "note_id": note.place_id,
            "tab_id": tab_id,
            "expected_version": note.version,
            "idempotency_key": f"slide-{number:04}",
            "operation": "slide_add",
            **fields,
        }
        problems = full_problems(schema, arguments)
        if not problems:
            note.answer(TOOL, arguments, "agent")
        deck = tuple(slide.title for slide in note.tab(tab_id).slides)
        steps.append(Step(fields, "; ".join(problem.what for problem in problems), deck))
    return tuple(steps)


class Slides(History):
    """The same calls under either schema, with the answer to each and the deck after it."""

    choice, counted, height_px = "the schema has", "calls so far", 300

    def draw_steps(self, ax: "Axes", done: Sequence[Step]) -> None:
        """Draw one row per call."""
        ax.set(xlim=(0, 1), ylim=(len(SLIDES), -0.55))
        ax.axis("off")
        headline(ax, _finding(done), left=0.02, bottom=0.02)
        heads = {0: "slide_add", ANSWER_X: "the answer", DECK_X: "the deck, first slide at the left"}
        for x, words in heads.items():
            ax.text(x, -0.3, words, fontweight="bold", va="center")
        for row, step in enumerate(done):
            y, look = row + 0.3, step.outcome.value
            ax.text(0, y, "\n".join(f"{name}: {value}" for name, value in step.fields.items()), va="center")
            ax.plot(ANSWER_X + 0.015, y, marker=look.marker, markersize=11, color=look.colour)
            ax.text(ANSWER_X + 0.04, y, _answer(step).replace(": ", ":\n"), va="center")
            for place, title in enumerate(step.deck):
                wrong = title == COVER and step.outcome is Outcome.SILENT
                edge = look.colour if wrong else FAINT
                box = {"boxstyle": "round,pad=0.45", "facecolor": "white", "edgecolor": edge}
                ax.text(DECK_X + 0.06 + SLIDE_X * place, y, title, ha="center", va="center", bbox=box)

    def say_steps(self, variant: str, done: Sequence[Step]) -> str:
        """Say the answers and the deck."""
        answers = "; ".join(f"{step.fields['title']}: {_answer(step)}" for step in done)
        deck = ", ".join(done[-1].deck) if done else "empty"
        return f"Schema: {variant}. {_finding(done)}. Answers: {answers or 'none'}. Deck: {deck}."


def _answer(step: Step) -> str:
    return f"refused: {step.refusal}" if step.refusal else "done"


def _finding(done: Sequence[Step]) -> str:
    return FINDINGS[done[-1].outcome] if done else "Before the first call, the deck is empty"


def one_invented_field() -> Slides:
    """Return the history with the phrase struck out and under the published schema."""
    variants = {OPEN_WORDS: add_slides(closed=False), CLOSED_WORDS: add_slides(closed=True)}
    return Slides("A field that the tool does not have.", variants)
