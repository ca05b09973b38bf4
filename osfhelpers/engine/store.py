"""In which order does a server check a write, and what does a repeated key get back?

Everything that a Note and a Room share: one version, one table of key records, one lock, and
the principals for whom the owner has opened the place. The rules, in the order of a write:

1. Schema and server rules (in `osfhelpers.call`); a refusal stores nothing under the key.
2. Is this place open to this principal?
3. By `Order`: the key first and then the version, or the version first and then the key.
4. Effect, version and key record together, under the lock.

| a repeated key (of one principal, in one place)   | answer                                     |
|---------------------------------------------------|--------------------------------------------|
| same tool, same fingerprint                       | the first result, whatever the version     |
| same tool, other fingerprint, `RETURN_FIRST`      | the first result                           |
| same tool, other fingerprint, `REFUSE`            | refused; the first record stays            |
| other tool                                        | refused under either                       |
| first call still running                          | waits for it, then as above                |

The order and the scope of keys on the live server are not known; these are the rebuild's.
"""

import threading
from collections.abc import Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from types import MappingProxyType
from typing import Any

from osfhelpers.engine.keys import fingerprint
from osfhelpers.engine.refusals import KeyReused, NotOpen, Problem, RuleBroken

PAGE_LIMIT = 50


class Order(Enum):
    """Which of its two checks a server makes first."""

    KEY_THEN_VERSION = "key, then version"
    VERSION_THEN_KEY = "version, then key"


class OnMismatch(Enum):
    """What a known key gets when it comes back with other arguments."""

    RETURN_FIRST = "return the first result"
    REFUSE = "refuse"


@dataclass(frozen=True)
class Done:
    """The write has its effect; `replayed` says that it was an earlier call that made it."""

    result: Mapping[str, Any]
    replayed: bool = False


@dataclass(frozen=True)
class Conflict:
    """The version that the call expected is not the current one; nothing was written."""

    expected_version: int
    current_version: int


Answer = Done | Conflict


@dataclass(frozen=True)
class Write:
    """One write as it reaches the store: who, which tool, and the arguments, already validated."""

    principal: str
    tool: str
    arguments: Mapping[str, Any] = field(repr=False)

    @property
    def key(self) -> str:
        return self.arguments["idempotency_key"]

    @property
    def expected_version(self) -> int | None:
        """The version that the caller has read; None for a tool that takes no version."""
        return self.arguments.get("expected_version")

    @cached_property
    def fingerprint(self) -> str:
        """What the call asks for, whatever key and version it carries."""
        return fingerprint(self.tool, self.arguments)


@dataclass(frozen=True)
class KeyRecord:
    """What the store remembers under a key: the call that it stands for, and its result."""

    tool: str
    fingerprint: str
    result: Mapping[str, Any]


class Store:
    """A place that agents write to through tools and its owner changes by hand.

    Args:
        order, on_mismatch: see above.
        check_version: off only to show what the version prevents (chapter 03).
    """

    def __init__(
        self,
        place_id: str,
        *,
        order: Order = Order.KEY_THEN_VERSION,
        on_mismatch: OnMismatch = OnMismatch.RETURN_FIRST,
        check_version: bool = True,
    ) -> None:
        self.place_id = place_id
        self.order = Order(order)
        self.on_mismatch = OnMismatch(on_mismatch)
        self.check_version = check_version
        self.version = 1
        self._open_to: set[str] = set()
        self.records: MutableMapping[tuple[str, str], KeyRecord] = {}
        self._lock = threading.RLock()

    # The owner's side: no tool reaches these.

    def open_to(self, principal: str) -> None:
        """Approve this place for a principal, as its owner does once."""
        self._open_to.add(principal)

    def forget_keys(self) -> None:
        """Drop every key record, as a server does whose keys have expired."""
        with self._lock:
            self.records.clear()

    # The agent's side.

    def require_open(self, principal: str) -> None:
        """Refuse a principal for whom the owner has not opened this place."""
        if principal not in self._open_to:
            raise NotOpen(Problem(self.place_id, f"its owner has not approved it for {principal!r}"))

    def effect(self, write: Write) -> dict[str, Any]:
        """Change the place as a write asks and return its result, or raise before any change."""
        raise NotImplementedError

    def write(self, write: Write) -> Answer:
        """Answer from the key record, by a conflict, or by carrying the write out."""
        with self._lock:
            self.require_open(write.principal)
            answer = self.decide(write)
            if answer is None:
                # The fingerprint first: if it cannot be taken, nothing is half-done.
                mark = write.fingerprint
                result = self.redo(write)
                answer = Done(MappingProxyType({**result, "version": self.version}))
                record = KeyRecord(write.tool, mark, answer.result)
                self.records[write.principal, write.key] = record
            return answer

    def redo(self, write: Write) -> dict[str, Any]:
        """Carry out a write that has been decided, whether just now or in an earlier life."""
        result = self.effect(write)
        self.version += 1
        return result

    def decide(self, write: Write) -> Answer | None:
        """Answer a write by the two checks; None means: carry it out."""
        checks = [self._first_result, self._stale_version]
        if self.order is Order.VERSION_THEN_KEY:
            checks.reverse()
        for check in checks:
            answer = check(write)
            if answer is not None:
                return answer
        return None

    def _stale_version(self, write: Write) -> Conflict | None:
        if not self.check_version or write.expected_version in (None, self.version):
            return None
        return Conflict(write.expected_version, self.version)

    def _first_result(self, write: Write) -> Done | None:
        record = self.records.get((write.principal, write.key))
        if record is None:
            return None
        if record.tool != write.tool:
            raise KeyReused(
                Problem("idempotency_key", f"this key already stands for a call of {record.tool}")
            )
        if self.on_mismatch is OnMismatch.REFUSE and record.fingerprint != write.fingerprint:
            raise KeyReused(
                Problem("idempotency_key", "this key already stands for a call with other arguments")
            )
        return Done(record.result, replayed=True)


def page(ids: Sequence[str], arguments: Mapping[str, Any]) -> tuple[Sequence[str], str | None]:
    """Return the IDs of one page, and the cursor of the next page or None after the last.

    Args:
        arguments: of a read that takes `limit` and `cursor`; a cursor is the last ID of a page.
    """
    cursor = arguments.get("cursor")
    if cursor is not None and cursor not in ids:
        raise RuleBroken(Problem("cursor", f"{cursor!r} was not given by an earlier page"))
    start = ids.index(cursor) + 1 if cursor is not None else 0
    end = start + page_limit(arguments)
    return ids[start:end], ids[end - 1] if end < len(ids) else None


def page_limit(arguments: Mapping[str, Any]) -> int:
    """Return how many rows a read asks for at the most."""
    return int(arguments.get("limit", PAGE_LIMIT))  # for a schema, 2.0 is an integer as well
