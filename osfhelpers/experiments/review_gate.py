"""What does the owner's gate hold back, and what do retries cost the person behind it?

A client proposes `proposals` apps to one Room, each with other files. Messages get lost, and the
client sends again, at most `retries` times. Nothing runs before the owner has reviewed it; but
a retry under a new key is a second card with the same code.
"""

import math
import random
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from osfhelpers.drawing.figures import Outcome, headline, histogram_of_runs, outcome_legend, outcome_row
from osfhelpers.engine.client import MAX_SENDS, lossy
from osfhelpers.engine.parameters import Slider, probability, whole_number
from osfhelpers.measuring.damage import LedgerRow
from osfhelpers.measuring.evidence import Expectation, Key, Mean, published_numbers
from osfhelpers.models.card_moments import Moments, per_proposal
from osfhelpers.models.lost_messages import lost_in_runs, lost_requests
from osfhelpers.models.proposal_runs import CONTENT, LAUNCHER, POLICIES, RANDOM, counts, propose_all

if TYPE_CHECKING:
    from matplotlib.axes import Axes

NAME = "review_gate"
CHAPTER = "09"
HEIGHT_PX = 330
HEIGHT_PX_RUNS = 340
MEASURES = ("calls", "owner cards", "duplicates", "given up")


@dataclass(frozen=True)
class Params:
    """One setting; the defaults are the published one.

    Args:
        proposals: how many different apps one run proposes.
        reply_loss, request_loss: shares of replies and of requests that get lost.
        retries: how often the client sends one proposal again; None stands for no limit.
    """

    proposals: int = 1_000
    reply_loss: float = 0.05
    request_loss: float = 0.0
    retries: int | None = None

    def __post_init__(self) -> None:
        whole_number("proposals", self.proposals, at_least=1)
        probability("reply_loss", self.reply_loss, below_one=True)
        probability("request_loss", self.request_loss, below_one=True)
        if self.retries is not None:
            whole_number("retries", self.retries, at_least=0)

    @property
    def most_sends(self) -> int:
        """How often one proposal is sent at most; a client without a limit stops somewhere too."""
        return MAX_SENDS if self.retries is None else self.retries + 1

    @property
    def unanswered(self) -> float:
        """The probability that one send brings no reply."""
        return 1 - (1 - self.reply_loss) * (1 - self.request_loss)


SLIDERS = (
    Slider("reply_loss", "replies lost", (0.0, 0.01, 0.05, 0.1, 0.2, 0.3), "%"),
    Slider("retries", "retries allowed", (0, 1, 2, 3, 5, None)),
)


def settle(policy: str, sends: Any, arrived: Any, seen: Any) -> tuple[Any, Any, Any]:
    """Return the calls, the cards and the duplicates of a run: the whole model.

    Args:
        sends: how many sends the run takes.
        arrived: how many of them reach the Room.
        seen: how many proposals reach it at least once. All three are numbers or arrays.
    """
    cards = arrived if policy == RANDOM else seen
    return sends, cards, cards - seen


@dataclass(frozen=True)
class Result:
    """What every simulated run came to: an array of shape (trials,) for each arm and measure."""

    params: Params
    runs: dict[Key, np.ndarray]

    @property
    def estimates(self) -> dict[Key, Mean]:
        """The mean of a run, by arm and measure."""
        return {key: Mean.of(runs) for key, runs in self.runs.items()}

    @property
    def duplicates(self) -> np.ndarray:
        """The extra cards of every run under a new key per attempt."""
        return self.runs[Key(RANDOM, "duplicates")]


def simulate(params: Params, *, trials: int, rng: int | np.random.Generator) -> Result:
    """Run the model `trials` times, both policies on the same lost messages.

    The draws depend on sizes only: one per proposal for the sends before a reply arrives, and,
    from a stream of its own, one for how many of these the Room has not seen.
    """
    whole_number("trials", trials, at_least=1)
    rng = np.random.default_rng(rng)
    [requests] = rng.spawn(1)
    most = params.most_sends
    totals = np.zeros((4, trials))
    for runs, failed in lost_in_runs(rng, trials, params.proposals, params.unanswered, np.float32):
        np.minimum(failed, most, out=failed)
        sent = np.minimum(failed + 1, most)
        share = params.request_loss / params.unanswered if params.request_loss else 0
        there = sent - lost_requests(failed, share, requests)
        totals[:, runs] += [part.sum(axis=1) for part in (sent, there, there > 0, failed == most)]
    sends, arrived, seen, given_up = totals
    found = {}
    for arm in POLICIES:
        settled = *settle(arm, sends, arrived, seen), given_up
        found |= {Key(arm, measure): runs for measure, runs in zip(MEASURES, settled, strict=True)}
    return Result(params, found)


@cache
def replay() -> dict[Key, int]:
    """Repeat the published run on a real Room, draw for draw."""
    found = {}
    for arm, policy in POLICIES.items():
        rng = random.Random(1)
        network = lossy(Params.reply_loss, rng)
        room, settled = propose_all(policy, proposals=Params.proposals, network=network, rng=rng)
        found |= counts(arm, room, calls=sum(map(len, settled)))
    return found


def expected(params: Params) -> dict[Key, Expectation]:
    """Return the exact means, each with the standard deviation of one run."""
    n, exact = params.proposals, per_proposal(params.reply_loss, params.request_loss, params.most_sends)
    found = {}
    for arm in POLICIES:
        cards, extra = (exact["arrived"], exact["extra"]) if arm == RANDOM else (exact["seen"], Moments(0, 0))
        for measure, of_one in zip(MEASURES, (exact["calls"], cards, extra, exact["given up"]), strict=True):
            found[Key(arm, measure)] = Expectation(n * of_one.mean, math.sqrt(n * of_one.variance))
        found[Key(arm, LAUNCHER)] = Expectation(0, 0)
    return found


def draw(ax: "Axes", result: Result) -> None:
    """Draw the owner's extra cards per 100 proposals, and the proposals that the client gave up."""
    per_100, exact = 100 / result.params.proposals, expected(result.params)
    mean = {key: per_100 * estimate.value for key, estimate in result.estimates.items()}
    for y, arm in enumerate(POLICIES):
        extra, given_up = (mean[Key(arm, name)] for name in MEASURES[2:])
        outcome_row(
            ax,
            y,
            [(Outcome.SILENT, extra), (Outcome.LOUD, given_up)],
            f"{extra:.1f} extra" + (f", {given_up:.1f} given up" if given_up else ""),
            expected=per_100 * exact[Key(arm, "duplicates")].value,
            interval=per_100 * np.quantile(result.runs[Key(arm, "duplicates")], (0.025, 0.975)),
            published=[per_100 * number for number in _published_duplicates(result, arm)],
        )
    ax.set_yticks(range(len(POLICIES)), list(POLICIES))
    ax.set(xlim=(0, 80), ylim=(1.6, -0.6), xlabel="per 100 proposals", xticks=range(0, 51, 10))
    headline(ax, _finding(result), left=0.26, bottom=0.36)
    words = {Outcome.SILENT: "the same card again", Outcome.LOUD: "given up by the client"}
    marks = ("expected", "95% of single runs", *["published"] * (result.params == Params()))
    outcome_legend(ax, words, marks=marks)


def _finding(result: Result) -> str:
    per_100 = 100 / result.params.proposals
    extra, given_up = (per_100 * result.estimates[Key(RANDOM, name)].value for name in MEASURES[2:])
    if extra >= 0.05:
        return f"New keys: {extra:.1f} extra cards per 100"
    return f"No card twice; {given_up:.1f} in 100 given up" if given_up else "No card twice: no reply is lost"


def say(result: Result) -> str:
    """Say what the figure shows, in one sentence."""
    params, mean = result.params, result.estimates
    lost = f"{100 * params.reply_loss:.3g}% of replies"
    if params.request_loss:
        lost += f" and {100 * params.request_loss:.3g}% of requests"
    limits = {None: "no limit on retries", 0: "no retry", 1: "at most one retry"}
    limit = limits.get(params.retries, f"at most {params.retries} retries")
    given_up = mean[Key(RANDOM, "given up")].value
    end = f"; the client gives up on {given_up:,.1f}" if given_up else ""
    return (
        f"With {lost} lost and {limit}, {params.proposals:,} proposals make "
        f"{mean[Key(RANDOM, 'owner cards')].value:,.1f} cards under new keys, "
        f"{mean[Key(RANDOM, 'duplicates')].value:,.1f} of them extra, and "
        f"{mean[Key(CONTENT, 'owner cards')].value:,.1f} under a key from the content{end}."
    )


def draw_runs(ax: "Axes", result: Result) -> None:
    """Draw how many duplicates single runs leave, with the published run among them."""
    printed = _published_duplicates(result, RANDOM)
    histogram_of_runs(
        ax,
        result.duplicates,
        expected=expected(result.params)[Key(RANDOM, "duplicates")].value,
        published=printed,
        xlabel=f"duplicate cards in one run of {result.params.proposals:,} proposals",
    )
    finding = f"{_most_runs(result)} is usual"
    for number in printed:
        ax.annotate("published", (number, 0.3), (0, 9), textcoords="offset points", ha="center")
        finding = f"{number:.0f} was published; {finding}"
    headline(ax, finding, bottom=0.18)


def _published_duplicates(result: Result, arm: str) -> list[float]:
    return published_numbers(NAME, arm, "duplicates") if result.params == Params() else []


def _most_runs(result: Result) -> str:
    low, high = np.quantile(result.duplicates, (0.025, 0.975))
    return f"{low:.0f} to {high:.0f}"


def say_runs(result: Result) -> str:
    """Say what the histogram shows, in one sentence."""
    runs, exact = result.duplicates, expected(result.params)[Key(RANDOM, "duplicates")]
    sentence = (
        f"Histogram of {runs.size:,} simulated runs of {result.params.proposals:,} proposals: 95% leave "
        f"{_most_runs(result)} duplicate cards, and {exact.value:.1f} are expected."
    )
    for number in _published_duplicates(result, RANDOM):
        sentence += (
            f" The published run left {number:.0f}, {(number - exact.value) / exact.sd:.1f} standard "
            f"deviations above; {np.count_nonzero(runs >= number)} simulated runs left as many."
        )
    return sentence


def ledger_row() -> LedgerRow:
    """Return this chapter's row: proposals that run unread, without the gate and behind it."""
    exact = expected(Params())
    cards = {arm: 100 * exact[Key(arm, "owner cards")].value / Params.proposals for arm in POLICIES}
    return LedgerRow(
        chapter=CHAPTER,
        phrase="only after its owner reviews and approves the full code",
        wrong="code that nobody has read is in the launcher; a session proposes one app",
        without_per_100=cards[CONTENT],
        with_per_100=100 * replay()[Key(RANDOM, LAUNCHER)] / Params.proposals,
        cost=(
            f"a person reads {cards[CONTENT]:.0f} cards per 100 proposals, "
            f"{cards[RANDOM]:.0f} where a retry carries a new key"
        ),
    )
