"""The server: the snapshot's tools, the chapters' answers, and nothing else that can be reached."""

import json
import random

import anyio
import pytest
from mcp import Client, MCPError
from mcp_types import INTERNAL_ERROR, INVALID_PARAMS, METHOD_NOT_FOUND, methods

from osfhelpers.engine.data import load
from osfhelpers.engine.durable import BY_HAND
from osfhelpers.engine.note import Note
from osfhelpers.engine.refusals import InvalidArguments, NotOpen, Problem, Refused
from osfhelpers.engine.room import Room
from osfhelpers.engine.snapshot import tools
from osfhelpers.engine.store import Conflict, Done
from osfhelpers.engine.store_file import StoreFileError
from osfhelpers.wire.answers import KINDS, from_wire, to_wire
from osfhelpers.wire.clock import run
from osfhelpers.wire.server import FAULT, dropped, lose_replies, tool_server
from wire.raw import Stdio

ERAS = ("legacy", "auto")
NEW_TAB = {"note_id": "q3-review", "expected_version": 1, "idempotency_key": "key-0001", "tab_type": "slides"}
SNIPPET = {
    "room_id": "team-room",
    "name": "Timer",
    "files": {"src/App.tsx": "export default () => null"},
    "idempotency_key": "key-0001",
}


@pytest.fixture
def places():
    opened = {"q3-review": Note("q3-review"), "team-room": Room("team-room")}
    for place in opened.values():
        place.open_to("agent")
    return opened


def asking(server, mode, *calls):
    """Make some calls in one session in memory, and return their results or errors."""

    async def session():
        answers = []
        async with Client(server, mode=mode) as client:
            for tool, arguments in calls:
                try:
                    answers.append(await client.call_tool(tool, arguments, read_timeout_seconds=60))
                except MCPError as error:
                    answers.append(error)
        return answers

    return anyio.run(session)


@pytest.mark.parametrize("mode", ERAS)
def test_the_tool_list_is_the_snapshot_but_for_what_the_sdk_drops(places, mode):
    async def listing():
        async with Client(tool_server(places), mode=mode) as client:
            return await client.list_tools()

    listed = anyio.run(listing).model_dump(by_alias=True, exclude_none=True)["tools"]
    snapshot = json.loads(json.dumps(load("tools_list.json")))["tools"]
    schemes = [tool.pop("securitySchemes") for tool in snapshot]
    assert listed == snapshot
    assert [tuple(scheme["scopes"]) for (scheme,) in schemes] == [tool.scopes for tool in tools().values()]


def test_what_the_sdk_drops_is_the_security_scheme_of_every_tool_and_nothing_more():
    assert dropped() == {"$.tools[*].securitySchemes": len(tools())}


@pytest.mark.parametrize("mode", ERAS)
def test_answers_over_the_wire_are_the_answers_of_call(places, mode):
    stale = {**NEW_TAB, "idempotency_key": "key-0002"}
    calls = [("create_note_tab", NEW_TAB)] * 2 + [("create_note_tab", stale)]
    first, again, conflict, read = asking(
        tool_server(places), mode, *calls, ("list_note_tabs", {"note_id": "q3-review"})
    )
    made = {"tab_id": places["q3-review"].tabs[-1].tab_id, "version": 2}
    assert from_wire(first) == Done(made)
    assert from_wire(again) == Done(made, replayed=True)
    assert from_wire(conflict) == Conflict(1, 2)
    assert from_wire(read)["version"] == 2
    assert not any(result.is_error for result in (first, again, conflict, read))


REFUSALS = [kind(Problem("$.a", "one"), Problem("", "two")) for kind in KINDS.values()]


@pytest.mark.parametrize("refusal", REFUSALS, ids=lambda refusal: type(refusal).__name__)
def test_every_kind_of_refusal_comes_back_as_itself(refusal):
    sent = to_wire(refusal)
    assert sent.is_error
    with pytest.raises(type(refusal)) as raised:
        from_wire(sent)
    assert raised.value.problems == refusal.problems


@pytest.mark.parametrize(
    "answer", [Done({"tab_id": "t"}), Conflict(1, 2), {"items": []}, REFUSALS[0]], ids=repr
)
def test_text_and_structured_content_say_the_same(answer):
    sent = to_wire(answer)
    (text,) = sent.content
    assert json.loads(text.text) == sent.structured_content


def test_a_refusal_names_every_problem_and_changes_nothing(places):
    wrong = {"note_id": 1, "expected_version": "1", "idempotency_key": "k", "tab_type": "markdown"}
    slides = [{"title": "A", "bullets": []}, {}]
    (result,) = asking(tool_server(places), "auto", ("create_note_tab", {**wrong, "slides": slides, "x": 1}))
    with pytest.raises(InvalidArguments) as refused:
        from_wire(result)
    arguments = ("note_id", "expected_version", "idempotency_key", "tab_type", "slides[0]", "slides[1]")
    places_named = {problem.place for problem in refused.value.problems}
    assert places_named == {"$", *(f"$.{name}" for name in arguments)}
    assert places["q3-review"].version == 1


@pytest.mark.parametrize("mode", ERAS)
def test_an_unknown_tool_is_an_error_of_the_protocol(places, mode):
    (error,) = asking(tool_server(places), mode, ("create_note", {}))
    assert (error.code, error.message) == (INVALID_PARAMS, "Unknown tool: 'create_note'")


class Broken(Note):
    """A Note whose every call fails by a fault of the program, or of the file under it."""

    def __init__(self, fault):
        super().__init__()
        self.fault = fault

    def answer(self, tool, arguments, principal):
        raise self.fault


@pytest.mark.parametrize("mode", ERAS)
def test_a_fault_of_the_server_is_logged_and_tells_the_client_nothing(mode, caplog):
    broken = Broken(RuntimeError("no such file: /home/someone/store.db, token s3cret"))
    (error,) = asking(tool_server({"q3-review": broken}), mode, ("create_note_tab", NEW_TAB))
    assert (error.code, error.message, error.data) == (INTERNAL_ERROR, FAULT, None)
    assert "s3cret" in caplog.text


def test_a_store_that_cannot_answer_now_says_so_in_its_own_words():
    busy = Broken(StoreFileError("another process has kept it locked for too long"))
    (error,) = asking(tool_server({"q3-review": busy}), "auto", ("create_note_tab", NEW_TAB))
    assert error.message == "another process has kept it locked for too long"


def test_hard_values_are_refused_and_the_session_goes_on(places):
    deep = "x"
    for _ in range(200):
        deep = [deep]
    hard = [deep, 10**400, float("nan"), float("inf"), "\ud800", True, 1.5]
    calls = [("create_note_tab", {**NEW_TAB, "expected_version": value}) for value in hard]
    calls += [("create_note_tab", {**NEW_TAB, "label": value}) for value in (deep, "\ud800")]
    *refused, read = asking(tool_server(places), "auto", *calls, ("list_note_tabs", {"note_id": "q3-review"}))
    assert [result.structured_content["outcome"] for result in refused] == [
        "refused", "conflict", *["refused"] * 7
    ]  # fmt: skip
    assert from_wire(read)["version"] == 1


def test_a_place_is_open_to_the_principal_of_the_request_only(places):
    places["team-room"].open_to("someone-else")
    calls = ("read_room", {"room_id": "team-room"}), ("list_note_tabs", {"note_id": "q3-review"})
    room, note = asking(tool_server(places, principal=lambda context: "someone-else"), "auto", *calls)
    assert from_wire(room)["apps"] == 0
    with pytest.raises(NotOpen):
        from_wire(note)


def test_lost_replies_are_one_draw_for_each_write_that_is_done(places):
    share, seed = 0.5, 7
    rng = random.Random(seed)
    lost = [rng.random() < share for _ in range(12)]
    assert len({*lost}) == 2
    read, stale = ("list_note_tabs", {"note_id": "q3-review"}), {**NEW_TAB, "idempotency_key": "key-stale"}
    server = tool_server(places, before_reply=lose_replies(share, random.Random(seed)))

    async def session():
        async with Client(server) as client:
            arrived = []
            for index in range(len(lost)):
                intent = {**NEW_TAB, "idempotency_key": f"key-{index:04}", "expected_version": index + 1}
                with anyio.move_on_after(0.3) as patience:
                    await client.call_tool("create_note_tab", intent)
                arrived.append(not patience.cancelled_caught)
                # What is no write, or is not done, always arrives and costs no draw.
                await client.call_tool(*read)
                await client.call_tool("create_note_tab", {**stale, "expected_version": 99})
                await client.call_tool("create_note_tab", {})
            return arrived

    # By a clock that skips idle time, or a busy moment would pass for a lost reply.
    assert run(session, skip_idle_time=True) == [not each for each in lost]
    assert places["q3-review"].version == 1 + len(lost)


def test_nothing_but_the_tools_is_reached_and_no_tool_is_a_persons(places, start):
    server = start(Stdio)
    server.open()
    reached = set()
    valid = {"name": "none", "uri": "file:///", "level": "info"}
    valid |= {"ref": {"type": "ref/prompt", "name": "none"}, "argument": {"name": "none", "value": ""}}
    for method in sorted(methods.SPEC_CLIENT_METHODS - {"initialize"}):
        reply = server.ask(method, valid)
        if reply.get("error", {}).get("code") != METHOD_NOT_FOUND:
            reached.add(method)
    assert reached == {"ping", "tools/list", "tools/call"}
    names = {tool["name"] for tool in server.ask("tools/list")["result"]["tools"]}
    assert names == set(tools())

    persons = {action for actions in BY_HAND.values() for action in actions} | {"open_to", "forget_keys"}
    assert persons & {"approve", "decline", "deploy"}
    for action in persons:
        assert server.ask("tools/call", {"name": action, "arguments": {}})["error"]["code"] == INVALID_PARAMS
        for tool in sorted(names):
            answer = server.call(tool, **{action: "app-1"})
            extra = {"place": "$", "what": f"unexpected {action}"}
            assert answer["outcome"] == "refused"
            assert extra in answer["problems"]
    instance_id = server.call("propose_room_snippet_app", **SNIPPET)["result"]["instance_id"]
    status = server.call("read_room_app_status", room_id="team-room", instance_id=instance_id)
    assert status["result"]["launcher"] == "awaiting review"
    assert server.close() == 0


def test_all_kinds_of_refusals_are_known_to_the_wire():
    assert set(KINDS.values()) == set(Refused.__subclasses__())
