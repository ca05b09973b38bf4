"""Chapters in a real JupyterLab: run all, move every slider by keyboard, see no error."""

import base64
import re
import statistics

import nbformat
import pytest
from conftest import ROOT

CHAPTERS = sorted((ROOT / "notebooks").glob("*.ipynb"))
KNOBS = ".osf-explorer .noUi-handle, .osf-explorer [role=slider]"
FIRST_PICTURE_S = 3
SLOWEST_AGAINST_CONTROL = 1.3


def run_all(watched):
    """Run every cell by the menu and wait until the kernel has done them."""
    page = watched.page
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
    page.wait_for_function(
        """() => {
          const prompts = [...document.querySelectorAll('.jp-CodeCell .jp-InputArea-prompt')];
          return prompts.length > 2 && prompts.every(p => /\\[\\d+\\]/.test(p.textContent));
        }""",
        timeout=120_000,
    )


def scroll_through(page):
    """Bring every cell into view once: JupyterLab renders a cell only when it is near the screen."""
    for cell in page.locator(".jp-Notebook .jp-Cell").all():
        cell.scroll_into_view_if_needed()
    page.locator(".jp-Notebook .jp-Cell").first.scroll_into_view_if_needed()


def shown(explorer):
    picture = explorer.locator("img").get_attribute("src")
    return picture, explorer.locator(".osf-say").inner_text()
