"""What does a person do to the strip of tabs between two turns of an agent?

A drag, a rename, a new deck, or a save that leaves the strip alone, carried out on the real
Note. Labels are numbered, and so are decks, in the order in which they were made.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass

from osfhelpers.engine.note import Note
from osfhelpers.engine.tab_edits import Tab

KINDS = ("rename", "add", "drag", "save")
LABELS = ("Q3 review", "Draft", "Figures", "Backup", "Board", "Q2 review", "Ideas", "Archive")


@dataclass(frozen=True)
class Edit:
    """One edit by a person.

    A "drag" takes the tab at place `pick` and puts it back at place `put`; a "rename" gives deck
    number `pick` label number `put`; an "add" makes a deck with label number `put`.
    """

    kind: str
    pick: int = 0
    put: int = 0


def new_note(decks: int, *, raw_type_shortcut: bool = False) -> Note:
    """Return a Note with the fixed tabs and some decks, labelled in turn, open to the agent."""
    note = Note(raw_type_shortcut=raw_type_shortcut)
    note.open_to("agent")
    for label in LABELS[:decks]:
        note.add("slides", label)
    return note


def decks_of(note: Note) -> list[Tab]:
    """Return the Slides tabs of a Note in the order in which they were made."""
    slides = (tab for tab in note.tabs if tab.tab_type == "slides")
    return sorted(slides, key=lambda tab: int(tab.tab_id.split("-")[1]))


def carry_out(edit: Edit, note: Note) -> str | None:
    """Carry out one edit, and return the ID of the tab that it touched, if any."""
    if edit.kind == "save":
        note.save("A line in the text.")
        return None
    if edit.kind == "add":
        return note.add("slides", LABELS[edit.put])
    if edit.kind == "drag":
        tab_id = note.tabs[edit.pick].tab_id
        note.drag(tab_id, edit.put)
    else:
        tab_id = decks_of(note)[edit.pick].tab_id
        note.rename(tab_id, LABELS[edit.put])
    return tab_id


def any_edit(note: Note, chances: Sequence[float], labels: int, rng: random.Random) -> Edit:
    """Draw an edit: its kind by the chances of `KINDS`, its tab, place and label uniformly."""
    [kind] = rng.choices(KINDS, chances)
    tabs = len(note.tabs)
    if kind == "drag":
        return Edit(kind, rng.randrange(tabs), rng.randrange(tabs))
    return Edit(kind, rng.randrange(len(decks_of(note))), rng.randrange(labels))
