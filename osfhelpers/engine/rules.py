"""Which calls fit the schema and are refused all the same?

Rules that a server must check because no schema states them, as a table: a tool, a rule's
name, and a function from the arguments to the problems it finds. They follow from what the
tools are for; no refusal of the live server was seen, so each rule is reconstruction.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from osfhelpers.engine.paths import broken_rule, collisions
from osfhelpers.engine.refusals import Problem
from osfhelpers.engine.tab_edits import OPERATIONS

Rule = Callable[[Mapping[str, Any]], Iterator[Problem]]

ENTRY_POINT = "src/App.tsx"
LONGEST_NAMED = 120


def outline_fills_a_slides_tab(arguments: Mapping[str, Any]) -> Iterator[Problem]:
    """An outline given to a Sheet tab would be lost without a word."""
    if "slides" in arguments and arguments["tab_type"] != "slides":
        yield Problem("slides", f"an outline fills a Slides tab, and tab_type is {arguments['tab_type']!r}")


def operation_has_its_fields(arguments: Mapping[str, Any]) -> Iterator[Problem]:
    """The flat schema cannot say which fields belong to which operation."""
    needs = OPERATIONS[arguments["operation"]].needs
    for name in needs:
        if name not in arguments:
            yield Problem(name, f"{arguments['operation']} needs it")


def entry_point_is_there(arguments: Mapping[str, Any]) -> Iterator[Problem]:
    """The Room's runtime starts at one file, under exactly this path."""
    if ENTRY_POINT not in arguments["files"]:
        yield Problem("files", f"missing {ENTRY_POINT}, where the Room starts the app")


def every_path_is_safe(arguments: Mapping[str, Any]) -> Iterator[Problem]:
    """The names in a map are any strings, and these become paths."""
    for path in arguments["files"]:
        if rule := broken_rule(path):
            yield Problem(_file(path), f"unsafe path: {rule.reason}")


def no_two_paths_collide(arguments: Mapping[str, Any]) -> Iterator[Problem]:
    """Two names that differ may still be one file, where case is folded or Unicode normalised."""
    for one, other in collisions(path for path in arguments["files"] if broken_rule(path) is None):
        yield Problem(_file(other), f"collides with {_short(one)}, on a system that folds case or Unicode")


def _file(path: str) -> str:
    return f"files[{_short(path)}]"


def _short(path: str) -> str:
    return repr(path if len(path) <= LONGEST_NAMED else f"{path[:LONGEST_NAMED]}…")


RULES: dict[str, tuple[Rule, ...]] = {
    "create_note_tab": (outline_fills_a_slides_tab,),
    "edit_note_tab": (operation_has_its_fields,),
    "propose_room_snippet_app": (entry_point_is_there, every_path_is_safe, no_two_paths_collide),
}


def rule_problems(tool: str, arguments: Mapping[str, Any]) -> tuple[Problem, ...]:
    """Return what the server rules say of arguments that already fit the schema."""
    return tuple(problem for rule in RULES.get(tool, ()) for problem in rule(arguments))
