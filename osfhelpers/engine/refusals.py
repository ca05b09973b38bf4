"""What does a refused call say, and what does it carry as evidence?

A refusal is an exception; an ordinary answer of the protocol (done, conflict) is a return
value. Every refusal lists its problems, each with the place it was found at, so that a
client, a notebook and the command line can show them alike. A refused call changed nothing.
"""

from dataclasses import dataclass

# A message lists this many problems; `Refused.problems` holds them all.
SHOWN = 5


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong with a call: where, and what."""

    place: str
    what: str

    def __str__(self) -> str:
        return f"{self.place}: {self.what}" if self.place else self.what


class Refused(Exception):
    """A call was refused; nothing was stored, not even under its key."""

    def __init__(self, *problems: Problem) -> None:
        shown = [str(problem) for problem in problems[:SHOWN]]
        if len(problems) > SHOWN:
            shown.append(f"and {len(problems) - SHOWN} more")
        super().__init__("; ".join(shown))
        self.problems = problems


class UnknownTool(Refused):
    """No tool of that name is in the snapshot."""


class InvalidArguments(Refused):
    """The arguments do not fit the tool's input schema."""


class RuleBroken(Refused):
    """The arguments fit the schema and break a rule that the schema does not state."""


class NotOpen(Refused):
    """The Note or Room is not there, or its owner has not opened it to this principal."""


class UnknownTab(Refused):
    """No tab has this ID; IDs are never reused, so it is never a neighbour."""


class WrongTab(Refused):
    """The tab is there and is of a type that this operation cannot write to."""


class KeyReused(Refused):
    """The key already stands for another call."""


class UnknownApp(Refused):
    """No app of this Room has this ID."""


class NotPending(Refused):
    """The proposal has already been approved or declined."""


class NotInLauncher(Refused):
    """The app is not in the launcher, so nobody can open or deploy it."""
