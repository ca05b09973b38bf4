"""When does one big call take longer than many small ones?

A call is read for, written and sent; a save by somebody else in that gap is a conflict, and all
of it is done again. The gap of a call grows with what the agent writes into it.
"""

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from osfhelpers.drawing.figures import FAINT, INK, headline
from osfhelpers.drawing.rendering import counted
from osfhelpers.models.decks import ways

if TYPE_CHECKING:
    from matplotlib.axes import Axes

HEIGHT_PX = 360
WRITING_S = np.linspace(0, 7, 71)


def seconds_until_done(gaps_s: Any, save_every_s: float) -> Any:
    """Return the mean time until all calls are in; the last axis of `gaps_s` is the calls.

    A gap g is free of saves with probability exp(-g/m), so a call takes exp(g/m) gaps.
    """
    return (gaps_s * np.exp(gaps_s / save_every_s)).sum(axis=-1)


def duration(seconds: float) -> str:
    """Return a time in words, in seconds or minutes."""
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:,.{int(seconds < 600)}f} min"


@dataclass(frozen=True)
class WritingSpeeds:
    """A deck in outlines and slide by slide, over how long the agent takes to write one slide."""

    slides: int = 12
    save_every_s: float = 60
    gap_s: float = 4

    @property
    def seconds(self) -> dict[str, np.ndarray]:
        """The mean time until done for each of `WRITING_S`, by the number of calls in words."""
        return {
            counted(len(calls), "call"): seconds_until_done(
                self.gap_s + WRITING_S[:, None] * np.array(calls), self.save_every_s
            )
            for calls in ways(self.slides).values()
        }

    @property
    def turn_s(self) -> float:
        """The first of `WRITING_S` at which the big calls take longer; infinite if there is none."""
        big, small = self.seconds.values()
        return min(WRITING_S[big > small], default=math.inf)


def draw(ax: "Axes", speeds: WritingSpeeds) -> None:
    """Draw the time until done of both ways as lines."""
    for (calls, seconds), line in zip(speeds.seconds.items(), ("-", "--"), strict=True):
        ax.plot(WRITING_S, seconds, line, color=INK, linewidth=2, label=calls)
    if math.isfinite(speeds.turn_s):
        ax.axvline(speeds.turn_s, color=FAINT, linewidth=1.2, linestyle=(0, (4, 3)))
    ax.set(xlim=(0, WRITING_S[-1]), xlabel="seconds that the agent takes to write one slide")
    ax.set_ylabel("seconds until done")
    ax.margins(y=0.12)
    ax.set_ylim(bottom=0)
    ax.legend(loc="upper left", handlelength=3)
    ax.grid(visible=True, axis="both")
    headline(ax, _finding(speeds), left=0.12, bottom=0.16)


def _finding(speeds: WritingSpeeds) -> str:
    if math.isinf(speeds.turn_s):
        return "The big call is done first at every writing speed shown"
    return f"From {speeds.turn_s:.1f} s a slide on, the big call's retries take longer"


def say(speeds: WritingSpeeds) -> str:
    """Say what the lines show, in one sentence."""
    ends = " and ".join(
        f"from {duration(seconds[0])} to {duration(seconds[-1])} with {calls}"
        for calls, seconds in speeds.seconds.items()
    )
    return f"{_finding(speeds)}. As a slide takes 0 to {WRITING_S[-1]:g} s, the mean time goes {ends}."
