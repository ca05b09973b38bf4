"""Do eight processes that write to one store at once keep its rules?

    python tests/many_writers.py equal|different FILE

Each of them sends 500 writes, to the Note and to the Room in turn: all eight under the same
keys, or each under keys of its own. When all have finished, each says what its memory holds.
"""

import json
import multiprocessing
import random
import sqlite3
import sys
from contextlib import closing

from osfhelpers.engine.durable import open_places
from osfhelpers.engine.store import Conflict

PROCESSES, WRITES = 8, 500
PATIENCE_S = 100  # after which one of them has died
FILES = {"src/App.tsx": "export default () => null"}


def memory(places: dict) -> str:
    note, room = places["q3-review"].look(), places["team-room"].look()
    return repr((note.version, note.tabs, room.version, room.pending))


def work(number: int, keys: str, file: str, finished, found) -> None:
    """Send all writes, wait for the others, and put what is in memory and all replies."""
    places = open_places(file)
    note, room = places["q3-review"], places["team-room"]
    version, replies = 1, []
    indexes = list(range(WRITES))
    random.Random(number).shuffle(indexes)  # so that one key is met early here and late there
    for index in indexes:
        key = f"shared-{index:06}" if keys == "equal" else f"own-{number}-{index:06}"
        if index % 2:
            proposal = {"room_id": "team-room", "name": key, "files": FILES, "idempotency_key": key}
            answer = room.answer("propose_room_snippet_app", proposal, "agent")
            replies.append((key, answer.result["instance_id"]))
            continue
        tab = {"note_id": "q3-review", "tab_type": "slides", "label": key, "idempotency_key": key}
        while True:
            answer = note.answer("create_note_tab", {**tab, "expected_version": version}, "agent")
            if not isinstance(answer, Conflict):
                break
            version = answer.current_version
        version = answer.result["version"]
        replies.append((key, answer.result["tab_id"]))
    finished.wait(PATIENCE_S)
    found.put((memory(places), replies))


def main(keys: str, file: str) -> None:
    """Let all write, and print what came of it, as JSON."""
    fork = multiprocessing.get_context("fork")
    finished, found = fork.Barrier(PROCESSES), fork.Queue()
    workers = [fork.Process(target=work, args=(n, keys, file, finished, found)) for n in range(PROCESSES)]
    for worker in workers:
        worker.start()
    memories, replies = zip(*(found.get(timeout=PATIENCE_S) for _ in workers), strict=True)
    for worker in workers:
        worker.join()
    with closing(sqlite3.connect(file)) as connection:
        versions = {
            place: [
                row[0]
                for row in connection.execute(
                    "SELECT version FROM changes WHERE place = ? ORDER BY version", (place,)
                )
            ]
            for place in ("q3-review", "team-room")
        }
        intact = connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    in_file = memory(open_places(file))
    pairs = {pair for each in replies for pair in each}
    print(
        json.dumps(
            {
                "keys": len({key for key, _ in pairs}),
                "results": len(pairs),
                "effects": sum(map(len, versions.values())),
                "without gaps": all(v == list(range(2, len(v) + 2)) for v in versions.values()),
                "memories equal to the file": sum(each == in_file for each in memories),
                "intact": intact,
            }
        )
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
