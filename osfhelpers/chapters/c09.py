"""Chapter 09: its guess and its exercises."""

import hashlib
import json
import random
from collections.abc import Callable, Mapping
from typing import Any

from osfhelpers.engine.client import lossy
from osfhelpers.engine.keys import KeyPolicy, canonical, content_key, new_key_per_call, same_key_on_retry
from osfhelpers.engine.room import Room
from osfhelpers.experiments import review_gate
from osfhelpers.measuring.evidence import Key
from osfhelpers.models.proposal_runs import sends
from osfhelpers.teaching.exercises import Exercise, predict
from osfhelpers.teaching.guesses import Guess


def _mean(measure: str, **params: Any) -> float:
    return review_gate.expected(review_gate.Params(**params))[Key(review_gate.RANDOM, measure)].value


GUESS = Guess(
    number="09",
    question=(
        "An agent proposes 1,000 different apps to a Room. 5% of the replies are lost, and every retry "
        "carries a new key. Nothing reaches the launcher without the owner. How many review cards does the "
        "owner find?"
    ),
    options=(1_000, 1_025, 1_053, 1_100, 2_000),
    unit="cards",
    answer=lambda: round(_mean("owner cards")),
    because="The gate holds every one of them back, and a person has to look at every one of them.",
)

# 09.2: write the policy.

FIRST = {"src/App.tsx": "first version", "src/styles.css": "plain"}
TURNED = dict(reversed(FIRST.items()))
CHANGED = {**FIRST, "src/App.tsx": "second version"}
RUNS = 20


def judge_policy(policy: KeyPolicy) -> str | None:
    """Propose apps to a real Room with the reader's keys, on hidden lossy histories."""
    for seed in range(RUNS):
        for lives, wanted, words in (
            ([("Timer", FIRST)], 1, "one app, sent until a reply came"),
            ([("Timer", FIRST), ("Timer", FIRST)], 1, "one app, and the client restarted in between"),
            ([("Timer", FIRST), ("Timer", TURNED)], 1, "one app, its files in another order after a restart"),
            ([("Timer", FIRST), ("Timer", CHANGED)], 2, "one app and its changed version"),
            ([("Timer", FIRST), ("Clock", FIRST)], 2, "the same files under two names"),
        ):
            cards = _cards(policy, lives, seed)
            if cards != wanted:
                return f"{words}: the owner should find {wanted} and finds {cards}"
    return None


def _cards(policy: KeyPolicy, lives: list[tuple[str, Mapping[str, str]]], seed: int) -> int:
    rng, room = random.Random(seed), Room()
    room.open_to("agent")
    network = lossy(0.5, rng)
    for name, files in lives:
        sends(room, policy, network, rng, files, name=name, max_sends=60)
    return len(room.pending)


def _hashed(value: bytes) -> str:
    return f"app-{hashlib.sha256(value).hexdigest()[:32]}"


# 09.3: transfer to expenses.

CLAIM = {"employee": "Ada", "day": "2026-11-09", "cents": 4200, "purpose": "train"}
CLAIMS = (
    ("one claim, sent three times", [CLAIM | {"sent_at": moment} for moment in ("9:00", "9:01", "9:03")], 1),
    ("a claim with its amount corrected", [CLAIM, CLAIM | {"cents": 2400}], 2),
    ("two claims of one employee on one day", [CLAIM, CLAIM | {"purpose": "lunch"}], 2),
    ("the same trip by two employees", [CLAIM, CLAIM | {"employee": "Ben"}], 2),
)


def judge_claim(claim_key: Callable[[dict[str, Any]], Any]) -> str | None:
    """Count the claims that a manager finds, by the reader's key."""
    for words, claims, wanted in CLAIMS:
        found = len({claim_key({"sent_at": "9:00", **claim}) for claim in claims})
        if found != wanted:
            return f"{words}: the manager should find {wanted} and finds {found}"
    return None


EXERCISES = (
    predict(
        "09.1",
        "You can decide what a loss rate costs the person behind a gate. 200 proposals, 10% of replies "
        "lost, a new key per attempt, no limit on retries: how many cards are duplicates, on average? "
        "Give a number.",
        right=_mean("duplicates", proposals=200, reply_loss=0.1),
        wrong={
            "nothing ran, so nothing is lost": (
                0,
                "nothing ran twice, but the cards are there, and somebody has to read them to find that out",
            ),
            "only first sends lose their reply": (
                20,
                "the second send can lose its reply too, and then there is a third card",
            ),
            "the number of cards": (222, "that is all cards; the first of each proposal is no duplicate"),
        },
        hints=(
            "Each lost reply leaves one card behind, and the next send can lose its reply too.",
            "Add up p + p² + p³ + … for each proposal.",
        ),
        worked="200 x 0.1/(1 - 0.1) = 22.2 duplicate cards.",
        advice="add up a geometric series",
        within=0.5,
    ),
    Exercise(
        number="09.2",
        title="Write the policy",
        task=(
            "You can write keys that survive a restart. Complete <code>my_key(attempt)</code>. "
            "<code>attempt.intent</code> holds <code>room_id</code>, <code>name</code> and "
            "<code>files</code>; <code>attempt.previous</code> is the last key of this delivery, and None "
            "after a restart; <code>attempt.fresh()</code> draws a new key. Return a string of at least 8 "
            "characters. The owner should find every app once, and every changed app as a new card."
        ),
        hints=(
            "After a restart the client knows what it wants, and nothing else.",
            "<code>canonical(value)</code> returns one spelling, as bytes, for equal JSON values.",
        ),
        worked=(
            "def my_key(attempt):\n"
            '    content = canonical([attempt.intent["name"], attempt.intent["files"]])\n'
            "    return hashlib.sha256(content).hexdigest()"
        ),
        answer=content_key,
        judge=judge_policy,
        misconceptions={
            "a new key per call": new_key_per_call,
            "a random key, kept while the client runs": same_key_on_retry,
            "the name is the intent": lambda attempt: _hashed(attempt.intent["name"].encode()),
            "the files as they happen to be ordered": lambda attempt: _hashed(
                json.dumps([attempt.intent["name"], attempt.intent["files"]]).encode()
            ),
            "the files without the name": lambda attempt: _hashed(canonical(attempt.intent["files"])),
        },
    ),
    Exercise(
        number="09.3",
        title="Take it to expenses",
        task=(
            "You can do the same for a tool that is not osFoundry's. An agent files expense claims, and a "
            "manager approves each one. A claim is a dictionary with <code>employee</code>, "
            "<code>day</code>, <code>cents</code>, <code>purpose</code> and <code>sent_at</code>. Write "
            "<code>claim_key(claim)</code>, which returns a string or a tuple: the manager finds each claim "
            "once, and a corrected one as a new claim."
        ),
        hints=("Which fields does the manager approve?", "Which field differs when nothing else does?"),
        worked=(
            "def claim_key(claim):\n"
            '    return claim["employee"], claim["day"], claim["cents"], claim["purpose"]'
        ),
        answer=lambda claim: (claim["employee"], claim["day"], claim["cents"], claim["purpose"]),
        judge=judge_claim,
        misconceptions={
            "everything in the claim": lambda claim: tuple(claim.values()),
            "one claim a day": lambda claim: (claim["employee"], claim["day"]),
            "the amount on a day": lambda claim: (claim["employee"], claim["day"], claim["cents"]),
            "the trip is the claim": lambda claim: (claim["day"], claim["cents"], claim["purpose"]),
        },
    ),
)
