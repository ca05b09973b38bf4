"""The owner reviews proposals on the file of a running server, and no tool can."""

import subprocess
import sys
from contextlib import ExitStack, closing

import pytest

from osfhelpers.__main__ import main
from osfhelpers.engine.calls import call
from osfhelpers.engine.durable import open_places

FILES = {"src/App.tsx": "export default () => null\n", "src/é.css": "b {}"}


@pytest.fixture
def file(tmp_path):
    return tmp_path / "store.db"


@pytest.fixture
def server(file):
    """Open the places of a file, as a server that goes on running."""
    with ExitStack() as stack:
        places = open_places(file)
        for place in places.values():
            stack.enter_context(closing(place))
        yield places


def propose(server, name="Clock", files=FILES):
    arguments = {"room_id": "team-room", "name": name, "files": files, "idempotency_key": f"key of {name}"}
    return call("propose_room_snippet_app", arguments, on=server).result["instance_id"]


def status(server, instance_id):
    asked = {"room_id": "team-room", "instance_id": instance_id}
    return call("read_room_app_status", asked, on=server)["launcher"]


def rooms(file, action, *more):
    """Run one command in this process; return its exit status."""
    return main(["rooms", action, "--store", str(file), *more])


def test_list_shows_every_pending_proposal_with_its_paths_and_sizes(file, server, capsys):
    propose(server)
    propose(server, name="Timer", files={"src/App.tsx": "1"})
    assert rooms(file, "list") == 0
    assert capsys.readouterr().out.splitlines() == [
        "team-room: 2 awaiting review",
        "app-1  Clock, proposed by agent",
        "    src/App.tsx, 26 bytes",
        "    src/é.css, 4 bytes",
        "app-2  Timer, proposed by agent",
        "    src/App.tsx, 1 byte",
    ]


def test_one_proposal_is_shown_with_its_full_code(file, server, capsys):
    propose(server)
    assert rooms(file, "list", "team-room", "app-1") == 0
    shown = capsys.readouterr().out
    assert "--- src/App.tsx\n| export default () => null\n| \n--- src/é.css\n| b {}\n" in shown
    assert "awaiting review" in shown
    assert "Review the files before approving" in shown


def test_a_proposed_repository_is_shown_by_its_version(file, server, capsys):
    repository = {"room_id": "team-room", "repository_id": "stand-up-timer", "version_id": "v2"}
    call("propose_room_repo_app", {**repository, "name": "Timer", "idempotency_key": "key of v2"}, on=server)
    assert rooms(file, "list") == rooms(file, "list", "team-room", "app-1") == 0
    shown = capsys.readouterr().out
    assert shown.count("repository stand-up-timer at version v2") == 2
    assert "Review repository code before approving" in shown


def test_nothing_that_an_agent_wrote_can_steer_the_terminal_or_pass_for_another_file(file, server, capsys):
    code = "safe()\r\x1b[2Khidden()\u202e\n--- src/evil.ts\nevil()"
    propose(server, name="Clock\nteam-room: 0 awaiting review", files={"src/App.tsx": code})
    rooms(file, "list")
    rooms(file, "list", "team-room", "app-1")
    shown = capsys.readouterr().out
    assert all(sign.isprintable() or sign == "\n" for sign in shown)
    assert "| safe()[U+000D][U+001B][2Khidden()[U+202E]" in shown
    lines = shown.splitlines()
    assert "team-room: 0 awaiting review" not in lines
    assert [line for line in lines if line.startswith("---")] == ["--- src/App.tsx"]


def test_an_approval_reaches_a_running_server_from_another_process(file, server):
    instance_id = propose(server)
    assert status(server, instance_id) == "awaiting review"
    command = [sys.executable, "-m", "osfhelpers", "rooms", "approve", "--store", str(file)]
    done = subprocess.run([*command, "team-room", instance_id], capture_output=True, text=True, check=True)
    assert done.stdout == "app-1 in team-room: approved, and in the launcher of every member\n"
    assert status(server, instance_id) == "in the launcher"
    assert len(call("list_room_apps", {"room_id": "team-room"}, on=server)["items"]) == 1


def test_a_decline_reaches_a_running_server_and_what_was_declined_is_pending_no_longer(file, server, capsys):
    assert rooms(file, "decline", "team-room", propose(server)) == 0
    assert capsys.readouterr().out == "app-1 in team-room: declined\n"
    assert status(server, "app-1") == "declined"
    assert rooms(file, "list") == 0
    assert capsys.readouterr().out == "team-room: 0 awaiting review\n"


@pytest.mark.parametrize(
    ("room", "instance_id", "said"),
    [
        ("team-room", "app-1", "'app-1' is already declined"),
        ("team-room", "app-7", "no app 'app-7' in 'team-room'"),
        ("another-room", "app-1", "there is no Room 'another-room' in this file; it holds team-room"),
        ("q3-review", "app-1", "there is no Room 'q3-review' in this file"),
    ],
)
@pytest.mark.parametrize("action", ["approve", "decline"])
def test_what_is_not_pending_is_refused_clearly_and_nothing_changes(
    file, server, capsys, action, room, instance_id, said
):
    propose(server)
    server["team-room"].by_hand("decline", "app-1")
    version = server["team-room"].look().version
    assert rooms(file, action, room, instance_id) == 1
    heard = capsys.readouterr()
    assert said in heard.err
    assert heard.out == ""
    assert server["team-room"].look().version == version


def test_a_file_that_is_not_there_is_not_made(file, capsys):
    assert rooms(file, "list") == 2
    assert "there is no such file" in capsys.readouterr().err
    assert not file.exists()


def test_approve_needs_a_room_and_a_proposal(file, server, capsys):
    with pytest.raises(SystemExit) as error:
        rooms(file, "approve", "team-room")
    assert error.value.code == 2
    assert "instance_id" in capsys.readouterr().err
