"""One thing is shown as what it is, and what cannot be shown is named."""

import pytest

from osfhelpers import phrase, show
from osfhelpers.engine.store import Store


def test_a_function_of_the_package_is_shown_under_its_file_and_a_readers_own_under_none():
    assert show(Store.redo).title == "osfhelpers/engine/store.py"
    own = show(test_a_function_of_the_package_is_shown_under_its_file_and_a_readers_own_under_none)
    assert own.title == ""
    assert own.text.startswith("def test_")


def test_what_cannot_be_shown_is_named_with_the_drawing_that_was_asked_for():
    with pytest.raises(TypeError, match="'draw_runs' draws, not Store"):
        show(Store("q3-review"), draw="draw_runs")


@pytest.mark.parametrize("words", ["", "no such words"])
def test_words_that_do_not_stand_in_a_description_are_no_phrase_of_it(words):
    with pytest.raises(ValueError, match=f"'{words}' does not stand in the description of create_note_tab"):
        phrase("create_note_tab", words)
