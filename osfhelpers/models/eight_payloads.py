"""What do two validators say of the eight payloads that the Notes article tried?

Only the telling part of each payload was printed; the frame around it is filled in here.
"""

from dataclasses import dataclass
from functools import cache
from typing import Any

from osfhelpers.engine.refusals import Problem
from osfhelpers.engine.snapshot import tool
from osfhelpers.engine.validator import full_problems, small_verdict
from osfhelpers.measuring.evidence import published

FRAME = {
    "note_id": "q3-review",
    "tab_id": "slides-1-mh8z1k2b",
    "expected_version": 7,
    "idempotency_key": "deck-q3-0001",
}
TELLING: dict[str, dict[str, Any]] = {
    "edit_note_tab: slide_add, title, body": {"operation": "slide_add", "title": "Costs", "body": "Flat"},
    "edit_note_tab: slide_add, title, index 0": {"operation": "slide_add", "title": "Costs", "index": 0},
    "edit_note_tab: slides_add, slides [{title}]": {
        "operation": "slides_add",
        "slides": [{"title": "Costs"}],
    },
    "edit_note_tab: slides_add_outline, slides [{…, bullets}]": {
        "operation": "slides_add_outline",
        "slides": [{"title": "Costs", "bullets": ["Flat"]}],
    },
    "create_note_tab: tab_type slides, 21 slides": {
        "tab_type": "slides",
        "slides": [{"title": f"Slide {number}"} for number in range(1, 22)],
    },
    "create_note_tab: tab_type markdown": {"tab_type": "markdown"},
    "add_note_source: url only": {"url": "https://example.org/q3"},
    "list_note_attachments: kind sources, limit 100": {"kind": "sources", "limit": 100},
}


@dataclass(frozen=True)
class Cell:
    """One of the eight payloads: the published verdict, and those of both validators here."""

    payload: str
    published: str
    small_validator_here: str
    full_schema: str


@cache
def eight_payloads() -> tuple[Cell, ...]:
    """Judge the eight published payloads by the small validator and by the full schema."""
    return tuple(_judged(figure.key.arm, figure.value) for figure in published("bad_payloads"))


def _judged(payload: str, verdict: str) -> Cell:
    schema = tool(payload.partition(":")[0]).input_schema
    framed = {field: value for field, value in FRAME.items() if field in schema["properties"]}
    arguments = framed | TELLING[payload]
    small = "; ".join(map(_as_printed, small_verdict(schema, arguments).problems)) or "ok"
    return Cell(payload, verdict, small, "refused" if full_problems(schema, arguments) else "ok")


def _as_printed(problem: Problem) -> str:
    # The article prints `slides: [0] unexpected bullets` where a path would be `slides[0]`.
    return str(problem).replace("[0]: ", ": [0] ")
