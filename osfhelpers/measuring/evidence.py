"""How sure is a number?

An `Estimate` keeps counts; its value, its standard error and its interval are derived. An
`Expectation` is exact. A `Figure` is a published number, with the digits that were printed.
All three are keyed by `Key`, so that any of them can be held against the others.
"""

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from osfhelpers.engine.data import checksums, load

if TYPE_CHECKING:
    import numpy as np


Z_95 = 1.959964


class Key(NamedTuple):
    """What a figure is about: the arm of the experiment, the measure, and for one run its seed."""

    arm: str
    measure: str
    run: str = ""


@dataclass(frozen=True)
class Mean:
    """The mean of `n` independent values, kept as two sums: of the values, and of their spread.

    Args:
        squares: the sum of the squared distances from the mean, which loses no digits far from 0.
    """

    n: int
    total: float
    squares: float

    @classmethod
    def of(cls, values: "np.ndarray") -> "Mean":
        """Return the mean of an array of independent values."""
        return cls(values.size, float(values.sum()), float(((values - values.mean()) ** 2).sum()))

    @property
    def value(self) -> float:
        return self.total / self.n

    @property
    def standard_error(self) -> float:
        if self.n < 2:
            return math.inf
        return math.sqrt(self.squares / (self.n - 1) / self.n)

    def interval(self, confidence: float = 0.95) -> tuple[float, float]:
        """Return the normal confidence interval of the mean."""
        from scipy.stats import norm

        margin = float(norm.ppf((1 + confidence) / 2)) * self.standard_error
        return self.value - margin, self.value + margin


@dataclass(frozen=True)
class Share:
    """A share: `k` of `n` independent trials."""

    k: int
    n: int

    @property
    def value(self) -> float:
        return self.k / self.n

    @property
    def standard_error(self) -> float:
        # From the interval, so that a rare event that was not seen once is not called impossible.
        low, high = self.interval()
        return (high - low) / (2 * Z_95)

    def interval(self, confidence: float = 0.95) -> tuple[float, float]:
        """Return Wilson's confidence interval of the share."""
        from scipy.stats import binomtest

        found = binomtest(self.k, self.n).proportion_ci(confidence, method="wilson")
        return float(found.low), float(found.high)


@dataclass(frozen=True)
class Count:
    """How many of `per` trials, judged by `k` counted among `n` independent ones."""

    k: int
    n: int
    per: int

    @property
    def value(self) -> float:
        return self.per * self.k / self.n

    @property
    def standard_error(self) -> float:
        return self.per * Share(self.k, self.n).standard_error

    def interval(self, confidence: float = 0.95) -> tuple[float, float]:
        """Return Wilson's confidence interval, scaled."""
        low, high = Share(self.k, self.n).interval(confidence)
        return self.per * low, self.per * high


@dataclass(frozen=True, eq=False)
class Quantile:
    """The quantile `p` of independent values, which are kept in order.

    It is `ordered[int(p * n)]`, as the articles take it.
    """

    p: float
    ordered: "np.ndarray" = field(repr=False)

    @classmethod
    def of(cls, values: "np.ndarray", p: float) -> "Quantile":
        """Return a quantile of an array of independent values."""
        ordered = values.copy()
        ordered.sort()
        return cls(p, ordered)

    @property
    def n(self) -> int:
        return self.ordered.size

    @property
    def value(self) -> float:
        return float(self.ordered[int(self.p * self.n)])

    @property
    def standard_error(self) -> float:
        low, high = self.interval()
        return (high - low) / (2 * Z_95)

    def interval(self, confidence: float = 0.95) -> tuple[float, float]:
        """Return the order statistics between which the quantile lies, whatever the distribution."""
        from scipy.stats import binom

        ranks = binom.ppf([(1 - confidence) / 2, (1 + confidence) / 2], self.n, self.p)
        low, high = (float(self.ordered[min(int(rank), self.n - 1)]) for rank in ranks)
        return low, high


@dataclass(frozen=True)
class Measured:
    """A value without any chance in it, such as a size."""

    value: float
    standard_error: float = 0.0


Estimate = Mean | Share | Count | Quantile | Measured


@dataclass(frozen=True)
class Expectation:
    """The exact value of a measure; `sd` is the standard deviation of one published run, if known."""

    value: float
    sd: float | None = None


@dataclass(frozen=True)
class Figure:
    """One published figure as it was printed; `value` keeps its digits."""

    key: Key
    unit: str
    value: str

    @property
    def decimals(self) -> int:
        return len(self.value.partition(".")[2])

    def shows(self, found: float | str) -> bool:
        """Whether a value found by a replay prints as the published digits."""
        return (found if isinstance(found, str) else f"{found:.{self.decimals}f}") == self.value

    @property
    def number(self) -> float | None:
        """The figure as a number, or None for a verdict in words."""
        return None if self.unit == "text" else float(self.value)


def published(experiment: str) -> tuple[Figure, ...]:
    """Return the published figures of an experiment, in the order of the article, if it has any."""
    name = f"published/{experiment}.json"
    if name not in checksums():
        return ()
    return tuple(
        Figure(Key(row["arm"], row["measure"], run), row["unit"], value)
        for row in load(name)["figures"]
        for run, value in row["values"].items()
    )


def published_numbers(experiment: str, arm: str, measure: str) -> list[float]:
    """Return what was published for one measure of an arm: one number for each run."""
    return [figure.number for figure in published(experiment) if figure.key[:2] == (arm, measure)]
