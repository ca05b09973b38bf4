"""How fast is the series, against the least that the same work can cost?

    make bench      measures everything and writes benchmarks/results.md

Ratios hold on any machine; absolute times say only how fast this one was today.
"""

import os
import platform
import statistics
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import numpy as np

from osfhelpers.experiments import retries
from osfhelpers.measuring.damage import experiments
from osfhelpers.models.lost_messages import CHUNK
from osfhelpers.teaching.explorers import EXPLORER_TRIALS, explore, watch

ROOT = Path(__file__).resolve().parent.parent
RESULTS = Path(__file__).with_name("results.md")
REPEATS = 7


def seconds(work: Callable[[], object], repeats: int = REPEATS) -> float:
    """Return the median time of some work, after one run that does not count."""
    work()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def simulation_against_draws() -> list[str]:
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
        name = f"retries, {trials:,} runs, {request_loss:.0%} of requests lost"
        rows.append(f"| simulate / its draws alone: {name} | {ours / seconds(draws):.1f} |")
    return rows


def memory_at_ten_million() -> str:
    """Measure the peak memory of ten million intended writes."""
    tracemalloc.start()
    retries.simulate(retries.Params(calls=1_000), trials=10_000, rng=1)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return f"| peak memory of 10^7 intended writes, MB | {peak / 1e6:.0f} |"


def replays() -> list[str]:
    """Time each replay on the real store, once."""
    rows = []
    for experiment in experiments():
        if getattr(experiment, "replay", None):
            replay = getattr(experiment.replay, "__wrapped__", experiment.replay)
            start = time.perf_counter()
            replay()
            rows.append(f"| replay of {experiment.NAME}, s | {time.perf_counter() - start:.2f} |")
    return rows


def frames() -> list[str]:
    """Time one frame of every explorer, at its start position."""
    rows = []
    for experiment in experiments():
        if experiment.SLIDERS:
            explorer = explore(experiment, trials=EXPLORER_TRIALS)
            rows.append(
                f"| one frame of {experiment.NAME}, ms | "
                f"{1000 * seconds(lambda e=explorer: e.picture(e.start)):.0f} |"
            )
    stepper = watch(retries.one_lost_reply())
    rows.append(
        f"| one frame of a stepper, ms | {1000 * seconds(lambda: stepper.picture(stepper.start)):.0f} |"
    )
    return rows


def imports() -> str:
    """Time `import osfhelpers` against starting Python alone, each in a process of its own."""

    def start(code: str) -> Callable[[], object]:
        return lambda: subprocess.run([sys.executable, "-c", code], check=True)

    extra = seconds(start("import osfhelpers")) - seconds(start("pass"))
    return f"| import osfhelpers, ms over starting Python | {1000 * extra:.0f} |"


def chapters() -> list[str]:
    """Time each chapter in a fresh kernel."""
    sys.path.insert(0, str(ROOT / "tools"))
    from notebooks import chapters, execute

    rows = []
    for path in chapters():
        start = time.perf_counter()
        execute(path)
        rows.append(f"| chapter {path.name[:2]} in a fresh kernel, s | {time.perf_counter() - start:.1f} |")
    return rows


def main() -> None:
    """Measure, print, and write the results."""
    about = f"Python {platform.python_version()}, NumPy {np.__version__}, {os.cpu_count()} cores"
    rows = [
        *simulation_against_draws(),
        memory_at_ten_million(),
        imports(),
        *replays(),
        *frames(),
        *chapters(),
    ]
    table = "\n".join(["| what | measured |", "|---|---|", *rows])
    text = (
        "# Speed, as last measured\n\n"
        f"By `make bench`, on {platform.system()}, {about}. "
        "Ratios hold elsewhere; times depend on the machine.\n\n"
        f"{table}\n\n"
        "From key press to picture, live against a bare slider and on the static page, is measured in "
        "Chromium by `make check`, which prints the medians.\n"
    )
    print(text)
    RESULTS.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
