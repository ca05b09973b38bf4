"""How often does a retried write land twice?

A client sends `calls` writes to one Note. Replies get lost, and the client sends again. What
happens then depends on the server's order of checks and on the client's key policy. Nobody
else writes to the Note, so every conflict here is one with the client's own earlier write.
"""

import math
import random
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from osfhelpers.drawing.figures import Outcome, headline, histogram_of_runs, outcome_row
from osfhelpers.drawing.sequence import Sequences
from osfhelpers.engine.client import lossy, scripted
from osfhelpers.engine.parameters import Slider, probability, whole_number
from osfhelpers.engine.store import Order
from osfhelpers.measuring.damage import LedgerRow
from osfhelpers.measuring.evidence import Expectation, Key, Mean, published_numbers
from osfhelpers.models.lost_messages import lost_in_runs, lost_until_all_arrive
from osfhelpers.models.retry_arms import (
    ARMS,
    POLICIES,
    ROWS,
    Fate,
    Outcomes,
    arm_name,
    deliver_all,
    fate,
    label_arms,
    settle,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

NAME = "retries"
CHAPTER = "04"
HEIGHT_PX = 470
HEIGHT_PX_RUNS = 340
TWICE = "key, then version / new key per call"
SEEDS = (1, 2, 3)


@dataclass(frozen=True)
class Params:
    """One setting; the defaults are the published one.

    Args:
        calls: how many writes one run intends.
        reply_loss: share of replies lost after the commit; a conflict always arrives.
        request_loss: share of requests that never reach the server.
    """

    calls: int = 50
    reply_loss: float = 0.3
    request_loss: float = 0.0

    def __post_init__(self) -> None:
        whole_number("calls", self.calls, at_least=1)
        probability("reply_loss", self.reply_loss, below_one=True)
        probability("request_loss", self.request_loss, below_one=True)


SLIDERS = (
    Slider("reply_loss", "replies lost", (0.0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5), "%"),
    Slider("request_loss", "requests lost", (0.0, 0.2, 0.5), "%"),
    Slider("calls", "intended tabs per run", (10, 50, 200), "tabs"),
)


@dataclass(frozen=True)
class Result:
    """What every simulated run came to, by arm: arrays of shape (trials,)."""

    params: Params
    outcomes: dict[str, Outcomes]

    @property
    def estimates(self) -> dict[Key, Mean]:
        """The mean of a run, by arm and measure."""
        return {
            Key(arm, measure): Mean.of(runs)
            for arm, outcomes in self.outcomes.items()
            for measure, runs in outcomes._asdict().items()
        }


def simulate(params: Params, *, trials: int, rng: int | np.random.Generator) -> Result:
    """Run the model `trials` times, all arms on the same lost messages.

    The draws depend on sizes only: one per intended write, for the replies lost before one
    arrives, and one per run, the quantile of its lost requests.
    """
    whole_number("trials", trials, at_least=1)
    rng = np.random.default_rng(rng)
    lost, hit = np.zeros(trials), np.zeros(trials)
    for runs, replies in lost_in_runs(rng, trials, params.calls, params.reply_loss):
        lost[runs] += replies.sum(axis=1)
        hit[runs] += np.count_nonzero(replies, axis=1)
    quantile, writes = rng.random(trials), np.full(trials, params.calls)
    outcomes = {}
    for each in Fate:
        arrived = settle(each, writes, lost, hit)
        lost_requests = lost_until_all_arrive(arrived.calls, params.request_loss, quantile)
        outcomes[each] = arrived._replace(calls=arrived.calls + lost_requests)
    return Result(params, {arm_name(*arm): outcomes[fate(*arm)] for arm in ARMS})


@cache
def replay() -> dict[Key, int]:
    """Repeat the published runs on the real store, draw for draw."""
    found = {}
    for order, policy in ARMS:
        for seed in SEEDS:
            rng = random.Random(seed)
            network = lossy(Params.reply_loss, rng)
            settled = deliver_all(order, POLICIES[policy], calls=Params.calls, network=network, rng=rng)
            arm, run = arm_name(order, policy), f"seed {seed}"
            found[Key(arm, "tabs", run)] = sum(delivery.effects for delivery in settled)
            found[Key(arm, "calls", run)] = sum(delivery.calls for delivery in settled)
    return found


def expected(params: Params) -> dict[Key, Expectation]:
    """Return the exact means, each with the standard deviation of one run.

    With p replies and q requests lost, s = 1 - p and w = 1 - q: a write that lands again after
    every lost reply makes 1/s tabs in (1 + p)/(s w) calls; a write that lands once takes
    1/(s w) calls, and p/w more where the first resend conflicts.
    """
    n, p, q = params.calls, params.reply_loss, params.request_loss
    s, w = 1 - p, 1 - q
    intended, none = Expectation(n, 0), Expectation(0, 0)
    again, hit = Expectation(n * p / s, math.sqrt(n * p) / s), Expectation(n * p, math.sqrt(n * p * s))

    def calls(sends: float, variance: float) -> Expectation:
        return Expectation(n * sends / w, math.sqrt(n * (variance + sends * q)) / w)

    exact = {
        Fate.LANDS_AGAIN: (Expectation(n / s, again.sd), calls((1 + p) / s, 4 * p / s**2), again),
        Fate.CONFLICTS_ONCE: (intended, calls(1 + p + p / s, p / s**2 + p * s + 2 * p), hit),
        Fate.LANDS_ONCE: (intended, calls(1 / s, p / s**2), none),
    }
    return {
        Key(arm_name(*arm), measure): value
        for arm in ARMS
        for measure, value in zip(("tabs", "calls", "conflicts"), exact[fate(*arm)], strict=True)
    }


def draw(ax: "Axes", result: Result) -> None:
    """Draw what 100 intended tabs turn into, one bar per order and policy."""
    per_100, at_published = 100 / result.params.calls, result.params == Params()
    mean = {key: estimate.value * per_100 for key, estimate in result.estimates.items()}
    exact = expected(result.params)
    for y, (order, policy) in zip(ROWS, ARMS, strict=True):
        arm = arm_name(order, policy)
        tabs, calls, conflicts = (mean[Key(arm, measure)] for measure in ("tabs", "calls", "conflicts"))
        outcome_row(
            ax,
            y,
            [(Outcome.RIGHT, 100), (Outcome.SILENT, tabs - 100), (Outcome.LOUD, conflicts)],
            f"{tabs:.0f} tabs, {calls:.0f} calls",
            expected=exact[Key(arm, "tabs")].value * per_100,
            interval=per_100 * np.quantile(result.outcomes[arm].tabs, (0.025, 0.975)),
            published=[per_100 * n for n in published_numbers(NAME, arm, "tabs")] if at_published else [],
        )
    ax.set(xlim=(0, 470), xlabel="per 100 intended tabs", xticks=range(0, 401, 100))
    marks = ("expected", "95% of single runs", "published")
    extra = mean[Key(TWICE, "tabs")] - 100
    title = f"A retry under a new key leaves {extra:.0f} extra tabs per 100"
    if extra < 0.5:
        title = "When no reply is lost, every policy makes one tab"
    label_arms(ax, title, marks=marks if at_published else marks[:2])


def say(result: Result) -> str:
    """Say what the figure shows, in one sentence."""
    params = result.params
    lost = f"{100 * params.reply_loss:.3g}% of replies lost"
    if params.request_loss:
        lost += f" and {100 * params.request_loss:.3g}% of requests lost"
    return (
        f"With {lost}, {params.calls} intended tabs become {result.estimates[Key(TWICE, 'tabs')].value:.1f} "
        f"on average ({_most_runs(result)}) where a retry gets a new key, and stay {params.calls} where it "
        f"keeps its key."
    )


def _most_runs(result: Result) -> str:
    low, high = np.quantile(result.outcomes[TWICE].tabs, (0.025, 0.975))
    return f"95% of runs: {low:.0f} to {high:.0f}"


def draw_runs(ax: "Axes", result: Result) -> None:
    """Draw how many tabs single runs make, with the published runs among them."""
    histogram_of_runs(
        ax,
        result.outcomes[TWICE].tabs,
        expected=expected(result.params)[Key(TWICE, "tabs")].value,
        published=_published_twice() if result.params == Params() else (),
        xlabel=f"tabs made by one run of {result.params.calls} intended tabs",
    )
    headline(ax, f"One run is an anecdote ({_most_runs(result)})", bottom=0.18)


def say_runs(result: Result) -> str:
    """Say what the histogram shows, in one sentence."""
    runs = result.outcomes[TWICE].tabs.size
    return (
        f"Histogram of the tabs made by {runs:,} simulated runs of {result.params.calls} intended "
        f"tabs, a new key per call ({_most_runs(result)}); the published runs that wrote twice made "
        f"{', '.join(f'{tabs:.0f}' for tabs in _published_twice())}."
    )


def _published_twice() -> list[float]:
    arms = [arm_name(*arm) for arm in ARMS if fate(*arm) is Fate.LANDS_AGAIN]
    return sorted({number for arm in arms for number in published_numbers(NAME, arm, "tabs")})


def one_lost_reply() -> Sequences:
    """Return one write whose first reply is lost, under each order and policy, from the real store."""
    variants = {}
    for order, policy in ARMS:
        sent = {"calls": 1, "network": scripted([True]), "rng": random.Random(1)}
        [delivery] = deliver_all(order, POLICIES[policy], **sent)
        variants[f"{order.value.partition(',')[0]} first; {policy}"] = delivery
    return Sequences("One lost reply.", variants)


def ledger_row() -> LedgerRow:
    """Return this chapter's row: a client that draws a new key after a conflict, by order of checks."""
    exact = expected(Params())
    without, kept = (
        100 * (exact[Key(arm_name(order, "new key after a conflict"), "tabs")].value / Params.calls - 1)
        for order in (Order.VERSION_THEN_KEY, Order.KEY_THEN_VERSION)
    )
    return LedgerRow(
        chapter=CHAPTER,
        phrase="A repeated idempotency key returns the first tab",
        wrong="an extra tab; a session creates one",
        without_per_100=without,
        with_per_100=kept,
        cost="one key record per write, kept as long as a client may retry",
    )
