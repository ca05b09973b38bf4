"""`osfhelpers serve`: what it is told, how it ends, and what is left when it is killed."""

import errno
import os
import queue
import random
import signal
import socket
import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest

from osfhelpers.__main__ import main
from osfhelpers.engine.durable import open_places
from osfhelpers.engine.store import Conflict
from osfhelpers.wire import NO_SDK
from osfhelpers.wire.serve import KILLED, READ_TOKEN, WRITE_TOKEN
from wire.raw import REPLY_S, Forked, Stdio, Web, initialize, request

ROUNDS = 25


def new_tab(version, key):
    return {
        "note_id": "q3-review", "expected_version": version, "idempotency_key": key, "tab_type": "slides"
    }  # fmt: skip


def tabs(file):
    places = open_places(file)
    try:
        return [tab.tab_id for tab in places["q3-review"].look().tabs if tab.tab_type == "slides"]
    finally:
        for place in places.values():
            place.close()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--http", "x"], "it must be a port from 0 to 65535, but it is 'x'"),
        (["--http", "70000"], "it must be a port from 0 to 65535, but it is '70000'"),
        (["--lose-replies", "1.5"], "it must be a share from 0 to 1, but it is '1.5'"),
        (["--lose-replies", "nan"], "it must be a share from 0 to 1, but it is 'nan'"),
        (["--kill-after-commit", "0", "--store", "s.db"], "from 1 to 1000000, but it is '0'"),
        (["--kill-after-commit", "1"], "--kill-after-commit and --two-transactions need --store FILE"),
        (["--two-transactions"], "--kill-after-commit and --two-transactions need --store FILE"),
        (["--read-token", "a" * 16], "need --http PORT"),
        (["--http", "0", "--read-token", "short"], "at least 16 printable ASCII signs and no space"),
        (["--http", "0", "--write-token", "two words, both long"], "and no space"),
        (["--http", "0", "--read-token", "a" * 16, "--write-token", "a" * 16], "must differ"),
        (["--store", "no/such/folder/s.db"], "is its folder there"),
    ],
)
def test_an_argument_that_cannot_be_meant_is_a_sentence_and_status_2(
    arguments, says, capsys, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    try:
        status = main(["serve", *arguments])
    except SystemExit as ended:
        status = ended.code
    assert status == 2
    assert says in capsys.readouterr().err


def test_a_port_in_use_says_so(capsys):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main(["serve", "--http", str(port)]) == 2
    assert (
        f"port {port}: {os.strerror(errno.EADDRINUSE)}; --http 0 takes a free one" in capsys.readouterr().err
    )


def test_a_file_that_is_no_store_is_left_alone(tmp_path, capsys):
    file = tmp_path / "letter.txt"
    file.write_text("Dear reader, " * 50)
    assert main(["serve", "--store", str(file)]) == 2
    assert "no SQLite database" in capsys.readouterr().err
    assert file.read_text() == "Dear reader, " * 50


def test_without_the_sdk_serve_says_what_to_install():
    code = "import sys; sys.modules['mcp'] = None; from osfhelpers.__main__ import main as run"
    code += "\nsys.exit(run(['serve']))"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (2, f"osfhelpers serve: {NO_SDK}\n")


def test_on_stdio_it_ends_with_its_input_and_nothing_but_messages_is_said(tmp_path):
    server = Stdio(tmp_path)
    assert server.open()["capabilities"] == {"tools": {"listChanged": False}}
    assert server.close() == 0
    assert server.log.read_text() == "osfhelpers serve: on stdio; it ends with its input, or by Ctrl-C\n"


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGINT for one process")
def test_ctrl_c_ends_it_without_a_traceback(tmp_path):
    server = Stdio(tmp_path)
    server.open()
    server.process.send_signal(signal.SIGINT)
    assert server.process.wait(REPLY_S) == 0
    server.close()
    assert "Traceback" not in server.log.read_text()


def test_a_client_that_stops_listening_ends_it_without_a_traceback(tmp_path):
    log = (tmp_path / "stderr.txt").open("wb+")
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": log}
    with log, subprocess.Popen([sys.executable, "-m", "osfhelpers", "serve"], **pipes) as process:
        process.stdout.close()
        process.stdin.write(b"no message\n" * 3)
        process.stdin.close()
        assert process.wait(REPLY_S) == 0
        assert b"Traceback" not in (tmp_path / "stderr.txt").read_bytes()


def test_lines_that_are_no_message_are_answered_and_the_session_goes_on(tmp_path):
    server = Stdio(tmp_path)
    server.open()
    for line in (
        b"no message",
        b"[]",
        b'{"a": 1, "a": 2}',
        b"\xff",
        b'"\\ud800"',
        b"NaN",
        b"[" * 100_000,
        b"{}",
    ):
        server.send(line)
        reply = server.receive()
        assert reply["id"] is None
        assert reply["error"]["code"] in (-32700, -32600)
        assert set(reply["error"]) == {"code", "message"}
    server.send(b"")
    assert server.ask("ping")["result"] == {}
    assert server.close() == 0


def test_tokens_may_come_from_the_environment_and_are_then_not_shown(tmp_path):
    given = {READ_TOKEN: "read-token-of-mine", WRITE_TOKEN: "write-token-of-mine"}
    server = Web(tmp_path, environment={**os.environ, **given})
    try:
        assert (server.read_token, server.write_token) == ("given", "given")
        assert server.call("read_room", given[READ_TOKEN], room_id="team-room").status == 200
        assert server.call("read_room", "another-token-of-mine", room_id="team-room").status == 401
    finally:
        assert server.close() == 0


def test_a_lost_reply_is_silence_on_stdio_and_the_write_is_done(tmp_path):
    server = Stdio(tmp_path, "--lose-replies", 1)
    server.open()
    server.send(
        request("lost", "tools/call", {"name": "create_note_tab", "arguments": new_tab(1, "key-0001")})
    )
    with pytest.raises(queue.Empty):
        server.receive(timeout_s=0.5)
    # The client gives up, and learns of its own write by reading.
    server.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "lost"}})
    assert server.call("list_note_tabs", note_id="q3-review")["result"]["version"] == 2
    assert server.call("create_note_tab", **new_tab(1, "key-0002"))["outcome"] == "conflict"
    assert server.close() == 0
    assert b"lost" not in server.said


def test_a_lost_reply_is_silence_over_http_too_in_both_eras(tmp_path):
    server = Web(tmp_path, "--lose-replies", 1)
    try:
        opened = server.post(initialize(1))
        session = [("Mcp-Session-Id", opened.headers["mcp-session-id"])]
        server.post({"jsonrpc": "2.0", "method": "notifications/initialized"}, None, session)
        calls = [
            {"name": "create_note_tab", "arguments": new_tab(version, f"key-000{version}")}
            for version in (1, 2)
        ]
        with pytest.raises(TimeoutError):
            server.post(request(2, "tools/call", calls[0]), server.write_token, session, timeout_s=5)
        with pytest.raises(TimeoutError):
            server.modern("tools/call", calls[1], server.write_token, timeout_s=5)
        read = server.call("list_note_tabs", server.read_token, note_id="q3-review").json
        assert read["result"]["structuredContent"]["result"]["version"] == 3
    finally:
        assert server.close() == 0
    assert "Traceback" not in server.log.read_text()


def test_two_servers_of_one_file_see_each_others_writes(tmp_path):
    one, other = (Stdio(tmp_path, "--store", tmp_path / "s.db") for _ in range(2))
    for server in (one, other):
        server.open()
    made = one.call("create_note_tab", **new_tab(1, "key-0001"))
    assert other.call("create_note_tab", **new_tab(1, "key-0001")) == {**made, "replayed": True}
    assert other.call("create_note_tab", **new_tab(1, "key-0002"))["outcome"] == "conflict"
    assert [one.close(), other.close()] == [0, 0]
    assert tabs(tmp_path / "s.db") == [made["result"]["tab_id"]]


@pytest.mark.skipif(os.name == "nt", reason="Windows forks no process")
def test_killed_after_a_commit_a_write_is_there_once(tmp_path):
    # Each server is started on what the last one left, and killed after one to three commits.
    rng, file, version, unanswered, made = random.Random(1), tmp_path / "s.db", 1, None, {}
    for _ in range(ROUNDS):
        server = Forked(tmp_path, "--store", file, "--kill-after-commit", rng.randint(1, 3))
        server.open()
        while True:
            call = unanswered or new_tab(version, f"key-{version:04}")
            answer = server.call("create_note_tab", **call)
            if answer is None:
                assert server.close() == KILLED
                # A call that was sent again found its key, so it was never the one that killed.
                assert unanswered is None
                unanswered = call
                break
            assert answer["outcome"] == "done"
            assert answer["replayed"] is (unanswered is not None)
            made[call["idempotency_key"]], unanswered = answer["result"]["tab_id"], None
            version = answer["result"]["version"]
    server = Forked(tmp_path, "--store", file)
    server.open()
    last = server.call("create_note_tab", **unanswered)
    assert last["replayed"] is True
    assert server.close() == 0
    assert tabs(file) == [*made.values(), last["result"]["tab_id"]]
    assert list(made) == [f"key-{number:04}" for number in range(1, len(made) + 1)]
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_killed_between_two_transactions_the_write_is_there_twice(tmp_path):
    wrong = ("--store", tmp_path / "s.db", "--two-transactions")
    server = Stdio(tmp_path, *wrong, "--kill-after-commit", 1)
    server.open()
    assert server.call("create_note_tab", **new_tab(1, "key-0001")) is None
    assert server.close() == KILLED
    assert len(tabs(tmp_path / "s.db")) == 1
    server = Stdio(tmp_path, *wrong)
    server.open()
    # The key is unknown, so the old version makes a conflict, and the same key then a second tab.
    conflict = server.call("create_note_tab", **new_tab(1, "key-0001"))
    assert conflict == {"outcome": "conflict", **vars(Conflict(1, 2))}
    assert server.call("create_note_tab", **new_tab(2, "key-0001"))["replayed"] is False
    assert server.close() == 0
    assert len(tabs(tmp_path / "s.db")) == 2
