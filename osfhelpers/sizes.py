"""How big is a call on the wire?"""

import json
from collections.abc import Mapping
from typing import Any


def request_text(tool: str, arguments: Mapping[str, Any]) -> str:
    """Return the JSON-RPC request of a tool call, written compactly, as clients send it."""
    params = {"name": tool, "arguments": arguments}
    request = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    return json.dumps(request, ensure_ascii=False, separators=(",", ":"))


def request_bytes(tool: str, arguments: Mapping[str, Any]) -> int:
    """Return how many bytes the request of a tool call has in UTF-8."""
    return len(request_text(tool, arguments).encode())
