"""Do the numbers of the retries come out of real sessions too?

The runs of chapters 04 and 09 once more, and this time nothing is played: the official MCP client
and server exchange JSON-RPC messages, replies really get lost, and the client waits out its
time-outs, on a clock that skips idle time. Nothing is expected here: the formulas stand in chapters
04 and 09.
"""

import random
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from osfhelpers.drawing.figures import Outcome, outcome_row
from osfhelpers.engine.parameters import Slider, probability, whole_number
from osfhelpers.engine.store import Order
from osfhelpers.measuring.damage import LedgerRow
from osfhelpers.measuring.evidence import Key
from osfhelpers.models import proposal_runs
from osfhelpers.models.killed_server import tabs_after_a_kill
from osfhelpers.models.retry_arms import ARMS, POLICIES, ROWS, Fate, arm_name, fate, label_arms
from osfhelpers.models.sessions import make_tabs, propose
from osfhelpers.wire import is_installed

if TYPE_CHECKING:
    from matplotlib.axes import Axes

NAME = "over_the_wire"
CHAPTER = "11"
# The experiments whose published figures must come out of sessions too.
PUBLISHED = ("retries", "review_gate")
HEIGHT_PX = 470
SEEDS = (1, 2, 3)
expected = None


@dataclass(frozen=True)
class Params:
    """One setting; the defaults are the published one.

    Args:
        calls: how many tabs a session asks for.
        reply_loss: share of replies lost after the commit; a conflict always arrives.
    """

    calls: int = 50
    reply_loss: float = 0.3

    def __post_init__(self) -> None:
        whole_number("calls", self.calls, at_least=1)
        probability("reply_loss", self.reply_loss, below_one=True)


SLIDERS = (Slider("reply_loss", "replies lost", (0.0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5), "%"),)


@dataclass(frozen=True)
class Session:
    """What one session came to: a count, or seconds by the client's own clock."""

    tabs: int
    calls: int
    conflicts: int
    seconds: float


@dataclass(frozen=True)
class Result:
    """One session per order and policy, held when its outcome is first asked for."""

    params: Params

    @property
    def sessions(self) -> dict[tuple[Order, str], Session]:
        """What the sessions came to, by order and policy."""
        return _sessions(self.params)


def measure(params: Params) -> Result:
    """Return one session per order and policy, all on the same lost replies.

    Each write has a stream of its own for its replies, so that a higher loss rate only adds to
    the replies that a write loses.
    """
    return Result(params)


@cache
def _sessions(params: Params) -> dict[tuple[Order, str], Session]:
    found = {}
    for order, policy in ARMS:
        tabs, run = make_tabs(
            order,
            POLICIES[policy],
            tabs=params.calls,
            reply_loss=params.reply_loss,
            keys=random.Random(SEEDS[0]),
            losses=lambda number: random.Random(f"write {number}"),
        )
        found[order, policy] = Session(tabs, run.calls, run.conflicts, run.seconds)
    return found


@cache
def replay() -> dict[Key, int]:
    """Repeat the published runs over sessions, draw for draw; without the SDK there is nothing to repeat."""
    found = {}
    if not is_installed():
        return found
    for order, policy in ARMS:
        for seed in SEEDS:
            rng = random.Random(seed)
            settings = {"tabs": Params.calls, "reply_loss": Params.reply_loss}
            tabs, run = make_tabs(
                order, POLICIES[policy], keys=rng, losses=lambda number, rng=rng: rng, **settings
            )
            arm, seeded = arm_name(order, policy), f"seed {seed}"
            found |= {Key(arm, "tabs", seeded): tabs, Key(arm, "calls", seeded): run.calls}
    for arm, policy in proposal_runs.POLICIES.items():
        room, run = propose(policy, proposals=1_000, reply_loss=0.05, rng=random.Random(1))
        found |= proposal_runs.counts(arm, room, calls=run.calls)
    return found


def draw(ax: "Axes", result: Result) -> None:
    """Draw what 100 intended tabs turn into, one bar per order and policy, and how long it takes."""
    per_100, loss = 100 / result.params.calls, result.params.reply_loss
    for y, arm in zip(ROWS, ARMS, strict=True):
        held = result.sessions[arm]
        tabs, calls, conflicts = (per_100 * count for count in (held.tabs, held.calls, held.conflicts))
        outcome_row(
            ax,
            y,
            [(Outcome.RIGHT, 100), (Outcome.SILENT, tabs - 100), (Outcome.LOUD, conflicts)],
            f"{tabs:.0f} tabs, {calls:.0f} calls, {per_100 * held.seconds / 60:.0f} min",
            expected=100 / (1 - loss) if fate(*arm) is Fate.LANDS_AGAIN else 100,
        )
    ax.set(
        xlim=(0, 540),
        xlabel="per 100 intended tabs; the minutes are spent waiting",
        xticks=range(0, 301, 100),
    )
    label_arms(ax, _title(result), marks=("expected",))


def _extra(result: Result) -> int:
    return result.sessions[Order.KEY_THEN_VERSION, "new key per call"].tabs - result.params.calls


def _title(result: Result) -> str:
    extra = 100 * _extra(result) / result.params.calls
    if not extra:
        return "No reply is lost, so no tab is extra"
    return f"Over the wire too, new keys leave {extra:.0f} extra tabs per 100"


def say(result: Result) -> str:
    """Say what the figure shows, in one sentence."""
    params = result.params
    kept = result.sessions[Order.KEY_THEN_VERSION, "same key on retry"]
    return (
        f"With {100 * params.reply_loss:.3g}% of replies lost, a session for {params.calls} tabs leaves "
        f"{params.calls + _extra(result)} under a new key per call; the same key on every retry leaves "
        f"{kept.tabs}, in {kept.calls} calls and {kept.seconds / 60:.1f} minutes of waiting."
    )


def ledger_row() -> LedgerRow:
    """Return this chapter's row: a retry after a kill, by how the server commits effect and key."""
    without, kept = (100 * (tabs_after_a_kill(one_transaction=one) - 1) for one in (False, True))
    return LedgerRow(
        chapter=CHAPTER,
        phrase="A repeated idempotency key returns the first tab, also after a crash",
        wrong="an extra tab; in a session the server dies once, between the commit and the reply",
        without_per_100=without,
        with_per_100=kept,
        cost="effect and key record in one transaction, so in one database",
    )
