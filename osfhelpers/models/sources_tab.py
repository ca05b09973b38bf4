"""What does the Sources tab hold after each citation, by what the key is made of? On the real store.

`research` cites pages under a key policy; `three_turns` shows it step by step. At the left what
the agent cites, in the spelling that it uses, marked by what came of it; at the right the row
that the store gave back: a new one, the same page once more, or the one before.
"""

import hashlib
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from osfhelpers.drawing.figures import FAINT, Outcome, headline
from osfhelpers.drawing.history import History
from osfhelpers.drawing.rendering import counted
from osfhelpers.engine.calls import validating_once_per_shape
from osfhelpers.engine.client import Delivery, Network, deliver, scripted
from osfhelpers.engine.keys import Attempt, KeyPolicy, canonical, random_keys, same_key_on_retry
from osfhelpers.engine.note import Note
from osfhelpers.engine.urls import normalised_url_key
from osfhelpers.models.spellings import url

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def written_url_key(attempt: Attempt) -> str:
    """Take the key from the URL as it is written."""
    meant = canonical([attempt.intent["note_id"], attempt.intent["url"]])
    return "source-" + hashlib.sha256(meant).hexdigest()


UUID, WRITTEN, NORMALISED = (
    "new UUID per citation",
    "hash of the URL as written",
    "hash of normalised URL and Note ID",
)
POLICIES: dict[str, KeyPolicy] = {
    UUID: same_key_on_retry,
    WRITTEN: written_url_key,
    NORMALISED: normalised_url_key,
}


def research(
    citations: Iterable[tuple[int, int]], policy: KeyPolicy, *, network: Network, rng: random.Random
) -> tuple[Note, list[Delivery]]:
    """Cite pages, each in some spelling, in a fresh Note: the plain twin of the model."""
    note = Note()
    note.open_to("agent")
    cite = partial(
        deliver,
        "add_note_source",
        on=note,
        policy=policy,
        network=network,
        fresh=random_keys(rng),
        send=validating_once_per_shape(),
    )
    return note, [
        cite({"note_id": note.place_id, "title": f"Source {page}", "url": url(page, spelling)})
        for page, spelling in citations
    ]


# The same, step by step.

MARK_X, URL_X, ROW_X = 0.105, 0.13, 0.7


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
        ax.set(xlim=(0, 1), ylim=(self.longest - 0.3, -1))
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


def three_turns() -> SourcesTab:
    """Return six citations in three turns under each key, from the real store; one reply is lost."""
    cited = ((0, 0), (1, 0), (0, 0), (1, 4), (0, 3), (2, 0))
    variants = {}
    for arm, policy in POLICIES.items():
        _, deliveries = research(cited, policy, network=scripted([False, True]), rng=random.Random(1))
        steps, pages, ids = [], set(), set()
        for number, ((page, spelling), delivery) in enumerate(zip(cited, deliveries, strict=True)):
            source_id = delivery.result["source_id"]
            row = None if source_id in ids else Outcome.SILENT if page in pages else Outcome.RIGHT
            steps.append(Citation(1 + number // 2, url(page, spelling), delivery.calls, source_id, row))
            pages.add(page)
            ids.add(source_id)
        variants[arm] = tuple(steps)
    return SourcesTab("Six citations in three turns.", variants)
