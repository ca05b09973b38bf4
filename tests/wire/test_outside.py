"""Programs that share no line of code with the server list its tools and call them."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from osfhelpers.engine.data import load
from osfhelpers.engine.snapshot import tools
from wire.raw import ENVELOPE, HANDSHAKE, Stdio, Web, initialize, request

PACKAGE = Path(__file__).with_name("package.json")
CAPABILITIES = {"tools": {"listChanged": False}}
NEW_TAB = {"note_id": "q3-review", "expected_version": 1, "idempotency_key": "key-0001", "tab_type": "slides"}
CALL = {"name": "create_note_tab", "arguments": NEW_TAB}


def snapshot():
    """Return the tools as the SDK can carry them."""
    return [
        {name: part for name, part in tool.items() if name != "securitySchemes"}
        for tool in load("tools_list.json")["tools"]
    ]


def made(reply):
    """Return the new tab's ID, after looking at all that the result says."""
    result = reply["result"]
    assert result["isError"] is False
    assert json.loads(result["content"][0]["text"]) == result["structuredContent"]
    assert result["structuredContent"]["outcome"] == "done"
    return result["structuredContent"]["result"]["tab_id"]


@pytest.fixture(scope="module")
def web(start):
    return start(Web)


@pytest.mark.parametrize("version", ["2024-11-05", "2025-03-26", "2025-06-18", HANDSHAKE])
def test_http_with_a_handshake(web, version):
    opened = web.post(initialize(1, version))
    assert opened.json["result"]["protocolVersion"] == version
    assert opened.json["result"]["capabilities"] == CAPABILITIES
    assert "Local-only data is unavailable to cloud clients" in opened.json["result"]["instructions"]
    session = [("Mcp-Session-Id", opened.headers["mcp-session-id"]), ("MCP-Protocol-Version", version)]
    ready = web.post({"jsonrpc": "2.0", "method": "notifications/initialized"}, None, session)
    assert ready.status == 202
    listed = web.post(request(2, "tools/list"), None, session)
    assert listed.headers["content-type"].startswith("text/event-stream")
    assert listed.json["result"]["tools"] == snapshot()
    called = web.post(request("three", "tools/call", CALL), web.write_token, session)
    assert called.json["id"] == "three"
    assert made(called.json).startswith("slides-1-")
    assert web.send("DELETE", "/mcp", None, session).status == 200
    assert web.post(request(4, "tools/list"), None, session).status == 404


def test_http_of_2026_with_an_envelope_on_each_request(web):
    discovered = web.modern("server/discover").json["result"]
    assert discovered["capabilities"] == CAPABILITIES
    listed = web.modern("tools/list")
    assert listed.headers["content-type"] == "application/json"
    assert "mcp-session-id" not in listed.headers
    assert listed.json["result"]["tools"] == snapshot()
    assert made(web.modern("tools/call", CALL, web.write_token).json).startswith("slides-1-")


def test_stdio_in_both_eras(start):
    handshake, envelope = start(Stdio), start(Stdio)
    assert handshake.open()["capabilities"] == CAPABILITIES
    modern = {"_meta": ENVELOPE}
    assert envelope.ask("server/discover", modern)["result"]["capabilities"] == CAPABILITIES
    assert handshake.ask("tools/list")["result"]["tools"] == snapshot()
    assert envelope.ask("tools/list", modern)["result"]["tools"] == snapshot()
    assert made(handshake.ask("tools/call", CALL)).startswith("slides-1-")
    assert made(envelope.ask("tools/call", {**CALL, **modern})).startswith("slides-1-")


@pytest.fixture(scope="module")
def inspector():
    """The command line of the MCP Inspector, which is written in TypeScript on an SDK of its own.

    It is installed once into a cache folder of this machine; npm knows where from.
    """
    if not shutil.which("npm"):
        assert os.environ.get("CI_REQUIRES_NODE") != "1", "no npm found; install Node.js"
        pytest.skip("no npm found; install Node.js to run the MCP Inspector against the server")
    version = json.loads(PACKAGE.read_text())["dependencies"]["@modelcontextprotocol/inspector"]
    cache = Path(tempfile.gettempdir()) / f"osfhelpers-inspector-{version}"
    if not cache.exists():
        fresh = Path(tempfile.mkdtemp(dir=cache.parent, prefix=f"{cache.name}-"))
        shutil.copy(PACKAGE, fresh)
        npm = ["npm", "install", "--no-audit", "--no-fund", "--no-package-lock", "--silent"]
        subprocess.run(npm, cwd=fresh, check=True, capture_output=True, timeout=300)
        try:
            fresh.rename(cache)
        except OSError:  # another test process was quicker
            shutil.rmtree(fresh)
    return cache / "node_modules" / ".bin" / "mcp-inspector"


def inspect(inspector, tmp_path, *arguments):
    """Run the Inspector once and return what it prints."""
    catalogue = {"MCP_CATALOG_PATH": str(tmp_path / "catalogue.json"), "HOME": str(tmp_path)}
    command = [inspector, "--cli", *arguments, "--quiet", "--connect-timeout", "60000"]
    ended = subprocess.run(
        command, capture_output=True, text=True, timeout=120, cwd=tmp_path, env={**os.environ, **catalogue}
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return json.loads(ended.stdout)


LIST = ("--method", "tools/list")
CREATE = ("--method", "tools/call", "--tool-name", "create_note_tab", "--tool-args-json", json.dumps(NEW_TAB))


@pytest.mark.parametrize("era", ["legacy", "modern"])
def test_the_mcp_inspector_over_stdio(inspector, tmp_path, era):
    server = (sys.executable, "-m", "osfhelpers", "serve", "--store", tmp_path / "s.db")
    chosen = ("--protocol-era", era)
    listed = inspect(inspector, tmp_path, *server, *LIST, *chosen)["tools"]
    assert [tool["name"] for tool in listed] == list(tools())
    assert [tool["inputSchema"] for tool in listed] == [tool["inputSchema"] for tool in snapshot()]
    first = inspect(inspector, tmp_path, *server, *CREATE, *chosen)["structuredContent"]
    again = inspect(inspector, tmp_path, *server, *CREATE, *chosen)["structuredContent"]
    assert (first["outcome"], first["replayed"], again["replayed"]) == ("done", False, True)
    assert again["result"] == first["result"]


@pytest.mark.parametrize("era", ["legacy", "modern"])
def test_the_mcp_inspector_over_http(inspector, tmp_path, start, era):
    web = start(Web)
    chosen = (web.url, "--transport", "http", "--protocol-era", era)
    assert [tool["name"] for tool in inspect(inspector, tmp_path, *chosen, *LIST)["tools"]] == list(tools())
    token = ("--header", f"Authorization: Bearer {web.write_token}")
    assert inspect(inspector, tmp_path, *chosen, *CREATE, *token)["structuredContent"]["outcome"] == "done"
