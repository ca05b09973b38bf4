"""What does a Note hold, and what may a person and an agent do to it?

A Note has a strip of tabs. A person drags, renames, adds and closes tabs and saves text; an
agent reaches the Note through its tools only. Every change raises the Note's one version.
IDs follow the published shape `slides-9-mh8z1k2a`: type, counter, base-36 time stamp. The
clock behind the stamp is a counter here, so that two runs of a chapter print the same IDs.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

from osfhelpers.engine.parameters import whole_number
from osfhelpers.engine.refusals import Problem, UnknownTab, WrongTab
from osfhelpers.engine.store import OnMismatch, Order, Store, Write, page
from osfhelpers.engine.tab_edits import OPERATIONS, Slide, Tab

FIXED_TABS = ("markdown", "files", "sources")
NEW_TAB_TYPES = ("slides", "sheet")
FIRST_STAMP_MS = int("mh8z1k2a", 36)


@dataclass(frozen=True)
class Source:
    """One row of the Sources tab."""

    source_id: str
    title: str
    url: str
    description: str = ""


class Note(Store):
    """A Note in memory, safe under threads.

    Args:
        place_id: the Note's ID, which every tool call names.
        order, on_mismatch, check_version: see `osfhelpers.engine.store`.
        raw_type_shortcut: resolve a raw type such as "slides" to the first tab of that type, as
            the desktop app does for old links. Off, as for the connector.
    """

    def __init__(
        self,
        place_id: str = "q3-review",
        *,
        order: Order = Order.KEY_THEN_VERSION,
        on_mismatch: OnMismatch = OnMismatch.RETURN_FIRST,
        check_version: bool = True,
        raw_type_shortcut: bool = False,
    ) -> None:
        super().__init__(place_id, order=order, on_mismatch=on_mismatch, check_version=check_version)
        self.raw_type_shortcut = raw_type_shortcut
        self._made = 0
        self._tabs = [Tab(kind, kind, kind.capitalize()) for kind in FIXED_TABS]
        self._sources: list[Source] = []
        self._text = ""

    # What anyone with the Note open can see.

    @property
    def tabs(self) -> tuple[Tab, ...]:
        """The strip of tabs, from left to right."""
        return tuple(self._tabs)

    @property
    def sources(self) -> tuple[Source, ...]:
        """The rows of the Sources tab, in the order in which they were added."""
        return tuple(self._sources)

    @property
    def text(self) -> str:
        """The text of the Markdown tab."""
        return self._text

    def tab(self, tab_id: str) -> Tab:
        """Return the tab with this ID; a tab that is closed or was never made is an error."""
        with self._lock:
            return self._tabs[self._index(tab_id)]

    # The person's actions: no tool reaches these.

    def drag(self, tab_id: str, to: int) -> None:
        """Take a tab out of the strip and put it back at place `to`, counted without it."""
        with self._lock:
            index = self._index(tab_id)
            whole_number("to", to, at_least=0, at_most=len(self._tabs) - 1)
            self._tabs.insert(to, self._tabs.pop(index))
            self.version += 1

    def rename(self, tab_id: str, label: str) -> None:
        """Give a Slides or Sheet tab a label; it is trimmed, and another tab may have it too."""
        with self._lock:
            index = self._index(tab_id)
            self._own_tab(self._tabs[index], "renamed")
            self._tabs[index] = replace(self._tabs[index], label=label.strip())
            self.version += 1

    def add(self, tab_type: str = "slides", label: str = "") -> str:
        """Add an empty Slides or Sheet tab at the end of the strip and return its ID."""
        with self._lock:
            tab_id = self._make_tab(tab_type, label, ())
            self.version += 1
            return tab_id

    def close(self, tab_id: str) -> None:
        """Close a Slides or Sheet tab; its ID is never given to another."""
        with self._lock:
            index = self._index(tab_id)
            self._own_tab(self._tabs[index], "closed")
            del self._tabs[index]
            self.version += 1

    def save(self, text: str) -> None:
        """Save the text of the Markdown tab."""
        with self._lock:
            self._text = text
            self.version += 1

    # The agent's tools.

    @property
    def tools(self) -> Collection[str]:
        """The tools that a Note answers."""
        return READS.keys() | WRITES.keys()

    def answer(self, tool: str, arguments: Mapping[str, Any], principal: str) -> Any:
        """Carry out a validated call of one of this Note's tools."""
        if tool in READS:
            with self._lock:
                self.require_open(principal)
                return READS[tool](self, arguments)
        return self.write(Write(principal, tool, arguments))

    def effect(self, write: Write) -> dict[str, Any]:
        """Make the tab, the edit or the source that a write asks for."""
        return WRITES[write.tool](self, write.arguments)

    def _list_tabs(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        rows = [{"tab_id": t.tab_id, "type": t.tab_type, "label": t.label} for t in self._tabs]
        return {"version": self.version, "tabs": rows}

    def _list_attachments(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        rows = {row.source_id: row for row in self._sources} if arguments["kind"] == "sources" else {}
        ids, next_cursor = page(list(rows), arguments)
        return {"items": [vars(rows[each]).copy() for each in ids], "next_cursor": next_cursor}

    def _create_tab(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        slides = tuple(Slide(**slide) for slide in arguments.get("slides", ()))
        label = arguments.get("label", "")
        return {"tab_id": self._make_tab(arguments["tab_type"], label, slides)}

    def _edit_tab(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        index = self._index(self._resolve(arguments["tab_id"]))
        tab, operation = self._tabs[index], OPERATIONS[arguments["operation"]]
        if tab.tab_type != operation.tab_type:
            what = f"{arguments['operation']} writes to a {operation.tab_type} tab"
            raise WrongTab(Problem("tab_id", f"{tab.tab_id!r} is a {tab.tab_type} tab; {what}"))
        self._tabs[index] = operation.change(tab, arguments)
        return {"tab_id": tab.tab_id}

    def _add_source(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        fields = {name: arguments.get(name, "") for name in ("title", "url", "description")}
        self._sources.append(Source(f"source-{len(self._sources) + 1}", **fields))
        return {"source_id": self._sources[-1].source_id}

    def _resolve(self, tab_id: str) -> str:
        if self.raw_type_shortcut and all(tab.tab_id != tab_id for tab in self._tabs):
            return next((tab.tab_id for tab in self._tabs if tab.tab_type == tab_id), tab_id)
        return tab_id

    def _index(self, tab_id: str) -> int:
        for index, tab in enumerate(self._tabs):
            if tab.tab_id == tab_id:
                return index
        what = f"no tab {tab_id!r} in {self.place_id!r}; read the IDs with list_note_tabs"
        raise UnknownTab(Problem("tab_id", what))

    def _own_tab(self, tab: Tab, done: str) -> None:
        if tab.tab_type in FIXED_TABS:
            raise WrongTab(Problem("tab_id", f"{tab.tab_id!r} is a fixed tab and cannot be {done}"))

    def _make_tab(self, tab_type: str, label: str, slides: tuple[Slide, ...]) -> str:
        if tab_type not in NEW_TAB_TYPES:
            raise WrongTab(Problem("tab_type", f"{tab_type!r} is none of {', '.join(NEW_TAB_TYPES)}"))
        self._made += 1
        stamp = _base_36(FIRST_STAMP_MS + self._made)
        tab = Tab(f"{tab_type}-{self._made}-{stamp}", tab_type, label.strip(), slides)
        self._tabs.append(tab)
        return tab.tab_id


def _base_36(number: int) -> str:
    digits = ""
    while number:
        number, digit = divmod(number, 36)
        digits = "0123456789abcdefghijklmnopqrstuvwxyz"[digit] + digits
    return digits


READS = {"list_note_tabs": Note._list_tabs, "list_note_attachments": Note._list_attachments}
WRITES = {
    "create_note_tab": Note._create_tab,
    "edit_note_tab": Note._edit_tab,
    "add_note_source": Note._add_source,
}
