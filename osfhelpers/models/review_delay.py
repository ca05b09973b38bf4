"""How long does a person take, and what does a list of poll times make of it, exactly?

A review lasts a log-normal time: most take minutes, a few take half an hour. Until the review
is done every poll gets the same answer, so that a client's policy is nothing but a list of
times; `Outlook` says what such a list costs and how late it hears, by sums without any chance.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from osfhelpers.engine.parameters import number


@dataclass(frozen=True)
class ReviewDelay:
    """A log-normal time until a person has decided.

    Args:
        median_s: half of all reviews are done by then, in seconds.
        spread: the standard deviation of the logarithm.
    """

    median_s: float
    spread: float

    def __post_init__(self) -> None:
        number("median_s", self.median_s, above=0)
        number("spread", self.spread, above=0)

    @cached_property
    def law(self) -> Any:
        """The distribution, as SciPy has it."""
        from scipy.stats import lognorm

        return lognorm(self.spread, scale=self.median_s)

    def partial_mean_s(self, moments_s: Any) -> Any:
        """Return the part of the mean that comes from the reviews done by each moment."""
        return self.law.mean() * self.law.cdf(np.asarray(moments_s) * math.exp(-(self.spread**2)))

    def mean_wait_s(self, budget_s: float) -> float:
        """Return how long a client waits on average, if it stops at the budget."""
        return float(self.partial_mean_s(budget_s) + budget_s * self.law.sf(budget_s))


class Outlook:
    """What one review comes to for a client that polls at these times, the last one its budget."""

    def __init__(self, times_s: Sequence[float], delay: ReviewDelay) -> None:
        self.delay = delay
        self.times_s = np.asarray(times_s, dtype=float)
        self.gaps_s = np.diff(self.times_s, prepend=0)
        self.done = delay.law.cdf(self.times_s)
        self.first_seen = np.diff(self.done, prepend=0)  # how likely each poll is the one that sees it
        self.seen, self.missed = float(self.done[-1]), float(delay.law.sf(self.times_s[-1]))

    @property
    def calls(self) -> float:
        """The mean number of calls: poll k + 1 is made if the review outlasted poll k."""
        return 1 + float((1 - self.done[:-1]).sum())

    @property
    def calls_sd(self) -> float:
        """The standard deviation of the calls of one review."""
        calls = range(1, self.times_s.size + 1)
        square = sum(k * k * share for k, share in zip(calls, self.first_seen, strict=True))
        return math.sqrt(max(0.0, square + self.missed * self.times_s.size**2 - self.calls**2))

    @property
    def mean_lag_s(self) -> float:
        """How late the client hears of the reviews that it sees, on average."""
        heard = float(self.times_s @ self.first_seen)
        return (heard - float(self.delay.partial_mean_s(self.times_s[-1]))) / self.seen

    def cost_s(self, call_price_s: float) -> float:
        """Return calls and lag as one number: a call costs as much as so many seconds of lag."""
        return call_price_s * self.calls + self.mean_lag_s * self.seen

    def lag_share(self, lag_s: float) -> float:
        """Return how many of the seen reviews are heard of within `lag_s`."""
        since = self.times_s - np.minimum(lag_s, self.gaps_s)
        return float((self.done - self.delay.law.cdf(since)).sum()) / self.seen

    def lag_quantile_s(self, p: float) -> float:
        """Return the lag that a share `p` of the seen reviews does not exceed."""
        from scipy.optimize import brentq

        return brentq(lambda lag_s: self.lag_share(lag_s) - p, 0, self.gaps_s.max())

    def lag_density(self, lag_s: float) -> float:
        """Return the density of the lag, from which a quantile's standard error follows."""
        at = self.times_s[self.gaps_s > lag_s] - lag_s
        return float(self.delay.law.pdf(at).sum()) / self.seen


def quantile_sd(p: float, n: float, density: float) -> float:
    """Return the standard deviation of the quantile `p` of `n` independent values."""
    return math.sqrt(p * (1 - p) / n) / density


def best_interval_s(mean_wait_s: float, call_price_s: float) -> float:
    """Return the square-root law: the fixed interval that balances calls against lag.

    An interval d costs about `mean_wait_s / d` calls and d/2 of lag; the sum of both is
    smallest where they cost the same.
    """
    number("mean_wait_s", mean_wait_s, above=0)
    number("call_price_s", call_price_s, above=0)
    return math.sqrt(2 * call_price_s * mean_wait_s)
