"""The path box: what each judge says of each path, alone and together, in all three ways of reading."""

import pytest

from osfhelpers.drawing.rendering import VARIABLE
from osfhelpers.engine.calls import call
from osfhelpers.engine.paths import PATH_RULES
from osfhelpers.engine.refusals import RuleBroken
from osfhelpers.engine.room import Room
from osfhelpers.engine.rules import ENTRY_POINT
from osfhelpers.experiments import room_rules
from osfhelpers.models.path_catalogue import BAD_PATHS, GOOD_PATHS
from osfhelpers.teaching.path_box import path_box, path_rows, verdict

STRANGE = ("\0", "src/\x1b[31m.ts", "\ud800/x.ts", "x" * 5_000, "../" * 5_000, " ", "\u202e", "\r", "<b>")


def said(*paths):
    """Return what the server rules say of each path, keyed by the path as it is shown."""
    return {row[0]: row[2] for row in path_rows("\n".join(paths))}


def parts(box):
    """Return the text area and the verdict of a live box."""
    return box.widget().children


def test_the_schema_passes_every_name_and_the_rules_say_why_not():
    bad = [path for path in BAD_PATHS if path != "SRC/app.tsx"]
    rows = path_rows("\n".join([*bad, *GOOD_PATHS]))
    assert {row[1] for row in rows} == {"passes"}
    assert [row[2] == "safe" for row in rows] == [False] * len(bad) + [True] * len(GOOD_PATHS)
    reasons = {rule.reason for rule in PATH_RULES}
    assert all(row[2].removeprefix("refused: ") in reasons for row in rows[: len(bad)])
    assert verdict(rows) == (
        "The published schema passes 14 of 14, since any string is a name; the server rules call 3 safe."
    )


@pytest.mark.parametrize("path", [*BAD_PATHS, *GOOD_PATHS, *STRANGE])
def test_the_box_calls_safe_what_the_room_accepts_beside_its_entry_point(path):
    room = Room()
    room.open_to("agent")
    box = said(ENTRY_POINT, path)
    try:
        call(room_rules.TOOL, room_rules.GOOD | {"files": {ENTRY_POINT: "", path: ""}}, on=room)
    except RuleBroken:
        assert set(box.values()) != {"safe"}
    else:
        assert set(box.values()) == {"safe"}


def test_paths_are_judged_together_and_each_one_that_collides_says_with_which():
    assert said("src/App.tsx", "SRC/app.tsx") == {
        "src/App.tsx": "refused: collides with SRC/app.tsx",
        "SRC/app.tsx": "refused: collides with src/App.tsx",
    }
    crowd = said("src", "src/a.ts", "src/b.ts", "docs/a.md")
    assert [path for path, words in crowd.items() if words == "safe"] == ["docs/a.md"]


def test_a_row_says_what_each_system_would_open_seen_from_the_folder_of_the_app():
    paths = ("src/CON.txt", "../App.tsx", "src/App.tsx.", "src\\x.ts")
    assert [row[3:] for row in path_rows("\n".join(paths))] == [
        ("src/CON.txt", "a device: CON.txt"),
        ("outside the app: /rooms/App.tsx", "outside the app: D:\\rooms\\App.tsx"),
        ("src/App.tsx.", "overwrites src/App.tsx: src\\App.tsx"),
        ("src\\x.ts", "src\\x.ts"),
    ]


@pytest.mark.parametrize("path", STRANGE)
def test_whatever_is_typed_is_answered_in_signs_that_can_be_seen(path):
    text, shown = parts(path_box())
    text.value = path
    assert "the server rules call 0 safe" in shown.value
    assert shown.value.isprintable()
    assert len(shown.value) < 2_000
    assert "<b>" not in shown.value


def test_an_empty_line_is_no_path_and_a_repeated_one_is_the_same_name():
    assert list(said("", "src/a.ts", "", "src/a.ts", "")) == ["src/a.ts"]
    _, shown = parts(path_box())
    assert "No path stands here yet" in shown.value


def test_typing_changes_the_verdict():
    text, shown = parts(path_box("src/App.tsx"))
    assert "the server rules call 1 safe" in shown.value
    text.value += "\nSRC/app.tsx"
    assert "the server rules call 0 safe" in shown.value


@pytest.mark.parametrize("where", ["committed", "static"])
def test_without_a_kernel_the_table_stands_and_says_how_to_get_the_box(where, monkeypatch):
    shown = []
    monkeypatch.setenv(VARIABLE, where)
    monkeypatch.setattr("IPython.display.display", shown.append)
    path_box("src/App.tsx", "C:x")._ipython_display_()
    assert "refused: it names a drive" in shown[0].html
    assert "Run this notebook in JupyterLab to get a box" in shown[0].html
    assert "passes 2 of 2" in shown[0].text
