"""When does a client ask again, and when does it hear?

A policy is a function from the seconds waited so far and the last wait to the next wait. The
review is a real proposal in a real Room, approved by a person when its time has come; nothing
is pushed, so the client knows only what the status tool tells it when it asks.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from osfhelpers.engine.calls import call, validating_once_per_shape
from osfhelpers.engine.parameters import ParameterError, number
from osfhelpers.engine.room import Room, State
from osfhelpers.models.proposals import SNIPPET, arguments

MOST_POLLS = 20_000
STATUS = "read_room_app_status"
AGENT = "agent"
IN_LAUNCHER = State.IN_LAUNCHER.value

NextWait = Callable[[float, float], float]
InLauncher = Callable[[float], bool]


@dataclass(frozen=True)
class Schedule:
    """A first wait, then each wait `factor` times the one before, and none above `cap_s`."""

    first_s: float
    factor: float = 1
    cap_s: float = math.inf

    def __post_init__(self) -> None:
        number("first_s", self.first_s, above=0)
        number("factor", self.factor)
        if self.factor < 1:
            raise ParameterError(f"factor must be at least 1, but it is {self.factor!r}: waits never shrink")
        if not self.cap_s >= self.first_s:
            raise ParameterError(
                f"cap_s must be at least first_s = {self.first_s!r}, but it is {self.cap_s!r}"
            )

    def __call__(self, waited_s: float, last_wait_s: float) -> float:
        return min(last_wait_s * self.factor, self.cap_s) if last_wait_s else self.first_s


@cache
def poll_times_s(next_wait: NextWait, budget_s: float) -> tuple[float, ...]:
    """Return all moments at which a policy polls; the last is the first at or after the budget.

    Raises:
        ParameterError: a wait is no positive number, or there would be more than `MOST_POLLS`.
    """
    number("budget_s", budget_s, above=0)
    times, clock, wait = [], 0.0, 0.0
    while clock < budget_s:
        wait = next_wait(clock, wait)
        number("a wait", wait, above=0)
        clock += wait
        times.append(clock)
        if len(times) > MOST_POLLS:
            raise ParameterError(
                f"a policy may poll {MOST_POLLS:,} times, but this one has not reached "
                f"its budget of {budget_s:,} s by then"
            )
    return tuple(times)


POLICIES = {
    "fixed 5 s": Schedule(5),
    "fixed 30 s": Schedule(30),
    "backoff 5 s x1.5, cap 120 s": Schedule(5, 1.5, 120),
    "backoff 10 s x2, cap 300 s": Schedule(10, 2, 300),
}
BACKOFFS = tuple(POLICIES)[2:]


@dataclass(frozen=True)
class Heard:
    """How a wait ended: how many calls it took, and when the client heard; None if it gave up."""

    calls: int
    at_s: float | None


def poll_until(times_s: Sequence[float], in_launcher: InLauncher) -> Heard:
    """Ask at each of the times until the answer is yes, or no time is left."""
    for calls, moment_s in enumerate(times_s, start=1):
        if in_launcher(moment_s):
            return Heard(calls, moment_s)
    return Heard(len(times_s), None)


@dataclass(frozen=True, eq=False)
class Waits:
    """What waiting for many reviews came to.

    Args:
        calls: calls per review, shape (trials,).
        lags_s: how late the client heard, of the reviews that it saw only.
        missed: how many reviews it gave up on.
    """

    calls: np.ndarray
    lags_s: np.ndarray
    missed: int


def wait(times_s: Sequence[float], delays_s: np.ndarray) -> Waits:
    """Return the same for many reviews at once: the first poll at or after the approval sees it."""
    times = np.asarray(times_s)
    poll = times.searchsorted(delays_s, side="left")
    seen = poll < times.size
    calls = np.where(seen, poll + 1, times.size)
    return Waits(calls, times[poll[seen]] - delays_s[seen], int((~seen).sum()))


class Review:
    """A proposal in a Room, and the person who approves it after `delay_s` seconds."""

    def __init__(self, room: Room, instance_id: str, delay_s: float) -> None:
        self.room, self.instance_id, self.delay_s = room, instance_id, delay_s
        self.approved = False
        self._asked = {"room_id": room.place_id, "instance_id": instance_id}

    def in_launcher(self, moment_s: float) -> bool:
        """Let the person act if it is time, then ask the status tool, as a client does."""
        if not self.approved and self.delay_s <= moment_s:
            self.room.approve(self.instance_id)
            self.approved = True
        # `reviews` has sent this shape through `call`: validated once, and not once per poll.
        return self.room.answer(STATUS, self._asked, AGENT)["launcher"] == IN_LAUNCHER


def reviews(delays_s: Iterable[float]) -> Iterator[Review]:
    """Propose one app per delay to one Room, and yield each review in turn."""
    room, send = Room(), validating_once_per_shape()
    room.open_to(AGENT)
    for count, delay_s in enumerate(delays_s):
        proposal = arguments({"src/App.tsx": f"// version {count}"})
        proposal["idempotency_key"] = f"stand-up-{count}"
        instance_id = send(SNIPPET, proposal, on=room).result["instance_id"]
        if count == 0:
            call(STATUS, {"room_id": room.place_id, "instance_id": instance_id}, on=room)
        yield Review(room, instance_id, delay_s)


def hear(times_s: Sequence[float], delays_s: Iterable[float]) -> list[Heard]:
    """Wait for each of these reviews in a real Room, by the same list of times."""
    return [poll_until(times_s, review.in_launcher) for review in reviews(delays_s)]
