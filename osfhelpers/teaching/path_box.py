"""Type the paths of one proposal: who objects to which, and what would each of them open?

One path a line, so that the names of one call are judged together as well. Live, a box to
type in; a committed notebook and the site show the table of the paths that it starts with.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from osfhelpers.drawing.rendering import rows_html, sentence_html
from osfhelpers.engine.paths import broken_rule, collisions
from osfhelpers.engine.snapshot import tool
from osfhelpers.engine.validator import full_problems
from osfhelpers.models.naive_checks import SYSTEMS, System, landing
from osfhelpers.models.path_catalogue import visible
from osfhelpers.teaching.boxes import LAYOUT, Box

COLUMNS = ("path", "published schema", "server rules", *(f"{name} opens" for name in SYSTEMS))
PASSES, SAFE = "passes", "safe"


@dataclass(frozen=True, repr=False)
class PathBox(Box):
    """Paths to start with, one a line."""

    text: str

    css_class = "osf-paths"
    live = "Run this notebook in JupyterLab to get a box in which you can type paths of your own."

    def __repr__(self) -> str:
        rows = path_rows(self.text)
        return "\n".join([*(" | ".join(row) for row in rows), verdict(rows)])

    def fields(self) -> Sequence[Any]:
        """Return one text area for all paths."""
        import ipywidgets as widgets

        look = {"style": {"description_width": "5em"}, "layout": LAYOUT}
        return [widgets.Textarea(self.text, description="paths", rows=8, **look)]

    def verdict_html(self, text: str) -> str:
        """Return a row for each path, and the sentence beneath."""
        rows = path_rows(text)
        return (rows_html(COLUMNS, rows) if rows else "") + sentence_html(verdict(rows))

    def worked_html(self) -> str:
        """Return the same of the paths that the box starts with."""
        return self.verdict_html(self.text)


def path_box(*paths: str) -> PathBox:
    """Return a box for the paths of one proposal."""
    return PathBox("\n".join(paths))


def path_rows(text: str) -> list[tuple[str, ...]]:
    """Return what is said of each path in a text; an empty line is none, and a map has no name twice."""
    paths = list(dict.fromkeys(line for line in text.split("\n") if line))
    together = _collisions(paths)
    files = tool("propose_room_snippet_app").input_schema["properties"]["files"]
    return [
        (
            visible(path),
            "refuses" if full_problems(files, {path: ""}) else PASSES,
            _rule(path) or together.get(path) or SAFE,
            *(_opens(path, on) for on in SYSTEMS.values()),
        )
        for path in paths
    ]


def verdict(rows: Sequence[Sequence[str]]) -> str:
    """Say in a sentence how many of the paths each judge lets through."""
    if not rows:
        return "No path stands here yet: type one a line."
    schema, rules = (sum(row[at] == word for row in rows) for at, word in ((1, PASSES), (2, SAFE)))
    return (
        f"The published schema passes {schema} of {len(rows)}, since any string is a name; "
        f"the server rules call {rules} safe."
    )


def _rule(path: str) -> str:
    rule = broken_rule(path)
    return f"refused: {rule.reason}" if rule else ""


def _collisions(paths: Sequence[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for one, other in collisions(path for path in paths if not _rule(path)):
        found.setdefault(one, f"refused: collides with {visible(other)}")
        found[other] = f"refused: collides with {visible(one)}"
    return found


def _opens(path: str, on: System) -> str:
    place, harm = landing(path, on)
    place = visible(place.removeprefix(on.root + on.os_path.sep))
    return f"{harm}: {place}" if harm else place
