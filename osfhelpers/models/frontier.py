"""How few calls buy how little lag, and how near does the square-root law come to the best?

The best schedules were found ahead by `tools/best_schedules.py`, for the positions of the
sliders. What a schedule costs, in calls and in lag, is computed here, exactly.
"""

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from osfhelpers.drawing.figures import INK, PALE, headline
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
    labels = ((0, (0, 9), "left"), (2, (-8, -6), "right"), (5, (2, -18), "center"))
    for (arm, percent), (place, offset, side) in zip(result.percent.items(), labels, strict=True):
        width = 2.6 if arm == LAW else 1.4
        ax.plot(result.prices_s, percent, color=INK, linewidth=width, marker="o", markersize=4)
        at = result.prices_s[place], percent[place]
        ax.annotate(arm, at, offset, textcoords="offset points", ha=side)
    ax.set(xscale="log", xlim=(0.025, 400), ylim=(0, 200), yticks=range(0, 201, 50))
    ax.set_xticks([0.03, 0.3, 3, 30, 300], ["0.03", "0.3", "3", "30", "300"])
    ax.minorticks_off()
    ax.set(xlabel="price of a call, in seconds of lag", ylabel="above the best schedule, %")
    headline(ax, f"{LAW.capitalize()}: within {max(result.percent[LAW]):.1f}% of the best", bottom=0.16)


def say(result: ExtraCosts) -> str:
    """Say what the lines show, in one sentence."""
    least = [f"the {arm} at least {min(result.percent[arm]):.0f}%" for arm in BACKOFFS]
    return (
        f"The {LAW} is within {max(result.percent[LAW]):.1f}% of the best schedule at every price of a call "
        f"from {result.prices_s[0]:g} s to {result.prices_s[-1]:g} s of lag; {' and '.join(least)} above it."
    )
