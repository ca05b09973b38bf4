"""A guess is stored in the working directory, revealed, and sent nowhere."""

import json

import pytest

from osfhelpers.drawing.rendering import VARIABLE
from osfhelpers.teaching.guesses import FILE, GuessFileError, guess, remember, remembered


def test_choosing_reveals_the_computed_answer_and_stores_the_choice(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    _, choices, answer = guess("04")._widget().children
    assert answer.value == ""
    choices.value = 57
    assert "You said 57 tabs. It is 71 tabs." in answer.value
    assert remembered() == {"04": 57}


def test_guesses_of_several_chapters_lie_side_by_side(tmp_path):
    remember("04", 57, tmp_path)
    remember("05", 3, tmp_path)
    remember("04", 71, tmp_path)
    assert remembered(tmp_path) == {"04": 71, "05": 3}


@pytest.mark.parametrize("content", ["not json", "[1, 2]", '{"04": "many"}', '{"04": null}'])
def test_a_file_that_is_not_ours_is_left_alone_and_named(tmp_path, content):
    (tmp_path / FILE).write_text(content, encoding="utf-8")
    with pytest.raises(GuessFileError, match="delete it to start again"):
        remember("04", 57, tmp_path)
    assert (tmp_path / FILE).read_text(encoding="utf-8") == content


def test_a_folder_that_cannot_be_written_to_is_said_to_the_reader_who_still_gets_the_answer(
    tmp_path, monkeypatch
):
    (tmp_path / FILE).mkdir()
    monkeypatch.chdir(tmp_path)
    _, choices, answer = guess("04")._widget().children
    choices.value = 100
    assert "It is 71 tabs." in answer.value
    assert FILE in answer.value


def test_without_a_kernel_the_answer_is_folded(monkeypatch):
    shown = []
    monkeypatch.setenv(VARIABLE, "committed")
    monkeypatch.setattr("IPython.display.display", shown.append)
    guess("04")._ipython_display_()
    html = shown[0]._repr_html_()
    assert html.index("<details>") < html.index("It is 71 tabs")


def test_no_guess_is_stored_before_the_reader_chooses(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    guess("04")._widget()
    assert not (tmp_path / FILE).exists()
    json.dumps(remembered())
