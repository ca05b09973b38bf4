"""Chapter 04: its guess and its exercises."""

import random
from collections.abc import Callable
from typing import Any

from osfhelpers.engine.client import Network
from osfhelpers.engine.keys import KeyPolicy, new_key_after_conflict, new_key_per_call, same_key_on_retry
from osfhelpers.engine.store import Order
from osfhelpers.experiments import retries
from osfhelpers.measuring.evidence import Key
from osfhelpers.models.retry_arms import arm_name, deliver_all
from osfhelpers.teaching.exercises import Exercise, predict
from osfhelpers.teaching.guesses import Guess


def _tabs(calls: int, reply_loss: float) -> float:
    arm = arm_name(Order.KEY_THEN_VERSION, "new key per call")
    return retries.expected(retries.Params(calls, reply_loss))[Key(arm, "tabs")].value


GUESS = Guess(
    number="04",
    question=(
        "An agent creates 50 tabs over a network that loses 30% of the replies after the commit, and "
        "draws a new key for every call. The server checks versions. How many tabs are there at the end?"
    ),
    options=(50, 57, 65, 71, 100),
    unit="tabs",
    answer=lambda: round(_tabs(50, 0.3)),
    because="A version check does not stop a write that has read the version afresh.",
)

# 04.2: write the policy.

HISTORIES = 40
WANTED = 3


def judge_policy(policy: KeyPolicy) -> str | None:
    """Run a key policy on the real store, under both orders, on hidden lossy histories."""
    for order in Order:
        for seed in range(HISTORIES):
            if reason := _judge_history(policy, order, random.Random(seed)):
                return f"{reason} (the server checks: {order.value})"
    return None


def _judge_history(policy: KeyPolicy, order: Order, rng: random.Random) -> str | None:
    network = Network(lambda: rng.random() < 0.4, lambda: rng.random() < 0.2)
    settled = deliver_all(order, policy, calls=WANTED, network=network, rng=rng)
    made = sum(delivery.effects for delivery in settled)
    counted = f"{WANTED} tabs were wanted and {made} made"
    if made < WANTED:
        return f"{counted}: two intents shared a key"
    if made > WANTED:
        twice = next(delivery for delivery in settled if delivery.effects > 1)
        keys = ", ".join(exchange.key[:4] for exchange in twice.exchanges)
        return f"{counted}: one write was sent under the keys {keys}"
    return None


def constant_key(attempt: Any) -> str:
    """Always the same key."""
    return "the-only-key"


# 04.3: transfer to a payment.

ORDERS = (("A17", 1999, ("09:00:00", "09:00:30", "09:01:30")), ("A18", 1999, ("09:05:00",)))


def judge_payment(payment_key: Callable[[str, int, int, str], str]) -> str | None:
    """Charge two orders of the same amount, the first one sent three times, by the reader's key."""
    charged: dict[str, str] = {}
    for order_id, cents, moments in ORDERS:
        for attempt_number, moment in enumerate(moments, 1):
            charged.setdefault(payment_key(order_id, cents, attempt_number, moment), order_id)
    orders = list(charged.values())
    if orders.count("A17") > 1:
        return f"order A17 was charged {orders.count('A17')} times: its key changed between two sends"
    if "A18" not in orders:
        return "order A18 was never charged: it has the key of A17, which costs the same"
    return None


EXERCISES = (
    predict(
        "04.1",
        "You can decide how much damage a loss rate does. 40 intended tabs, 20% of replies lost, a new "
        "key per call: how many tabs are there on average? Give a number.",
        right=_tabs(40, 0.2),
        wrong={
            "the version check stops the second write": (
                40,
                "the client reads the version again after the conflict, so its second write passes the check",
            ),
            "only first sends lose their reply": (
                48,
                "the second write can lose its reply too, and then there is a third",
            ),
            "the number of calls": (60, "that is the number of calls; a conflicting call makes no tab"),
        },
        hints=(
            "A write that loses its reply is written again, and that write can lose its reply too.",
            "1 + p + p² + … = 1/(1 − p)",
        ),
        worked="Each intended tab is made 1/(1 - 0.2) = 1.25 times on average: 40 x 1.25 = 50 tabs.",
        advice="add up a geometric series",
        within=0.1,
    ),
    Exercise(
        number="04.2",
        title="Write the policy",
        task=(
            "You can write a client that is safe with either order of checks. Complete "
            "<code>my_policy(attempt)</code>, which returns the key of the next send. "
            "<code>attempt.previous</code> is the key of the last send of this write (None at first), "
            "<code>attempt.event</code> says why you send, <code>attempt.fresh()</code> draws a new key."
        ),
        hints=(
            "A key names what you want, not the moment at which you ask for it.",
            "What does a conflict tell you about whether your first send took effect? Nothing.",
        ),
        worked="def my_policy(attempt):\n    return attempt.previous or attempt.fresh()",
        answer=same_key_on_retry,
        judge=judge_policy,
        misconceptions={
            "a new key per call": new_key_per_call,
            "a conflict starts a new intent": new_key_after_conflict,
            "one key for everything": constant_key,
        },
    ),
    Exercise(
        number="04.3",
        title="Take it to a payment",
        task=(
            "You can choose a key for a tool that is not osFoundry's. A shop charges a card and sends again "
            "when no reply comes. Write <code>payment_key(order_id, cents, attempt_number, clock)</code> so "
            "that every order is charged exactly once, also when two orders cost the same."
        ),
        hints=("Which of the four values stay the same when the same charge is sent again?",),
        worked='def payment_key(order_id, cents, attempt_number, clock):\n    return f"charge-{order_id}"',
        answer=lambda order_id, cents, attempt_number, clock: f"charge-{order_id}",
        judge=judge_payment,
        misconceptions={
            "the clock makes it unique": lambda order_id, cents, attempt, clock: f"{order_id}-{clock}",
            "every attempt is a call": lambda order_id, cents, attempt, clock: f"{order_id}-{attempt}",
            "the amount is the intent": lambda order_id, cents, attempt, clock: f"charge-{cents}",
        },
    ),
)
