"""What does a store answer when a key comes back in an awkward way?

Situations from standards and bug reports, each played on the real store. The right answers
and their grounds are written down here; what the store answered is observed.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from osfhelpers.engine.calls import call
from osfhelpers.engine.note import Note
from osfhelpers.engine.refusals import Refused
from osfhelpers.engine.store import Conflict, OnMismatch, Order

KEY = "deck-2026-q3"


@dataclass(frozen=True)
class Case:
    """One situation, what the store answered to the last call, and the tabs that were made."""

    situation: str
    answer: str
    new_tabs: int
    ground: str


def cases() -> list[Case]:
    """Play every situation on a fresh Note and return what happened."""
    version_first, refuses = {"order": Order.VERSION_THEN_KEY}, {"on_mismatch": OnMismatch.REFUSE}
    return [
        _case("same key, same call, the version has moved on", _repeat, "RFC 9110 13.1.1; AIP-155"),
        _case(
            "the same, if the version is checked first", _repeat, "wrong order, to compare", **version_first
        ),
        _case("same key, other arguments: return the first", _other_arguments, "the published promise"),
        _case("same key, other arguments: refuse", _other_arguments, "IETF draft; Stripe", **refuses),
        _case("same key, another tool", _other_tool, "a key belongs to one operation"),
        _case("two sends at once", _two_at_once, "one effect; the other waits"),
        _case("refused, corrected, sent under the same key", _corrected, "Stripe: no result is kept"),
        _case("the key was forgotten before the retry came", _forgotten, "keep keys as long as retries"),
    ]


def in_words(send: Callable[[], Any]) -> str:
    """Say what a store answers to a write: done, the first result again, a conflict or a refusal."""
    try:
        answer = send()
    except Refused as refusal:
        return f"refused: {refusal}"
    if isinstance(answer, Conflict):
        return f"conflict: the version is {answer.current_version}"
    made = next(value for field, value in answer.result.items() if field in ("tab_id", "source_id"))
    return f"{'the first result again' if answer.replayed else 'done'}: {made}"


def _case(situation: str, play: Callable[[Note], Any], ground: str, **options: Any) -> Case:
    note = Note(**options)
    note.open_to("agent")
    answer = in_words(lambda: play(note))
    return Case(situation, answer, sum(tab.tab_type == "slides" for tab in note.tabs), ground)


def _create(note: Note, version: int, **more: Any) -> Any:
    arguments = {"note_id": note.place_id, "expected_version": version, "idempotency_key": KEY}
    return call("create_note_tab", {**arguments, "tab_type": "slides", **more}, on=note)


def _repeat(note: Note) -> Any:
    _create(note, 1)
    note.save("the person types")
    return _create(note, 1)


def _other_arguments(note: Note) -> Any:
    _create(note, 1, label="Q3")
    return _create(note, 2, label="Q4")


def _other_tool(note: Note) -> Any:
    _create(note, 1)
    source = {"note_id": note.place_id, "expected_version": 2, "idempotency_key": KEY}
    source |= {"title": "Report", "url": "https://example.org/report"}
    return call("add_note_source", source, on=note)


def _two_at_once(note: Note) -> Any:
    with ThreadPoolExecutor() as pool:
        answers = list(pool.map(lambda _: _create(note, 1), range(2)))
    return next(answer for answer in answers if answer.replayed)


def _corrected(note: Note) -> Any:
    with suppress(Refused):
        _create(note, 1, tab_type="markdown")
    return _create(note, 1)


def _forgotten(note: Note) -> Any:
    _create(note, 1)
    note.forget_keys()
    return _create(note, note.version)
