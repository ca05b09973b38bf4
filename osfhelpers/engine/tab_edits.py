"""What may one `edit_note_tab` operation do to a tab?

Each operation is a function from a tab and the arguments to the changed tab, and belongs to
one type of tab. It raises before anything has changed. `slide_add` and `slides_add_outline`
are published; the other two are named by the connector's public help, and their fields and
their behaviour are reconstruction.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from osfhelpers.engine.refusals import Problem, RuleBroken


@dataclass(frozen=True)
class Slide:
    """One slide of an outline: content only, no styling."""

    title: str
    body: str = ""
    notes: str = ""


@dataclass(frozen=True)
class Tab:
    """One tab instance of a strip, with the content that its type can hold."""

    tab_id: str
    tab_type: str
    label: str
    slides: tuple[Slide, ...] = ()
    cells: Mapping[str, Any] | None = None


def add_slide(tab: Tab, arguments: Mapping[str, Any]) -> Tab:
    """Append one slide; there is no field for a position."""
    fields = {name: arguments[name] for name in ("title", "body", "notes") if name in arguments}
    return replace(tab, slides=(*tab.slides, Slide(**fields)))


def add_outline(tab: Tab, arguments: Mapping[str, Any]) -> Tab:
    """Append the slides of an outline."""
    return replace(tab, slides=(*tab.slides, *(Slide(**slide) for slide in arguments["slides"])))


def replace_text(tab: Tab, arguments: Mapping[str, Any]) -> Tab:
    """Replace a text wherever it stands in the tab's slides; a text that is nowhere is an error."""
    find, by = arguments["find"], arguments["replace"]
    texts = [(slide.title, slide.body, slide.notes) for slide in tab.slides]
    if not find or not any(find in text for slide in texts for text in slide):
        raise RuleBroken(Problem("find", f"{find!r} stands nowhere in {tab.tab_id!r}"))
    changed = (Slide(*(text.replace(find, by) for text in slide)) for slide in texts)
    return replace(tab, slides=tuple(changed))


def set_range(tab: Tab, arguments: Mapping[str, Any]) -> Tab:
    """Write rows of values into a range of cells such as A1:C2, which they must fill exactly."""
    names = _cells(arguments["range"])
    values = arguments["values"]
    if [len(row) for row in values] != [len(row) for row in names]:
        raise RuleBroken(Problem("values", f"they do not fill {arguments['range']} exactly"))
    new = dict(zip(chain(*names), chain(*values), strict=True))
    return replace(tab, cells={**(tab.cells or {}), **new})


def _cells(text: str) -> list[list[str]]:
    parts = re.fullmatch(r"([A-Z])([1-9]\d{0,3})(?::([A-Z])([1-9]\d{0,3}))?", text, re.ASCII)
    if parts is None:
        raise RuleBroken(Problem("range", f"{text!r} is no range such as B2 or A1:C2"))
    left, top, right, bottom = parts.groups()
    columns = range(ord(left), ord(right or left) + 1)
    rows = range(int(top), int(bottom or top) + 1)
    return [[f"{chr(column)}{row}" for column in columns] for row in rows]


@dataclass(frozen=True)
class Operation:
    """One operation: the type of tab that it writes to, the fields it needs, and its function."""

    tab_type: str
    needs: tuple[str, ...]
    change: Callable[[Tab, Mapping[str, Any]], Tab]


OPERATIONS: dict[str, Operation] = {
    "slide_add": Operation("slides", ("title",), add_slide),
    "slides_add_outline": Operation("slides", ("slides",), add_outline),
    "text_replace": Operation("slides", ("find", "replace"), replace_text),
    "sheet_range_set": Operation("sheet", ("range", "values"), set_range),
}
