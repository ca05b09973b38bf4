"""Every chapter in a real JupyterLab: run all, use everything by keyboard, see no error."""

import ast
import json

import nbformat
import pytest
from bs4 import BeautifulSoup
from conftest import CHAPTERS, SHOTS, notebook, run_all
from playwright.sync_api import expect

from osfhelpers.teaching.exercises import chapter

# What no output may show. JupyterLab draws warnings and errors of a cell as one kind.
LOUD = ("[data-mime-type='application/vnd.jupyter.stderr']", "[role=alert] >> text=Traceback")
CELLS = ":is(th, td, caption)"
# Labels, and values beside sliders, that do not fit into their places.
CUT = """all => [...all.querySelectorAll('.widget-label, .widget-readout')].filter(words =>
  words.scrollWidth > words.clientWidth + 1 || words.scrollHeight > words.clientHeight + 1
).map(words => words.textContent)"""


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
    expect(place.locator(".osf-say")).to_have_text(scene.sentence)
    table = BeautifulSoup(scene.table_html, "html.parser").select(CELLS)
    # Waited for as well: a sentence can be the same in two states whose tables differ.
    shown = place.locator(f".osf-table {CELLS}")
    expect(shown).to_have_text([cell.text for cell in table])


def each(found, number):
    """Return the elements that a locator finds, once there are so many: widgets come one by one."""
    expect(found).to_have_count(number)
    return found.all()


def move_every_slider(place, explorer):
    """Move each slider to its far end and back by keyboard; picture, sentence and table follow."""
    picture = place.locator("img")
    shows(place, explorer, explorer.start)
    knobs = each(place.locator("[role=slider]"), len(explorer.sliders))
    for knob, slider in zip(knobs, explorer.sliders, strict=True):
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
    expect(page.get_by_text(guess.reveal(guess.options[0]))).to_be_visible()
    kept = json.loads((folder / "guesses.json").read_text(encoding="utf-8"))
    assert kept[number] == guess.options[0]


def unfold_everything(page, number):
    """Open each hint and each solution by keyboard."""
    answers = sum(len(exercise.hints) + 1 for exercise in chapter(number).EXERCISES)
    for folded in each(page.locator(".osf-exercise details"), answers):
        folded.locator("summary").press("Space")
        assert folded.evaluate("folded => folded.open"), folded.text_content()


def type_into_boxes(page, number):
    """Type into the box of a chapter that has one, and see it judge."""
    for payload in each(page.locator(".osf-payload"), int(number == "01")):
        payload.locator("textarea").fill("{")
        expect(payload).to_contain_text("no judge is asked")
    for urls in each(page.locator(".osf-urls"), int(number == "05")):
        first, second = each(urls.locator("input"), 2)
        second.fill(first.input_value())
        expect(urls).to_contain_text("One page by all seven steps")
    for paths in each(page.locator(".osf-paths"), int(number == "07")):
        paths.locator("textarea").fill("src/App.tsx\n../App.tsx")
        expect(paths).to_contain_text("the server rules call 1 safe")


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.name[:2])
def test_a_chapter_works_by_keyboard_and_says_what_the_package_says(lab, lab_page, path):
    watched, number = lab_page(path), path.name[:2]
    page = watched.page
    run_all(watched)
    made = explorers(path)
    assert made
    for place, explorer in zip(each(page.locator(".osf-explorer"), len(made)), made, strict=True):
        move_every_slider(place, explorer)
    guess_first(page, number, lab.notebooks)
    unfold_everything(page, number)
    type_into_boxes(page, number)
    SHOTS.mkdir(exist_ok=True)
    page.screenshot(path=SHOTS / f"{number}-lab.png")
    unanswered = path.read_text(encoding="utf-8").count(").check(")
    words = "not attempted yet: replace the ... by your answer and run the cell again"
    expect(page.locator(".osf-verdict")).to_have_text([words] * unanswered)
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
        expect(page.locator(".osf-verdict strong")).to_have_text(verdict)


def test_a_warning_and_an_error_of_a_cell_or_of_a_slider_are_found(lab_page, tmp_path):
    page = lab_page(notebook(tmp_path, "broken.ipynb", BROKEN)).page
    page.locator(".jp-CodeCell").first.click()
    page.keyboard.press("Control+Enter")
    page.locator("[role=slider]").first.press("End")
    for loud, planted in zip(LOUD, (["a warning", "an error"], ["an error"]), strict=True):
        expect(page.locator(loud)).to_contain_text(planted)


ANSWER = 'from osfhelpers import exercise\nexercise("04.1").check(...)'
BROKEN = """
import sys
from osfhelpers import explore
from osfhelpers.experiments import retries
def broken(state):
    raise ValueError("an error")
explorer = explore(retries)
display(explorer)
explorer.scene = broken
print("a warning", file=sys.stderr)
broken(None)
"""
