"""What becomes of one agent's eleven wishes, with every phrase struck out and with every phrase back?

An agent builds the quarterly deck in a Note while a person works in it; then it proposes a
stand-up timer to a Room. Each wish is carried out on the real store and judged by what the Note
and the Room hold afterwards, never by what the agent was told. In every way of working the
person does the same things at the same moments.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from osfhelpers.drawing.figures import Outcome
from osfhelpers.drawing.rendering import counted
from osfhelpers.engine.keys import content_key
from osfhelpers.engine.parameters import probability
from osfhelpers.engine.paths import broken_rule
from osfhelpers.engine.refusals import Refused
from osfhelpers.engine.store import Done
from osfhelpers.engine.urls import normalised_url_key
from osfhelpers.models.decks import deck
from osfhelpers.models.proposals import PATHS, SNIPPET, timer
from osfhelpers.models.story_desk import BUDGET, LABEL, Arguments, Desk, Way

COVER, *SLIDES, SOURCES_SLIDE = deck(12)
STYLED = "Visits"
STYLE = {"layout": "two columns"}
PAGES = ("https://stats.example/visits", "https://stats.example/loans", "http://www.stats.example/visits/")
OUTSIDE = "src/../../styles.css"
# Chosen for the story, since it loses the first reply to the deck and to the timer at a share of 20%.
SESSION = 46


@dataclass(frozen=True)
class Wish:
    """One wish: its chapters, what the agent was told, and what is really there."""

    chapter: str
    wish: str
    told: str
    found: str
    outcome: Outcome


@dataclass(frozen=True)
class Run:
    """One session of the story, all of its wishes."""

    way: Way
    loss: float
    wishes: tuple[Wish, ...]

    def among(self, outcome: Outcome) -> tuple[Wish, ...]:
        """Return the wishes that ended so."""
        return tuple(wish for wish in self.wishes if wish.outcome is outcome)


def play(way: Way, loss: float = 0.3, *, session: int = SESSION) -> Run:
    """Play one session on a fresh Note and a fresh Room.

    Args:
        loss: the share of replies that get lost; a first reply lost at one share is lost at any higher.
        session: which replies those are.
    """
    probability("loss", loss, below_one=True)
    return Run(way, loss, tuple(Session(way, loss, session).wishes()))


class Session(Desk):
    """All wishes of one session, carried out and judged."""

    def wishes(self) -> Iterator[Wish]:
        """Carry out the wishes, in the order of the story."""
        yield from self.make_the_deck()
        yield self.add_to_the_budget()
        yield self.cite()
        self.person_tidies_up()
        yield self.point_to_the_sources()
        yield self.date_the_budget()
        yield from self.propose_the_timer()

    def make_the_deck(self) -> Iterator[Wish]:
        create = {"note_id": self.note.place_id, "tab_type": "slides", "label": LABEL}
        outline = [slide | (STYLE if slide["title"] == STYLED else {}) for slide in (COVER, *SLIDES)]
        styling = "done"
        if self.back:
            try:
                self.write("the deck", "create_note_tab", {**create, "slides": outline})
            except Refused:  # nothing was stored; the agent takes the field out, and says so
                styling = "no such field: layout"
            create["slides"] = [COVER, *SLIDES]

        def look() -> Arguments | None:
            return {"tab_id": tab_id} if (tab_id := self.tab_called(LABEL)) else None

        result, told = self.write("the deck", "create_note_tab", create, look=look)
        decks = [tab.tab_id for tab in self.note.tabs if tab.label == LABEL]
        self.deck, self.deck_seen_by_the_agent = decks[0], result["tab_id"]
        found = f"{counted(len(decks), 'deck')} called {LABEL}"
        yield judged("04", f"a deck called {LABEL}", told, len(decks) == 1, found)

        told = "done, in that call"
        if not self.back:
            told = "done, each time"
            for number, slide in enumerate(outline[1:], 1):
                self.add_slide(f"slide {number}", slide)
            self.add_slide("the cover", {**COVER, "index": 0})
        titles = [slide.title for slide in self.note.tab(self.deck).slides]
        body = [title for title in titles if title != LABEL]
        right = body == [slide["title"] for slide in SLIDES]
        found = counted(len(body), "slide") + ("" if right else ", some twice")
        yield judged("06", f"its {len(SLIDES)} slides, once each", told, right, found)
        place = titles.index(LABEL) + 1
        where = "the cover is in front" if place == 1 else f"the cover is slide {place}"
        yield judged("01", "the cover in front (index: 0)", "done", place == 1, where)
        styled = "one column; the person sets it" if self.back else "one column, not two"
        yield judged("01", "one slide in two columns", styling, False, styled)

    def add_slide(self, name: str, slide: Arguments) -> str:
        """Add a slide to the agent's deck: by its ID with the phrases back, else by its label."""
        tab_id = self.deck_seen_by_the_agent if self.back else self.tab_called(LABEL)
        intent = {"note_id": self.note.place_id, "tab_id": tab_id, "operation": "slide_add", **slide}
        return self.write(name, "edit_note_tab", intent)[1]

    def add_to_the_budget(self) -> Wish:
        """Read the sum, think, write it back; no reply is lost here (chapter 03)."""
        answer, told, colleague = None, "done", [5]
        while not isinstance(answer, Done):
            version = self.read("list_note_tabs", note_id=self.note.place_id)["version"]
            total = self.note.tab(self.budget).cells["B2"]
            if colleague:
                self.colleague_sets_sum(total + colleague.pop())
            answer = self.set_sum(total + 12, version=version, send=self.send)
            told = told if isinstance(answer, Done) else "conflict, then done"
        total = self.note.tab(self.budget).cells["B2"]
        return judged("03", "12 added to a shared sum", told, total == 57, f"40 + 5 + 12 became {total}")

    def cite(self) -> Wish:
        """Cite two pages, and the first one again in a later turn, as another site spells it."""
        for number, url in enumerate(PAGES):

            def look(url: str = url) -> Arguments | None:
                rows = self.read("list_note_attachments", note_id=self.note.place_id, kind="sources")
                return next((row for row in rows["items"] if row["url"] == url), None)

            intent = {"note_id": self.note.place_id, "title": "Visits and loans", "url": url}
            self.write(f"source {number}", "add_note_source", intent, key=normalised_url_key, look=look)
        rows = counted(len(self.note.sources), "row")
        right = len(self.note.sources) == 2
        return judged("05", "two pages as sources", "done, each time", right, f"{rows} for two pages")

    def person_tidies_up(self) -> None:
        """Rename the agent's deck, give its old name to the draft in front, rename the budget."""
        self.note.rename(self.deck, "Q3 review, short")
        self.note.rename(self.draft, LABEL)
        self.note.drag(self.draft, 0)
        self.note.rename(self.budget, "Budget 2027")

    def point_to_the_sources(self) -> Wish:
        told = self.add_slide("the last slide", SOURCES_SLIDE)
        title = SOURCES_SLIDE["title"]
        right = title in [slide.title for slide in self.note.tab(self.deck).slides]
        found = "it ends the deck" if right else "the last slide is in the draft"
        return judged("02", "a last slide for the sources", told, right, found)

    def date_the_budget(self) -> Wish:
        tab_id = self.budget if self.back else self.tab_called(BUDGET)
        told = f"no such tab: {BUDGET}"
        if tab_id is not None:
            cell = {"operation": "sheet_range_set", "range": "A1", "values": [["30 September"]]}
            intent = {"note_id": self.note.place_id, "tab_id": tab_id, **cell}
            told = self.write("the date", "edit_note_tab", intent)[1]
        right = "A1" in self.note.tab(self.budget).cells
        found = "the date is there" if right else "no date; the agent says so"
        return judged("02", "the date in the budget", told, right, found)

    def propose_the_timer(self) -> Iterator[Wish]:
        component, styles = timer().values()
        intent = {"room_id": self.room.place_id, "name": "Stand-up timer"}
        files, refused = {PATHS[0]: component, OUTSIDE: styles}, ""
        if self.back:
            try:
                self.write("the timer", SNIPPET, {**intent, "files": files}, key=content_key)
            except Refused:
                files, refused = timer(), "refused, then done"

        def look() -> Arguments | None:
            apps = self.read("list_room_apps", room_id=self.room.place_id)["items"]
            return next((app for app in apps if app["name"] == intent["name"]), None)

        _, told = self.write("the timer", SNIPPET, {**intent, "files": files}, key=content_key, look=look)
        inside = not any(map(broken_rule, files))
        place = "both files in src/" if inside else f"a file at {OUTSIDE}"
        yield judged("07", "a timer whose files stay in", refused or told, inside, place)
        yield self.owner_reads(told)
        told, found = "nothing, and it waits", "no news is ever sent"
        if self.back:  # the agent has asked, and the owner says that it is approved
            told, found = "the owner says so", "seen with one call" if look() else "not in the launcher"
        yield judged("10", "to go on once it is there", told, found.startswith("seen"), found)

    def owner_reads(self, told: str) -> Wish:
        """Let the owner read the cards, if there are any, and approve one."""
        unread = counted(len(self.room.launcher), "timer") + " running, unread"
        cards = self.room.pending
        if cards:
            self.room.approve(cards[0].instance_id)
        lines = sum(len(text.splitlines()) for card in cards for text in card.code.values())
        found = f"{counted(len(cards), 'card')}, {lines} lines read" if cards else unread
        return judged("08, 09", "its owner reads it first", told, len(cards) == 1, found)


def judged(chapter: str, wish: str, told: str, right: bool, found: str) -> Wish:
    """Judge a wish by what is there; an error that the agent passes on is a loud failure."""
    wrong = Outcome.LOUD if told.startswith("no such") else Outcome.SILENT
    return Wish(chapter, wish, told, found, Outcome.RIGHT if right else wrong)
