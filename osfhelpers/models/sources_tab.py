"""What does the Sources tab hold after each citation? A stepper.

At the left what the agent cites, in the spelling that it uses; at the right the row that the
store gave back: a new one, the same page once more, or the row that was there already.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from osfhelpers.drawing.figures import FAINT, Outcome, headline
from osfhelpers.engine.client import Delivery
from osfhelpers.engine.parameters import Slider

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SOURCES_X = 0.66


@dataclass(frozen=True)
class Citation:
    """One citation as it was settled: in which turn, which page it means, and how it is spelled."""

    turn: int
    page: int
    url: str
    delivery: Delivery


@dataclass(frozen=True)
class SourcesTab:
    """The same citations under several keys, stepped through one by one."""

    title: str
    variants: Mapping[str, Sequence[Citation]]
    height_px: int = 434

    @property
    def sliders(self) -> tuple[Slider, ...]:
        return (
            Slider("variant", "the key", tuple(self.variants)),
            Slider("cited", "citations so far", tuple(range(self._citations + 1))),
        )

    @property
    def start(self) -> dict[str, Any]:
        return {"variant": next(iter(self.variants)), "cited": self._citations}

    @property
    def _citations(self) -> int:
        return len(next(iter(self.variants.values())))

    def draw(self, ax: "Axes", state: Mapping[str, Any]) -> None:
        """Draw the first citations of one variant, and the row that each one got."""
        ax.set(xlim=(0, 1), ylim=(self._citations - 0.3, -1))
        ax.axis("off")
        headline(ax, self._headline(state), left=0.02, bottom=0.02, top=0.13)
        for x, words in ((0, "the agent cites"), (SOURCES_X, "row of the Sources tab")):
            ax.text(x, -0.75, words, va="center", fontweight="bold")
        for y, (citation, outcome, words) in enumerate(self._rows(state)):
            if y == 0 or self.variants[state["variant"]][y - 1].turn != citation.turn:
                ax.plot([0, 1], [y - 0.48, y - 0.48], color=FAINT, linewidth=0.6)
                ax.text(0, y, f"turn {citation.turn}", va="center", color=FAINT)
            ax.text(0.09, y, citation.url, va="center")
            if citation.delivery.calls > 1:
                ax.text(0.09, y + 0.32, "reply lost, sent again with the same key", va="center", color=FAINT)
            look = (outcome or Outcome.RIGHT).value
            face = look.colour if outcome else "none"
            ax.plot(SOURCES_X + 0.015, y, look.marker, markersize=10, color=look.colour, markerfacecolor=face)
            ax.text(SOURCES_X + 0.04, y, words, va="center")

    def say(self, state: Mapping[str, Any]) -> str:
        """Say what the Sources tab holds by now, in one sentence."""
        steps = [words for _, _, words in self._rows(state)]
        told = f": {', '.join(steps)}" if steps else ""
        return f"The key is a {state['variant']}. {self._headline(state)}{told}."

    def _rows(self, state: Mapping[str, Any]) -> list[tuple[Citation, Outcome | None, str]]:
        rows, pages, ids = [], set(), set()
        for citation in self.variants[state["variant"]][: state["cited"]]:
            source_id = citation.delivery.result["source_id"]
            if source_id in ids:
                rows.append((citation, None, f"{source_id} as before"))
            elif citation.page in pages:
                rows.append((citation, Outcome.SILENT, f"{source_id} the page again"))
            else:
                rows.append((citation, Outcome.RIGHT, f"{source_id} new"))
            pages.add(citation.page)
            ids.add(source_id)
        return rows

    def _headline(self, state: Mapping[str, Any]) -> str:
        done = self.variants[state["variant"]][: state["cited"]]
        rows = len({citation.delivery.result["source_id"] for citation in done})
        pages = len({citation.page for citation in done})
        if not done:
            return "Before the first citation, the Sources tab is empty"
        counted = f"{rows} row{'s' * (rows > 1)} for {pages} page{'s' * (pages > 1)}"
        return f"After {len(done)} citation{'s' * (len(done) > 1)}: {counted}"
