"""From the string that is checked to the file that is opened: six journeys, step by step."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from osfhelpers.drawing.figures import INK, Outcome, headline
from osfhelpers.drawing.history import History
from osfhelpers.models.naive_checks import POSIX, WINDOWS, System, journey

if TYPE_CHECKING:
    from matplotlib.axes import Axes

RESOLVE = "(root / path).resolve() below root"
LONGEST = 4


@dataclass(frozen=True)
class Stop:
    """Where a path stands: who has it, the string, and at its end a remark and the outcome."""

    who: str
    text: str
    remark: str = ""
    outcome: Outcome | None = None


def stops(path: str, check: str, checked_on: System, used_on: System) -> list[Stop]:
    """Return the stops of a path; one that is refused goes no further than the check."""
    found = journey(path, check, checked_on, used_on)
    sent = Stop("the agent sends", path)
    if not found.accepted:
        return [sent, Stop("the check reads", found.read, "(refused)", Outcome.LOUD)]
    end = Outcome.SILENT if found.harm else Outcome.RIGHT
    return [
        sent,
        Stop("the check reads", found.read, "(passes)"),
        Stop("the program uses", found.used),
        Stop("the system opens", found.place, f"({found.harm or 'in the app'})", end),
    ]


FINDINGS = {
    None: "A path is a string on its way",
    Outcome.RIGHT: "One string, all the way",
    Outcome.SILENT: "Checked one thing, opened another",
    Outcome.LOUD: "Refused, and nothing is opened",
}


class PathJourneys(History):
    """Several paths on their way to a file, each stepped through."""

    choice, counted, before, height_px = "journey", "steps so far", 1, 380

    def draw_steps(self, ax: "Axes", done: Sequence[Stop]) -> None:
        """Draw the first stops of one journey, one row each."""
        ax.set(xlim=(0, 1), ylim=(LONGEST - 0.4, -0.6))
        ax.axis("off")
        headline(ax, FINDINGS[done[-1].outcome], left=0.02, bottom=0.03)
        for row, stop in enumerate(done):
            colour = INK
            if stop.outcome:
                colour = stop.outcome.value.colour
                ax.plot(0.263, row, marker=stop.outcome.value.marker, markersize=10, color=colour)
            ax.text(0.0, row, stop.who, va="center", fontweight="bold")
            box = {"boxstyle": "round,pad=0.5", "facecolor": "white", "edgecolor": colour, "linewidth": 1.8}
            ax.text(0.3, row, f"{stop.text}\n{stop.remark}".rstrip(), va="center", bbox=box)

    def say_steps(self, variant: str, done: Sequence[Stop]) -> str:
        """Say what happened so far, in one sentence."""
        rows = "; ".join(f"{stop.who} {stop.text} {stop.remark}".rstrip() for stop in done)
        return f"Journey: {variant}. {FINDINGS[done[-1].outcome]}: {rows}."


def journeys() -> PathJourneys:
    """Return the journeys of this chapter; the last two meet the server rules."""
    neighbour = stops("../timer-2/x.ts", "join(root, path).startswith(root)", POSIX, POSIX)
    return PathJourneys(
        "From the checked string to the opened file",
        {
            "decoded after the check": stops("%2e%2e/x.ts", "the same, then unquote(path)", POSIX, POSIX),
            "checked on POSIX, used on Windows": stops("src\\..\\..\\x.ts", RESOLVE, POSIX, WINDOWS),
            "a neighbour with a longer name": neighbour,
            "two names, one file": stops("SRC/app.tsx", RESOLVE, WINDOWS, WINDOWS),
            "the server rules": stops("src/Timer.tsx", "the server rules", POSIX, WINDOWS),
            "the server rules, and an escape": stops("%2e%2e/x.ts", "the server rules", POSIX, POSIX),
        },
    )
