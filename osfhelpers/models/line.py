"""Every message on the line while one write loses its first reply, with the second at which it passes."""

import random
from dataclasses import dataclass
from typing import Any

from osfhelpers.engine.client import RetrySchedule, scripted
from osfhelpers.engine.keys import random_keys, same_key_on_retry
from osfhelpers.engine.note import Note
from osfhelpers.models.sessions import in_sessions


@dataclass(frozen=True)
class Passed:
    """One JSON-RPC message with its number, as the line between client and server saw it."""

    second: int
    to: str
    message: str
    says: str


def one_lost_reply() -> list[Passed]:
    """Return the messages of one write; the handshake and the reads before it are left out."""
    from osfhelpers.wire.client import call_with_retries
    from osfhelpers.wire.clock import now_s

    note, passed, asked = Note(), [], set()

    def note_down(to: str, message: Any, lost: bool) -> None:
        sent = message.model_dump(by_alias=True, exclude_none=True)
        if (row := _read(sent, asked)) is not None:
            passed.append(Passed(round(now_s()), f"{to} (lost)" if lost else to, *row))

    async def work(sessions: Any) -> None:
        await call_with_retries(
            sessions,
            "create_note_tab",
            {"note_id": note.place_id, "tab_type": "slides"},
            policy=same_key_on_retry,
            fresh=random_keys(random.Random(1)),
            schedule=RetrySchedule(),
        )

    in_sessions(note, scripted([True]), work, observer=note_down)
    return passed


def _read(message: dict[str, Any], asked: set[Any]) -> tuple[str, str] | None:
    """Return a message of the write in words, or None if it belongs to something else."""
    params = message.get("params", {})
    arguments = params.get("arguments", {})
    if "idempotency_key" in arguments:
        asked.add(message["id"])
        key, version = arguments["idempotency_key"][:4], arguments["expected_version"]
        return f"tools/call {message['id']}", f"key {key}, version {version}"
    if message.get("method") == "notifications/cancelled":
        return f"notifications/cancelled {params['requestId']}", params["reason"]
    if message.get("id") in asked:
        body = message["result"]["structuredContent"]
        again = " again" if body["replayed"] else ""
        return f"result {message['id']}", f"{body['result']['tab_id']}{again}"
    return None
