"""Which step of a URL key merges two different pages?

Every prefix of the normalising steps is tried on a labelled list of URL pairs. A missed
duplicate lists one page twice; a false merge is worse, since the second page is never listed.
There is no chance in it, and no published figure: the list was written for this project, and
its counts describe the list, not the web.
"""

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from osfhelpers.drawing.figures import CARD, Outcome, headline
from osfhelpers.engine.data import load
from osfhelpers.engine.parameters import Slider, one_of
from osfhelpers.engine.urls import STEPS, same_page

if TYPE_CHECKING:
    from matplotlib.axes import Axes

NAME = "url_steps"
CHAPTER = "05"
HEIGHT_PX = 420
NO_STEP = "as written"
NONE_OFF = "no step"


@dataclass(frozen=True)
class Pair:
    """Two URLs, whether they are one page, which step they put to the test, and why."""

    about: str
    a: str
    b: str
    same: bool
    why: str


@cache
def pairs() -> tuple[Pair, ...]:
    """Return the labelled list."""
    return tuple(Pair(**row) for row in load("url_pairs.json")["pairs"])


@dataclass(frozen=True)
class Params:
    """Which step is left out of all prefixes; by default none is."""

    off: str = NONE_OFF

    def __post_init__(self) -> None:
        one_of("off", self.off, (NONE_OFF, *STEPS))


SLIDERS = (Slider("off", "switched off", (NONE_OFF, *STEPS)),)


@dataclass(frozen=True)
class Result:
    """The missed duplicates and false merges after each step, by the step's name."""

    params: Params
    missed: dict[str, tuple[Pair, ...]]
    merged: dict[str, tuple[Pair, ...]]


def measure(params: Params) -> Result:
    """Judge every pair by every prefix of the steps that are on."""
    missed, merged, steps = {}, {}, []
    for name in (NO_STEP, *STEPS):
        steps += [name] if name in STEPS and name != params.off else []
        alike = [same_page(pair.a, pair.b, steps) for pair in pairs()]
        judged = list(zip(pairs(), alike, strict=True))
        missed[name] = tuple(pair for pair, merges in judged if pair.same and not merges)
        merged[name] = tuple(pair for pair, merges in judged if merges and not pair.same)
    return Result(params, missed, merged)


replay = None
expected = None


def draw(ax: "Axes", result: Result) -> None:
    """Draw false merges to the left and missed duplicates to the right, one row per step."""
    look = Outcome.SILENT.value
    most = len(pairs()) / 2
    for y, name in enumerate(result.missed):
        off = name == result.params.off
        for side, found in ((-1, result.merged[name]), (1, result.missed[name])):
            colours = {"color": look.colour, "hatch": look.hatch, "edgecolor": "white", "linewidth": 0}
            ax.barh(y, side * len(found), 0.66, alpha=0.35 if off else 1, **colours)
            place = {"va": "center", "ha": "left" if side > 0 else "right"}
            ax.text(side * (len(found) + 0.8), y, f"{len(found)}", **place)
    words = [f"no {name}" if name == result.params.off else f"+ {name}" for name in STEPS]
    ax.set_yticks(range(len(result.missed)), [NO_STEP, *words])
    ax.axvline(0, color="white", linewidth=2)
    counted = sum(pair.same for pair in pairs()), sum(not pair.same for pair in pairs())
    head = {"va": "center", "backgroundcolor": CARD}
    ax.text(-1.5, -1, f"pages lost, of {counted[1]}", ha="right", **head)
    ax.text(1.5, -1, f"duplicates missed, of {counted[0]}", **head)
    ax.set(xlim=(-1.12 * most, 1.12 * most), ylim=(len(STEPS) + 0.6, -1.5), xlabel="pairs of URLs")
    ticks = range(-40, 41, 20)
    ax.set_xticks(ticks, [f"{abs(tick)}" for tick in ticks])
    headline(ax, _title(result), left=0.2, bottom=0.14)


def _title(result: Result) -> str:
    last = list(STEPS)[-1]
    missed, merged = len(result.missed[last]), len(result.merged[last])
    which = "by all seven steps" if result.params.off == NONE_OFF else f"without the {result.params.off} step"
    return f"{merged} pages lost and {missed} duplicates missed {which}"


def say(result: Result) -> str:
    """Say what the figure shows, in one sentence."""
    rows = "; ".join(
        f"{name}{' (off)' if name == result.params.off else ''} {len(merged)}, {len(result.missed[name])}"
        for name, merged in result.merged.items()
    )
    return f"{_title(result)}. Lost and missed, step by step: {rows}."


@dataclass(frozen=True)
class Trap:
    """Two pages that the steps take for one."""

    step: str
    why_they_are_two: str
    two_pages: str


def traps() -> list[Trap]:
    """Return, for each step and for several together, the first pair that is merged falsely."""
    merged = {pair.about: pair for pair in reversed(measure(Params()).merged[list(STEPS)[-1]])}
    return [Trap(pair.about, pair.why, f"{pair.a} and {pair.b}") for pair in reversed(merged.values())]
