"""The empty ledger asks for a guess per phrase, stores it, and shows no computed value."""

import pytest

from osfhelpers.chapters.c00 import GUESS, LEDGER
from osfhelpers.drawing.figures import Outcome
from osfhelpers.drawing.rendering import VARIABLE
from osfhelpers.measuring.damage import ledger
from osfhelpers.models.story import play
from osfhelpers.models.story_desk import Way
from osfhelpers.teaching.empty_ledger import CHOICES
from osfhelpers.teaching.guesses import FILE, remember, remembered


def buttons_and_told(widget):
    """Return the buttons of each row, and the line below them."""
    children = list(widget.children)
    return [child for child in children if type(child).__name__ == "ToggleButtons"], children[-1]


def test_the_rows_are_those_of_the_ledger_in_its_own_words():
    asked = [(row.chapter, row.phrase, row.wrong) for row in LEDGER.rows]
    assert asked == [(row.chapter, row.phrase, row.wrong) for row in ledger().rows]


def test_a_choice_is_stored_beside_the_other_guesses_and_counted(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    remember("04", 57)
    rows, told = buttons_and_told(LEDGER.widget())
    assert len(rows) == len(LEDGER.rows)
    rows[3].value = 25
    rows[4].value = 1000
    assert remembered() == {"04": 57, "ledger 04": 25, "ledger 05": 1000}
    assert f"2 of {len(LEDGER.rows)} guesses are kept in guesses.json, and sent nowhere" in told.value


def test_stored_guesses_are_there_again_when_the_chapter_is_opened_again(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    remember("ledger 04", 25)
    remember("ledger 05", 77)  # none of the buttons
    rows, _ = buttons_and_told(LEDGER.widget())
    assert [row.value for row in rows] == [None, None, None, 25, *[None] * (len(LEDGER.rows) - 4)]


def test_nothing_is_stored_before_the_reader_chooses(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    LEDGER.widget()
    assert not (tmp_path / FILE).exists()


@pytest.mark.parametrize("content", ["not json", "[1, 2]"])
def test_a_file_that_is_not_ours_is_left_alone_and_named(tmp_path, monkeypatch, content):
    monkeypatch.chdir(tmp_path)
    (tmp_path / FILE).write_text(content, encoding="utf-8")
    rows, told = buttons_and_told(LEDGER.widget())
    assert "delete it to start again" in told.value
    rows[0].value = CHOICES[1]
    assert "delete it to start again" in told.value
    assert (tmp_path / FILE).read_text(encoding="utf-8") == content


@pytest.mark.parametrize("mode", ["committed", "static"])
def test_without_a_kernel_the_ledger_is_a_table_of_questions(monkeypatch, mode):
    shown = []
    monkeypatch.setenv(VARIABLE, mode)
    monkeypatch.setattr("IPython.display.display", shown.append)
    LEDGER._ipython_display_()
    html = shown[0]._repr_html_()
    assert html.count("<tr>") == 1 + len(LEDGER.rows)
    for row in LEDGER.rows:
        assert f"{row.chapter} · {row.phrase}</th>" in html, row
    for row in ledger().rows:
        assert f"{row.without_per_100:,.1f}" not in html


def test_the_guess_of_the_chapter_is_the_story_without_a_lost_reply():
    assert GUESS.answer() == len(play(Way.STRUCK, 0.0).among(Outcome.SILENT))
