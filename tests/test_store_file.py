"""A file that cannot be used says why, in words that name a way out and never a path."""

import sqlite3
import threading
from contextlib import closing

import pytest

from osfhelpers.engine.durable import Durable, open_places
from osfhelpers.engine.note import Note
from osfhelpers.engine.room import Room
from osfhelpers.engine.store_file import FORMAT, StoreFileError, connect, explained


def refused(file):
    """Try to open a file; return what is said, without the path."""
    with pytest.raises(StoreFileError) as error:
        open_places(file)
    assert str(file.parent) not in str(error.value)
    return str(error.value)


def test_a_new_file_is_made_once_and_opened_ever_after(tmp_path):
    for _ in range(2):
        with closing(connect(tmp_path / "store.db")) as connection:
            assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
            assert connection.execute("PRAGMA synchronous").fetchone() == (2,)


def test_a_text_file_is_no_database_and_stays_as_it_was(tmp_path):
    file = tmp_path / "notes.md"
    file.write_text("# Notes, and not a database at all\n" * 50)
    assert refused(file) == "this is no SQLite database; name another file"
    assert file.read_text().count("Notes") == 50
    assert list(tmp_path.iterdir()) == [file]


def test_the_database_of_another_program_is_refused_and_stays_as_it_was(tmp_path):
    file = tmp_path / "photos.db"
    with closing(sqlite3.connect(file)) as other:
        other.execute("CREATE TABLE photos (name TEXT)")
    before = file.read_bytes()
    assert "another program" in refused(file)
    assert file.read_bytes() == before


def test_a_file_of_another_format_says_which_it_is_and_which_can_be_read(tmp_path):
    file = tmp_path / "store.db"
    with closing(connect(file)) as connection:
        connection.execute(f"PRAGMA user_version = {FORMAT + 1}")
    assert f"its format is {FORMAT + 1} and this osfhelpers reads format {FORMAT}" in refused(file)


def test_a_folder_that_is_not_there_is_asked_for(tmp_path):
    assert "is its folder there" in refused(tmp_path / "none" / "store.db")


def test_a_damaged_file_says_so(tmp_path):
    file = tmp_path / "store.db"
    for place in open_places(file).values():
        place.close()
    file.write_bytes(file.read_bytes()[:4096] + b"\xff" * 20_000)
    assert "damaged" in refused(file)


def test_a_new_file_that_another_process_is_setting_up_is_waited_for(tmp_path):
    file = tmp_path / "store.db"
    connect(file).close()
    with closing(sqlite3.connect(file, isolation_level=None, check_same_thread=False)) as other:
        other.execute("PRAGMA journal_mode = DELETE")  # as the file is for its first process
        other.execute("BEGIN IMMEDIATE")
        release = threading.Timer(0.1, other.rollback)
        release.start()
        with closing(connect(file)) as connection:
            assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        release.join()


def test_what_may_only_be_read_says_what_to_allow(tmp_path):
    with closing(connect(tmp_path / "store.db")) as connection:
        connection.execute("PRAGMA query_only = ON")
        with pytest.raises(StoreFileError, match="allow writing to the file and to its folder"), explained():
            connection.execute("DELETE FROM keys")


def test_a_note_is_not_opened_as_a_room(tmp_path):
    file = tmp_path / "store.db"
    with (
        closing(Durable(file, Note)),
        pytest.raises(StoreFileError, match="'q3-review' is a note, not a room"),
    ):
        Durable(file, lambda: Room("q3-review"))
