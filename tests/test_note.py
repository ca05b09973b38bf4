"""A Note behaves as the published one where that is known, and says so where it refuses."""

import re
import threading

import pytest

from osfhelpers.engine.calls import call
from osfhelpers.engine.note import Note
from osfhelpers.engine.refusals import NotOpen, RuleBroken, UnknownTab, UnknownTool, WrongTab
from osfhelpers.engine.tab_edits import Slide


@pytest.fixture
def note() -> Note:
    note = Note()
    note.open_to("agent")
    return note


def write(note: Note, tool: str, **arguments):
    arguments |= {"note_id": note.place_id, "expected_version": note.version}
    arguments.setdefault("idempotency_key", f"key-at-version-{note.version}")
    return call(tool, arguments, on=note).result


def test_a_note_starts_with_its_three_fixed_tabs(note):
    assert [tab.tab_id for tab in note.tabs] == ["markdown", "files", "sources"]


def test_an_id_has_the_published_shape_and_is_never_used_again(note):
    first = note.add("slides")
    note.close(first)
    second = note.add("slides")
    assert re.fullmatch(r"slides-\d+-[0-9a-z]{8}", first)
    assert first != second


def test_a_rename_only_trims_and_two_tabs_may_have_one_label(note):
    a, b = note.add("slides", "Q3"), note.add("slides", "Q4")
    note.rename(b, "  Q3 ")
    assert note.tab(a).label == note.tab(b).label == "Q3"


def test_a_drag_puts_the_tab_at_the_place_counted_without_it(note):
    deck = note.add("slides")
    note.drag(deck, 0)
    assert [tab.tab_id for tab in note.tabs] == [deck, "markdown", "files", "sources"]
    with pytest.raises(ValueError, match="0 to 3, but it is 4"):
        note.drag(deck, 4)


def test_every_action_of_the_person_raises_the_version_by_one(note):
    deck = note.add("slides")
    note.rename(deck, "Q3")
    note.drag(deck, 1)
    note.save("text")
    note.close(deck)
    assert note.version == 6


def test_a_fixed_tab_is_neither_closed_nor_renamed_nor_written_to(note):
    with pytest.raises(WrongTab, match="fixed"):
        note.close("files")
    with pytest.raises(WrongTab, match="fixed"):
        note.rename("files", "mine")
    with pytest.raises(WrongTab, match="'sources' is a sources tab"):
        write(note, "edit_note_tab", tab_id="sources", operation="slide_add", title="x")


def test_a_closed_a_foreign_and_an_invented_tab_id_are_errors_that_name_it(note):
    closed = note.add("slides")
    note.add("slides")
    note.close(closed)
    other = Note("another")
    foreign = [other.add("slides") for _ in range(5)][-1]
    for tab_id in (closed, foreign, "slides"):
        with pytest.raises(UnknownTab, match=tab_id):
            write(note, "edit_note_tab", tab_id=tab_id, operation="slide_add", title="x")


def test_the_raw_type_shortcut_is_off_and_hits_the_first_tab_of_the_type_when_on():
    note = Note(raw_type_shortcut=True)
    note.open_to("agent")
    first, second = note.add("slides"), note.add("slides")
    note.drag(second, 0)
    assert write(note, "edit_note_tab", tab_id="slides", operation="slide_add", title="x") == {
        "tab_id": second,
        "version": 5,
    }
    assert note.tab(first).slides == ()


def test_an_outline_fills_a_slides_tab_and_keeps_its_order(note):
    slides = [{"title": "Revenue", "body": "up"}, {"title": "Costs", "notes": "say why"}]
    made = write(note, "create_note_tab", tab_type="slides", label="Q3", slides=slides)
    assert note.tab(made["tab_id"]).slides == (Slide("Revenue", "up"), Slide("Costs", "", "say why"))


def test_an_outline_for_a_sheet_is_refused_instead_of_lost(note):
    with pytest.raises(RuleBroken, match="slides"):
        write(note, "create_note_tab", tab_type="sheet", slides=[{"title": "x"}])


def test_each_operation_edits_its_own_type_of_tab(note):
    deck, sheet = note.add("slides"), note.add("sheet")
    write(note, "edit_note_tab", tab_id=deck, operation="slide_add", title="Revenue")
    write(note, "edit_note_tab", tab_id=deck, operation="slides_add_outline", slides=[{"title": "Costs"}])
    write(note, "edit_note_tab", tab_id=deck, operation="text_replace", find="Costs", replace="Spending")
    write(note, "edit_note_tab", tab_id=sheet, operation="sheet_range_set", range="A1:B1", values=[["Q3", 7]])
    assert [slide.title for slide in note.tab(deck).slides] == ["Revenue", "Spending"]
    assert note.tab(sheet).cells == {"A1": "Q3", "B1": 7}


@pytest.mark.parametrize(
    ("operation", "fields", "complaint"),
    [
        ("slide_add", {"body": "no title"}, "title: slide_add needs it"),
        ("text_replace", {"find": "nowhere", "replace": "x"}, "'nowhere' stands nowhere"),
        ("text_replace", {"find": "", "replace": "x"}, "'' stands nowhere"),
        ("sheet_range_set", {"range": "Z9:A1", "values": [[1]]}, "do not fill Z9:A1"),
        ("sheet_range_set", {"range": "first row", "values": [[1]]}, "no range such as B2"),
    ],
)
def test_an_edit_that_cannot_be_carried_out_says_which_field_is_wrong(note, operation, fields, complaint):
    kind = "sheet" if operation.startswith("sheet") else "slides"
    tab_id = note.add(kind)
    before = note.tabs, note.version
    with pytest.raises(RuleBroken, match=re.escape(complaint)):
        write(note, "edit_note_tab", tab_id=tab_id, operation=operation, **fields)
    assert (note.tabs, note.version) == before


def test_sources_are_listed_a_page_at_a_time_until_the_cursor_is_none(note):
    for number in range(7):
        write(note, "add_note_source", title=f"Page {number}", url=f"https://example.org/{number}")
    found, cursor = [], {}
    while True:
        arguments = {"note_id": note.place_id, "kind": "sources", "limit": 3, **cursor}
        page = call("list_note_attachments", arguments, on=note)
        found += [item["title"] for item in page["items"]]
        if page["next_cursor"] is None:
            break
        cursor = {"cursor": page["next_cursor"]}
    assert found == [f"Page {number}" for number in range(7)]
    with pytest.raises(RuleBroken, match="'made-up'"):
        call("list_note_attachments", {**arguments, "cursor": "made-up"}, on=note)


def test_an_unknown_tool_and_an_unknown_note_are_named(note):
    with pytest.raises(UnknownTool, match="create_note_tab"):
        call("create_note_tabs", {}, on=note)
    with pytest.raises(NotOpen, match="there is no 'q4'"):
        call("list_note_tabs", {"note_id": "q4"}, on=note)


@pytest.mark.parametrize("to", [1.0, "1", None, float("nan"), -1])
def test_a_drag_to_no_place_is_refused_and_no_tab_is_lost(note, to):
    before = note.tabs
    with pytest.raises(ValueError, match=f"to must be .* 0 to 2, but it is {to!r}"):
        note.drag("files", to)
    assert (note.tabs, note.version) == (before, 1)


def test_a_tab_is_never_taken_for_its_neighbour_while_another_thread_closes_tabs(note, monkeypatch):
    first, second, _ = (note.add() for _ in range(3))
    closes = threading.Thread(target=note.close, args=[first])
    find = note._index

    def found_and_overtaken(tab_id):
        index = find(tab_id)
        if threading.current_thread() is not closes:
            closes.start()
            closes.join(timeout=0.2)
        return index

    monkeypatch.setattr(note, "_index", found_and_overtaken)
    assert note.tab(second).tab_id == second
    closes.join()
