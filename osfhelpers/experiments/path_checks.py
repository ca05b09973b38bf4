"""Which bad path passes the check that people write, and where does it lead?

A path is checked on one system and used on one, not always the same. Nothing is random here,
so nothing is expected; nothing of it was published, so nothing is replayed.
"""

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from osfhelpers.drawing.figures import Outcome, headline
from osfhelpers.engine.parameters import Slider, one_of
from osfhelpers.models.naive_checks import CHECKS, SYSTEMS, Journey, journey
from osfhelpers.models.path_catalogue import BAD_PATHS, GOOD_PATHS, visible

if TYPE_CHECKING:
    from matplotlib.axes import Axes

NAME = "path_checks"
CHAPTER = "07"
HEIGHT_PX = 500


@dataclass(frozen=True)
class Params:
    """Which check is made, on which system, and which system then uses the path."""

    check: str = "(root / path).resolve() below root"
    checked_on: str = "POSIX"
    used_on: str = "Windows"

    def __post_init__(self) -> None:
        one_of("check", self.check, CHECKS)
        one_of("checked_on", self.checked_on, SYSTEMS)
        one_of("used_on", self.used_on, SYSTEMS)


SLIDERS = (
    Slider("check", "the check", tuple(CHECKS)),
    Slider("checked_on", "checked on", tuple(SYSTEMS)),
    Slider("used_on", "used on", tuple(SYSTEMS)),
)


@dataclass(frozen=True)
class Result:
    """What became of every path of the catalogue."""

    params: Params
    bad: tuple[Journey, ...]
    good: tuple[Journey, ...]

    @property
    def harmful(self) -> tuple[Journey, ...]:
        """The paths that pass the check and do harm."""
        return tuple(found for found in self.bad if found.accepted and found.harm)


def measure(params: Params) -> Result:
    """Take every path of the catalogue through the check, and to where it leads."""

    def travel(paths: tuple[str, ...]) -> tuple[Journey, ...]:
        systems = SYSTEMS[params.checked_on], SYSTEMS[params.used_on]
        return tuple(journey(path, params.check, *systems) for path in paths)

    return Result(params, travel(BAD_PATHS), travel(GOOD_PATHS))


replay = None
expected = None


def draw(ax: "Axes", result: Result) -> None:
    """Draw one row for each path: refused, harmless where it is used, or harmful."""
    rows = [*result.bad, *result.good]
    for number, found in enumerate(rows):
        y = number + (1.3 if number >= len(BAD_PATHS) else 0)
        outcome, words = Outcome.RIGHT, "passes, and stays in the app"
        if not found.accepted:
            outcome, words = Outcome.LOUD, "refused" if found in result.bad else "refused, though it is good"
        elif found.harm:
            outcome, words = Outcome.SILENT, f"{found.harm}: {found.place}"
        ax.plot(0.02, y, marker=outcome.value.marker, markersize=11, color=outcome.value.colour)
        ax.text(0.06, y, words, va="center")
        ax.text(-0.02, y, visible(found.path), va="center", ha="right")
    ax.text(-0.02, len(BAD_PATHS) + 0.2, "good paths", fontweight="bold", va="center", ha="right")
    ax.axis("off")
    ax.set(xlim=(0, 1), ylim=(len(rows) + 0.8, -0.6))
    headline(ax, _finding(result), left=0.24, bottom=0.02)


def _finding(result: Result) -> str:
    harmful = len(result.harmful)
    return f"{harmful or 'None'} of {len(BAD_PATHS)} bad paths {'does' if harmful == 1 else 'do'} harm"


def say(result: Result) -> str:
    """Say what the figure shows, in one sentence."""
    params, harms = result.params, Counter(found.harm for found in result.harmful)
    counted = ", ".join(f"{harm}: {count}" for harm, count in harms.items())
    return (
        f"{params.check}, checked on {params.checked_on}, used on {params.used_on}. "
        f"{_finding(result)}{f' ({counted})' if counted else ''}; "
        f"{sum(found.accepted for found in result.good)} of {len(GOOD_PATHS)} good pass."
    )
