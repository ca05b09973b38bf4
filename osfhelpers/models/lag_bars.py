"""How late does each policy hear, of half of the approvals and of 95 in 100? One bar for each."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from osfhelpers.drawing.figures import (
    FAINT,
    PALE,
    expected_tick,
    headline,
    outcome_legend,
    published_point,
    whisker,
)
from osfhelpers.measuring.evidence import Z_95, Estimate, Expectation, Key
from osfhelpers.models.polling import POLICIES

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_lag_bars(
    ax: "Axes",
    estimates: Mapping[Key, Estimate],
    expected: Mapping[Key, Expectation],
    published_s: Mapping[str, Sequence[float]],
) -> None:
    """Draw the median and the 95th percentile of the lag, with what else is known of them.

    Args:
        published_s: the published lags of each policy, in seconds; empty where nothing was published.
    """
    for row, arm in enumerate(POLICIES):
        lags = [Key(arm, measure) for measure in ("lag p50", "lag p95")]
        half_s, slow_s = (estimates[lag].value for lag in lags)
        ax.barh(row, slow_s, height=0.5, color=PALE)
        ax.barh(row, half_s, height=0.5, color=FAINT)
        for known in map(expected.__getitem__, lags):
            expected_tick(ax, known.value, row, half=0.3)
            whisker(ax, known.value - Z_95 * known.sd, known.value + Z_95 * known.sd, row)
        for lag_s in published_s.get(arm, ()):
            published_point(ax, lag_s, row + 0.42)
        calls = estimates[Key(arm, "calls, mean")].value
        ax.text(slow_s + 9, row, f"{half_s:.1f} s, {slow_s:.1f} s; {calls:.0f} calls", va="center")
    ax.set_yticks(range(len(POLICIES)), [arm.replace(", ", ",\n") for arm in POLICIES])
    ax.set(xlim=(0, 440), ylim=(3.7, -0.6), xlabel="lag, s (dark: half of the approvals; light: 95 in 100)")
    headline(ax, f"Slow backoff: 5% over {slow_s / 60:.1f} min late", left=0.21, bottom=0.27)
    marks = ("expected", "95% of single runs", "published")
    outcome_legend(ax, {}, marks=marks if published_s else marks[:2])
