"""The check before a call: exit 0 exactly when the full schema and the rules accept it."""

import contextlib
import io
import json
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from osfhelpers.__main__ import main
from osfhelpers.engine.calls import call
from osfhelpers.engine.check import check_call, check_text
from osfhelpers.engine.json_text import JSONTextError
from osfhelpers.engine.note import Note
from osfhelpers.engine.refusals import InvalidArguments, NotOpen, Refused, RuleBroken, UnknownTool
from osfhelpers.engine.snapshot import tools
from osfhelpers.models.mistakes import calls

SOURCES = {"note_id": "q3-review", "kind": "sources"}
SLIDE = {
    "note_id": "q3-review",
    "tab_id": "slides-1-mh8z1k2b",
    "expected_version": 7,
    "idempotency_key": "deck-q3-0001",
    "operation": "slide_add",
}


def validate(tmp_path, tool, content):
    """Run the command on a file of this content; return its exit status."""
    file = tmp_path / "payload.json"
    file.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
    return main(["validate", tool, str(file)])


def test_a_call_that_all_accept_exits_with_0(tmp_path, capsys):
    assert validate(tmp_path, "list_note_attachments", {**SOURCES, "limit": 50}) == 0
    assert capsys.readouterr().out.splitlines() == [
        "small validator: ok, but it ignored maximum, minimum, type",
        "full schema: ok",
        "server rules: ok",
    ]


def test_the_hole_of_the_small_validator_exits_with_1(tmp_path, capsys):
    assert validate(tmp_path, "list_note_attachments", {**SOURCES, "limit": 100}) == 1
    out = capsys.readouterr().out
    assert "small validator: ok, but it ignored maximum" in out
    assert "full schema: refused\n    $.limit: 100 is greater than the maximum of 50" in out
    assert "server rules: not asked" in out


def test_a_call_that_only_a_server_rule_refuses_exits_with_1(tmp_path, capsys):
    assert validate(tmp_path, "edit_note_tab", SLIDE) == 1
    out = capsys.readouterr().out
    assert "full schema: ok" in out
    assert "server rules: refused\n    $.title: slide_add needs it" in out


@pytest.mark.parametrize("path", ["/etc/hosts", "src/../../x.ts", "src\\x.ts"])
def test_the_path_rules_of_a_room_are_asked_too(tmp_path, path):
    [right] = [each.arguments for each in calls("right_calls") if each.tool == "propose_room_snippet_app"]
    assert validate(tmp_path, "propose_room_snippet_app", right) == 0
    files = {**right["files"], path: ""}
    assert validate(tmp_path, "propose_room_snippet_app", {**right, "files": files}) == 1


def test_every_problem_is_shown_with_its_place(tmp_path, capsys):
    slides = [{"title": "Costs"}, {"title": 2, "bullets": []}, {}]
    payload = {**SLIDE, "operation": "slides_add_outline", "slides": slides, "expected_version": "7"}
    assert validate(tmp_path, "edit_note_tab", payload) == 1
    out = capsys.readouterr().out
    for place in ("$.expected_version", "$.slides[1].title", "$.slides[1]", "$.slides[2]"):
        assert f"    {place}: " in out
    assert "    $.slides[1]: unexpected bullets" in out.split("full schema")[0]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b'{"a": NaN}',
        b'{"a": 1, "a": 2}',
        b'{"a": 1e999}',
        b"\xff",
        b"\xef\xbb\xbf{}",
        b"[" * 100_000,
    ],
)
def test_an_input_that_is_no_json_exits_with_2(tmp_path, capsys, content):
    assert validate(tmp_path, "read_room", content) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith("osfhelpers validate: ")


def test_an_unknown_tool_exits_with_2_and_names_the_nearest(tmp_path, capsys):
    assert validate(tmp_path, "create_note_tabs", {}) == 2
    assert "create_note_tab" in capsys.readouterr().err


def test_a_missing_file_exits_with_2(tmp_path, capsys):
    assert main(["validate", "read_room", str(tmp_path / "none.json")]) == 2
    assert "none.json" in capsys.readouterr().err


def test_a_dash_reads_standard_input(monkeypatch, capsys):
    text = io.TextIOWrapper(io.BytesIO(json.dumps(SOURCES).encode()))
    monkeypatch.setattr(sys, "stdin", text)
    assert main(["validate", "list_note_attachments", "-"]) == 0


def test_a_terminal_of_few_signs_gets_escapes_and_no_traceback(tmp_path, monkeypatch):
    terminal = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr(sys, "stdout", terminal)
    assert validate(tmp_path, "list_note_attachments", {**SOURCES, "größe\x1b[31m\ud800": 1}) == 1
    terminal.seek(0)
    shown = terminal.read()
    assert "\x1b" not in shown
    assert r"gr\xf6\xdfe\x1b[31m\ud800" in shown


@pytest.mark.parametrize("depth", [10, 200, 900, 960, 990, 5_000])
def test_deep_nesting_is_judged_or_is_no_json_and_never_a_crash(depth):
    text = '{"note_id": ' + "[" * depth + "]" * depth + "}"
    with contextlib.suppress(JSONTextError):
        assert not check_text("list_note_tabs", text).passes


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)


@given(st.sampled_from(sorted(tools())), JSON)
def test_any_json_value_gets_a_verdict_from_every_judge(name, value):
    verdicts = list(check_text(name, json.dumps(value)).verdicts())
    assert [judge for judge, _, _ in verdicts] == ["small validator", "full schema", "server rules"]
    for _, verdict, problems in verdicts:
        assert (verdict == "refused") == bool(problems)
        assert all(problem.startswith("$") and problem.isprintable() for problem in problems)


@given(st.binary(max_size=40))
def test_any_bytes_are_judged_or_refused_as_no_json(text):
    with contextlib.suppress(JSONTextError):
        check_text("read_room", text)


def refusal(each):
    """Return why a call is refused by the one way in; its place does not exist, so that it always is."""
    with pytest.raises(Refused) as caught:
        call(each.tool, each.arguments, on=Note("another"))
    return caught.type, [problem.what for problem in caught.value.problems]


def test_the_check_and_the_one_way_in_agree_on_every_call_of_the_list():
    for each in (*calls(), *calls("right_calls")):
        check, (kind, problems) = check_call(each.tool, each.arguments), refusal(each)
        assert kind is (InvalidArguments if check.schema else RuleBroken if check.rules else NotOpen)
        if not check.passes:
            assert problems == [problem.what for problem in check.schema or check.rules]


def test_an_unknown_tool_is_named_before_the_text_is_read():
    with pytest.raises(UnknownTool, match="did you mean"):
        check_text("create_tab", "no JSON")
