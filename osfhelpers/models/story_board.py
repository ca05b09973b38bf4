"""What did the agent want, what was it told, and what is really there? One session as a picture.

One row per wish of `osfhelpers.models.story`: its outcome, what the agent was told, and what the Note
and the Room hold.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from osfhelpers.drawing.figures import TITLE_PX, WIDTH_PX, Outcome, headline, outcome_legend
from osfhelpers.engine.parameters import Slider
from osfhelpers.models.story import Run, play
from osfhelpers.models.story_desk import Way

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ROW_PX, LEGEND_PX, WISHES = 33, 44, 11
HEIGHT_PX = TITLE_PX + ROW_PX * (WISHES + 1) + LEGEND_PX
MARK_X, EDGE_X = 22, 700
COLUMNS = {"wish": (38, "the agent wants"), "told": (242, "it is told")}
COLUMNS |= {"found": (398, "what is there"), "chapter": (634, "chapter")}


@dataclass(frozen=True)
class Board:
    """One session, to be shown."""

    run: Run


@cache
def story(way: Way, loss: float = 0.3) -> Board:
    """Return the session of the story, played on the real store."""
    return Board(play(way, loss))


def draw(ax: "Axes", board: Board) -> None:
    """Draw one row per wish, its outcome first."""
    ax.set(xlim=(0, 0.975 * WIDTH_PX), ylim=(WISHES - 0.5, -1.5))
    ax.axis("off")
    headline(ax, _finding(board.run), left=0, bottom=LEGEND_PX / HEIGHT_PX)
    for x, head in COLUMNS.values():
        ax.text(x, -0.95, head, va="center", fontweight="bold")
    for y, wish in enumerate(board.run.wishes):
        look = wish.outcome.value
        ax.plot([MARK_X - 8, EDGE_X], [y - 0.5, y - 0.5], color="#e4e0d8", linewidth=1)
        ax.plot(MARK_X, y, marker=look.marker, markersize=10, color=look.colour)
        for name, (x, _) in COLUMNS.items():
            ax.text(x, y, getattr(wish, name), va="center", fontsize=10)
    outcome_legend(ax, {outcome: outcome.value.words for outcome in Outcome}, as_markers=True)


def say(board: Board) -> str:
    """Say how the wishes ended, with an example of each end that is not right."""
    run = board.run
    silent, loud = run.among(Outcome.SILENT), run.among(Outcome.LOUD)
    way = f"{run.way.value[0].upper()}{run.way.value[1:]}"
    lost = f"{100 * run.loss:.3g}% of replies lost"
    ends = [f"Among them: {'; '.join(wish.found for wish in silent[:2])}."] if silent else []
    ends += [f"{len(loud)} failed: {loud[0].found}."] if loud else []
    return " ".join([f"{way}, {lost}: {_finding(run)}.", *ends])


def _finding(run: Run) -> str:
    right, silent = (len(run.among(outcome)) for outcome in (Outcome.RIGHT, Outcome.SILENT))
    most = f"{silent} of {len(run.wishes)} wishes"
    return f"{most} silently wrong" if silent else f"{right} of {len(run.wishes)} wishes right"


@dataclass(frozen=True)
class Stories:
    """The same session in every way of working and at several shares of lost replies."""

    title: str = "One session of the story."
    height_px: int = HEIGHT_PX
    sliders: tuple[Slider, ...] = (
        Slider("way", "way of working", tuple(way.value for way in Way)),
        Slider("loss", "replies lost", (0.0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5), "%"),
    )

    @property
    def start(self) -> dict[str, Any]:
        return {"way": Way.LOOKING.value, "loss": 0.3}

    def draw(self, ax: "Axes", state: Mapping[str, Any]) -> None:
        """Draw the session at one position."""
        draw(ax, story(Way(state["way"]), state["loss"]))

    def say(self, state: Mapping[str, Any]) -> str:
        """Say how the session ended at one position."""
        return say(story(Way(state["way"]), state["loss"]))
