"""A client proposes apps to a real Room over a network that loses messages."""

import random
from collections.abc import Mapping
from typing import Any

from osfhelpers.drawing.sequence import CARDS, Sequences
from osfhelpers.engine.calls import validating_once_per_shape
from osfhelpers.engine.client import MAX_SENDS, Delivery, Exchange, GaveUp, Network, deliver, scripted
from osfhelpers.engine.keys import KeyPolicy, content_key, new_key_per_call, same_key_on_retry
from osfhelpers.engine.room import Room
from osfhelpers.measuring.evidence import Key
from osfhelpers.models.proposals import SNIPPET

# The published arms, and a measure that both must keep at 0.
RANDOM, CONTENT = "random per attempt", "from the content"
POLICIES: dict[str, KeyPolicy] = {RANDOM: new_key_per_call, CONTENT: content_key}
LAUNCHER = "in the launcher before approval"


def timer(number: int = 0) -> dict[str, str]:
    """Return the files of a very small app; another number is other code."""
    return {"src/App.tsx": f"export default () => <Timer minutes={{{number}}} />;\n"}


def propose_all(
    policy: KeyPolicy,
    *,
    proposals: int,
    network: Network,
    rng: random.Random,
    max_sends: int = MAX_SENDS,
) -> tuple[Room, list[tuple[Exchange, ...]]]:
    """Propose different apps to a fresh Room, one after the other; return it and all the sends."""
    room, send = Room(), validating_once_per_shape()
    room.open_to("agent")
    exchanges = [
        sends(room, policy, network, rng, timer(number), max_sends=max_sends, send=send)
        for number in range(proposals)
    ]
    return room, exchanges


def counts(arm: str, room: Room, *, calls: int) -> dict[Key, int]:
    """Return what a run of different apps came to: the same code on two cards is a duplicate."""
    cards = [app.code["src/App.tsx"] for app in room.pending]
    return {
        Key(arm, "calls"): calls,
        Key(arm, "owner cards"): len(cards),
        Key(arm, "duplicates"): len(cards) - len(set(cards)),
        Key(arm, LAUNCHER): len(room.launcher),
    }


def sends(
    room: Room,
    policy: KeyPolicy,
    network: Network,
    rng: random.Random,
    files: Mapping[str, str],
    *,
    name: str = "Stand-up timer",
    **options: Any,
) -> tuple[Exchange, ...]:
    """Propose one app until a reply comes or the client gives up, and return all the sends."""
    intent = {"room_id": room.place_id, "name": name, "files": files}
    options |= {"on": room, "policy": policy, "network": network}
    try:
        return deliver(SNIPPET, intent, fresh=lambda: f"{rng.getrandbits(128):032x}", **options).exchanges
    except GaveUp as gave_up:
        return gave_up.exchanges


def lost_replies() -> Sequences:
    """Return one proposal whose first reply is lost, under several keys, with and without a restart."""
    kept = same_key_on_retry
    variants = {
        "a key from the content, and the client restarts": _lives(content_key, content_key),
        "one random key, kept": _lives(kept),
        "one random key, and the client restarts": _lives(kept, kept),
        "a new key per attempt": _lives(new_key_per_call),
    }
    return Sequences("One proposal, one lost reply", variants, CARDS)


def _lives(*policies: KeyPolicy) -> Delivery:
    # A client that restarts has forgotten its first send; only in its last life it may send again.
    room, rng, network = Room(), random.Random(1), scripted([True])
    room.open_to("agent")
    exchanges: tuple[Exchange, ...] = ()
    for life, policy in enumerate(policies, 1):
        most = MAX_SENDS if life == len(policies) else 1
        exchanges += sends(room, policy, network, rng, timer(), max_sends=most)
    return Delivery(exchanges, exchanges[-1].answer.result)
