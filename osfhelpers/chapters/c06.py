"""Chapter 06: its guess and its exercises."""

import math
import random
from collections.abc import Callable, Mapping, Sequence
from numbers import Integral

from osfhelpers.drawing.rendering import counted
from osfhelpers.engine.client import GaveUp, deliver, scripted
from osfhelpers.engine.keys import random_keys, same_key_on_retry
from osfhelpers.engine.note import Note
from osfhelpers.experiments import one_outline
from osfhelpers.models.decks import deck, most_slides
from osfhelpers.teaching.exercises import Exercise, predict
from osfhelpers.teaching.guesses import Guess


def _of_100(slides: int, save_every_s: float, gap_s: float) -> tuple[float, float]:
    """Return the unfinished and the whole decks of 100, slide by slide."""
    params = one_outline.Params(slides, save_every_s, gap_s=gap_s)
    _, (unfinished, nothing) = one_outline.left_of_100(one_outline.expected(params), params)
    return unfinished, 100 - unfinished - nothing


GUESS = Guess(
    number="06",
    question=(
        "An agent builds 100 decks of 12 slides, slide by slide: 13 writes each, 4 s between its read and "
        "each write. The person saves once a minute on average, and the agent stops at its first conflict. "
        "How many decks are left unfinished in the Note?"
    ),
    options=(1, 7, 20, 52, 94),
    unit="decks",
    answer=lambda: round(_of_100(12, 60, 4)[0]),
    because="Each write alone is nearly safe; thirteen of them together are not.",
)

# 06.2: write the policy.

HISTORIES = 30


def judge_plan(next_call: Callable[[int, int], int]) -> str | None:
    """Build decks of 1 to 60 slides on the real store by the reader's calls, with saves in between."""
    for seed in range(HISTORIES):
        rng = random.Random(seed)
        if reason := _judge_deck(next_call, (12, 21, 60, rng.randint(1, 60))[seed % 4], rng):
            return reason
    return None


def _judge_deck(next_call: Callable[[int, int], int], wanted: int, rng: random.Random) -> str | None:
    note, slides = Note(), deck(wanted)
    note.open_to("agent")
    tab_id, held, calls, fewest = "", 0, 0, math.ceil(wanted / most_slides())
    while held < wanted:
        count = next_call(wanted, held)
        so_far = f"with {held} of {wanted} slides in the Note, it sends {count!r}"
        if isinstance(count, bool) or not isinstance(count, Integral) or count < 1:
            return f"{so_far}, which is no number of slides"
        if count > most_slides():
            return f"{so_far} in one call, and the schema says maxItems {most_slides()}"
        if count > wanted - held:
            return f"{so_far}: some would be there twice"
        part = {"note_id": note.place_id, "slides": slides[held : held + count]}
        change = {"tab_id": tab_id, "operation": "slides_add_outline"} if held else {"tab_type": "slides"}
        try:
            tab_id = deliver(
                "edit_note_tab" if held else "create_note_tab",
                {**part, **change},
                on=note,
                policy=same_key_on_retry,
                network=scripted(),
                fresh=random_keys(rng),
                max_sends=1,
                meanwhile=lambda: note.save("the person types") if rng.random() < 0.4 else None,
            ).result["tab_id"]
        except GaveUp:
            continue
        held, calls = held + count, calls + 1
        if calls > fewest:
            return f"{wanted} slides fit into {counted(fewest, 'call')}, and it makes more"
    return None


# 06.3: transfer to a mail service.

MAILS = ("ada@example.org", "ben@example.org", "chi@example.org", "dev@example.org", "eva@example.org")
REPLY = {"ada@example.org": "sent", "ben@example.org": "busy, try again", "chi@example.org": "sent"}


def judge_resend(to_resend: Callable[[Sequence[str], Mapping[str, str]], Sequence[str]]) -> str | None:
    """Resend a batch of mails of which some were sent, some refused and some never tried."""
    again = list(to_resend(MAILS, dict(REPLY)))
    if twice := [mail for mail in again if REPLY.get(mail) == "sent"]:
        return f"{twice[0]} gets the mail twice: this batch is not all or nothing"
    if named_twice := [mail for mail in again if again.count(mail) > 1]:
        return f"{named_twice[0]} gets the mail twice: the list names it more than once"
    if "ben@example.org" not in again:
        return "ben@example.org never gets the mail: one line of the reply says busy"
    if lost := [mail for mail in MAILS if mail not in REPLY and mail not in again]:
        return f"{lost[0]} never gets the mail: the reply does not name it, so it was never tried"
    return None


EXERCISES = (
    predict(
        "06.1",
        "You can decide how many writes a deck may take. 5 slides, slide by slide: 6 writes, each with a "
        "gap of 10 s; the person saves every 100 s on average. Of 100 decks, how many meet no conflict "
        "at all? Give a number.",
        right=_of_100(5, 100, 10)[1],
        wrong={
            "the chance for one deck": (
                0.549,
                "that is the chance for one deck; the question is how many of 100",
            ),
            "each write is nearly safe, so the deck is": (
                90.5,
                "that is one write; the deck needs all six to go through",
            ),
            "six tenths of the time is a gap, so six tenths fail": (
                40,
                "shares of conflicts do not add up: a deck that met two conflicts is still one deck",
            ),
            "creating the tab is no write": (
                60.7,
                "that is five writes; creating the tab is the sixth, and it can meet a conflict too",
            ),
        },
        hints=(
            "A gap of g seconds is free of saves with probability exp(-g/m).",
            "All six gaps must be free: multiply.",
        ),
        worked="One gap is free with probability exp(-0.1), six of them with exp(-0.6) = 0.549: 54.9 decks.",
        advice="multiply six chances",
        within=0.5,
    ),
    Exercise(
        number="06.2",
        title="Write the policy",
        task=(
            "You can cut a long deck into calls, and go on after a conflict between two of them. Complete "
            "<code>my_next_call(wanted, held)</code>: the deck has <code>wanted</code> slides, the Note "
            "already holds the first <code>held</code> of them; return how many slides the next call "
            "carries. After a conflict you are asked again. Use the fewest calls."
        ),
        hints=(
            "What does the schema say about the length of slides?",
            "A conflict between two calls leaves the first part in the Note: go on from there.",
        ),
        worked="def my_next_call(wanted, held):\n    return min(20, wanted - held)",
        answer=lambda wanted, held: min(20, wanted - held),
        judge=judge_plan,
        misconceptions={
            "everything in one call": lambda wanted, held: wanted - held,
            "slide by slide": lambda wanted, held: 1,
            "from the front again": lambda wanted, held: min(20, wanted),
            "what does not fit is left out": lambda wanted, held: min(20 - held, wanted - held),
        },
    ),
    Exercise(
        number="06.3",
        title="Take it to a mail service",
        task=(
            "You can tell a batch that is all or nothing from one that is not. A mail service takes many "
            "addresses in one call and answers with a map from address to <code>'sent'</code> or a reason. "
            "It stopped half-way, so some addresses are missing from the map. Write "
            "<code>to_resend(addresses, reply)</code>: return the list of addresses to send to again, so "
            "that everybody gets the mail exactly once."
        ),
        hints=("There are three groups: sent, refused, and never tried.",),
        worked=(
            "def to_resend(addresses, reply):\n"
            "    return [each for each in addresses if reply.get(each) != 'sent']"
        ),
        answer=lambda addresses, reply: [each for each in addresses if reply.get(each) != "sent"],
        judge=judge_resend,
        misconceptions={
            "a batch failed, so send it again": lambda addresses, reply: addresses,
            "the call was answered, so it is done": lambda addresses, reply: [],
            "again, to be sure": lambda addresses, reply: [
                each for each in addresses if reply.get(each) != "sent" for _ in range(2)
            ],
            "only what was refused": lambda addresses, reply: [
                each for each in reply if reply[each] != "sent"
            ],
        },
    ),
)
