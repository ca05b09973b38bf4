"""How long does a round trip take on this machine, beside the published ones?

`python -m osfhelpers.wire.timing data/round_trips.json` measures and writes; a chapter only
reads, so that it prints the same at every run.
"""

import importlib.metadata
import json
import os
import platform
import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from mcp import Client

from osfhelpers.engine.note import Note
from osfhelpers.wire.client import in_memory, in_process
from osfhelpers.wire.clock import run
from osfhelpers.wire.http_answers import post
from osfhelpers.wire.server import tool_server

TIMES = 10
NOTE = {"note_id": "q3-review"}
INITIALIZE = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "round trips", "version": "1"},
}
HTTP_REQUESTS = (
    ("initialize", "initialize", INITIALIZE),
    ("tools/list", "tools/list", {}),
    ("tools/call without a token", "tools/call", {"name": "list_note_tabs", "arguments": NOTE}),
)


def measure() -> dict[str, Any]:
    """Send each request ten times over each transport, after one that is not counted."""
    note = Note(NOTE["note_id"])
    note.open_to("agent")
    server = tool_server({note.place_id: note})
    rows = [*over_http(), *run(lambda: over_session("stdio", in_process))]
    rows += run(lambda: over_session("in memory", lambda: in_memory(server)))
    versions = {"python": platform.python_version(), "mcp": importlib.metadata.version("mcp")}
    return {"machine": {"system": platform.system(), "cores": os.cpu_count(), **versions}, "rows": rows}


def over_http() -> list[dict[str, Any]]:
    """Send the published three requests to a server in a process of its own."""
    command = [sys.executable, "-m", "osfhelpers", "serve", "--http", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            port = int(re.search(r":(\d+)/", process.stdout.readline())[1])
            rows = []
            for request, method, params in HTTP_REQUESTS:
                replies = [post(port, method, params) for _ in range(TIMES + 1)][1:]
                milliseconds = [round(reply.milliseconds, 2) for reply in replies]
                rows.append(_row(request, "HTTP", milliseconds, replies[0].body_bytes, replies[0].status))
            return rows
        finally:
            process.kill()


async def over_session(transport: str, connect: Callable[[], Any]) -> list[dict[str, Any]]:
    """List the tools and call one, in one session of the official client."""
    async with Client(connect(), cache=None) as client:
        requests = {
            "tools/list": client.list_tools,
            "tools/call": lambda: client.call_tool("list_note_tabs", NOTE),
        }
        rows = []
        for request, send in requests.items():
            milliseconds = []
            for _ in range(TIMES + 1):
                start = time.perf_counter()
                await send()
                milliseconds.append(round(1_000 * (time.perf_counter() - start), 2))
            rows.append(_row(request, transport, milliseconds[1:]))
        return rows


def _row(request: str, transport: str, milliseconds: list[float], *reply: int) -> dict[str, Any]:
    size = dict(zip(("bytes", "status"), reply, strict=False))
    return {"request": request, "transport": transport, **size, "milliseconds": milliseconds}


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(json.dumps(measure(), indent=1) + "\n", encoding="utf-8")
