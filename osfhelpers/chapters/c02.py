"""Chapter 02: its guess and its exercises."""

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from osfhelpers.engine.calls import call
from osfhelpers.experiments import tab_handles
from osfhelpers.measuring.evidence import Key
from osfhelpers.models.handles import Ending, Seen, write_by
from osfhelpers.models.strip_chances import endings
from osfhelpers.models.strip_edits import Edit, any_edit, carry_out, decks_of, new_note
from osfhelpers.teaching.exercises import Exercise, predict
from osfhelpers.teaching.guesses import Guess


def _wrong_by_label() -> int:
    key = Key(tab_handles.arm_name(2, "label"), "wrong deck")
    return round(10 * tab_handles.expected(tab_handles.Params())[key].value)


GUESS = Guess(
    number="02",
    question=(
        "A Note has two decks with different labels. You tell the agent the label of one, it finds the "
        "deck, and a person makes up to two edits in the strip. Then the agent lists the tabs again, "
        "takes the one with that label and writes. In how many of 1,000 such sessions does it write into "
        "another deck, and no error tells you?"
    ),
    options=(0, 2, 23, 70, 140),
    unit="sessions",
    answer=_wrong_by_label,
    because="A person may give the label to another deck, and the version check does not mind.",
)

# 02.2: write the policy.

HISTORIES = 30
TAKES_THE_LABEL = Edit("rename", pick=0, put=1)
Rows = Sequence[Mapping[str, str]]
Find = Callable[[str, Rows, str | None], str | None]


def judge_policy(find: Find) -> str | None:
    """Run a way to find a deck on the real store, over three turns, with hidden edits between them."""
    for seed in range(HISTORIES):
        if reason := _judge_history(find, seed):
            return reason
    return None


def _judge_history(find: Find, seed: int) -> str | None:
    rng, note = random.Random(seed), new_note(3)
    closes, ambiguous = seed % 3 == 1, seed % 3 == 2
    meant = decks_of(note)[1]
    if ambiguous:
        note.add("slides", meant.label)
    held = find(meant.label, _rows(note), None)
    if ambiguous:
        reason = "two decks carried the label at first sight, and it chose one of them instead of asking"
        return None if held is None else reason
    if held != meant.tab_id:
        return f"one deck carried the label at first sight, and it returned {held!r} for its ID"
    carry_out(TAKES_THE_LABEL, note)
    for turn in range(3):
        if gone := closes and turn == 2:
            note.close(held)
        landing = write_by(
            lambda rows, seen: find(seen.label, rows, seen.tab_id),
            Seen(0, "slides", meant.label, held),
            on=note,
            key=f"hidden turn {turn}",
        )
        if landing.ending is Ending.ANOTHER_DECK:
            now = "its deck was closed" if gone else "its deck was still there"
            return f"{now}, and it wrote into another one, {landing.tab_id}, without an error"
        if not gone and landing.ending is not Ending.RIGHT:
            return "its deck was still there under the ID that it held, and it wrote nothing"
        for _ in range(rng.randint(1, 3)):
            carry_out(any_edit(note, (0.4, 0.2, 0.4, 0), 3, rng), note)
    return None


def _rows(note: Any) -> Rows:
    return call("list_note_tabs", {"note_id": note.place_id}, on=note)["tabs"]


def find_deck(said: str, tabs: Rows, held: str | None) -> str | None:
    """Use the label once, at first sight and only where it is unique; from then on the ID."""
    named = [tab["tab_id"] for tab in tabs if tab["label"] == said]
    return held or (named[0] if len(named) == 1 else None)


def always_by_label(said: str, tabs: Rows, held: str | None) -> str | None:
    """Take the first tab with the label, at every turn."""
    return next((tab["tab_id"] for tab in tabs if tab["label"] == said), None)


def label_if_unique(said: str, tabs: Rows, held: str | None) -> str | None:
    """Take the label wherever it is unique, at every turn."""
    return find_deck(said, tabs, None)


def held_or_label(said: str, tabs: Rows, held: str | None) -> str | None:
    """Keep the ID, and fall back on the label when the tab is gone."""
    there = any(tab["tab_id"] == held for tab in tabs)
    return held if there else find_deck(said, tabs, None)


def the_first_deck(said: str, tabs: Rows, held: str | None) -> str | None:
    """Take the first Slides tab."""
    return next(tab["tab_id"] for tab in tabs if tab["type"] == "slides")


# 02.3: transfer to tickets.

MORNING = (
    {"row": 1, "title": "Printer jams", "owner": "Ada", "number": 4711, "comments": 2},
    {"row": 2, "title": "Printer jams", "owner": "Bo", "number": 4712, "comments": 0},
    {"row": 3, "title": "VPN drops", "owner": "Ada", "number": 4713, "comments": 1},
)
NOON = (
    {"row": 1, "title": "Printer jams", "owner": "Ada", "number": 4720, "comments": 0},
    {"row": 2, "title": "Printer jams", "owner": "Cy", "number": 4711, "comments": 3},
    {"row": 3, "title": "Printer jams", "owner": "Bo", "number": 4712, "comments": 0},
    {"row": 4, "title": "VPN drops", "owner": "Ada", "number": 4713, "comments": 1},
)


def judge_ticket(keep: Callable[[dict], Any]) -> str | None:
    """Close ticket 4711 at noon by what was kept of it in the morning."""
    kept = keep(dict(MORNING[0]))
    found = [ticket for ticket in NOON if keep(dict(ticket)) == kept]
    if not found:
        return f"nothing in the list of noon matches {kept!r}: the ticket has changed since the morning"
    if len(found) > 1:
        return f"{len(found)} tickets match {kept!r}, and the first of them is number {found[0]['number']}"
    if found[0]["number"] != 4711:
        return f"{kept!r} is now ticket {found[0]['number']}, and that one was closed"
    return None


EXERCISES = (
    predict(
        "02.1",
        "You can tell a loud failure from silent damage. A Note has two decks; the agent goes by label. "
        "Between its turns the person makes exactly one edit: any of the two decks is renamed to any of "
        "five labels, all equally likely. In how many of 100 sessions is the write silently wrong?",
        right=100 * endings(2, 5, ("rename",))["label", Ending.ANOTHER_DECK],
        wrong={
            "a rename can only lose the label": (
                0,
                "the person may give the label of your deck to the other one, and then two decks carry it",
            ),
            "every second deck with the label is hit": (
                10,
                "10 times in 100 the other deck gets the label; it is taken only where it stands before "
                "yours",
            ),
            "not found counts as wrong": (45, "40 of these find no deck of that label: they fail and say so"),
        },
        hints=(
            "Which deck must the person rename, and to what, before a label can lead to the wrong one?",
            "Then two decks carry the label. Which of them does the agent take?",
        ),
        worked="1/2 (the other deck) x 1/5 (your label) x 1/2 (it stands first) = 5 in 100",
        advice="multiply three probabilities",
        within=0.1,
    ),
    Exercise(
        number="02.2",
        title="Write the policy",
        task=(
            "You can use what the person said without trusting it for long. Complete "
            "<code>find_deck(said, tabs, held)</code>, which returns the ID to write to, or None to ask the "
            "person. <code>said</code> is the label in the prompt, <code>tabs</code> the rows of "
            "<code>list_note_tabs</code> (<code>tab_id</code>, <code>type</code>, <code>label</code>), "
            "<code>held</code> the ID you returned first, or None at first sight. A deck may be closed."
        ),
        hints=(
            "At first sight the label is all you have. How many tabs may carry it?",
            "Later, is there any case in which the label is better than the ID?",
        ),
        worked=(
            "def find_deck(said, tabs, held):\n"
            "    named = [tab['tab_id'] for tab in tabs if tab['label'] == said]\n"
            "    return held or (named[0] if len(named) == 1 else None)"
        ),
        answer=find_deck,
        judge=judge_policy,
        misconceptions={
            "the label is what the person said": always_by_label,
            "a unique label is safe at every turn": label_if_unique,
            "the label is a good second choice": held_or_label,
            "there is one deck": the_first_deck,
        },
    ),
    Exercise(
        number="02.3",
        title="Take it to a list of tickets",
        task=(
            "You can choose a handle in a tool that is not osFoundry's. An agent lists tickets in the "
            "morning and closes one of them at noon; meanwhile people comment, hand tickets on and open new "
            "ones. Each is a dictionary with <code>row</code>, <code>title</code>, <code>owner</code>, "
            "<code>number</code>, <code>comments</code>. Write <code>keep(ticket)</code>: what the agent "
            "remembers of it, and looks for at noon."
        ),
        hints=("Which field was given once, and is changed by nobody?",),
        worked='def keep(ticket):\n    return ticket["number"]',
        answer=lambda ticket: ticket["number"],
        judge=judge_ticket,
        misconceptions={
            "the row on the screen": lambda ticket: ticket["row"],
            "what people call it": lambda ticket: ticket["title"],
            "title and owner together are unique": lambda ticket: (ticket["title"], ticket["owner"]),
            "remember everything": lambda ticket: ticket,
        },
    ),
)
