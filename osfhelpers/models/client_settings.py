"""What a person writes into the settings of an MCP client of their own to plug this server in."""

import json
from dataclasses import dataclass


@dataclass(frozen=True)
class Snippet:
    """A piece of JSON, as a listing."""

    settings: dict

    def __repr__(self) -> str:
        return json.dumps(self.settings, indent=2)

    def _repr_markdown_(self) -> str:
        return f"```json\n{self!r}\n```"


def client_settings(*, store: str = "osfhelpers.sqlite", port: int = 8000, python: str = "python") -> Snippet:
    """Return the settings for both transports.

    Args:
        python: the interpreter that has this package; a client that starts elsewhere needs its full path.
    """
    over_stdio = {"command": python, "args": ["-m", "osfhelpers", "serve", "--store", store]}
    over_http = {
        "type": "http",
        "url": f"http://127.0.0.1:{port}/mcp",
        "headers": {"Authorization": "Bearer <the token to write>"},
    }
    return Snippet({"mcpServers": {"osfhelpers": over_stdio, "osfhelpers-over-http": over_http}})
