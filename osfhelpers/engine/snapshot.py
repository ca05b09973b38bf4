"""Which tools does the server list, and what does each one promise?

The tools are read once from `data/tools_list.json`, which has the wire shape of a
`tools/list` result, and are frozen. What of them was published and what is reconstruction
stands in `data/tools_list.provenance.json`; `provenance` answers for any part.
"""

import difflib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType
from typing import Any

from osfhelpers.engine.data import load
from osfhelpers.engine.refusals import Problem, UnknownTool

SOURCES = {
    "H": "Notes article, published 2026-11-11, tools/list read on 2026-11-09",
    "F": "Rooms article, undated",
}


@dataclass(frozen=True)
class Tool:
    """One tool as `tools/list` shows it to a client."""

    name: str
    description: str
    schema_text: str = field(repr=False)
    read_only: bool
    destructive: bool
    scopes: tuple[str, ...]

    @property
    def input_schema(self) -> dict[str, Any]:
        """The input schema; every reading is a fresh copy, so that no caller can change the snapshot."""
        return json.loads(self.schema_text)

    @property
    def asks_first(self) -> bool:
        """Whether a client is expected to ask its person before it calls (write scope and hint)."""
        return self.destructive and "osfoundry:write" in self.scopes


@cache
def tools() -> Mapping[str, Tool]:
    """Return the eleven known tools, keyed by name, in the order of the snapshot."""
    return MappingProxyType(
        {
            entry["name"]: Tool(
                name=entry["name"],
                description=entry["description"],
                schema_text=json.dumps(entry["inputSchema"]),
                read_only=entry["annotations"]["readOnlyHint"],
                destructive=entry["annotations"]["destructiveHint"],
                scopes=tuple(scope for scheme in entry["securitySchemes"] for scope in scheme["scopes"]),
            )
            for entry in load("tools_list.json")["tools"]
        }
    )


def tool(name: str) -> Tool:
    """Return one tool.

    Raises:
        UnknownTool: the snapshot has no tool of that name; the message offers the nearest ones.
    """
    if name in tools():
        return tools()[name]
    near = difflib.get_close_matches(str(name), tools(), n=3) or sorted(tools())
    raise UnknownTool(Problem("tool", f"{name!r} is not in the snapshot; did you mean {', '.join(near)}?"))


@dataclass(frozen=True)
class Origin:
    """Where a part of the snapshot comes from."""

    published: bool
    source: str
    note: str


def provenance(pointer: str) -> Origin:
    """Return the origin of a part of the snapshot, such as `create_note_tab/inputSchema/required`.

    The longest recorded prefix of the pointer answers for it; without one it is reconstruction.
    """
    recorded = load("tools_list.provenance.json")["parts"]
    parts = pointer.split("/")
    for length in range(len(parts), 0, -1):
        if entry := recorded.get("/".join(parts[:length])):
            published = entry["origin"] == "published"
            source = SOURCES[entry["source"]] if published else ""
            return Origin(published, source, entry.get("note", ""))
    return Origin(published=False, source="", note="")
