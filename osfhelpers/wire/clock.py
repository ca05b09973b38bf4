"""How can a client really wait ten seconds while no second passes?

Sessions in memory run on an event loop whose clock skips idle time: when nothing is ready, it jumps
to the next timer. What happens, and in which order, is what would happen with all the waiting, and
it happens the same way every time. Processes and networks do not jump along, so they get an
ordinary loop.
"""

import asyncio
import selectors
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from anyio.from_thread import start_blocking_portal

T = TypeVar("T")


class _Selector(selectors.DefaultSelector):
    """Looks whether something is ready; if not, what should have been waited has passed at once."""

    now_s = 0.0

    def select(self, timeout: float | None = None) -> list[Any]:
        # Without a time-out there is no timer to jump to, so another thread must wake the loop.
        ready = super().select(timeout and 0)
        if not ready and timeout:
            self.now_s += timeout
        return ready


class SkippingLoop(asyncio.SelectorEventLoop):
    """An event loop whose clock starts at 0 and moves only over idle time."""

    def __init__(self) -> None:
        self._idle = _Selector()
        super().__init__(self._idle)

    def time(self) -> float:
        """Return the seconds that have been skipped so far."""
        return self._idle.now_s


def run(work: Callable[[], Coroutine[Any, Any, T]], *, skip_idle_time: bool = False) -> T:
    """Run a coroutine function to its end, in a thread with its own event loop.

    So it can be called where a loop runs already, as one does in every notebook.
    """
    options = {"loop_factory": SkippingLoop} if skip_idle_time else {}
    with start_blocking_portal("asyncio", options) as portal:
        return portal.call(work)


def now_s() -> float:
    """Return the time of the running loop, in seconds since it started or since the machine did."""
    return asyncio.get_running_loop().time()
