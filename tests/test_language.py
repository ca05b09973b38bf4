"""One English, British, without typing errors, in chapters, pages and messages."""

import re
import subprocess
import sys
import tokenize
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).resolve().parent.parent
AMERICAN = re.compile(
    r"\b(\w*(?:colored|favor|labor)\w*|behaviors?|centers?|centered|colors?|honors?|judgment|catalog|"
    r"gray|defense|fulfill|license[ds]? (?:it|them)|modeled|modeling|labeled|labeling|canceled|traveled|"
    r"(?:normal|real|organ|recogn|optim|minim|maxim|serial|initial|general|summar|random|util|visual|"
    r"categor|special|central|standard|emphas|critic|apolog|canonical)iz(?:e|es|ed|er|ers|ing|ation|ations)|"
    r"(?:analy|paraly)z(?:e|es|ed|er|ing))\b",
    re.IGNORECASE,
)


def prose() -> dict[str, str]:
    """Return the prose of the project by file: chapters, pages, and the text of the modules."""
    found = {}
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        cells = nbformat.read(path, as_version=4).cells
        found[path.name] = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    for path in [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), ROOT / "data" / "README.md"]:
        found[path.relative_to(ROOT).as_posix()] = path.read_text(encoding="utf-8")
    return found


@pytest.mark.parametrize("name", prose())
def test_prose_is_british(name):
    text = re.sub(r"`[^`]*`|\]\([^)]*\)|```.*?```", " ", prose()[name], flags=re.DOTALL)
    assert [match.group() for match in AMERICAN.finditer(text)] == []


def docstrings_and_comments(path):
    """Return what a module says in words: its docstrings and comments, without code in backquotes."""
    with path.open("rb") as file:
        tokens = list(tokenize.tokenize(file.readline))
    quoted = ('"""', 'r"""')
    said = [
        token.string
        for token in tokens
        if token.type == tokenize.COMMENT
        or (token.type == tokenize.STRING and token.string.startswith(quoted))
    ]
    return re.sub(r"`[^`]*`", " ", "\n".join(said))


def test_docstrings_and_comments_of_the_package_are_british():
    for path in sorted((ROOT / "osfhelpers").rglob("*.py")):
        found = [match.group() for match in AMERICAN.finditer(docstrings_and_comments(path))]
        assert found == [], path.name


def test_no_word_of_the_prose_is_misspelt(tmp_path):
    for name, text in prose().items():
        (tmp_path / name.replace("/", "-")).with_suffix(".md").write_text(text, encoding="utf-8")
    ignored = "--ignore-words-list=caf,titel,bulets,visibilty"
    found = subprocess.run(
        [sys.executable, "-m", "codespell_lib", ignored, str(tmp_path)], capture_output=True, text=True
    )
    assert found.stdout == ""


def test_the_project_names_no_folder_of_a_machine():
    for name, text in prose().items():
        assert not re.search(r"/(?:root|tmp)/|/home/\w+/", text), name
