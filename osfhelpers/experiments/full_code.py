"""What must a model write and a person read when a proposal shows its full code?

Sizes are measured on this project's own stand-up timer, of the shape of the published one, whose
files were not printed: so nothing is expected of them, and no replay returns them. Reading and
writing speeds are assumptions, to be edited.
"""

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from osfhelpers.drawing.figures import (
    CARD,
    FAINT,
    INK,
    Outcome,
    headline,
    outcome_legend,
    published_point,
    stacked_bar,
)
from osfhelpers.engine.data import load
from osfhelpers.engine.parameters import Slider, number, whole_number
from osfhelpers.engine.sizes import compact_json, tokens
from osfhelpers.measuring.damage import LedgerRow
from osfhelpers.measuring.evidence import Key, Measured, published
from osfhelpers.models.proposals import REPOSITORY, SNIPPET, Weight, pinned_arguments, repeated, timer, weigh

if TYPE_CHECKING:
    from matplotlib.axes import Axes

NAME = "full_code"
CHAPTER = "08"
HEIGHT_PX = 360
HEIGHT_PX_FILES = 340
WHOLE, ROOM_TOOLS, ALL_TOOLS = "whole proposal", "the five Room tools", "the eleven known tools"
FIVE = (SNIPPET, REPOSITORY, "read_room", "list_room_apps", "read_room_app_status")
COUNTS = (2, 6, 21)
SITTING_MIN = 60


@dataclass(frozen=True)
class Params:
    """One setting; by default an app of two files, each as long as the timer's component.

    Args:
        files: how many files are proposed.
        lines_per_file: how long each of them is.
        read_lines_per_h: how fast a person reads code with care.
        write_tokens_per_s: how fast a model writes.
    """

    files: int = 2
    lines_per_file: int = 63
    read_lines_per_h: float = 500
    write_tokens_per_s: float = 50

    def __post_init__(self) -> None:
        whole_number("files", self.files, at_least=1, at_most=500)
        whole_number("lines_per_file", self.lines_per_file, at_least=1, at_most=2000)
        number("read_lines_per_h", self.read_lines_per_h, above=0)
        number("write_tokens_per_s", self.write_tokens_per_s, above=0)


SLIDERS = (
    Slider("files", "files in the app", (1, 2, 4, 6, 11, 21)),
    Slider("lines_per_file", "lines per file", (20, 63, 100, 150)),
)


@dataclass(frozen=True)
class Result:
    """What the app of these parameters weighs, and what that takes in minutes."""

    params: Params
    weight: Weight

    @property
    def estimates(self) -> dict[Key, Measured]:
        """All measured sizes; those of the published table do not depend on the parameters."""
        return sizes()

    @property
    def minutes(self) -> dict[str, float]:
        """How long each part takes."""
        return minutes(self.params, self.weight)


def minutes(params: Params, weight: Weight) -> dict[str, float]:
    """Say how long a model writes (by tokens) and a person reads (by lines)."""
    pinned_tokens = tokens(compact_json(pinned_arguments()))
    tokens_per_min = 60 * params.write_tokens_per_s
    return {
        "the model writes the files": weight.source_tokens / tokens_per_min,
        "and again, as the argument": weight.argument_tokens / tokens_per_min,
        "or it names a pinned version": pinned_tokens / tokens_per_min,
        "the owner reads them": 60 * weight.lines / params.read_lines_per_h,
    }


def measure(params: Params) -> Result:
    """Measure one app."""
    return Result(params, weigh(repeated(params.files, params.lines_per_file)))


@cache
def sizes() -> dict[Key, Measured]:
    """Return everything that the article measured, measured on this project's own files."""
    found: dict[tuple[str, str], float] = {}
    for path, text in timer().items():
        found[path, "bytes"] = len(text.encode())
        found[path, "lines"] = len(text.splitlines())
        found[path, "tokens"] = tokens(text)
    whole = weigh(timer())
    found[WHOLE, "source bytes"] = whole.source_bytes
    found[WHOLE, "envelope bytes"] = whole.envelope_bytes
    found[WHOLE, "overhead, %"] = whole.overhead_percent
    found[WHOLE, "argument tokens"] = whole.argument_tokens
    for count in COUNTS:
        weight = weigh(repeated(count, Params.lines_per_file))
        found[f"{count} files", "envelope bytes"] = weight.envelope_bytes
        found[f"{count} files", "argument tokens"] = weight.argument_tokens
    listed = load("tools_list.json")["tools"]
    five = [tool for tool in listed if tool["name"] in FIVE]
    for arm, tools in ((ROOM_TOOLS, five), (ALL_TOOLS, listed)):
        found[arm, "bytes"] = len(compact_json(tools).encode())
        found[arm, "tokens"] = tokens(compact_json(tools))
    return {Key(*key): Measured(value) for key, value in found.items()}


replay = None
expected = None


def line_per_file(measure_name: str) -> tuple[list[float], list[float]]:
    """Return the measured and the published figures for 2, 6 and 21 files."""
    printed = {figure.key: figure.number for figure in published(NAME)}
    keys = [Key(f"{count} files", measure_name) for count in COUNTS]
    return [sizes()[key].value for key in keys], [printed[key] for key in keys]


def per_file(line: list[float]) -> float:
    """Return what one more file adds, from the smallest and the largest app."""
    return (line[-1] - line[0]) / (COUNTS[-1] - COUNTS[0])


def files_in_a_sitting(params: Params) -> int:
    """Return how many files of this length a person can read within an hour."""
    return int(params.read_lines_per_h * SITTING_MIN / 60 / params.lines_per_file)


def draw(ax: "Axes", result: Result) -> None:
    """Draw the minutes of the model and of the person, one bar each."""
    for row, (what, needed) in enumerate(result.minutes.items()):
        if what == "the owner reads them":
            unread = max(0.0, needed - SITTING_MIN)
            stacked_bar(ax, row, [(Outcome.RIGHT, needed - unread), (Outcome.SILENT, unread)])
        else:
            ax.barh(row, needed, height=0.62, color=INK)
        ax.text(needed + 4, row, _time(needed), va="center_baseline", bbox={"color": CARD, "pad": 1})
    ax.axvline(SITTING_MIN, color=FAINT, linewidth=1.2, linestyle=(0, (4, 3)), zorder=0)
    ax.text(SITTING_MIN + 4, -0.72, "one sitting", color=FAINT, va="center")
    ax.set_yticks(range(len(result.minutes)), list(result.minutes))
    ax.set(xlim=(0, 450), ylim=(len(result.minutes) - 0.4, -1), xlabel="minutes", xticks=range(0, 421, 60))
    first, again, _, read = result.minutes.values()
    finding = f"Written twice in {_time(first + again)}, read in {_time(read)}"
    headline(ax, _sitting(read) if read > SITTING_MIN else finding, left=0.34, bottom=0.24)
    outcome_legend(ax, {Outcome.RIGHT: "read in one sitting of an hour", Outcome.SILENT: "not read in it"})


def say(result: Result) -> str:
    """Say what the bars show, in one sentence."""
    files, lines = result.params.files, result.params.lines_per_file
    (first, again, _, read), weight = result.minutes.values(), result.weight
    return (
        f"{files} file{'s' * (files > 1)} of {lines} lines: the model writes every file twice, "
        f"{weight.source_tokens + weight.argument_tokens:,} tokens in {_time(first + again)}; "
        f"the owner reads {weight.lines:,} lines in {_time(read)}. {_sitting(read)}."
    )


def _time(minutes_: float) -> str:
    return f"{minutes_:.0f} min" if minutes_ >= 1 else f"{60 * minutes_:.0f} s"


def _sitting(read_min: float) -> str:
    if read_min <= SITTING_MIN:
        return "An hour is enough"
    return f"After an hour, {100 * (1 - SITTING_MIN / read_min):.0f}% is still unread"


def draw_files(ax: "Axes", result: Result) -> None:
    """Draw the tokens of the arguments against the number of files, measured and published."""
    own, printed = line_per_file("argument tokens")
    ax.plot(COUNTS, own, color=INK, linewidth=1.6, marker="o", markersize=6)
    for count, number_ in zip(COUNTS, printed, strict=True):
        published_point(ax, count, number_)
    for name, line, lift in (("this timer", own, -12), ("published", printed, 2)):
        at = COUNTS[-1], line[-1]
        ax.annotate(f"{name}: {line[-1]:,.0f}", at, (10, lift), textcoords="offset points")
    ax.set(xlim=(0, 28), ylim=(0, 16_000), xlabel="files, the component repeated", ylabel="argument tokens")
    ax.set_yticks([0, 5_000, 10_000, 15_000], ["0", "5,000", "10,000", "15,000"])
    headline(ax, f"Each further file adds {per_file(own):.0f} tokens", left=0.13, bottom=0.17)


def say_files(result: Result) -> str:
    """Say what the line shows, in one sentence."""
    (own_tokens, their_tokens), (own_bytes, their_bytes) = (
        [per_file(line) for line in line_per_file(name)] for name in ("argument tokens", "envelope bytes")
    )
    return (
        f"On a straight line, each further file adds {own_tokens:.0f} tokens to the arguments and "
        f"{own_bytes:,.0f} bytes to the envelope; of the published app, {their_tokens:.0f} tokens and "
        f"{their_bytes:,.0f} bytes."
    )


def ledger_row() -> LedgerRow:
    """Return this chapter's row: approval by name only, against the full code of a small app."""
    params = Params()
    result = measure(params)
    *_, read = result.minutes.values()
    written = result.weight.source_tokens + result.weight.argument_tokens
    return LedgerRow(
        chapter=CHAPTER,
        phrase="reviews and approves the full code",
        wrong=f"an app runs unread; a session proposes one of {params.files} files",
        # Without the code on the card there is nothing to read; with it, a sitting is long enough or not.
        without_per_100=100.0,
        with_per_100=100.0 * (read > SITTING_MIN),
        cost=f"{read:.0f} min of the owner's reading, and {written:,} tokens: every file is written twice",
    )
