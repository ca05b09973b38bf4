"""How does a deck get into a Note? By one outline or slide by slide, on the real store.

The deck is the story's own, `data/quarterly_deck.json`; a longer one starts it again from the
front. `build` plays one client that keeps its keys and, after a conflict, goes on with the
version that it was told. What it sends is counted as it goes over the wire.
"""

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from osfhelpers.drawing.figures import FAINT, INK, Outcome, headline
from osfhelpers.drawing.history import History
from osfhelpers.drawing.rendering import counted
from osfhelpers.engine.client import MAX_SENDS, GaveUp, deliver, scripted
from osfhelpers.engine.data import load
from osfhelpers.engine.keys import same_key_on_retry
from osfhelpers.engine.note import Note
from osfhelpers.engine.sizes import request_bytes
from osfhelpers.engine.snapshot import tool
from osfhelpers.engine.store import Conflict

if TYPE_CHECKING:
    from matplotlib.axes import Axes

OUTLINE = "create_note_tab with slides"
# From one send, or one slide, to the next: so that a phone shows twelve of them.
PITCH = 0.7


@cache
def most_slides() -> int:
    """Return how many slides one outline may have, as the schema says."""
    return tool("create_note_tab").input_schema["properties"]["slides"]["maxItems"]


def ways(slides: int) -> dict[str, tuple[int, ...]]:
    """Return the slides in each call, in order, for both ways to build a deck."""
    full, rest = divmod(slides, most_slides())
    outlines = (most_slides(),) * full + (rest,) * (rest > 0)
    return {OUTLINE: outlines, f"empty create + {slides} x slide_add": (0,) + (1,) * slides}


def deck(slides: int) -> list[dict[str, str]]:
    """Return the first slides of the quarterly deck."""
    return list(itertools.islice(itertools.cycle(load("quarterly_deck.json")["slides"]), slides))


@dataclass(frozen=True)
class Send:
    """One send: its size, whether it met a conflict, and the slides in the Note after it, of all."""

    request_bytes: int
    conflict: bool
    slides_after: int
    slides_wanted: int


@dataclass(frozen=True)
class Build:
    """One deck, built or given up: every send of its settled calls, and the Note it went into."""

    sends: tuple[Send, ...]
    finished: bool
    note: Note

    @property
    def conflicts(self) -> int:
        return sum(send.conflict for send in self.sends)

    @property
    def slides(self) -> int:
        """The slides that stand in the Note at the end."""
        return sum(len(tab.slides) for tab in self.note.tabs)


def build(per_call: Sequence[int], *, saves: Iterable[bool] = (), max_sends: int = MAX_SENDS) -> Build:
    """Build a deck in a fresh Note.

    Args:
        per_call: the slides in each call; the first call creates the tab.
        saves: for each send in turn, whether the person saves before it arrives.
        max_sends: how often a call is sent before the client gives the deck up.
    """
    note, saved, counter = Note(), iter(saves), itertools.count(1)
    note.open_to("agent")
    sends: list[Send] = []
    for name, intent in _calls(per_call, lambda: note.tabs[-1].tab_id):
        before = sends[-1].slides_after if sends else 0
        try:
            delivery = deliver(
                name,
                {"note_id": note.place_id, **intent},
                on=note,
                policy=same_key_on_retry,
                network=scripted(),
                fresh=lambda: f"{next(counter):032x}",
                max_sends=max_sends,
                meanwhile=lambda: note.save("the person types") if next(saved, False) else None,
            )
        except GaveUp:
            return Build(tuple(sends), False, note)
        for exchange in delivery.exchanges:
            sent = {"expected_version": exchange.expected_version, "idempotency_key": exchange.key}
            size = request_bytes(name, {"note_id": note.place_id, **intent, **sent})
            conflict = isinstance(exchange.answer, Conflict)
            after = before if conflict else sum(len(tab.slides) for tab in note.tabs)
            sends.append(Send(size, conflict, after, sum(per_call)))
    return Build(tuple(sends), True, note)


def _calls(per_call: Sequence[int], tab_id: Callable[[], str]) -> Iterator[tuple[str, dict[str, Any]]]:
    slides = iter(deck(sum(per_call)))
    first, *rest = ([*itertools.islice(slides, count)] for count in per_call)
    create = {"tab_type": "slides", "label": load("quarterly_deck.json")["label"]}
    yield "create_note_tab", create | ({"slides": first} if first else {})
    for part in rest:
        if len(part) == 1:
            change = {"operation": "slide_add", **part[0]}
        else:
            change = {"operation": "slides_add_outline", "slides": part}
        yield "edit_note_tab", {"tab_id": tab_id(), **change}


class Builds(History):
    """Several builds of a deck, send by send."""

    choice, counted, height_px = "the agent sends", "sends so far", 300

    @property
    def start(self) -> dict[str, Any]:
        """The first build, stopped at its conflict."""
        [first, *_] = self.variants
        return {"variant": first, "steps": 1 + [send.conflict for send in self.variants[first]].index(True)}

    def draw_steps(self, ax: "Axes", done: Sequence[Send]) -> None:
        """Draw the sends so far, and the slides that the Note holds."""
        ax.set(xlim=(0, 14.4), ylim=(5.8, -0.4))
        ax.axis("off")
        headline(ax, _so_far(done), left=0.02, bottom=0.02)
        ax.text(0, 0, "Sends, one after the other", fontweight="bold", va="center")
        for place, send in enumerate(done):
            x = 0.35 + PITCH * place
            look = (Outcome.LOUD if send.conflict else Outcome.RIGHT).value
            ax.plot(x, 0.9, marker=look.marker, markersize=13, color=look.colour)
            if send.conflict:
                ax.text(max(x, 2.1), 1.7, "conflict: the person saved", ha="center", va="center")
        ax.text(0, 2.8, "Slides in the Note", fontweight="bold", va="center")
        held, wanted = (done[-1].slides_after, done[-1].slides_wanted) if done else (0, 0)
        for place in range(wanted):
            x, y, there = 0.35 + PITCH * (place % 12), 3.8 + place // 12 * 1.2, place < held
            edge = {"markeredgewidth": 2, "markeredgecolor": Outcome.RIGHT.value.colour} if there else {}
            ax.plot(x, y, marker="s", markersize=19, color=FAINT, markerfacecolor="none", **edge)
            look = {"color": INK, "fontweight": "bold"} if there else {"color": FAINT}
            ax.text(x, y, f"{place + 1}", ha="center", va="center", **look)

    def say_steps(self, variant: str, done: Sequence[Send]) -> str:
        """Say what was sent and what the Note holds."""
        met = [str(number) for number, send in enumerate(done, 1) if send.conflict]
        conflict = f"; send {met[0]} met a conflict, since the person had saved" if met else ""
        return f"The agent sends {variant}. {_so_far(done)}{conflict}."


def _so_far(done: Sequence[Send]) -> str:
    if not done:
        return "Before the first send, the Note has no deck"
    held, wanted = done[-1].slides_after, done[-1].slides_wanted
    return f"After {counted(len(done), 'send')}, {held} of {wanted} slides are in the Note"


def one_save_meanwhile() -> Builds:
    """Return three builds during which the person saves once, from the real store."""
    one_outline, slide_by_slide = ways(12).values()
    variants = {
        "twelve slides, one by one": build(slide_by_slide, saves=[False] * 6 + [True]),
        "twelve slides in one outline": build(one_outline, saves=[True]),
        "21 slides: an outline of 20, and one more": build(ways(21)[OUTLINE], saves=[False, True]),
    }
    return Builds("One save while a deck is built.", {name: made.sends for name, made in variants.items()})
