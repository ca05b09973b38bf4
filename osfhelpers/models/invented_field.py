"""What becomes of a field that the tool does not have? One short history on the real store.

The agent adds two slides, then the cover, and asks for the cover to stand in front: `index: 0`,
a field that it made up. The store reads the fields it knows, so whether anybody notices is up
to the schema before it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from osfhelpers.drawing.figures import FAINT, INK, Outcome, headline
from osfhelpers.engine.note import Note
from osfhelpers.engine.parameters import Slider
from osfhelpers.engine.snapshot import tool
from osfhelpers.engine.validator import full_problems, keep_keywords
from osfhelpers.models.mistakes import CLOSED, KEYWORDS

if TYPE_CHECKING:
    from matplotlib.axes import Axes

TOOL = "edit_note_tab"
COVER = {"title": "Q3 review", "index": 0}
SLIDES = ({"title": "Revenue"}, {"title": "Costs"}, COVER)
CLOSED_WORDS, OPEN_WORDS = f"{CLOSED}: false", "the phrase struck out"
ROW_PX = 50


@dataclass(frozen=True)
class Step:
    """One call, the problem it was refused for (empty when it was done), and the deck after it."""

    fields: Mapping[str, Any]
    refusal: str
    deck: tuple[str, ...]


def add_slides(*, closed: bool) -> tuple[Step, ...]:
    """Send the slides to a fresh Note whose schema is closed or, with the phrase struck out, open."""
    note = Note()
    note.open_to("agent")
    tab_id = note.add("slides", "Q3 review")
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


@dataclass(frozen=True)
class History:
    """The same calls under either schema, stepped through call by call."""

    title: str
    variants: Mapping[str, tuple[Step, ...]]
    height_px: int = 150 + ROW_PX * len(SLIDES)

    @property
    def sliders(self) -> tuple[Slider, ...]:
        return (
            Slider("schema", "the schema has", tuple(self.variants)),
            Slider("sends", "calls so far", tuple(range(len(SLIDES) + 1))),
        )

    @property
    def start(self) -> dict[str, Any]:
        return {"schema": OPEN_WORDS, "sends": len(SLIDES)}

    def draw(self, ax: "Axes", state: Mapping[str, Any]) -> None:
        """Draw the first calls, with the answer to each and the deck after it."""
        done = self.variants[state["schema"]][: state["sends"]]
        ax.set(xlim=(0, 1), ylim=(len(SLIDES), -0.55))
        ax.axis("off")
        headline(ax, _finding(done), left=0.02, bottom=0.02, top=0.14)
        for x, words in ((0, "slide_add"), (0.22, "the answer"), (0.55, "the deck, first slide at the left")):
            ax.text(x, -0.3, words, fontweight="bold", va="center")
        for y, step in enumerate(done):
            y += 0.3
            outcome = _outcome(step)
            ax.text(0, y, "\n".join(f"{name}: {value}" for name, value in step.fields.items()), va="center")
            ax.plot(0.235, y, marker=outcome.value.marker, markersize=11, color=outcome.value.colour)
            ax.text(0.26, y, _answer(step), va="center")
            for place, slide in enumerate(step.deck):
                _slide(ax, 0.55 + 0.15 * place, y, slide, wrong=_misplaced(step) and slide == COVER["title"])

    def say(self, state: Mapping[str, Any]) -> str:
        """Say what happened so far, in one sentence."""
        done = self.variants[state["schema"]][: state["sends"]]
        answers = "; ".join(f"{step.fields['title']}: {_answer(step)}" for step in done)
        deck = ", ".join(done[-1].deck) if done else "empty"
        return f"Schema: {state['schema']}. {_finding(done)}. Answers: {answers or 'none'}. Deck: {deck}."


def _misplaced(step: Step) -> bool:
    return COVER["title"] in step.deck and step.deck[0] != COVER["title"]


def _answer(step: Step) -> str:
    return f"refused: {step.refusal}" if step.refusal else "done"


def _outcome(step: Step) -> Outcome:
    if step.refusal:
        return Outcome.LOUD
    return Outcome.SILENT if _misplaced(step) else Outcome.RIGHT


def _finding(done: tuple[Step, ...]) -> str:
    if not done:
        return "Before the first call, the deck is empty"
    return {
        Outcome.RIGHT: f"After {len(done)} of {len(SLIDES)} calls, every slide is where it belongs",
        Outcome.SILENT: "The cover is the last slide, and the answer was: done",
        Outcome.LOUD: "The cover is refused, and the agent knows which field to mend",
    }[_outcome(done[-1])]


def _slide(ax: "Axes", x: float, y: float, title: str, *, wrong: bool) -> None:
    edge = Outcome.SILENT.value.colour if wrong else FAINT
    box = {
        "boxstyle": "round,pad=0.45",
        "facecolor": "white",
        "edgecolor": edge,
        "linewidth": 2 if wrong else 1,
    }
    ax.text(x + 0.06, y, title, ha="center", va="center", color=INK, bbox=box, fontsize=10)


def one_invented_field() -> History:
    """Return the history under the published schema and with its phrase struck out."""
    variants = {CLOSED_WORDS: add_slides(closed=True), OPEN_WORDS: add_slides(closed=False)}
    return History("A field that the tool does not have", variants)
