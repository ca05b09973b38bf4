"""What does the damage ledger say in three seconds?

One bar per phrase: the wrong outcomes of 100 sessions without it, and a mark for those with it.
"""

import textwrap
from collections.abc import Sequence
from itertools import accumulate
from typing import TYPE_CHECKING

from osfhelpers.drawing.figures import CARD, FAINT, TITLE_PX, Outcome, headline, outcome_legend
from osfhelpers.measuring.damage import LedgerRow

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LINE_PX = 19
BAR_PX = 34
BAR_ABOVE_END_PX = 20
TOP_PX = 6
FOOT_PX = 114
MOST_SHOWN = 112
NUMBERS_X = -20
# So much of a phrase stands on what a phone shows of a figure.
PHRASE_CHARACTERS = 48


def height_px(rows: Sequence[LedgerRow]) -> int:
    """Return how high the picture of these rows is."""
    return TITLE_PX + TOP_PX + FOOT_PX + sum(map(_row_px, rows))


def draw(axes: "Axes", rows: Sequence[LedgerRow]) -> None:
    """Draw the rows in order, from the top; a bar too long for the picture ends behind a gap."""
    headline(axes, _finding(rows), left=0.03, bottom=FOOT_PX / height_px(rows))
    struck, kept = Outcome.SILENT.value, Outcome.RIGHT.value
    bar = {"height": 18, "hatch": struck.hatch, "edgecolor": "white", "linewidth": 0}
    ends = list(accumulate(map(_row_px, rows)))
    for end, row in zip(ends, rows, strict=True):
        y = end - BAR_ABOVE_END_PX
        axes.text(NUMBERS_X, end - BAR_PX, f"{row.chapter}  {_label(row)}", va="bottom", linespacing=1.3)
        # The numbers stand in front, where a phone shows them without scrolling.
        numbers = f"{row.without_per_100:,.0f} → {row.with_per_100:,.0f}"
        axes.text(NUMBERS_X, y, numbers, va="center", fontweight="bold")
        axes.barh(y, min(row.without_per_100, MOST_SHOWN), color=struck.colour, **bar)
        if row.without_per_100 > MOST_SHOWN:
            axes.text(
                MOST_SHOWN - 6, y, "//", color=CARD, fontsize=22, fontweight="bold", va="center_baseline"
            )
        axes.plot(row.with_per_100, y, kept.marker, color=kept.colour, mec="white", ms=10, clip_on=False)
    axes.set(xlim=(NUMBERS_X, MOST_SHOWN), ylim=(ends[-1], -TOP_PX), yticks=[], xticks=range(0, 101, 25))
    axes.set_xlabel("wrong outcomes in 100 sessions", loc="left", color=FAINT)
    outcome_legend(axes, {Outcome.SILENT: "phrase struck out"}, marks=["phrase back"])


def say(rows: Sequence[LedgerRow]) -> str:
    """Say the picture: its finding, then the two numbers of each phrase."""
    each = "; ".join(
        f"{_short(row.phrase)}: {row.without_per_100:,.0f}, with it {row.with_per_100:,.0f}" for row in rows
    )
    return f"Bars, one per phrase. {_finding(rows)}. {each}."


def _finding(rows: Sequence[LedgerRow]) -> str:
    without, kept = [row.without_per_100 for row in rows], [row.with_per_100 for row in rows]
    return (
        f"Struck out: {min(without):,.0f} to {max(without):,.0f} wrong in 100 sessions; "
        f"put back: {min(kept):,.0f} to {max(kept):,.0f}"
    )


def _label(row: LedgerRow) -> str:
    return textwrap.fill(_short(row.phrase), PHRASE_CHARACTERS).replace("\n", "\n      ")


def _row_px(row: LedgerRow) -> int:
    return LINE_PX * (_label(row).count("\n") + 1) + BAR_PX


def _short(phrase: str) -> str:
    return phrase.partition(" (")[0]
