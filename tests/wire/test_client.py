"""A client that survives silence, closed sessions, dropped connections and restarted servers."""

import random
import socket
import subprocess
import sys
from contextlib import asynccontextmanager

import anyio
import httpx2
import pytest
from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client
from mcp.server import Server
from mcp_types import ListToolsResult

from osfhelpers.engine.client import GaveUp, Network, RetrySchedule, scripted
from osfhelpers.engine.keys import new_key_per_call, random_keys, same_key_on_retry
from osfhelpers.engine.note import FIXED_TABS, Note
from osfhelpers.engine.refusals import InvalidArguments
from osfhelpers.engine.store import Conflict, Done, Order
from osfhelpers.wire.answers import to_wire
from osfhelpers.wire.client import (
    START_TIMEOUT_S,
    NoReply,
    SessionEnded,
    Sessions,
    call_with_retries,
    in_memory,
)
from osfhelpers.wire.clock import now_s, run
from osfhelpers.wire.losing import losing
from osfhelpers.wire.server import tool_server

INTENT = {"note_id": "q3-review", "tab_type": "slides"}
TOKEN = "a-token-to-write-0123456789"


@pytest.fixture
def note():
    note = Note("q3-review")
    note.open_to("agent")
    return note


def new_tabs(note):
    return note.tabs[len(FIXED_TABS) :]


def settle(
    connect, *, tool="create_note_tab", intent=INTENT, policy=same_key_on_retry, skip=True, **schedule
):
    """Send one write; return the delivery, the sessions that it took, and the seconds on the clock."""

    async def work():
        start = now_s()
        async with Sessions(connect) as sessions:
            fresh = random_keys(random.Random(1))
            delivery = await call_with_retries(
                sessions, tool, intent, policy=policy, fresh=fresh, schedule=RetrySchedule(**schedule)
            )
            return delivery, sessions.opened, now_s() - start

    return run(work, skip_idle_time=skip)


def line(note, network, **options):
    server = tool_server({note.place_id: note})
    return lambda: Client(losing(in_memory(server), network, **options))


def test_a_silent_reply_is_waited_out_and_sent_again_in_the_same_session(note):
    delivery, opened, seconds = settle(line(note, scripted([True, True])))
    assert [exchange.answer is None for exchange in delivery.exchanges] == [True, True, False]
    assert len({exchange.key for exchange in delivery.exchanges}) == 1
    assert delivery.exchanges[-1].answer.replayed
    assert len(new_tabs(note)) == 1
    assert (opened, seconds) == (1, RetrySchedule().send_times_s[2])


def test_a_lost_request_looks_the_same_to_the_client_and_the_write_happens_later(note):
    delivery, _, seconds = settle(line(note, scripted(lost_requests=[True])))
    assert not delivery.exchanges[-1].answer.replayed
    assert (len(new_tabs(note)), delivery.calls, seconds) == (1, 2, RetrySchedule().send_times_s[1])


def test_a_closed_session_is_noticed_at_once_and_followed_by_another(note):
    delivery, opened, seconds = settle(line(note, scripted([True]), hangs_up=True))
    assert (delivery.calls, opened, len(new_tabs(note))) == (2, 2, 1)
    assert seconds == RetrySchedule().first_wait_s


def test_a_new_key_per_call_makes_the_second_tab_over_a_session_too(note):
    settle(line(note, scripted([True])), policy=new_key_per_call)
    assert len(new_tabs(note)) == 2


def test_a_conflict_is_an_answer_whose_version_the_next_send_carries():
    note = Note("q3-review", order=Order.VERSION_THEN_KEY)
    note.open_to("agent")
    delivery, _, _ = settle(line(note, scripted([True])))
    silent, conflict, done = delivery.exchanges
    assert silent.answer is None
    assert conflict.answer == Conflict(1, 2)
    assert done.expected_version == 2
    assert done.answer.replayed


def test_a_client_that_gives_up_keeps_the_record_of_all_its_sends(note):
    with pytest.raises(GaveUp, match="not settled within 3 sends") as gave_up:
        settle(line(note, Network(lambda: True)), sends=3)
    assert [exchange.answer for exchange in gave_up.value.exchanges] == [None] * 3
    assert len(new_tabs(note)) == 1


def test_a_refused_call_is_never_sent_again(note):
    sent = []

    def observer(to, message, lost):
        if to == "server" and getattr(message, "method", "") == "tools/call":
            sent.append(message.params["name"])

    connect = line(note, scripted(), observer=observer)
    with pytest.raises(InvalidArguments, match="tab_type"):
        settle(connect, intent={**INTENT, "tab_type": "markdown"})
    with pytest.raises(MCPError, match="Unknown tool"):
        settle(connect, tool="no_such_tool", intent={})
    assert sent == ["list_note_tabs", "create_note_tab", "no_such_tool"]


def test_a_server_that_is_away_for_a_while_is_tried_again(note):
    server, starts = tool_server({note.place_id: note}), iter((False, False, True))

    @asynccontextmanager
    async def transport():
        if not next(starts):
            raise ConnectionRefusedError
        async with in_memory(server) as streams:
            yield streams

    delivery, opened, _ = settle(lambda: Client(transport()))
    assert (delivery.calls, opened) == (1, 1)


@asynccontextmanager
async def deaf():
    """A transport whose other end never says anything."""
    into, read = anyio.create_memory_object_stream(0)
    write, out_of = anyio.create_memory_object_stream(100)
    with into, read, write, out_of:
        yield read, write


def test_a_session_that_never_starts_is_given_up_after_its_own_time_out():
    async def work():
        async with Sessions(lambda: Client(deaf(), mode="legacy")) as sessions:
            with pytest.raises(SessionEnded, match="no session could be opened"):
                await sessions.call("list_note_tabs", INTENT, timeout_s=1)
            return now_s()

    assert run(work, skip_idle_time=True) == START_TIMEOUT_S


def test_a_silent_read_of_the_version_is_asked_again():
    reads = []

    async def call_tool(context, params):
        if params.name != "list_note_tabs":
            return to_wire(Done({"tab_id": "slides-1"}))
        reads.append(params.name)
        if len(reads) < 3:
            await anyio.sleep_forever()
        return to_wire({"version": 7})

    async def list_tools(context, params):
        return ListToolsResult(tools=[])

    server = Server("slow", on_call_tool=call_tool, on_list_tools=list_tools)
    delivery, _, _ = settle(lambda: Client(in_memory(server)))
    assert len(reads) == 3
    assert delivery.exchanges[0].expected_version == 7


def test_only_replies_to_writes_that_are_done_are_at_risk(note):
    asked = []
    network = Network(lambda: bool(asked.append("reply")), lambda: bool(asked.append("request")))

    async def work():
        async with Sessions(line(note, network)) as sessions:
            write = {**INTENT, "expected_version": 1, "idempotency_key": "key-0001"}
            stale = {**write, "idempotency_key": "key-0002"}
            await sessions.call("list_note_tabs", {"note_id": note.place_id}, timeout_s=1)
            first = await sessions.call("create_note_tab", write, timeout_s=1)
            again = await sessions.call("create_note_tab", write, timeout_s=1)
            conflict = await sessions.call("create_note_tab", stale, timeout_s=1)
            with pytest.raises(InvalidArguments):
                await sessions.call("create_note_tab", {**write, "tab_type": "markdown"}, timeout_s=1)
            return first, again, conflict

    first, again, conflict = run(work, skip_idle_time=True)
    assert (first.replayed, again.replayed) == (False, True)
    assert isinstance(conflict, Conflict)
    assert asked == ["request", "reply", "request", "reply", "request", "request"]


def test_an_error_inside_a_session_comes_out_unwrapped(note):
    async def work():
        async with Sessions(line(note, scripted())) as sessions:
            await sessions.call("list_note_tabs", {"note_id": note.place_id}, timeout_s=1)
            raise LookupError("planted")

    with pytest.raises(LookupError, match="planted"):
        run(work, skip_idle_time=True)


class HTTPServer:
    """`osfhelpers serve --http` on one port and one file, in a process that can be killed."""

    def __init__(self, folder):
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.file, self.process = folder / "store.sqlite", None

    def start(self, *options):
        serve = [
            "serve",
            "--http",
            str(self.port),
            "--store",
            str(self.file),
            "--write-token",
            TOKEN,
            *options,
        ]
        command = [sys.executable, "-m", "osfhelpers", *serve]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        assert b"http://127.0.0.1" in self.process.stdout.readline()

    def stop(self):
        self.process.kill()
        self.process.communicate()

    def client(self, mode):
        @asynccontextmanager
        async def transport():
            headers = {"Authorization": f"Bearer {TOKEN}"}
            async with (
                httpx2.AsyncClient(headers=headers, timeout=60) as http_client,
                streamable_http_client(
                    f"http://127.0.0.1:{self.port}/mcp", http_client=http_client
                ) as streams,
            ):
                yield streams

        return Client(transport(), mode=mode)


@pytest.fixture
def http_server(tmp_path):
    server = HTTPServer(tmp_path)
    yield server
    if server.process:
        server.stop()


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_a_server_that_dies_behind_an_http_connection_is_retried_once_it_is_back(http_server, mode):
    def connect():
        if http_server.process is None:
            http_server.start("--kill-after-commit", "1")
        elif http_server.process.poll() is not None:
            http_server.stop()
            http_server.start()
        return http_server.client(mode)

    delivery, opened, _ = settle(connect, skip=False, first_wait_s=0.1, timeout_s=60)
    assert [exchange.answer is None for exchange in delivery.exchanges] == [True, False]
    assert delivery.exchanges[-1].answer.replayed
    assert opened == 2


def test_a_restarted_server_that_does_not_know_the_session_ends_it(http_server):
    async def work():
        http_server.start()
        async with Sessions(lambda: http_server.client("legacy")) as sessions:
            note = {"note_id": "q3-review"}
            await sessions.call("list_note_tabs", note, timeout_s=60)
            http_server.stop()
            http_server.start()
            with pytest.raises(NoReply):
                await sessions.call("list_note_tabs", note, timeout_s=60)
            return await sessions.call("list_note_tabs", note, timeout_s=60), sessions.opened

    answer, opened = run(work)
    assert answer["version"] == 1
    assert opened == 2
