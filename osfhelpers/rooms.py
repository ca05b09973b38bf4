"""How does the owner of a Room review what agents propose, beside a running server?

On the same file, in a process of the owner's own: `osfhelpers rooms list`, `approve`, `decline`.
No tool, token or argument of the server reaches these. What an agent wrote is printed with each
character that a terminal would obey, or would not show, written out as [U+001B].
"""

from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

from osfhelpers.engine.durable import Durable, open_places
from osfhelpers.engine.refusals import NotOpen, Problem
from osfhelpers.engine.room import App, RepositoryVersion, Room
from osfhelpers.engine.store_file import StoreFileError
from osfhelpers.models.review_card import BEFORE_APPROVAL, NO_BUILD, REPOSITORY

DONE = {"approve": "approved, and in the launcher of every member", "decline": "declined"}


def review(
    action: str, store: str | Path, room: str | None = None, instance_id: str | None = None
) -> Iterator[str]:
    """Carry out `list`, `approve` or `decline`, and yield what there is to say, line by line.

    Args:
        room, instance_id: may be None for `list`, which then shows all there are.

    Raises:
        StoreFileError: the file is not there, or is no store.
        Refused: there is no such Room or proposal, or it is pending no longer.
    """
    if not Path(store).is_file():
        raise StoreFileError("there is no such file; name the one that a server was given as its --store")
    with ExitStack() as stack:
        places = open_places(store)
        for place in places.values():
            stack.enter_context(closing(place))
        rooms = {name: place for name, place in places.items() if isinstance(place.look(), Room)}
        if room is not None and room not in rooms:
            what = f"there is no Room {room!r} in this file; it holds {', '.join(rooms)}"
            raise NotOpen(Problem("room", what))
        if action in DONE:
            rooms[room].by_hand(action, instance_id)
            yield f"{instance_id} in {room}: {DONE[action]}"
        elif instance_id is not None:
            yield from _in_full(rooms[room].look().app(instance_id))
        else:
            for name in [room] if room else rooms:
                yield from _pending(rooms[name])


def _pending(room: Durable) -> Iterator[str]:
    pending = room.look().pending
    yield f"{room.place_id}: {len(pending)} awaiting review"
    for app in pending:
        yield from _in_short(app)


def _in_short(app: App) -> Iterator[str]:
    yield f"{app.instance_id}  {_visible(app.name)}, proposed by {_visible(app.proposed_by)}"
    if isinstance(app.code, RepositoryVersion):
        yield f"    repository {_visible(app.code.repository_id)} at version {_visible(app.code.version_id)}"
    else:
        for path, content in app.code.items():
            size = len(content.encode())
            yield f"    {_visible(path)}, {size:,} byte{'s' * (size != 1)}"


def _in_full(app: App) -> Iterator[str]:
    yield from _in_short(app)
    yield f"    {app.state.value}"
    if isinstance(app.code, RepositoryVersion):
        yield from (REPOSITORY, NO_BUILD)
        return
    for path, content in app.code.items():
        yield f"--- {_visible(path)}"
        # Behind a bar, so that no line of a file can pass for the name of another file.
        yield from (f"| {_visible(line)}" for line in content.split("\n"))
    yield BEFORE_APPROVAL


def _visible(text: str) -> str:
    return "".join(sign if sign.isprintable() or sign == "\t" else f"[U+{ord(sign):04X}]" for sign in text)
