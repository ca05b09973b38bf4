"""Writes of chapters 04 and 09 over real MCP sessions in memory: each send is a JSON-RPC round trip.

The client, the protocol and the server are the real ones; the network loses replies by draws of
`random.Random`. The client waits out its time-outs on a clock that skips idle time.
"""

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from osfhelpers.engine.client import Delivery, Network, RetrySchedule
from osfhelpers.engine.keys import KeyPolicy, random_keys
from osfhelpers.engine.note import FIXED_TABS, Note
from osfhelpers.engine.room import Room
from osfhelpers.engine.store import Order, Store
from osfhelpers.models.proposal_runs import timer
from osfhelpers.models.proposals import SNIPPET

# So many sends that no write is given up.
PATIENT = RetrySchedule(sends=100)


@dataclass(frozen=True)
class Run:
    """What one run came to: the deliveries as the client saw them, and the seconds that it took."""

    deliveries: tuple[Delivery, ...]
    seconds: float

    @property
    def calls(self) -> int:
        return sum(delivery.calls for delivery in self.deliveries)

    @property
    def conflicts(self) -> int:
        return sum(delivery.conflicts for delivery in self.deliveries)


def make_tabs(
    order: Order,
    policy: KeyPolicy,
    *,
    tabs: int,
    reply_loss: float,
    keys: random.Random,
    losses: Callable[[int], random.Random],
) -> tuple[int, Run]:
    """Ask for so many tabs, one after the other; return how many there are, and the run.

    Args:
        keys: what new keys are drawn from.
        losses: returns what the lost replies of a write are drawn from, by the number of the write.
    """
    note = Note(order=order)
    intent = {"note_id": note.place_id, "tab_type": "slides"}
    run = _deliver(note, "create_note_tab", [intent] * tabs, policy, reply_loss, keys, losses)
    return len(note.tabs) - len(FIXED_TABS), run


def propose(policy: KeyPolicy, *, proposals: int, reply_loss: float, rng: random.Random) -> tuple[Room, Run]:
    """Propose so many different apps, one after the other; return the Room, and the run."""
    room = Room()
    place = {"room_id": room.place_id, "name": "Stand-up timer"}
    intents = [{**place, "files": timer(number)} for number in range(proposals)]
    return room, _deliver(room, SNIPPET, intents, policy, reply_loss, rng, lambda number: rng)


def _deliver(
    place: Store,
    tool: str,
    intents: list[Mapping[str, Any]],
    policy: KeyPolicy,
    reply_loss: float,
    keys: random.Random,
    losses: Callable[[int], random.Random],
) -> Run:
    from osfhelpers.wire.client import call_with_retries
    from osfhelpers.wire.clock import now_s

    async def work(sessions: Any) -> Run:
        nonlocal drawn_from
        deliveries, options = [], {"policy": policy, "fresh": random_keys(keys), "schedule": PATIENT}
        for number, intent in enumerate(intents):
            drawn_from = losses(number)
            deliveries.append(await call_with_retries(sessions, tool, intent, **options))
        return Run(tuple(deliveries), now_s())

    drawn_from = keys
    network = Network(loses_reply=lambda: drawn_from.random() < reply_loss)
    return in_sessions(place, network, work)


def in_sessions(place: Store, network: Network, work: Callable[[Any], Any], **line: Any) -> Any:
    """Open a place to the agent and run `work(sessions)` with a client of it, over a lossy line in memory.

    Args:
        line: further options of `osfhelpers.wire.losing.losing`.
    """
    from osfhelpers.wire.client import Client, Sessions, in_memory
    from osfhelpers.wire.clock import run
    from osfhelpers.wire.losing import losing
    from osfhelpers.wire.server import tool_server

    place.open_to("agent")
    server = tool_server({place.place_id: place})

    async def main() -> Any:
        async with Sessions(lambda: Client(losing(in_memory(server), network, **line))) as sessions:
            return await work(sessions)

    return run(main, skip_idle_time=True)
