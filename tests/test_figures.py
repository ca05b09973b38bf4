"""A figure's finding is read at once: also on a phone, which shows six tenths of its width."""

import pytest

from osfhelpers.drawing.canvas import new_figure, pixels, redraw
from osfhelpers.drawing.figures import headline

SHOWN_BY_A_PHONE = 0.6


@pytest.mark.parametrize("height_px", [300, 480])
@pytest.mark.parametrize(
    "finding",
    [
        "One in six positions points at the wrong tab",
        "Slide by slide leaves 82 unfinished decks in 100, outlines 11",
        "Real sessions, real time-outs: 100 extra tabs in 100 under new keys",
    ],
)
def test_a_title_of_two_lines_is_whole_and_seen_on_a_phone(finding, height_px):
    figure, axes = new_figure(height_px)
    redraw(axes, lambda ax: headline(ax, finding))
    width, height = pixels(figure).size
    title = axes._left_title
    box = title.get_window_extent()
    assert title.get_text().replace("\n", " ") == finding
    assert title.get_text().count("\n") == 1
    assert 0 < box.x0 < box.x1 < SHOWN_BY_A_PHONE * width
    assert box.y1 < height


def test_tick_labels_above_the_axes_leave_a_title_its_two_lines():
    figure, axes = new_figure()
    finding = "Slide by slide leaves 82 unfinished decks in 100, outlines 11"

    def draw(ax):
        ax.xaxis.tick_top()
        ax.set_xticks([0.5], ["server\nrule"])
        headline(ax, finding, labels_px=40)

    redraw(axes, draw)
    _, height = pixels(figure).size
    title = axes._left_title.get_window_extent()
    [label] = axes.get_xticklabels()
    assert label.get_window_extent().y1 < title.y0
    assert title.y1 < height


def test_no_line_of_a_title_is_left_with_one_word():
    _, axes = new_figure()
    redraw(axes, lambda ax: headline(ax, "22 of 100 overwrite, unless it reads again"))
    assert axes._left_title.get_text() == "22 of 100 overwrite,\nunless it reads again"


def test_a_title_too_long_for_two_lines_is_an_error_that_quotes_it():
    _, axes = new_figure()
    with pytest.raises(ValueError, match="two lines of 38 characters at most: 'word word"):
        headline(axes, "word " * 20)
