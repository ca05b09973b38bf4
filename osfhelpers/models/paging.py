"""What does a page boundary miss or repeat when the list grows while it is read?

A Note with 120 sources is read page by page under the cap of 50, and one source is added
between the first page and the second. The connector's own cursor names the last row it gave.
An offset counts rows from the top; no tool of the snapshot takes one, so it is played here on
the rows of the same Note, oldest or newest first.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from osfhelpers.engine.calls import call
from osfhelpers.engine.note import Note
from osfhelpers.engine.store import PAGE_LIMIT

SOURCES = 120
LISTING = f"list_note_attachments, {SOURCES} sources, limit {PAGE_LIMIT}"
Pages = Iterator[list[str]]


@dataclass(frozen=True)
class Reading:
    """One way to read the list: its calls, and what it got wrong about the sources there at the end."""

    how: str
    calls: int
    repeated: str
    missed: str


def by_cursor(note: Note) -> Pages:
    """Yield the IDs page by page through the tool: each page says where the next one starts."""
    arguments = {"note_id": note.place_id, "kind": "sources", "limit": PAGE_LIMIT}
    cursor: dict[str, str] = {}
    while cursor is not None:
        page = call("list_note_attachments", {**arguments, **cursor}, on=note)
        yield [row["source_id"] for row in page["items"]]
        cursor = {"cursor": page["next_cursor"]} if page["next_cursor"] else None


def by_offset(note: Note, order: Callable[[Sequence], Sequence]) -> Pages:
    """Yield the IDs page by page by counting rows from the top, until a page is not full."""
    for start in range(0, len(note.sources) + PAGE_LIMIT, PAGE_LIMIT):
        page = [row.source_id for row in order(note.sources)[start : start + PAGE_LIMIT]]
        yield page
        if len(page) < PAGE_LIMIT:
            return


def note_with_sources(count: int = SOURCES) -> Note:
    """Return a Note whose agent has added that many sources."""
    note = Note()
    note.open_to("agent")
    for number in range(1, count + 1):
        add_source(note, number)
    return note


def add_source(note: Note, number: int) -> None:
    """Add one source through the tool."""
    fields = {"title": f"Report {number}", "url": f"https://example.org/reports/{number}"}
    sent = {"expected_version": note.version, "idempotency_key": f"source-{number:04d}"}
    call("add_note_source", {"note_id": note.place_id, **sent, **fields}, on=note)


@cache
def calls_to_list() -> int:
    """Return how many calls list the sources while nobody adds one."""
    return len(list(by_cursor(note_with_sources())))


def readings() -> list[Reading]:
    """Read the list in each way while one source is added after the first page."""
    return [
        _read("cursor of the tool, oldest first", by_cursor),
        _read("offset, oldest first", lambda note: by_offset(note, lambda rows: rows)),
        _read("offset, newest first", lambda note: by_offset(note, lambda rows: rows[::-1])),
    ]


def _read(how: str, pages_of: Callable[[Note], Pages]) -> Reading:
    note = note_with_sources()
    pages = pages_of(note)
    seen = [*next(pages)]
    add_source(note, SOURCES + 1)
    rest = list(pages)
    seen += [source_id for page in rest for source_id in page]
    repeated = sorted({source_id for source_id in seen if seen.count(source_id) > 1})
    missed = [row.source_id for row in note.sources if row.source_id not in seen]
    return Reading(how, 1 + len(rest), ", ".join(repeated) or "none", ", ".join(missed) or "none")
