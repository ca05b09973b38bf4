"""What does a store answer when a key comes back in an awkward way?

Eight situations from standards and bug reports, each played on the real store. The right
answers and their grounds are written down here; what the store answered is observed.
"""

import threading
from collections.abc import Callable
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
    return [
        Case(situation, *play(), ground)
        for situation, play, ground in (
            ("same key, same call, the version has moved on", _repeat, "RFC 9110 13.1.1; AIP-155"),
            ("the same on a server that checks the version first", _repeat_version_first, "kept to show it"),
            ("same key, other arguments: return the first", _mismatch, "the published promise"),
            ("same key, other arguments: refuse", _mismatch_refused, "IETF draft; Stripe"),
            ("same key, another tool", _other_tool, "a key belongs to one operation"),
            ("two sends at once", _in_flight, "one effect; the other waits"),
            ("refused, corrected, sent under the same key", _corrected, "Stripe: no result is kept"),
            ("the key was forgotten before the retry came", _forgotten, "keep keys as long as retries"),
        )
    ]


def _note(**options: Any) -> Note:
    note = Note(**options)
    note.open_to("agent")
    return note


def _create(note: Note, version: int, **more: Any) -> Any:
    arguments = {"note_id": note.place_id, "expected_version": version, "idempotency_key": KEY}
    return call("create_note_tab", {**arguments, "tab_type": "slides", **more}, on=note)


def _seen(note: Note, send: Callable[[], Any]) -> tuple[str, int]:
    try:
        answer = send()
    except Refused as refusal:
        words = f"refused: {refusal}"
    else:
        if isinstance(answer, Conflict):
            words = f"conflict: the version is {answer.current_version}"
        else:
            again = "the first result again" if answer.replayed else "done"
            words = f"{again}: {answer.result.get('tab_id', '')}"
    return words, sum(tab.tab_type == "slides" for tab in note.tabs)


def _repeat(**options: Any) -> tuple[str, int]:
    note = _note(**options)
    _create(note, 1)
    note.save("the person types")
    return _seen(note, lambda: _create(note, 1))


def _repeat_version_first() -> tuple[str, int]:
    return _repeat(order=Order.VERSION_THEN_KEY)


def _mismatch(**options: Any) -> tuple[str, int]:
    note = _note(**options)
    _create(note, 1, label="Q3")
    return _seen(note, lambda: _create(note, 2, label="Q4"))


def _mismatch_refused() -> tuple[str, int]:
    return _mismatch(on_mismatch=OnMismatch.REFUSE)


def _other_tool() -> tuple[str, int]:
    note = _note()
    _create(note, 1)
    source = {"note_id": note.place_id, "expected_version": 2, "idempotency_key": KEY}
    source |= {"title": "Report", "url": "https://example.org/report"}
    return _seen(note, lambda: call("add_note_source", source, on=note))


def _in_flight() -> tuple[str, int]:
    note, barrier, answers = _note(), threading.Barrier(2), []

    def send() -> None:
        barrier.wait()
        answers.append(_create(note, 1))

    threads = [threading.Thread(target=send) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return _seen(note, lambda: next(answer for answer in answers if answer.replayed))


def _corrected() -> tuple[str, int]:
    note = _note()
    _seen(note, lambda: _create(note, 1, tab_type="markdown"))
    return _seen(note, lambda: _create(note, 1))


def _forgotten() -> tuple[str, int]:
    note = _note()
    _create(note, 1)
    note.forget_keys()
    return _seen(note, lambda: _create(note, note.version))
