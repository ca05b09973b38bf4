"""How often should a client ask whether a person has approved, and how late does it hear?

Nothing is pushed, so a client that goes on polls. Each policy is judged on the same reviews by
its calls and its lag: the time from the approval to the poll that sees it.
"""

import itertools
import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING

import numpy as np

from osfhelpers.drawing.figures import INK, Outcome, headline
from osfhelpers.engine.parameters import ParameterError, Slider, number, whole_number
from osfhelpers.measuring.damage import LedgerRow
from osfhelpers.measuring.evidence import Count, Estimate, Expectation, Key, Mean, Quantile, published_numbers
from osfhelpers.models.frontier import draw_frontier, fixed_lag_s
from osfhelpers.models.lag_bars import draw_lag_bars
from osfhelpers.models.polling import BACKOFFS, POLICIES, Schedule, Waits, hear, poll_times_s, wait
from osfhelpers.models.review_delay import Outlook, ReviewDelay, quantile_sd

if TYPE_CHECKING:
    from matplotlib.axes import Axes

NAME = "waiting"
CHAPTER = "10"
HEIGHT_PX = 470
HEIGHT_PX_LAGS = 360
OWN = "your fixed interval"
FEED = "event feed at your interval, 3 reviews"
FEED_REVIEWS = 3
DELAY = "review delay"
QUANTILES = {"p50": 0.5, "p95": 0.95}
SEED = 2
LEAST_DONE = 0.05


@dataclass(frozen=True)
class Params:
    """One setting; the defaults are the published one.

    Args:
        reviews: how many reviews one run has; `gave up` counts among so many.
        median_min: half of all reviews are done by then.
        spread: the standard deviation of the logarithm of a review's time.
        budget_min: the first poll at or after this time is the last.
        interval_s: the reader's own fixed interval.
    """

    reviews: int = 2000
    median_min: float = 6.0
    spread: float = 1.0
    budget_min: float = 60.0
    interval_s: float = 30.0

    def __post_init__(self) -> None:
        whole_number("reviews", self.reviews, at_least=1)
        for name in ("median_min", "spread", "budget_min", "interval_s"):
            number(name, getattr(self, name), above=0)
        done = self.delay.law.cdf(self.budget_s)
        if done < LEAST_DONE:
            raise ParameterError(
                f"budget_min must be long enough to see {LEAST_DONE:.0%} of the reviews done, "
                f"but within {self.budget_min!r} min it is {done:.2%}"
            )

    @property
    def delay(self) -> ReviewDelay:
        return ReviewDelay(60 * self.median_min, self.spread)

    @property
    def budget_s(self) -> float:
        return 60 * self.budget_min

    @property
    def times_s(self) -> Mapping[str, Sequence[float]]:
        """The poll times of every policy that asks for one review, by arm."""
        own = {OWN: Schedule(self.interval_s)}
        return {arm: poll_times_s(policy, self.budget_s) for arm, policy in {**POLICIES, **own}.items()}


SLIDERS = (
    Slider("median_min", "median review", (2, 6, 15, 30), "min"),
    Slider("spread", "spread of the reviews", (0.5, 1, 1.5, 2)),
    Slider("interval_s", "your fixed interval", (5, 15, 30, 60, 120), "s"),
)


@dataclass(frozen=True, eq=False)
class Result:
    """What every simulated review came to, by arm."""

    params: Params
    waits: dict[str, Waits]

    @cached_property
    def estimates(self) -> dict[Key, Estimate]:
        """Means and quantiles over the reviews, by arm and measure."""
        found: dict[Key, Estimate] = {}
        for arm, waits in self.waits.items():
            found[Key(arm, "calls, mean")] = Mean.of(waits.calls)
            found[Key(arm, "gave up")] = Count(waits.missed, waits.calls.size, per=self.params.reviews)
            found[Key(arm, "lag mean")] = Mean.of(waits.lags_s)
            found |= {Key(arm, f"lag {name}"): Quantile.of(waits.lags_s, p) for name, p in QUANTILES.items()}
        return found


def simulate(params: Params, *, trials: int, rng: int | np.random.Generator) -> Result:
    """Let every policy wait for the same `trials` reviews.

    Each trial draws one review, and two more that only the event feed follows along with it.
    """
    whole_number("trials", trials, at_least=1)
    rng = np.random.default_rng(rng)
    delays = params.delay.median_s * np.exp(params.spread * rng.standard_normal((trials, FEED_REVIEWS)))
    first = delays[:, 0]
    waits = {arm: wait(times_s, first) for arm, times_s in params.times_s.items()}
    # One loop over the feed hears of all reviews in the Room, and ends with the last of them.
    loops = wait(params.times_s[OWN], delays.max(axis=1))
    waits[FEED] = Waits(loops.calls / FEED_REVIEWS, waits[OWN].lags_s, waits[OWN].missed)
    return Result(params, waits)


@cache
def replay() -> dict[Key, float]:
    """Repeat the published run on the real Room, draw for draw."""
    params, rng = Params(), random.Random(SEED)
    median_s = params.delay.median_s
    delays = [median_s * math.exp(rng.gauss(0, params.spread)) for _ in range(params.reviews)]
    found = {Key(DELAY, name): Quantile.of(np.array(delays), p).value for name, p in QUANTILES.items()}
    for arm in POLICIES:
        heard = hear(params.times_s[arm], delays)
        pairs = zip(heard, delays, strict=True)
        lags = np.array([one.at_s - delay for one, delay in pairs if one.at_s is not None])
        found[Key(arm, "calls, mean")] = sum(one.calls for one in heard) / params.reviews
        found |= {Key(arm, f"lag {name}"): Quantile.of(lags, p).value for name, p in QUANTILES.items()}
        found[Key(arm, "gave up")] = params.reviews - lags.size
    return found


def expected(params: Params) -> dict[Key, Expectation]:
    """Return the exact values, by sums over the poll times, each with the deviation of one run.

    With T the review's time and S its survival function, a client polls again at t if it
    has not seen the approval: 1 + sum of S(t) calls. See `osfhelpers.models.review_delay`.
    """
    n, delay = params.reviews, params.delay
    found = {}
    for arm, times_s in params.times_s.items():
        exact = Outlook(times_s, delay)
        found[Key(arm, "calls, mean")] = Expectation(exact.calls, exact.calls_sd / math.sqrt(n))
        found[Key(arm, "gave up")] = Expectation(n * exact.missed, math.sqrt(n * exact.missed * exact.seen))
        found[Key(arm, "lag mean")] = Expectation(exact.mean_lag_s)
        for name, p in QUANTILES.items():
            lag_s = exact.lag_quantile_s(p)
            sd = quantile_sd(p, n * exact.seen, exact.lag_density(lag_s))
            found[Key(arm, f"lag {name}")] = Expectation(lag_s, sd)
    # The feed hears of each review as the reader's own interval does, for a third of a loop's calls.
    found |= {key._replace(arm=FEED): known for key, known in found.items() if key.arm == OWN}
    still_open = 1 - delay.law.cdf(params.times_s[OWN][:-1]) ** FEED_REVIEWS
    found[Key(FEED, "calls, mean")] = Expectation((1 + float(still_open.sum())) / FEED_REVIEWS)
    for name, p in QUANTILES.items():
        value = float(delay.law.ppf(p))
        found[Key(DELAY, name)] = Expectation(value, quantile_sd(p, n, float(delay.law.pdf(value))))
    return found


def times_the_lag(result: Result, arm: str) -> float:
    """Return how much later a policy hears than the fixed interval that makes as many calls."""
    calls, lag_s = (result.estimates[Key(arm, measure)].value for measure in ("calls, mean", "lag mean"))
    return lag_s / fixed_lag_s(calls, result.params.delay, result.params.budget_s)


def draw(ax: "Axes", result: Result) -> None:
    """Draw calls against mean lag: every fixed interval as a line, and each policy as a point."""
    draw_frontier(ax, result.params.delay, result.params.budget_s)
    label = {"textcoords": "offset points"}
    point, ring = {"markersize": 7}, {"markersize": 11, "markerfacecolor": "none"}
    own = (f"your {result.params.interval_s:g} s", ring, {"xytext": (4, -10), "ha": "right", "va": "top"})
    feed = ("feed", ring, {"xytext": (-9, 0), "ha": "right", "va": "center"})
    for arm, waits in result.waits.items():
        at = waits.calls.mean(), waits.lags_s.mean()
        words, mark, place = {OWN: own, FEED: feed}.get(arm, (arm, point, {"xytext": (8, 5)}))
        ax.plot(*at, marker="o", color=INK, **mark)
        ax.annotate(words, at, **label, **place)
    backoff = result.waits[BACKOFFS[0]]
    calls, lag_s = backoff.calls.mean(), backoff.lags_s.mean()
    ax.vlines(calls, lag_s / times_the_lag(result, BACKOFFS[0]), lag_s, color=INK, linestyle=":")
    look = Outcome.RIGHT.value
    ax.plot(1, 1.2, marker=look.marker, markersize=11, color=look.colour)
    ax.annotate("ask the person: one call", (1, 1.2), (11, 0), va="center", **label)
    headline(ax, _finding(result), bottom=0.12)


def _finding(result: Result) -> str:
    times = times_the_lag(result, BACKOFFS[0])
    late = f"{times:.1f} times as late" if times >= 1.05 else "about as late"
    return f"Same calls: backoff is {late}"


def say(result: Result) -> str:
    """Say what the frontier shows, in one sentence."""
    params = result.params
    calls, lag_s = (result.estimates[Key(OWN, measure)].value for measure in ("calls, mean", "lag mean"))
    return (
        f"Median review {params.median_min:.3g} min, spread {params.spread:.3g}: polling every "
        f"{params.interval_s:g} s makes {calls:.1f} calls and hears {lag_s:.1f} s late on average. "
        f"{_finding(result)} as a fixed interval (dotted: from 5 s)."
    )


def draw_lags(ax: "Axes", result: Result) -> None:
    """Draw the median and the 95th percentile of the lag, with the published run beside them."""
    printed: dict[str, list[float]] = {}
    for arm, name in itertools.product(POLICIES, QUANTILES) if result.params == Params() else ():
        printed.setdefault(arm, []).extend(published_numbers(NAME, arm, f"lag {name}"))
    draw_lag_bars(ax, result.estimates, expected(result.params), printed)


def say_lags(result: Result) -> str:
    """Say what the bars show, in one sentence."""
    fixed, *_, backoff = (
        [f"{result.estimates[Key(arm, f'lag {name}')].value:.1f} s" for name in QUANTILES] for arm in POLICIES
    )
    return (
        f"Asking every 5 s hears half of the approvals within {fixed[0]} and 95 in 100 within {fixed[1]}; "
        f"the slower backoff takes {backoff[0]} and {backoff[1]}."
    )


def ledger_row() -> LedgerRow:
    """Return this chapter's row: a client that waits for a push, against one that polls."""
    exact = expected(Params())
    heard = Key("fixed 30 s", "gave up")
    calls = exact[Key("fixed 30 s", "calls, mean")].value
    return LedgerRow(
        chapter=CHAPTER,
        phrase="listChanged: false",
        wrong="an approval that the client never hears of; a session proposes one app",
        # A client that believes in a push makes no call, and hears of nothing.
        without_per_100=100.0 * (1 - wait((), np.zeros(1)).lags_s.size),
        with_per_100=100 * exact[heard].value / Params.reviews,
        cost=f"one call if you ask the person, {calls:.0f} calls if you poll every 30 s",
    )
