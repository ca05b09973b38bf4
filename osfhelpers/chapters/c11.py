"""Chapter 11: its guess and its exercises."""

import random
from collections.abc import Callable
from typing import Any

from osfhelpers.engine.client import RetrySchedule
from osfhelpers.models.killed_server import Killed, tabs_after_a_kill
from osfhelpers.models.next_steps import HISTORIES, MOST_SENDS, play
from osfhelpers.teaching.exercises import Exercise, predict
from osfhelpers.teaching.guesses import Guess

GUESS = Guess(
    number="11",
    question=(
        "A server commits a new tab, and then the call's key in a second transaction. It is killed between "
        "the two and started again. The client sends the same call, with the same key, until it has an "
        "answer. How many tabs are there?"
    ),
    options=(0, 1, 2, 3),
    unit="tabs",
    answer=lambda: tabs_after_a_kill(one_transaction=False),
    because="The effect is in the file and the key is not, so the server takes the retry for a new wish.",
)

LOST = 3

# 11.2: write the policy.


def judge_next_step(next_step: Callable[[str], Any]) -> str | None:
    """Let a reader's function lead the client through real sessions."""
    for history in HISTORIES:
        try:
            tabs, sends = play(history, next_step)
        except ValueError as error:
            return str(error)
        if tabs != history.tabs:
            return f"{history.words}: tabs wanted {history.tabs}, tabs made {tabs}"
        if sends != history.sends:
            end = ", and there was no end to it" if sends == MOST_SENDS else ""
            return f"{history.words}: sends needed {history.sends}, sends made {sends}{end}"
    return None


def right_step(reply: str) -> str:
    """Stop at an answer that settles the call; else send the same wish again."""
    return "stop" if reply in ("done", "refused") else "same key"


def step_but(**other: str) -> Callable[[str], str]:
    """Return the right function with other steps after some replies."""
    return lambda reply: other.get(reply.replace(" ", "_"), right_step(reply))


# 11.3: transfer to a payment.

ORDERS = {"A17": 1999, "A18": 1999}
OPERATIONS = 8


class Desk:
    """A shop and its bank in one, whose process is killed after one of their operations."""

    def __init__(self, killed_after: int) -> None:
        self.left, self.paid, self.charges = killed_after, set(), {}

    def _done(self) -> None:
        self.left -= 1
        if self.left == 0:
            raise Killed

    def is_paid(self, order_id: str) -> bool:
        """Whether the shop has marked an order as paid."""
        return order_id in self.paid

    def mark_paid(self, order_id: str) -> None:
        """Mark an order as paid, in the shop's own database."""
        self.paid.add(order_id)
        self._done()

    def charge(self, cents: int, key: str) -> None:
        """Charge a card; the bank carries out each key once."""
        self.charges.setdefault(key, cents)
        self._done()


def judge_pay(pay: Callable[[str, int, Desk, Desk], Any]) -> str | None:
    """Pay two orders of the same amount, with a kill after each operation in turn, and pay again."""
    for killed_after in range(1, OPERATIONS):
        desk = Desk(killed_after)
        for order_id, cents in ORDERS.items():
            try:
                pay(order_id, cents, desk, desk)
            except Killed:
                pay(order_id, cents, desk, desk)
        when = f"when the process is killed after operation {killed_after}"
        if len(desk.charges) > len(ORDERS):
            return f"{when}, {len(desk.charges)} charges are made for two orders"
        if len(desk.charges) < len(ORDERS):
            return f"{when}, one of the two orders is never charged"
        if unmarked := set(ORDERS) - desk.paid:
            return f"{when}, order {min(unmarked)} is charged and never marked as paid"
    return None


def paying(key: Callable[[str, int], str], *, mark_first: bool = False) -> Callable[..., None]:
    """Return a `pay` that charges under such a key, and marks after it or before."""

    def pay(order_id: str, cents: int, shop: Desk, bank: Desk) -> None:
        if shop.is_paid(order_id):
            return
        if mark_first:
            shop.mark_paid(order_id)
        bank.charge(cents, key(order_id, cents))
        if not mark_first:
            shop.mark_paid(order_id)

    return pay


def order_key(order_id: str, cents: int) -> str:
    """Name the intent: this order is paid."""
    return f"order-{order_id}"


EXERCISES = (
    predict(
        "11.1",
        "You can decide how patient a client must be. Its time-out is 10 s; before it sends again it "
        "waits 1 s, then 2 s, then 4 s and so on. The first three replies are lost. How many seconds "
        "after its first send does it hold the tab's ID? Give a number.",
        right=RetrySchedule().send_times_s[LOST],
        wrong={
            "silence is noticed at once": (
                7,
                "silence is noticed only when the time-out has passed, after each of the three sends",
            ),
            "only time-outs take time": (
                30,
                "the client also waits before it sends again: 1 s, then 2 s, then 4 s",
            ),
            "every send times out": (
                47,
                "the fourth send is answered at once, so it spends no time-out",
            ),
        },
        hints=(
            "How long does it take to notice that the first reply is lost?",
            "The second send leaves after 10 + 1 = 11 seconds.",
        ),
        worked="(10 + 1) + (10 + 2) + (10 + 4) = 37 seconds; the fourth send is answered at once.",
        advice="add a time-out and a wait for each lost reply",
    ),
    Exercise(
        number="11.2",
        title="Write the policy",
        task=(
            "You can write a client that survives its connection. Complete <code>next_step(reply)</code>; a "
            'reply is <code>"done"</code>, <code>"conflict"</code>, <code>"refused"</code>, '
            '<code>"silence"</code> or <code>"session closed"</code>; return <code>"same key"</code>, '
            '<code>"new key"</code> or <code>"stop"</code>. After a conflict the client goes on with the '
            "version that it was told, and after a closed session it opens another."
        ),
        hints=(
            "Which replies say what has become of the call?",
            "Does the server know that a new session carries an old wish? Only the key can say so.",
        ),
        worked=(
            "def next_step(reply):\n"
            '    if reply in ("done", "refused"):\n'
            '        return "stop"\n'
            '    return "same key"'
        ),
        answer=right_step,
        judge=judge_next_step,
        misconceptions={
            "silence means that nothing happened": step_but(silence="new key"),
            "a new session is a new start": step_but(session_closed="new key"),
            "a closed session has failed": step_but(session_closed="stop"),
            "a conflict is somebody else's write": step_but(conflict="new key"),
            "a conflict ends it": step_but(conflict="stop"),
            "try until it works": step_but(refused="same key"),
        },
    ),
    Exercise(
        number="11.3",
        title="Take it to a payment",
        task=(
            "You can find the border of your transaction. A shop has a database of its own; the card is "
            "charged at a bank, which no transaction of the shop reaches. The process may be killed after "
            "any operation and is then called again with the same order. Write "
            "<code>pay(order_id, cents, shop, bank)</code> with <code>shop.is_paid(order_id)</code>, "
            "<code>shop.mark_paid(order_id)</code> and <code>bank.charge(cents, key)</code>; the bank "
            "carries out each key once. Every order is charged once and marked, also when two cost the same."
        ),
        hints=(
            "Whichever of the two comes first, the kill may fall behind it. Which one may be repeated?",
            "What stays the same when the same order is paid again?",
        ),
        worked=(
            "def pay(order_id, cents, shop, bank):\n"
            "    if not shop.is_paid(order_id):\n"
            '        bank.charge(cents, key=f"order-{order_id}")\n'
            "        shop.mark_paid(order_id)"
        ),
        answer=paying(order_key),
        judge=judge_pay,
        misconceptions={
            "mark it first, then it cannot be charged twice": paying(order_key, mark_first=True),
            "a key for every attempt": paying(lambda order_id, cents: f"{random.getrandbits(128):032x}"),
            "the amount is the order": paying(lambda order_id, cents: f"cents-{cents}"),
        },
    ),
)
