"""What a person writes into the settings of an MCP client of their own to plug this server in."""

import json

from osfhelpers.drawing.rendering import Listing


def client_settings(python: str = "python") -> Listing:
    """Return the settings for both transports, in the shape that most clients read.

    Args:
        python: the interpreter that has this package; a client that starts elsewhere needs its full path.
    """
    over_stdio = {"command": python, "args": ["-m", "osfhelpers", "serve", "--store", "osfhelpers.sqlite"]}
    over_http = {
        "type": "http",
        "url": "http://127.0.0.1:8000/mcp",
        "headers": {"Authorization": "Bearer <the token to write>"},
    }
    servers = {"mcpServers": {"osfhelpers": over_stdio, "osfhelpers-over-http": over_http}}
    return Listing(json.dumps(servers, indent=2), "json")
