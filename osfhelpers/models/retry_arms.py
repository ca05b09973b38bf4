"""What becomes of a write whose replies get lost, by the order of checks and the key policy?

The arms of the published retries. Two orders and three policies come to three fates; `settle`
is their arithmetic, and `deliver_all` the same on the real store.
"""

import random
from collections.abc import Sequence
from enum import Enum
from typing import TYPE_CHECKING, Any, NamedTuple

from osfhelpers.drawing.figures import Outcome, headline, outcome_legend
from osfhelpers.engine.client import Delivery, Network, deliver
from osfhelpers.engine.keys import (
    KeyPolicy,
    new_key_after_conflict,
    new_key_per_call,
    random_keys,
    same_key_on_retry,
)
from osfhelpers.engine.note import Note
from osfhelpers.engine.store import Order

if TYPE_CHECKING:
    from matplotlib.axes import Axes

POLICIES: dict[str, KeyPolicy] = {
    "new key per call": new_key_per_call,
    "same key on retry": same_key_on_retry,
    "new key after a conflict": new_key_after_conflict,
}
ARMS = tuple((order, policy) for order in Order for policy in POLICIES)
# Where the bar of each arm lies in a figure.
ROWS = (0, 1, 2, 4.1, 5.1, 6.1)
# Where their two heads begin, in shares of the axes: at the figure's left, so that a phone shows them.
HEAD_X = -0.374


def arm_name(order: Order, policy: str) -> str:
    """Return the words for one arm, as the published figures have them."""
    return f"{order.value} / {policy}"


class Fate(Enum):
    """What becomes of a write whose replies get lost."""

    LANDS_AGAIN = "every resend conflicts, and what follows the conflict is a new write"
    CONFLICTS_ONCE = "the first resend conflicts; after the re-read, every resend is a replay"
    LANDS_ONCE = "every resend is a replay"


def fate(order: Order, policy: str) -> Fate:
    """Return what becomes of a write under an order of checks and a key policy."""
    if policy == "new key per call":
        return Fate.LANDS_AGAIN
    if order is Order.KEY_THEN_VERSION:
        return Fate.LANDS_ONCE
    return Fate.CONFLICTS_ONCE if policy == "same key on retry" else Fate.LANDS_AGAIN


class Outcomes(NamedTuple):
    """What the writes of a run come to: numbers, or for many runs arrays."""

    tabs: Any
    calls: Any
    conflicts: Any


def settle(fate: Fate, writes: Any, lost: Any, hit: Any) -> Outcomes:
    """Return how many tabs a run makes, and the calls and conflicts it takes: the whole model.

    Args:
        writes: how many tabs the run intends.
        lost: how many replies are lost in it.
        hit: how many of its writes lose at least one reply. All three are numbers or arrays.
    """
    if fate is Fate.LANDS_AGAIN:
        return Outcomes(writes + lost, writes + 2 * lost, lost)
    if fate is Fate.CONFLICTS_ONCE:
        return Outcomes(writes, writes + lost + hit, hit)
    return Outcomes(writes, writes + lost, 0 * hit)


def deliver_all(
    order: Order, policy: KeyPolicy, *, calls: int, network: Network, rng: random.Random
) -> list[Delivery]:
    """Send `calls` writes to a fresh Note, one after the other: the plain twin of the model."""
    note = Note(order=order)
    note.open_to("agent")
    intent = {"note_id": note.place_id, "tab_type": "slides"}
    return [
        deliver("create_note_tab", intent, on=note, policy=policy, network=network, fresh=random_keys(rng))
        for _ in range(calls)
    ]


def label_arms(ax: "Axes", title: str, *, marks: Sequence[str]) -> None:
    """Name the arms at the left of a figure, and its colours and marks at its foot."""
    ax.set_yticks(ROWS, [policy for _, policy in ARMS])
    for y, order in ((-0.8, Order.KEY_THEN_VERSION), (3.3, Order.VERSION_THEN_KEY)):
        words = f"The server checks: {order.value}"
        ax.text(HEAD_X, y, words, fontweight="bold", va="center", transform=ax.get_yaxis_transform())
    ax.set(ylim=(6.7, -1.2))
    headline(ax, title, left=0.28, bottom=0.25)
    words = {
        Outcome.RIGHT: "the intended tab",
        Outcome.SILENT: "an extra tab, unnoticed",
        Outcome.LOUD: "a conflict with one's own write",
    }
    outcome_legend(ax, words, marks=marks)
