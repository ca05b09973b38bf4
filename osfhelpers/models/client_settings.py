"""What a person writes into the settings of an MCP client of their own to plug this server in."""

import json

from osfhelpers.drawing.rendering import Listing


def client_settings(*, store: str = "osfhelpers.sqlite", port: int = 8000, python: str = "python") -> Listing:
    """Return the settings for both transports, in the shape that most clients read.

    Args:
        python: the interpreter that has this package; a client that starts elsewhere needs its full path.
    """
    over_stdio = {"command": python, "args": ["-m", "osfhelpers", "serve", "--store", store]}
    over_http = {
        "type": "http",
        "url": f"http://127.0.0.1:{port}/mcp",
        "headers": {"Authorization": "Bearer <the token to write>"},
    }
    servers = {"mcpServers": {"osfhelpers": over_stdio, "osfhelpers-over-http": over_http}}
    return Listing(json.dumps(servers, indent=2), "json")
