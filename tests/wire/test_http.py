"""Over HTTP anyone may list the tools; a call needs a token of its scope, however it is spelt."""

import json

import pytest

from osfhelpers.engine.snapshot import tools
from osfhelpers.wire.http import MAX_REQUEST_BYTES
from wire.raw import ENVELOPE, MODERN, Web, initialize, request

METADATA = "/.well-known/oauth-protected-resource/mcp"
READS = [tool.name for tool in tools().values() if tool.scopes == ("osfoundry:read",)]
WRITES = [tool.name for tool in tools().values() if tool.scopes == ("osfoundry:write",)]
NEW_TAB = {"note_id": "q3-review", "expected_version": 1, "idempotency_key": "key-0001", "tab_type": "slides"}
CALL = {"name": "create_note_tab", "arguments": NEW_TAB}


@pytest.fixture(scope="module")
def web(start):
    server = start(Web)
    yield server
    for token in (server.read_token, server.write_token):
        assert token.encode() not in server.said
        assert token not in server.log.read_text()
    assert server.close() == 0
    assert "Traceback" not in server.log.read_text()


def version(web):
    answer = web.call("list_note_tabs", web.read_token, note_id="q3-review")
    return answer.json["result"]["structuredContent"]["result"]["version"]


def challenge(web, *, error, description, scope=None):
    parts = {
        "resource_metadata": f"http://127.0.0.1:{web.port}{METADATA}",
        "error": error,
        "error_description": description,
        **({"scope": scope} if scope else {}),
    }
    return "Bearer " + ", ".join(f'{name}="{value}"' for name, value in parts.items())


def test_without_a_token_anyone_may_start_and_list_in_both_eras(web):
    opened = web.post(initialize(1))
    assert opened.json["result"]["capabilities"] == {"tools": {"listChanged": False}}
    session = [("Mcp-Session-Id", opened.headers["mcp-session-id"])]
    assert web.post({"jsonrpc": "2.0", "method": "notifications/initialized"}, None, session).status == 202
    listed = web.post(request(2, "tools/list"), None, session).json["result"]["tools"]
    assert [tool["name"] for tool in listed] == list(tools())
    assert web.modern("tools/list").json["result"]["tools"] == listed


def test_a_call_without_a_good_token_is_answered_by_the_published_401(web):
    bearer = f"Bearer {web.write_token}"
    wrong = [
        [],
        [("Authorization", "Bearer nonsense")],
        [("Authorization", "Bearer ")],
        [("Authorization", web.write_token)],
        [("Authorization", f"Basic {web.write_token}")],
        [("Authorization", f"{bearer}x")],
        [("Authorization", bearer[:-1])],
        [("Authorization", "Bearer nonsense"), ("Authorization", bearer)],
    ]
    expected = challenge(web, error="invalid_token", description="Connect osFoundry to continue")
    for headers in wrong:
        answer = web.post(request(1, "tools/call", CALL), None, headers)
        assert (answer.status, answer.headers["www-authenticate"]) == (401, expected)
    assert version(web) == 1


def test_the_metadata_lies_where_the_401_points_and_names_this_server(web):
    answer = web.send("GET", METADATA)
    assert answer.status == 200
    assert answer.json["resource"] == web.url
    assert set(answer.json["scopes_supported"]) == {
        scope for tool in tools().values() for scope in tool.scopes
    }


def test_every_tool_needs_the_scope_that_the_snapshot_gives_it(web):
    assert {*READS, *WRITES} == set(tools())
    for name in READS:
        assert web.call(name, web.read_token).status == 200
    for name in tools():
        assert web.call(name, web.write_token).status == 200
    for name in WRITES:
        answer = web.call(name, web.read_token)
        expected = challenge(
            web,
            error="insufficient_scope",
            description=f"{name} needs a token with another scope",
            scope="osfoundry:write",
        )
        assert (answer.status, answer.headers["www-authenticate"]) == (403, expected)


def test_an_unknown_tool_is_a_protocol_error_to_those_who_may_call(web):
    assert web.call("no_tool", None).status == 401
    assert web.call("no_tool", web.read_token).json["error"]["message"] == "Unknown tool: 'no_tool'"


def test_a_session_grants_nothing(web):
    opened = web.post(initialize(1), web.write_token)
    session = [("Mcp-Session-Id", opened.headers["mcp-session-id"])]
    assert web.post(request(2, "tools/call", CALL), None, session).status == 401
    assert web.post(request(2, "tools/call", CALL), web.read_token, session).status == 403


def test_no_spelling_of_the_body_gets_around_the_check(web):
    plain = json.dumps(request(1, "tools/call", CALL))
    modern = json.dumps(request(1, "tools/call", {**CALL, "_meta": ENVELOPE}))
    hidden = {
        "a batch": (f"[{plain}]", 400),
        "a batch behind a harmless message": (f"[{json.dumps(request(2, 'tools/list'))},{plain}]", 400),
        "two methods, the last one harmless": (plain[:-1] + ', "method": "tools/list"}', 400),
        "two methods, the first one harmless": ('{"method": "tools/list", ' + plain[1:], 400),
        "an escaped method": (plain.replace("tools/call", "tools\\u002fcall"), 401),
        "an escaped name of the member": (plain.replace('"method"', '"m\\u0065thod"'), 401),
        "white space around it": (f" \r\n\t{plain} \n", 401),
        "another message behind it": (plain + plain, 400),
        "a notification": (plain.replace('"id": 1, ', ""), 401),
        "a byte order mark": (f"\ufeff{plain}", 400),
        "a trailing comma": (plain[:-1] + ",}", 400),
        "a comment": (f"/**/{plain}", 400),
    }
    bodies = {name: (text.encode(), status) for name, (text, status) in hidden.items()}
    bodies |= {encoding: (plain.encode(encoding), 400) for encoding in ("utf-16", "utf-32", "utf-16-le")}
    bodies["latin-1"] = (plain.replace("slides", "slidés").encode("latin-1"), 400)
    claims = [("MCP-Protocol-Version", MODERN), ("Mcp-Method", "tools/list")]
    for name, (body, status) in bodies.items():
        assert web.post(body).status == status, name
        assert web.post(body, None, claims).status == status, name
    assert web.post(modern.encode(), None, claims).status == 401
    assert web.post(modern.encode(), web.write_token, claims).status == 400
    assert version(web) == 1


def test_text_that_two_readers_understand_differently_is_refused_even_with_a_token(web):
    plain = json.dumps(request(1, "tools/call", CALL))
    texts = {
        "NaN": plain.replace('"expected_version": 1', '"expected_version": NaN'),
        "an infinity": plain.replace('"expected_version": 1', '"expected_version": 1e999'),
        "two versions": plain.replace(
            '"expected_version": 1', '"expected_version": 2, "expected_version": 1'
        ),
        "half a surrogate pair": plain.replace('"slides"', '"\\ud800"'),
        "half a pair in a name": plain.replace('"tab_type"', '"\\udfff"'),
        "5,000 digits": plain.replace('"expected_version": 1', f'"expected_version": {"9" * 5_000}'),
        "100,000 brackets": plain.replace('"slides"', "[" * 100_000 + "]" * 100_000),
        "500 brackets": plain.replace('"slides"', "[" * 500 + "]" * 500),
        "no object": "7",
        "nothing": "",
        "no version of JSON-RPC": plain.replace('"jsonrpc": "2.0", ', ""),
        "an id that is an object": plain.replace('"id": 1', '"id": {}'),
    }
    for name, text in texts.items():
        answer = web.post(text.encode(), web.write_token)
        assert answer.status == 400, name
        assert answer.json["error"]["message"], name
    assert version(web) == 1


def test_a_large_whole_number_is_a_version_like_any_other(web):
    answer = web.call("create_note_tab", web.write_token, **{**NEW_TAB, "expected_version": 10**400})
    assert answer.json["result"]["structuredContent"]["outcome"] == "conflict"


def test_a_browser_on_another_site_is_turned_away(web):
    listing = request(1, "tools/list")
    for origin in (
        "http://evil.example",
        "https://127.0.0.1",
        "null",
        f"http://127.0.0.1:{web.port}.evil.example",
    ):
        assert web.post(listing, None, [("Origin", origin)]).status == 403, origin
        assert web.send("GET", METADATA, None, [("Origin", origin)]).status == 403, origin
    for host in ("evil.example", f"evil.example:{web.port}", "127.0.0.1", f"127.0.0.1:{web.port + 1}"):
        assert web.post(listing, None, [("Host", host)]).status == 421, host
    # A form of any site can send these without asking first.
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data"):
        body = json.dumps(listing).encode()
        assert web.send("POST", "/mcp", body, [("Content-Type", kind)]).status == 400, kind
    here = f"http://127.0.0.1:{web.port}"
    assert web.modern("tools/list").status == 200
    assert web.post(initialize(1), None, [("Origin", here)]).status == 200


def test_a_request_that_is_too_large_is_not_read(web):
    assert web.post(b" " * (MAX_REQUEST_BYTES + 1), web.write_token).status == 413
    large = json.dumps(request(1, "tools/list", {"_meta": {"padding": "x" * (MAX_REQUEST_BYTES - 200)}}))
    assert web.post(large.encode()).status != 413


def test_other_paths_and_methods_lead_nowhere(web):
    for path in ("/", "/mcp/approve", "/approve", "/.well-known/oauth-authorization-server"):
        assert web.send("GET", path).status == 404, path
    assert web.send("PUT", "/mcp").status in (400, 405)
    assert web.send("GET", "/mcp").status in (400, 405, 406)
