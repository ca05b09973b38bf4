"""The snapshot has the wire shape of a tools/list result, and says what was published."""

import pytest

from osfhelpers.engine.data import load
from osfhelpers.engine.refusals import UnknownTool
from osfhelpers.engine.snapshot import provenance, tool, tools
from osfhelpers.teaching.phrases import phrase

PUBLISHED_DESCRIPTIONS = {
    "create_note_tab": (
        "Create a new Slides or Sheet tab in an approved Note. Use the version from list_note_tabs; returns "
        "the exact new tab ID for later edits. An optional outline fills a Slides tab. A repeated "
        "idempotency key returns the first tab."
    ),
    "add_note_source": (
        "Add an HTTP or HTTPS citation to the Sources tab of an approved Note. Uses the Note version and an "
        "idempotency key; returns the new source ID."
    ),
    "list_note_tabs": (
        "List every tab instance and its type. A Note may have multiple Slides or Sheet tabs; use the exact "
        "tab ID returned here."
    ),
    "propose_room_snippet_app": (
        "Prepare a Room snippet with source files. It appears in the cloud Room launcher only after its "
        "owner reviews and approves the full code in osFoundry."
    ),
}


def parts(value, pointer):
    """Yield the pointer of every leaf of a JSON value."""
    if isinstance(value, dict) and value:
        for name, part in value.items():
            yield from parts(part, f"{pointer}/{name}")
    else:
        yield pointer


def test_there_are_eleven_tools_in_the_wire_shape():
    listed = load("tools_list.json")
    assert list(listed) == ["tools"]
    assert len(tools()) == 11
    for entry in listed["tools"]:
        assert list(entry) == ["name", "description", "inputSchema", "annotations", "securitySchemes"]
        assert entry["inputSchema"]["type"] == "object"
        assert entry["securitySchemes"][0]["scopes"] in (["osfoundry:read"], ["osfoundry:write"])


def test_exactly_the_verbatim_descriptions_count_as_published():
    found = {
        name: each.description
        for name, each in tools().items()
        if provenance(f"{name}/description").published
    }
    assert found == PUBLISHED_DESCRIPTIONS


def test_every_recorded_part_exists_and_every_part_has_an_origin():
    entries = {entry["name"]: entry for entry in load("tools_list.json")["tools"]}
    leaves = {leaf for name, entry in entries.items() for leaf in parts(entry, name)}
    for pointer in load("tools_list.provenance.json")["parts"]:
        assert any(leaf == pointer or leaf.startswith(pointer + "/") for leaf in leaves), pointer
    for leaf in leaves:
        origin = provenance(leaf)
        assert not origin.published or origin.source


@pytest.mark.parametrize(
    ("pointer", "published"),
    [
        ("create_note_tab/inputSchema/required", True),
        ("create_note_tab/inputSchema/properties/tab_type/enum", True),
        ("create_note_tab/inputSchema/properties/slides/maxItems", True),
        ("create_note_tab/inputSchema/properties/slides/items/properties/title/type", False),
        ("create_note_tab/inputSchema/properties/note_id", False),
        ("create_note_tab/inputSchema/properties/idempotency_key/minLength", False),
        ("create_note_tab/annotations/destructiveHint", True),
        ("add_note_source/inputSchema/required", True),
        ("add_note_source/inputSchema/properties/url", False),
        ("add_note_source/annotations/readOnlyHint", False),
        ("list_note_tabs/inputSchema", False),
        ("edit_note_tab/description", False),
        ("list_note_attachments/inputSchema/properties/limit/maximum", True),
        ("list_note_attachments/inputSchema/properties/limit/minimum", False),
        ("propose_room_snippet_app/inputSchema/properties/idempotency_key/minLength", True),
        ("propose_room_repo_app/annotations/destructiveHint", True),
        ("propose_room_repo_app/inputSchema/required", False),
        ("read_room/annotations/readOnlyHint", True),
        ("read_room/inputSchema", False),
        ("read_room_app_status/inputSchema/required", True),
        ("poll_resource_events/securitySchemes", False),
    ],
)
def test_nothing_reconstructed_passes_for_published(pointer, published):
    assert provenance(pointer).published is published


def test_the_write_tools_ask_a_person_first_and_the_read_tools_do_not():
    asks = {name for name, each in tools().items() if each.asks_first}
    assert asks == {name for name, each in tools().items() if not each.read_only}
    assert len(asks) == 5


def test_no_caller_can_change_the_snapshot():
    tool("read_room").input_schema["additionalProperties"] = True
    assert tool("read_room").input_schema["additionalProperties"] is False
    with pytest.raises(TypeError):
        tools()["read_room"] = None


def test_an_unknown_tool_is_refused_with_the_nearest_names():
    with pytest.raises(UnknownTool, match=r"'read_rooms' is not in the snapshot.*read_room"):
        tool("read_rooms")


def test_a_phrase_is_struck_out_inside_its_published_description():
    shown = phrase("create_note_tab", "A repeated idempotency key returns the first tab.")
    assert "<s>A repeated idempotency key returns the first tab.</s>" in shown.html
    assert "2026-11-09" in shown.html


def test_a_phrase_that_was_not_published_is_refused():
    with pytest.raises(ValueError, match="does not stand"):
        phrase("create_note_tab", "returns the wrong tab")
    with pytest.raises(ValueError, match="reconstruction"):
        phrase("edit_note_tab", "One operation per call")
