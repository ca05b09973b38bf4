"""What becomes of one write when a reader decides what the client does after each reply?

Every history is a real session in memory: silence is a time-out, a closed session is closed.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from osfhelpers.engine.client import scripted
from osfhelpers.engine.keys import random_keys
from osfhelpers.engine.note import FIXED_TABS, Note
from osfhelpers.engine.refusals import Refused
from osfhelpers.engine.store import Conflict, Order
from osfhelpers.models.sessions import in_sessions

STEPS = ("same key", "new key", "stop")
MOST_SENDS = 8


@dataclass(frozen=True)
class History:
    """What happens to one write, and how many tabs and sends it should come to."""

    words: str
    order: Order = Order.KEY_THEN_VERSION
    reply_lost: bool = False
    session_closes: bool = False
    person_saves: bool = False
    tab_type: str = "slides"
    tabs: int = 1
    sends: int = 1


HISTORIES = (
    History("everything arrives"),
    History("the reply is lost", reply_lost=True, sends=2),
    History("the session closes before the reply", reply_lost=True, session_closes=True, sends=2),
    History("a person saves first, and the version is stale", person_saves=True, sends=2),
    History(
        "the reply is lost on a server that checks the version first", Order.VERSION_THEN_KEY, True, sends=3
    ),
    History("the server refuses the call", tab_type="markdown", tabs=0),
)


def play(history: History, next_step: Callable[[str], Any]) -> tuple[int, int]:
    """Send one write until `next_step` says stop; return the tabs made and the sends.

    Args:
        next_step: returns one of `STEPS`, given "done", "conflict", "refused", "silence" or
            "session closed".

    Raises:
        ValueError: it returned something else.
    """
    note, new_key = Note(order=history.order), random_keys(random.Random(1))

    async def work(sessions: Any) -> int:
        from osfhelpers.wire.client import NoReply, SessionEnded

        place = {"note_id": note.place_id}
        tabs = await sessions.call("list_note_tabs", place, timeout_s=10)
        arguments = {**place, "tab_type": history.tab_type, "expected_version": tabs["version"]}
        step = "new key"
        for send in range(1, MOST_SENDS + 1):
            if step == "new key":
                arguments["idempotency_key"] = new_key()
            if history.person_saves and send == 1:
                note.save("Q3 at a glance")
            try:
                answer = await sessions.call("create_note_tab", arguments, timeout_s=10)
                reply = "conflict" if isinstance(answer, Conflict) else "done"
            except SessionEnded:
                reply = "session closed"
            except NoReply:
                reply = "silence"
            except Refused:
                reply = "refused"
            if reply == "conflict":
                arguments["expected_version"] = answer.current_version
            step = next_step(reply)
            if step not in STEPS:
                raise ValueError(f"after {reply!r} it returned {step!r}, which is none of {', '.join(STEPS)}")
            if step == "stop":
                break
        return send

    network = scripted([history.reply_lost])
    sends = in_sessions(note, network, work, hangs_up=history.session_closes)
    return len(note.tabs) - len(FIXED_TABS), sends
