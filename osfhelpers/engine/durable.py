"""What is left of a Note or Room when the server's process is killed? All that it has answered.

A durable place is its changes, in order, in a file. A write is one transaction:

1. `BEGIN IMMEDIATE`: no other process writes from here on.
2. Catch up: carry out again what other processes have committed since.
3. The place in memory answers, by the rules of `osfhelpers.engine.store` and no others.
4. Add a row for the change and a row for the key, and commit. Only now the reply leaves.

Killed before the commit, the write has not happened, and the client's next send carries it out.
Killed after it, the next send finds the key. With `one_transaction=False` the key is committed
after the effect, as many servers do it, and a kill between the two leaves an effect without a key.
"""

import json
import threading
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from osfhelpers.engine import note, room
from osfhelpers.engine.keys import NoCanonicalForm
from osfhelpers.engine.note import Note
from osfhelpers.engine.place_rows import READING, WRITING, Change, PlaceRows
from osfhelpers.engine.refusals import Refused
from osfhelpers.engine.room import Room
from osfhelpers.engine.store import Write
from osfhelpers.engine.store_file import StoreFileError, connect, explained

# A project's repositories are no part of this rebuild; a Room in a file knows this one.
REPOSITORIES = {"stand-up-timer": ("v1", "v2")}
KINDS: dict[str, Callable[[str], Note | Room]] = {
    "note": Note,
    "room": partial(Room, repositories=REPOSITORIES),
}
BY_HAND = {"note": ("drag", "rename", "add", "close", "save"), "room": ("approve", "decline", "deploy")}
READS = {*note.READS, *room.READS}
# What a new file holds, and for whom it is open.
DEMO = {"q3-review": "note", "team-room": "room"}
DEMO_PRINCIPAL = "agent"
# After these the place is as it was before the call.
NOTHING_CHANGED = (Refused, NoCanonicalForm)


class Durable:
    """A Note or Room in a file that other processes may have open as well; safe under threads.

    Args:
        file: made where there is none; a place that it does not hold yet is added.
        make: makes the place as it was before its first change, with the options of this server.
        one_transaction: off only to show what it prevents.
        after_commit: called when a tool's change is committed and before its reply leaves.

    Raises:
        StoreFileError: the file cannot be used; every method may raise it, with nothing written.
    """

    def __init__(
        self,
        file: str | Path,
        make: Callable[[], Note | Room],
        *,
        one_transaction: bool = True,
        after_commit: Callable[[], object] = lambda: None,
    ) -> None:
        self._make = make
        self._place = make()
        self._kind = "note" if isinstance(self._place, Note) else "room"
        self._one_transaction = one_transaction
        self._after_commit = after_commit
        self._lock = threading.Lock()
        self._rows = PlaceRows(file, self._place.place_id)
        try:
            with self._rows.transaction(WRITING):
                kind = self._rows.kind(of_a_new_place=self._kind)
            if kind != self._kind:
                raise StoreFileError(f"in this file {self.place_id!r} is a {kind}, not a {self._kind}")
        except BaseException:
            self.close()
            raise

    @property
    def place_id(self) -> str:
        return self._place.place_id

    def close(self) -> None:
        """Close the file."""
        self._rows.connection.close()

    # The owner's side: no tool reaches these.

    def look(self) -> Note | Room:
        """Return the place as it is now, to be read; change it by the methods here."""
        with self._caught_up(READING) as place:
            return place

    def open_to(self, principal: str) -> None:
        """Approve this place for a principal, as its owner does once."""
        with self._caught_up(WRITING):
            self._rows.open_to(principal)

    def forget_keys(self) -> None:
        """Drop every key record, as a server does whose keys have expired."""
        with self._caught_up(WRITING):
            self._rows.forget_keys()

    def by_hand(self, action: str, *arguments: Any) -> Any:
        """Do what a person can do to a Note or Room, such as `by_hand("approve", "app-1")`.

        Raises:
            ValueError: no person can do that to this kind of place.
            Refused: the place refuses it.
        """
        if action not in BY_HAND[self._kind]:
            known = ", ".join(BY_HAND[self._kind])
            raise ValueError(f"{action!r} is nothing a person does to a {self._kind}; there is {known}")
        with self._caught_up(WRITING) as place:
            result = getattr(place, action)(*arguments)
            self._rows.append(Change(place.version, None, action, arguments))
            return result

    # The agent's tools.

    @property
    def tools(self) -> Collection[str]:
        """The tools that this place answers."""
        return self._place.tools

    def answer(self, tool: str, arguments: Mapping[str, Any], principal: str) -> Any:
        """Carry out a validated call of one of this place's tools."""
        if tool in READS:
            with self._caught_up(READING) as place:
                return place.answer(tool, arguments, principal)
        name = principal, arguments["idempotency_key"]
        with self._caught_up(WRITING) as place:
            known, before = self._rows.record(*name), place.version
            place.records = {name: known} if known else {}
            answer = place.answer(tool, arguments, principal)
            changed, record = place.version > before, place.records.get(name)
            if changed:
                change = Change(place.version, principal, tool, dict(arguments))
                self._rows.append(change)
                if self._one_transaction:
                    self._rows.keep(*name, record)
        if changed:
            self._after_commit()
            if not self._one_transaction:
                with self._caught_up(WRITING):
                    self._rows.keep(*name, record)
        return answer

    # What both sides rest on.

    @contextmanager
    def _caught_up(self, begin: str) -> Iterator[Note | Room]:
        """Yield the place as it is in the file; what fails inside leaves no trace there or in memory."""
        with self._lock:
            try:
                with self._rows.transaction(begin):
                    self._catch_up()
                    yield self._place
            except NOTHING_CHANGED:
                raise
            except BaseException:
                self._place = self._make()
                raise

    def _catch_up(self) -> None:
        for principal in self._rows.principals():
            self._place.open_to(principal)
        for change in self._rows.changes(after=self._place.version):
            try:
                if change.principal is None:
                    getattr(self._place, change.action)(*change.arguments)
                else:
                    self._place.redo(Write(change.principal, change.action, change.arguments))
            except Refused as error:
                what = f"the change to version {change.version} was made under other options than these"
                raise StoreFileError(f"{what}: {error}") from error
            if self._place.version != change.version:
                raise StoreFileError(f"the change to version {self._place.version} is missing from the file")


def open_places(
    file: str | Path,
    *,
    one_transaction: bool = True,
    after_commit: Callable[[], object] = lambda: None,
) -> dict[str, Durable]:
    """Open every place of a store file, by its ID; close each when you are done.

    A new file gets the Note and the Room of the series, open to the principal "agent".

    Raises:
        StoreFileError: the file cannot be used.
    """
    with closing(connect(file)) as connection, explained():
        connection.execute(WRITING)
        if not connection.execute("SELECT 1 FROM places").fetchone():
            connection.executemany("INSERT INTO places VALUES (?, ?)", DEMO.items())
            opened = [(place_id, json.dumps(DEMO_PRINCIPAL)) for place_id in DEMO]
            connection.executemany("INSERT INTO open_to VALUES (?, ?)", opened)
        connection.execute("COMMIT")
        rows = connection.execute("SELECT place, kind FROM places ORDER BY rowid").fetchall()
    options = {"one_transaction": one_transaction, "after_commit": after_commit}
    places = {}
    with ExitStack() as opened:  # when one cannot be opened, those before it are closed
        for place_id, kind in rows:
            if kind not in KINDS:
                raise StoreFileError(f"{place_id!r} is a {kind}, which this osfhelpers does not know")
            place = Durable(file, partial(KINDS[kind], place_id), **options)
            places[place_id] = opened.enter_context(closing(place))
        opened.pop_all()
    return places
