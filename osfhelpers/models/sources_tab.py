"""What does the Sources tab hold after each citation? A stepper.

At the left what the agent cites, in the spelling that it uses, marked by what came of it; at the
right the row that the store gave back: a new one, the same page once more, or the one before.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from osfhelpers.drawing.figures import FAINT, Outcome, headline
from osfhelpers.drawing.history import History
from osfhelpers.drawing.rendering import counted

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MARK_X, URL_X, ROW_X = 0.105, 0.13, 0.7
CITATIONS = 6


@dataclass(frozen=True)
class Citation:
    """One citation, settled: its turn and URL, how often it was sent, and the row it got.

    Args:
        row: None stands for a row that was there already, SILENT for the page in a second row.
    """

    turn: int
    url: str
    sends: int
    source_id: str
    row: Outcome | None

    @property
    def words(self) -> str:
        """What the row is to the reader."""
        told = {None: "as before", Outcome.SILENT: "the page again", Outcome.RIGHT: "new"}
        return f"{self.source_id} {told[self.row]}"


class SourcesTab(History):
    """The same citations under several keys."""

    choice, counted, height_px = "the key", "citations so far", 400

    def draw_steps(self, ax: "Axes", done: Sequence[Citation]) -> None:
        """Draw each citation, and the row that it got."""
        ax.set(xlim=(0, 1), ylim=(CITATIONS - 0.3, -1))
        ax.axis("off")
        headline(ax, _finding(done), left=0.02, bottom=0.02)
        for x, words in ((0, "the agent cites"), (ROW_X, "row of the Sources tab")):
            ax.text(x, -0.75, words, va="center", fontweight="bold")
        turn = 0
        for y, citation in enumerate(done):
            if citation.turn != turn:
                turn = citation.turn
                ax.plot([0, 1], [y - 0.48, y - 0.48], color=FAINT, linewidth=0.6)
                ax.text(0, y, f"turn {turn}", va="center", color=FAINT)
            again = citation.sends > 1
            ax.text(URL_X, y - 0.12 * again, citation.url, va="center")
            if again:
                ax.text(URL_X, y + 0.26, "reply lost, sent again with the same key", va="center", color=FAINT)
            look = (citation.row or Outcome.RIGHT).value
            face = look.colour if citation.row else "none"
            ax.plot(MARK_X, y, look.marker, markersize=10, color=look.colour, markerfacecolor=face)
            ax.text(ROW_X, y, citation.words, va="center")

    def say_steps(self, variant: str, done: Sequence[Citation]) -> str:
        """Say what the Sources tab holds by now."""
        again = [citation.source_id for citation in done if citation.row is Outcome.SILENT]
        told = f"; listed again: {', '.join(again)}" if again else ""
        return f"The key is a {variant}. {_finding(done)}{told}."


def _finding(done: Sequence[Citation]) -> str:
    if not done:
        return "Before the first citation, the Sources tab is empty"
    rows = len({citation.source_id for citation in done})
    pages = sum(citation.row is Outcome.RIGHT for citation in done)
    return f"After {counted(len(done), 'citation')}: {counted(rows, 'row')} for {counted(pages, 'page')}"
