"""The drawn strip: recorded on the real store, one row per edit."""

import pytest

from osfhelpers.drawing.canvas import new_figure, redraw
from osfhelpers.models.handles import Ending
from osfhelpers.models.strip_edits import Edit, decks_of, new_note
from osfhelpers.models.strips import Strips, one_gap, record
from osfhelpers.teaching.explorers import watch


@pytest.fixture(scope="module")
def gap():
    return one_gap()


def drawn(strips, state):
    figure, axes = new_figure(strips.height_px)
    redraw(axes, lambda ax: strips.draw(ax, state))
    figure.canvas.draw()
    return axes


def texts(axes):
    return [text.get_text() for text in axes.texts]


def test_every_step_of_every_history_is_drawn_and_told(gap):
    stepper = watch(gap)
    told = [stepper.picture(state)[1].sentence for state in stepper.states()]
    assert len(told) == 8
    assert len(set(told)) == 7  # both histories begin alike


def test_the_strip_is_the_note_after_each_edit():
    note = new_note(2)
    frames = record(note, decks_of(note)[0].tab_id, [Edit("drag", 4, 0), Edit("add", put=2), Edit("save")])
    assert [tab.label for tab in frames[1].tabs] == ["Draft", "Markdown", "Files", "Sources", "Q3 review"]
    assert [len(frame.tabs) for frame in frames] == [5, 5, 6, 6]
    assert [frame.words for frame in frames] == [
        "The agent keeps four handles on its deck",
        "1. The person drags Draft from place 5 to 1",
        "2. The person adds Figures",
        "3. The person saves the text",
    ]


def test_the_landings_are_those_of_real_writes(gap):
    frames = gap.variants["files the old deck away"]
    by_label = [frame.landings["label"].ending for frame in frames]
    assert by_label == [Ending.RIGHT, Ending.RIGHT, Ending.NOT_FOUND, Ending.ANOTHER_DECK]
    assert all(frame.landings["ID"].ending is Ending.RIGHT for frame in frames)
    # At each step every handle that finds a deck adds a slide to it.
    slides = sum(len(tab.slides) for tab in frames[-1].tabs)
    assert slides == sum(
        f.landings[h].ending.value in ("right", "another deck") for f in frames for h in f.landings
    )


def test_the_agents_deck_alone_has_a_thick_outline(gap):
    axes = drawn(gap, {"variant": "starts a new deck", "steps": 2})
    boxes = [patch for patch in axes.patches if type(patch).__name__ == "FancyBboxPatch"]
    assert len(boxes) == 6 + 6 + 7
    assert sum(box.get_linewidth() > 2 for box in boxes) == 3


def test_only_a_drag_has_an_arrow_from_where_it_was_to_where_it_is(gap):
    for edits, arrows in enumerate((0, 1, 1, 2)):
        axes = drawn(gap, {"variant": "starts a new deck", "steps": edits})
        assert sum(getattr(text, "arrow_patch", None) is not None for text in axes.texts) == arrows


def test_a_label_that_finds_nothing_is_written_out(gap):
    state = {"variant": "files the old deck away", "steps": 2}
    assert "label: not found" in texts(drawn(gap, state))
    assert "by label: refused or not found" in gap.say(state)


def test_nothing_runs_over_the_edge_at_any_step(gap):
    for state in watch(gap).states():
        axes = drawn(gap, state)
        figure = axes.figure
        for text in axes.texts:
            box = text.get_window_extent()
            assert box.x0 >= 0, (state, text.get_text())
            assert box.x1 <= figure.bbox.x1, (state, text.get_text())


def test_the_height_does_not_depend_on_the_step(gap):
    short = Strips("", {name: frames[:2] for name, frames in gap.variants.items()})
    assert short.height_px < gap.height_px
    assert short.longest == 1
