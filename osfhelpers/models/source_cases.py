"""The same page again, better described or spelled otherwise: what does a store answer?

Each situation is played on the real store, under both answers that a server may give to a key
that comes back with other arguments.
"""

from dataclasses import dataclass
from functools import partial
from itertools import count

from osfhelpers.engine.calls import call
from osfhelpers.engine.keys import Attempt, Event, KeyPolicy, same_key_on_retry
from osfhelpers.engine.note import Note
from osfhelpers.engine.store import OnMismatch
from osfhelpers.engine.urls import normalised_url_key
from osfhelpers.models.key_cases import in_words

URL = "https://sources.example/q3/revenue"
FIRST = {"title": "Revenue", "url": URL, "description": "draft"}
AGAIN = {
    "better description": {**FIRST, "description": "audited"},
    "other spelling": {**FIRST, "url": f"{URL}?utm_source=mail"},
}
NEW, PAGE = "new per citation", "the page"


@dataclass(frozen=True)
class Case:
    """One second citation, what the store answered to it, and what the Sources tab then holds."""

    second_citation: str
    key: str
    server_on_other_arguments: str
    answer: str
    sources: str


def cases() -> list[Case]:
    """Play every situation on a fresh Note and return what happened."""
    return [
        Case(second, key, words, *_cite_twice(AGAIN[second], policy, option))
        for second in AGAIN
        for key, policy, words, option in (
            (NEW, same_key_on_retry, "either", OnMismatch.RETURN_FIRST),
            *((PAGE, normalised_url_key, option.value, option) for option in OnMismatch),
        )
    ]


def _cite_twice(again: dict[str, str], policy: KeyPolicy, option: OnMismatch) -> tuple[str, str]:
    note, number = Note(on_mismatch=option), count(1)
    note.open_to("agent")
    for citation in (FIRST, again):
        intent = {"note_id": note.place_id, **citation}
        key = policy(Attempt(intent, Event.FIRST, None, lambda: f"citation-{next(number)}"))
        sent = {"expected_version": note.version, "idempotency_key": key}
        answer = in_words(partial(call, "add_note_source", {**intent, **sent}, on=note))
    return answer, "; ".join(f"{source.source_id}: {source.description}" for source in note.sources)
