"""How does the strip of tabs change under an agent's handles? A picture, one row per edit.

Tabs are rounded boxes in their order, the agent's deck outlined in black. Above each tab that a
handle points at stands a pin, in the colour of what a write by it comes to; a thin arrow below
shows where a person dragged a tab from.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from osfhelpers.drawing.figures import FAINT, INK, WIDTH_PX, Outcome, headline, outcome_legend
from osfhelpers.engine.note import FIXED_TABS, Note
from osfhelpers.engine.parameters import Slider
from osfhelpers.engine.tab_edits import Tab
from osfhelpers.models.handles import HANDLES, Ending, Landing, see, write_by
from osfhelpers.models.strip_edits import Edit, carry_out

if TYPE_CHECKING:
    from matplotlib.axes import Axes

STEP_PX, BOX_PX, BOX_HEIGHT_PX, ROW_PX, LEGEND_PX = 98, 90, 30, 128, 40
WHERE = {
    Outcome.RIGHT: "the deck it chose",
    Outcome.SILENT: "another deck, unnoticed",
    Outcome.LOUD: "refused or not found",
}


@dataclass(frozen=True)
class Frame:
    """The strip after one edit: what was done to which tab, and where a write by each handle lands."""

    words: str
    touched: str | None
    tabs: tuple[Tab, ...]
    landings: Mapping[str, Landing]


def record(note: Note, tab_id: str, edits: Sequence[Edit]) -> list[Frame]:
    """Play a person's edits on a real Note, and after each write to one deck by every handle."""
    seen = see(note, tab_id)
    words, touched, frames = "The agent keeps four handles on its deck", None, []
    for edit in (None, *edits):
        if edit is not None:
            before = {tab.tab_id: tab.label for tab in note.tabs}
            touched = carry_out(edit, note)
            after = {tab.tab_id: tab.label for tab in note.tabs}
            words = f"{len(frames)}. The person {_words(edit, before.get(touched), after.get(touched))}"
        landings = {
            name: write_by(handle, seen, on=note, key=f"edit {len(frames)}, by {name}")
            for name, handle in HANDLES.items()
            if name != "raw type"
        }
        frames.append(Frame(words, touched, note.tabs, landings))
    return frames


def _words(edit: Edit, before: str | None, after: str | None) -> str:
    return {
        "drag": f"drags {after} from place {edit.pick + 1} to {edit.put + 1}",
        "rename": f"renames {before} to {after}",
        "add": f"adds {after}",
        "save": "saves the text",
    }[edit.kind]


@dataclass(frozen=True)
class Strips:
    """Several histories of the same strip, each stepped through edit by edit."""

    title: str
    tab_id: str
    histories: Mapping[str, Sequence[Frame]]

    @property
    def longest(self) -> int:
        """The most edits that any history has."""
        return max(map(len, self.histories.values())) - 1

    @property
    def height_px(self) -> int:
        return 52 + ROW_PX * (self.longest + 1) + LEGEND_PX

    @property
    def sliders(self) -> tuple[Slider, ...]:
        return (
            Slider("history", "the person", tuple(self.histories)),
            Slider("edits", "edits so far", tuple(range(self.longest + 1))),
        )

    @property
    def start(self) -> dict[str, Any]:
        return {"history": next(iter(self.histories)), "edits": self.longest}

    def draw(self, ax: "Axes", state: Mapping[str, Any]) -> None:
        """Draw the strip at the beginning and after each of the first edits of one history."""
        frames = self.histories[state["history"]][: state["edits"] + 1]
        ax.set(xlim=(0, 0.975 * WIDTH_PX), ylim=(ROW_PX * (self.longest + 1), 0))
        ax.axis("off")
        headline(ax, _headline(frames), left=0, bottom=LEGEND_PX / self.height_px, top=52 / self.height_px)
        outcome_legend(ax, WHERE)
        for row, frame in enumerate(frames):
            self._draw_row(ax, ROW_PX * row, frame, frames[row - 1] if row else None)

    def say(self, state: Mapping[str, Any]) -> str:
        """Say what happened so far, in one sentence."""
        frames = self.histories[state["history"]][: state["edits"] + 1]
        done = "; ".join(frame.words.partition("The person ")[2] for frame in frames[1:])
        ends = "; ".join(f"{words} by {', '.join(names)}" for words, names in _ends(frames[-1]).items())
        return f"{'The person ' + done if done else 'Before the first edit'}. A write now ends: {ends}."

    def _draw_row(self, ax: "Axes", top: float, frame: Frame, before: Frame | None) -> None:
        ax.text(14, top + 8, frame.words, va="center", fontsize=11, fontweight="bold")
        missing = [name for name, landing in frame.landings.items() if landing.tab_id is None]
        if missing:
            _pin(ax, WIDTH_PX - 160, top + 8, Outcome.LOUD)
            ax.text(WIDTH_PX - 148, top + 8, f"{', '.join(missing)}: not found", va="center")
        places = {tab.tab_id: index for index, tab in enumerate(frame.tabs)}
        box_top = top + 68
        for index, tab in enumerate(frame.tabs):
            self._draw_tab(ax, 12 + STEP_PX * index, box_top, tab)
            names = [name for name, landing in frame.landings.items() if landing.tab_id == tab.tab_id]
            if names:
                middle = 12 + STEP_PX * index + BOX_PX / 2
                _pin(ax, middle, box_top - 7, frame.landings[names[0]].ending.outcome)
                text = _in_two_lines(names)
                ax.text(middle, box_top - 15, text, ha="center", va="bottom", linespacing=1.0)
        if before and frame.touched in (old := {tab.tab_id: i for i, tab in enumerate(before.tabs)}):
            _draw_move(ax, box_top + BOX_HEIGHT_PX, old[frame.touched], places[frame.touched])

    def _draw_tab(self, ax: "Axes", left: float, top: float, tab: Tab) -> None:
        from matplotlib.patches import FancyBboxPatch

        fixed, target = tab.tab_type in FIXED_TABS, tab.tab_id == self.tab_id
        ax.add_patch(
            FancyBboxPatch(
                (left, top),
                BOX_PX,
                BOX_HEIGHT_PX,
                boxstyle="round,pad=0,rounding_size=7",
                facecolor="#efeae0" if fixed else "white",
                edgecolor=INK if target else "#b8b2a6",
                linewidth=2.4 if target else 1,
            )
        )
        colour = FAINT if fixed else INK
        ax.text(left + BOX_PX / 2, top + BOX_HEIGHT_PX / 2, tab.label, ha="center", va="center", color=colour)


def _in_two_lines(names: Sequence[str]) -> str:
    if len(names) < 3:
        return ", ".join(names)
    return f"{', '.join(names[:2])},\n{', '.join(names[2:])}"


def _pin(ax: "Axes", x: float, y: float, outcome: Outcome) -> None:
    look = outcome.value
    ax.plot(x, y, marker=look.marker, markersize=9, color=look.colour, markeredgecolor="white")


def _draw_move(ax: "Axes", y: float, start: int, end: int) -> None:
    if start == end:
        return
    x0, x1 = (12 + STEP_PX * place + BOX_PX / 2 for place in (start, end))
    ax.plot([x0, x0, x1], [y + 3, y + 13, y + 13], color=INK, linewidth=1)
    style = {"arrowstyle": "-|>", "color": INK, "linewidth": 1, "shrinkA": 0, "shrinkB": 0}
    ax.annotate("", xy=(x1, y + 1), xytext=(x1, y + 13), arrowprops=style)


def _ends(frame: Frame) -> dict[str, list[str]]:
    ends: dict[str, list[str]] = {}
    for name, landing in frame.landings.items():
        ends.setdefault(ENDINGS[landing.ending], []).append(name)
    return ends


ENDINGS = {
    Ending.RIGHT: "in the right deck",
    Ending.ANOTHER_DECK: "in another deck, unnoticed,",
    Ending.FIXED_TAB: "refused at a fixed tab",
    Ending.NOT_FOUND: "nowhere, since no tab is found,",
}


def _headline(frames: Sequence[Frame]) -> str:
    outcomes = [landing.ending.outcome for landing in frames[-1].landings.values()]
    right, silent, loud = (outcomes.count(outcome) for outcome in Outcome)
    if len(frames) == 1:
        return f"At first sight, {right} of {len(outcomes)} handles point at the agent's deck"
    edits = "1 edit" if len(frames) == 2 else f"{len(frames) - 1} edits"
    handles = "handle" if right == 1 else "handles"
    return f"After {edits}: {right} {handles} right, {silent} silently wrong, {loud} failed"
