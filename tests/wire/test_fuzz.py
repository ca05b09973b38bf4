"""1,000 calls drawn from the schemas, many spoilt, and spoilt text: only a valid call changes the store.

Beside each server stands a mirror: the same Note and Room in memory, which are given only what the
package's own `check_call` passes. Every answer and, in the end, every place must be the mirror's.
"""

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from mcp_types import JSONRPCRequest

from osfhelpers.engine.calls import call
from osfhelpers.engine.check import check_call
from osfhelpers.engine.durable import DEMO, DEMO_PRINCIPAL, KINDS, open_places
from osfhelpers.engine.refusals import Refused
from osfhelpers.engine.snapshot import tools
from osfhelpers.wire.answers import to_wire
from osfhelpers.wire.messages import NotAMessage, read_message
from wire.raw import Stdio, Web, request

ROOT = Path(__file__).parents[2]
# Nothing of the machine or of the program may be in what a client reads.
NEVER_SAID = (b"Traceback", b"site-packages", b".py", bytes(ROOT))
fuzzing = settings(
    phases=[Phase.generate],
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
CURRENT = -7  # stands for the version that the Note has when the call is sent

# Values that a call often has right, so that many of the drawn ones reach the store.
LIKELY = {
    "note_id": st.just("q3-review"),
    "room_id": st.just("team-room"),
    "resource_id": st.sampled_from(["q3-review", "team-room"]),
    "resource_type": st.just("room"),
    "tab_id": st.sampled_from(["slides-1-mh8z1k2b", "sheet-2-mh8z1k2c", "sources", "slides"]),
    "instance_id": st.sampled_from(["app-1", "app-2", "app-99"]),
    "expected_version": st.sampled_from([CURRENT, CURRENT, CURRENT, 1, 2]),
    "idempotency_key": st.integers(0, 40).map("key-{:05}".format),
    "files": st.dictionaries(
        st.sampled_from(["src/App.tsx", "src/a.css", "../x", "src\\b"]), st.text(max_size=9)
    ),
}
FLOATS = st.floats(allow_nan=False, allow_infinity=False)
HARD = [None, True, 2**53, 10**40, -1, 1.0, "", "x" * 300, [], {}, [[]], {"": None}, "\x00", "é\u202e🎉"]
ODD = st.one_of(st.sampled_from(HARD), st.text(max_size=9), st.integers(), FLOATS)


def value(schema, name=""):
    """Draw what a schema of the snapshot allows."""
    if name in LIKELY:
        return LIKELY[name]
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    return st.one_of([DRAWS[kind](schema) for kind in kinds])


def members(schema):
    parts = {name: value(part, name) for name, part in schema.get("properties", {}).items()}
    needed = {name: parts.pop(name) for name in schema.get("required", ())}
    return st.fixed_dictionaries(needed, optional=parts)


DRAWS = {
    "string": lambda schema: st.text(
        min_size=schema.get("minLength", 0), max_size=schema.get("maxLength", 20)
    ),
    "integer": lambda schema: st.integers(schema.get("minimum"), schema.get("maximum")),
    "number": lambda schema: FLOATS,
    "boolean": lambda schema: st.booleans(),
    "null": lambda schema: st.none(),
    "array": lambda schema: st.lists(value(schema["items"]), min_size=schema.get("minItems", 0), max_size=3),
    "object": members,
}


@st.composite
def calls(draw):
    """Draw a tool and its arguments; every third or so is then spoilt in one or two places."""
    name = draw(st.sampled_from([*tools(), "create_note_tab", "edit_note_tab", "add_note_source"]))
    arguments = draw(members(tools()[name].input_schema))
    for _ in range(draw(st.sampled_from([0, 0, 0, 1, 1, 2]))):
        place = draw(st.sampled_from([*arguments, "extra"]))
        if draw(st.booleans()):
            arguments.pop(place, None)
        else:
            arguments[place] = draw(ODD)
    return name, arguments


@st.composite
def texts(draw):
    """Draw the text of a call with some of its bytes gone, doubled or replaced."""
    name, arguments = draw(calls())
    text = json.dumps(request(1, "tools/call", {"name": name, "arguments": arguments})).encode()
    for _ in range(draw(st.integers(1, 2))):
        start = draw(st.integers(0, len(text)))
        end = draw(st.integers(start, min(len(text), start + 9)))
        part = draw(st.sampled_from(SPOILS) | st.binary(max_size=3))
        text = text[:start] + (part if draw(st.booleans()) else text[start:end] * 2) + text[end:]
    return text.replace(b"\n", b" ").replace(b"\r", b" ")


SPOILS = [
    b"NaN",
    b"1e999",
    b"-",
    b"\\ud800",
    b"\xff",
    b"\x00",
    b"[" * 300,
    b"{",
    b"}",
    b'"',
    b',"a":1,"a":2',
    b"",
]


class Mirror:
    """What the server's store must be, from valid calls alone."""

    def __init__(self):
        self.places = {place_id: KINDS[kind](place_id) for place_id, kind in DEMO.items()}
        for place in self.places.values():
            place.open_to(DEMO_PRINCIPAL)
        self.outcomes = set()

    def answer(self, name, arguments):
        """Return the result that the server must give; a call that is not valid changes nothing here."""
        before = {place_id: place.version for place_id, place in self.places.items()}
        try:
            answer = call(name, arguments, on=self.places)
        except Refused as refusal:
            answer = refusal
        if not check_call(name, arguments).passes:
            assert isinstance(answer, Refused)
        if isinstance(answer, Refused):
            assert before == {place_id: place.version for place_id, place in self.places.items()}
        content = to_wire(answer).structured_content
        self.outcomes.add(content["outcome"])
        return json.loads(json.dumps(content))


@pytest.fixture(scope="module", params=[Stdio, Web], ids=["stdio", "http"])
def both(request, start, tmp_path_factory):
    """A server on a file and its mirror; in the end every place is looked at and all that was said."""
    file = tmp_path_factory.mktemp("fuzz") / "s.db"
    server, mirror = start(request.param, "--store", file), Mirror()
    server.open()
    yield server, mirror
    assert server.close() == 0
    assert mirror.outcomes == {"done", "conflict", "read", "refused"}
    for place_id, place in open_places(file).items():
        assert contents(place.look()) == contents(mirror.places[place_id])
        place.close()
    secrets = (server.read_token, server.write_token) if request.param is Web else ()
    for words in (*NEVER_SAID, bytes(file), *map(str.encode, secrets)):
        assert words not in server.said
    assert "Traceback" not in server.log.read_text()


def contents(place):
    hidden = {"_lock", "records", "_open_to"}
    return {name: part for name, part in vars(place).items() if name not in hidden}


def ask(server, name, arguments):
    if isinstance(server, Stdio):
        return server.ask("tools/call", {"name": name, "arguments": arguments})
    return server.call(name, server.write_token, **arguments).json


def test_every_answer_to_500_calls_on_each_transport_is_the_mirrors(both):
    server, mirror = both

    @settings(fuzzing, max_examples=500)
    @given(calls())
    def sending(drawn):
        name, arguments = drawn
        if arguments.get("expected_version") == CURRENT:
            arguments["expected_version"] = mirror.places["q3-review"].version
        assert ask(server, name, arguments)["result"]["structuredContent"] == mirror.answer(name, arguments)

    sending()


def test_spoilt_text_is_answered_and_the_server_stays_up(both):
    server, mirror = both

    @settings(fuzzing, max_examples=250)
    @given(texts())
    def sending(text):
        if isinstance(server, Stdio):
            server.send(text)
            server.send(request("after", "ping"))
            replies = []
            while (reply := server.receive())["id"] != "after":
                replies.append(reply)
        else:
            replies = [server.post(text, server.write_token, server.session).json]
            assert server.modern("tools/list").status == 200
        try:
            message, _ = read_message(text)
        except NotAMessage:
            assert not text.strip() or any(reply["id"] is None for reply in replies)
            return
        if isinstance(message, JSONRPCRequest) and message.method == "tools/call":
            name, arguments = ((message.params or {}).get(part) for part in ("name", "arguments"))
            if name in [*tools()] and isinstance(arguments, dict | None):
                mirror.answer(name, arguments or {})

    sending()
