"""Which bad path passes the check that people write, and where does it lead?

A path is checked on one system and used on one, not always the same. Nothing is random here,
so nothing is expected; nothing of it was published, so nothing is replayed.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from osfhelpers.drawing.figures import Outcome, headline, outcome_legend
from osfhelpers.engine.parameters import Slider, one_of
from osfhelpers.measuring.evidence import Key
from osfhelpers.models.naive_checks import BAD_PATHS, CHECKS, GOOD_PATHS, Journey, System, journey, visible

if TYPE_CHECKING:
    from matplotlib.axes import Axes

NAME = "path_checks"
CHAPTER = "07"
HEIGHT_PX = 520
SYSTEMS = {system.value.words: system for system in System}


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
    def estimates(self) -> dict[Key, Any]:
        """Nothing: a catalogue is no sample."""
        return {}

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
        if not found.accepted:
            outcome, words = Outcome.LOUD, "refused" if found in result.bad else "refused, though it is good"
        elif found.harm:
            outcome, words = Outcome.SILENT, f"{found.harm}: {found.place}"
        else:
            outcome, words = Outcome.RIGHT, "passes, and stays in the app"
        look = outcome.value
        ax.plot(0.02, y, marker=look.marker, markersize=11, color=look.colour)
        ax.text(0.06, y, words, va="center")
        ax.text(-0.02, y, visible(found.path), va="center", ha="right")
    ax.text(-0.02, len(BAD_PATHS) + 0.2, "good paths", fontweight="bold", va="center", ha="right")
    ax.axis("off")
    ax.set(xlim=(0, 1), ylim=(len(rows) + 0.9, -0.6))
    headline(ax, _title(result), left=0.31, bottom=0.08, top=0.1)
    words = {
        Outcome.LOUD: "refused",
        Outcome.RIGHT: "harmless on this system",
        Outcome.SILENT: "passes, and does harm",
    }
    outcome_legend(ax, words)


def _title(result: Result) -> str:
    harmful, wrongly = len(result.harmful), sum(not found.accepted for found in result.good)
    title = f"{harmful or 'None'} of {len(BAD_PATHS)} bad paths {'passes' if harmful == 1 else 'pass'} and "
    title += f"{'does' if harmful == 1 else 'do'} harm"
    return f"{title}; {wrongly} good one is refused" if wrongly else title


def say(result: Result) -> str:
    """Say what the figure shows, in one sentence."""
    params = result.params
    named = "; ".join(f"{visible(found.path)} ({found.harm})" for found in result.harmful)
    return (
        f"The check {params.check}, made on {params.checked_on} for a path that is used on "
        f"{params.used_on}: {len(result.harmful)} of {len(BAD_PATHS)} bad paths pass and do harm"
        f"{': ' + named if named else ''}; "
        f"{sum(found.accepted for found in result.good)} of {len(GOOD_PATHS)} good paths pass."
    )
