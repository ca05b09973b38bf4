"""How does a reply get lost on its way? A thin layer around any transport of the SDK.

The server has done its work and has sent its answer; the layer drops it. As in
`osfhelpers.engine.client`, a `Network` is asked once per write that is sent and once per reply to a
write that was carried out or replayed; a conflict and a refusal always arrive.
"""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

from mcp_types import JSONRPCRequest, JSONRPCResponse

from osfhelpers.engine.client import Network

# Told of every message: whom it is for, the message, and whether it is lost.
Observer = Callable[[str, Any, bool], object]


def unobserved(receiver: str, message: Any, lost: bool) -> None:
    """Let messages pass without noting them."""


@asynccontextmanager
async def losing(
    transport: AbstractAsyncContextManager[tuple[Any, Any]],
    network: Network,
    *,
    hangs_up: bool = False,
    observer: Observer = unobserved,
) -> AsyncIterator[tuple[Any, Any]]:
    """Return a transport without the messages that the network loses.

    Args:
        hangs_up: end the session in place of a lost reply; off, the client meets silence.
    """
    async with transport as (read, write):
        yield _Replies(read, network, observer, hangs_up), _Requests(write, network, observer)


class _Half:
    """One direction of a transport; what is not said here is left to the transport."""

    def __init__(self, inner: Any, network: Network, observer: Observer, hangs_up: bool = False) -> None:
        self._inner, self._network, self._observer, self._hangs_up = inner, network, observer, hangs_up

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    async def __aenter__(self) -> "_Half":
        await self._inner.__aenter__()
        return self

    async def __aexit__(self, *failure: Any) -> None:
        await self._inner.__aexit__(*failure)


class _Requests(_Half):
    async def send(self, item: Any) -> None:
        lost = _is_write(item.message) and self._network.loses_request()
        self._observer("server", item.message, lost)
        if not lost:
            await self._inner.send(item)


class _Replies(_Half):
    def __aiter__(self) -> "_Replies":
        return self

    async def __anext__(self) -> Any:
        while True:
            item = await self._inner.__anext__()
            message = getattr(item, "message", None)  # a transport may hand on an exception instead
            lost = _is_done(message) and self._network.loses_reply()
            self._observer("client", message, lost)
            if not lost:
                return item
            if self._hangs_up:
                raise StopAsyncIteration


def _is_write(message: Any) -> bool:
    if not (isinstance(message, JSONRPCRequest) and message.method == "tools/call"):
        return False
    return "idempotency_key" in message.params.get("arguments", {})


def _is_done(message: Any) -> bool:
    if not isinstance(message, JSONRPCResponse):
        return False
    return message.result.get("structuredContent", {}).get("outcome") == "done"
