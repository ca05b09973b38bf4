"""When did the client ask, when did the person approve, and when did the client know?

One review of a real Room, waited for by several policies: one row each, time from left to
right, every poll a small stroke, and the lag as a bar from the approval to the poll that saw it.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from osfhelpers.drawing.figures import FAINT, INK, PALE, Outcome, headline, outcome_legend
from osfhelpers.engine.parameters import Slider
from osfhelpers.models.polling import POLICIES, Heard, hear, poll_times_s

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ASK = "ask the person, then one call"
BUDGET_S = 3600


class Timeline:
    """One review, seen by every policy; the slider moves the moment of the approval."""

    title = "One review"
    height_px = 420
    sliders = (Slider("review_min", "the person approves after", (1.2, 2.4, 6.2, 14.2, 45.4, 62), "min"),)
    start: ClassVar = {"review_min": 6.2}

    def draw(self, ax: "Axes", state: Mapping[str, Any]) -> None:
        """Draw all polls of every policy until it saw the approval or gave up."""
        delay_min = state["review_min"]
        waits = heard_by_all(60 * delay_min)
        for row, (times_s, heard) in enumerate(waits.values()):
            asked_min = [moment_s / 60 for moment_s in times_s[: heard.calls]]
            look = Outcome.LOUD.value
            if heard.at_s is not None:
                look = Outcome.RIGHT.value
                ax.barh(row, asked_min[-1] - delay_min, left=delay_min, height=0.4, color=PALE)
            ax.vlines(asked_min, row - 0.2, row + 0.2, color=INK, linewidth=0.8)
            ax.plot(asked_min[-1], row, marker=look.marker, markersize=9, color=look.colour, clip_on=False)
            ax.text(66, row, f"{_calls(heard)}, {_late(heard, delay_min)}", va="center")
        ax.axvline(delay_min, color=FAINT, linewidth=1.2, linestyle=(0, (4, 3)))
        ax.set_yticks(range(len(waits)), [arm.replace(", ", ",\n") for arm in waits])
        ax.set(xlim=(0, 92), ylim=(len(waits) - 0.5, -0.5), xticks=range(0, 61, 10))
        ax.set_xlabel("minutes since the proposal (grey: the lag)")
        headline(ax, _finding(waits, delay_min), left=0.21, bottom=0.22)
        words = {Outcome.RIGHT: "the poll that sees it", Outcome.LOUD: "the client gives up and says so"}
        outcome_legend(ax, words)

    def say(self, state: Mapping[str, Any]) -> str:
        """Say what the extremes come to, in words that need no picture."""
        delay_min = state["review_min"]
        found = _finding(heard_by_all(60 * delay_min), delay_min)
        return f"The person approves after {delay_min:g} min. {found}. Asking the person: 1 call, 0 s late."


def heard_by_all(delay_s: float) -> dict[str, tuple[tuple[float, ...], Heard]]:
    """Let every policy wait for this review in a Room of its own: its poll times, and how it ended."""
    times_s = {arm: poll_times_s(policy, BUDGET_S) for arm, policy in POLICIES.items()} | {ASK: (delay_s,)}
    return {arm: (times, *hear(times, [delay_s])) for arm, times in times_s.items()}


def _calls(heard: Heard) -> str:
    return f"{heard.calls} call{'s' * (heard.calls > 1)}"


def _late(heard: Heard, delay_min: float) -> str:
    return "gave up" if heard.at_s is None else f"{heard.at_s - 60 * delay_min:.0f} s late"


def _finding(waits: Mapping[str, tuple[tuple[float, ...], Heard]], delay_min: float) -> str:
    polled = sorted((waits[arm][1] for arm in POLICIES), key=lambda heard: heard.calls)
    if any(heard.at_s is None for heard in polled):
        return "Whoever polled has given up by then"
    most, fewest = (f"{_calls(heard)}: {_late(heard, delay_min)}" for heard in (polled[-1], polled[0]))
    return f"{most}; {fewest}"
