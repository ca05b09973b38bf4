"""From the string that is checked to the file that is opened: six journeys, step by step."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from osfhelpers.drawing.figures import INK, Outcome, headline
from osfhelpers.engine.parameters import Slider
from osfhelpers.models.naive_checks import Journey, System, journey

if TYPE_CHECKING:
    from matplotlib.axes import Axes

POSIX, WINDOWS = System.POSIX, System.WINDOWS
RESOLVE = "(root / path).resolve() below root"
STEPS = ("the agent sends", "the check reads", "the program uses", "the system opens")


@dataclass(frozen=True)
class Stop:
    """Where a path stands at one step: the string, what is said of it, and how it ends, if it does."""

    step: str
    text: str
    remark: str = ""
    outcome: Outcome | None = None


def stops(found: Journey, steps: int) -> list[Stop]:
    """Return the first steps of a journey; a path that is refused goes no further than the check."""
    sent = Stop(STEPS[0], found.path)
    if not found.accepted:
        return [sent, Stop(STEPS[1], found.read, "(refused)", Outcome.LOUD)][:steps]
    end = Outcome.SILENT if found.harm else Outcome.RIGHT
    return [
        sent,
        Stop(STEPS[1], found.read, "(passes)"),
        Stop(STEPS[2], found.used),
        Stop(STEPS[3], found.place, f"({found.harm or 'in the app'})", end),
    ][:steps]


def _finding(last: Stop) -> str:
    if last.outcome is Outcome.LOUD:
        return "Refused, and nothing is opened"
    if last.outcome is Outcome.SILENT:
        return "Checked one thing, opened another"
    return "One string, all the way" if last.outcome else "A path is a string on its way"


@dataclass(frozen=True)
class PathJourneys:
    """Several paths on their way to a file, each stepped through."""

    title: str
    variants: Mapping[str, Journey]
    height_px: int = 330

    @property
    def sliders(self) -> tuple[Slider, ...]:
        return (
            Slider("variant", "journey", tuple(self.variants)),
            Slider("steps", "steps so far", tuple(range(1, len(STEPS) + 1))),
        )

    @property
    def start(self) -> dict[str, Any]:
        return {"variant": next(iter(self.variants)), "steps": len(STEPS)}

    def draw(self, ax: "Axes", state: Mapping[str, Any]) -> None:
        """Draw the first steps of one journey, one row each."""
        made = stops(self.variants[state["variant"]], state["steps"])
        ax.set(xlim=(0, 1), ylim=(len(STEPS) - 0.4, -0.6))
        ax.axis("off")
        headline(ax, _finding(made[-1]), left=0.02, bottom=0.03, top=0.15)
        for row, stop in enumerate(made):
            colour = INK
            if stop.outcome:
                colour = stop.outcome.value.colour
                ax.plot(0.262, row, marker=stop.outcome.value.marker, markersize=10, color=colour)
            ax.text(0.0, row, stop.step, va="center", fontweight="bold")
            box = {"boxstyle": "round,pad=0.5", "facecolor": "white", "edgecolor": colour, "linewidth": 1.8}
            ax.text(0.30, row, f"{stop.text}    {stop.remark}".rstrip(), va="center", bbox=box)

    def say(self, state: Mapping[str, Any]) -> str:
        """Say what happened so far, in one sentence."""
        made = stops(self.variants[state["variant"]], state["steps"])
        rows = "; ".join(f"{stop.step} {stop.text} {stop.remark}".rstrip() for stop in made)
        return f"Journey: {state['variant']}. {_finding(made[-1])}: {rows}."


def journeys() -> PathJourneys:
    """Return the journeys of this chapter; the last two meet the server rules."""
    return PathJourneys(
        "From the checked string to the opened file",
        {
            "decoded after the check": journey("%2e%2e/x.ts", "the same, then unquote(path)", POSIX, POSIX),
            "checked on POSIX, used on Windows": journey("src\\..\\..\\x.ts", RESOLVE, POSIX, WINDOWS),
            "a neighbour with a longer name": journey(
                "../timer-2/x.ts", "join(root, path).startswith(root)", POSIX, POSIX
            ),
            "two names, one file": journey("SRC/app.tsx", RESOLVE, WINDOWS, WINDOWS),
            "the server rules": journey("src/Timer.tsx", "the server rules", POSIX, WINDOWS),
            "the server rules, and an escape": journey("%2e%2e/x.ts", "the server rules", POSIX, POSIX),
        },
    )
