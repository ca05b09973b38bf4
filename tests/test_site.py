"""The check of the built site finds each fault that is planted, and nothing in a page without one."""

import base64
import json
import re
import sys
import zlib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools"))

import check_site  # noqa: E402 - the tools lie outside the package
import house_picture  # noqa: E402
import run_times  # noqa: E402


def packed(content):
    return base64.b64encode(zlib.compress(content)).decode()


WORDS = [["Nothing is lost.", ""], ["One tab in three is extra.", ""]]
STORED = {
    "width": 4,
    "height": 2,
    "frames": packed(bytes(2 * 4 * 2 // 2)),
    "words": packed(json.dumps(WORDS).encode()),
}
PAGE = f"""<!doctype html><html lang="en"><head><link rel="stylesheet" href="style.css"></head><body><article>
<h1>Retries</h1><h2 id="count">Count it</h2><h3>Again</h3>
<p><a href="other.html#there">there</a> <a href="#count">here</a> <a href="https://example.org">outside</a></p>
<img src="picture.png" alt="Bars: a retry under a new key leaves 43 extra tabs in 100">
<section class="osf-explorer" aria-label="Retries">
<input data-count="2" data-start="1"><p class="osf-say">One tab in three is extra.</p>
<script type="application/json">{json.dumps(STORED)}</script></section>
</article></body></html>"""


@pytest.fixture
def site(tmp_path):
    """Return a function that writes a site of two pages, the first with this content."""
    (tmp_path / "other.html").write_text('<article><h1 id="there">There</h1></article>')
    (tmp_path / "style.css").write_text("p { color: black }")
    (tmp_path / "picture.png").write_bytes(b"")

    def write(content):
        (tmp_path / "page.html").write_text(content)
        return tmp_path

    return write


def test_a_page_without_a_fault_passes(site):
    assert check_site.faults(site(PAGE)) == []


NEW_WORDS = packed(json.dumps([["Nothing is lost.", ""], ["", ""]]).encode())


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("other.html#there", "nowhere.html", "nowhere.html leads nowhere"),
        ("other.html#there", "other.html#gone", "other.html#gone names no place on its page"),
        ('"#count"', '"#counted"', "#counted names no place on its page"),
        ("picture.png", "gone.png", "gone.png leads nowhere"),
        (' alt="Bars: a retry under a new key leaves 43 extra tabs in 100"', "", "alternative text ''"),
        ("Bars: a retry under a new key leaves 43 extra tabs in 100", "image", "alternative text 'image'"),
        (
            "<head>",
            '<head><script src="https://example.org/a.js"></script>',
            "asks for https://example.org/a.js",
        ),
        ('href="style.css"', 'href="//example.org/a.css"', "asks for //example.org/a.css"),
        (
            "<h1>",
            '<h1 style="background: url(https://example.org/a.png)">',
            "asks for https://example.org/a.png",
        ),
        ("<h1>Retries</h1>", "", "has 0 headings of level 1"),
        ("<h3>Again</h3>", "<h4>Again</h4>", "the heading 'Again' leaves out a level"),
        ('data-count="2"', 'data-count="3"', "has 2 sentences and 8 bytes of pictures for 3 states"),
        ('data-start="1"', 'data-start="0"', "shows another sentence than that of its start"),
        (STORED["frames"], STORED["frames"][:-4], "cannot be unpacked"),
        (STORED["words"], NEW_WORDS, "has a state without a sentence"),
    ],
)
def test_a_planted_fault_is_found(site, old, new, fault):
    assert old in PAGE
    found = check_site.faults(site(PAGE.replace(old, new)))
    assert any(fault in line and line.startswith("page.html: ") for line in found), found


def test_a_style_sheet_that_asks_for_a_font_outside_is_found(site):
    folder = site(PAGE)
    (folder / "style.css").write_text("@font-face { src: url('https://example.org/f.woff') }")
    assert check_site.faults(folder) == ["style.css: asks for https://example.org/f.woff"]


def test_a_page_that_is_too_large_is_found(site):
    found = check_site.faults(site(PAGE + " " * check_site.MOST_BYTES))
    assert re.fullmatch(r"page.html: has [\d,]+ bytes", found[0])


def test_the_run_times_are_those_of_the_chapters_as_they_are():
    assert run_times.stale(run_times.measured(), run_times.stamps()) == [], "run: make bench"


def test_a_stale_measurement_is_found():
    results = {"chapters": {"04_retries": {"cells": "a"}, "99_gone": {"cells": "b"}}}
    assert run_times.stale(results, {"04_retries": "c", "05_new": "d"}) == [
        "05_new is not measured",
        "99_gone is measured, and is no chapter",
        "04_retries has changed since it was measured",
    ]
    assert run_times.stale(results, {"04_retries": "a", "99_gone": "b"}) == []


def names_in(drawn):
    """Return the names that the picture of the house shows."""
    return re.findall(r"[\w/]+", " ".join(re.findall(r'class="name"[^>]*>([^<]*)', drawn)))


def test_the_picture_of_the_house_shows_every_row_of_its_table():
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    listed = [name for _, names, _ in house_picture.rows(page) for name in names]
    assert names_in(house_picture.svg(page)) == listed
    assert "another/" in names_in(house_picture.svg(page.replace("`engine/`", "`another/`")))
