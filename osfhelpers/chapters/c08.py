"""Chapter 08: its guess and its exercises."""

import math
from collections.abc import Callable, Mapping
from numbers import Real
from typing import Any

from osfhelpers.engine.calls import call
from osfhelpers.engine.refusals import Refused
from osfhelpers.engine.room import RepositoryVersion, Room
from osfhelpers.experiments import full_code
from osfhelpers.models.proposals import REPOSITORY, SNIPPET, arguments, pinned_arguments, repeated
from osfhelpers.teaching.exercises import Exercise, predict
from osfhelpers.teaching.guesses import Guess


def _reading_min(files: int) -> float:
    *_, read = full_code.measure(full_code.Params(files=files)).minutes.values()
    return read


GUESS = Guess(
    number="08",
    question=(
        "A model writes an app of 21 files, 63 lines each, in about eight minutes: once to try it, once to "
        "propose it. How many minutes does its owner need to read it with care, at 500 lines an hour?"
    ),
    options=(8, 20, 60, 159, 400),
    unit="minutes",
    answer=lambda: round(_reading_min(21)),
    because="Writing has become cheap; reading costs what it always did.",
)

# 08.1: predict a number, on the published line.

PREDICTION = 1394 + 38 * 671


# 08.2: write the policy.

LINES_AN_HOUR = 500
APPS = (
    ("2 files of 40 lines", repeated(2, 40), False),
    ("21 files of 63 lines", repeated(21, 63), True),
    ("3 files of 400 lines", repeated(3, 400), True),
    ("30 files of 10 lines", repeated(30, 10), False),
    ("12 files of 80 lines", repeated(12, 80), False),
)


def judge_choice(choose: Callable[[Mapping[str, str], bool], str | None]) -> str | None:
    """Send hidden apps to a real Room by the reader's choice, and count the lines on the card."""
    for number, (name, files, pinned) in enumerate(APPS):
        tool = choose(dict(files), pinned)
        lines = sum(len(text.splitlines()) for text in files.values())
        if tool is None:
            if pinned or lines <= LINES_AN_HOUR:
                return f"{name}: nothing was proposed, though the owner could have reviewed it"
            continue
        given = pinned_arguments() if tool == REPOSITORY else arguments(files)
        given["idempotency_key"] = f"choice-{number}"
        room = Room(repositories={"stand-up-timer": ("v1", "v2")} if pinned else {})
        room.open_to("agent")
        try:
            instance_id = call(tool, given, on=room).result["instance_id"]
        except Refused as error:
            return f"{name}: the Room refused it: {error}"
        if not isinstance(room.app(instance_id).code, RepositoryVersion) and lines > LINES_AN_HOUR:
            return f"{name}: the card shows {lines:,} lines, {60 * lines / LINES_AN_HOUR:.0f} min to read"
    return None


def by_lines(files: Mapping[str, str], pinned: bool) -> str | None:
    """Show the code while an hour is enough to read it; else point at the pinned version, if any."""
    if sum(len(text.splitlines()) for text in files.values()) <= LINES_AN_HOUR:
        return SNIPPET
    return REPOSITORY if pinned else None


def by_bytes(files: Mapping[str, str], pinned: bool) -> str:
    """Choose by size, as if bytes were the cost."""
    return SNIPPET if sum(len(text.encode()) for text in files.values()) < 100_000 else REPOSITORY


def by_files(files: Mapping[str, str], pinned: bool) -> str | None:
    """Choose by the number of files, however long they are."""
    return SNIPPET if len(files) <= 5 else REPOSITORY if pinned else None


# 08.3: transfer to letters.

WORDS_A_MINUTE = 200
LETTERS = ((150, 10), (400, 30), (3000, 10), (130, 7))


def judge_letters(letters_per_approval: Callable[[int, int], int]) -> str | None:
    """Count the words that the reader's function puts before a person, against their minutes."""
    for words_each, minutes in LETTERS:
        given: Any = letters_per_approval(words_each, minutes)
        most = WORDS_A_MINUTE * minutes // words_each
        if isinstance(given, bool) or not isinstance(given, Real) or given != math.floor(given):
            return f"a number of letters is a whole number, and {given!r} is none"
        case = f"{given} x {words_each:,} words in {minutes} minutes"
        if given > most:
            unread = given * words_each - WORDS_A_MINUTE * minutes
            return f"{case}: {unread:,} words would be approved unread"
        if given < most:
            return f"{case}: there is time for {most}"
    return None


EXERCISES = (
    predict(
        "08.1",
        "You can say what an app weighs before it is written. On the published line, 2 files take 1,394 "
        "argument tokens and each further file 671. How many do 40 files take? Give a number.",
        right=PREDICTION,
        wrong={
            "the argument is as long as the files": (
                40 * 583,
                "that is the files themselves; as an argument, every line end and quote is escaped",
            ),
            "twenty times two files": (
                20 * 1394,
                "that multiplies the frame as well; the room, the name and the key are sent once",
            ),
            "what the model writes in all": (
                2 * PREDICTION,
                "the model does write that many in all, but the question was about the arguments alone",
            ),
        },
        hints=("How many further files are there?", "The frame is sent once, so do not multiply the 1,394."),
        worked="1,394 + 38 x 671 = 26,892 tokens.",
        advice="the line is straight",
        within=0.01 * PREDICTION,
    ),
    Exercise(
        number="08.2",
        title="Write the policy",
        task=(
            "You can decide when a pinned version is the better proposal. Complete <code>my_choice(files, "
            "pinned)</code>: <code>files</code> maps paths to texts, <code>pinned</code> says whether the "
            "project's repository holds this version. Return <code>SNIPPET</code> while the owner can read "
            "all of it in an hour (500 lines), else <code>REPOSITORY</code> where there is a version, else "
            "<code>None</code>: ask for a smaller app."
        ),
        hints=(
            "A person reads lines, not bytes and not files.",
            "<code>text.splitlines()</code> has one entry per line.",
        ),
        worked=(
            "def my_choice(files, pinned):\n"
            "    lines = sum(len(text.splitlines()) for text in files.values())\n"
            "    if lines <= 500:\n"
            "        return SNIPPET\n"
            "    return REPOSITORY if pinned else None"
        ),
        answer=by_lines,
        judge=judge_choice,
        misconceptions={
            "bytes are the cost": by_bytes,
            "files are the cost": by_files,
            "always a pinned version": lambda files, pinned: REPOSITORY,
            "ask for a smaller app whenever it is long": lambda files, pinned: (
                SNIPPET if by_lines(files, pinned) == SNIPPET else None
            ),
        },
    ),
    Exercise(
        number="08.3",
        title="Take it to letters",
        task=(
            "You can bound an approval in another tool. An agent drafts letters; a person approves a batch "
            "and reads 200 words a minute. Write <code>letters_per_approval(words_each, minutes)</code>: the "
            "most letters that one batch may hold so that none goes out unread."
        ),
        hints=("How many words can be read in the time?", "If not even one fits, the answer is 0."),
        worked="def letters_per_approval(words_each, minutes):\n    return 200 * minutes // words_each",
        answer=lambda words_each, minutes: 200 * minutes // words_each,
        judge=judge_letters,
        misconceptions={
            "the last one may be skimmed": lambda words_each, minutes: -(-200 * minutes // words_each),
            "ten is a good batch": lambda words_each, minutes: 10,
            "at least one must fit": lambda words_each, minutes: max(1, 200 * minutes // words_each),
        },
    ),
)
