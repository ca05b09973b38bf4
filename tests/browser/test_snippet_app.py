"""The stand-up timer of chapter 08 is an app: a compiler accepts it, and a browser runs it."""

import shutil
import subprocess
from pathlib import Path

import pytest
from playwright.sync_api import expect

ROOT = Path(__file__).parents[2]
PAGE = """<!doctype html><meta charset="utf-8"><title>Stand-up</title>
<link rel="stylesheet" href="out/main.css"><div id="root"></div><script src="out/main.js"></script>"""


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A folder with the app, a main.tsx that mounts it, and what npm installs for both."""
    assert shutil.which("npm"), "no npm found; install Node.js"
    folder = tmp_path_factory.mktemp("snippet") / "app"
    ignored = shutil.ignore_patterns("node_modules", "package-lock.json")
    shutil.copytree(ROOT / "tests" / "snippet_app", folder, ignore=ignored)
    shutil.copytree(ROOT / "data" / "snippet_app" / "src", folder / "src")
    run(folder, "npm", "install", "--no-audit", "--no-fund", "--no-package-lock", "--silent")
    return folder


def run(folder, *command):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_strict_typescript_compiler_accepts_the_app(project):
    run(project, "npx", "tsc", "--noEmit", "--strict", "--project", ".")


def test_the_compiler_would_have_refused_a_mistake(project):
    wrong = project / "src" / "wrong.tsx"
    wrong.write_text('import App from "./App";\nexport const broken: string = App;\n')
    done = subprocess.run(["npx", "tsc", "--noEmit", "--project", "."], cwd=project, capture_output=True)
    wrong.unlink()
    assert done.returncode != 0
    assert b"wrong.tsx" in done.stdout


def test_the_app_renders_in_chromium_and_its_clock_runs_while_it_is_started(project, chromium):
    bundle = ("--bundle", "--outdir=out", "--jsx=automatic", "--log-level=warning")
    run(project, "npx", "esbuild", "main.tsx", *bundle, '--define:process.env.NODE_ENV="production"')
    (project / "index.html").write_text(PAGE)
    page = chromium.new_page()
    problems = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", lambda message: message.type == "error" and problems.append(message.text))
    page.clock.install()
    page.goto((project / "index.html").as_uri())
    clock = page.get_by_role("timer")
    expect(clock).to_have_text("2:00")
    page.get_by_role("button", name="Start").click()
    page.clock.run_for(3_000)
    expect(clock).to_have_text("1:57")
    page.get_by_role("button", name="Pause").click()
    page.clock.run_for(3_000)
    expect(clock).to_have_text("1:57")
    page.get_by_role("button", name="Next").click()
    expect(page.get_by_text("Grace has the floor")).to_be_visible()
    page.clock.run_for(125_000)
    expect(clock).to_have_text("-0:05")
    assert clock.evaluate("timer => getComputedStyle(timer).color") == "rgb(179, 64, 10)"
    page.close()
    assert problems == []
