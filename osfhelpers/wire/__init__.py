"""How do the tools go over a real protocol, and what do a client and a killed server make of it?"""

import importlib.util


def is_installed() -> bool:
    """Return whether the MCP SDK is there, without which no server and no client starts."""
    return importlib.util.find_spec("mcp") is not None
