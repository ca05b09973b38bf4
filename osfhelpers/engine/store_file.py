"""Is this file a store, and what can a beginner do when it is not?

One SQLite file holds all places of a server. Four tables: the places, to whom each is open, the
changes of each in order, and the key records. What SQLite reports is said again in words that
name a way out, and never a path: an agent may read the message.
"""

import sqlite3
import time
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
  principal TEXT NOT NULL,  -- in JSON, where null is the owner, by hand
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
            if not _is_empty(connection):
                _refuse_another(connection)
            _write_ahead(connection)
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("BEGIN IMMEDIATE")
            if _is_empty(connection):
                for statement in TABLES.split(";"):
                    connection.execute(statement)
                connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
                connection.execute(f"PRAGMA user_version = {FORMAT}")
            connection.execute("COMMIT")
        except BaseException:
            connection.close()
            raise
    return connection


def _is_empty(connection: sqlite3.Connection) -> bool:
    return connection.execute("SELECT count(*) FROM sqlite_master").fetchone() == (0,)


def _write_ahead(connection: sqlite3.Connection) -> None:
    """Let readers go on while one process writes; SQLite keeps this in the file."""
    until_s = time.monotonic() + LOCK_WAIT_S
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            # Of all locks, this is the one that SQLite does not wait for: two processes, one new file.
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > until_s:
                raise
            time.sleep(0.005)


def _refuse_another(connection: sqlite3.Connection) -> None:
    ((application_id,),) = connection.execute("PRAGMA application_id")
    ((form,),) = connection.execute("PRAGMA user_version")
    if application_id != APPLICATION_ID:
        raise StoreFileError("this is a database of another program; name another file")
    if form != FORMAT:
        raise StoreFileError(
            f"its format is {form} and this osfhelpers reads format {FORMAT}; "
            "open it with the osfhelpers that wrote it, or name a new file"
        )
