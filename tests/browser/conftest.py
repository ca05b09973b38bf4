"""A real Chromium, driven by keyboard: in JupyterLab, and on the built site with the network off.

These tests run in a process of their own (`make check`): Playwright's event loop and other
tests' do not go together. A missing browser or site is a failure, never a skip.
"""

import json
import os
import re
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import nbformat
import pytest
from faults import READER
from playwright.sync_api import expect, sync_playwright

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tools"))

import check_axe  # noqa: E402 - the tools lie outside the package

SITE = ROOT / ".site" / "html"
SHOTS = ROOT / "screenshots"
CHAPTERS = sorted((ROOT / "notebooks").glob("*.ipynb"))
# Keeps nobody out of a server on 127.0.0.1; a request with a token needs no cookie.
TOKEN = "osfhelpers"
# What is waited for comes within seconds; a busy machine may need many more.
PATIENCE_MS = check_axe.PATIENCE_MS
PATIENCE_S = PATIENCE_MS // 1000
expect.set_options(timeout=PATIENCE_MS)


@pytest.fixture(scope="session")
def chromium():
    path = check_axe.chromium()
    assert path, "no Chromium found; install it (Debian: apt-get install chromium) or set CHROMIUM"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=check_axe.FLAGS, timeout=PATIENCE_MS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def site():
    assert (SITE / "index.html").is_file(), "the site is not built; run: make html"
    SHOTS.mkdir(exist_ok=True)
    return SITE


class Watched:
    """A page whose errors and requests to the outside are kept."""

    def __init__(self, context):
        self.page = context.new_page()
        self.page.set_default_timeout(PATIENCE_MS)
        self.errors, self.outside = [], []
        self.page.on("console", lambda m: self.errors.append(m.text) if m.type == "error" else None)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("request", self._note)

    def _note(self, request):
        if not re.match(r"(file|data|blob|about):|https?://(127\.0\.0\.1|localhost)[:/]", request.url):
            self.outside.append(request.url)

    def faults(self):
        """Return the errors and the requests to the outside, as sentences."""
        return [*(f"console: {error}" for error in self.errors), *(f"outside: {url}" for url in self.outside)]


@pytest.fixture
def static_page(chromium, site):
    """Return a function that opens a page from its file, with the network blocked."""
    contexts = []

    def open_page(name, *, width=1280, theme="light", scripts=True, folder=site):
        context = chromium.new_context(
            viewport={"width": width, "height": 900},
            color_scheme=theme,
            offline=True,
            java_script_enabled=scripts,
            reduced_motion="reduce",
        )
        context.add_init_script(READER)
        contexts.append(context)
        watched = Watched(context)
        watched.page.goto((folder / name).as_uri())
        return watched

    yield open_page
    for context in contexts:
        context.close()


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Lab:
    """A JupyterLab of its own: settings, workspaces and notebooks in a temporary folder."""

    def __init__(self, folder: Path):
        self.folder, port = folder, free_port()
        self.notebooks = folder / "notebooks"
        self.notebooks.mkdir()
        config = folder / "config" / "labconfig"
        config.mkdir(parents=True)
        disabled = {"@jupyterlab/apputils-extension:announcements": True}
        (config / "page_config.json").write_text(json.dumps({"disabledExtensions": disabled}))
        environment = {
            **os.environ,
            "JUPYTER_CONFIG_DIR": str(folder / "config"),
            "JUPYTER_DATA_DIR": str(folder / "data"),
            "JUPYTERLAB_SETTINGS_DIR": str(folder / "settings"),
            "JUPYTERLAB_WORKSPACES_DIR": str(folder / "workspaces"),
            "IPYTHONDIR": str(folder / "ipython"),
        }
        environment.pop("OSFHELPERS_RENDER", None)
        options = f"--no-browser --allow-root --ServerApp.port={port} --ServerApp.port_retries=0"
        self.log = (folder / "log").open("w")
        self.process = subprocess.Popen(
            [sys.executable, "-m", "jupyterlab", *options.split(), f"--IdentityProvider.token={TOKEN}"],
            cwd=self.notebooks,
            env=environment,
            stdout=self.log,
            stderr=subprocess.STDOUT,
        )
        self.url = f"http://127.0.0.1:{port}"

    def wait(self):
        """Wait until the server answers."""
        for _ in range(2 * PATIENCE_S):
            try:
                self.ask("status")
                return
            except OSError:
                assert self.process.poll() is None, (self.folder / "log").read_text()
                time.sleep(0.5)
        raise TimeoutError((self.folder / "log").read_text())

    def ask(self, what, method="GET"):
        """Ask the server itself, past the browser, and return its answer."""
        address = f"{self.url}/api/{what}?token={TOKEN}"
        with urllib.request.urlopen(
            urllib.request.Request(address, method=method), timeout=PATIENCE_S
        ) as reply:
            return reply.read()

    def stop_kernels(self):
        """End every kernel, since each takes memory that the next chapter could use."""
        for session in json.loads(self.ask("sessions")):
            self.ask(f"sessions/{session['id']}", method="DELETE")

    def close(self):
        self.process.terminate()
        self.process.wait(PATIENCE_S)
        self.log.close()


@pytest.fixture(scope="session")
def lab(tmp_path_factory):
    running = Lab(tmp_path_factory.mktemp("lab"))
    try:
        running.wait()
        yield running
    finally:
        running.close()


@pytest.fixture(scope="session")
def lab_context(chromium, lab):
    """One context for all notebooks, so that JupyterLab's own scripts are loaded once."""
    context = chromium.new_context(viewport={"width": 1280, "height": 1000})
    yield context
    context.close()


@pytest.fixture
def lab_page(lab_context, lab):
    """Return a function that opens a copy of a notebook without outputs in JupyterLab, kernel idle."""
    pages = []

    def open_notebook(path: Path):
        copy = lab.notebooks / f"{len(list(lab.notebooks.iterdir()))}_{path.name}"
        content = nbformat.read(path, as_version=4)
        code = [cell for cell in content.cells if cell.cell_type == "code"]
        for cell in code:
            cell.outputs, cell.execution_count = [], None
        nbformat.write(content, copy)
        watched = Watched(lab_context)
        watched.code_cells = len(code)
        pages.append(watched.page)
        watched.page.goto(f"{lab.url}/lab/workspaces/{copy.stem}/tree/{copy.name}?token={TOKEN}")
        watched.page.get_by_text("Python 3 (ipykernel) | Idle").wait_for()
        return watched

    yield open_notebook
    for page in pages:
        page.close()
    lab.stop_kernels()


def run_all(watched):
    """Run every cell by the menu and wait until the last code cell has its number."""
    page = watched.page
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
    page.get_by_text(f"[{watched.code_cells}]:", exact=True).first.wait_for()
    page.get_by_text("Python 3 (ipykernel) | Idle").wait_for()


def notebook(folder, name, source):
    """Write a notebook of one cell, and return its path."""
    path = folder / name
    made = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source.strip())])
    made.metadata["kernelspec"] = {"display_name": "Python 3 (ipykernel)", "name": "python3"}
    nbformat.write(made, path)
    return path
