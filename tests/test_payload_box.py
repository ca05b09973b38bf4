"""The payload box: every change is judged, and no error is swallowed."""

import pytest

from osfhelpers.drawing.rendering import VARIABLE
from osfhelpers.engine.refusals import UnknownTool
from osfhelpers.teaching import payload_box as module
from osfhelpers.teaching.payload_box import payload_box

GOOD = '{"note_id": "q3-review", "kind": "sources", "limit": 50}'
HOLE = GOOD.replace("50", "100")


def parts(box):
    """Return the example chooser, the tool chooser, the text and the verdict of a live box."""
    return box.widget().children


def test_the_box_opens_on_its_first_payload_with_both_verdicts():
    _, tool, text, verdict = parts(payload_box("list_note_attachments", HOLE, GOOD))
    assert (tool.value, text.value) == ("list_note_attachments", HOLE)
    assert "ok, but it ignored maximum" in verdict.value
    assert "$.limit: 100 is greater than the maximum of 50" in verdict.value


def test_typing_changes_the_verdict():
    _, _, text, verdict = parts(payload_box("list_note_attachments", HOLE))
    text.value = GOOD
    assert "$.limit" not in verdict.value
    text.value = GOOD[:-1]
    assert "no JSON at line 1" in verdict.value
    text.value = GOOD.replace("limit", "&lt;b>")
    assert "unexpected &amp;lt;b&gt;" in verdict.value


def test_another_tool_judges_the_same_payload():
    _, tool, text, verdict = parts(payload_box("list_note_attachments", GOOD))
    tool.value = "list_note_tabs"
    assert text.value == GOOD
    assert "$: unexpected kind; $: unexpected limit" in verdict.value


def test_an_example_brings_its_payload_and_its_tool_back():
    example, tool, text, verdict = parts(payload_box("list_note_attachments", HOLE, GOOD))
    tool.value, text.value = "read_room", "broken"
    example.value = 1
    assert (tool.value, text.value) == ("list_note_attachments", GOOD)
    assert "<td" in verdict.value
    assert "broken" not in verdict.value


def test_an_error_in_the_callback_is_shown_and_raised(monkeypatch):
    _, _, text, verdict = parts(payload_box("list_note_attachments", GOOD))

    def broken(name, text):
        raise RuntimeError("a planted fault <1>")

    monkeypatch.setattr(module, "check_text", broken)
    with pytest.raises(RuntimeError, match="planted"):
        text.value = HOLE
    assert "a planted fault &lt;1&gt;" in verdict.value


@pytest.mark.parametrize("mode", ["committed", "static"])
def test_without_a_kernel_the_examples_stand_in_a_table(monkeypatch, mode):
    shown = []
    monkeypatch.setenv(VARIABLE, mode)
    monkeypatch.setattr("IPython.display.display", shown.append)
    payload_box("list_note_attachments", HOLE, '{"a": NaN, "b": "<script>"}')._ipython_display_()
    [output] = shown
    assert "$.limit: 100 is greater than the maximum of 50" in output.html
    assert "NaN is no JSON value" in output.html
    assert "Run this notebook in JupyterLab" in output.html
    assert "<script" not in output.html
    assert "$.limit" in output.text


def test_a_box_needs_a_known_tool_and_a_text():
    with pytest.raises(UnknownTool):
        payload_box("list_attachments", GOOD)
    with pytest.raises(ValueError, match="at least one"):
        payload_box("list_note_attachments")


def test_the_verdict_names_each_judge_once():
    html = parts(payload_box("list_note_attachments", HOLE))[-1].value
    assert [html.count(judge) for judge in ("small validator", "full schema", "server rules")] == [1, 1, 1]
