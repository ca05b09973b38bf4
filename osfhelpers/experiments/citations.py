"""How often is one page listed twice among a Note's sources?

A research agent cites pages turn by turn, and the same page comes back in another spelling.
Lost replies are sent again under the same key, so no duplicate here comes from a resend: what
counts is whether the key names the call, the URL as it is written, or the page.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from osfhelpers.drawing.figures import (
    CARD,
    Outcome,
    expected_tick,
    headline,
    outcome_legend,
    published_point,
    stacked_bar,
)
from osfhelpers.drawing.rendering import counted
from osfhelpers.engine.client import lossy
from osfhelpers.engine.parameters import Slider, probability, whole_number
from osfhelpers.engine.urls import browser_href, normalise
from osfhelpers.measuring.damage import LedgerRow
from osfhelpers.measuring.evidence import Expectation, Key, Mean, published_numbers
from osfhelpers.models.lost_messages import lost_in_a_row
from osfhelpers.models.sources_tab import NORMALISED, POLICIES, UUID, WRITTEN, research
from osfhelpers.models.spellings import SPELLINGS, Distinct, distinct

if TYPE_CHECKING:
    from matplotlib.axes import Axes

NAME = "citations"
CHAPTER = "05"
HEIGHT_PX = 440
SEED = 11
FORM = "caught by browser hrefs"


@dataclass(frozen=True)
class Params:
    """One setting; the defaults are the published one.

    Args:
        turns: how often an agent cites within one session; `cited` of `pages` pages each time.
        spellings: how many of `SPELLINGS`, in their order, are in use; each is as likely.
        reply_loss: share of replies lost after the commit, and sent again under the same key.
    """

    sessions: int = 300
    turns: int = 3
    pages: int = 8
    cited: int = 6
    spellings: int = len(SPELLINGS)
    reply_loss: float = 0.2

    def __post_init__(self) -> None:
        for name in ("sessions", "turns", "pages"):
            whole_number(name, getattr(self, name), at_least=1)
        whole_number("cited", self.cited, at_least=1, at_most=self.pages)
        whole_number("spellings", self.spellings, at_least=1, at_most=len(SPELLINGS))
        probability("reply_loss", self.reply_loss, below_one=True)

    @property
    def citations(self) -> int:
        """How many citations one session makes."""
        return self.turns * self.cited


SLIDERS = (
    Slider("spellings", "spellings in use", (1, 2, 3, 5, 7)),
    Slider("cited", "pages cited per turn", (2, 4, 6, 8)),
    Slider("reply_loss", "replies lost", (0.0, 0.2, 0.4), "%"),
)


@dataclass(frozen=True)
class Result:
    """What every simulated session came to: arrays of shape (trials,)."""

    params: Params
    stored: dict[str, np.ndarray]
    hrefs: np.ndarray
    calls: np.ndarray

    @property
    def estimates(self) -> dict[Key, Mean]:
        """The mean of a run of `sessions` sessions, by arm and measure."""
        found, sessions = {}, self.params.sessions
        for arm, stored in self.stored.items():
            again = stored - self.stored[NORMALISED]
            found[Key(arm, "stored")] = Mean.of(sessions * stored)
            found[Key(arm, "duplicates")] = Mean.of(sessions * again)
            found[Key(arm, "duplicates per session")] = Mean.of(again)
            found[Key(arm, "resends")] = Mean.of(sessions * (self.calls - self.params.citations))
        found[Key(UUID, FORM)] = Mean.of(sessions * (self.stored[UUID] - self.hrefs))
        return found


def simulate(params: Params, *, trials: int, rng: int | np.random.Generator) -> Result:
    """Run `trials` sessions, all arms on the same citations and the same lost replies.

    The draws depend on sizes only: three for each session, turn and page.
    """
    whole_number("trials", trials, at_least=1)
    rng = np.random.default_rng(rng)
    shape = (trials, params.turns, params.pages)
    place = rng.random(shape)
    cited = place <= np.partition(place, params.cited - 1)[..., params.cited - 1 : params.cited]
    spelling = (rng.random(shape) * params.spellings).astype(int)
    resends = lost_in_a_row(rng, shape, params.reply_loss)
    stored = {
        UUID: np.full(trials, params.citations),
        WRITTEN: distinct(cited, spelling, str),
        NORMALISED: distinct(cited, spelling, normalise),
    }
    calls = params.citations + (resends * cited).sum(axis=(1, 2))
    return Result(params, stored, distinct(cited, spelling, browser_href), calls)


def _drawn(rng: random.Random, params: Params) -> Iterator[tuple[int, int]]:
    for _ in range(params.turns):
        for page in rng.sample(range(params.pages), params.cited):
            yield page, rng.choice(range(params.spellings))


@cache
def replay() -> dict[Key, float]:
    """Repeat the published runs on the real store, draw for draw."""
    params, found = Params(), {}
    for arm, policy in POLICIES.items():
        rng = random.Random(SEED)
        network = lossy(params.reply_loss, rng)
        stored = pages = hrefs = resent = 0
        for _ in range(params.sessions):
            note, deliveries = research(_drawn(rng, params), policy, network=network, rng=rng)
            stored += len(note.sources)
            pages += len({source.title for source in note.sources})
            hrefs += len({browser_href(source.url) for source in note.sources})
            resent += sum(delivery.effects > 1 for delivery in deliveries)
        found[Key(arm, "stored")] = stored
        found[Key(arm, "duplicates")] = stored - pages
        found[Key(arm, "duplicates per session")] = round((stored - pages) / params.sessions, 2)
        if arm == UUID:
            found[Key(arm, "from a resend")] = resent
            found[Key(arm, FORM)] = stored - hrefs
    return found


def expected(params: Params) -> dict[Key, Expectation]:
    """Return the exact means, each with the standard deviation of one run."""
    count = Distinct(params.turns, params.pages, params.cited, params.spellings, runs=params.sessions)
    once, nothing = params.sessions * params.citations, Expectation(0, 0)
    found = {
        Key(UUID, "stored"): Expectation(once, 0),
        Key(UUID, "duplicates"): count.expected({normalise: -1}, plus=once),
        Key(UUID, "from a resend"): nothing,
        Key(UUID, FORM): count.expected({browser_href: -1}, plus=once),
        Key(WRITTEN, "stored"): count.expected({str: 1}),
        Key(WRITTEN, "duplicates"): count.expected({str: 1, normalise: -1}),
        Key(NORMALISED, "stored"): count.expected({normalise: 1}),
        Key(NORMALISED, "duplicates"): nothing,
    }
    loss, arrives = params.reply_loss, 1 - params.reply_loss
    for arm in POLICIES:
        found[Key(arm, "resends")] = Expectation(once * loss / arrives, (once * loss) ** 0.5 / arrives)
        run = found[Key(arm, "duplicates")]
        per_session = Expectation(run.value / params.sessions, run.sd / params.sessions)
        found[Key(arm, "duplicates per session")] = per_session
    return found


def draw(ax: "Axes", result: Result) -> None:
    """Draw what each key stores, one bar per key, and the first behind the desktop app's form."""
    params, at_published = result.params, result.params == Params()
    mean = {key: estimate.value for key, estimate in result.estimates.items()}
    exact = expected(params)
    rows = (
        (UUID, UUID, 0.0),
        (UUID, "the same, behind the app's form", mean[Key(UUID, FORM)]),
        (WRITTEN, WRITTEN, 0.0),
        (NORMALISED, NORMALISED, 0.0),
    )
    for y, (arm, key, refused) in enumerate(rows):
        extra = mean[Key(arm, "duplicates")] - refused
        parts = [
            (Outcome.RIGHT, mean[Key(NORMALISED, "stored")]),
            (Outcome.SILENT, extra),
            (Outcome.LOUD, refused),
        ]
        stacked_bar(ax, y, parts, height=0.4)
        words = f"{extra:,.0f} duplicates: {key}"
        ax.text(0, y - 0.38, words, va="center", bbox={"facecolor": CARD, "linewidth": 0, "pad": 1})
        if not refused:
            expected_tick(ax, exact[Key(arm, "stored")].value, y, half=0.25)
            for sources in published_numbers(NAME, arm, "stored") if at_published else []:
                published_point(ax, sources, y + 0.3)
    ax.set(xlim=(0, 1.01 * params.sessions * params.turns * params.pages), ylim=(3.5, -0.7), yticks=())
    ax.set_xlabel(f"sources listed or refused in {params.sessions} sessions")
    ax.xaxis.set_major_formatter("{x:,.0f}")
    each = mean[Key(UUID, "duplicates per session")]
    title = f"{each:.1f} duplicates a session with a key per citation, none with a key per page"
    headline(ax, title, left=0.03, bottom=0.25)
    words = {
        Outcome.RIGHT: "a page, once",
        Outcome.SILENT: "the page again, unnoticed",
        Outcome.LOUD: "refused by the form",
    }
    outcome_legend(ax, words, marks=("expected", "published") if at_published else ("expected",))


def say(result: Result) -> str:
    """Say what the figure shows, in one sentence."""
    params, mean = result.params, {key: found.value for key, found in result.estimates.items()}
    again = {arm: f"{mean[Key(arm, 'duplicates')]:,.0f}" for arm in POLICIES}
    return (
        f"{params.cited} pages a turn in {counted(params.spellings, 'spelling')}: {params.sessions} sessions "
        f"list {again[UUID]} pages again under new UUIDs (the app's form would refuse "
        f"{mean[Key(UUID, FORM)]:,.0f}), {again[WRITTEN]} under the URL as written, {again[NORMALISED]} "
        f"under the normalised URL; {mean[Key(UUID, 'resends')]:,.0f} resends add none."
    )


def ledger_row() -> LedgerRow:
    """Return this chapter's row: a key for each citation against a key for the page."""
    exact = expected(Params())
    without, kept = (100 * exact[Key(arm, "duplicates per session")].value for arm in (UUID, NORMALISED))
    return LedgerRow(
        chapter=CHAPTER,
        phrase="an idempotency key, if it names the page",
        wrong="a page listed again; a session cites 18 times",
        without_per_100=without,
        with_per_100=kept,
        cost="two pages that the steps take for one: the second is never listed",
    )
