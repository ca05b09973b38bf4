"""Every chapter runs alone and offline, and what is committed is what it prints."""

import ast
import itertools
import json
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbclient.exceptions import CellExecutionError

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools"))

import refresh  # noqa: E402

import notebooks  # noqa: E402 - the tools lie outside the package

CHAPTERS = notebooks.chapters()
MOST_BYTES = 300_000
MOST_WORDS = 1_200
MOST_MINUTES = 15
# Characters of a line of code that a page shows on a screen of 1280 px.
LINE = 83
MOST_LINES = 8
OWN_LINES = 12


def cells(path, kind):
    return [cell for cell in notebooks.read(path).cells if cell.cell_type == kind]


@pytest.fixture(params=CHAPTERS, ids=lambda path: path.name[:2])
def path(request):
    return request.param


def test_there_are_chapters():
    assert CHAPTERS


def test_the_stored_outputs_are_not_stale(path):
    assert notebooks.stale(path) == [], "run: make notebooks"


def test_a_chapter_runs_alone_and_offline_from_an_empty_directory_and_prints_what_is_stored(path):
    fresh = notebooks.execute(path)
    assert list(notebooks.differences(notebooks.read(path), fresh)) == [], "run: make notebooks"


def faults_of_outputs(text):
    """Return what a reader without scripts and widgets would miss in a stored chapter."""
    notebook, faults = json.loads(text), []
    if len(text.encode()) > MOST_BYTES:
        faults.append(f"{len(text.encode())} bytes")
    if "widgets" in notebook["metadata"]:
        faults.append("widget state")
    for cell in notebook["cells"]:
        for output in cell.get("outputs", []):
            data = json.dumps(output.get("data", {}))
            faults += [word for word in ("<script", "model_id", "widget-view", "osf-knobs") if word in data]
            if output["output_type"] == "error" or output.get("name") == "stderr":
                faults.append("an error or a warning")
            picture = output.get("metadata", {}).get("image/png", {})
            if "image/png" in output.get("data", {}) and len(picture.get("alt", "")) <= 30:
                faults.append("a picture without alternative text")
    return faults


def test_nothing_in_a_stored_chapter_needs_scripts_or_widgets(path):
    assert faults_of_outputs(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("output", "fault"),
    [
        ({"output_type": "display_data", "data": {"text/html": "<script>1</script>"}}, "<script"),
        ({"output_type": "display_data", "data": {"application/x": {"model_id": "7"}}}, "model_id"),
        ({"output_type": "stream", "name": "stderr", "text": "!"}, "an error or a warning"),
        ({"output_type": "display_data", "data": {"image/png": "i"}}, "a picture without alternative text"),
    ],
)
def test_a_fault_planted_in_stored_outputs_is_found(output, fault):
    notebook = json.loads(CHAPTERS[0].read_text(encoding="utf-8"))
    next(cell for cell in notebook["cells"] if cell["cell_type"] == "code")["outputs"].append(output)
    assert faults_of_outputs(json.dumps(notebook, indent=1)) == [fault]


def test_code_cells_are_short_and_define_nothing_but_the_readers_own_functions(path):
    for cell in cells(path, "code"):
        tree = ast.parse(cell.source)
        defined = [node for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)]
        lines = [line for line in cell.source.splitlines() if line.strip()]
        assert len(lines) <= (OWN_LINES if defined else MOST_LINES), cell.source
        for node in defined:
            assert isinstance(node, ast.FunctionDef)
            assert "..." in cell.source, f"{node.name} is not left to the reader"
            assert "exercise(" in cell.source
        for forbidden in ("sys.path", "%run", "import *", "!pip", "%pip"):
            assert forbidden not in cell.source
        assert max(map(len, cell.source.splitlines())) <= LINE, cell.source


def test_no_line_of_a_shown_function_runs_off_the_page(path):
    outputs = [output.get("data", {}) for cell in cells(path, "code") for output in cell.outputs]
    shown = [data["text/markdown"] for data in outputs if "text/markdown" in data]
    lines = [line for text in shown if text.startswith("```python") for line in text.splitlines()]
    assert [line for line in lines if len(line) > LINE] == []


def test_a_chapter_is_short_and_has_its_parts(path):
    prose = "\n\n".join(cell.source for cell in cells(path, "markdown"))
    code = "\n".join(cell.source for cell in cells(path, "code"))
    assert len(prose.split()) <= MOST_WORDS
    assert refresh.minutes(notebooks.read(path).cells) <= MOST_MINUTES
    number = path.name[:2]
    assert prose.startswith(f"# {number} · ")
    assert [line for line in prose.splitlines() if line.startswith("# ")] == [prose.splitlines()[0]]
    assert code.count("explore(") <= 2
    assert code.count("watch(") <= 2  # the import, and one stepper
    if number == "00":
        return
    for call in (
        f'guess("{number}")',
        f'exercise("{number}.1").check(',
        f'exercise("{number}.3")',
        "ledger(",
    ):
        assert call in code
    for part in ("Sources", "take to your own"):
        assert part in prose
    for exercise in (1, 2, 3):
        assert f"{number}.{exercise}" in prose, "each goal names the exercise that proves it"


def test_headings_step_down_one_level_at_a_time(path):
    prose = "\n".join(cell.source for cell in cells(path, "markdown"))
    levels = [len(marks) for marks in re.findall(r"^(#+) ", prose, re.MULTILINE)]
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in itertools.pairwise(levels))


def planted(path, tmp_path, change):
    """Return the reasons why a changed copy of a chapter counts as stale."""
    notebook = notebooks.read(path)
    change(notebook)
    copy = tmp_path / path.name
    nbformat.write(notebook, copy)
    return notebooks.stale(copy)


def test_a_planted_stale_output_is_found(tmp_path):
    path = CHAPTERS[-1]

    def edit_a_cell(notebook):
        notebook.cells[0].source += " More."

    def change_a_module(notebook):
        files = notebook.metadata[notebooks.STAMP]["files"]
        files[next(name for name in files if name.startswith("osfhelpers/"))] = "0" * 16

    def never_ran(notebook):
        del notebook.metadata[notebooks.STAMP]

    assert planted(path, tmp_path, lambda notebook: None) == []
    assert planted(path, tmp_path, edit_a_cell) == ["its own cells have changed"]
    assert "has changed" in planted(path, tmp_path, change_a_module)[0]
    assert "never run" in planted(path, tmp_path, never_ran)[0]


def test_a_planted_difference_in_a_stored_table_is_found():
    stored = notebooks.read(CHAPTERS[0])
    changed = notebooks.read(CHAPTERS[0])
    cell = next(c for c in changed.cells if c.cell_type == "code" and c.outputs)
    cell.outputs[0].setdefault("data", {})["text/html"] = "another table"
    assert list(notebooks.differences(stored, stored)) == []
    assert len(list(notebooks.differences(changed, stored))) == 1


def test_the_stamp_names_the_modules_and_the_data_that_a_chapter_rests_on(path):
    files = notebooks.read(path).metadata[notebooks.STAMP]["files"]
    assert "osfhelpers/drawing/rendering.py" in files
    assert any(name.startswith("data/") for name in files)


def test_what_is_generated_is_up_to_date():
    found = subprocess.run(
        [sys.executable, "tools/refresh.py", "--check"], cwd=ROOT, capture_output=True, text=True
    )
    assert found.returncode == 0, found.stdout + found.stderr


def test_a_chapter_that_looks_for_the_network_is_stopped(tmp_path):
    notebook = notebooks.read(CHAPTERS[0])
    source = "import socket\nsocket.create_connection(('example.org', 443), timeout=1)"
    notebook.cells = [nbformat.v4.new_code_cell(source)]
    nbformat.write(notebook, tmp_path / "online.ipynb")
    with pytest.raises(CellExecutionError, match=r"looked for .example\.org"):
        notebooks.execute(tmp_path / "online.ipynb")
