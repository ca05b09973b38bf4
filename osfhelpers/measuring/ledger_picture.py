"""What does the damage ledger say in three seconds?

One bar per phrase: the wrong outcomes of 100 sessions without it, and a mark for those with it.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from osfhelpers.drawing.figures import FAINT, INK, TITLE_PX, Outcome, headline, outcome_legend
from osfhelpers.measuring.damage import LedgerRow

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ROW_PX = 50
FOOT_PX = 88
MOST_SHOWN = 112
NUMBERS_X = -20


def height_px(rows: Sequence[LedgerRow]) -> int:
    """Return how high the picture of so many rows is."""
    return TITLE_PX + FOOT_PX + ROW_PX * len(rows)


def draw(axes: "Axes", rows: Sequence[LedgerRow]) -> None:
    """Draw the rows in order, from the top; a bar too long for the picture ends at a break."""
    height = height_px(rows)
    headline(axes, _finding(rows), left=0.03, bottom=FOOT_PX / height)
    struck, kept = Outcome.SILENT.value, Outcome.RIGHT.value
    bar = {
        "height": 0.36,
        "color": struck.colour,
        "hatch": struck.hatch,
        "edgecolor": "white",
        "linewidth": 0,
    }
    for y, row in enumerate(rows):
        axes.text(NUMBERS_X, y - 0.3, f"{row.chapter}  {_short(row.phrase)}", va="center")
        # The numbers stand in front, where a phone shows them without scrolling.
        numbers = f"{row.without_per_100:,.0f} → {row.with_per_100:,.0f}"
        axes.text(NUMBERS_X, y + 0.16, numbers, va="center", fontweight="bold")
        axes.barh(y + 0.16, min(row.without_per_100, MOST_SHOWN), **bar)
        if row.without_per_100 > MOST_SHOWN:
            axes.text(MOST_SHOWN - 6, y + 0.16, "≈", color=INK, fontsize=22, ha="center", va="center")
        axes.plot(
            row.with_per_100, y + 0.16, kept.marker, color=kept.colour, mec="white", ms=10, clip_on=False
        )
    axes.set(xlim=(NUMBERS_X, MOST_SHOWN), ylim=(len(rows) - 0.4, -0.7), yticks=[], xticks=range(0, 101, 25))
    axes.set_xlabel("wrong outcomes in 100 sessions", loc="left", color=FAINT)
    outcome_legend(axes, {Outcome.SILENT: "phrase struck out"}, marks=["phrase back"])


def say(rows: Sequence[LedgerRow]) -> str:
    """Say the picture: its finding, then the two numbers of each phrase."""
    each = "; ".join(
        f"{_short(row.phrase)}: {row.without_per_100:,.0f}, with it {row.with_per_100:,.0f}" for row in rows
    )
    return f"Bars, one per phrase. {_finding(rows)}. {each}."


def _finding(rows: Sequence[LedgerRow]) -> str:
    least, most = (pick(row.without_per_100 for row in rows) for pick in (min, max))
    return f"Struck out: {least:,.0f} to {most:,.0f} wrong in 100 sessions"


def _short(phrase: str) -> str:
    return phrase.partition(" (")[0]
