"""What did `make bench` measure, how is it told, and does it still fit the chapters?

benchmarks/results.json holds one measurement. The README's table of speed and the site's page of
run times are made of it.
"""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import nbformat

from notebooks import cells_hash, chapters

RESULTS = Path(__file__).resolve().parent.parent / "benchmarks" / "results.json"


def measured() -> dict[str, Any]:
    """Return the committed measurement.

    It has the machine (`about`), groups of rows (`groups`: name, then what and how much), and the
    seconds of each chapter with the hash of the cells that ran (`chapters`).
    """
    return json.loads(RESULTS.read_text(encoding="utf-8"))


def stamps() -> dict[str, str]:
    """Return the hash of the cells of each chapter as it is now."""
    return {path.stem: cells_hash(nbformat.read(path, as_version=4)) for path in chapters()}


def stale(results: Mapping[str, Any], now: Mapping[str, str]) -> list[str]:
    """Return why a measurement no longer fits the chapters; empty when it does."""
    then = {name: chapter["cells"] for name, chapter in results["chapters"].items()}
    return [
        *(f"{name} is not measured" for name in now if name not in then),
        *(f"{name} is measured, and is no chapter" for name in then if name not in now),
        *(
            f"{name} has changed since it was measured"
            for name in now
            if then.get(name, now[name]) != now[name]
        ),
    ]


def short_table(results: Mapping[str, Any]) -> str:
    """Return the figures for the README, as Markdown: ratios, and the sums of the long tables."""
    seconds = [chapter["seconds"] for chapter in results["chapters"].values()]
    replays = sum(value for _, value in results["groups"]["replays"])
    rows = [
        *results["groups"]["speed"],
        *results["groups"].get("wire", []),
        ["all replays on the real store, s", replays],
        ["the slowest chapter in a fresh kernel, s", max(seconds)],
        ["all chapters, one after the other, s", sum(seconds)],
    ]
    return table(["what", "measured"], [[what, number(value)] for what, value in rows])


def page(results: Mapping[str, Any], links: Mapping[str, str]) -> str:
    """Return all tables as Markdown, each under its heading.

    Args:
        links: a Markdown link to each chapter by its name.
    """
    told = [[links[name], number(chapter["seconds"])] for name, chapter in results["chapters"].items()]
    headings = {"replays": "Each replay on the real store", "frames": "One frame of each explorer"}
    parts = [results["about"], "## In short", short_table(results)]
    parts += ["## Each chapter in a fresh kernel", table(["chapter", "seconds"], told)]
    for group, heading in headings.items():
        rows = [[what, number(value)] for what, value in results["groups"][group]]
        parts += [f"## {heading}", table(["what", "measured"], rows)]
    return "\n\n".join(parts)


def number(value: float) -> str:
    """Return a measured value with as many digits as a measurement deserves."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.2g}"


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return rows as a Markdown table with the last column to the right."""
    head = list(head)
    lines = [head, ["---"] * (len(head) - 1) + ["---:"], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
