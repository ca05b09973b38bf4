"""What can an agent call here, and which calls make a client ask its person first?

One picture of the eleven known tools: scope, hint, and what of each was published. That a client
asks before a call with write scope and `destructiveHint` is what the Rooms article says; nobody
has watched a client do it.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from osfhelpers.drawing.figures import CARD, INK, TITLE_PX, WIDTH_PX, headline
from osfhelpers.engine.data import load
from osfhelpers.engine.sizes import compact_json
from osfhelpers.engine.snapshot import Tool, provenance, tools
from osfhelpers.measuring.evidence import published

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PUBLISHED, IN_PART, RECONSTRUCTED = "published", "published in part", "reconstructed"
# Where each part stands in a tool, and how whole it was printed: every printed schema is shortened.
PARTS = {
    "description": ("description", PUBLISHED),
    "schema": ("inputSchema", IN_PART),
    "scope": ("securitySchemes", PUBLISHED),
}
FILL = {PUBLISHED: "full", IN_PART: "left", RECONSTRUCTED: "none"}
ROW_PX, LEGEND_PX, HEAD_ROWS, TOOLS = 31, 40, 1.9, 11
HEIGHT_PX = round(TITLE_PX + ROW_PX * (TOOLS - 0.4 + HEAD_ROWS) + LEGEND_PX)
NAME_X, ASKS_X, SCOPE_X, HINT_X = 14, 236, 332, 392
PART_X = {"description": 520, "schema": 600, "scope": 664}


@dataclass(frozen=True)
class Row:
    """One tool of the map; `parts` says where each part of it comes from."""

    tool: str
    scope: str
    hint: str
    asks_first: bool
    parts: dict[str, str]


@dataclass(frozen=True)
class Surface:
    """The tools of the snapshot, and the size of the list beside the published one."""

    rows: tuple[Row, ...]
    listed_bytes: int
    published_tools: int
    published_bytes: int


def surface() -> Surface:
    """Return the map of the snapshot."""
    figures = {figure.key.measure: int(figure.number) for figure in published("surface")}
    return Surface(
        rows=tuple(map(_row, tools().values())),
        listed_bytes=len(compact_json(load("tools_list.json")).encode()),
        published_tools=figures["tools"],
        published_bytes=figures["bytes"],
    )


def _row(tool: Tool) -> Row:
    [scope] = tool.scopes
    recorded, parts = load("tools_list.provenance.json")["parts"], {}
    for part, (field, as_printed) in PARTS.items():
        names = (name for name in recorded if name.startswith(f"{tool.name}/{field}"))
        printed = any(provenance(name).published for name in names)
        parts[part] = as_printed if printed else RECONSTRUCTED
    hint = "destructive" if tool.destructive else "read-only"
    return Row(tool.name, scope.removeprefix("osfoundry:"), hint, tool.asks_first, parts)


def draw(ax: "Axes", found: Surface) -> None:
    """Draw one row per tool; a band marks the calls before which a client asks."""
    rows = found.rows
    ax.set(xlim=(0, 0.975 * WIDTH_PX), ylim=(len(rows) - 0.4, -HEAD_ROWS))
    ax.axis("off")
    headline(ax, _finding(found), left=0, bottom=LEGEND_PX / HEIGHT_PX)
    for x, words in {NAME_X: "tool", ASKS_X: "client\nasks first", SCOPE_X: "scope", HINT_X: "hint"}.items():
        ax.text(x, -1.25, words, va="center", fontweight="bold")
    ax.text(PART_X["schema"], -1.55, "published?", va="center", ha="center", fontweight="bold")
    for part, x in PART_X.items():
        ax.text(x, -0.85, part, va="center", ha="center", fontsize=10)
    for y, row in enumerate(rows):
        if row.asks_first:
            ax.axhspan(y - 0.5, y + 0.5, 0.01, 0.99, color="#f3e6cb", linewidth=0)
        ax.text(NAME_X, y, row.tool, va="center", fontsize=10, family="DejaVu Sans Mono")
        asks = "asks" if row.asks_first else "no"
        for x, words in ((ASKS_X, asks), (SCOPE_X, row.scope), (HINT_X, row.hint)):
            ax.text(x, y, words, va="center", fontsize=10)
        for part, origin in row.parts.items():
            _square(ax, PART_X[part], y, origin)
    for x, origin in ((24, PUBLISHED), (150, IN_PART), (326, RECONSTRUCTED)):
        _square(ax, x, len(rows) + 0.1, origin)
        ax.text(x + 14, len(rows) + 0.1, origin, va="center", clip_on=False)


def _square(ax: "Axes", x: float, y: float, origin: str) -> None:
    look = {"marker": "s", "markersize": 10, "color": INK, "markerfacecoloralt": CARD}
    ax.plot(x, y, fillstyle=FILL[origin], clip_on=False, **look)


def say(found: Surface) -> str:
    """Say what the map shows, in one sentence."""
    descriptions = sum(row.parts["description"] == PUBLISHED for row in found.rows)
    schemas = sum(row.parts["schema"] == IN_PART for row in found.rows)
    scopes = sum(row.parts["scope"] == PUBLISHED for row in found.rows)
    return (
        f"{_finding(found)}: those that write. {descriptions} descriptions, {scopes} scopes and parts of "
        f"{schemas} input schemas were published. The published list has {found.published_tools} tools and "
        f"{found.published_bytes:,} bytes; these {len(found.rows)} take {found.listed_bytes:,}."
    )


def _finding(found: Surface) -> str:
    asking = sum(row.asks_first for row in found.rows)
    return f"{asking} of {len(found.rows)} tools make a client ask first"
