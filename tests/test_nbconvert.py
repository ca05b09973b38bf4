"""A chapter exported alone by `jupyter nbconvert --to html` shows all that is stored in it."""

from pathlib import Path

import nbformat
import pytest
from bs4 import BeautifulSoup
from nbconvert import HTMLExporter

CHAPTERS = sorted((Path(__file__).resolve().parent.parent / "notebooks").glob("*.ipynb"))
WIDGET = "application/vnd.jupyter.widget-view+json"


def exported(notebook):
    """Return a notebook as the command would write it."""
    return HTMLExporter().from_notebook_node(notebook)[0]


def missing(notebook, html):
    """Return what is stored in a notebook and would not be seen on its page without scripts."""
    page, missed = BeautifulSoup(html, "html.parser"), []
    for script in page.select("script"):
        script.decompose()
    sources = {image["src"].partition("base64,")[2] for image in page.select("img")}
    tables = [words(table) for table in page.select("table")]
    for output in (output for cell in notebook.cells for output in cell.get("outputs", [])):
        data = output.get("data", {})
        if WIDGET in data and "image/png" not in data:
            missed.append("a widget, which is blank without a kernel")
        if "image/png" in data and data["image/png"].strip() not in sources:
            missed.append(f"a picture: {data['text/plain']}")
        if "image/png" in data and data["text/plain"] not in page.text:
            missed.append(f"the words of a picture: {data['text/plain']}")
        for table in BeautifulSoup(data.get("text/html", ""), "html.parser").select("table"):
            if words(table) not in tables:
                missed.append(f"a table: {words(table)}")
    return missed


def words(table):
    return " ".join(table.stripped_strings)


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.name[:2])
def test_every_picture_and_table_is_in_the_page_without_scripts(path):
    notebook = nbformat.read(path, as_version=4)
    assert missing(notebook, exported(notebook)) == []


def test_what_is_missing_is_named():
    picture = {"image/png": "iVBORw0KGgo=", "text/plain": "Two bars, and the first is longer"}
    widget = {WIDGET: {"model_id": "7"}, "text/plain": "A slider"}
    table = {"text/html": "<table><tr><td>one</td></tr></table>", "text/plain": "one"}
    outputs = [nbformat.v4.new_output("display_data", data) for data in (picture, widget, table)]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("1", outputs=outputs)])
    assert missing(notebook, "<p>nothing</p>") == [
        "a picture: Two bars, and the first is longer",
        "the words of a picture: Two bars, and the first is longer",
        "a widget, which is blank without a kernel",
        "a table: one",
    ]
