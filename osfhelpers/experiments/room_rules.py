"""Which bad proposals does the schema stop, and which need a rule that it does not state?

Nine proposals, one of them good, meet the input schema, then the server rules, then the
owner's card. Nothing is random here, so nothing is expected: the nine are judged, not drawn.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from osfhelpers.drawing.figures import FAINT, Outcome, headline
from osfhelpers.engine.calls import call
from osfhelpers.engine.parameters import Slider, one_of
from osfhelpers.engine.paths import PATH_RULES
from osfhelpers.engine.refusals import InvalidArguments, RuleBroken
from osfhelpers.engine.room import Room
from osfhelpers.engine.rules import (
    ENTRY_POINT,
    entry_point_is_there,
    every_path_is_safe,
    no_two_paths_collide,
)
from osfhelpers.engine.snapshot import tool
from osfhelpers.engine.validator import full_problems
from osfhelpers.measuring.damage import LedgerRow
from osfhelpers.measuring.evidence import Key
from osfhelpers.models.path_pattern import names_schema

if TYPE_CHECKING:
    from matplotlib.axes import Axes

NAME = "room_rules"
CHAPTER = "07"
HEIGHT_PX, LABELS_PX = 460, 24
TOOL = "propose_room_snippet_app"

FILES = {ENTRY_POINT: "export default () => <Timer />;", "src/styles.css": "main { margin: 1rem; }"}
GOOD = {"room_id": "team-room", "name": "Stand-up timer", "files": FILES, "idempotency_key": "timer-0001"}


def with_file(path: str, content: Any = "") -> dict[str, Any]:
    """Return the good proposal with one more file."""
    return GOOD | {"files": {**FILES, path: content}}


PAYLOADS: dict[str, dict[str, Any]] = {
    "ok": GOOD,
    "no src/App.tsx": GOOD | {"files": {"src/styles.css": ""}},
    "absolute path /etc/hosts": with_file("/etc/hosts"),
    "dot-dot path src/../../x.ts": with_file("src/../../x.ts"),
    "backslash path src\\x.ts": with_file("src\\x.ts"),
    "name of 201 characters": GOOD | {"name": "n" * 201},
    "key of 7 characters": GOOD | {"idempotency_key": "abcdefg"},
    "extra field visibility": GOOD | {"visibility": "public"},
    "file content that is no string": with_file("src/a.json", {"a": 1}),
}
SCHEMAS = ("struck out", "as published", "with required and a pattern")
ENTRY, PATHS = (entry_point_is_there,), (every_path_is_safe, no_two_paths_collide)
RULES = {"none": (), "entry point": ENTRY, "paths": PATHS, "entry point and paths": ENTRY + PATHS}
STOPS = {
    "schema": "refused by the schema",
    "server rule": "refused by a server rule",
    "": "on the owner's card",
}


@dataclass(frozen=True)
class Params:
    """Which schema and which server rules stand before the owner's card.

    Args:
        schema: "with required and a pattern" is as strict as JSON Schema lets it be.
    """

    schema: str = "as published"
    rules: str = "entry point and paths"

    def __post_init__(self) -> None:
        one_of("schema", self.schema, SCHEMAS)
        one_of("rules", self.rules, RULES)


SLIDERS = (
    Slider("schema", "input schema", SCHEMAS),
    Slider("rules", "server rules", tuple(RULES)),
)


def schema(which: str) -> dict[str, Any]:
    """Return one of the three schemas of a proposal's arguments."""
    found = tool(TOOL).input_schema
    if which == "struck out":
        return {}
    if which == "with required and a pattern":
        found["properties"]["files"] |= {"required": [ENTRY_POINT], **names_schema()}
    return found


@dataclass(frozen=True)
class Result:
    """Where each proposal was stopped: "schema", "server rule", or nowhere (an empty text)."""

    params: Params
    caught_by: dict[str, str]

    def bad(self, stop: str) -> int:
        """How many bad proposals were stopped here."""
        return sum(caught == stop for name, caught in self.caught_by.items() if name != "ok")


def measure(params: Params) -> Result:
    """Send the nine proposals through the chosen judges."""
    caught_by = {}
    for name, arguments in PAYLOADS.items():
        if full_problems(schema(params.schema), arguments):
            caught_by[name] = "schema"
        else:
            broken = any(problem for rule in RULES[params.rules] for problem in rule(arguments))
            caught_by[name] = "server rule" if broken else ""
    return Result(params, caught_by)


def replay() -> dict[Key, str]:
    """Propose the nine to a real Room, and return the verdicts in the words of the article."""
    room = Room()
    room.open_to("agent")
    found = {}
    for name, arguments in PAYLOADS.items():
        found[Key(name, "verdict")] = "reject"
        try:
            call(TOOL, arguments, on=room)
            found[Key(name, "verdict")] = "pass"
        except InvalidArguments:
            found[Key(name, "caught by")] = "schema"
        except RuleBroken:
            found[Key(name, "caught by")] = "server rule"
    return found


expected = None


def draw(ax: "Axes", result: Result) -> None:
    """Draw how far each proposal gets: to the schema, to the server rules, or to the owner."""
    for y, (name, caught) in enumerate(result.caught_by.items()):
        outcome = Outcome.LOUD if caught else Outcome.RIGHT if name == "ok" else Outcome.SILENT
        x = 1 + list(STOPS).index(caught)
        look = outcome.value
        ax.plot([0, x], [y, y], color=look.colour, linewidth=2.5)
        ax.plot(x, y, marker=look.marker, markersize=12, color=look.colour, clip_on=False)
        words = f"{'bad, and ' * (outcome is Outcome.SILENT)}{STOPS[caught]}"
        ax.text(len(STOPS) + 0.5, y, words, va="center_baseline")
    for x in range(1, len(STOPS) + 1):
        ax.axvline(x, color=FAINT, linewidth=1, linestyle=(0, (2, 3)), zorder=0)
    ax.set_yticks(range(len(PAYLOADS)), list(PAYLOADS))
    ax.set_xticks(range(1, len(STOPS) + 1), ["schema", "rules", "owner"])
    ax.xaxis.tick_top()
    ax.tick_params(top=False, labelsize=11)
    ax.grid(visible=False)
    ax.spines["bottom"].set_visible(False)
    # All three stops, and so the finding, lie in the part that a phone shows.
    ax.set(xlim=(0, 7.8), ylim=(len(PAYLOADS) - 0.5, -0.6))
    headline(ax, _title(result), left=0.34, bottom=0.02, labels_px=LABELS_PX)


def _title(result: Result) -> str:
    bad = len(PAYLOADS) - 1
    if reached := result.bad(""):
        return f"{reached} of {bad} bad proposals reach{'es' * (reached == 1)} the owner"
    if not result.bad("server rule"):
        return f"A schema can stop all {bad} of these"
    return f"{result.bad('server rule')} of {bad} bad proposals pass the schema"


def say(result: Result) -> str:
    """Say what the figure shows, in one sentence."""
    params = result.params
    return (
        f"Schema: {params.schema}; server rules: {params.rules}. Of {len(PAYLOADS) - 1} bad proposals, "
        f"stopped by the schema: {result.bad('schema')}, by a server rule: {result.bad('server rule')}; "
        f"on the owner's card: {result.bad('')}."
    )


def ledger_row() -> LedgerRow:
    """Return this chapter's row: bad proposals that pass, by the schema alone and with the rules."""
    bad = len(PAYLOADS) - 1
    without, kept = (100 * measure(Params(rules=rules)).bad("") / bad for rules in ("none", Params.rules))
    return LedgerRow(
        chapter=CHAPTER,
        phrase="files: a map of strings (and the rules that no schema states)",
        wrong="a bad proposal reaches the owner; a session sends one of the eight published ones",
        without_per_100=without,
        with_per_100=kept,
        cost=f"{len(PATH_RULES)} small rules of a path, one for two paths, one for the entry point",
    )
