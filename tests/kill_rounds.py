"""Is a write lost or doubled when its server is killed? Rounds of killing and sending again.

    python tests/kill_rounds.py ROUNDS SEED FOLDER [--two-transactions]

A client and a server, two processes with the store between them and no protocol. Each round is
one wish, a new tab or a proposal. The server is killed by SIGKILL: as a given statement of the
write begins, after the commit, when half the reply is written, or at any time, while it starts
as well. The client sends again with the same key until it holds a reply; then files are read
with bare `sqlite3` and what happened is counted. A kill is the end of a process, not a power cut.
"""

import json
import os
import random
import signal
import socket
import sqlite3
import sys
from collections import Counter
from contextlib import closing
from pathlib import Path

from osfhelpers.engine import place_rows
from osfhelpers.engine.durable import Durable, open_places
from osfhelpers.engine.note import Note
from osfhelpers.engine.room import Room
from osfhelpers.engine.store import Conflict

ROUNDS_PER_FILE = 100
MOST_SENDS = 50
NOT_THE_STORE = {"jsonschema", "numpy", "mcp"}
# More than the statements of one write; a number that is not reached kills nobody.
STATEMENTS = 12
ANY_TIME_S = 0.02


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def serve(file: Path, calls: socket.socket, one_transaction: bool) -> None:
    """Answer calls, one JSON line each, until killed at the moment that a call names."""
    assert not NOT_THE_STORE & sys.modules.keys(), "this worker is to import the store alone"
    moment, statements = "", 0

    def on_statement(statement: str) -> None:
        nonlocal statements
        statements += 1
        if moment == f"statement {statements}":
            die()

    def connect(file: Path, connect=place_rows.connect) -> sqlite3.Connection:
        connection = connect(file)
        connection.set_trace_callback(on_statement)
        return connection

    place_rows.connect = connect
    places = open_places(
        file,
        one_transaction=one_transaction,
        after_commit=lambda: die() if moment == "after commit" else None,
    )
    for line in calls.makefile("rb"):
        moment, place_id, tool, arguments = json.loads(line)
        statements = 0
        answer = places[place_id].answer(tool, arguments, "agent")
        conflict = isinstance(answer, Conflict)
        reply = {"conflict": answer.current_version} if conflict else dict(answer.result)
        text = json.dumps(reply).encode() + b"\n"
        if moment == "half a reply":
            calls.sendall(text[: len(text) // 2])
            die()
        calls.sendall(text)


class Client:
    """Sends every wish until it holds a reply, to a server that is started again when it died."""

    def __init__(self, file: Path, rng: random.Random, one_transaction: bool) -> None:
        self.file, self.rng, self.one_transaction = file, rng, one_transaction
        self.version = 1
        self.counts: Counter[str] = Counter()
        self.pid = 0

    def start(self) -> None:
        ours, theirs = socket.socketpair()
        self.pid = os.fork()
        if not self.pid:
            ours.close()
            try:
                serve(self.file, theirs, self.one_transaction)
            finally:
                os._exit(1)
        theirs.close()
        self.calls, self.replies = ours, ours.makefile("rb")

    def stop(self) -> None:
        if self.pid:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
            self.replies.close()
            self.calls.close()
            self.pid = 0

    def moment(self) -> str:
        return self.rng.choice(
            [f"statement {self.rng.randint(1, STATEMENTS)}", "after commit", "half a reply", "any time"]
        )

    def wish(self, place_id: str, tool: str, arguments: dict) -> dict:
        """Send one call until it is answered; the first meets a deadly moment, of the others a quarter."""
        moment = self.moment()
        for _ in range(MOST_SENDS):
            if "note_id" in arguments:
                arguments["expected_version"] = self.version
            reply = self.send(moment, place_id, tool, arguments)
            if reply is None:
                self.counts[f"killed: {moment}"] += 1
                moment = self.moment() if self.rng.random() < 0.25 else "never"
            elif "conflict" in reply:
                self.counts["conflicts"] += 1
                self.version = reply["conflict"]
            else:
                return reply
        raise AssertionError(f"no reply to {tool} in {MOST_SENDS} sends")

    def send(self, moment: str, *call: object) -> dict | None:
        """Return the reply, or None when the server died before it had written all of it."""
        if not self.pid:
            self.start()
        self.counts["sends"] += 1
        self.calls.settimeout(self.rng.uniform(0, ANY_TIME_S) if moment == "any time" else None)
        line = b""
        try:
            self.calls.sendall(json.dumps([moment, *call]).encode() + b"\n")
            line = self.replies.readline()
        except OSError:  # the time is up, or nobody reads any more
            pass
        if line.endswith(b"\n"):
            return json.loads(line)
        self.stop()
        return None


def rounds(client: Client, number: int) -> dict[str, dict]:
    """Send so many wishes, a tab and a proposal in turn; return the reply to each, by its name."""
    replies = {}
    for index in range(number):
        name = f"wish {index}"
        key = {"idempotency_key": f"key-of-{index:06}"}
        if index % 2:
            proposal = {"room_id": "team-room", "name": name, "files": {"src/App.tsx": name}, **key}
            replies[name] = client.wish("team-room", "propose_room_snippet_app", proposal)
        else:
            tab = {"note_id": "q3-review", "tab_type": "slides", "label": name, **key}
            replies[name] = client.wish("q3-review", "create_note_tab", tab)
    client.stop()
    return replies


def count(file: Path, replies: dict[str, dict]) -> Counter[str]:
    """Compare the replies with the file, read without the store, and with the store opened again."""
    found: Counter[str] = Counter()
    with closing(sqlite3.connect(file)) as connection:
        changes = connection.execute("SELECT place, version, arguments FROM changes").fetchall()
        keys = connection.execute("SELECT count(*) FROM keys").fetchone()[0]
        found["damaged files"] = connection.execute("PRAGMA integrity_check").fetchone() != ("ok",)
    effects = Counter(json.loads(row[2]).get("label") or json.loads(row[2])["name"] for row in changes)
    found["lost"] = sum(name not in effects for name in replies)
    found["doubled"] = sum(effects.values()) - len(effects)
    found["keys missing"] = len(replies) - keys
    for place_id in ("q3-review", "team-room"):
        versions = sorted(version for place, version, _ in changes if place == place_id)
        found["gaps in versions"] += versions != list(range(2, len(versions) + 2))
    note, room = places = [Durable(file, kind) for kind in (Note, Room)]
    ids = {tab.tab_id: tab.label for tab in note.look().tabs}
    ids |= {app.instance_id: app.name for app in room.look().pending}
    for name, reply in replies.items():
        found["wrong replies"] += ids[reply.get("tab_id") or reply["instance_id"]] != name
    for place in places:
        place.close()
    return found


def main(number: str, seed: str, folder: str, *options: str) -> None:
    """Run the rounds and print what was counted, as JSON."""
    rng, total = random.Random(int(seed)), Counter()
    for batch in range(0, int(number), ROUNDS_PER_FILE):
        file = Path(folder) / f"store-{seed}-{batch}.db"
        client = Client(file, rng, one_transaction="--two-transactions" not in options)
        replies = rounds(client, min(ROUNDS_PER_FILE, int(number) - batch))
        total.update({"rounds": len(replies), **client.counts})
        total.update(count(file, replies))
    print(json.dumps(total))


if __name__ == "__main__":
    main(*sys.argv[1:])
