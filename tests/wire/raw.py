"""Clients that know nothing of the SDK: JSON lines to a process, and bytes to a port."""

import http.client
import json
import multiprocessing
import os
import queue
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count

from osfhelpers.__main__ import main

REPLY_S = 60
MODERN = "2026-07-28"
HANDSHAKE = "2025-11-25"
ENVELOPE = {
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientCapabilities": {},
}


def request(number, method, params=None):
    """Return a JSON-RPC request."""
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params or {}}


def initialize(number, version=HANDSHAKE):
    """Return the request that opens a session up to 2025-11-25."""
    client = {"name": "raw", "version": "0"}
    return request(
        number, "initialize", {"protocolVersion": version, "capabilities": {}, "clientInfo": client}
    )


class Stdio:
    """`osfhelpers serve` in a process of its own, spoken to line by line.

    `said` gathers every byte that the server has written to its standard output.
    """

    def __init__(self, folder, *arguments):
        self.log = folder / "stderr.txt"
        self.start(folder, [*map(str, arguments)])
        self.said = b""
        self.numbers = count(1)
        self._lines = queue.Queue()
        # A test that fails closes nothing, and must not keep the others from ending.
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def start(self, folder, arguments):
        command = [sys.executable, "-m", "osfhelpers", "serve", *arguments]
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, cwd=folder
            )
        self.input, self.output = self.process.stdin, self.process.stdout

    def wait(self):
        return self.process.wait(REPLY_S)

    def _read(self):
        for line in self.output:
            self._lines.put(line)
        self._lines.put(b"")

    def send(self, message):
        """Send a message, or the bytes of a line that may be none."""
        line = message if isinstance(message, bytes) else json.dumps(message).encode()
        self.input.write(line + b"\n")
        self.input.flush()

    def receive(self, timeout_s=REPLY_S):
        """Return the next message, or None when the server has ended."""
        line = self._lines.get(timeout=timeout_s)
        self.said += line
        return json.loads(line) if line else None

    def ask(self, method, params=None):
        """Send a request and return the reply to it; None when the server died before."""
        number = next(self.numbers)
        self.send(request(number, method, params))
        while (reply := self.receive()) and reply.get("id") != number:
            pass
        return reply

    def open(self):
        """Shake hands, as clients do up to 2025-11-25, and return the server's answer."""
        answer = self.ask("initialize", initialize(0)["params"])["result"]
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return answer

    def call(self, tool, **arguments):
        """Call a tool and return what its result carries; None when the server died before."""
        reply = self.ask("tools/call", {"name": tool, "arguments": arguments})
        return reply and reply["result"]["structuredContent"]

    def close(self):
        """End the input, and return the exit status."""
        with suppress(BrokenPipeError):
            self.input.close()
        status = self.wait()
        self._reader.join()
        self.output.close()
        return status


class Forked(Stdio):
    """The same process, forked from one that has already imported all: a start takes no second."""

    def start(self, folder, arguments):
        forking = multiprocessing.get_context("forkserver")
        forking.set_forkserver_preload(["jsonschema", "osfhelpers.wire.server", "osfhelpers.wire.stdio"])
        its_input, own_output = forking.Pipe(duplex=False)
        own_input, its_output = forking.Pipe(duplex=False)
        self.process = forking.Process(target=serve_on, args=(its_input, its_output, self.log, arguments))
        self.process.start()
        its_input.close()
        its_output.close()
        self.input, self.output = (
            os.fdopen(os.dup(end.fileno()), mode) for end, mode in ((own_output, "wb"), (own_input, "rb"))
        )
        own_input.close()
        own_output.close()

    def wait(self):
        self.process.join(REPLY_S)
        return self.process.exitcode


def serve_on(its_input, its_output, log, arguments):
    """Run `osfhelpers serve` on two pipes, in a process that was forked for it."""
    os.dup2(its_input.fileno(), 0)
    os.dup2(its_output.fileno(), 1)
    os.dup2(os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND), 2)
    its_input.close()
    its_output.close()
    sys.stdin, sys.stdout = os.fdopen(0), os.fdopen(1, "w")
    sys.exit(main(["serve", *arguments]))


@dataclass
class Answer:
    """What came back over HTTP."""

    status: int
    headers: dict
    body: bytes = field(repr=False)

    @property
    def json(self):
        """The message in the body, or in the one event of a stream; None where there is none."""
        if not self.body:
            return None
        if self.headers["content-type"].startswith("text/event-stream"):
            (data,) = [line for line in self.body.splitlines() if line.startswith(b"data: ")]
            return json.loads(data.removeprefix(b"data: "))
        return json.loads(self.body)


class Web:
    """`osfhelpers serve --http 0` in a process of its own, spoken to by `http.client`."""

    def __init__(self, folder, *arguments, environment=None):
        command = [sys.executable, "-m", "osfhelpers", "serve", "--http", "0", *map(str, arguments)]
        self.log = folder / "stderr.txt"
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=log, cwd=folder, env=environment
            )
        where, read, write = (self.process.stdout.readline().decode() for _ in range(3))
        self.url = where.split()[2].rstrip(",")
        self.port = int(self.url.split(":")[2].split("/")[0])
        self.read_token, self.write_token = (line.split()[-1] for line in (read, write))
        self.said = b""
        self.session = []

    def open(self):
        """Shake hands, as clients do up to 2025-11-25; `session` has the headers of the session."""
        opened = self.post(initialize(1))
        self.session = [("Mcp-Session-Id", opened.headers["mcp-session-id"])]
        self.post({"jsonrpc": "2.0", "method": "notifications/initialized"}, None, self.session)

    def send(self, method, path, body=None, headers=(), timeout_s=REPLY_S):
        """Send one request on a connection of its own; headers are pairs and may repeat."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout_s)
        try:
            named = {name.lower() for name, _ in headers}
            connection.putrequest(method, path, skip_host="host" in named)
            for name, value in headers:
                connection.putheader(name, value)
            if body is not None:
                connection.putheader("Content-Length", str(len(body)))
            connection.endheaders(body)
            response = connection.getresponse()
            answer = Answer(response.status, dict(response.getheaders()), response.read())
        finally:
            connection.close()
        self.said += repr(answer.headers).encode() + answer.body
        return answer

    def post(self, message, token=None, headers=(), **more):
        """Send a message, or the bytes of a body, to the server's address."""
        body = message if isinstance(message, bytes) else json.dumps(message).encode()
        sent = [
            ("Content-Type", "application/json"),
            ("Accept", "application/json, text/event-stream"),
            *headers,
        ]
        if token:
            sent.append(("Authorization", f"Bearer {token}"))
        return self.send("POST", "/mcp", body, sent, **more)

    def modern(self, method, params=None, token=None, **more):
        """Send a request of 2026-07-28, which carries its own envelope and needs no session."""
        params = {**(params or {}), "_meta": ENVELOPE}
        headers = [("MCP-Protocol-Version", MODERN), ("Mcp-Method", method)]
        if "name" in params:
            headers.append(("Mcp-Name", params["name"]))
        return self.post(request(1, method, params), token, headers, **more)

    def call(self, tool, token, **arguments):
        """Call a tool and return the answer as it came over HTTP."""
        return self.modern("tools/call", {"name": tool, "arguments": arguments}, token)

    def close(self):
        """Press Ctrl-C, and return the exit status."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        status = self.process.wait(REPLY_S)
        self.process.stdout.close()
        return status
