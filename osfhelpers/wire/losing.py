"""How does a reply get lost on its way? A thin layer around any transport of the SDK.

The server has done its work and has sent its answer; the layer drops it. As in
`osfhelpers.engine.client`, a `Network` is asked once per write that is sent and once per reply to a
write that was carried out or replayed; a conflict and a refusal always arrive.
"""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

from mcp_types import JSONRPCRequest, JSONRPCResponse

from osfhelpers.engine.client import Network


@asynccontextmanager
async def losing(
    transport: AbstractAsyncContextManager[tuple[Any, Any]], network: Network
) -> AsyncIterator[tuple[Any, Any]]:
    """Return the transport with the messages taken out that the network loses."""
    async with transport as (read, write):
        yield _Replies(read, network), _Requests(write, network)


class _Half:
    """One direction of a transport: everything but its messages passes through."""

    def __init__(self, inner: Any, network: Network) -> None:
        self._inner, self._network = inner, network

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    async def __aenter__(self) -> "_Half":
        await self._inner.__aenter__()
        return self

    async def __aexit__(self, *failure: Any) -> None:
        await self._inner.__aexit__(*failure)


class _Requests(_Half):
    async def send(self, item: Any) -> None:
        if not (_is_write(item.message) and self._network.loses_request()):
            await self._inner.send(item)


class _Replies(_Half):
    def __aiter__(self) -> "_Replies":
        return self

    async def __anext__(self) -> Any:
        while True:
            item = await self._inner.__anext__()
            message = getattr(item, "message", None)  # a transport may hand on an exception instead
            if not (_is_done(message) and self._network.loses_reply()):
                return item


def _is_write(message: Any) -> bool:
    if not (isinstance(message, JSONRPCRequest) and message.method == "tools/call"):
        return False
    return "idempotency_key" in message.params.get("arguments", {})


def _is_done(message: Any) -> bool:
    if not isinstance(message, JSONRPCResponse):
        return False
    return message.result.get("structuredContent", {}).get("outcome") == "done"
