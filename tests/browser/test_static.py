"""The built site, opened from its files with the network blocked: what would a reader miss?

Contrast, names and roles are asked of every page by tools/check_axe.py, as the site is built.
"""

import re

import faults
import pytest
from check_axe import THEMES, WIDTHS_PX
from conftest import SHOTS, SITE
from playwright.sync_api import expect

# Every page but the front door, which only leads to docs/index.html.
PAGES = sorted(
    path.relative_to(SITE).as_posix() for path in SITE.rglob("*.html") if path != SITE / "index.html"
)
CHAPTERS = [page for page in PAGES if page.startswith("notebooks/")]


def short(page):
    """Return a chapter's number, or the path of another page without its folder of all."""
    name = page.removesuffix(".html")
    return name[10:12] if page in CHAPTERS else name.removeprefix("docs/").replace("/", "-")


@pytest.mark.parametrize("name", PAGES, ids=short)
@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("width", WIDTHS_PX)
def test_a_page_is_whole_and_works_by_keyboard_alone(static_page, name, width, theme):
    watched = static_page(name, width=width, theme=theme)
    page = watched.page
    page.screenshot(path=SHOTS / f"{short(name)}-{width}-{theme}.png", full_page=True)
    looks = [faults.at_rest(page, width), faults.of_keyboard(page)]
    looks += [faults.of_sliders(page), faults.of_folded_answers(page)]
    found = [fault for look in looks for fault in look]
    assert found + watched.faults() == [], "\n".join(found)


@pytest.mark.parametrize("name", CHAPTERS, ids=short)
def test_every_state_of_every_explorer_has_its_picture_and_its_sentence(static_page, name):
    watched = static_page(name)
    assert watched.page.locator(".osf-explorer").count() > 0
    assert [*faults.of_states(watched.page), *watched.faults()] == []


@pytest.mark.parametrize("name", PAGES, ids=short)
def test_without_scripts_a_page_reads_to_its_end_with_its_figures(static_page, name):
    page = static_page(name, scripts=False).page
    found = [*faults.at_rest(page, 1280), *faults.of_unseen(page)]
    assert not found, "\n".join(found)


def test_a_reader_finds_every_chapter_and_comes_back_to_the_front_page(static_page):
    assert CHAPTERS, "the site is not built; run: make html"
    watched = static_page("index.html")
    watched.page.wait_for_url("**/docs/index.html")
    for name in CHAPTERS:
        watched.page.locator(f'.sidebar-tree a[href$="{name}"]').first.wait_for()
    watched.page.locator(".related-pages a.next-page").first.click()
    watched.page.wait_for_url(f"**/{CHAPTERS[0]}")
    watched.page.locator(".related-pages a.prev-page").first.click()
    watched.page.wait_for_url("**/docs/index.html")
    assert watched.faults() == []


def test_the_search_finds_a_term_from_the_files_alone(static_page):
    watched = static_page("docs/index.html")
    search = watched.page.locator("input[name=q]").first
    search.fill("idempotency")
    search.press("Enter")
    watched.page.wait_for_url("**/search.html*")
    watched.page.locator("#search-results li a").first.click()
    watched.page.wait_for_url(lambda url: "search.html" not in url)
    expect(watched.page.locator("article")).to_contain_text(re.compile("idempotency", re.IGNORECASE))
    assert watched.faults() == []


def test_the_reader_may_choose_the_other_theme(static_page):
    page = static_page("docs/index.html").page
    ground = "getComputedStyle(document.body).backgroundColor"
    seen = set()
    for _ in range(3):  # as the system has it, light, dark
        page.locator(".theme-toggle:visible").first.press("Enter")
        seen.add(page.evaluate(ground))
    assert len(seen) == 2
