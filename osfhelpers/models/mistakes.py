"""What do agents do wrong when they call a tool, and what of it does a schema refuse?

The list stands in `data/mistaken_calls.json`: eight habits, each applied to each of the eleven
known tools, written down before any call was tried against a schema. The counts are of the
list; they say nothing about how often agents make these mistakes.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from osfhelpers.engine.data import load
from osfhelpers.engine.snapshot import tools
from osfhelpers.engine.validator import KEYWORDS as SMALL
from osfhelpers.engine.validator import full_problems, keep_keywords

LIST = "mistaken_calls.json"
CLOSED = "additionalProperties"
# Every keyword of the schemas that can refuse by itself; `properties` and `items` only lead on.
KEYWORDS = (
    CLOSED,
    "required",
    "type",
    "enum",
    "maxItems",
    "minItems",
    "maxLength",
    "minLength",
    "maximum",
    "minimum",
)
WHOLE = frozenset(KEYWORDS)


@dataclass(frozen=True)
class Call:
    """One call of the list; a right one has no kind and no mistake."""

    tool: str
    arguments: Mapping[str, Any] = field(repr=False)
    kind: str = ""
    mistake: str = ""


@cache
def calls(part: str = "mistaken_calls") -> tuple[Call, ...]:
    """Return the mistaken calls, or the `right_calls` that they were made from."""
    return tuple(Call(**entry) for entry in load(LIST)[part])


@cache
def refused(kept: frozenset[str], part: str = "mistaken_calls") -> tuple[bool, ...]:
    """Return, for each call of the list, whether schemas with only these keywords refuse it."""
    schemas = {name: keep_keywords(each.input_schema, kept) for name, each in tools().items()}
    return tuple(bool(full_problems(schemas[call.tool], call.arguments)) for call in calls(part))


def passing(kept: frozenset[str] = WHOLE) -> list[Call]:
    """Return the mistaken calls that schemas with only these keywords let through."""
    return [call for call, no in zip(calls(), refused(kept), strict=True) if not no]


@dataclass(frozen=True)
class Habit:
    """How many of one habit's mistakes, one for each tool, pass each validator."""

    habit: str
    what_the_agent_does: str
    pass_the_small_validator: int
    pass_the_full_schema: int


def by_habit(kept: frozenset[str] = WHOLE) -> tuple[Habit, ...]:
    """Count what passes the small validator and the full schema, both with only these keywords."""
    small, full = (
        Counter(call.kind for call in passing(known)) for known in (kept.intersection(SMALL), kept)
    )
    habits = load(LIST)["habits"].items()
    return tuple(Habit(habit, words, small[habit], full[habit]) for habit, words in habits)


@dataclass(frozen=True)
class Loophole:
    """A mistake that the whole schema accepts, with the tool that it is made with."""

    habit: str
    mistake: str


def loopholes() -> list[Loophole]:
    """Return the mistakes that no keyword stops, habit by habit."""
    habits = list(load(LIST)["habits"])
    found = [Loophole(call.kind, f"{call.tool}: {call.mistake}") for call in passing()]
    return sorted(found, key=lambda hole: habits.index(hole.habit))
