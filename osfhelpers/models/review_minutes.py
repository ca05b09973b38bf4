"""How long do your own reviews take? Minutes, pasted as text, and the log-normal fit to them."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from osfhelpers.drawing.figures import FAINT, INK, headline
from osfhelpers.engine.parameters import ParameterError, number
from osfhelpers.models.review_delay import ReviewDelay

if TYPE_CHECKING:
    from matplotlib.axes import Axes

HEIGHT_PX = 340
FEWEST = 5


@dataclass(frozen=True)
class ReviewMinutes:
    """Measured reviews in minutes, in order; median and spread are those of the fit."""

    minutes: tuple[float, ...]

    @property
    def logarithms(self) -> np.ndarray:
        return np.log(self.minutes)

    @property
    def median_min(self) -> float:
        return float(np.exp(self.logarithms.mean()))

    @property
    def spread(self) -> float:
        return float(self.logarithms.std(ddof=1))

    @property
    def delay(self) -> ReviewDelay:
        return ReviewDelay(60 * self.median_min, self.spread)


def review_minutes(pasted: str | Iterable[float]) -> ReviewMinutes:
    """Return the fit to minutes given as numbers, or as text with spaces, commas or lines between.

    Raises:
        ParameterError: a value is no positive number, or there are too few, or all are equal.
    """
    values = re.split(r"[\s,;]+", pasted.strip(" \t\r\n,;")) if isinstance(pasted, str) else list(pasted)
    minutes = sorted(_minutes(place, value) for place, value in enumerate(values, 1) if value != "")
    if len(minutes) < FEWEST:
        raise ParameterError(f"a fit needs at least {FEWEST} reviews, but there are {len(minutes)}")
    if minutes[0] == minutes[-1]:
        raise ParameterError(f"all reviews took {minutes[0]:g} min, so there is no spread to fit")
    return ReviewMinutes(tuple(minutes))


def _minutes(place: int, value: object) -> float:
    name = f"review {place}"
    if isinstance(value, str):
        try:
            value = float(value)
        except ValueError:
            raise ParameterError(f"{name} must be minutes such as 4 or 7.5, but it is {value!r}") from None
    number(name, value, above=0)
    return float(value)


def draw(ax: "Axes", result: ReviewMinutes) -> None:
    """Draw the share of reviews done by each minute: the measured steps and the fitted curve."""
    most = 1.15 * result.minutes[-1]
    done = 100 * np.arange(1, len(result.minutes) + 1) / len(result.minutes)
    ax.step([0, *result.minutes, most], [0, *done, 100], where="post", color=FAINT, linewidth=2.2)
    grid = np.linspace(0, most, 200)
    ax.plot(grid, 100 * result.delay.law.cdf(60 * grid), color=INK, linewidth=1.6)
    ax.text(0.97, 0.2, "steps: your reviews", color=FAINT, transform=ax.transAxes, ha="right")
    ax.text(0.97, 0.1, "curve: the fit", transform=ax.transAxes, ha="right")
    ax.set(xlim=(0, most), ylim=(0, 105), xlabel="minutes since the proposal", ylabel="reviews done, %")
    headline(ax, f"The fit: half are done within {result.median_min:.2g} min", bottom=0.18)


def say(result: ReviewMinutes) -> str:
    """Say what the fit found, in one sentence."""
    return (
        f"{len(result.minutes)} reviews took {result.minutes[0]:g} to {result.minutes[-1]:g} min; the "
        f"log-normal fit has a median of {result.median_min:.2g} min and a spread of {result.spread:.2g}."
    )
