"""When did the client ask, when did the person approve, and when did the client know?

One review of a real Room, waited for by several policies: one row each, time from left to
right, every poll a small stroke, and the lag as a bar from the approval to the poll that saw it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from osfhelpers.drawing.figures import FAINT, INK, Outcome, headline, outcome_legend
from osfhelpers.engine.parameters import Slider
from osfhelpers.models.polling import POLICIES, Heard, poll_times_s, poll_until, reviews

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ASK = "ask the person,\nthen one call"


@dataclass(frozen=True)
class Timeline:
    """One review, seen by every policy; the slider moves the moment of the approval."""

    review_min: tuple[float, ...] = (1.2, 2.4, 6.2, 14.2, 45.4, 62)
    start_min: float = 6.2
    budget_s: float = 3600
    title: str = "One review"
    height_px: int = 420

    @property
    def sliders(self) -> tuple[Slider, ...]:
        return (Slider("review_min", "the person approves after", self.review_min, "min"),)

    @property
    def start(self) -> dict[str, Any]:
        return {"review_min": self.start_min}

    def heard(self, delay_s: float) -> dict[str, Heard]:
        """Let every policy wait for this review in a Room of its own."""
        found = {}
        for arm, policy in POLICIES.items():
            [review] = reviews([delay_s])
            found[arm] = poll_until(poll_times_s(policy, self.budget_s), review.in_launcher)
        [review] = reviews([delay_s])
        return {**found, ASK: poll_until([delay_s], review.in_launcher)}

    def draw(self, ax: "Axes", state: Mapping[str, Any]) -> None:
        """Draw all polls of every policy until it saw the approval or gave up."""
        delay_s = 60 * state["review_min"]
        heard = self.heard(delay_s)
        for row, (arm, one) in enumerate(heard.items()):
            asked = poll_times_s(POLICIES[arm], self.budget_s)[: one.calls] if arm in POLICIES else [delay_s]
            ax.vlines([moment / 60 for moment in asked], row - 0.2, row + 0.2, color=INK, linewidth=0.8)
            look = (Outcome.LOUD if one.at_s is None else Outcome.RIGHT).value
            end_s = asked[-1]
            if one.at_s is not None:
                ax.barh(row, (end_s - delay_s) / 60, left=delay_s / 60, height=0.4, color="#d8d3c6")
            ax.plot(end_s / 60, row, marker=look.marker, markersize=9, color=look.colour, clip_on=False)
            calls = "1 call" if one.calls == 1 else f"{one.calls} calls"
            late = "gave up" if one.at_s is None else f"{end_s - delay_s:.0f} s late"
            ax.text(66, row, f"{calls}, {late}", va="center")
        ax.axvline(delay_s / 60, color=FAINT, linewidth=1.2, linestyle=(0, (4, 3)))
        ax.set_yticks(range(len(heard)), [arm.replace(", cap", ",\ncap") for arm in heard])
        ax.set(xlim=(0, 92), ylim=(len(heard) - 0.5, -0.5), xticks=range(0, 61, 10))
        ax.set_xlabel("minutes since the proposal (grey: the lag)")
        headline(ax, _title(heard, state["review_min"]), left=0.21, bottom=0.22)
        words = {Outcome.RIGHT: "the poll that sees it", Outcome.LOUD: "the client gives up and says so"}
        outcome_legend(ax, words)

    def say(self, state: Mapping[str, Any]) -> str:
        """Say how each policy fared, in one sentence."""
        delay_s = 60 * state["review_min"]
        told = []
        for arm, one in self.heard(delay_s).items():
            late = "gives up" if one.at_s is None else f"hears {one.at_s - delay_s:.0f} s late"
            told.append(f"{' '.join(arm.split())}: {late} after {one.calls} call{'s' * (one.calls > 1)}")
        return f"The person approves after {state['review_min']:g} min. {'; '.join(told)}."


def _title(heard: Mapping[str, Heard], review_min: float) -> str:
    if any(one.at_s is None for one in heard.values()):
        return f"Approved after {review_min:g} min: who polled has given up by then"
    calls = max(one.calls for one in heard.values())
    late_s = max(one.at_s for one in heard.values()) - 60 * review_min
    return f"Approved after {review_min:g} min: up to {calls} calls, and up to {late_s:.0f} s late"
