"""The built site, opened from its files with the network blocked: what would a reader miss?"""

import faults
import pytest
from conftest import SHOTS, SITE

# Every page but the front door, which only leads to docs/index.html.
PAGES = sorted(
    path.relative_to(SITE).as_posix() for path in SITE.rglob("*.html") if path != SITE / "index.html"
)
CHAPTERS = [page for page in PAGES if page.startswith("notebooks/")]
THEMES = ("light", "dark")


def short(page):
    """Return a chapter's number, or the path of another page without its folder of all."""
    name = page.removesuffix(".html")
    return name[10:12] if page in CHAPTERS else name.removeprefix("docs/").replace("/", "-")


def open_and_store(static_page, name, width):
    """Open a page, store a picture of it in both themes, and leave it in the light one."""
    watched = static_page(name, width=width)
    for theme in reversed(THEMES):
        watched.page.emulate_media(color_scheme=theme)
        watched.page.screenshot(path=SHOTS / f"{short(name)}-{width}-{theme}.png", full_page=True)
    return watched


@pytest.mark.parametrize("name", PAGES, ids=short)
def test_a_page_is_whole_in_both_themes_and_by_keyboard_alone(static_page, name):
    watched = open_and_store(static_page, name, 1280)
    page = watched.page
    looks = [
        faults.at_rest(page, 1280),
        faults.by_axe(page),
        faults.of_keyboard(page),
        faults.of_sliders(page),
    ]
    looks += [faults.of_states(page), faults.of_folded_answers(page)]
    found = [fault for look in looks for fault in look]
    page.emulate_media(color_scheme="dark")
    found += [f"dark: {fault}" for look in (faults.by_axe(page), faults.of_focus(page)) for fault in look]
    assert found + watched.faults() == [], "\n".join(found)


@pytest.mark.parametrize("name", PAGES, ids=short)
def test_a_page_is_whole_on_a_phone(static_page, name):
    watched = open_and_store(static_page, name, 390)
    page = watched.page
    looks = [faults.at_rest(page, 390), faults.by_axe(page, colours=False), faults.of_focus(page)]
    found = [fault for look in looks for fault in look]
    page.emulate_media(color_scheme="dark")
    found += [f"dark: {fault}" for look in (faults.of_focus(page), faults.of_sliders(page)) for fault in look]
    assert found + watched.faults() == [], "\n".join(found)


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
    found = watched.page.locator("#search-results li a").first
    found.wait_for(timeout=10_000)
    found.click()
    assert "dempotency" in watched.page.locator("article").text_content()
    assert watched.faults() == []


def test_the_reader_may_choose_the_other_theme(static_page):
    page = static_page("docs/index.html").page
    ground = "getComputedStyle(document.body).backgroundColor"
    seen = set()
    for _ in range(3):  # as the system has it, light, dark
        page.locator(".theme-toggle:visible").first.press("Enter")
        seen.add(page.evaluate(ground))
    assert len(seen) == 2
