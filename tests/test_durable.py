"""A Note or Room in a file answers as one in memory does, and is there again after any kill."""

import json
import os
import sqlite3
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from pathlib import Path

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from osfhelpers.engine import place_rows, store_file
from osfhelpers.engine.calls import call
from osfhelpers.engine.durable import BY_HAND, Durable, open_places
from osfhelpers.engine.note import Note
from osfhelpers.engine.refusals import KeyReused, NotOpen, Refused
from osfhelpers.engine.room import Room
from osfhelpers.engine.snapshot import tools
from osfhelpers.engine.store import Conflict, OnMismatch, Order
from osfhelpers.engine.store_file import StoreFileError

HERE = Path(__file__).parent
KEY = "a-key-of-mine"
PROPOSAL = {"room_id": "team-room", "name": "Clock", "files": {"src/App.tsx": "export default 1"}}
# What is asked of a race or a kill does not depend on the disk, and one in memory is fast.
IN_MEMORY = Path("/dev/shm")
needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork a process")


@pytest.fixture
def file(tmp_path):
    return tmp_path / "store.db"


@contextmanager
def fast_folder():
    with tempfile.TemporaryDirectory(dir=IN_MEMORY if os.access(IN_MEMORY, os.W_OK) else None) as folder:
        yield Path(folder)


@contextmanager
def opened(file, **options):
    """Open all places of a file, and close them at the end."""
    places = open_places(file, **options)
    try:
        yield places
    finally:
        for place in places.values():
            place.close()


def create(on, *, key=KEY, version=1, **more):
    arguments = {"note_id": "q3-review", "expected_version": version, "idempotency_key": key}
    return call("create_note_tab", {**arguments, "tab_type": "slides", **more}, on=on)


def propose(on, *, key=KEY, **more):
    return call("propose_room_snippet_app", {**PROPOSAL, "idempotency_key": key, **more}, on=on)


def content(file):
    """Return the bytes of the file and of what SQLite has not moved into it yet."""
    return [part.read_bytes() for part in (file, file.with_name("store.db-wal")) if part.exists()]


def new_tabs(places):
    return len(places["q3-review"].look().tabs) - 3


# What is there again.


def test_a_new_file_holds_the_note_and_the_room_of_the_series_open_to_their_agent(file):
    with opened(file) as places:
        assert list(places) == ["q3-review", "team-room"]
        assert call("list_note_tabs", {"note_id": "q3-review"}, on=places)["version"] == 1
        with pytest.raises(NotOpen):
            call("read_room", {"room_id": "team-room"}, on=places, principal="another")


def test_tabs_keys_approvals_and_principals_are_there_when_the_file_is_opened_again(file):
    with opened(file) as places:
        first = create(places, label="Q3")
        proposed = propose(places)
        places["team-room"].by_hand("approve", "app-1")
        places["team-room"].open_to("another")
    with opened(file) as places:
        assert create(places, label="Q3").replayed
        assert create(places).result == first.result
        assert places["q3-review"].look().tabs[-1].label == "Q3"
        assert propose(places).result == {**proposed.result, "state": "in the launcher"}
        listed = call("list_room_apps", {"room_id": "team-room"}, on=places, principal="another")
        assert [row["name"] for row in listed["items"]] == ["Clock"]


def test_two_servers_on_one_file_see_each_others_changes_and_keys(file):
    with opened(file) as one, opened(file) as other:
        first = create(one)
        assert create(other, version=1).result == first.result
        assert create(other, key="another-key", version=1) == Conflict(1, 2)
        other["q3-review"].by_hand("save", "by the person")
        assert one["q3-review"].look().text == "by the person"
        other["q3-review"].forget_keys()
        assert create(one, version=3).replayed is False


def test_what_an_owner_does_to_an_open_file_counts_from_the_next_call(file):
    with opened(file) as server, opened(file) as owner:
        server["q3-review"].look()
        owner["q3-review"].open_to("late")
        assert call("list_note_tabs", {"note_id": "q3-review"}, on=server, principal="late")["version"] == 1


def test_options_belong_to_the_server_and_not_to_the_file(file):
    with closing(Durable(file, Note)) as note:
        note.open_to("agent")
        create(note)
    with closing(Durable(file, lambda: Note(on_mismatch=OnMismatch.REFUSE))) as note:
        with pytest.raises(KeyReused):
            create(note, label="another")
        assert create(note).replayed


# The same answers as in memory, for any short history.


def agent_calls(tool, **arguments):
    principals = st.sampled_from(["agent", "agent", "stranger"])
    return st.tuples(st.just(tool), st.fixed_dictionaries(arguments), principals)


def person_does(action, *arguments):
    return st.tuples(st.just(action), st.tuples(*arguments), st.none())


LABELS = st.sampled_from(["Q3", " Q4 ", "\N{SNOWMAN}\0"])
TEXTS = st.sampled_from(["plan", "half a pair: \ud800"])
TAB_IDS = st.sampled_from(["files", "slides-1-mh8z1k2b", "slides-2-mh8z1k2c"])
APP_IDS = st.sampled_from(["app-1", "app-2"])
KEY_FIELD = {"idempotency_key": st.sampled_from(["key-one-", "key-two-", "\ud800-three"])}
NOTE = {"note_id": st.just("q3-review")}
ROOM = {"room_id": st.just("team-room")}
# Here a version is how many changes ago it was read.
NOTE_WRITE = {**NOTE, **KEY_FIELD, "expected_version": st.integers(0, 1)}
HISTORIES = {
    Note: st.one_of(
        agent_calls("create_note_tab", **NOTE_WRITE, tab_type=st.just("slides"), label=LABELS | TEXTS),
        agent_calls("create_note_tab", **NOTE_WRITE, tab_type=st.just("slides"), label=LABELS),
        agent_calls(
            "edit_note_tab", **NOTE_WRITE, tab_id=TAB_IDS, operation=st.just("slide_add"), title=LABELS
        ),
        agent_calls(
            "add_note_source",
            **NOTE_WRITE,
            title=LABELS,
            url=st.just("https://example.org/"),
            description=TEXTS,
        ),
        agent_calls("list_note_tabs", **NOTE),
        person_does("drag", TAB_IDS, st.integers(0, 4)),
        person_does("rename", TAB_IDS, LABELS),
        person_does("add", st.sampled_from(["slides", "files"]), LABELS),
        person_does("close", TAB_IDS),
        person_does("save", TEXTS),
    ),
    Room: st.one_of(
        agent_calls(
            "propose_room_snippet_app",
            **ROOM,
            **KEY_FIELD,
            name=LABELS,
            files=st.fixed_dictionaries({"src/App.tsx": TEXTS}),
        ),
        agent_calls(
            "propose_room_repo_app",
            **ROOM,
            **KEY_FIELD,
            name=LABELS,
            repository_id=st.just("repo"),
            version_id=st.sampled_from(["v1", "v2"]),
        ),
        agent_calls("read_room_app_status", **ROOM, instance_id=APP_IDS),
        agent_calls("list_room_apps", **ROOM),
        *(person_does(action, APP_IDS) for action in BY_HAND["room"]),
    ),
}
MAKE = {Note: Note, Room: lambda **options: Room(repositories={"repo": ["v1"]}, **options)}
BETWEEN = st.sampled_from(["go on", "go on", "open again", "in another process", "forget keys"])


def take(place, do, step, version):
    """Take one step; return what it gives, or which refusal and what it says."""
    name, given, principal = step
    try:
        if principal is None:
            return do(name, *given)
        if "expected_version" in given:
            given = {**given, "expected_version": max(1, version - given["expected_version"])}
        return call(name, given, on=place, principal=principal)
    except (Refused, ValueError) as error:
        return type(error), str(error)


def _by_hand(place, action, *given):
    return getattr(place, action)(*given)


def state(place):
    """Return all that a person can see of a place."""
    if isinstance(place, Note):
        return place.version, place.tabs, place.sources, place.text
    return place.version, place.pending, place.launcher


@pytest.mark.parametrize("kind", [Note, Room])
@given(
    data=st.data(),
    between=st.lists(BETWEEN, max_size=10),
    order=st.sampled_from(Order),
    on_mismatch=st.sampled_from(OnMismatch),
)
@settings(max_examples=60, report_multiple_bugs=False, phases=set(Phase) - {Phase.explain})
def test_any_short_history_has_the_same_answers_as_in_memory(kind, data, between, order, on_mismatch):
    def make():
        return MAKE[kind](order=order, on_mismatch=on_mismatch)

    memory = make()
    memory.open_to("agent")
    with fast_folder() as folder, ExitStack() as stack:

        def reopened():
            return stack.enter_context(closing(Durable(folder / "store.db", make)))

        here, there = reopened(), reopened()
        here.open_to("agent")
        for event in between:
            if event == "open again":
                here.close()
                here = reopened()
            elif event == "in another process":
                here, there = there, here
            elif event == "forget keys":
                memory.forget_keys()
                here.forget_keys()
            step = data.draw(HISTORIES[kind])
            expected = take(memory, partial(_by_hand, memory), step, memory.version)
            assert take(here, here.by_hand, step, here.look().version) == expected
            assert state(here.look()) == state(memory)
        assert state(there.look()) == state(memory)


# All or nothing.


def test_what_is_not_carried_out_leaves_the_file_byte_for_byte(file):
    with opened(file) as places:
        create(places)
        propose(places)
        places["team-room"].by_hand("decline", "app-1")
        before = content(file)
        assert create(places).replayed
        assert isinstance(create(places, key="another-key", version=1), Conflict)
        call("list_note_tabs", {"note_id": "q3-review"}, on=places)
        refused = (
            lambda: create(places, key="short", version=2),
            lambda: create(places, key="another-key", version=2, label="\ud800"),
            lambda: propose(places, key="another-key", files={"src/App.tsx": "", "src/../x": ""}),
            lambda: call("read_room", {"room_id": "team-room"}, on=places, principal="stranger"),
            lambda: places["team-room"].by_hand("approve", "app-1"),
            lambda: places["q3-review"].by_hand("close", "files"),
        )
        for act in refused:
            with pytest.raises(Refused):
                act()
        assert content(file) == before


@pytest.fixture
def connections(monkeypatch):
    """Collect the connections that are opened, so that a test can make one of them fail."""
    made = []

    def connect(file):
        made.append(store_file.connect(file))
        return made[-1]

    monkeypatch.setattr(place_rows, "connect", connect)
    return made


def test_when_the_disk_is_full_nothing_is_half_done_and_later_the_same_call_succeeds(file, connections):
    with opened(file) as places:
        create(places)
        before = state(places["q3-review"].look())
        pages = connections[0].execute("PRAGMA page_count").fetchone()[0]
        connections[0].execute(f"PRAGMA max_page_count = {pages}")
        slides = [{"title": "long " * 100}] * 20
        with pytest.raises(StoreFileError, match="disk is full"):
            create(places, key="another-key", version=2, slides=slides)
        assert state(places["q3-review"].look()) == before
        connections[0].execute("PRAGMA max_page_count = 1000")
        assert create(places, key="another-key", version=2, slides=slides).result["version"] == 3


@pytest.mark.parametrize(
    "act", [lambda places: create(places), lambda places: places["q3-review"].by_hand("add")]
)
def test_when_a_commit_is_refused_memory_is_as_before(file, connections, act):
    def no_commit(action, name, *rest):
        refused = action == sqlite3.SQLITE_TRANSACTION and name == "COMMIT"
        return sqlite3.SQLITE_DENY if refused else sqlite3.SQLITE_OK

    with opened(file) as places:
        connections[0].set_authorizer(no_commit)
        with pytest.raises(StoreFileError):
            act(places)
        connections[0].set_authorizer(None)
        assert new_tabs(places) == 0
        assert create(places).result["version"] == 2


def test_a_store_that_stays_locked_says_so_and_the_same_call_succeeds_later(file, monkeypatch):
    monkeypatch.setattr(store_file, "LOCK_WAIT_S", 0.01)
    with opened(file) as places, closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreFileError, match="locked"):
            create(places)
        assert call("list_note_tabs", {"note_id": "q3-review"}, on=places)["version"] == 1
        other.execute("ROLLBACK")
        assert create(places).replayed is False


def change_by_hand(file, statement):
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute(statement)


def test_a_file_that_was_written_under_other_options_says_so(file):
    repository = {
        "room_id": "team-room",
        "name": "Clock",
        "repository_id": "stand-up-timer",
        "version_id": "v1",
    }
    with opened(file) as places:
        call("propose_room_repo_app", {**repository, "idempotency_key": KEY}, on=places)
    with closing(Durable(file, Room)) as room, pytest.raises(StoreFileError, match="stand-up-timer"):
        room.look()


def test_a_change_that_is_missing_from_the_file_is_noticed(file):
    with opened(file) as places:
        create(places)
        create(places, key="another-key", version=2)
    change_by_hand(file, "DELETE FROM changes WHERE version = 2")
    with opened(file) as places, pytest.raises(StoreFileError, match="version 2 is missing"):
        places["q3-review"].look()


def test_a_row_that_is_no_json_any_more_is_called_damaged(file):
    with opened(file) as places:
        create(places)
    change_by_hand(file, "UPDATE changes SET arguments = substr(arguments, 1, 9)")
    with (
        opened(file) as places,
        pytest.raises(StoreFileError, match=r"a row is damaged: .*; go back to a copy"),
    ):
        places["q3-review"].look()


def test_a_place_of_an_unknown_kind_is_named_and_nothing_stays_open(file, connections):
    with opened(file):
        pass
    change_by_hand(file, "UPDATE places SET kind = 'board' WHERE place = 'team-room'")
    with pytest.raises(StoreFileError, match="'team-room' is a board, which this osfhelpers does not know"):
        open_places(file)
    assert connections
    for connection in connections:
        with pytest.raises(sqlite3.ProgrammingError, match="closed"):
            connection.execute("SELECT 1")


# Between the commit and the reply.


class Killed(BaseException):
    """Stands for the end of a process in the middle of a call."""


def test_the_hook_runs_once_per_change_when_others_can_see_it_already(file):
    seen = []
    with opened(file) as other:
        with opened(file, after_commit=lambda: seen.append(new_tabs(other))) as places:
            create(places)
            create(places)
            create(places, key="another-key", version=1)
            create(places, key="another-key", version=2)
            places["q3-review"].by_hand("add")
        assert seen == [1, 2]


@pytest.mark.parametrize(("one_transaction", "tabs"), [(True, 1), (False, 2)])
def test_killed_after_the_commit_one_transaction_makes_one_tab_and_two_make_two(file, one_transaction, tabs):
    def killed():
        raise Killed

    with opened(file, one_transaction=one_transaction, after_commit=killed) as places, pytest.raises(Killed):
        create(places)
    with opened(file, one_transaction=one_transaction) as places:
        again = create(places)
        if again == Conflict(1, 2):
            again = create(places, version=2)
        assert new_tabs(places) == tabs
        assert again.replayed is one_transaction
        assert create(places).replayed


def counted(*commands):
    """Run scripts side by side, which print their counts as JSON; return the sums."""
    runs = [
        subprocess.Popen(
            [sys.executable, "-W", "error", *map(str, command)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        for command in commands
    ]
    total = Counter()
    try:
        for run in runs:
            out, errors = run.communicate(timeout=120)
            assert run.returncode == 0, errors.decode()
            total.update(json.loads(out))
    finally:
        for run in runs:
            run.kill()
            run.communicate()
    return total


RIGHT = ("lost", "doubled", "keys missing", "gaps in versions", "wrong replies", "damaged files")


@needs_fork
def test_a_thousand_killed_servers_lose_nothing_and_double_nothing():
    script = HERE / "kill_rounds.py"
    with fast_folder() as folder:
        found = counted(*((script, 250, seed, folder) for seed in range(4)))
    assert found["rounds"] == 1000
    assert {name: found[name] for name in RIGHT} == dict.fromkeys(RIGHT, 0)
    moments = [f"statement {number}" for number in range(1, 8)] + ["after commit", "half a reply", "any time"]
    assert all(found[f"killed: {moment}"] >= 3 for moment in moments)


@needs_fork
def test_with_the_key_in_a_second_transaction_killed_servers_double_writes():
    with fast_folder() as folder:
        found = counted((HERE / "kill_rounds.py", 100, 5, folder, "--two-transactions"))
    assert found["doubled"] >= 10
    assert {name: found[name] for name in RIGHT if name != "doubled"} == dict.fromkeys(
        set(RIGHT) - {"doubled"}, 0
    )


# Many at once.


@needs_fork
@pytest.mark.parametrize(("keys", "effects"), [("equal", 500), ("different", 4000)])
def test_eight_processes_of_500_writes_have_one_effect_per_key_and_leave_no_gap(keys, effects):
    with fast_folder() as folder:
        found = counted((HERE / "many_writers.py", keys, folder / "store.db"))
    assert found == {
        "keys": effects,
        "results": effects,
        "effects": effects,
        "without gaps": True,
        "memories equal to the file": 8,
        "intact": True,
    }


def test_threads_of_one_server_share_a_place(file):
    def work(places, number):
        for index in range(10):
            propose(places, key=f"own-key-{number}-{index}", name=f"app {number}-{index}")
            propose(places, key=f"shared-key-{index}", name=f"shared {index}")

    with opened(file) as places:
        threads = [threading.Thread(target=work, args=(places, number)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        names = [app.name for app in places["team-room"].look().pending]
    assert len(names) == len(set(names)) == 50


# The person's side.


def test_whatever_a_person_can_do_in_memory_can_be_done_by_hand_in_a_file():
    looks = {"answer", "effect", "tab", "app", "open_app", "require_open"}
    for name, kind in (("note", Note), ("room", Room)):
        public = {each for each, it in vars(kind).items() if callable(it) and not each.startswith("_")}
        assert public - looks == set(BY_HAND[name])


def test_nothing_but_a_persons_actions_is_done_by_hand(file):
    with opened(file) as places:
        for action in ("approve", "effect", "_make_tab", "version"):
            with pytest.raises(ValueError, match=r"nothing a person does to a note; there is drag"):
                places["q3-review"].by_hand(action, "slides")
        assert not set(tools()) & {each for actions in BY_HAND.values() for each in actions}
