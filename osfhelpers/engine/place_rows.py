"""How do the changes and keys of one place stand in a store file, and how do they come back?

All SQL of the store, and nothing that decides: rows go in and come out as the values that the
store in memory knows. What a call carries stands there as JSON, which keeps every string.
"""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from osfhelpers.engine.store import KeyRecord
from osfhelpers.engine.store_file import StoreFileError, connect, explained

READING, WRITING = "BEGIN", "BEGIN IMMEDIATE"


@dataclass(frozen=True)
class Change:
    """One change that was carried out, and the version to which it led.

    Args:
        principal: who called a tool, or None for the owner, who acted by hand.
        arguments: by name for a tool, by position for the owner.
    """

    version: int
    principal: str | None
    action: str
    arguments: dict[str, Any] | Sequence[Any] = field(repr=False)


class PlaceRows:
    """The rows of one place, over a connection of its own; closing it is the caller's."""

    def __init__(self, file: str | Path, place_id: str) -> None:
        self.place_id = place_id
        self.connection = connect(file)

    @contextmanager
    def transaction(self, begin: str) -> Iterator[None]:
        """Commit all of what is done inside, or on any error nothing; a writer waits for its turn.

        Raises:
            StoreFileError: the file cannot be used now.
        """
        with explained():
            self.connection.execute(begin)
            try:
                yield
                self.connection.execute("COMMIT")
            finally:
                if self.connection.in_transaction:  # SQLite has ended it itself when a disk is full
                    self.connection.execute("ROLLBACK")

    def kind(self, of_a_new_place: str) -> str:
        """Return the kind of the place; a place that the file does not hold yet is added."""
        self._execute("INSERT OR IGNORE INTO places VALUES (?, ?)", of_a_new_place)
        ((kind,),) = self._execute("SELECT kind FROM places WHERE place = ?")
        return kind

    def principals(self) -> list[str]:
        """Return for whom the place is open."""
        return [_parsed(row[0]) for row in self._execute("SELECT principal FROM open_to WHERE place = ?")]

    def open_to(self, principal: str) -> None:
        self._execute("INSERT OR IGNORE INTO open_to VALUES (?, ?)", json.dumps(principal))

    def changes(self, *, after: int) -> Iterator[Change]:
        """Yield the changes that led beyond a version, in order."""
        found = "SELECT * FROM changes WHERE place = ? AND version > ? ORDER BY version"
        for _, version, principal, action, arguments in self._execute(found, after):
            yield Change(version, _parsed(principal), action, _parsed(arguments))

    def append(self, change: Change) -> None:
        """Add a change; the table takes no second one for the same version."""
        row = change.version, json.dumps(change.principal), change.action, json.dumps(change.arguments)
        self._execute("INSERT INTO changes VALUES (?, ?, ?, ?, ?)", *row)

    def record(self, principal: str, key: str) -> KeyRecord | None:
        """Return what stands under a key."""
        found = "SELECT tool, fingerprint, result FROM keys WHERE place = ? AND principal = ? AND key = ?"
        for tool, fingerprint, result in self._execute(found, json.dumps(principal), json.dumps(key)):
            return KeyRecord(tool, fingerprint, MappingProxyType(_parsed(result)))
        return None

    def keep(self, principal: str, key: str, record: KeyRecord) -> None:
        """Add the record of a key; where one stands already, as only in two transactions, it stays."""
        row = json.dumps(principal), json.dumps(key), record.tool, record.fingerprint
        result = json.dumps(dict(record.result))
        self._execute("INSERT OR IGNORE INTO keys VALUES (?, ?, ?, ?, ?, ?)", *row, result)

    def forget_keys(self) -> None:
        self._execute("DELETE FROM keys WHERE place = ?")

    def _execute(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        return self.connection.execute(statement, (self.place_id, *values)).fetchall()


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        raise StoreFileError(f"a row is damaged: {error}; go back to a copy of the file") from error
