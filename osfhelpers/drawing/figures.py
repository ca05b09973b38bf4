"""What does every figure of the series look like?

The three outcomes have the same colour, marker and hatch everywhere. Published values are a
black diamond, expected values a black tick, simulated values a bar or dot with its interval.
The functions here draw on axes that `osfhelpers.drawing.canvas` has made.
"""

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WIDTH_PX = 720
INCH_PX = 100
CHARACTER_PX = 8.1
TITLE_PX = 62
TITLE_CHARACTERS = 38
INK = "#1b1b1b"
FAINT = "#6b6b6b"
PALE = "#d8d3c6"
CARD = "#fffdf8"


@dataclass(frozen=True)
class Look:
    """How one outcome is drawn, and the words for it."""

    colour: str
    marker: str
    hatch: str
    words: str


class Outcome(Enum):
    """The three ways in which a call can end, for the person whose Note it is."""

    RIGHT = Look("#009E73", "o", "", "right")
    SILENT = Look("#D55E00", "X", "xxxx", "wrong, nobody noticed")
    LOUD = Look("#56B4E9", "s", "//", "failed and said so")


MARKS = {
    "published": {"marker": "D", "markersize": 6, "markeredgecolor": "white"},
    "expected": {"marker": "|", "markersize": 12, "markeredgewidth": 1.6},
    "95% of single runs": {"marker": "_", "markersize": 14, "markeredgewidth": 1.6},
    "phrase back": {"marker": "o", "markersize": 10, "markeredgecolor": "white", "color": "#009E73"},
}


def stacked_bar(
    axes: "Axes", y: float, parts: Sequence[tuple[Outcome, float]], *, height: float = 0.62
) -> float:
    """Draw one horizontal bar of outcomes, end to end, and return where it ends."""
    left = 0.0
    for outcome, length in parts:
        if length > 0:
            look = outcome.value
            colours = {"color": look.colour, "hatch": look.hatch, "edgecolor": "white"}
            axes.barh(y, length, height, left=left, linewidth=0, **colours)
            left += length
    return left


def published_point(axes: "Axes", x: float, y: float) -> None:
    """Mark a published value with a black diamond."""
    axes.plot(x, y, color=INK, clip_on=False, zorder=5, **MARKS["published"])


def whisker(axes: "Axes", low: float, high: float, y: float) -> None:
    """Draw an interval as a thin line with small ends."""
    axes.plot([low, high], [y, y], color=INK, linewidth=1.6, marker="|", markersize=6, zorder=4)


def expected_tick(axes: "Axes", x: float, y: float, *, half: float = 0.4) -> None:
    """Mark an expected value with a thin black tick."""
    axes.plot([x, x], [y - half, y + half], color=INK, linewidth=1.6, zorder=4)


def outcome_row(
    axes: "Axes",
    y: float,
    parts: Sequence[tuple[Outcome, float]],
    words: str,
    *,
    expected: float | None = None,
    interval: tuple[float, float] = (0, 0),
    published: Sequence[float] = (),
) -> None:
    """Draw one bar of outcomes with the marks of what else is known, and words at its end.

    Args:
        expected, interval, published: where one of the boundaries between the parts should lie.
    """
    end = stacked_bar(axes, y, parts)
    if interval[1] > interval[0]:
        whisker(axes, *interval, y)
    if expected is not None:
        expected_tick(axes, expected, y)
    for x in published:
        published_point(axes, x, y + 0.43)
    axes.text(max(end, interval[1]), y, f"  {words}", va="center")


def histogram_of_runs(
    axes: "Axes", values: Any, *, expected: float, published: Sequence[float], xlabel: str
) -> None:
    """Draw how single runs are spread, with the expected value and the published runs among them.

    Args:
        values: one whole number per run.
    """
    import numpy as np

    found, counts = np.unique(values, return_counts=True)
    percent = 100 * counts / np.size(values)
    look = Outcome.SILENT.value
    axes.bar(found, percent, width=0.9, color=look.colour, hatch=look.hatch, edgecolor="white", linewidth=0)
    axes.axvline(expected, color=INK, linewidth=1.6)
    axes.annotate(
        f"expected {expected:,.1f}",
        (expected, percent.max() * 1.1),
        (5, 0),
        va="center",
        textcoords="offset points",
    )
    for x in published:
        published_point(axes, x, percent.max() * 0.05)
    axes.grid(visible=False, axis="x")
    axes.set(xlabel=xlabel, ylabel="runs, %", ylim=(0, percent.max() * 1.2))


def headline(
    axes: "Axes", finding: str, *, left: float = 0.1, bottom: float = 0.2, labels_px: float = 0
) -> None:
    """Place the axes inside margins (shares of the figure) and title it with its finding.

    Above the axes there is room for two lines, each as short as what a phone shows of a figure.

    Args:
        labels_px: the height of tick labels between the axes and the title.

    Raises:
        ValueError: if the finding takes more than two lines.
    """
    top = (TITLE_PX + labels_px) / (axes.figure.get_figheight() * INCH_PX)
    axes.set_position((left, bottom, 0.975 - left, 1 - bottom - top))
    axes.set_title(_in_lines(finding), pad=8, x=_figure_left(axes))


def _in_lines(finding: str) -> str:
    lines = len(textwrap.wrap(finding, TITLE_CHARACTERS))
    if lines > 2:
        raise ValueError(f"a title has two lines of {TITLE_CHARACTERS} characters at most: {finding!r}")
    # The narrowest width with as many lines: so none of them is left with one word.
    widths = range(len(finding) // lines, TITLE_CHARACTERS + 1)
    return next(text for width in widths if (text := textwrap.fill(finding, width)).count("\n") < lines)


def outcome_legend(
    axes: "Axes", words: Mapping[Outcome, str], *, marks: Sequence[str] = (), as_markers: bool = False
) -> None:
    """Explain the colours in a line at the foot of the figure, and the marks in a line below it.

    Made of plain patches and texts: matplotlib's own legend computes its layout anew for every
    frame, which takes a quarter of the frame's time.

    Args:
        as_markers: whether the figure shows an outcome as its marker, and not as a bar.
    """
    from matplotlib.patches import Rectangle
    from matplotlib.transforms import Affine2D

    figure = axes.figure
    height_px = figure.get_figheight() * INCH_PX
    pixels = Affine2D().scale(1 / WIDTH_PX, 1 / height_px) + figure.transFigure
    signs = {outcome: _marker(outcome) if as_markers else outcome for outcome in words}
    lines = [[(signs[outcome], text) for outcome, text in words.items()]]
    lines += [[(MARKS[mark], mark) for mark in marks]]
    for y, entries in zip((36, 12) if marks else (12,), lines, strict=False):
        x = 16
        for sign, text in entries:
            if isinstance(sign, Outcome):
                look = {"facecolor": sign.value.colour, "hatch": sign.value.hatch, "edgecolor": "white"}
                patch = Rectangle((x, y), 22, 12, transform=pixels, linewidth=0, clip_on=False, **look)
                axes.add_patch(patch)
            else:
                axes.plot(x + 11, y + 6, transform=pixels, clip_on=False, **{"color": INK, **sign})
            axes.text(x + 30, y + 6, text, transform=pixels, va="center_baseline")
            x += 30 + CHARACTER_PX * len(text) + 18


def _marker(outcome: Outcome) -> dict[str, Any]:
    return {"marker": outcome.value.marker, "markersize": 10, "color": outcome.value.colour}


def _figure_left(axes: "Axes") -> float:
    box = axes.get_position()
    return (0.02 - box.x0) / box.width
