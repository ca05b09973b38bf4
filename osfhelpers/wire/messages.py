"""Is this text one JSON-RPC message that means the same to everyone who reads it?

The SDK's own readers take the last of two equal names and let NaN pass. Both transports ask
here first, and hand on the message as it was understood: what was judged is what is carried out.
"""

from typing import Any

from mcp_types import (
    INVALID_REQUEST,
    PARSE_ERROR,
    ErrorData,
    JSONRPCError,
    JSONRPCMessage,
    jsonrpc_message_adapter,
)
from pydantic import ValidationError

from osfhelpers.engine.json_text import JSONTextError, read_json
from osfhelpers.engine.sizes import compact_json


class NotAMessage(ValueError):
    """A text is no JSON-RPC message, or not exactly one; `reply` is what its sender is told."""

    def __init__(self, code: int, why: str) -> None:
        super().__init__(why)
        self.reply = JSONRPCError(jsonrpc="2.0", id=None, error=ErrorData(code=code, message=why))


def read_message(text: bytes) -> tuple[JSONRPCMessage, str]:
    """Return the message in a text, and the same message written anew.

    Raises:
        NotAMessage: the text is no JSON, is ambiguous, holds half a surrogate pair, or is
            anything but one JSON-RPC message; batches are refused as well.
    """
    try:
        value = read_json(text)
        written = compact_json(value)
        written.encode()
    except JSONTextError as error:
        raise NotAMessage(PARSE_ERROR, str(error)) from None
    except UnicodeEncodeError:
        raise NotAMessage(
            PARSE_ERROR, "the text holds half a surrogate pair, which is no character"
        ) from None
    except RecursionError:
        raise NotAMessage(PARSE_ERROR, "the text is nested too deeply to be read") from None
    return _one_message(value), written


def _one_message(value: Any) -> JSONRPCMessage:
    if isinstance(value, list):
        raise NotAMessage(INVALID_REQUEST, "a batch; send one JSON-RPC message at a time")
    try:
        return jsonrpc_message_adapter.validate_python(value, by_name=False)
    except ValidationError:
        what = "no JSON-RPC message: it needs jsonrpc, an id that is a text or a number, and a method"
        raise NotAMessage(INVALID_REQUEST, what) from None
