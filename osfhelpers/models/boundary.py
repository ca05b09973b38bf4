"""What a session with a cloud endpoint is told at its start, and which places it does not reach."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from osfhelpers.engine.note import Note
from osfhelpers.engine.refusals import Refused
from osfhelpers.engine.room import Room


@dataclass(frozen=True)
class Reached:
    """One question of a client and what the server answered."""

    asked: str
    answer: str


def boundary() -> list[Reached]:
    """Open a session with a server of several places, and ask for each of them."""
    from osfhelpers.wire.answers import from_wire
    from osfhelpers.wire.client import Client
    from osfhelpers.wire.clock import run
    from osfhelpers.wire.server import tool_server

    shared, local, closed = Room("team-room"), Room("my-room", local=True), Note("diary")
    shared.open_to("agent")
    local.open_to("agent")
    asked: Mapping[str, tuple[str, dict[str, Any]]] = {
        "read_room: a shared Room": ("read_room", {"room_id": shared.place_id}),
        "read_room: a local Room": ("read_room", {"room_id": local.place_id}),
        "list_note_tabs: a Note that was not opened": ("list_note_tabs", {"note_id": closed.place_id}),
    }
    server = tool_server({place.place_id: place for place in (shared, local, closed)})

    async def ask() -> list[Reached]:
        async with Client(server, mode="legacy") as client:
            told = client.server_capabilities.model_dump(exclude_none=True, by_alias=True)
            rows = [Reached("initialize: what can you do?", json.dumps(told))]
            for question, (tool, arguments) in asked.items():
                try:
                    answer = json.dumps(from_wire(await client.call_tool(tool, arguments)))
                except Refused as refused:
                    answer = f"refused: {refused}"
                rows.append(Reached(question, answer))
            return rows

    return run(ask, skip_idle_time=True)
