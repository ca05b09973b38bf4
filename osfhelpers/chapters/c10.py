"""Chapter 10: its guess and its exercises."""

import random
from collections.abc import Callable
from numbers import Real

from osfhelpers.experiments import waiting
from osfhelpers.measuring.evidence import Key
from osfhelpers.models.polling import NextWait, Schedule, hear, poll_times_s
from osfhelpers.models.review_delay import best_interval_s
from osfhelpers.teaching.exercises import Exercise, predict
from osfhelpers.teaching.guesses import Guess


def _calls(interval_s: float) -> float:
    found = waiting.expected(waiting.Params(interval_s=interval_s))
    return found[Key(waiting.OWN, "calls, mean")].value


GUESS = Guess(
    number="10",
    question=(
        "Half of all reviews are done within 6 minutes, and 1 in 100 takes more than an hour. A client asks "
        "every 5 seconds until it sees the approval, for an hour at most. How many calls does one review "
        "cost on average?"
    ),
    options=(12, 72, 115, 360, 720),
    unit="calls",
    answer=lambda: round(_calls(5)),
    because="The median would give 72; the few slow reviews make the mean much longer than the median.",
)

# 10.2: write the policy.

REVIEWS, MOST_CALLS, MOST_LAG_S, BUDGET_S = 400, 12, 36, 3600


def judge_policy(next_wait: NextWait) -> str | None:
    """Let a policy wait for hidden reviews in a real Room, and judge its calls and its lag."""
    times = poll_times_s(next_wait, BUDGET_S)
    if len(times) > BUDGET_S:
        return f"it asks {len(times):,} times within the hour, more than once a second"
    rng = random.Random(10)
    delays = [360 * rng.lognormvariate(0, 1) for _ in range(REVIEWS)]
    heard = hear(times, delays)
    calls = sum(one.calls for one in heard) / REVIEWS
    lags = [one.at_s - delay for one, delay in zip(heard, delays, strict=True) if one.at_s is not None]
    if calls > MOST_CALLS:
        return f"it makes {calls:.1f} calls a review, and {MOST_CALLS} are allowed: each one costs a turn"
    lag_s = sum(lags) / len(lags)
    if lag_s > MOST_LAG_S:
        return (
            f"it hears {lag_s:.0f} s late on average, and {MOST_LAG_S} s are allowed: it asks often while "
            f"hardly anybody has decided, and seldom when most people do"
        )
    return None


# 10.3: transfer to a ticket system.

CASES = ((1800, 4, False), (574, 1, False), (7200, 9, False), (600, 2, True))


def judge_tickets(ask_every_s: Callable[[float, float, bool], float | None]) -> str | None:
    """Accept the square-root law, and no poll at all where the system pushes."""
    for mean_s, price_s, pushes in CASES:
        given = ask_every_s(mean_s, price_s, pushes)
        where = f"mean {mean_s} s, a call worth {price_s} s"
        if pushes:
            if given is not None:
                return f"this system calls you back, so asking every {given:.3g} s buys nothing: return None"
            continue
        if isinstance(given, bool) or not isinstance(given, Real) or not given > 0:
            return f"an interval is a number of seconds above 0, but for {where} it is {given!r}"
        best = best_interval_s(mean_s, price_s)
        extra = 50 * (given / best + best / given) - 100
        if extra > 1:
            often = "too often" if given < best else "too seldom"
            return f"for {where}, every {given:.3g} s is {often}: calls and lag cost {extra:.0f}% too much"
    return None


EXERCISES = (
    predict(
        "10.1",
        "You can say what a fixed interval costs. Median 6 minutes, spread 1, budget one hour, one call "
        "every 60 s: how many calls does a review take on average? Give a number.",
        right=_calls(60),
        wrong={
            "the median review": (
                6,
                "that is the median review in minutes; the slow half counts too, and it pulls the mean up",
            ),
            "every review takes the whole budget": (
                60,
                "only a review that outlasts the budget is asked about 60 times; most are done long before",
            ),
            "the number for 30 s": (
                20,
                "that is the number for 30 s; a wait twice as long makes about half as many calls",
            ),
        },
        hints=(
            "At 30 s it was 19.7 calls. What does half the rate do?",
            "Calls are the mean wait over the interval, and half a call more: solve for the mean wait first.",
        ),
        worked="The mean wait, cut at the hour, is about 574 s: 574 / 60 + 1/2 is about 10.1 calls.",
        advice="divide the mean wait by 60 s",
        within=0.5,
    ),
    Exercise(
        number="10.2",
        title="Write the policy",
        task=(
            "You can write a polite client that hears in time. Complete <code>my_wait(waited_s, "
            "last_wait_s)</code>, which returns how many seconds to wait before the next call; both are 0 at "
            "first. On 400 hidden reviews (median 6 minutes, spread 1, budget one hour) it may make at most "
            "12 calls and be at most 36 s late, both on average."
        ),
        hints=(
            "The backoff from 5 s makes 11 calls. How many of them come before anybody could have read it?",
            "Which fixed interval makes about 11 calls?",
        ),
        worked="def my_wait(waited_s, last_wait_s):\n    return 55",
        answer=lambda waited_s, last_wait_s: 55,
        judge=judge_policy,
        misconceptions={
            "eager": Schedule(5),
            "exponential backoff is always polite": Schedule(5, 1.5, 120),
            "double it and never stop": Schedule(10, 2),
        },
    ),
    Exercise(
        number="10.3",
        title="Take it to a ticket system",
        task=(
            "You can choose an interval for a system that is not osFoundry's. A client waits for tickets to "
            "be closed. Write <code>ask_every_s(mean_s, price_s, pushes)</code>: the mean wait, the seconds "
            "of lag that one call is worth, and whether the system calls back by itself. Return the best "
            "interval in seconds, or <code>None</code> where no call is needed."
        ),
        hints=(
            "An interval d makes about mean/d calls and is d/2 late. Where do both cost the same?",
            "Step 4 of the chapter's argument has the formula.",
        ),
        worked=(
            "def ask_every_s(mean_s, price_s, pushes):\n"
            "    return None if pushes else (2 * price_s * mean_s) ** 0.5"
        ),
        answer=lambda mean_s, price_s, pushes: None if pushes else (2 * price_s * mean_s) ** 0.5,
        judge=judge_tickets,
        misconceptions={
            "a push does not replace polling": lambda mean_s, price_s, pushes: (2 * price_s * mean_s) ** 0.5,
            "the lag is a whole interval": lambda mean_s, price_s, pushes: (price_s * mean_s) ** 0.5,
            "a twentieth of the wait, whatever a call costs": lambda mean_s, price_s, pushes: mean_s / 20,
        },
    ),
)
