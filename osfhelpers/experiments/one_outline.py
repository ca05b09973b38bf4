"""One call or thirteen: what does a deck cost while a person saves in the same Note?

An agent puts a deck into a Note, in outlines of at most 20 slides or slide by slide. Between
its read of the version and the arrival of its write lies a gap; a save of the person in that
gap is a conflict. That a person saves once a minute and a gap is 4 s is a model, not a
measurement of osFoundry. The sizes are measured on this project's own deck, so nothing is
expected of them and no replay returns them.
"""

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from osfhelpers.drawing.figures import Outcome, expected_tick, headline, outcome_legend, stacked_bar
from osfhelpers.drawing.rendering import counted
from osfhelpers.engine.parameters import ParameterError, Slider, number, whole_number
from osfhelpers.measuring.damage import LedgerRow
from osfhelpers.measuring.evidence import Estimate, Expectation, Key, Mean, Measured, Share
from osfhelpers.models.big_calls import duration, seconds_until_done
from osfhelpers.models.deck_outcomes import Outcomes, settle, sizes_bytes
from osfhelpers.models.decks import build, most_slides, ways
from osfhelpers.models.paging import LISTING, calls_to_list

if TYPE_CHECKING:
    from matplotlib.axes import Axes

NAME = "one_outline"
CHAPTER = "06"
HEIGHT_PX = 340
DECKS = 2_000
SEED = 5
LONGEST_GAP = 7
UNFINISHED = "unfinished, if it stops"
NOTHING = "no deck, if it stops"


@dataclass(frozen=True)
class Params:
    """One setting; the defaults are the published one.

    Args:
        slides: how many slides the deck has.
        save_every_s: the mean time between two saves of the person, exponential.
        write_slide_s: how long the agent takes to write one slide into a call, after it has read
            the version.
        gap_s: the rest of the time between the agent's read and the arrival of its write.
    """

    slides: int = 12
    save_every_s: float = 60
    write_slide_s: float = 0
    gap_s: float = 4

    def __post_init__(self) -> None:
        whole_number("slides", self.slides, at_least=1)
        number("save_every_s", self.save_every_s, above=0)
        number("write_slide_s", self.write_slide_s)
        number("gap_s", self.gap_s, above=0)
        if self.write_slide_s < 0:
            raise ParameterError(f"write_slide_s must be at least 0, but it is {self.write_slide_s!r}")
        longest = self.gap_s + self.write_slide_s * min(self.slides, most_slides())
        if longest > LONGEST_GAP * self.save_every_s:
            raise ParameterError(
                f"save_every_s must be at least a {LONGEST_GAP}th of the longest gap of {longest:g} s, or no "
                f"write would ever get through, but it is {self.save_every_s!r}"
            )

    def gaps_s(self, per_call: Sequence[int]) -> np.ndarray:
        """Return the time from the read of the version to the arrival of the write, for each call."""
        return self.gap_s + self.write_slide_s * np.array(per_call)


SLIDERS = (
    Slider("slides", "slides in the deck", (1, 6, 12, 20, 21, 40)),
    Slider("save_every_s", "the person saves every", (30, 60, 180, 600), "s"),
    Slider("write_slide_s", "the agent writes a slide in", (0, 2, 5), "s"),
)


@dataclass(frozen=True)
class Result:
    """What every simulated deck came to, by arm."""

    params: Params
    trials: int
    outcomes: dict[str, Outcomes]

    @property
    def estimates(self) -> dict[Key, Estimate]:
        """The mean of a deck or the share of decks, by arm and measure."""
        found: dict[Key, Estimate] = {}
        for arm, per_call in ways(self.params.slides).items():
            one, n = self.outcomes[arm], self.trials
            whole, nothing = int(one.whole.sum()), int(one.nothing.sum())
            found |= {
                Key(arm, "writes"): Measured(len(per_call)),
                Key(arm, "request bytes"): Measured(int(sizes_bytes(per_call).sum())),
                Key(arm, "conflicts"): Mean.of(one.conflicts),
                Key(arm, "bytes sent again"): Mean.of(one.bytes_again),
                Key(arm, "seconds until done"): Mean.of(one.seconds),
                Key(arm, UNFINISHED): Share(n - whole - nothing, n),
                Key(arm, NOTHING): Share(nothing, n),
            }
        return found


def simulate(params: Params, *, trials: int, rng: int | np.random.Generator) -> Result:
    """Run the model `trials` times: one draw per write of the longer way, and both ways use it."""
    whole_number("trials", trials, at_least=1)
    draws = np.random.default_rng(rng).standard_exponential((trials, params.slides + 1))
    outcomes = {}
    for arm, per_call in ways(params.slides).items():
        # A draw exceeds k times -ln(p) with probability p^k: its quotient counts the conflicts.
        gaps_s = params.gaps_s(per_call)
        clear = np.exp(-gaps_s / params.save_every_s)
        met = np.floor(draws[:, : len(per_call)] / -np.log1p(-clear))
        outcomes[arm] = settle(per_call, gaps_s, met)
    return Result(params, trials, outcomes)


@cache
def replay() -> dict[Key, float]:
    """Repeat the published decks on the real store, draw for draw."""
    rng = random.Random(SEED)
    found: dict[Key, float] = {}
    for arm, per_call in ways(Params.slides).items():
        met = 0
        for _ in range(DECKS):
            saved = (rng.expovariate(1 / Params.save_every_s) < Params.gap_s for _ in per_call)
            met += conflicts_on_store(per_call, tuple(saved))
        found |= {Key(arm, "writes"): len(sizes_bytes(per_call)), Key(arm, "conflicts"): met / DECKS}
    return {**found, Key(LISTING, "calls"): calls_to_list()}


@cache
def conflicts_on_store(per_call: Sequence[int], saved: Sequence[bool]) -> int:
    """Build one deck on the real store; a save meets the first send of a call, never its retry."""
    saves = (save for each in saved for save in ((True, False) if each else (False,)))
    return build(per_call, saves=saves).conflicts


def expected(params: Params) -> dict[Key, Expectation]:
    """Return the exact means; `sd` is that of the mean of 2,000 decks, as published.

    A gap g meets a save with probability p = 1 - exp(-g/m). A call that is sent until it
    succeeds meets exp(g/m) - 1 conflicts on average, for a mean time m between saves.
    """
    found = {Key(LISTING, "calls"): Expectation(calls_to_list(), 0)}
    for arm, per_call in ways(params.slides).items():
        gaps, sizes = params.gaps_s(per_call), sizes_bytes(per_call)
        clear = np.exp(-gaps / params.save_every_s)
        sd = math.sqrt((1 - clear) @ clear / DECKS)
        found |= {
            Key(arm, "writes"): Expectation(len(per_call), 0),
            Key(arm, "conflicts"): Expectation(float((1 - clear).sum()), sd),
            Key(arm, "bytes sent again"): Expectation(float((1 / clear - 1) @ sizes)),
            Key(arm, "seconds until done"): Expectation(float(seconds_until_done(gaps, params.save_every_s))),
            Key(arm, UNFINISHED): Expectation(float(clear[0] - clear.prod())),
            Key(arm, NOTHING): Expectation(float(1 - clear[0])),
        }
    return found


def left_of_100(found: Mapping[Key, Any], params: Params) -> list[tuple[float, float]]:
    """Return the unfinished decks and those not begun, of 100: by outlines, then slide by slide."""
    return [
        (100 * found[Key(arm, UNFINISHED)].value, 100 * found[Key(arm, NOTHING)].value)
        for arm in ways(params.slides)
    ]


def _seconds(result: Result) -> list[float]:
    found = result.estimates
    return [found[Key(arm, "seconds until done")].value for arm in ways(result.params.slides)]


def _in_words(params: Params) -> list[str]:
    outlines, writes = map(len, ways(params.slides).values())
    return [counted(outlines, "outline"), counted(writes, "write")]


def draw(ax: "Axes", result: Result) -> None:
    """Draw what 100 decks look like when the agent stops at its first conflict."""
    params, left = result.params, left_of_100(result.estimates, result.params)
    exact = left_of_100(expected(params), params)
    rows = zip(left, exact, _in_words(params), map(duration, _seconds(result)), strict=True)
    for y, ((silent, loud), sure, way, done) in enumerate(rows):
        parts = zip(Outcome, (100 - silent - loud, silent, loud), strict=True)
        stacked_bar(ax, y, list(parts), height=0.4)
        expected_tick(ax, 100 - sum(sure), y, half=0.25)
        ax.text(0, y - 0.36, f"{way} (an agent that retries is done after {done})", va="center")
    ax.set(xlim=(0, 100), ylim=(1.4, -0.65), yticks=(), xticks=range(0, 101, 20))
    ax.set_xlabel("of 100 decks, when the agent stops at its first conflict")
    headline(ax, _finding(result), left=0.03, bottom=0.33)
    words = zip(Outcome, ("a whole deck", "an unfinished deck", "no deck"), strict=True)
    outcome_legend(ax, dict(words), marks=("expected",))


def _finding(result: Result) -> str:
    big, small = _seconds(result)
    if big > small:
        return f"If the agent retries, outlines take {duration(big)}, slide by slide {duration(small)}"
    (few, _), (many, _) = left_of_100(result.estimates, result.params)
    return f"Slide by slide leaves {many:.0f} unfinished decks in 100, outlines {few:.0f}"


def say(result: Result) -> str:
    """Say what the figure shows, in one sentence."""
    params = result.params
    (few, _), (many, _) = left_of_100(result.estimates, params)
    (outlines, writes), (big, small) = _in_words(params), map(duration, _seconds(result))
    setting = f"a save every {params.save_every_s:g} s"
    if params.write_slide_s:
        setting += f" and {params.write_slide_s:g} s to write a slide"
    return (
        f"With {setting}, an agent that stops at its first conflict leaves {many:.0f} of 100 decks "
        f"unfinished by {writes}, {few:.0f} by {outlines}; one that retries is done after {small} or {big}."
    )


def ledger_row() -> LedgerRow:
    """Return this chapter's row: an agent that stops at its first conflict, with and without outline."""
    (kept, _), (without, _) = left_of_100(expected(Params()), Params())
    return LedgerRow(
        chapter=CHAPTER,
        phrase="An optional outline fills a Slides tab",
        wrong="an unfinished deck, left at a conflict; a session builds one",
        without_per_100=without,
        with_per_100=kept,
        cost="a retry writes the whole outline again; more than 20 slides take a second call",
    )
