"""The map shows what the snapshot says, and never calls reconstruction published."""

import pytest

from osfhelpers.drawing.canvas import new_figure, pixels, redraw
from osfhelpers.engine.data import load
from osfhelpers.engine.snapshot import provenance, tools
from osfhelpers.models.surface_map import IN_PART, PUBLISHED, RECONSTRUCTED, draw, say, surface
from osfhelpers.teaching.showing import show


@pytest.fixture(scope="module")
def found():
    return surface()


def test_every_known_tool_has_a_row_and_those_that_write_and_may_destroy_ask_first(found):
    assert [row.tool for row in found.rows] == list(tools())
    for row in found.rows:
        assert row.asks_first == (row.scope == "write" and row.hint == "destructive")
    assert {row.tool for row in found.rows if row.asks_first} == {
        "create_note_tab",
        "edit_note_tab",
        "add_note_source",
        "propose_room_snippet_app",
        "propose_room_repo_app",
    }
    assert all(row.asks_first for row in found.rows if row.scope == "write")


def test_no_schema_counts_as_published_whole_and_four_descriptions_were_printed(found):
    assert {row.parts["schema"] for row in found.rows} == {IN_PART, RECONSTRUCTED}
    printed = {row.tool for row in found.rows if row.parts["description"] == PUBLISHED}
    assert printed == {
        "create_note_tab",
        "add_note_source",
        "list_note_tabs",
        "propose_room_snippet_app",
    }


def test_a_schema_without_any_published_part_is_reconstruction(found):
    recorded = load("tools_list.provenance.json")["parts"]
    for row in found.rows:
        parts = [name for name in recorded if name.startswith(f"{row.tool}/inputSchema")]
        assert (row.parts["schema"] == IN_PART) == any(provenance(name).published for name in parts)


def test_the_published_size_is_shown_and_not_claimed_to_be_reproduced(found):
    assert (found.published_tools, found.published_bytes) == (59, 45_368)
    assert found.listed_bytes < found.published_bytes
    assert "has 59 tools and 45,368 bytes; these 11 take" in say(found)


def test_the_picture_names_every_tool_inside_the_figure(found):
    picture = show(found)
    assert picture.sentence.startswith("5 of 11 tools make a client ask first")
    figure, axes = new_figure(picture.height_px)
    redraw(axes, lambda ax: draw(ax, found))
    pixels(figure)
    texts = {text.get_text(): text.get_window_extent() for text in axes.texts}
    assert set(tools()) < set(texts)
    for words, box in texts.items():
        assert box.x0 >= 0, words
        assert box.x1 <= figure.bbox.x1, words
