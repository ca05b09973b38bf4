"""How fast is the series, against the least that the same work can cost?

    make bench                      measures everything, about ten minutes
    python benchmarks/run.py 04     measures only the chapters whose name starts with 04

Writes benchmarks/results.json, and the README's table of speed from it. Ratios hold on any
machine; absolute times say only how fast this one was.
"""

import importlib.util
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from osfhelpers.experiments import retries
from osfhelpers.measuring.damage import experiments
from osfhelpers.models.lost_messages import CHUNK
from osfhelpers.teaching.explorers import EXPLORER_TRIALS, explore, watch

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools"))

import refresh  # noqa: E402 - the tools lie outside the package
import run_times  # noqa: E402

from notebooks import cells_hash, chapters, execute  # noqa: E402

LATENCY = ROOT / ".site" / "latency.json"
REPEATS = 7
Rows = list[tuple[str, float]]


def seconds(work: Callable[[], object], repeats: int = REPEATS) -> float:
    """Return the median time of some work, after one run that does not count."""
    work()
    return statistics.median(once(work) for _ in range(repeats))


def once(work: Callable[[], object]) -> float:
    """Return the time of some work that is done once."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def simulation_against_draws() -> Rows:
    """Time the retries simulation against NumPy drawing the same numbers alone."""
    rows = []
    for trials, request_loss in ((20_000, 0.0), (20_000, 0.2)):
        params = retries.Params(request_loss=request_loss)

        def draws(trials: int = trials, writes: int = trials * params.calls) -> None:
            rng = np.random.default_rng(1)
            for _ in range(0, writes, CHUNK):
                rng.standard_exponential(CHUNK)
            rng.random(trials)

        ours = seconds(lambda params=params, trials=trials: retries.simulate(params, trials=trials, rng=1))
        name = f"simulate / its draws alone: {trials:,} runs, {request_loss:.0%} of requests lost"
        rows.append((name, ours / seconds(draws)))
    return rows


def memory_at_ten_million() -> Rows:
    """Measure the peak memory of ten million intended writes."""
    tracemalloc.start()
    retries.simulate(retries.Params(calls=1_000), trials=10_000, rng=1)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return [("peak memory of ten million intended writes, MB", peak / 1e6)]


def imports() -> Rows:
    """Time `import osfhelpers` against starting Python alone, each in a process of its own."""

    def start(code: str) -> Callable[[], object]:
        return lambda: subprocess.run([sys.executable, "-c", code], check=True)

    extra = seconds(start("import osfhelpers")) - seconds(start("pass"))
    return [("import osfhelpers, ms over starting Python", 1000 * extra)]


def site() -> Rows:
    """Build the site from nothing, and let the browser tests measure its sliders and JupyterLab's."""
    shutil.rmtree(ROOT / ".site" / "doctrees", ignore_errors=True)
    took = once(lambda: subprocess.run(["make", "site"], cwd=ROOT, check=True))
    command = [sys.executable, "-m", "pytest", "tests/browser/test_latency.py", "--override-ini=addopts=-q"]
    subprocess.run(command, cwd=ROOT, check=True)
    latency = json.loads(LATENCY.read_text(encoding="utf-8"))
    slowest_ms = max(value for name, value in latency.items() if name.startswith("static p95 ms"))
    return [
        (
            "live, key press to picture / the same with a bare slider",
            latency["live, explorer against bare slider"],
        ),
        ("live, first picture of a fresh kernel, s", latency["live, first picture after s"]),
        ("on the site, slider to picture, p95 of the slowest chapter, ms", slowest_ms),
        ("the site built from nothing, s", took),
    ]


def replays() -> Rows:
    """Time each replay on the real store, once."""
    rows = []
    for experiment in experiments():
        if getattr(experiment, "replay", None):
            replay = getattr(experiment.replay, "__wrapped__", experiment.replay)
            rows.append((f"{experiment.NAME}, s", once(replay)))
    return rows


def frames() -> Rows:
    """Time one frame of every explorer, at its start position."""
    moving = {e.NAME: explore(e, trials=EXPLORER_TRIALS) for e in experiments() if e.SLIDERS}
    moving["a stepper"] = watch(retries.one_lost_reply())
    return [
        (f"{name}, ms", 1000 * seconds(lambda e=explorer: e.picture(e.start)))
        for name, explorer in moving.items()
    ]


def over_the_wire() -> Rows:
    """Time calls and writes over the wire and in a file against the bare libraries."""
    if not importlib.util.find_spec("mcp"):
        return []
    import wire

    return [*wire.calls_in_memory(), *wire.store_writes()]


def timed_chapters(starts: str) -> dict[str, dict[str, Any]]:
    """Time each chapter in a fresh kernel, and note which cells ran."""
    found = {}
    for path in chapters(starts):
        start = time.perf_counter()
        notebook = execute(path)
        took = round(time.perf_counter() - start, 1)
        found[path.stem] = {"seconds": took, "cells": cells_hash(notebook)}
    return found


def main(arguments: list[str]) -> None:
    """Measure, write the results, and bring the README's table up to date."""
    if arguments:
        results = run_times.measured()
        now = run_times.stamps()
        fresh = results["chapters"] | timed_chapters(arguments[0])
        results["chapters"] = {name: fresh[name] for name in now if name in fresh}
    else:
        python = f"Python {platform.python_version()}, NumPy {np.__version__}"
        results = {
            "about": f"Measured on {platform.system()}, {python}, {os.cpu_count()} cores.",
            "groups": {
                "speed": [*site(), *simulation_against_draws(), *memory_at_ten_million(), *imports()],
                "wire": over_the_wire(),
                "replays": replays(),
                "frames": frames(),
            },
            "chapters": timed_chapters(""),
        }
    run_times.RESULTS.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    print(run_times.short_table(results))
    refresh.main([])


if __name__ == "__main__":
    main(sys.argv[1:])
