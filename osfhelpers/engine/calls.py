"""How does a tool call reach the store? By one way in, for chapters, replays and the wire.

Validate against the schema, then the server rules, then the store. Whatever is refused on
the way has changed nothing.
"""

from collections.abc import Callable, Collection, Mapping
from typing import Any, Protocol

from osfhelpers.engine.keys import NoCanonicalForm
from osfhelpers.engine.refusals import InvalidArguments, NotOpen, Problem, RuleBroken
from osfhelpers.engine.rules import rule_problems
from osfhelpers.engine.validator import argument_problems

PLACE_NAMES = ("note_id", "room_id", "resource_id")


class Place(Protocol):
    """What answers calls under an ID: a Note or a Room, in memory or in a file."""

    @property
    def place_id(self) -> str: ...

    @property
    def tools(self) -> Collection[str]: ...

    def answer(self, tool: str, arguments: Mapping[str, Any], principal: str) -> Any: ...


def call(
    tool: str,
    arguments: Mapping[str, Any],
    *,
    on: Place | Mapping[str, Place],
    principal: str = "agent",
) -> Any:
    """Call a tool of the snapshot.

    Args:
        on: the Note or Room that the call may reach, or several keyed by their IDs.
        principal: who calls; keys of two principals are independent.

    Returns:
        For a write, `Done` or `Conflict`; for a read, the result as a dictionary.

    Raises:
        Refused: one of its subclasses says why, and at which place in the arguments.
    """
    try:
        if problems := argument_problems(tool, arguments):
            raise InvalidArguments(*problems)
        if problems := rule_problems(tool, arguments):
            raise RuleBroken(*problems)
        return _place(tool, arguments, on).answer(tool, arguments, principal)
    except NoCanonicalForm as error:
        raise InvalidArguments(Problem("$", str(error))) from error
    except RecursionError:
        raise InvalidArguments(Problem("$", "the arguments are nested too deeply to be judged")) from None


def validating_once_per_shape() -> Callable[..., Any]:
    """Return a `call` for long replays: of calls with the same tool and argument types, one is validated."""
    seen = set()

    def send(
        tool: str, arguments: Mapping[str, Any], *, on: Place | Mapping[str, Place], principal: str = "agent"
    ) -> Any:
        shape = (tool, *((name, type(value)) for name, value in arguments.items()))
        if shape not in seen:
            seen.add(shape)
            return call(tool, arguments, on=on, principal=principal)
        return _place(tool, arguments, on).answer(tool, arguments, principal)

    return send


def _place(tool: str, arguments: Mapping[str, Any], on: Place | Mapping[str, Place]) -> Place:
    places = on if isinstance(on, Mapping) else {on.place_id: on}
    name = next(name for name in PLACE_NAMES if name in arguments)
    if arguments[name] not in places:
        raise NotOpen(Problem(name, f"there is no {arguments[name]!r} here"))
    place = places[arguments[name]]
    if tool not in place.tools:
        raise NotOpen(Problem(name, f"{arguments[name]!r} is nothing that {tool} can reach"))
    return place
