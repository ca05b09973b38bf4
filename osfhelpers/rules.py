"""Which calls fit the schema and are refused all the same?

Rules that a server must check because no schema states them, as a table: a tool, a rule's
name, and a function from the arguments to the problems it finds. They follow from what the
tools are for; no refusal of the live server was seen, so each rule is reconstruction.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from osfhelpers.refusals import Problem
from osfhelpers.tab_edits import OPERATIONS

Rule = Callable[[Mapping[str, Any]], Iterator[Problem]]


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


RULES: dict[str, tuple[Rule, ...]] = {
    "create_note_tab": (outline_fills_a_slides_tab,),
    "edit_note_tab": (operation_has_its_fields,),
}


def rule_problems(tool: str, arguments: Mapping[str, Any]) -> tuple[Problem, ...]:
    """Return what the server rules say of arguments that already fit the schema."""
    return tuple(problem for rule in RULES.get(tool, ()) for problem in rule(arguments))
