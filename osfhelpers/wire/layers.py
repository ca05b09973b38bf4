"""What does each layer of an MCP server check of a call's arguments?

The same calls go to three servers, each by a real session: the SDK's low-level server, the SDK's
high-level server with a typed function, and this project's. What a handler was handed is compared
with what was sent.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from mcp import Client
from mcp.server import MCPServer, Server
from mcp_types import CallToolResult, ListToolsResult, TextContent
from pydantic import Field

from osfhelpers.engine.data import load
from osfhelpers.engine.room import Room
from osfhelpers.wire.clock import run
from osfhelpers.wire.server import tool_server

TOOL = "propose_room_snippet_app"


@dataclass(frozen=True)
class Checked:
    """What each server made of one payload."""

    payload: str
    low_level: str
    high_level: str
    this_project: str


def checked(payloads: Mapping[str, Mapping[str, Any]]) -> list[Checked]:
    """Propose each payload, by its name, to each of the three servers."""
    received: list[dict[str, Any]] = []
    room = Room()
    room.open_to("agent")
    servers = (low_level(received), high_level(received), tool_server({room.place_id: room}))

    async def verdicts() -> list[list[str]]:
        columns = []
        for server in servers:
            async with Client(server, mode="legacy") as client:
                columns.append([await _verdict(client, sent, received) for sent in payloads.values()])
        return columns

    return [Checked(*row) for row in zip(payloads, *run(verdicts, skip_idle_time=True), strict=True)]


async def _verdict(client: Client, sent: Mapping[str, Any], received: list[dict[str, Any]]) -> str:
    received.clear()
    result = await client.call_tool(TOOL, dict(sent))
    if result.is_error:
        kind = (result.structured_content or {}).get("kind", "")
        return f"refused: {WORDS[kind]}" if kind else "refused"
    if received and (dropped := set(sent) - set(received[0])):
        return f"passed on without {', '.join(sorted(dropped))}"
    return "passed on"


WORDS = {"InvalidArguments": "schema", "RuleBroken": "server rule"}


def low_level(received: list[dict[str, Any]]) -> Server:
    """Return a low-level server that lists the published schema and notes what its handler is handed."""
    [listed] = [tool for tool in load("tools_list.json")["tools"] if tool["name"] == TOOL]

    async def call_tool(context: Any, params: Any) -> CallToolResult:
        received.append(params.arguments)
        return CallToolResult(content=[TextContent(type="text", text="proposed")])

    async def list_tools(context: Any, params: Any) -> ListToolsResult:
        return ListToolsResult.model_validate({"tools": [listed]})

    return Server("low level", on_call_tool=call_tool, on_list_tools=list_tools)


def high_level(received: list[dict[str, Any]]) -> MCPServer:
    """Return a high-level server whose function has the published types and lengths in its signature."""
    server = MCPServer("high level", log_level="WARNING")

    @server.tool(name=TOOL)
    def propose(
        room_id: str,
        name: Annotated[str, Field(max_length=200)],
        files: dict[str, str],
        idempotency_key: Annotated[str, Field(min_length=8, max_length=128)],
    ) -> str:
        received.append(locals())
        return "proposed"

    return server
