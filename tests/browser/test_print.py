"""The built site on paper: is everything there that a reader without a screen needs, and nothing cut?"""

import pytest
from conftest import SITE

PAGES = sorted(path.relative_to(SITE).as_posix() for path in SITE.glob("*/*.html"))
# A4 without its margins of 16 mm, at 96 px to the inch.
PAPER_PX = 673

FOLDED = """() => [...document.querySelectorAll("article details")].map(details => [
    details.querySelector("summary").textContent,
    !!details.closest(".osf-guess, .osf-exercise"),
    [...details.children].some(part => part.matches(":not(summary)") && part.checkVisibility()),
])"""
CUT = """width => [...document.querySelectorAll("article :is(table, img, canvas, pre, .osf-say)")]
    .filter(part => part.checkVisibility() && part.getBoundingClientRect().right > width + 1)
    .map(part => `${part.tagName}: ${part.textContent.slice(0, 60)}`)"""


@pytest.fixture
def paper(static_page):
    """Return a function that opens a page as a printer sees it."""

    def open_page(name):
        page = static_page(name, width=PAPER_PX).page
        page.emulate_media(media="print")
        return page

    return open_page


@pytest.mark.parametrize("name", PAGES)
def test_a_printed_page_shows_all_data_whole_and_keeps_its_answers_folded(paper, name):
    page = paper(name)
    for summary, is_answer, is_seen in page.evaluate(FOLDED):
        assert is_seen != is_answer, summary
    assert page.evaluate(CUT, PAPER_PX) == []
    assert page.locator(".osf-knobs:visible, .sidebar-drawer:visible").count() == 0


def test_folded_data_and_folded_answers_are_both_among_what_is_printed(paper):
    page = paper(next(name for name in PAGES if "/04" in name))
    assert {is_answer for _, is_answer, _ in page.evaluate(FOLDED)} == {True, False}
