"""What does axe-core find on the built pages, in light and dark, at a desk and on a phone?

python tools/check_axe.py .site/html       prints each fault; exits with 1 when there is one

It needs Chromium. Where there is none it says so: a site can be built without it, and the browser
tests, which demand it, come before anything is published.
"""

import os
import shutil
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from pathlib import Path

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, sync_playwright

WIDTHS_PX = (1280, 390)
THEMES = ("light", "dark")
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
OPTIONS = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21aa"],
    "resultTypes": ["violations"],
    # Else axe would ask for the style sheets again, which a page from a file may not.
    "preload": False,
}
# A page opens within a second; a busy machine may need many more.
PATIENCE_MS = 120_000
# The page's own script answers a new width once it is laid out.
LAID_OUT = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"


def chromium() -> str | None:
    """Return the path of the browser, or None where there is none."""
    return os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")


def faults(page: Page) -> Iterator[str]:
    """Yield what axe finds in the article of an open page against WCAG 2.1, A and AA."""
    for fault in Axe().run(page, context="article", options=OPTIONS).response["violations"]:
        yield f"axe: {fault['id']} at {[node['target'] for node in fault['nodes']][:3]}"


def faults_of_files(paths: list[Path]) -> list[str]:
    """Return what axe finds on each of these pages, in each theme at each width."""
    found = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS, timeout=PATIENCE_MS)
        for path in paths:
            page = browser.new_page()
            page.set_default_timeout(PATIENCE_MS)
            page.goto(path.as_uri())
            for width, theme in product(WIDTHS_PX, THEMES):
                page.set_viewport_size({"width": width, "height": 900})
                page.emulate_media(color_scheme=theme)
                page.evaluate(LAID_OUT)
                found += [f"{path.name}, {width} px, {theme}: {fault}" for fault in faults(page)]
            page.close()
        browser.close()
    return found


def main(site: Path) -> int:
    """Print the faults of a site's pages, and return the exit code."""
    if not chromium():
        print("axe was not asked: it needs Chromium (or its path in CHROMIUM)", file=sys.stderr)
        return 0
    # The front door has no article: it only leads to docs/index.html.
    pages = [path for path in sorted(site.rglob("*.html")) if path != site / "index.html"]
    if not pages:
        print(f"no page in {site}; build the site: make site", file=sys.stderr)
        return 1
    processes = os.cpu_count() or 1
    with ProcessPoolExecutor(processes) as pool:
        shares = pool.map(faults_of_files, [pages[share::processes] for share in range(processes)])
        found = [fault for share in shares for fault in share]
    print("\n".join(found), file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve()))
