"""Which handle still points at the right deck after a person has edited the strip?

An agent keeps a handle on one of K decks. A person makes a few edits. The agent lists again,
finds a tab by its handle and writes. There is no replay: the draw order of the published run
is not known, and of many tried none returns its digits. `fit` asks instead whether chance
explains each published row, and `sessions` plays a smaller run on the real store.
"""

import math
import random
from collections import Counter
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from osfhelpers.drawing.figures import Outcome, headline, outcome_legend, outcome_row
from osfhelpers.drawing.rendering import counted
from osfhelpers.engine.parameters import ParameterError, Slider, probability, whole_number
from osfhelpers.measuring.damage import LedgerRow
from osfhelpers.measuring.evidence import Count, Expectation, Key, published
from osfhelpers.models.handles import HANDLES, Ending, HandleRun, by_raw_type, see, write_by
from osfhelpers.models.strip_chances import mixed
from osfhelpers.models.strip_edits import KINDS, LABELS, any_edit, carry_out, decks_of, new_note
from osfhelpers.models.strip_model import follow
from osfhelpers.models.strips import WHERE

if TYPE_CHECKING:
    from matplotlib.axes import Axes

NAME = "tab_handles"
CHAPTER = "02"
HEIGHT_PX = 480
PUBLISHED_TRIALS = 10_000
CHUNK = 10_000
MOST_EDITS = 3
MEASURES = {
    "right": (Ending.RIGHT,),
    "wrong deck": (Ending.ANOTHER_DECK, Ending.FIXED_TAB),
    "not found": (Ending.NOT_FOUND,),
    "on a fixed tab": (Ending.FIXED_TAB,),
}
WORDS = {"position": "its position", "type": "first of its type", "label": "its label", "ID": "its exact ID"}
replay = None


@dataclass(frozen=True)
class Params:
    """One setting; the defaults are the published one.

    Args:
        decks: how many decks the Note has; several numbers stand for several Notes.
        edits_at_most: a person makes from none to this many edits, each number as likely.
        drag, rename, add: how likely each is to be the next edit; what is left over to 1 are
            saves of the text, which leave the strip alone.
        labels: how many labels the person chooses from; the decks start with the first of them.
    """

    decks: tuple[int, ...] = (2, 5)
    edits_at_most: int = 2
    drag: float = 0.40
    rename: float = 0.35
    add: float = 0.25
    labels: int = 5

    def __post_init__(self) -> None:
        whole_number("labels", self.labels, at_least=1, at_most=len(LABELS))
        whole_number("edits_at_most", self.edits_at_most, at_least=0, at_most=MOST_EDITS)
        if not isinstance(self.decks, tuple) or not self.decks:
            raise ParameterError(f"decks must be a tuple such as (2, 5), but it is {self.decks!r}")
        for decks in self.decks:
            whole_number("decks", decks, at_least=1, at_most=self.labels)
        for name in ("drag", "rename", "add"):
            probability(name, getattr(self, name))
        if (total := self.drag + self.rename + self.add) > 1 + 1e-9:
            raise ParameterError(f"drag, rename and add must not exceed 1 together, but they are {total:g}")

    @property
    def chances(self) -> tuple[float, ...]:
        """How likely each of `KINDS` is to be the next edit."""
        return self.rename, self.add, self.drag, max(0.0, 1 - self.rename - self.add - self.drag)


SLIDERS = (
    Slider("decks", "decks in two Notes", ((1, 5), (2, 5), (3, 5), (4, 5))),
    Slider("edits_at_most", "edits between turns, at most", (0, 1, 2, 3), "edits"),
    Slider("drag", "an edit drags a tab", (0.0, 0.1, 0.2, 0.3, 0.4), "%"),
)


def arm_name(decks: int, handle: str) -> str:
    """Return the words for one arm, as the published figures have them."""
    return f"K = {decks} / {handle}"


def _keys(params: Params) -> dict[Key, tuple[int, str, tuple[Ending, ...]]]:
    # Only a position can point at a fixed tab.
    return {
        Key(arm_name(decks, handle), measure): (decks, handle, ends)
        for decks in params.decks
        for handle in HANDLES
        for measure, ends in MEASURES.items()
        if handle == "position" or ends != (Ending.FIXED_TAB,)
    }


@dataclass(frozen=True)
class Result:
    """How often each handle came to each ending, by number of decks."""

    params: Params
    trials: int
    counts: dict[int, Counter[tuple[str, Ending]]]

    @property
    def estimates(self) -> dict[Key, Count]:
        """The endings in 100 sessions, by arm and measure."""
        return {
            key: Count(sum(self.counts[decks][handle, ending] for ending in ends), self.trials, 100)
            for key, (decks, handle, ends) in _keys(self.params).items()
        }

    def in_100(self, decks: int, handle: str, outcome: Outcome) -> float:
        """Return how many of 100 sessions end so."""
        endings_of_it = ((handle, ending) for ending in Ending if ending.outcome is outcome)
        return 100 * sum(map(self.counts[decks].__getitem__, endings_of_it)) / self.trials


def simulate(params: Params, *, trials: int, rng: int | np.random.Generator) -> Result:
    """Run the model `trials` times, all handles and all Notes on the same edits.

    The draws depend on sizes only: the target, the number of edits, and three numbers for each
    edit that there may be. They are taken in chunks, so that memory stays bounded.
    """
    whole_number("trials", trials, at_least=1)
    rng = np.random.default_rng(rng)
    limits = np.cumsum(params.chances[:-1])
    counts: dict[int, Counter] = {decks: Counter() for decks in params.decks}
    for start in range(0, trials, CHUNK):
        target, number, *draws = rng.random((2 + 3 * params.edits_at_most, min(CHUNK, trials - start)))
        edits = []
        for turn in range(params.edits_at_most):
            chosen, pick, put = draws[3 * turn : 3 * turn + 3]
            kind = sum((chosen >= limit).astype(np.int8) for limit in limits)
            kind[number * (params.edits_at_most + 1) < turn + 1] = KINDS.index("save")
            edits.append((kind, pick, put))
        for decks, tally in counts.items():
            masks = follow(decks, params.labels, (target * decks).astype(np.int8), edits)
            tally.update({ending: np.count_nonzero(mask) for ending, mask in masks.items()})
    return Result(params, trials, counts)


@cache
def expected(params: Params) -> dict[Key, Expectation]:
    """Return the exact endings in 100 sessions, with the standard deviation of a published run."""
    chances = dict(zip(KINDS, params.chances, strict=True))
    found = {decks: mixed(decks, params.labels, chances, params.edits_at_most) for decks in params.decks}
    exact = {}
    for key, (decks, handle, ends) in _keys(params).items():
        # Sums of many shares miss 0 and 1 by a rounding error, and a certain cell is certain.
        share = round(sum(found[decks][handle, ending] for ending in ends), 12)
        exact[key] = Expectation(100 * share, 100 * math.sqrt(share * (1 - share) / PUBLISHED_TRIALS))
    return exact


def sessions(params: Params, *, number: int, seed: int, raw_type_shortcut: bool = False) -> list[HandleRun]:
    """Play sessions on the real store, in a Note with the first number of decks: the plain twin.

    Args:
        raw_type_shortcut: whether the server takes a raw type for the first tab of that type.
    """
    rng = random.Random(seed)
    handles = HANDLES | {"“slides”, as the ID": by_raw_type}
    landings = {name: [] for name in handles}
    for session in range(number):
        note = new_note(params.decks[0], raw_type_shortcut=raw_type_shortcut)
        seen = see(note, rng.choice(decks_of(note)).tab_id)
        for _ in range(rng.randint(0, params.edits_at_most)):
            carry_out(any_edit(note, params.chances, params.labels, rng), note)
        for name, handle in handles.items():
            landings[name].append(write_by(handle, seen, on=note, key=f"{session}, by {name}"))
    return [HandleRun.of(name, landed) for name, landed in landings.items()]


def draw(ax: "Axes", result: Result) -> None:
    """Draw where 100 writes end, one bar per handle and number of decks."""
    params, exact = result.params, expected(result.params)
    parts = (Outcome.SILENT, Outcome.LOUD, Outcome.RIGHT)
    printed = {f.key[:2]: f.number for f in published(NAME)} if params == Params() else {}
    ticks = {}
    for group, decks in enumerate(params.decks):
        top = group * (len(HANDLES) + 1)
        ax.text(0, top - 0.75, f"K = {counted(decks, 'deck')}", fontweight="bold", va="center")
        for y, (handle, words) in enumerate(WORDS.items(), top):
            ticks[y] = words
            shares = [result.in_100(decks, handle, outcome) for outcome in parts]
            wrong = zip(shares, ("unnoticed", "failed"), strict=False)
            ends = [f"{share:.1f} {end}" for share, end in wrong if share]
            key = Key(arm_name(decks, handle), "right")
            outcome_row(
                ax,
                y,
                list(zip(parts, shares, strict=True)),
                ", ".join(ends) or "always right",
                expected=100 - exact[key].value,
                published=[100 - printed[key[:2]]] if printed else (),
            )
    ax.set_yticks(list(ticks), ticks.values())
    ax.set(xlim=(0, 165), ylim=(max(ticks) + 0.7, -1.3), xticks=range(0, 101, 25))
    ax.set_xlabel("where the writes of 100 sessions end")
    headline(ax, _title(result), left=0.24, bottom=0.23)
    legend = {outcome: WHERE[outcome] for outcome in parts}
    outcome_legend(ax, legend, marks=("expected", "published") if printed else ("expected",))


def _title(result: Result) -> str:
    if result.params.edits_at_most == 0:
        return "Without edits, only the type goes wrong"
    wrong = [round(result.in_100(decks, "label", Outcome.SILENT)) for decks in result.params.decks]
    often = " to ".join(map(str, dict.fromkeys((min(wrong), max(wrong)))))
    return f"By label {often} of 100 go wrong, by ID none"


def say(result: Result) -> str:
    """Say what the figure shows, in one sentence."""
    params = result.params
    ends = ", ".join(
        " and ".join(f"{result.in_100(decks, name, Outcome.SILENT):.1f}" for decks in params.decks)
        + f" by {name}"
        for name in HANDLES
    )
    notes = " and ".join(map(str, params.decks))
    edits = f"after at most {counted(params.edits_at_most, 'edit')} ({100 * params.drag:.3g}% drags)"
    after = edits if params.edits_at_most else "without edits"
    return f"Of 100 writes {after}, these hit another deck unnoticed with K = {notes}: {ends}."


def ledger_row() -> LedgerRow:
    """Return this chapter's row: an agent that knows a deck by its type, in a Note with two."""
    exact = expected(Params())
    without, kept = (exact[Key(arm_name(2, handle), "wrong deck")].value for handle in ("type", "ID"))
    return LedgerRow(
        chapter=CHAPTER,
        phrase="every tab instance … the exact tab ID",
        wrong="a write into another deck; a session makes one, in a Note with two decks",
        without_per_100=without,
        with_per_100=kept,
        cost="one list_note_tabs per turn, and an ID to carry along",
    )
