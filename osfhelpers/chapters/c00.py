"""Chapter 00: its guess and the empty ledger, which stands in place of exercises."""

from osfhelpers.drawing.figures import Outcome
from osfhelpers.models.story import play
from osfhelpers.models.story_desk import Way
from osfhelpers.teaching.empty_ledger import Asked, EmptyLedger
from osfhelpers.teaching.guesses import Guess

GUESS = Guess(
    number="00",
    question=(
        "No reply gets lost at all. The agent lists the tabs before it writes, waits for each answer and "
        "reports every error. All phrases are struck out. How many of its 11 wishes go wrong without "
        "anybody being told?"
    ),
    options=(0, 1, 3, 5, 8, 11),
    unit="wishes",
    answer=lambda: len(play(Way.STRUCK, 0.0).among(Outcome.SILENT)),
    because="No answer that the agent got says so, and care can act only on what it is told.",
)

EXERCISES = ()

# The words of each chapter's ledger row, without its numbers: a test holds them to the rows.
LEDGER = EmptyLedger(
    (
        Asked(
            "01",
            "additionalProperties: false, enum, maxItems",
            "a mistaken call that passes; a session makes one of this chapter's list",
        ),
        Asked(
            "02",
            "every tab instance … the exact tab ID",
            "a write into another deck; a session makes one, in a Note with two decks",
        ),
        Asked(
            "03",
            "Use the version from list_note_tabs",
            "another's save is overwritten; a session makes one update",
        ),
        Asked(
            "04", "A repeated idempotency key returns the first tab", "an extra tab; a session creates one"
        ),
        Asked(
            "05", "an idempotency key, if it names the page", "a page listed again; a session cites 18 times"
        ),
        Asked(
            "06",
            "An optional outline fills a Slides tab",
            "an unfinished deck, left at a conflict; a session builds one",
        ),
        Asked(
            "07",
            "files: a map of strings (and the rules that no schema states)",
            "a bad proposal reaches the owner; a session sends one of the eight published ones",
        ),
        Asked(
            "08",
            "reviews and approves the full code",
            "an app runs unread; a session proposes one of 2 files",
        ),
        Asked(
            "09",
            "only after its owner reviews and approves the full code",
            "code that nobody has read is in the launcher; a session proposes one app",
        ),
        Asked(
            "10",
            "listChanged: false",
            "an approval that the client never hears of; a session proposes one app",
        ),
        Asked(
            "11",
            "A repeated idempotency key returns the first tab, also after a crash",
            "an extra tab; in a session the server dies once, between the commit and the reply",
        ),
    )
)
