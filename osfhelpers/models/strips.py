"""How does the strip of tabs change under an agent's handles? A picture, one row per edit.

Tabs are rounded boxes in their order, the agent's deck outlined in black. Above each tab that a
handle points at stands a pin, in the colour of what a write by it comes to; a thin arrow below
shows where a person dragged a tab from.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from osfhelpers.drawing.figures import FAINT, INK, TITLE_PX, WIDTH_PX, Outcome, headline, outcome_legend
from osfhelpers.drawing.history import History
from osfhelpers.engine.note import FIXED_TABS, Note
from osfhelpers.engine.tab_edits import Tab
from osfhelpers.models.handles import HANDLES, Landing, see, write_by
from osfhelpers.models.strip_edits import Edit, carry_out, decks_of, new_note

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# All in pixels: from tab to tab, a tab's box, and from row to row.
LEFT, STEP, BOX, BOX_HEIGHT, ROW = 14, 86, 81, 30, 132
LEGEND_PX = 40
CENTRED = {"ha": "center", "va": "center"}
WHERE = {
    Outcome.RIGHT: "the deck it chose",
    Outcome.SILENT: "another deck, unnoticed",
    Outcome.LOUD: "refused or not found",
}


@dataclass(frozen=True)
class Frame:
    """The strip after one edit: what was done, where the tab came from, and where writes land."""

    words: str
    target: str
    tabs: tuple[Tab, ...]
    landings: Mapping[str, Landing]
    dragged: tuple[int, int] | None = None

    def by_outcome(self, outcome: Outcome) -> list[str]:
        """Return the handles whose writes end so."""
        return [name for name, landing in self.landings.items() if landing.ending.outcome is outcome]


def record(note: Note, tab_id: str, edits: Sequence[Edit]) -> list[Frame]:
    """Play a person's edits on a real Note, and after each write to one deck by every handle."""
    seen = see(note, tab_id)
    frames: list[Frame] = []

    def shoot(words: str, dragged: tuple[int, int] | None = None) -> None:
        landings = {
            name: write_by(handle, seen, on=note, key=f"edit {len(frames)}, by {name}")
            for name, handle in HANDLES.items()
        }
        frames.append(Frame(words, tab_id, note.tabs, landings, dragged))

    shoot("The agent keeps four handles on its deck")
    for number, edit in enumerate(edits, 1):
        old = {tab.tab_id: tab.label for tab in note.tabs}
        touched = carry_out(edit, note)
        label = {tab.tab_id: tab.label for tab in note.tabs}.get(touched)
        words = {
            "drag": f"drags {label} from place {edit.pick + 1} to {edit.put + 1}",
            "rename": f"renames {old.get(touched)} to {label}",
            "add": f"adds {label}",
            "save": "saves the text",
        }
        dragged = (edit.pick, edit.put) if edit.kind == "drag" else None
        shoot(f"{number}. The person {words[edit.kind]}", dragged)
    return frames


class Strips(History):
    """Several histories of the same strip, stepped through edit by edit."""

    choice, counted, before = "the person", "edits so far", 1

    @property
    def height_px(self) -> int:
        return TITLE_PX + ROW * (self.before + self.longest) + LEGEND_PX

    def draw_steps(self, ax: "Axes", done: Sequence[Frame]) -> None:
        """Draw one strip per edit, below the one at the beginning."""
        ax.set(xlim=(0, 0.975 * WIDTH_PX), ylim=(ROW * (self.before + self.longest), 0))
        ax.axis("off")
        headline(ax, _finding(done), left=0, bottom=LEGEND_PX / self.height_px)
        outcome_legend(ax, WHERE, as_markers=True)
        for row, frame in enumerate(done):
            _draw_strip(ax, ROW * row, frame)

    def say_steps(self, variant: str, done: Sequence[Frame]) -> str:
        """Say what the person did, and where a write by each handle ends now."""
        edits = "; ".join(frame.words.partition("The person ")[2] for frame in done[1:])
        ends = "; ".join(
            f"by {', '.join(names)}: {words}"
            for outcome, words in WHERE.items()
            if (names := done[-1].by_outcome(outcome))
        )
        return f"{'The person ' + edits if edits else 'Before the first edit'}. A write now, {ends}."


def one_gap() -> Strips:
    """Return what a person may do between two turns of the agent, edit by edit, on the real store."""
    histories = {
        "files the old deck away": (Edit("drag", 4, 3), Edit("rename", 0, 3), Edit("rename", 1, 0)),
        "starts a new deck": (Edit("drag", 0, 3), Edit("add", put=0), Edit("drag", 6, 0)),
    }
    played = {}
    for words, edits in histories.items():
        note = new_note(3)
        played[words] = record(note, decks_of(note)[0].tab_id, edits)
    return Strips("One gap between two turns.", played)


def _finding(done: Sequence[Frame]) -> str:
    right, silent, loud = (len(done[-1].by_outcome(outcome)) for outcome in Outcome)
    if silent + loud == 0:
        return f"All {right} handles point at the agent's deck"
    if silent == 0:
        return f"{loud} of {len(HANDLES)} handles failed and said so"
    return f"{silent} of {len(HANDLES)} handles silently wrong{f', {loud} failed' if loud else ''}"


def _draw_strip(ax: "Axes", top: float, frame: Frame) -> None:
    from matplotlib.patches import FancyBboxPatch

    box_top = top + 74
    ax.text(LEFT, top + 15, frame.words, va="center", fontweight="bold")
    for index, tab in enumerate(frame.tabs):
        left, fixed, target = LEFT + STEP * index, tab.tab_type in FIXED_TABS, tab.tab_id == frame.target
        shape = {"boxstyle": "round,pad=0,rounding_size=7", "facecolor": "#efeae0" if fixed else "white"}
        edge = {"edgecolor": INK if target else "#b8b2a6", "linewidth": 2.4 if target else 1}
        ax.add_patch(FancyBboxPatch((left, box_top), BOX, BOX_HEIGHT, **shape, **edge))
        colour = FAINT if fixed else INK
        middle = left + BOX / 2
        ax.text(middle, box_top + BOX_HEIGHT / 2, tab.label, color=colour, fontsize=10, **CENTRED)
        names = [name for name, landing in frame.landings.items() if landing.tab_id == tab.tab_id]
        if names:
            _pin(ax, middle, box_top - 7, frame.landings[names[0]].ending.outcome)
            two_lines = ",\n".join(filter(None, (", ".join(names[:2]), ", ".join(names[2:]))))
            ax.text(middle, box_top - 15, two_lines, ha="center", va="bottom", linespacing=1, fontsize=10)
    nowhere = [name for name, landing in frame.landings.items() if landing.tab_id is None]
    if nowhere:
        _pin(ax, LEFT + 5, top + 36, Outcome.LOUD)
        ax.text(LEFT + 16, top + 36, f"{', '.join(nowhere)}: not found", va="center", fontsize=10)
    if frame.dragged:
        x0, x1 = (LEFT + STEP * place + BOX / 2 for place in frame.dragged)
        y = box_top + BOX_HEIGHT
        ax.plot([x0, x0, x1], [y + 3, y + 13, y + 13], color=INK, linewidth=1)
        style = {"arrowstyle": "-|>", "color": INK, "linewidth": 1, "shrinkA": 0, "shrinkB": 0}
        ax.annotate("", xy=(x1, y + 1), xytext=(x1, y + 13), arrowprops=style)


def _pin(ax: "Axes", x: float, y: float, outcome: Outcome) -> None:
    look = outcome.value
    size = {"markersize": 9, "markeredgecolor": "white", "markeredgewidth": 0.8}
    ax.plot(x, y, marker=look.marker, color=look.colour, zorder=5, **size)
