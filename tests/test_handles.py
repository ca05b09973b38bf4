"""Handles: what a write comes to is read off the real store's answer."""

import pytest

from osfhelpers.drawing.figures import Outcome
from osfhelpers.engine.calls import call
from osfhelpers.models.handles import (
    HANDLES,
    Ending,
    Landing,
    by_id,
    by_label,
    by_position,
    by_raw_type,
    see,
    write_by,
)
from osfhelpers.models.strip_edits import Edit, carry_out, decks_of, new_note

KEY = "one-key-only"


@pytest.fixture
def note():
    return new_note(3)


@pytest.fixture
def seen(note):
    return see(note, decks_of(note)[0].tab_id)


def test_an_untouched_strip_is_found_by_every_handle_and_a_raw_type_is_refused(note, seen):
    for name, handle in HANDLES.items():
        assert write_by(handle, seen, on=note, key=f"by {name} now").ending is Ending.RIGHT
    assert write_by(by_raw_type, seen, on=note, key=KEY) == Landing("slides", Ending.NOT_FOUND, passed=True)


def test_a_fixed_tab_is_refused_after_the_version_check_and_stays_as_it_was(note, seen):
    carry_out(Edit("drag", 0, 3), note)
    before = note.tabs, note.version
    landing = write_by(by_position, seen, on=note, key=KEY)
    assert landing == Landing("markdown", Ending.FIXED_TAB, passed=True)
    assert (note.tabs, note.version) == before


def test_a_label_given_to_another_deck_takes_the_write_there_without_an_error(note, seen):
    carry_out(Edit("rename", 0, 3), note)
    assert write_by(by_label, seen, on=note, key=KEY) == Landing(None, Ending.NOT_FOUND, passed=None)
    carry_out(Edit("rename", 1, 0), note)
    landing = write_by(by_label, seen, on=note, key=KEY)
    assert (landing.ending, landing.passed) == (Ending.ANOTHER_DECK, True)
    assert [len(deck.slides) for deck in decks_of(note)] == [0, 1, 0]


def test_an_edit_between_list_and_write_is_a_conflict_and_counts_as_not_passed(note, seen):
    def slow(rows, seen):
        note.save("meanwhile")
        return seen.tab_id

    landing = write_by(slow, seen, on=note, key=KEY)
    assert (landing.ending, landing.passed) == (Ending.CONFLICT, False)


def test_a_stale_version_is_a_conflict_even_at_a_fixed_tab(note):
    stale = {"note_id": note.place_id, "tab_id": "files", "operation": "slide_add", "title": "x"}
    answer = call("edit_note_tab", {**stale, "expected_version": 1, "idempotency_key": KEY}, on=note)
    assert answer.current_version == note.version


def test_a_closed_deck_is_not_found_by_its_id_and_no_neighbour_is_hit(note, seen):
    note.close(seen.tab_id)
    assert write_by(by_id, seen, on=note, key=KEY).ending is Ending.NOT_FOUND
    assert not any(deck.slides for deck in decks_of(note))


def test_only_another_deck_is_silent():
    silent = {ending for ending in Ending if ending.outcome is Outcome.SILENT}
    assert silent == {Ending.ANOTHER_DECK}
    assert Ending.RIGHT.outcome is Outcome.RIGHT
