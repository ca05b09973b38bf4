"""Planted faults: each one of them, in a small page that is whole without it, is found."""

import re
import shutil
import subprocess
import sys

import check_axe
import faults
import pytest
from conftest import ROOT

from osfhelpers.drawing.rendering import rows_html
from osfhelpers.engine.parameters import Slider
from osfhelpers.teaching.explorers import Explorer, Scene
from osfhelpers.teaching.static import static_html

WIDTH_PX = 1280
PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A small page</title>
<style>:root {{ --color-brand-content: #00614a }}</style><link rel="stylesheet" href="osf.css">
<script>const DOCUMENTATION_OPTIONS = {{}};</script>
<script defer src="osf.js"></script></head><body><article><h1 id="top">A small page</h1>
{explorer}
<p>Back to the <a href="#top">top</a>.</p>
<details><summary>Hint</summary><p>Count the tabs.</p></details>
</article></body></html>"""

# No slider is heard by the explorer that it belongs to.
DEAF = "<article><script>addEventListener('input', event => event.stopPropagation(), true)</script>"


def explorer(*, broken_sentence=False, fixed_table=False):
    """Return an explorer of two sliders with two values each as HTML."""

    def scene(state):
        words = f"A line that rises to {state['a']} on {state['b']}, and nothing else"
        return Scene(
            lambda axes: axes.plot([0, state["a"]], [0, len(state["b"])]),
            "" if broken_sentence and state == {"a": 1, "b": "three"} else words,
            rows_html(("a", "b"), [("1", "one")] if fixed_table else [(str(state["a"]), state["b"])]),
        )

    sliders = (Slider("a", "height", (1, 2)), Slider("b", "place", ("one", "three")))
    return static_html(Explorer("a small one", sliders, {"a": 2, "b": "one"}, scene, height_px=120))


@pytest.fixture
def found(static_page, tmp_path):
    """Return a function that writes a page, visits it, and returns its faults."""
    for name in ("osf.css", "osf.js"):
        shutil.copy(ROOT / "docs" / "_static" / name, tmp_path)

    def visit(html, *, scripts=True):
        (tmp_path / "page.html").write_text(html, encoding="utf-8")
        watched = static_page("page.html", folder=tmp_path, scripts=scripts)
        looks = [faults.at_rest(watched.page, WIDTH_PX)]
        if scripts:
            watched.page.evaluate("window.patience_ms = 1000")
            looks += [check_axe.faults(watched.page), faults.of_keyboard(watched.page)]
            looks += [faults.of_sliders(watched.page), faults.of_states(watched.page)]
            looks += [faults.of_folded_answers(watched.page)]
        else:
            looks += [faults.of_unseen(watched.page)]
        return "\n".join([*(fault for look in looks for fault in look), *watched.faults()])

    return visit


@pytest.fixture(scope="module")
def whole():
    return PAGE.format(explorer=explorer())


@pytest.mark.parametrize("scripts", [True, False])
def test_the_small_page_is_whole(found, whole, scripts):
    assert found(whole, scripts=scripts) == ""


@pytest.mark.parametrize(
    ("instead_of", "planted", "fault"),
    [
        ('href="#top"', 'href="nowhere.html"', "dead link"),
        ('href="#top"', 'href="#nowhere"', "dead anchor"),
        (' alt="', ' data-was="', "no real alternative text"),
        (' alt="', ' data-was="', "axe: image-alt"),
        ("<p>Back", '<p style="color: #aaa">Back', "axe: color-contrast"),
        ("<p>Back", '<img src="gone.png" alt="A picture of what is not there any more">', "is not shown"),
        ("<p>Back", '<img src="https://example.org/a.png" alt="">', "outside: https://example.org/a.png"),
        ("<p>Back", "<script>throw Error('planted')</script>", "console: planted"),
        ("<p>Back", '<div style="width: 3000px">wide</div>', "px wide on a screen of 1280"),
        ("<p>Back", f'<div class="osf-table"><table><tr><td>{"wide" * 400}</table></div>', "cut: "),
        ("<p>Back", "<style>a:focus { outline: none !important }</style>", "no focus is seen on a"),
        ("<summary", '<summary tabindex="-1"', "Tab does not reach summary"),
        ("<summary>", '<summary onclick="event.preventDefault()">', "Enter does not unfold"),
        ('<input type="range"', '<input type="range" tabindex="-1"', "Tab does not reach input"),
        ("<article>", DEAF, "does not change the picture"),
        ('class="osf-back"', 'class="osf-back" disabled', "does not answer its button"),
    ],
    ids=lambda value: value[:24],
)
def test_a_planted_fault_is_found(found, whole, instead_of, planted, fault):
    assert instead_of in whole
    assert fault in found(whole.replace(instead_of, planted, 1))


def test_a_violation_that_axe_finds_fails_the_build_of_the_site(tmp_path):
    (tmp_path / "page.html").write_text(
        PAGE.format(explorer='<p style="color: #aaa">pale</p>'), encoding="utf-8"
    )
    check = [sys.executable, ROOT / "tools" / "check_axe.py", tmp_path]
    done = subprocess.run(check, capture_output=True, text=True)
    assert done.returncode == 1
    for variant in ("1280 px, light", "1280 px, dark", "390 px, light", "390 px, dark"):
        assert f"page.html, {variant}: axe: color-contrast" in done.stderr


def test_a_site_without_a_page_is_not_called_whole(tmp_path):
    for tool in ("check_axe.py", "check_site.py"):
        check = [sys.executable, ROOT / "tools" / tool, tmp_path]
        done = subprocess.run(check, capture_output=True, text=True)
        assert done.returncode == 1
        assert f"no page in {tmp_path}; build the site: make site" in done.stderr


def test_a_state_without_a_sentence_is_found(found):
    assert "state 1 has no sentence" in found(PAGE.format(explorer=explorer(broken_sentence=True)))


def test_a_table_that_stays_behind_is_found(found):
    assert "does not change the table" in found(PAGE.format(explorer=explorer(fixed_table=True)))


def test_frames_that_cannot_be_unpacked_are_found(found, whole):
    assert "does not answer its button" in found(re.sub(r'("frames": ".{40}).*?"', r'\1"', whole, count=1))


def test_words_that_only_a_script_would_show_are_found(found, whole):
    assert "is not seen: 'Back to the top.'" in found(
        whole.replace("<p>Back", "<p hidden>Back"), scripts=False
    )
