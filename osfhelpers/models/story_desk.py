"""How does an agent work at its tools, with every phrase struck out and with every phrase back?

The agent lists the tabs before it writes, sends again when no reply comes, and reports every
error. In every way of working the same replies get lost: the n-th reply to a wish is, whenever
it is sent.
"""

import itertools
import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from osfhelpers.engine.calls import call
from osfhelpers.engine.client import deliver, lossy
from osfhelpers.engine.keys import KeyPolicy, new_key_per_call, same_key_on_retry
from osfhelpers.engine.note import Note
from osfhelpers.engine.room import Room
from osfhelpers.engine.store import Done, Store
from osfhelpers.models.proposals import SNIPPET

LABEL, BUDGET = "Q3 review", "Budget"
Arguments = Mapping[str, Any]
Look = Callable[[], Arguments | None]


class Way(Enum):
    """How the agent and the server work."""

    STRUCK = "every phrase struck out"
    LOOKING = "struck out, but the agent looks first"
    BACK = "every phrase back"


def unguarded(tool: str, arguments: Arguments, on: Store, principal: str) -> Any:
    """Reach the store with no schema, no rule and no gate before it."""
    answer = on.answer(tool, arguments, principal)
    if tool == SNIPPET:
        on.approve(answer.result["instance_id"])
    return answer


@dataclass
class Desk:
    """One session's Note and Room.

    Args:
        loss: the share of replies that get lost.
        session: which replies those are.
    """

    way: Way
    loss: float
    session: int
    keys: Iterator[int] = field(default_factory=itertools.count)

    def __post_init__(self) -> None:
        self.back = self.way is Way.BACK
        self.send: Callable[..., Any] = call if self.back else unguarded
        self.note, self.room = Note(check_version=self.back), Room()
        for principal in ("agent", "colleague"):
            self.note.open_to(principal)
        self.room.open_to("agent")
        self.draft, self.budget = self.note.add("slides", "Draft"), self.note.add("sheet", BUDGET)
        self.colleague_sets_sum(40)

    def write(
        self,
        name: str,
        tool: str,
        intent: Arguments,
        *,
        key: KeyPolicy = same_key_on_retry,
        look: Look = lambda: None,
    ) -> tuple[Arguments, str]:
        """Send one write until it is settled; return its result, and what the agent was told.

        Args:
            name: of the wish, which decides what replies get lost.
            key: with the phrases back; without them, every send is a call with a key of its own.
            look: finds the effect of an earlier send by the reading tools, if they show it.
        """
        draws = random.Random(f"{name}, session {self.session}")

        def send(tool: str, arguments: Arguments, *, on: Store, principal: str) -> Any:
            if self.way is Way.LOOKING and "idempotency_key" in arguments and (found := look()):
                return Done(found, replayed=True)
            return self.send(tool, arguments, on=on, principal=principal)

        delivery = deliver(
            tool,
            intent,
            on=self.room if "room_id" in intent else self.note,
            policy=key if self.back else new_key_per_call,
            network=lossy(self.loss, draws),
            fresh=lambda: f"key-{next(self.keys):08}",
            send=send,
        )
        sends = delivery.calls
        return delivery.result, "done" if sends == 1 else f"done, at send {sends}"

    def read(self, tool: str, **arguments: Any) -> Arguments:
        place = self.room if "room_id" in arguments else self.note
        return self.send(tool, arguments, on=place, principal="agent")

    def tab_called(self, label: str) -> str | None:
        """Find a tab by its label in a fresh list."""
        rows = self.read("list_note_tabs", note_id=self.note.place_id)["tabs"]
        return next((row["tab_id"] for row in rows if row["label"] == label), None)

    def set_sum(self, value: int, *, version: int, send: Callable[..., Any], principal: str = "agent") -> Any:
        """Write the sum in B2, over a network that loses nothing."""
        arguments = {"note_id": self.note.place_id, "tab_id": self.budget, "operation": "sheet_range_set"}
        arguments |= {"range": "B2", "values": [[value]], "expected_version": version}
        arguments["idempotency_key"] = f"key-{next(self.keys):08}"
        return send("edit_note_tab", arguments, on=self.note, principal=principal)

    def colleague_sets_sum(self, value: int) -> None:
        self.set_sum(value, version=self.note.version, send=unguarded, principal="colleague")
