"""When is a second proposal the same proposal, and when is it a new card?

Each situation is played on a real Room, with keys derived from the content. The right answers
and their grounds are written down here; what the Room answered is observed.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from osfhelpers.engine.calls import call
from osfhelpers.engine.keys import Attempt, Event, content_key
from osfhelpers.engine.room import Room
from osfhelpers.models.proposals import SNIPPET

FILES = {"src/App.tsx": 'export default () => "Café";\n', "src/styles.css": "main { margin: 0; }\n"}
AGENTS = ("agent", "other agent")


@dataclass(frozen=True)
class Case:
    """One situation after a first proposal: what the second was answered, and why that is right."""

    situation: str
    answer: str
    ground: str


def cases() -> list[Case]:
    """Play every situation on a fresh Room and return what happened."""
    turned = dict(reversed(FILES.items()))
    return [
        _case("the same again, after a lost reply", "the key names the content"),
        _case("the files in another order", "a JSON object has no order", files=turned),
        _case("one character of a file changed", "other code: a new review", files=_in_each("0", "1")),
        _case("another name for the app", "the owner would approve another name", name="Timer"),
        _case(
            "é in another Unicode form",
            "other bytes run; normalise before you send",
            files=_in_each("é", "e\u0301"),
        ),
        _case(
            "lines that end in CR LF",
            "other bytes run; normalise before you send",
            files=_in_each("\n", "\r\n"),
        ),
        _case("the first was declined", "still the same proposal; the answer says so", act=Room.decline),
        _case("the first was approved", "still the same proposal; the answer says so", act=Room.approve),
        _case(
            "declined, then mended", "other code: a new review", act=Room.decline, files=_in_each("0", "1rem")
        ),
        _case("another agent, the same content", "a key belongs to one agent", agent=AGENTS[1]),
        _case(
            "the old key, with changed files",
            "a repeated key returns the first: nobody sees the change",
            files=_in_each("0", "1"),
            key_files=FILES,
        ),
    ]


def _in_each(old: str, new: str) -> dict[str, str]:
    return {path: content.replace(old, new) for path, content in FILES.items()}


def _case(
    situation: str,
    ground: str,
    *,
    act: Callable[[Room, str], None] = lambda room, instance_id: None,
    agent: str = AGENTS[0],
    key_files: Mapping[str, str] | None = None,
    **changes: Any,
) -> Case:
    room = Room()
    for each in AGENTS:
        room.open_to(each)
    first = {"room_id": room.place_id, "name": "Stand-up timer", "files": FILES}
    made = call(SNIPPET, first | {"idempotency_key": _key(first)}, on=room).result["instance_id"]
    act(room, made)
    second = first | changes
    key = _key(second | ({"files": key_files} if key_files else {}))
    answer = call(SNIPPET, second | {"idempotency_key": key}, on=room, principal=agent)
    again = answer.result["instance_id"] == made
    return Case(situation, f"the first: {answer.result['state']}" if again else "a new card", ground)


def _key(intent: Mapping[str, Any]) -> str:
    return content_key(Attempt(intent, Event.FIRST, None, str))
