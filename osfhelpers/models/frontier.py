"""How few calls buy how little lag, and how near does the square-root law come to the best?

The best schedules were found ahead by `tools/best_schedules.py`, for the positions of the
sliders. What a schedule costs, in calls and in lag, is computed here, exactly.
"""

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from osfhelpers.drawing.figures import INK, headline
from osfhelpers.engine.data import load
from osfhelpers.models.polling import BACKOFFS, POLICIES, Schedule, schedule_times_s
from osfhelpers.models.review_delay import Outlook, ReviewDelay, best_interval_s

if TYPE_CHECKING:
    from matplotlib.axes import Axes

HEIGHT_PX = 360
LAW = "square-root law"


@cache
def fixed_family(delay: ReviewDelay, budget_s: float) -> tuple[np.ndarray, np.ndarray]:
    """Return calls and mean lag of fixed intervals from 3 s (or 10,000 polls) to 10 min."""
    intervals_s = np.geomspace(max(3, budget_s / 10_000), 600, 40)
    outlooks = [Outlook(schedule_times_s(Schedule(d), budget_s), delay) for d in intervals_s]
    return np.array([each.calls for each in outlooks]), np.array([each.mean_lag_s for each in outlooks])


def fixed_lag_s(calls: float, delay: ReviewDelay, budget_s: float) -> float:
    """Return the mean lag of the fixed interval that makes so many calls."""
    known, lags_s = fixed_family(delay, budget_s)
    return float(np.exp(np.interp(np.log(calls), np.log(known[::-1]), np.log(lags_s[::-1]))))


@cache
def best_possible(delay: ReviewDelay, budget_s: float) -> dict[float, Outlook]:
    """Return the best schedules by the price of a call in seconds; none where none is stored."""
    return {
        row["call_price_s"]: Outlook(row["times_s"], delay)
        for stored in load("best_schedules.json")["settings"]
        if (60 * stored["median_min"], stored["spread"]) == (delay.median_s, delay.spread)
        if 60 * stored["budget_min"] == budget_s
        for row in stored["schedules"]
    }


@dataclass(frozen=True)
class ExtraCosts:
    """How much more than the best schedule each policy costs: per cent, by price of a call."""

    prices_s: tuple[float, ...]
    percent: dict[str, tuple[float, ...]]


def extra_costs(delay: ReviewDelay, budget_s: float = 3600) -> ExtraCosts:
    """Hold the square-root law and both published backoffs against the best schedule.

    Raises:
        ValueError: no best schedules are stored for this delay and budget.
    """
    best = best_possible(delay, budget_s)
    if not best:
        raise ValueError(f"no best schedules are stored for {delay} and a budget of {budget_s!r} s")
    mean_wait_s = delay.mean_wait_s(budget_s)

    def percent(policy: Schedule, price_s: float) -> float:
        outlook = Outlook(schedule_times_s(policy, budget_s), delay)
        return 100 * (outlook.cost_s(price_s) / best[price_s].cost_s(price_s) - 1)

    law = tuple(percent(Schedule(best_interval_s(mean_wait_s, price_s)), price_s) for price_s in best)
    backoffs = {arm: tuple(percent(POLICIES[arm], price_s) for price_s in best) for arm in BACKOFFS}
    return ExtraCosts(tuple(best), {LAW: law, **backoffs})


def draw(ax: "Axes", result: ExtraCosts) -> None:
    """Draw the extra cost against the price of a call, one line per policy."""
    for arm, percent in result.percent.items():
        width = 2.6 if arm == LAW else 1.4
        ax.plot(result.prices_s, percent, color=INK, linewidth=width, marker="o", markersize=4)
    for arm, place, offset, side in zip(
        result.percent, (0, 2, 5), ((0, 9), (-8, -6), (2, -18)), ("left", "right", "center"), strict=True
    ):
        at = result.prices_s[place], result.percent[arm][place]
        ax.annotate(arm, at, offset, textcoords="offset points", ha=side)
    ax.set(xscale="log", xlim=(0.025, 400), ylim=(0, 200), yticks=range(0, 201, 50))
    ax.set_xticks([0.03, 0.3, 3, 30, 300], ["0.03", "0.3", "3", "30", "300"])
    ax.minorticks_off()
    ax.set(xlabel="price of a call, in seconds of lag", ylabel="above the best schedule, %")
    headline(ax, _title(result), bottom=0.16)


def _title(result: ExtraCosts) -> str:
    return f"The square-root law is within {max(result.percent[LAW]):.1f}% of the best schedule"


def say(result: ExtraCosts) -> str:
    """Say what the lines show, in one sentence."""
    least = [f"the {arm} at least {min(result.percent[arm]):.0f}%" for arm in BACKOFFS]
    return (
        f"{_title(result)} at every price of a call from {result.prices_s[0]:g} s to "
        f"{result.prices_s[-1]:g} s of lag; {' and '.join(least)} above it."
    )
