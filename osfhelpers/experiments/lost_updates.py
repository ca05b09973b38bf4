"""Two writers, one Note: what does the version check prevent?

An agent reads, thinks and writes, while others save in the same Note at random moments. What
they save in the agent's gap is lost if the agent overwrites it. This chapter goes beyond the
articles, so nothing is published or replayed. The default gap and save rate are those of the
articles' deck model. No reply is lost here; that is chapter 04.
"""

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from osfhelpers.drawing.figures import (
    CARD,
    Outcome,
    expected_tick,
    headline,
    outcome_legend,
    stacked_bar,
    whisker,
)
from osfhelpers.engine.parameters import ParameterError, Slider, number, probability, whole_number
from osfhelpers.measuring.damage import LedgerRow
from osfhelpers.measuring.evidence import Count, Expectation, Key, Mean
from osfhelpers.models.races import ARMS, Race

if TYPE_CHECKING:
    from matplotlib.axes import Axes

NAME = "lost_updates"
CHAPTER = "03"
HEIGHT_PX = 410
UNCHECKED, RESENT, READ_AGAIN = ARMS
MOST_SAVES = 7
LOSE, MEET = "lose a save, of 100", "meet a conflict, of 100"
replay = None


@dataclass(frozen=True)
class Params:
    """One setting; nothing of it is published but the gap and the save rate.

    Args:
        writers: how many write to the Note, the agent included.
        think_s: the time from the agent's read to the arrival of its write.
        save_every_s: the mean time between two saves of one other writer, exponential.
        same_cell: the share of those saves that change what the agent is about to overwrite.
    """

    writers: int = 2
    think_s: float = 4
    save_every_s: float = 60
    same_cell: float = 1

    def __post_init__(self) -> None:
        whole_number("writers", self.writers, at_least=2)
        number("think_s", self.think_s, above=0)
        number("save_every_s", self.save_every_s, above=0)
        probability("same_cell", self.same_cell)
        if self.saves > MOST_SAVES:
            most_s = MOST_SAVES * self.think_s / self.saves
            raise ParameterError(
                f"think_s must be at most {most_s:g} s with this many saves, or no write would ever get "
                f"through, but it is {self.think_s!r}"
            )

    @property
    def saves(self) -> float:
        """The mean number of saves by others while the agent thinks; the law depends on nothing else."""
        return (self.writers - 1) * self.think_s / self.save_every_s


SLIDERS = (
    Slider("writers", "writers", (2, 3, 5)),
    Slider("think_s", "the agent thinks for", (4, 15, 30, 60), "s"),
    Slider("save_every_s", "each colleague saves every", (60, 180, 600), "s"),
)


def settle(arm: str, saved: np.ndarray, stale: np.ndarray) -> Race:
    """Return what updates come to: the whole model.

    Args:
        saved: how often others change the cell in the first gap.
        stale: how many gaps in a row others save in, anywhere in the Note.
    """
    once, none = np.ones_like(stale), np.zeros_like(stale)
    if arm == UNCHECKED:
        return Race(saved, none, once)
    if arm == RESENT:
        # The second send carries the current version and the value computed before the conflict.
        return Race(saved, np.minimum(stale, 1), once)
    return Race(none, stale, stale + 1)


@dataclass(frozen=True)
class Result:
    """What every simulated update came to, by arm: arrays of shape (trials,)."""

    params: Params
    trials: int
    outcomes: dict[str, Race]

    @property
    def estimates(self) -> dict[Key, Mean | Count]:
        """How many of 100 updates come to an outcome, and what one takes on average."""
        found: dict[Key, Mean | Count] = {}
        for arm, one in self.outcomes.items():
            found |= {
                Key(arm, LOSE): Count(np.count_nonzero(one.lost), self.trials, 100),
                Key(arm, MEET): Count(np.count_nonzero(one.conflicts), self.trials, 100),
                Key(arm, "sends"): Mean.of(one.conflicts + 1),
                Key(arm, "seconds until done"): Mean.of(one.thinks * self.params.think_s),
            }
        return found


def simulate(params: Params, *, trials: int, rng: int | np.random.Generator) -> Result:
    """Run the model `trials` times: one draw per update decides its saves and its conflicts."""
    from scipy.stats import poisson

    whole_number("trials", trials, at_least=1)
    draws = np.random.default_rng(rng).random(trials)
    saved = poisson.ppf(draws, params.saves * params.same_cell).clip(min=0)
    # 1 - u lies below p^k with probability p^k, and below p just where the first gap is not free.
    stale = np.floor(np.log1p(-draws) / np.log1p(-math.exp(-params.saves)))
    return Result(params, trials, {arm: settle(arm, saved, stale) for arm in ARMS})


def expected(params: Params) -> dict[Key, Expectation]:
    """Return the exact means.

    With x = (writers - 1) think / save_every, a gap is free of saves with probability exp(-x),
    so an update that is read and sent until it succeeds takes exp(x) sends.
    """
    x, here = params.saves, params.saves * params.same_cell
    found = {}
    for arm, (lost, conflicts, thinks) in {
        UNCHECKED: (here, 0, 1),
        RESENT: (here, -math.expm1(-x), 1),
        READ_AGAIN: (0, math.expm1(x), math.exp(x)),
    }.items():
        found |= {
            Key(arm, LOSE): Expectation(100 * (1 - math.exp(-lost))),
            Key(arm, MEET): Expectation(-100 * math.expm1(-x) if conflicts else 0),
            Key(arm, "sends"): Expectation(1 + conflicts),
            Key(arm, "seconds until done"): Expectation(thinks * params.think_s),
        }
    return found


def draw(ax: "Axes", result: Result) -> None:
    """Draw what 100 updates come to, one bar per server and client."""
    found, exact = result.estimates, expected(result.params)
    for y, arm in enumerate(ARMS):
        outcome, measure = (Outcome.LOUD, MEET) if arm == READ_AGAIN else (Outcome.SILENT, LOSE)
        share = found[Key(arm, measure)]
        stacked_bar(ax, y, [(outcome, share.value), (Outcome.RIGHT, 100 - share.value)], height=0.4)
        whisker(ax, *share.interval(), y)
        expected_tick(ax, exact[Key(arm, measure)].value, y, half=0.25)
        sends, seconds = found[Key(arm, "sends")].value, found[Key(arm, "seconds until done")].value
        words = f"{arm}: {sends:.2f} sends, {_duration(seconds)}"
        ax.text(0, y - 0.37, words, va="center", bbox={"facecolor": CARD, "linewidth": 0, "pad": 1})
    ax.set(xlim=(0, 100), ylim=(2.4, -0.65), yticks=(), xticks=range(0, 101, 20), xlabel="of 100 updates")
    headline(ax, _title(result), left=0.03, bottom=0.27)
    words = {
        Outcome.SILENT: "another's save is lost",
        Outcome.LOUD: "conflict, then in",
        Outcome.RIGHT: "in at once",
    }
    outcome_legend(ax, words, marks=("expected",))


def _title(result: Result) -> str:
    lose = result.estimates[Key(RESENT, LOSE)].value
    return f"{lose:.0f} of 100 overwrite a save, unless the agent reads again"


def _duration(seconds: float) -> str:
    return f"{seconds:.1f} s" if seconds < 120 else f"{seconds / 60:.1f} min"


def say(result: Result) -> str:
    """Say what the figure shows, in one sentence."""
    params, found = result.params, result.estimates
    unchecked, resent = (found[Key(arm, LOSE)].value for arm in (UNCHECKED, RESENT))
    sends, seconds = (found[Key(READ_AGAIN, what)].value for what in ("sends", "seconds until done"))
    return (
        f"{params.writers} writers, {params.think_s:g} s to think, a save by each every "
        f"{params.save_every_s:g} s: {unchecked:.1f}% of updates lose a save without the check, "
        f"{resent:.1f}% if the agent sends again, none if it reads again, in {sends:.2f} sends and "
        f"{_duration(seconds)}."
    )


def ledger_row() -> LedgerRow:
    """Return this chapter's row: an update without and with the version and a client that reads again."""
    exact = expected(Params())
    without, kept = (exact[Key(arm, LOSE)].value for arm in (UNCHECKED, READ_AGAIN))
    return LedgerRow(
        chapter=CHAPTER,
        phrase="Use the version from list_note_tabs",
        wrong="another's save is overwritten; a session makes one update",
        without_per_100=without,
        with_per_100=kept,
        cost="a conflict for any change in the Note; the client must read and compute again",
    )
