"""Would this call be accepted? The check that a client can make before it sends.

A refused call costs a round trip and, for a proposal, all its files written once more. So the
same judges that stand before the store are asked here, and nothing is sent: the small
validator, the full schema and, where the schema passes, the server rules.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from osfhelpers.engine.json_text import JSONTextError, read_json
from osfhelpers.engine.refusals import Problem
from osfhelpers.engine.rules import rule_problems
from osfhelpers.engine.snapshot import tool
from osfhelpers.engine.validator import argument_problems, small_verdict

JUDGES = ("small validator", "full schema", "server rules")


@dataclass(frozen=True)
class Check:
    """What each judge says of a call; every problem's place is a JSON path from the arguments `$`.

    Args:
        ignored: the keywords of the schema that the small validator did not look at.
        rules: None when the schema refuses, since rules assume arguments that fit it.
    """

    small: tuple[Problem, ...]
    ignored: tuple[str, ...]
    schema: tuple[Problem, ...]
    rules: tuple[Problem, ...] | None

    @property
    def passes(self) -> bool:
        """Whether the full schema and the server rules both accept the call."""
        return not self.schema and not self.rules

    def verdicts(self) -> Iterator[tuple[str, str, tuple[str, ...]]]:
        """Yield each judge, its verdict in words, and its problems, ready to be printed."""
        unseen = f"ok, but it ignored {', '.join(self.ignored)}" if self.ignored else "ok"
        for judge, problems, passed in zip(
            JUDGES, (self.small, self.schema, self.rules), (unseen, "ok", "ok"), strict=True
        ):
            if problems is None:
                yield judge, "not asked: the schema refuses the call", ()
            else:
                yield judge, "refused" if problems else passed, tuple(map(_visible, problems))


def check_call(name: str, arguments: Any) -> Check:
    """Ask all judges about the arguments of a call.

    Raises:
        UnknownTool: the snapshot has no tool of that name.
    """
    small = small_verdict(tool(name).input_schema, arguments)
    schema = argument_problems(name, arguments)
    return Check(
        small=_from_root(small.problems),
        ignored=tuple(sorted(small.ignored)),
        schema=_from_root(schema),
        rules=None if schema else _from_root(rule_problems(name, arguments)),
    )


def check_text(name: str, text: str | bytes) -> Check:
    """Ask all judges about a JSON text of arguments.

    Raises:
        UnknownTool: the snapshot has no tool of that name.
        JSONTextError: the text is no JSON, or means different things to different readers.
    """
    tool(name)
    try:
        return check_call(name, read_json(text))
    except RecursionError:
        raise JSONTextError("the text is nested too deeply to be judged") from None


def _from_root(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    return tuple(Problem(_json_path(problem.place), problem.what) for problem in problems)


def _json_path(place: str) -> str:
    if place.startswith("$"):
        return place
    return f"${place}" if not place or place.startswith("[") else f"$.{place}"


def _visible(problem: Problem) -> str:
    # A name may hold a line end, an escape sequence or half a surrogate pair: show it, do not send it.
    return "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in str(problem))
