"""The same page again, better described: neither way of answering a known key changes the row."""

from osfhelpers.engine.store import OnMismatch
from osfhelpers.models.source_cases import cases


def played(citation):
    """Return what the store answered and what the Sources tab holds, by key and kind of server."""
    return {
        (case.key, case.server_on_other_arguments): (case.answer, case.sources)
        for case in cases()
        if case.second_citation == citation
    }


def test_a_better_description_is_dropped_refused_or_listed_beside_the_old_one_and_never_replaces_it():
    found = played("better description")
    assert found["new per citation", "either"][0] == "done: source-2"
    assert found["the page", OnMismatch.RETURN_FIRST.value] == (
        "the first result again: source-1",
        "source-1: draft",
    )
    answer, sources = found["the page", OnMismatch.REFUSE.value]
    assert answer.startswith("refused: ")
    assert sources == "source-1: draft"


def test_a_key_made_from_the_page_needs_a_server_that_returns_the_first():
    found = played("other spelling")
    assert found["the page", OnMismatch.RETURN_FIRST.value][0] == "the first result again: source-1"
    assert found["the page", OnMismatch.REFUSE.value][0].startswith("refused: ")
