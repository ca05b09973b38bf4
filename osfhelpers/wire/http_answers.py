"""What does HTTP say to a call without a token, and to one with the wrong token?

The requests are written out by hand, so that no client of the SDK stands before the wire.
"""

import http.client
import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import anyio
import uvicorn

from osfhelpers.engine.room import Room
from osfhelpers.wire.clock import run
from osfhelpers.wire.http import HOST, PATH, Token, demo_tokens, http_app, listen, principal_of
from osfhelpers.wire.server import tool_server

PROTOCOL = "2026-07-28"
META = {
    "io.modelcontextprotocol/protocolVersion": PROTOCOL,
    "io.modelcontextprotocol/clientCapabilities": {},
}
ROOM, PROPOSE = "team-room", "propose_room_snippet_app"
PROPOSAL = {
    "room_id": ROOM,
    "name": "Stand-up timer",
    "files": {"src/App.tsx": "export default () => <Timer />;\n"},
    "idempotency_key": "timer-0001",
}


@dataclass(frozen=True)
class Reply:
    """What came back over HTTP, and how long that took; the port is written as PORT."""

    status: int
    challenge: str
    body_bytes: int
    milliseconds: float


def answers_by_token() -> dict[str, Reply]:
    """Ask a server on this machine with each token and with none; the keys say what was asked."""
    room = Room(ROOM)
    room.open_to("agent")
    read, write = demo_tokens()
    read_room = {"name": "read_room", "arguments": {"room_id": ROOM}}
    propose = {"name": PROPOSE, "arguments": PROPOSAL}
    asked = {
        "tools/list, without a token": ("tools/list", {}),
        "tools/call read_room, without a token": ("tools/call", read_room),
        f"tools/call {PROPOSE}, with the token to read": ("tools/call", propose, read),
        f"tools/call {PROPOSE}, with the token to write": ("tools/call", propose, write),
    }

    async def ask() -> dict[str, Reply]:
        listening = listen(0)
        port = listening.getsockname()[1]
        app = http_app(tool_server({ROOM: room}, principal=principal_of), (read, write), port=port)
        server = uvicorn.Server(uvicorn.Config(app, log_config=None, access_log=False))
        async with anyio.create_task_group() as group:
            group.start_soon(partial(server.serve, sockets=[listening]))
            replies = {
                words: await anyio.to_thread.run_sync(post, port, *request)
                for words, request in asked.items()
            }
            server.should_exit = True
        return replies

    return run(ask)


def post(port: int, method: str, params: Mapping[str, Any], token: Token | None = None) -> Reply:
    """Send one JSON-RPC request over a connection of its own."""
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": dict(params)}
    headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    if method != "initialize":  # which belongs to the earlier era, without these
        message["params"]["_meta"] = META
        headers |= {"MCP-Protocol-Version": PROTOCOL, "Mcp-Method": method}
    if "name" in params:
        headers["Mcp-Name"] = params["name"]
    if token:
        headers["Authorization"] = f"Bearer {token.secret}"
    connection = http.client.HTTPConnection(HOST, port, timeout=10)
    try:
        start = time.perf_counter()
        connection.request("POST", PATH, json.dumps(message), headers)
        reply = connection.getresponse()
        body = reply.read()
        milliseconds = 1_000 * (time.perf_counter() - start)
    finally:
        connection.close()
    challenge = reply.getheader("WWW-Authenticate", "").replace(f"{HOST}:{port}", f"{HOST}:PORT")
    return Reply(reply.status, challenge, len(body), milliseconds)
