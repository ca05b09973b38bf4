"""Which mistaken calls does a narrow schema stop, and which keyword stops them?

A keyword is struck out of all schemas, and what then slips through is counted on a list of
mistakes. Nothing is random here, so nothing is expected: every count is of the list itself.
"""

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from osfhelpers.drawing.figures import Outcome, headline, outcome_legend, outcome_row
from osfhelpers.engine.parameters import ParameterError, Slider
from osfhelpers.engine.snapshot import tools
from osfhelpers.engine.validator import keep_keywords
from osfhelpers.measuring.damage import LedgerRow
from osfhelpers.measuring.evidence import Key
from osfhelpers.models.eight_payloads import eight_payloads
from osfhelpers.models.mistakes import CLOSED, KEYWORDS, WHOLE, by_habit, calls, passing, refused

if TYPE_CHECKING:
    from matplotlib.axes import Axes

NAME = "bad_payloads"
CHAPTER = "01"
HEIGHT_PX = 430
HEIGHT_PX_KEYWORDS = 480
NOTHING = "nothing"
PHRASE = (CLOSED, "enum", "maxItems")


@dataclass(frozen=True)
class Params:
    """Which keywords are struck out of all schemas; the default is the schemas as they are."""

    removed: str = NOTHING
    also_removed: str = NOTHING

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if value not in (NOTHING, *KEYWORDS):
                known = ", ".join((NOTHING, *KEYWORDS))
                raise ParameterError(f"{name} must be one of {known}, but it is {value!r}")

    @property
    def struck(self) -> tuple[str, ...]:
        """The keywords that are struck out."""
        return tuple(keyword for keyword in KEYWORDS if keyword in (self.removed, self.also_removed))

    @property
    def kept(self) -> frozenset[str]:
        """The keywords that still stand."""
        return WHOLE - set(self.struck)


SLIDERS = (
    Slider("removed", "strike out", (NOTHING, *KEYWORDS)),
    Slider("also_removed", "and also", (NOTHING, CLOSED, "required", "type", "enum")),
)


@dataclass(frozen=True)
class Tally:
    """What one keyword stops: alone, and together with others that stop it too."""

    keyword: str
    alone: int
    shared: int


@dataclass(frozen=True)
class Result:
    """Which mistaken and which right calls are refused, in the order of the list."""

    params: Params
    refused: tuple[bool, ...]
    right_refused: tuple[bool, ...]

    @property
    def tallies(self) -> tuple[Tally, ...]:
        """Each keyword that still stands, the one that stops most alone first."""
        found = []
        for keyword in sorted(self.params.kept, key=KEYWORDS.index):
            alone = sum(self.refused) - sum(refused(self.params.kept - {keyword}))
            found.append(Tally(keyword, alone, sum(refused(frozenset({keyword}))) - alone))
        return tuple(sorted(found, key=lambda tally: (-tally.alone, -tally.shared)))


def measure(params: Params) -> Result:
    """Judge every call of the list by the schemas without the struck keywords."""
    return Result(params, refused(params.kept), refused(params.kept, "right_calls"))


def replay() -> dict[Key, str]:
    """Judge the eight published payloads by the small validator."""
    return {Key(cell.payload, "verdict"): cell.small_validator_here for cell in eight_payloads()}


expected = None


def draw(ax: "Axes", result: Result) -> None:
    """Draw how many mistakes of each habit get through and how many are refused."""
    of, rows = len(tools()), {-1.3: ("right calls", Outcome.RIGHT, result.right_refused.count(False))}
    for y, habit in enumerate(by_habit(result.params.kept)):
        rows[y] = (habit.habit, Outcome.SILENT, habit.pass_the_full_schema)
    for y, (_, outcome, through) in rows.items():
        parts = [(outcome, through), (Outcome.LOUD, of - through)]
        outcome_row(ax, y, parts, f"{through} of {of} pass")
    ax.set_yticks(list(rows), [words for words, *_ in rows.values()])
    ax.set(xlim=(0, of * 1.3), ylim=(max(rows) + 0.6, -1.9), xticks=range(0, of + 1))
    ax.set_xlabel("calls, one for each tool")
    headline(ax, _title(result), left=0.26, bottom=0.22)
    words = {
        Outcome.SILENT: "wrong, and passes",
        Outcome.LOUD: "refused, and told where",
        Outcome.RIGHT: "right, and passes",
    }
    outcome_legend(ax, words)


def _title(result: Result) -> str:
    stopped, meant = sum(result.refused), len(tools()) - by_habit()[-1].pass_the_full_schema
    if not (struck := result.params.struck):
        return f"{stopped} of {len(calls())} stopped, {meant or 'none'} of wrong meaning"
    more = sum(measure(Params()).refused) - stopped
    return f"{more} more mistakes pass without {struck[0] if len(struck) == 1 else 'these two'}"


def say(result: Result) -> str:
    """Say what the figure shows, in one sentence."""
    through, whole = passing(result.params.kept), passing()
    new = [f"{call.tool} {call.mistake}" for call in through if call not in whole]
    passed = f"{result.right_refused.count(False)} of {len(tools())} right calls pass"
    meaning, start = by_habit()[-1], "With every keyword in place"
    more = f"among them {meaning.pass_the_full_schema} of {len(tools())} of {meaning.habit}"
    if struck := result.params.struck:
        start = f"Without {' and '.join(struck)}"
        more = f"{len(new)} more than with all keywords{', the first of them: ' + new[0] if new else ''}"
    return (
        f"{start}, the schemas let {len(through)} of {len(calls())} mistaken calls through, {more}; {passed}."
    )


def draw_keywords(ax: "Axes", result: Result) -> None:
    """Draw what each keyword stops: nothing else does, or another one does too."""
    tallies, through = result.tallies, result.refused.count(False)
    for y, tally in enumerate(tallies):
        shared = f", {tally.shared} with another" if tally.shared else ""
        parts = [(Outcome.SILENT, tally.alone), (Outcome.LOUD, tally.shared)]
        outcome_row(ax, y, parts, f"{tally.alone} alone{shared}")
    y = len(tallies) + 0.4
    outcome_row(ax, y, [(Outcome.SILENT, through)], f"{through} pass")
    ax.set_yticks([*range(len(tallies)), y], [*(_name(tally.keyword) for tally in tallies), "no keyword"])
    ax.set(xlim=(0, 58), ylim=(y + 0.6, -0.6), xlabel=f"mistaken calls, of {len(calls())}")
    headline(ax, f"{through} of {len(calls())} mistakes pass every keyword", left=0.31)
    outcome_legend(
        ax,
        {Outcome.SILENT: "passes without this keyword", Outcome.LOUD: "another keyword stops it too"},
    )


def _name(keyword: str) -> str:
    return f"{keyword}: false" if keyword == CLOSED else keyword


def say_keywords(result: Result) -> str:
    """Say what the figure shows, in one sentence."""
    most = ", ".join(f"{_name(tally.keyword)} ({tally.alone})" for tally in result.tallies[:3])
    once = sum(tally.alone for tally in result.tallies)
    several = sum(result.refused) - once
    return (
        f"Of {len(calls())} mistaken calls, {once} are stopped by one keyword alone, most of them by {most}; "
        f"{several} by several, and {result.refused.count(False)} by none."
    )


def ledger_row() -> LedgerRow:
    """Return this chapter's row: the list with and without the phrase's three keywords."""
    settings = (WHOLE - set(PHRASE), WHOLE)
    without, kept = (100 * refused(keywords).count(False) / len(calls()) for keywords in settings)
    small, whole = (
        sum(len(json.dumps(keep_keywords(each.input_schema, keywords))) for each in tools().values())
        for keywords in settings
    )
    return LedgerRow(
        chapter=CHAPTER,
        phrase=", ".join(map(_name, PHRASE)),
        wrong="a mistaken call that passes; a session makes one of this chapter's list",
        without_per_100=without,
        with_per_100=kept,
        cost=f"{whole - small:,} bytes in the schemas of {len(tools())} tools",
    )
