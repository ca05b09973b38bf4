"""Which values may a knob take, and what is said when a value is impossible?

Experiments describe their sliders with `Slider` and check their parameters with the
functions here, so that every refusal names the parameter, the value and what was expected.
"""

import sys
from collections.abc import Iterable
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any

LARGEST = sys.float_info.max  # a whole number beyond it is none that can be calculated with


class ParameterError(ValueError):
    """A parameter has a value for which the experiment has no meaning."""


@dataclass(frozen=True)
class Slider:
    """One knob of an explorer: a field of `Params` and the values that it moves over."""

    field: str
    label: str
    values: tuple[Any, ...]
    unit: str = ""

    @property
    def in_words(self) -> bool:
        """Whether the values are things to choose from, which no reader could find on a scale."""
        return isinstance(self.values[0], (str, tuple))

    def show(self, value: Any) -> str:
        """Return a value as a reader sees it: a share in per cent, several values in one line."""
        if value is None:
            return "no limit"
        if self.unit == "%":
            return f"{100 * value:.3g}%"
        if isinstance(value, tuple):
            return " and ".join(map(str, value))
        return f"{value:,} {self.unit}".strip() if isinstance(value, Real) else str(value)


def one_of(name: str, value: str, known: Iterable[str]) -> None:
    """Refuse a value that is none of the known ones."""
    known = list(known)
    if value not in known:
        raise ParameterError(f"{name} must be one of {', '.join(known)}, but it is {value!r}")


def probability(name: str, value: float, *, below_one: bool = False) -> None:
    """Refuse a value that is no probability; with `below_one`, refuse certainty as well."""
    number(name, value)
    if not 0 <= value <= 1:
        raise ParameterError(f"{name} must be a probability from 0 to 1, but it is {value!r}")
    if below_one and value == 1:
        raise ParameterError(f"{name} must be below 1, but it is 1: nothing would ever arrive")


def whole_number(name: str, value: int, *, at_least: int, at_most: int | None = None) -> None:
    """Refuse a value that is not a whole number of at least `at_least`, or is above `at_most`."""
    whole = isinstance(value, Integral) and not isinstance(value, bool)
    if not whole or value < at_least or (at_most is not None and value > at_most):
        wanted = f"of at least {at_least}" if at_most is None else f"from {at_least} to {at_most}"
        raise ParameterError(f"{name} must be a whole number {wanted}, but it is {value!r}")


def number(name: str, value: float, *, above: float | None = None) -> None:
    """Refuse a value that is not a finite number, or not above `above`."""
    if isinstance(value, bool) or not isinstance(value, Real) or not -LARGEST <= value <= LARGEST:
        raise ParameterError(f"{name} must be a finite number, but it is {value!r}")
    if above is not None and not value > above:
        raise ParameterError(f"{name} must be above {above}, but it is {value!r}")
