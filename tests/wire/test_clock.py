"""Time on the skipping loop: everything happens in the order of the timers, and nothing is waited for."""

import asyncio
import threading
import time

import anyio
import pytest

from osfhelpers.wire.clock import now_s, run


def test_a_day_of_waiting_takes_no_time_and_the_clock_says_it_passed():
    async def work():
        start = now_s()
        await anyio.sleep(86_400)
        return now_s() - start

    started = time.monotonic()
    assert run(work, skip_idle_time=True) == 86_400
    assert time.monotonic() - started < 60


def test_timers_fire_in_their_order_with_every_time_out_kept():
    async def work():
        seen = []

        async def sleeper(seconds):
            await anyio.sleep(seconds)
            seen.append((seconds, now_s()))

        async with anyio.create_task_group() as group:
            for seconds in (3, 1, 2):
                group.start_soon(sleeper, seconds)
            with anyio.move_on_after(1.5) as scope:
                await anyio.sleep_forever()
            seen.append(("time-out", now_s(), scope.cancelled_caught))
        return seen

    assert run(work, skip_idle_time=True) == [(1, 1), ("time-out", 1.5, True), (2, 2), (3, 3)]


def test_work_that_is_ready_is_done_before_the_clock_moves():
    async def work():
        async def busy():
            for _ in range(1_000):
                await anyio.lowlevel.checkpoint()
            return now_s()

        with anyio.fail_after(0.001):
            return await busy()

    assert run(work, skip_idle_time=True) == 0


def test_without_timers_the_loop_waits_for_another_thread():
    async def work():
        loop, woken = asyncio.get_running_loop(), asyncio.Event()
        threading.Timer(0.05, loop.call_soon_threadsafe, [woken.set]).start()
        await woken.wait()
        return now_s()

    assert run(work, skip_idle_time=True) == 0


def test_an_ordinary_run_really_waits():
    started = time.monotonic()
    run(lambda: anyio.sleep(0.05))
    assert time.monotonic() - started >= 0.05


def test_a_run_works_where_a_loop_runs_already_as_in_a_notebook():
    async def notebook():
        return run(answer, skip_idle_time=True)

    async def answer():
        return 42

    assert asyncio.run(notebook()) == 42


@pytest.mark.parametrize("skip", [False, True])
def test_an_error_comes_out_as_it_was_raised(skip):
    async def fails():
        raise LookupError("planted")

    with pytest.raises(LookupError, match="planted"):
        run(fails, skip_idle_time=skip)
