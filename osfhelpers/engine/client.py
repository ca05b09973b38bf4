"""What does a client do when no reply comes?

`deliver` sends one write until it is settled, over a `Network` that loses requests and
replies, choosing keys by a policy of `osfhelpers.engine.keys`. It keeps a record of every exchange,
from which chapters count and draw. The client that `deliver` plays:

- reads the version of a Note once, before the first send (a Room's tools take none);
- after silence, sends the same call again, with the *old* version;
- after a conflict, whose answer always arrives, goes on with the version it was told.
"""

import itertools
import random
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from osfhelpers.engine.calls import Place, call
from osfhelpers.engine.keys import Attempt, Event, KeyPolicy
from osfhelpers.engine.parameters import number, probability, whole_number
from osfhelpers.engine.store import Answer, Conflict, Done

MAX_SENDS = 1_000


class GaveUp(Exception):
    """A write was not settled within the sends that the client allows itself."""

    def __init__(self, tool: str, exchanges: "tuple[Exchange, ...]") -> None:
        super().__init__(f"{tool} was not settled within {len(exchanges)} sends")
        self.exchanges = exchanges


def never() -> bool:
    """Lose nothing."""
    return False


@dataclass(frozen=True)
class Network:
    """What gets lost: two functions that are asked once per request and once per reply."""

    loses_reply: Callable[[], bool]
    loses_request: Callable[[], bool] = never


def scripted(lost_replies: Iterable[bool] = (), lost_requests: Iterable[bool] = ()) -> Network:
    """Return a network that loses exactly these messages, in turn, and none after them."""
    replies, requests = iter(lost_replies), iter(lost_requests)
    return Network(lambda: next(replies, False), lambda: next(requests, False))


def lossy(reply_loss: float, rng: random.Random) -> Network:
    """Return a network that loses this share of the replies, by one draw for each.

    Raises:
        ParameterError: the share is none from 0 to 1.
    """
    probability("reply_loss", reply_loss)
    return Network(lambda: rng.random() < reply_loss)


@dataclass(frozen=True)
class Exchange:
    """One send: the key and version it carried, and what became of it.

    `answer` is None when the request was lost: the server never saw the call.
    """

    key: str
    expected_version: int | None
    answer: Answer | None
    reply_lost: bool


@dataclass(frozen=True)
class Delivery:
    """One write, settled: all its sends, and the result that the client finally held."""

    exchanges: tuple[Exchange, ...] = field(repr=False)
    result: Mapping[str, Any]

    @property
    def calls(self) -> int:
        return len(self.exchanges)

    @property
    def effects(self) -> int:
        """How often the write took effect; once is right, more is a duplicate."""
        return sum(isinstance(e.answer, Done) and not e.answer.replayed for e in self.exchanges)

    @property
    def conflicts(self) -> int:
        return sum(isinstance(e.answer, Conflict) for e in self.exchanges)


def deliver(
    tool: str,
    intent: Mapping[str, Any],
    *,
    on: Place,
    policy: KeyPolicy,
    network: Network,
    fresh: Callable[[], str],
    principal: str = "agent",
    max_sends: int = MAX_SENDS,
    meanwhile: Callable[[], object] = lambda: None,
    send: Callable[..., Any] = call,
) -> Delivery:
    """Send one write to a Note or Room until it is settled.

    Args:
        intent: the arguments without key and version; only a Note's tools take a version.
        fresh: draws a new key; the policy decides when.
        meanwhile: what others do to the place before each send arrives.
        send: the way in to the store; see `osfhelpers.engine.calls`.

    Raises:
        GaveUp: the write was not settled within `max_sends` sends.
        Refused: the server refused the call; sending it again would not help.
    """
    version = None
    if "note_id" in intent:
        place = {"note_id": intent["note_id"]}
        version = send("list_note_tabs", place, on=on, principal=principal)["version"]
    key, event = None, Event.FIRST
    exchanges: list[Exchange] = []
    while len(exchanges) < max_sends:
        key = policy(Attempt(intent, event, key, fresh))
        if network.loses_request():
            exchanges.append(Exchange(key, version, None, reply_lost=False))
            event = Event.NO_REPLY
            continue
        arguments = {**intent, "idempotency_key": key}
        if version is not None:
            arguments["expected_version"] = version
        meanwhile()
        answer = send(tool, arguments, on=on, principal=principal)
        conflict = isinstance(answer, Conflict)
        lost = not conflict and network.loses_reply()
        exchanges.append(Exchange(key, version, answer, lost))
        if conflict:
            version, event = answer.current_version, Event.CONFLICT
        elif lost:
            event = Event.NO_REPLY
        else:
            return Delivery(tuple(exchanges), answer.result)
    raise GaveUp(tool, tuple(exchanges))


@dataclass(frozen=True)
class RetrySchedule:
    """When a client sends again: exponential backoff with a cap, after a time-out per send."""

    timeout_s: float = 10
    first_wait_s: float = 1
    factor: float = 2
    cap_s: float = 60
    sends: int = 6

    def __post_init__(self) -> None:
        for name in ("timeout_s", "first_wait_s", "factor", "cap_s"):
            number(name, getattr(self, name), above=0)
        whole_number("sends", self.sends, at_least=1)

    @property
    def waits_s(self) -> tuple[float, ...]:
        """How long to wait before each send but the first, once the one before has timed out."""
        waits, wait = [], self.first_wait_s
        for _ in range(self.sends - 1):
            waits.append(min(wait, self.cap_s))
            wait *= self.factor
        return tuple(waits)

    @property
    def send_times_s(self) -> tuple[float, ...]:
        """The moments of all sends, counted from the first."""
        return tuple(itertools.accumulate((self.timeout_s + wait for wait in self.waits_s), initial=0.0))

    @property
    def keep_key_s(self) -> float:
        """How long a server must keep a key so that the last send still finds it.

        The last request may itself take up to a time-out to arrive.
        """
        return self.send_times_s[-1] + self.timeout_s
