"""A server is killed after it has committed a write and before it has replied; then it starts again.

Once in this process, where an exception stands for the kill, and once for real: `osfhelpers serve`
in a process of its own, over stdio, on an SQLite file in a temporary folder.
"""

import random
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from osfhelpers.drawing.sequence import TABS, Sequences
from osfhelpers.engine.calls import call
from osfhelpers.engine.client import Delivery, RetrySchedule
from osfhelpers.engine.durable import Durable, open_places
from osfhelpers.engine.keys import random_keys, same_key_on_retry
from osfhelpers.engine.note import FIXED_TABS
from osfhelpers.engine.store import Conflict, Done

NOTE = "q3-review"
INTENT = {"note_id": NOTE, "tab_type": "slides"}
# A process needs seconds to start, and on a busy machine many.
UNHURRIED = RetrySchedule(timeout_s=60, first_wait_s=0.1)
WRONG, RIGHT = "the key in a second transaction", "effect and key in one transaction"


class Killed(BaseException):
    """The server's process ends here."""


@cache
def tabs_after_a_kill(*, one_transaction: bool) -> int:
    """Return how many tabs one intended tab has become when the retry was answered."""
    arguments = {**INTENT, "idempotency_key": "the-one-tab", "expected_version": 1}
    with TemporaryDirectory() as folder:
        file = Path(folder) / "store.sqlite"
        with _note(file, one_transaction, _die) as note, suppress(Killed):
            call("create_note_tab", arguments, on={NOTE: note})
        with _note(file, one_transaction) as note:
            answer = call("create_note_tab", arguments, on={NOTE: note})
            if isinstance(answer, Conflict):
                call(
                    "create_note_tab",
                    {**arguments, "expected_version": answer.current_version},
                    on={NOTE: note},
                )
            return len(note.look().tabs) - len(FIXED_TABS)


def _die() -> None:
    raise Killed


@contextmanager
def _note(file: Path, one_transaction: bool, after_commit: Any = lambda: None) -> Iterator[Durable]:
    places = open_places(file, one_transaction=one_transaction, after_commit=after_commit)
    with closing(places[NOTE]), closing(places["team-room"]):
        yield places[NOTE]


@cache
def killed_server() -> Sequences:
    """Return one write, for each way to commit: two real servers are killed and started again."""
    import anyio

    from osfhelpers.wire.clock import run

    async def both() -> dict[str, Delivery]:
        found = {}

        async def play(name: str, *options: str) -> None:
            found[name] = await _kill_and_retry(*options)

        async with anyio.create_task_group() as group:
            group.start_soon(play, RIGHT)
            group.start_soon(play, WRONG, "--two-transactions")
        return {name: found[name] for name in (RIGHT, WRONG)}

    words = replace(TABS, choice="the server commits", lost="the server is killed")
    return Sequences("A server that is killed before it replies.", run(both), words)


async def _kill_and_retry(*options: str) -> Delivery:
    from osfhelpers.wire.client import Client, Sessions, call_with_retries, in_process

    with TemporaryDirectory() as folder:
        file = str(Path(folder) / "store.sqlite")
        lives = iter((["--kill-after-commit", "1"], []))
        async with Sessions(lambda: Client(in_process("--store", file, *options, *next(lives)))) as sessions:
            delivery = await call_with_retries(
                sessions,
                "create_note_tab",
                INTENT,
                policy=same_key_on_retry,
                fresh=random_keys(random.Random(1)),
                schedule=UNHURRIED,
            )
        with _note(Path(file), one_transaction=True) as note:
            first = note.look().tabs[len(FIXED_TABS)]
    # The client never saw what the first send did; the file has it.
    unheard = replace(delivery.exchanges[0], answer=Done({"tab_id": first.tab_id}), reply_lost=True)
    return replace(delivery, exchanges=(unheard, *delivery.exchanges[1:]))
