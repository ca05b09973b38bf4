"""How much do the store in a file and the protocol cost, against the least that the same work can?

Called by benchmarks/run.py. The two sides of a ratio take turns, so that both meet the same machine.
"""

import statistics
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest import mock

import anyio
from mcp import Client
from mcp.server import Server
from mcp_types import CallToolResult, ListToolsResult

from osfhelpers.engine import place_rows
from osfhelpers.engine.data import load
from osfhelpers.engine.durable import Durable
from osfhelpers.engine.note import Note
from osfhelpers.engine.store import Done
from osfhelpers.engine.store_file import connect
from osfhelpers.wire.answers import to_wire
from osfhelpers.wire.server import tool_server

Rows = list[tuple[str, float]]
TURNS = 7
WRITES = 200
CALLS = 100


def once(work: Callable[[], object]) -> float:
    """Return the time of some work in seconds."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def store_writes() -> Rows:
    """Time writes to a Note in a file against `sqlite3` executing the same statements alone.

    On the disk of the temporary folder; where that is memory, no commit waits and the ratio is worst.
    """
    ours, alone = [], []
    for _ in range(TURNS):
        with TemporaryDirectory() as folder:
            ours.append(_write(Path(folder) / "ours.db"))
            with mock.patch.object(place_rows, "connect", Recorder):
                Recorder.executed.clear()
                _write(Path(folder) / "recorded.db")
            with closing(connect(Path(folder) / "alone.db")) as connection:
                alone.append(once(lambda connection=connection: _execute_all(connection)))
    ratio = statistics.median(alone) / statistics.median(ours)
    return [
        ("writes per second to a store in a file", WRITES / statistics.median(ours)),
        ("those / writes per second of bare sqlite3 with the same statements", ratio),
    ]


def calls_in_memory() -> Rows:
    """Time calls over MCP in memory against a server of the bare SDK that returns a constant."""
    return [
        (
            f"one {tool} over MCP in memory / the bare SDK with a constant answer",
            anyio.run(_against_sdk, tool),
        )
        for tool in ("list_note_tabs", "create_note_tab")
    ]


async def _against_sdk(tool: str) -> float:
    note = Note()
    note.open_to("agent")
    ours = tool_server({note.place_id: note})
    listed = ListToolsResult.model_validate(load("tools_list.json"))
    constant = to_wire(Done({"tab_id": "slides-1-mh8z1k2b", "version": 2}))

    async def list_tools(context: object, params: object) -> ListToolsResult:
        return listed

    async def call_tool(context: object, params: object) -> CallToolResult:
        return constant

    bare = Server("bare", on_list_tools=list_tools, on_call_tool=call_tool)
    times: dict[Server, list[float]] = {ours: [], bare: []}
    async with Client(ours, mode="legacy") as our_client, Client(bare, mode="legacy") as bare_client:
        for turn in range(TURNS * CALLS):
            arguments = {"note_id": note.place_id}
            if tool == "create_note_tab":
                key = {"idempotency_key": f"key-of-{turn:06}", "expected_version": note.version}
                arguments |= {"tab_type": "slides", "label": "Q3", **key}
            for server, client in ((ours, our_client), (bare, bare_client)):
                start = time.perf_counter()
                await client.call_tool(tool, arguments)
                times[server].append(time.perf_counter() - start)
            if tool == "create_note_tab":
                note.close(note.tabs[-1].tab_id)  # so that the strip stays short
    return statistics.median(times[ours]) / statistics.median(times[bare])


class Recorder:
    """A connection that keeps what it was asked to execute."""

    executed: list[tuple[str, tuple[Any, ...]]] = []  # noqa: RUF012 - one list, for the one that is open

    def __init__(self, file: Path) -> None:
        self.connection = connect(file)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.connection, name)

    def execute(self, statement: str, values: tuple[Any, ...] = ()) -> Any:
        self.executed.append((statement, values))
        return self.connection.execute(statement, values)


def _write(file: Path) -> float:
    with closing(Durable(file, Note)) as note:
        note.open_to("agent")
        tab = {"note_id": note.place_id, "tab_type": "slides", "label": "Q3"}
        calls = [
            {**tab, "expected_version": 1 + index, "idempotency_key": f"key-of-{index:06}"}
            for index in range(WRITES)
        ]
        return once(lambda: [note.answer("create_note_tab", each, "agent") for each in calls])


def _execute_all(connection: Any) -> None:
    for statement, values in Recorder.executed:
        connection.execute(statement, values).fetchall()
