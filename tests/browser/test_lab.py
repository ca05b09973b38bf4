"""Every chapter in a real JupyterLab: run all, use everything by keyboard, see no error."""

import ast
import json

import nbformat
import pytest
from bs4 import BeautifulSoup
from conftest import CHAPTERS, SHOTS, notebook, run_all
from playwright.sync_api import expect

from osfhelpers.teaching.exercises import chapter

# What no output may show.
LOUD = (
    "[data-mime-type='application/vnd.jupyter.stderr']",
    "[data-mime-type='application/vnd.jupyter.error']",
    "[role=alert] >> text=Traceback",
)
CELLS = ":is(th, td, caption)"
# Labels, and values beside sliders, that do not fit into their places.
CUT = """all => [...all.querySelectorAll('.widget-label, .widget-readout')].filter(words =>
  words.scrollWidth > words.clientWidth + 1 || words.scrollHeight > words.clientHeight + 1
).map(words => words.textContent)"""
PATIENCE_MS = 15_000


def explorers(path):
    """Return the explorers of a chapter in their order, made here by the package itself."""
    found, names = [], {}
    for cell in nbformat.read(path, as_version=4).cells:
        tree = ast.parse(cell.source if cell.cell_type == "code" else "")
        last = tree.body[-1] if tree.body else None
        call = last.value if isinstance(last, ast.Expr) and isinstance(last.value, ast.Call) else None
        made = call is not None and getattr(call.func, "id", "") in ("explore", "watch")
        needed = (
            tree.body[:-1] if made else [n for n in tree.body if isinstance(n, ast.Import | ast.ImportFrom)]
        )
        exec(compile(ast.Module(needed, []), path.name, "exec"), names)
        if made:
            found.append(eval(compile(ast.Expression(call), path.name, "eval"), names))
    return found


def shows(place, explorer, state):
    """Hold an explorer in the browser to what the package says of a state."""
    scene = explorer.scene(state)
    expect(place.locator(".osf-say")).to_have_text(scene.sentence, timeout=PATIENCE_MS)
    table = BeautifulSoup(scene.table_html, "html.parser").select(CELLS)
    # Waited for as well: a sentence can be the same in two states whose tables differ.
    shown = place.locator(f".osf-table {CELLS}")
    expect(shown).to_have_text([cell.text for cell in table], timeout=PATIENCE_MS)


def move_every_slider(place, explorer):
    """Move each slider to its far end and back by keyboard; picture, sentence and table follow."""
    picture = place.locator("img")
    shows(place, explorer, explorer.start)
    for knob, slider in zip(place.locator("[role=slider]").all(), explorer.sliders, strict=True):
        end = slider.values[0] if explorer.start[slider.field] != slider.values[0] else slider.values[-1]
        before = picture.get_attribute("src")
        knob.press("Home" if end == slider.values[0] else "End")
        shows(place, explorer, {**explorer.start, slider.field: end})
        expect(picture).not_to_have_attribute("src", before)
        assert place.evaluate(CUT) == []
        place.locator("button").first.press("Enter")
        shows(place, explorer, explorer.start)


def guess_first(page, number, folder):
    """Choose the first answer of the guess: it is revealed, and kept for the last chapter."""
    guess = chapter(number).GUESS
    page.locator(".widget-toggle-buttons").first.locator("button").first.press("Enter")
    expect(page.get_by_text(guess.reveal(guess.options[0]))).to_be_visible(timeout=PATIENCE_MS)
    kept = json.loads((folder / "guesses.json").read_text(encoding="utf-8"))
    assert kept[number] == guess.options[0]


def unfold_everything(page):
    """Open each hint and each solution by keyboard."""
    for folded in page.locator(".osf-exercise details").all():
        folded.locator("summary").press("Space")
        assert folded.evaluate("folded => folded.open"), folded.text_content()


def type_into_boxes(page):
    """Type into the boxes of a chapter that has some, and see them judge."""
    for payload in page.locator(".osf-payload").all():
        payload.locator("textarea").fill("{")
        expect(payload).to_contain_text("no judge is asked", timeout=PATIENCE_MS)
    for urls in page.locator(".osf-urls").all():
        first, second = urls.locator("input").all()
        second.fill(first.input_value())
        expect(urls).to_contain_text("One page by all seven steps", timeout=PATIENCE_MS)
    for paths in page.locator(".osf-paths").all():
        paths.locator("textarea").fill("src/App.tsx\n../App.tsx")
        expect(paths).to_contain_text("the server rules call 1 safe", timeout=PATIENCE_MS)


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.name[:2])
def test_a_chapter_works_by_keyboard_and_says_what_the_package_says(lab, lab_page, path):
    watched, number = lab_page(path), path.name[:2]
    page = watched.page
    run_all(watched)
    for place, explorer in zip(page.locator(".osf-explorer").all(), explorers(path), strict=True):
        move_every_slider(place, explorer)
    guess_first(page, number, lab.notebooks)
    unfold_everything(page)
    type_into_boxes(page)
    SHOTS.mkdir(exist_ok=True)
    page.screenshot(path=SHOTS / f"{number}-lab.png")
    unanswered = path.read_text(encoding="utf-8").count(").check(")
    assert (
        page.locator(".osf-verdict").all_text_contents()
        == ["not attempted yet: replace the ... by your answer and run the cell again"] * unanswered
    )
    assert [found for loud in LOUD for found in page.locator(loud).all_text_contents()] == []
    assert watched.faults() == []


def test_an_answer_is_judged_when_its_cell_is_run_again(lab_page, tmp_path):
    watched = lab_page(notebook(tmp_path, "answer.ipynb", ANSWER))
    page = watched.page
    right = chapter("04").EXERCISES[0].answer
    for answer, verdict in (("...", "not attempted yet"), (right + 1, "not right yet"), (right, "right")):
        page.locator(".jp-CodeCell .cm-content").first.click()
        page.keyboard.press("Control+a")
        page.keyboard.insert_text(ANSWER.replace("...", str(answer)))
        page.keyboard.press("Control+Enter")
        expect(page.locator(".osf-verdict strong")).to_have_text(verdict, timeout=PATIENCE_MS)


def test_a_planted_exception_in_a_callback_is_seen_by_the_reader(lab_page, tmp_path):
    watched = lab_page(notebook(tmp_path, "broken.ipynb", BROKEN))
    run_all(watched)
    assert watched.page.get_by_text("TypeError").count() > 0


ANSWER = 'from osfhelpers import exercise\nexercise("04.1").check(...)'
BROKEN = """
from osfhelpers import explore
from osfhelpers.experiments import retries
explorer = explore(retries)
explorer.scene = None
explorer
"""
