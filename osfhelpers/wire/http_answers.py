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
ROOM = "team-room"
PROPOSAL = {
    "room_id": ROOM,
    "name": "Stand-up timer",
    "files": {"src/App.tsx": "export default () => <Timer />;\n"},
    "idempotency_key": "timer-0001",
}


@dataclass(frozen=True)
class HTTPAnswer:
    """One request and what came back: the status, and the header that says what is missing."""

    request: str
    token: str
    status: int
    www_authenticate: str


def http_answers() -> list[HTTPAnswer]:
    """Ask a server on this machine, by HTTP and with each token; its port is shown as PORT."""
    room = Room(ROOM)
    room.open_to("agent")
    read, write = demo_tokens()
    asked = (
        ("tools/list", {}, "none", None),
        ("tools/call", {"name": "read_room", "arguments": {"room_id": ROOM}}, "none", None),
        ("tools/call", {"name": "propose_room_snippet_app", "arguments": PROPOSAL}, "to read", read),
        ("tools/call", {"name": "propose_room_snippet_app", "arguments": PROPOSAL}, "to write", write),
    )

    async def ask() -> list[Reply]:
        listening = listen(0)
        port = listening.getsockname()[1]
        app = http_app(tool_server({ROOM: room}, principal=principal_of), (read, write), port=port)
        server = uvicorn.Server(uvicorn.Config(app, log_config=None, access_log=False))
        async with anyio.create_task_group() as group:
            group.start_soon(partial(server.serve, sockets=[listening]))
            answers = [
                await anyio.to_thread.run_sync(post, port, method, params, token)
                for method, params, _, token in asked
            ]
            server.should_exit = True
        return answers

    return [
        HTTPAnswer(f"{method} {params.get('name', '')}".strip(), shown, reply.status, reply.challenge)
        for (method, params, shown, _), reply in zip(asked, run(ask), strict=True)
    ]


@dataclass(frozen=True)
class Reply:
    """What came back over HTTP, and how long that took; the port is written as PORT."""

    status: int
    challenge: str
    body_bytes: int
    milliseconds: float


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
