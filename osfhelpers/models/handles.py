"""Which tab does an agent's handle point at, once a person has changed the strip?

An agent lists the tabs, chooses a deck and keeps a handle on it. A person edits the strip.
The agent lists again, finds a tab by its handle, and writes with the version just read. All
of it happens on the real store: a fixed tab is refused there, and so is an ID nobody has.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from osfhelpers.drawing.figures import Outcome
from osfhelpers.engine.calls import call
from osfhelpers.engine.note import Note
from osfhelpers.engine.refusals import UnknownTab, WrongTab
from osfhelpers.engine.store import Conflict


@dataclass(frozen=True)
class Seen:
    """What an agent can keep of the deck it chose, from its first list of tabs."""

    position: int
    tab_type: str
    label: str
    tab_id: str


Rows = Sequence[Mapping[str, str]]
Handle = Callable[[Rows, Seen], str | None]


def by_position(rows: Rows, seen: Seen) -> str | None:
    """Take the tab at the deck's old place in the whole strip."""
    return rows[seen.position]["tab_id"]


def by_type(rows: Rows, seen: Seen) -> str | None:
    """Take the first tab of the deck's type."""
    return _first(row for row in rows if row["type"] == seen.tab_type)


def by_label(rows: Rows, seen: Seen) -> str | None:
    """Take the first Slides tab with the deck's old label."""
    decks = (row for row in rows if row["type"] == seen.tab_type)
    return _first(row for row in decks if row["label"] == seen.label)


def by_raw_type(rows: Rows, seen: Seen) -> str | None:
    """Give the type in place of an ID, and leave the rest to the server."""
    return seen.tab_type


def by_id(rows: Rows, seen: Seen) -> str | None:
    """Give the exact ID."""
    return seen.tab_id


def _first(rows: Iterable[Mapping[str, str]]) -> str | None:
    return next((row["tab_id"] for row in rows), None)


HANDLES: dict[str, Handle] = {"position": by_position, "type": by_type, "label": by_label, "ID": by_id}


class Ending(Enum):
    """Where an agent's write ends."""

    RIGHT = "right"
    ANOTHER_DECK = "another deck"
    FIXED_TAB = "a fixed tab"
    NOT_FOUND = "not found"
    CONFLICT = "conflict"

    @property
    def outcome(self) -> Outcome:
        """What the person notices of it."""
        quiet = {Ending.RIGHT: Outcome.RIGHT, Ending.ANOTHER_DECK: Outcome.SILENT}
        return quiet.get(self, Outcome.LOUD)


@dataclass(frozen=True)
class Landing:
    """One write of the agent: the tab its handle points at, where it ends, what the version check said.

    `passed` is None where nothing was sent.
    """

    tab_id: str | None
    ending: Ending
    passed: bool | None


def see(note: Note, tab_id: str) -> Seen:
    """Return what an agent keeps of one tab when it lists them."""
    rows = call("list_note_tabs", {"note_id": note.place_id}, on=note)["tabs"]
    position = next(index for index, row in enumerate(rows) if row["tab_id"] == tab_id)
    return Seen(position, rows[position]["type"], rows[position]["label"], tab_id)


def write_by(handle: Handle, seen: Seen, *, on: Note, key: str) -> Landing:
    """List again, find the tab by a handle, and add a slide to it with the version just read."""
    listing = call("list_note_tabs", {"note_id": on.place_id}, on=on)
    tab_id = handle(listing["tabs"], seen)
    if tab_id is None:
        return Landing(None, Ending.NOT_FOUND, passed=None)
    write = {"note_id": on.place_id, "tab_id": tab_id, "operation": "slide_add", "title": "Sources"}
    versioned = {**write, "expected_version": listing["version"], "idempotency_key": key}
    try:
        answer = call("edit_note_tab", versioned, on=on)
    except WrongTab:  # the store looks at the tab's type only after the version has passed
        return Landing(tab_id, Ending.FIXED_TAB, passed=True)
    except UnknownTab:
        return Landing(tab_id, Ending.NOT_FOUND, passed=True)
    if isinstance(answer, Conflict):
        return Landing(tab_id, Ending.CONFLICT, passed=False)
    written = answer.result["tab_id"]
    right = written == seen.tab_id
    return Landing(written, Ending.RIGHT if right else Ending.ANOTHER_DECK, passed=True)


@dataclass(frozen=True)
class HandleRun:
    """What many writes by one handle came to."""

    handle: str
    right: int
    another_deck: int
    refused_or_not_found: int
    sent: int
    passed_the_check: int

    @classmethod
    def of(cls, handle: str, landings: Sequence[Landing]) -> "HandleRun":
        """Count the landings of one handle."""
        ended = Counter(landing.ending.outcome for landing in landings)
        checked = [landing.passed for landing in landings if landing.passed is not None]
        return cls(handle, *(ended[outcome] for outcome in Outcome), len(checked), sum(checked))
