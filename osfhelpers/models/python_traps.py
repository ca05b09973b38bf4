"""Where does a check written in plain Python disagree with JSON Schema?

Each row puts one payload to the check that a programmer writes first and to the whole way in:
a strict reader of JSON text, then the full schema of the tool.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from osfhelpers.engine.check import check_text
from osfhelpers.engine.json_text import JSONTextError
from osfhelpers.models.mistakes import calls


@dataclass(frozen=True)
class Case:
    """One field with a telling value, a check of that value in Python, and why it misleads."""

    payload: str
    tool: str
    telling: str
    check_in_words: str
    check: Callable[[Any], bool]
    because: str


CASES = (
    Case(
        "expected_version: true",
        "create_note_tab",
        '"expected_version": true',
        "isinstance(v, int)",
        lambda v: isinstance(v, int),
        "in Python, True is an integer",
    ),
    Case(
        "expected_version: 7.0",
        "create_note_tab",
        '"expected_version": 7.0',
        "isinstance(v, int)",
        lambda v: isinstance(v, int),
        "in JSON, 7.0 and 7 are the same number",
    ),
    Case(
        "limit: NaN",
        "list_note_attachments",
        '"limit": NaN',
        "not (v < 1 or v > 50)",
        lambda v: not (v < 1 or v > 50),
        "NaN is no JSON, and every comparison with it is false",
    ),
    Case(
        "limit: 100, then limit: 10",
        "list_note_attachments",
        '"limit": 100, "limit": 10',
        "1 <= v <= 50",
        lambda v: 1 <= v <= 50,
        "Python keeps the last of two equal names, another reader may keep the first",
    ),
    Case(
        "name: é 200 times",
        "propose_room_snippet_app",
        f'"name": "{"é" * 200}"',
        "len(v.encode()) <= 200",
        lambda v: len(v.encode()) <= 200,
        "maxLength counts code points, not bytes",
    ),
)


@dataclass(frozen=True)
class Trap:
    """One payload as a check in Python and as the whole way in judge it."""

    payload: str
    check_by_hand: str
    it_says: str
    right_answer: str
    because: str


def traps() -> tuple[Trap, ...]:
    """Judge every payload both ways."""
    return tuple(map(_judged, CASES))


def _judged(case: Case) -> Trap:
    name = case.telling.split('"')[1]
    right = next(call.arguments for call in calls("right_calls") if call.tool == case.tool)
    rest = json.dumps({field: value for field, value in right.items() if field != name})
    text = f"{rest[:-1]}, {case.telling}}}"
    try:
        accepted = not check_text(case.tool, text).schema
    except JSONTextError:
        accepted = False
    naive = case.check(json.loads(text)[name])
    return Trap(case.payload, case.check_in_words, _verdict(naive), _verdict(accepted), case.because)


def _verdict(accepted: bool) -> str:
    return "ok" if accepted else "refused"
