"""How sure is a number?

An `Estimate` keeps counts; its value, its standard error and its interval are derived. An
`Expectation` is exact. A `Figure` is a published number, with the digits that were printed.
All three are keyed by `Key`, so that any of them can be held against the others.
"""

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from osfhelpers.data import load

if TYPE_CHECKING:
    import numpy as np


class Key(NamedTuple):
    """What a figure is about: the arm of the experiment, the measure, and for one run its seed."""

    arm: str
    measure: str
    run: str = ""


@dataclass(frozen=True)
class Mean:
    """The mean of `n` independent values, kept as their sum and their sum of squares."""

    n: int
    total: float
    squares: float

    @classmethod
    def of(cls, values: "np.ndarray") -> "Mean":
        """Return the mean of an array of independent values."""
        return cls(values.size, float(values.sum()), float((values.astype(float) ** 2).sum()))

    @property
    def value(self) -> float:
        return self.total / self.n

    @property
    def standard_error(self) -> float:
        if self.n < 2:
            return math.inf
        spread = max(0.0, self.squares - self.n * self.value**2)
        return math.sqrt(spread / (self.n - 1) / self.n)

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
        return math.sqrt(self.value * (1 - self.value) / self.n)

    def interval(self, confidence: float = 0.95) -> tuple[float, float]:
        """Return Wilson's confidence interval of the share."""
        from scipy.stats import binomtest

        found = binomtest(self.k, self.n).proportion_ci(confidence, method="wilson")
        return float(found.low), float(found.high)


Estimate = Mean | Share


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
    """Return the published figures of an experiment, in the order of the article."""
    return tuple(
        Figure(Key(row["arm"], row["measure"], run), row["unit"], value)
        for row in load(f"published/{experiment}.json")["figures"]
        for run, value in row["values"].items()
    )
