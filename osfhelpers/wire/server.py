"""What does an MCP client meet? The snapshot's tools on the official SDK's low-level server.

The low-level server checks no arguments, so every call goes through `osfhelpers.engine.calls.call`,
as in the chapters. A refusal is an error *result*, which a model can read and mend; an unknown
tool and a fault of the server are protocol errors. What a person does has no tool here.
"""

import logging
import random
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping
from typing import Any

import anyio
from mcp.server import Server, ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
)

import osfhelpers
from osfhelpers.engine.calls import Place, call
from osfhelpers.engine.data import load
from osfhelpers.engine.refusals import Refused
from osfhelpers.engine.snapshot import tools
from osfhelpers.engine.store import Done
from osfhelpers.engine.store_file import StoreFileError
from osfhelpers.engine.validator import argument_problems
from osfhelpers.wire.answers import to_wire

INSTRUCTIONS = (
    "Notes and Rooms of a local rebuild for teaching. Local-only data is unavailable to cloud clients: "
    "a local Room, and what an app stores on a device, are reached by no tool."
)
FAULT = "the server failed on this call, through no fault of the arguments; its log says why"

logger = logging.getLogger(__name__)

BeforeReply = Callable[[Done], Awaitable[None]]


async def reply_at_once(done: Done) -> None:
    """Let nothing happen between the commit and the reply."""


def lose_replies(share: float, rng: random.Random) -> BeforeReply:
    """Return what keeps some replies back for ever; one draw for each write that is done."""

    async def wait(done: Done) -> None:
        if rng.random() < share:
            await anyio.sleep_forever()

    return wait


def tool_server(
    places: Mapping[str, Place],
    *,
    principal: str | Callable[[ServerRequestContext], str] = "agent",
    before_reply: BeforeReply = reply_at_once,
) -> Server:
    """Return a server of the snapshot's tools on some Notes and Rooms, for any transport of the SDK.

    Args:
        places: the Notes and Rooms that calls may reach, by their IDs.
        principal: who calls, or a function that reads it from a request.
        before_reply: awaited after a write is committed and before its reply is sent; the place
            where replies get lost and servers die.
    """
    listed = _listed()
    for name in tools():
        # Made now, the validators do not keep the first caller waiting: jsonschema is slow to import.
        argument_problems(name, {})

    async def list_tools(
        context: ServerRequestContext, params: PaginatedRequestParams | None
    ) -> ListToolsResult:
        return listed

    async def call_tool(context: ServerRequestContext, params: CallToolRequestParams) -> CallToolResult:
        if params.name not in tools():
            raise MCPError(INVALID_PARAMS, f"Unknown tool: {params.name[:100]!r}")
        who = principal if isinstance(principal, str) else principal(context)
        answer = _answer(params.name, params.arguments or {}, places, who)
        if isinstance(answer, Done):
            await before_reply(answer)
        return to_wire(answer)

    return Server(
        "osfhelpers",
        version=osfhelpers.__version__,
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


def dropped() -> dict[str, int]:
    """Return which parts of the snapshot the SDK's models leave out, as paths, and how many of each."""
    sent = _listed().model_dump(by_alias=True, exclude_none=True)
    return dict(Counter(_missing(load("tools_list.json"), sent)))


def _listed() -> ListToolsResult:
    return ListToolsResult.model_validate(load("tools_list.json"))


def _missing(whole: Any, part: Any, path: str = "$") -> Iterator[str]:
    if isinstance(whole, dict) and isinstance(part, dict):
        for name, value in whole.items():
            if name in part:
                yield from _missing(value, part[name], f"{path}.{name}")
            else:
                yield f"{path}.{name}"
    elif isinstance(whole, list) and isinstance(part, list) and len(whole) == len(part):
        for value, kept in zip(whole, part, strict=True):
            yield from _missing(value, kept, f"{path}[*]")
    elif whole != part:
        yield path


def _answer(tool: str, arguments: Mapping[str, Any], places: Mapping[str, Place], principal: str) -> Any:
    try:
        return call(tool, arguments, on=places, principal=principal)
    except Refused as refusal:
        return refusal
    except StoreFileError as error:
        raise MCPError(INTERNAL_ERROR, str(error)) from None
    except Exception:
        # The SDK would send the exception's own text, which may hold a path.
        logger.exception("the call of %s failed", tool)
        raise MCPError(INTERNAL_ERROR, FAULT) from None
