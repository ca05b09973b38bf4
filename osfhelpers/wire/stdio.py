"""How does a client that started this process talk to it? One JSON-RPC message a line.

Standard output belongs to the protocol; whatever else is to be said goes to standard error. The
SDK drops a line that it cannot read without a word, so such a line is answered here.
"""

import logging
import sys
from collections.abc import AsyncIterator
from typing import Any

import anyio
from mcp.server import Server
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage

from osfhelpers.wire.messages import NotAMessage, read_message

logger = logging.getLogger(__name__)


async def serve_stdio(server: Server) -> None:
    """Serve one client on standard input and output, until the input ends."""
    lines = _Lines()
    try:
        async with stdio_server(stdin=lines) as (incoming, outgoing):
            lines.outgoing = outgoing
            await server.run(incoming, outgoing, server.create_initialization_options())
    except* (BrokenPipeError, anyio.BrokenResourceError):
        logger.info("the client left without reading all its answers")


class _Lines:
    """The lines of standard input that are messages; every other one is answered at once."""

    outgoing: Any = None

    async def __aiter__(self) -> AsyncIterator[str]:
        while line := await anyio.to_thread.run_sync(sys.stdin.buffer.readline, abandon_on_cancel=True):
            if not line.strip():
                continue
            try:
                _, text = read_message(line)
            except NotAMessage as error:
                await self.outgoing.send(SessionMessage(error.reply))
            else:
                yield text
