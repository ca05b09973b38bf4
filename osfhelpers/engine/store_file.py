"""Is this file a store, and what can a beginner do when it is not?

One SQLite file holds all places of a server. Four tables: the places, to whom each is open, the
changes of each in order, and the key records. Principals, keys, arguments and results stand
there as JSON, which keeps every string that a call can carry. What SQLite reports is said again
in words that name a way out, and never a path: an agent may read the message.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

LOCK_WAIT_S = 10
# Written into the header of the file, where `PRAGMA application_id` and `user_version` read them.
APPLICATION_ID = int.from_bytes(b"osfh", "big")
FORMAT = 1

TABLES = """
CREATE TABLE places (place TEXT PRIMARY KEY, kind TEXT NOT NULL);
CREATE TABLE open_to (place TEXT, principal TEXT, PRIMARY KEY (place, principal)) WITHOUT ROWID;
CREATE TABLE changes (
  place TEXT, version INTEGER,
  principal TEXT NOT NULL,  -- null, as JSON, is the owner, by hand
  action TEXT NOT NULL, arguments TEXT NOT NULL,
  PRIMARY KEY (place, version)
);
CREATE TABLE keys (
  place TEXT, principal TEXT, key TEXT, tool TEXT NOT NULL, fingerprint TEXT NOT NULL, result TEXT NOT NULL,
  PRIMARY KEY (place, principal, key)
);
"""

WAYS_OUT = {
    sqlite3.SQLITE_NOTADB: "this is no SQLite database; name another file",
    sqlite3.SQLITE_CANTOPEN: "it cannot be opened; is its folder there, and may you write to it?",
    sqlite3.SQLITE_READONLY: "it may only be read; allow writing to the file and to its folder",
    sqlite3.SQLITE_BUSY: "another process has kept it locked for too long; let it finish and send again",
    sqlite3.SQLITE_FULL: "the disk is full and nothing was written; make room and send again",
    sqlite3.SQLITE_CORRUPT: "the file is damaged; go back to a copy of it",
}


class StoreFileError(Exception):
    """A store file cannot be used, or not now; nothing was written."""


@contextmanager
def explained() -> Iterator[None]:
    """Turn what SQLite reports into a `StoreFileError` that says what to do."""
    try:
        yield
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # the low byte; the rest is detail
        raise StoreFileError(WAYS_OUT.get(code, f"SQLite reports: {error}")) from error


def connect(file: str | Path) -> sqlite3.Connection:
    """Open a store file, and make it first where there is none.

    Raises:
        StoreFileError: it is no store, is one of another format, or cannot be written.
    """
    with explained():
        connection = sqlite3.connect(file, timeout=LOCK_WAIT_S, isolation_level=None, check_same_thread=False)
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("BEGIN IMMEDIATE")
            _make_or_check(connection)
            connection.execute("COMMIT")
        except BaseException:
            connection.close()
            raise
    return connection


def _make_or_check(connection: sqlite3.Connection) -> None:
    def number(pragma: str) -> int:
        return connection.execute(f"PRAGMA {pragma}").fetchone()[0]

    if connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0:
        for statement in TABLES.split(";"):
            connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {FORMAT}")
    if number("application_id") != APPLICATION_ID:
        raise StoreFileError("this is a database of another program; name another file")
    if number("user_version") != FORMAT:
        raise StoreFileError(
            f"its format is {number('user_version')} and this osfhelpers reads format {FORMAT}; "
            "open it with the osfhelpers that wrote it, or name a new file"
        )
