"""How few calls buy how little lag, and how near does the square-root law come to the best?

The best schedules were found ahead by `tools/best_schedules.py`, for the positions of the
sliders. What a schedule costs, in calls and in lag, is computed here, exactly.
"""

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from osfhelpers.drawing.figures import INK, PALE
from osfhelpers.engine.data import load
from osfhelpers.models.polling import BACKOFFS, POLICIES, Schedule, poll_times_s
from osfhelpers.models.review_delay import Outlook, ReviewDelay, best_interval_s

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@cache
def fixed_family(delay: ReviewDelay, budget_s: float) -> tuple[np.ndarray, np.ndarray]:
    """Return calls and mean lag of fixed intervals from 3 s (or 10,000 polls) to 10 min."""
    intervals_s = np.geomspace(max(3, budget_s / 10_000), 600, 40)
    outlooks = [Outlook(poll_times_s(Schedule(d), budget_s), delay) for d in intervals_s]
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


def draw_frontier(ax: "Axes", delay: ReviewDelay, budget_s: float) -> None:
    """Draw calls against lag: a line for all fixed intervals, and the place that no schedule reaches."""
    best = best_possible(delay, budget_s).values()
    if best:
        calls, lags_s = zip(*((each.calls, each.mean_lag_s) for each in best), strict=True)
        ax.fill_between([*calls, 0.35], 1, [*lags_s, lags_s[-1]], color=PALE, alpha=0.5, linewidth=0)
        ax.text(0.4, 4.2, "no list of times for one\nreview gets here", va="center")
    calls, lags_s = fixed_family(delay, budget_s)
    ax.plot(calls, lags_s, color=INK, linewidth=1.6)
    place = np.abs(lags_s - 260).argmin()
    words = "every fixed interval"
    ax.annotate(words, (calls[place], lags_s[place]), (9, 0), textcoords="offset points")
    ax.set(xscale="log", yscale="log", xlim=(0.35, 2000), ylim=(1, 400))
    ticks = (1, 3, 10, 30, 100, 300, 1000)
    ax.set_xticks(ticks, [*map(str, ticks)])
    ax.set_yticks(ticks[:-1], [*map(str, ticks[:-1])])
    ax.minorticks_off()
    ax.set(xlabel="calls per review, mean", ylabel="lag, mean, s")


def above_best_percent(policy: Schedule, price_s: float, delay: ReviewDelay, budget_s: float = 3600) -> float:
    """Return how much more a policy costs than the best schedule, if a call is worth `price_s` of lag."""
    outlook = Outlook(poll_times_s(policy, budget_s), delay)
    return 100 * (outlook.cost_s(price_s) / best_possible(delay, budget_s)[price_s].cost_s(price_s) - 1)


def law(price_s: float, delay: ReviewDelay, budget_s: float = 3600) -> Schedule:
    """Return the fixed interval of the square-root law."""
    return Schedule(best_interval_s(delay.mean_wait_s(budget_s), price_s))


@dataclass(frozen=True)
class AboveBest:
    """What the square-root law and both published backoffs cost above the best schedule."""

    a_call_is_worth: str
    square_root_law: str
    backoff_from_5_s: str
    backoff_from_10_s: str


def above_best(delay: ReviewDelay, budget_s: float = 3600) -> list[AboveBest]:
    """Hold the policies against the best schedule at every price of a call for which one is stored.

    Raises:
        ValueError: none are stored for this delay and budget.
    """
    prices_s = best_possible(delay, budget_s)
    if not prices_s:
        raise ValueError(f"no best schedules are stored for {delay} and a budget of {budget_s!r} s")
    rows = []
    for price_s in prices_s:
        fixed = law(price_s, delay, budget_s)
        own, *backoffs = (
            f"+{above_best_percent(policy, price_s, delay, budget_s):,.0f}%"
            for policy in (fixed, *(POLICIES[arm] for arm in BACKOFFS))
        )
        rows.append(AboveBest(f"{price_s:g} s of lag", f"every {fixed.first_s:.0f} s: {own}", *backoffs))
    return rows
