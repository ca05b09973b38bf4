"""A chapter exported alone by `jupyter nbconvert --to html`, read without network and scripts."""

import nbformat
import pytest
from conftest import CHAPTERS, SHOTS
from nbconvert import HTMLExporter

# Of each picture or table whether it can be seen; what is folded needs no script to unfold.
SEEN = """selector => [...document.querySelectorAll(selector)].map(element => {
  for (let folded = element; folded = folded.parentElement?.closest('details');) folded.open = true;
  return element.checkVisibility() && element.offsetHeight > 20 && element.naturalWidth !== 0; })"""


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.name[:2])
def test_every_picture_and_table_is_seen(static_page, tmp_path, path):
    SHOTS.mkdir(exist_ok=True)
    notebook = nbformat.read(path, as_version=4)
    (tmp_path / "page.html").write_text(HTMLExporter().from_notebook_node(notebook)[0], encoding="utf-8")
    page = static_page("page.html", folder=tmp_path, scripts=False).page
    outputs = [output.get("data", {}) for cell in notebook.cells for output in cell.get("outputs", [])]
    pictures = sum("image/png" in data for data in outputs)
    tables = sum(data.get("text/html", "").count("<table") for data in outputs)
    assert pictures
    assert page.evaluate(SEEN, ".jp-OutputArea-output img") == [True] * pictures
    assert page.evaluate(SEEN, ".jp-OutputArea-output table") == [True] * tables
    page.screenshot(path=SHOTS / f"{path.name[:2]}-exported.png", full_page=True)
