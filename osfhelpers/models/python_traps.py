"""Where does a check written in plain Python disagree with JSON Schema?

Each row puts one payload to the check that a programmer writes first and to the whole way in:
a strict reader of JSON text, then the full schema of the tool.
"""

import json
from dataclasses import dataclass

from osfhelpers.engine.check import check_text
from osfhelpers.engine.json_text import JSONTextError
from osfhelpers.models.mistakes import calls

# A tool, a telling field as JSON text, a check of its value `v` in Python, and why it misleads.
CASES = (
    (
        "create_note_tab",
        '"expected_version": true',
        "isinstance(v, int)",
        "in Python, True is an integer",
    ),
    (
        "create_note_tab",
        '"expected_version": 7.0',
        "isinstance(v, int)",
        "in JSON, 7.0 and 7 are the same number",
    ),
    (
        "list_note_attachments",
        '"limit": NaN',
        "not (v < 1 or v > 50)",
        "NaN is no JSON, and every comparison with it is false",
    ),
    (
        "list_note_attachments",
        '"limit": 100, "limit": 10',
        "1 <= v <= 50",
        "Python keeps the last of two equal names, another reader may keep the first",
    ),
    (
        "propose_room_snippet_app",
        f'"name": "{"é" * 200}"',
        "len(v.encode()) <= 200",
        "maxLength counts code points, not bytes",
    ),
)


@dataclass(frozen=True)
class Trap:
    """One payload as a check in Python and as the whole way in judge it."""

    payload: str
    check_by_hand: str
    it_says: str
    because: str


def traps() -> tuple[Trap, ...]:
    """Judge every payload both ways."""
    return tuple(_judged(*case) for case in CASES)


def _judged(tool: str, telling: str, check: str, because: str) -> Trap:
    name = telling.split('"')[1]
    right = next(call.arguments for call in calls("right_calls") if call.tool == tool)
    rest = json.dumps({field: value for field, value in right.items() if field != name})
    text = f"{rest[:-1]}, {telling}}}"
    try:
        accepted = not check_text(tool, text).schema
    except JSONTextError:
        accepted = False
    # The check that the reader sees is the one that runs.
    naive = eval(check, {}, {"v": json.loads(text)[name]})
    shown = telling.replace('"', "").replace("é" * 200, "é 200 times")
    return Trap(shown, check, f"{_verdict(naive)}, instead of {_verdict(accepted)}", because)


def _verdict(accepted: bool) -> str:
    return "ok" if accepted else "refused"
