"""The same page again, better described or spelled otherwise: what does a store answer?

Each situation is played on the real store, under both answers that a server may give to a key
that comes back with other arguments.
"""

from dataclasses import dataclass
from itertools import count

from osfhelpers.engine.calls import call
from osfhelpers.engine.keys import Attempt, Event, KeyPolicy, same_key_on_retry
from osfhelpers.engine.note import Note
from osfhelpers.engine.refusals import Refused
from osfhelpers.engine.store import OnMismatch
from osfhelpers.engine.urls import normalised_url_key

URL = "https://sources.example/q3/revenue"
FIRST = {"title": "Revenue", "url": URL, "description": "draft"}


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
    better = {**FIRST, "description": "audited"}
    spelled = {**FIRST, "url": f"{URL}?utm_source=mail"}
    return [
        _case(words, second, name, policy, option)
        for words, second in (("better description", better), ("other spelling", spelled))
        for name, policy in (("new per citation", same_key_on_retry), ("the page", normalised_url_key))
        for option in OnMismatch
        if policy is normalised_url_key or option is OnMismatch.RETURN_FIRST
    ]


def _case(words: str, second: dict, name: str, policy: KeyPolicy, option: OnMismatch) -> Case:
    note, number = Note(on_mismatch=option), count(1)
    note.open_to("agent")

    def cite(citation: dict) -> str:
        intent = {"note_id": note.place_id, **citation}
        key = policy(Attempt(intent, Event.FIRST, None, lambda: f"citation-{next(number)}"))
        arguments = {**intent, "expected_version": note.version, "idempotency_key": key}
        try:
            answer = call("add_note_source", arguments, on=note)
        except Refused as refusal:
            return f"refused: {refusal}"
        again = "the first result again" if answer.replayed else "done"
        return f"{again}: {answer.result['source_id']}"

    cite(FIRST)
    said = cite(second)
    held = "; ".join(f"{source.source_id}: {source.description}" for source in note.sources)
    with_option = option.value if policy is normalised_url_key else "either"
    return Case(words, name, with_option, said, held)
