"""Chapter 05: its guess and its exercises."""

import random
from collections.abc import Callable
from typing import Any

from osfhelpers.engine.client import deliver, scripted
from osfhelpers.engine.keys import KeyPolicy, new_key_per_call, random_keys, same_key_on_retry
from osfhelpers.engine.note import Note
from osfhelpers.engine.refusals import InvalidArguments
from osfhelpers.engine.urls import normalise, normalised_url_key
from osfhelpers.experiments import citations
from osfhelpers.measuring.evidence import Key
from osfhelpers.models.sources_tab import written_url_key
from osfhelpers.models.spellings import SPELLINGS
from osfhelpers.teaching.exercises import Exercise, predict
from osfhelpers.teaching.guesses import Guess


def _duplicates(**setting: float) -> float:
    key = Key(citations.UUID, "duplicates per session")
    return citations.expected(citations.Params(**setting))[key].value


GUESS = Guess(
    number="05",
    question=(
        "A research agent cites 6 of 8 pages in each of 3 turns, in whatever spelling it finds them. Every "
        "citation gets a new UUID as its key, and every resend keeps the key. One reply in five is lost. "
        "How many sources does a session list that are already there?"
    ),
    options=(0, 1, 4, 10, 18),
    unit="duplicates a session",
    answer=lambda: round(_duplicates()),
    because="None of them comes from a resend: each turn cites pages again, and a new key is a new wish.",
)

# 05.2: write the policy.

HISTORIES = 10
PAGES = ("sources.example/q3/revenue", "sources.example/q3/costs", f"sources.example/{'archive/' * 16}q3")
LISTED_AGAIN = {
    "same": "a page that was cited again in a later turn, word for word, was listed again",
    "described": "a page that came back with a better description was listed again",
    "spelled": "a page that came back in another spelling was listed again",
}


def judge_policy(policy: KeyPolicy) -> str | None:
    """Cite a few pages again and again on the real store, over a network that loses replies."""
    reasons = (_judge_history(policy, random.Random(seed)) for seed in range(HISTORIES))
    return next((reason for reason in reasons if reason), None)


def _judge_history(policy: KeyPolicy, rng: random.Random) -> str | None:
    note, listed = Note(), {}
    note.open_to("agent")
    network = scripted([True, *(rng.random() < 0.3 for _ in range(100))])
    for page, how, spelling, description in _history(rng):
        intent = {"note_id": note.place_id, "title": "Quarterly report", "description": description}
        try:
            delivery = deliver(
                "add_note_source",
                {**intent, "url": spelling.format(page)},
                on=note,
                policy=policy,
                network=network,
                fresh=random_keys(rng),
            )
        except InvalidArguments:
            return "the server takes a key of 8 to 128 characters and refused this one: hash what it names"
        source_id = delivery.result["source_id"]
        if delivery.effects > 1:
            return "a citation whose reply was lost was listed twice: its key changed between two sends"
        if page in listed and listed[page] != source_id:
            return LISTED_AGAIN[how]
        if page not in listed and source_id in listed.values():
            return "a page was never listed: it shares its key with another page of the same title"
        listed[page] = source_id
    return None


def _history(rng: random.Random) -> list[tuple[str, str, str, str]]:
    first, *others = SPELLINGS.values()
    rng.shuffle(others)
    once = [(page, "new", first, "") for page in PAGES[:2]]
    again = [(PAGES[0], "same", first, ""), (PAGES[0], "described", first, "audited")]
    spelled = [(PAGES[1], "spelled", other, "") for other in others]
    return [*once, *again, *spelled, (PAGES[2], "new", first, "")]


def description_key(attempt: Any) -> str:
    """The whole citation, in its normal form, description included."""
    return f"{normalise(attempt.intent['url'])} {attempt.intent['description']}".ljust(8)


# 05.3: transfer to tickets for failing checks.

ALERTS = (
    ("web-1", "disk full", "Monday 09:00", "91% used"),
    ("web-1", "disk full", "Monday 09:00", "93% used"),
    ("web-2", "disk full", "Monday 09:00", "91% used"),
    ("web-1", "disk full", "Friday 17:00", "91% used"),
)


def judge_ticket(ticket_key: Callable[[str, str, str, str], str]) -> str | None:
    """Send four alerts about three failures, by the reader's key."""
    opened: dict[str, int] = {}
    owner = [opened.setdefault(ticket_key(*alert), number) for number, alert in enumerate(ALERTS)]
    if owner[1] != 0:
        return "the same failure got a second ticket when its text changed from 91% to 93%"
    if owner[2] != 2:
        return "web-2 never got a ticket: its alert has the key of web-1"
    if owner[3] != 3:
        return "Friday's failure never got a ticket: its key is that of Monday's, which was repaired"
    return None


EXERCISES = (
    predict(
        "05.1",
        "You can say how many duplicates a key per citation leaves. A session cites 4 of 8 pages in each "
        "of 2 turns, a new UUID per citation, 20% of replies lost and sent again under the same key: "
        "how many duplicates are there on average? Give a number.",
        right=_duplicates(turns=2, cited=4),
        wrong={
            "a UUID per call makes it idempotent": (
                0,
                "the key protects a resend; a page cited again in the next turn comes under a new key",
            ),
            "every lost reply makes a duplicate": (
                1.6,
                "a resend keeps its key and lists nothing, so the lost replies do not matter",
            ),
            "the second turn cites only known pages": (
                4,
                "some of the pages of the second turn are cited for the first time",
            ),
        },
        hints=(
            "Count the citations, then the different pages among them.",
            "A page is missed by both turns with probability (1 − 4/8)².",
        ),
        worked="8 citations; 8 x (1 - (1/2)^2) = 6 different pages; 8 - 6 = 2 duplicates.",
        advice="count the different pages first",
        within=0.05,
    ),
    Exercise(
        number="05.2",
        title="Write the policy",
        task=(
            "You can make a key that names an intent. Complete <code>my_key(attempt)</code>, which returns "
            "the key of the next send, a text of 8 to 128 characters, so that every page is listed exactly "
            "once. <code>attempt.intent</code> holds <code>note_id</code>, <code>url</code>, "
            "<code>title</code> and <code>description</code>. You may use <code>normalise(url)</code> and "
            "<code>hashlib</code>."
        ),
        hints=(
            "Which of the four fields stay the same when the same page is meant again?",
            "A URL may have more than 128 characters: hash what the key names.",
        ),
        worked=(
            "def my_key(attempt):\n"
            '    meant = attempt.intent["note_id"] + " " + normalise(attempt.intent["url"])\n'
            "    return hashlib.sha256(meant.encode()).hexdigest()"
        ),
        answer=normalised_url_key,
        judge=judge_policy,
        misconceptions={
            "a new key per call": new_key_per_call,
            "a UUID per call makes it idempotent": same_key_on_retry,
            "the URL as written": written_url_key,
            "the title is the page": lambda attempt: attempt.intent["title"],
            "everything that is sent": description_key,
            "the normalised URL itself": lambda attempt: normalise(attempt.intent["url"]),
        },
    ),
    Exercise(
        number="05.3",
        title="Take it to tickets",
        task=(
            "You can find the intent behind a tool that is not osFoundry's. A monitor sends an alert every "
            "five minutes while a check fails, and each alert may open a ticket. Write "
            "<code>ticket_key(host, check, failing_since, text)</code> so that every failure has exactly one "
            "ticket, also when it comes back after a repair."
        ),
        hints=("Which values stay the same while one failure lasts, and differ for the next one?",),
        worked=(
            'def ticket_key(host, check, failing_since, text):\n    return f"{host} {check} {failing_since}"'
        ),
        answer=lambda host, check, failing_since, text: f"{host} {check} {failing_since}",
        judge=judge_ticket,
        misconceptions={
            "the alert is the intent": lambda host, check, since, text: f"{host} {check} {since} {text}",
            "the check is the intent": lambda host, check, since, text: f"{check} {since}",
            "a failure is what fails": lambda host, check, since, text: f"{host} {check}",
        },
    ),
)
