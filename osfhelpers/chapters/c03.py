"""Chapter 03: its guess and its exercises."""

from collections.abc import Callable

from osfhelpers.engine.store import Conflict
from osfhelpers.experiments import lost_updates
from osfhelpers.measuring.evidence import Key
from osfhelpers.models import races
from osfhelpers.teaching.exercises import Exercise, predict
from osfhelpers.teaching.guesses import Guess


def _lost_of_100_conflicts() -> float:
    found = [races.play(lost_updates.RESENT, [(1, 0)]) for _ in range(100)]
    return 100 * sum(race.lost for race in found) / sum(race.conflicts for race in found)


GUESS = Guess(
    number="03",
    question=(
        "A server checks versions. An agent's update meets a conflict, because a colleague has changed the "
        "same cell. The agent takes the current version from the answer and sends its value again. Of 100 "
        "such conflicts, how many end with the colleague's change overwritten?"
    ),
    options=(0, 6, 50, 94, 100),
    unit="conflicts",
    answer=_lost_of_100_conflicts,
    because="The version is fresh, and the value that it carries is not.",
)

# 03.1: predict a number.

PREDICTION = lost_updates.expected(lost_updates.Params(5, 30, 120))[
    Key(lost_updates.READ_AGAIN, lost_updates.MEET)
].value

# 03.2: write the policy.

# Per history: what the colleague adds before each of the reader's sends.
HISTORIES = ((), (10,), (10, 20), (1, 2, 3, 4, 5, 6))
MOST_SENDS = 20
Read = Callable[[], tuple[int, int]]
Send = Callable[[int, int], bool]


class TooManySends(Exception):
    """The reader's client sends without end."""


def judge_update(update: Callable[[Read, Send, int], object]) -> str | None:
    """Run the reader's client on the real store, while a colleague adds to the same cell."""
    for history in HISTORIES:
        try:
            if reason := _judge_history(update, history):
                return reason
        except TooManySends:
            return f"{MOST_SENDS} sends did not settle one update"
    return None


def _judge_history(update: Callable[[Read, Send, int], object], history: tuple[int, ...]) -> str | None:
    cell, own, sends = races.Cell(100), 7_000, 0

    def write(version: int, value: int) -> bool:
        nonlocal sends
        amount = history[sends] if sends < len(history) else 0
        sends += 1
        if sends > MOST_SENDS:
            raise TooManySends
        if amount:
            cell.colleague_adds(amount)
        return not isinstance(cell.write(version, value), Conflict)

    update(cell.read, write, own)
    added = cell.read()[1] - 100
    conflicts = sum(amount > 0 for amount in history[:sends])
    if added < own:
        met = f"{conflicts} conflict{'s' * (conflicts != 1)}"
        return f"after {met}, your amount is not in the cell, and nobody was told"
    if added >= 2 * own:
        return f"your amount is in the cell {added // own} times"
    if lost := own + sum(history[:sends]) - added:
        return f"{lost} of what the colleague added is gone: a value from before the conflict was sent"
    return None


def sends_the_old_value(read: Read, write: Send, amount: int) -> None:
    """Take only a fresh version after a conflict."""
    version, value = read()
    while not write(version, value + amount):
        version, _ = read()


def gives_up(read: Read, write: Send, amount: int) -> None:
    """Send once."""
    version, value = read()
    write(version, value + amount)


def tries_three_times(read: Read, write: Send, amount: int) -> None:
    """Read and send three times at most, and say nothing."""
    for _ in range(3):
        version, value = read()
        if write(version, value + amount):
            return


def never_reads_again(read: Read, write: Send, amount: int) -> None:
    """Send the very same call until it succeeds."""
    version, value = read()
    while not write(version, value + amount):
        pass


def reads_again(read: Read, write: Send, amount: int) -> None:
    """Read, compute and send until it succeeds."""
    while True:
        version, value = read()
        if write(version, value + amount):
            return


# 03.3: transfer to a ticket behind an HTTP server.


def judge_if_match(if_match: Callable[[str, str], str]) -> str | None:
    """Save a ticket with the If-Match header that the reader chooses, changed meanwhile or not."""
    changed, unchanged = if_match('"v1"', '"v2"'), if_match('"v1"', '"v1"')
    if changed is None:
        return "without the header the server checks nothing, and the other change is overwritten"
    if changed == "*":
        return "* matches any ticket that exists, so the other change is overwritten"
    if changed == '"v2"':
        return (
            "that version is fresh, but the text in the form was loaded before it: the other change is gone"
        )
    if unchanged != '"v1"':
        return f"nobody has changed the ticket, and If-Match: {unchanged} refuses the save"
    return None


EXERCISES = (
    predict(
        "03.1",
        "You can tell how often a write to a busy Note meets a conflict. Four colleagues work in it, "
        "each saves every 120 s on average, and the agent takes 30 s from its read to its write. What "
        "percentage of its first sends meets a conflict? Give a number from 0 to 100.",
        right=PREDICTION,
        wrong={
            "chances add up": (
                100,
                "one save falls into the gap on average, but some gaps get two and others none",
            ),
            "one colleague is as good as four": (
                22.1,
                "that is one colleague; there are four, and each can save in the gap",
            ),
            "a save every 120 s falls into 30 s once in four": (
                68.4,
                "saves come at random: one colleague can save twice in 30 s, and then not for minutes",
            ),
        },
        hints=(
            "How many saves fall into one gap on average, from all four together?",
            "With x saves on average, no save at all has probability exp(-x).",
        ),
        worked="x = 4 * 30 / 120 = 1 save per gap on average, so 1 - exp(-1) = 63.2% of the gaps have one.",
        advice="how likely is a gap without any save?",
        within=0.5,
    ),
    Exercise(
        number="03.2",
        title="Write the policy",
        task=(
            "You can write an update that loses nobody's work. <code>read()</code> returns the version and "
            "the value of a cell; <code>write(version, value)</code> returns True when it is in and False "
            "after a conflict. Complete <code>my_update(read, write, amount)</code>, which adds "
            "<code>amount</code> to the cell, however often a colleague adds to it meanwhile."
        ),
        hints=(
            "What does a conflict tell you about the value that you computed?",
            "Everything that rests on the old read has to be done again, inside the loop.",
        ),
        worked=(
            "def my_update(read, write, amount):\n"
            "    while True:\n"
            "        version, value = read()\n"
            "        if write(version, value + amount):\n"
            "            return"
        ),
        answer=reads_again,
        judge=judge_update,
        misconceptions={
            "a fresh version makes the write right": sends_the_old_value,
            "a conflict will pass": never_reads_again,
            "one send is enough": gives_up,
            "three tries are enough": tries_three_times,
        },
    ),
    Exercise(
        number="03.3",
        title="Take it to a ticket",
        task=(
            "You can choose a precondition for a tool that is not osFoundry's. A support desk saves a ticket "
            "by HTTP PUT. The form was loaded when the ticket's ETag was <code>loaded</code>; just before it "
            "saves, the program asks again and sees <code>latest</code>. Write "
            "<code>if_match(loaded, latest)</code>: the value of the If-Match header, so that no change of "
            "another agent is overwritten, and an undisturbed save goes through."
        ),
        hints=("Which of the two says what the text in the form rests on?",),
        worked="def if_match(loaded, latest):\n    return loaded",
        answer=lambda loaded, latest: loaded,
        judge=judge_if_match,
        misconceptions={
            "the latest is the safest": lambda loaded, latest: latest,
            "the ticket exists, that is enough": lambda loaded, latest: "*",
            "the server will know": lambda loaded, latest: None,
        },
    ),
)
