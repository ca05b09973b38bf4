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
        found = self.variants[state["variant"]]
        ax.set(xlim=(0, 1), ylim=(len(STEPS) - 0.4, -0.6))
        ax.axis("off")
        headline(ax, _headline(found, state["steps"]), left=0.02, bottom=0.03, top=0.15)
        for row, (who, text, outcome) in enumerate(_rows(found, state["steps"])):
            look = outcome.value if outcome else None
            edge = look.colour if look else INK
            ax.text(0.0, row, who, va="center", fontweight="bold")
            box = {"boxstyle": "round,pad=0.5", "facecolor": "white", "edgecolor": edge, "linewidth": 1.8}
            ax.text(0.30, row, text, va="center", bbox=box)
            if look:
                ax.plot(0.262, row, marker=look.marker, markersize=10, color=look.colour)

    def say(self, state: Mapping[str, Any]) -> str:
        """Say what happened so far, in one sentence."""
        found = self.variants[state["variant"]]
        rows = "; ".join(f"{who} {text}" for who, text, _ in _rows(found, state["steps"]))
        return f"Journey: {state['variant']}. {_headline(found, state['steps'])}: {rows}."


def _rows(found: Journey, steps: int) -> list[tuple[str, str, Outcome | None]]:
    if not found.accepted:
        return [(STEPS[0], found.path, None), (STEPS[1], f"{found.read}    (refused)", Outcome.LOUD)][:steps]
    end = (f"{found.place}    ({found.harm or 'in the app'})", _outcome(found))
    texts = [(found.path, None), (f"{found.read}    (passes)", None), (found.used, None), end]
    return [(who, *text) for who, text in zip(STEPS, texts, strict=True)][:steps]


def _outcome(found: Journey) -> Outcome:
    return Outcome.SILENT if found.harm else Outcome.RIGHT


def _headline(found: Journey, steps: int) -> str:
    if steps == 1:
        return "A path is a string"
    if not found.accepted:
        return "The string is refused, and nothing is opened"
    if steps < len(STEPS):
        return "The check passes"
    return (
        "The check passes, and the system opens something else" if found.harm else "One string, all the way"
    )


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
