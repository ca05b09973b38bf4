"""The box for two URLs: step by step, in all three ways of reading."""

import pytest

from osfhelpers.drawing.rendering import VARIABLE
from osfhelpers.engine.urls import STEPS
from osfhelpers.teaching.url_box import url_box, url_rows, verdict

BOARDS = "http://www.board.example/#/boards/4", "https://board.example/#/boards/7"


def test_every_step_has_a_row_and_says_when_it_changed_nothing():
    rows = {name: became for name, *became in url_rows(*BOARDS)}
    assert list(rows) == ["as written", *STEPS, "browser href"]
    assert rows["https"] == ["https://www.board.example/#/boards/4", "unchanged"]
    assert rows["fragment"] == ["https://board.example/"] * 2
    assert verdict(*BOARDS) == "One page by all seven steps, two pages by browser hrefs."


def test_a_password_is_answered_and_not_repeated():
    secret = "https://ana:secret@board.example/"
    assert "secret" not in str(url_rows(secret, BOARDS[1])) + repr(url_box(secret, BOARDS[1]))
    assert "user name or password" in str(url_rows(secret, BOARDS[1]))
    assert "merged with nothing" in verdict(secret, "https://board.example/")


def test_the_live_box_follows_what_is_typed():
    first, second, table = url_box(*BOARDS).widget().children
    assert "One page by all seven steps" in table.value
    second.value = "https://other.example/<b>"
    assert "Two pages by all seven steps" in table.value
    assert "<b>" not in table.value
    first.value = "mailto:ana@board.example"
    assert "not an e-mail address" in table.value


@pytest.mark.parametrize("where", ["committed", "static"])
def test_without_a_kernel_the_table_stands_and_says_how_to_get_the_fields(where, monkeypatch):
    shown = []
    monkeypatch.setenv(VARIABLE, where)
    monkeypatch.setattr("IPython.display.display", shown.append)
    url_box(*BOARDS)._ipython_display_()
    assert "Run this notebook in JupyterLab" in shown[0].html
    assert "trailing slash" in shown[0].html
    assert "<script" not in shown[0].html
