"""What does a real client do when no reply comes?

`call_with_retries` is `osfhelpers.engine.client.deliver` over the official SDK's client: the same key
policies, the same record of every exchange, and a `RetrySchedule` in seconds. It survives a reply
that never comes, a closed session, a dropped connection and a restarted server. A refusal is an
answer: what the server has refused is never sent again.

A client cannot tell a lost request from a lost reply, so an exchange without an answer says nothing
about the store; effects are counted there.
"""

import logging
import os
import sys
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any

import anyio
from mcp import Client, MCPError, StdioServerParameters, stdio_client
from mcp.server import Server
from mcp.shared.memory import create_client_server_memory_streams
from mcp_types import CONNECTION_CLOSED, INVALID_REQUEST, REQUEST_TIMEOUT

from osfhelpers.engine.client import Delivery, Exchange, GaveUp, RetrySchedule
from osfhelpers.engine.keys import Attempt, Event, KeyPolicy
from osfhelpers.engine.store import Conflict
from osfhelpers.wire.answers import from_wire

START_TIMEOUT_S = 60
# What HTTP 404 comes to: the server was restarted and has never heard of this session.
SESSION_UNKNOWN = ((INVALID_REQUEST, "Session not found"), (INVALID_REQUEST, "Session terminated"))

logger = logging.getLogger(__name__)


class NoReply(Exception):
    """Neither an answer nor a refusal came back."""


class SessionEnded(NoReply):
    """None came, and the session is over or could not be opened."""


class Sessions:
    """The official client, one session at a time: it is opened at the first call, and anew when it has ended.

    Args:
        connect: makes a client that was not entered yet, such as `lambda: Client(url)`.
    """

    def __init__(self, connect: Callable[[], Client]) -> None:
        self.connect = connect
        self.opened = 0
        self._client: Client | None = None
        self._over = anyio.Event()
        self._group = anyio.create_task_group()

    async def __aenter__(self) -> "Sessions":
        await self._group.__aenter__()
        return self

    async def __aexit__(self, *failure: Any) -> None:
        self._over.set()
        # The group is not told of a failure, since it would wrap it in an `ExceptionGroup`.
        await self._group.__aexit__(None, None, None)

    async def call(self, tool: str, arguments: Mapping[str, Any], *, timeout_s: float) -> Any:
        """Call a tool once and return the answer as `osfhelpers.call` does.

        Raises:
            NoReply: none came within `timeout_s`; as `SessionEnded`, the next call opens a session anew.
            Refused: the server refused the call.
            MCPError: the server refused the request itself, such as for an unknown tool.
        """
        client = self._client or await self._open()
        try:
            result = await client.call_tool(tool, dict(arguments), read_timeout_seconds=timeout_s)
        except MCPError as error:
            if error.code == REQUEST_TIMEOUT:
                raise NoReply(f"no reply within {timeout_s:g} s") from error
            if error.code == CONNECTION_CLOSED or (error.code, error.message) in SESSION_UNKNOWN:
                self._close()
                raise SessionEnded("the session has ended") from error
            raise
        return from_wire(result)

    async def _open(self) -> Client:
        self._over = anyio.Event()
        try:
            with anyio.fail_after(START_TIMEOUT_S):
                self._client = await self._group.start(self._hold, self._over)
        except Exception as error:
            raise SessionEnded("no session could be opened") from error
        self.opened += 1
        return self._client

    def _close(self) -> None:
        self._over.set()
        self._client = None

    async def _hold(self, over: anyio.Event, *, task_status: anyio.abc.TaskStatus[Client]) -> None:
        # Each session lives in a task of its own: one that breaks ends that task and cancels no caller.
        running = False
        try:
            async with self.connect() as client:
                # The SDK lists the tools at the first call, without a time-out, unless they are known.
                await client.list_tools()
                running = True
                task_status.started(client)
                await over.wait()
        except Exception:
            if not running:
                raise
            logger.debug("a session broke", exc_info=True)
        finally:
            if self._over is over:
                self._client = None


async def call_with_retries(
    sessions: Sessions,
    tool: str,
    intent: Mapping[str, Any],
    *,
    policy: KeyPolicy,
    fresh: Callable[[], str],
    schedule: RetrySchedule = RetrySchedule(),  # noqa: B008 - frozen
) -> Delivery:
    """Send one write to a Note or Room until it is settled.

    Args:
        intent: the arguments without key and version; only a Note's tools take a version.
        fresh: draws a new key; the policy decides when.

    Raises:
        GaveUp: the write was not settled within the sends of the schedule; it holds them all.
        Refused, MCPError: the server refused the call; sending it again would not help.
    """
    version, key, event = None, None, Event.FIRST
    exchanges: list[Exchange] = []
    if "note_id" in intent:
        version = await _read_version(sessions, intent["note_id"], schedule)
    while len(exchanges) < schedule.sends:
        if event is Event.NO_REPLY:
            await anyio.sleep(schedule.waits_s[len(exchanges) - 1])
        key = policy(Attempt(intent, event, key, fresh))
        arguments = {**intent, "idempotency_key": key}
        if version is not None:
            arguments["expected_version"] = version
        try:
            answer = await sessions.call(tool, arguments, timeout_s=schedule.timeout_s)
        except NoReply:
            exchanges.append(Exchange(key, version, None, reply_lost=False))
            event = Event.NO_REPLY
            continue
        exchanges.append(Exchange(key, version, answer, reply_lost=False))
        if not isinstance(answer, Conflict):
            return Delivery(tuple(exchanges), answer.result)
        version, event = answer.current_version, Event.CONFLICT
    raise GaveUp(tool, tuple(exchanges))


async def _read_version(sessions: Sessions, note_id: str, schedule: RetrySchedule) -> int:
    # A read changes nothing, so it is simply asked again.
    for read in range(schedule.sends):
        if read:
            await anyio.sleep(schedule.waits_s[read - 1])
        try:
            tabs = await sessions.call("list_note_tabs", {"note_id": note_id}, timeout_s=schedule.timeout_s)
        except NoReply:
            continue
        return tabs["version"]
    raise GaveUp("list_note_tabs", ())


@asynccontextmanager
async def in_memory(server: Server) -> AsyncIterator[tuple[Any, Any]]:
    """Return a transport to a server in this process, with JSON-RPC messages and all."""
    async with (
        create_client_server_memory_streams() as (client_side, (read, write)),
        anyio.create_task_group() as group,
    ):
        group.start_soon(server.run, read, write, server.create_initialization_options())
        yield client_side
        group.cancel_scope.cancel()


@asynccontextmanager
async def in_process(*arguments: str) -> AsyncIterator[tuple[Any, Any]]:
    """Return a transport to `osfhelpers serve`, with these arguments, in a process of its own over stdio."""
    command = StdioServerParameters(command=sys.executable, args=["-m", "osfhelpers", "serve", *arguments])
    with open(os.devnull, "w") as log:
        async with stdio_client(command, errlog=log) as streams:
            yield streams
