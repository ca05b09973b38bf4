"""Clients that know nothing of the SDK: JSON lines to a process, and bytes to a port."""

import http.client
import json
import queue
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count

REPLY_S = 20
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
        command = [sys.executable, "-m", "osfhelpers", "serve", *map(str, arguments)]
        self.log = folder / "stderr.txt"
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, cwd=folder
            )
        self.said = b""
        self.numbers = count(1)
        self._lines = queue.Queue()
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def _read(self):
        for line in self.process.stdout:
            self._lines.put(line)
        self._lines.put(b"")

    def send(self, message):
        """Send a message, or the bytes of a line that may be none."""
        line = message if isinstance(message, bytes) else json.dumps(message).encode()
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

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
            self.process.stdin.close()
        status = self.process.wait(REPLY_S)
        self._reader.join()
        self.process.stdout.close()
        return status


@dataclass
class Answer:
    """What came back over HTTP."""

    status: int
    headers: dict
    body: bytes = field(repr=False)

    @property
    def json(self):
        """The message in the body, or in the one event of a stream."""
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
