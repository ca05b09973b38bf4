"""What went over the network, and what did the server store? A sequence diagram.

Client and server are two lifelines, time runs downwards, and requests and replies are arrows
with their key and version. A lost message is a broken arrow that ends in a cross. What the
server has stored is marked at its lifeline, and grows in a column at the right.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from osfhelpers.drawing.figures import FAINT, INK, Outcome, headline
from osfhelpers.drawing.rendering import counted
from osfhelpers.engine.client import Delivery, Exchange
from osfhelpers.engine.parameters import Slider
from osfhelpers.engine.store import Conflict, Done

if TYPE_CHECKING:
    from matplotlib.axes import Axes

CLIENT_X, SERVER_X, MARK_X, STORE_X = 0.06, 0.565, 0.582, 0.66
ROW = 2.0


@dataclass(frozen=True)
class Words:
    """What a write is called in a diagram, what is chosen in it, and why a reply does not come."""

    tool: str
    makes: str
    where: str
    place: str
    result_id: str
    choice: str
    lost: str = "the reply is lost"


TABS = Words(
    "create_note_tab", "tab", "tabs in the Note", "the Note has no new tab", "tab_id", "server and client"
)
CARDS = Words(
    "propose_room_snippet_app",
    "card",
    "the owner's cards",
    "the owner has no card",
    "instance_id",
    "the client's key",
)


@dataclass(frozen=True)
class Sequences:
    """Several deliveries of the same write, each stepped through send by send."""

    title: str
    variants: Mapping[str, Delivery]
    words: Words = TABS

    @property
    def longest(self) -> int:
        """The most sends that any variant takes."""
        return max(delivery.calls for delivery in self.variants.values())

    @property
    def height_px(self) -> int:
        return 170 + 85 * self.longest

    @property
    def sliders(self) -> tuple[Slider, ...]:
        return (
            Slider("variant", self.words.choice, tuple(self.variants)),
            Slider("sends", "sends so far", tuple(range(self.longest + 1))),
        )

    @property
    def start(self) -> dict[str, Any]:
        return {"variant": list(self.variants)[-1], "sends": self.longest}

    def draw(self, ax: "Axes", state: Mapping[str, Any]) -> None:
        """Draw the first sends of one variant."""
        delivery = self.variants[state["variant"]]
        done = delivery.exchanges[: state["sends"]]
        ax.set(xlim=(0, 1), ylim=(ROW * self.longest + 0.6, -1.2))
        ax.axis("off")
        headline(ax, _headline(done, self.words), left=0.02, bottom=0.02)
        bottom = ROW * self.longest + 0.4
        for x, name in ((CLIENT_X, "client"), (SERVER_X, "server")):
            ax.plot([x, x], [-0.3, bottom], color=FAINT, linewidth=1)
            ax.text(x, -0.75, name, ha="center", va="center", fontweight="bold")
        ax.text(STORE_X, -0.75, self.words.where, va="center", fontweight="bold")
        stored = 0
        for row, exchange in enumerate(done):
            _draw_exchange(ax, ROW * row, exchange, self.words)
            if _took_effect(exchange):
                stored += 1
                outcome = Outcome.RIGHT if stored == 1 else Outcome.SILENT
                made = exchange.answer.result[self.words.result_id]
                _mark(ax, ROW * row + 0.77, made, outcome)

    def say(self, state: Mapping[str, Any]) -> str:
        """Say what happened so far, in one sentence."""
        delivery = self.variants[state["variant"]]
        done = delivery.exchanges[: state["sends"]]
        steps = "; ".join(f"send {n}: {_words(exchange, self.words)}" for n, exchange in enumerate(done, 1))
        variant = state["variant"][0].upper() + state["variant"][1:]
        return f"{variant}. {_headline(done, self.words)}{'. S' + steps[1:] if steps else ''}."


def _took_effect(exchange: Exchange) -> bool:
    return isinstance(exchange.answer, Done) and not exchange.answer.replayed


def _headline(done: Sequence[Exchange], words: Words) -> str:
    made = sum(map(_took_effect, done))
    if not done:
        return f"Before the first send, {words.place}"
    held = isinstance(done[-1].answer, Done) and not done[-1].reply_lost
    told = "and the client holds the last ID" if held else "and the client does not know"
    return f"After {counted(len(done), 'send')}: {counted(made, words.makes)}, {told}"


def _words(exchange: Exchange, words: Words) -> str:
    if exchange.answer is None:
        return "the request is lost"
    if isinstance(exchange.answer, Conflict):
        return f"conflict, the version is {exchange.answer.current_version}"
    what = "the first result again" if exchange.answer.replayed else f"a {words.makes} is made"
    return f"{what}, {words.lost}" if exchange.reply_lost else what


def _draw_exchange(ax: "Axes", top: float, exchange: Exchange, words: Words) -> None:
    label = f"{words.tool}   key {exchange.key.rpartition('-')[2][:4]}"
    if exchange.expected_version is not None:
        label += f"   version {exchange.expected_version}"
    _arrow(ax, top + 0.2, CLIENT_X, SERVER_X, label, lost=exchange.answer is None, colour=INK)
    if exchange.answer is None:
        return
    if isinstance(exchange.answer, Conflict):
        label, colour = f"conflict: version is {exchange.answer.current_version}", Outcome.LOUD.value.colour
    else:
        label = f"{words.makes} {exchange.answer.result[words.result_id]}"
        label = f"first result again: {label}" if exchange.answer.replayed else label
        colour = Outcome.RIGHT.value.colour
    label = f"{label} ({words.lost})" if exchange.reply_lost else label
    _arrow(ax, top + 1.1, SERVER_X, CLIENT_X, label, lost=exchange.reply_lost, colour=colour)


def _arrow(ax: "Axes", y: float, start: float, end: float, label: str, *, lost: bool, colour: str) -> None:
    stop = start + 0.62 * (end - start) if lost else end
    style = {"color": colour, "linewidth": 2, "shrinkA": 0, "shrinkB": 0}
    style |= {"arrowstyle": "-", "linestyle": (0, (4, 3))} if lost else {"arrowstyle": "-|>"}
    ax.annotate("", xy=(stop, y + 0.25), xytext=(start, y), arrowprops=style)
    if lost:
        cross = {"marker": "x", "markersize": 11, "markeredgewidth": 3}
        ax.plot(stop, y + 0.25, color=Outcome.SILENT.value.colour, **cross)
    ax.text((CLIENT_X + SERVER_X) / 2, y - 0.08, label, ha="center", va="bottom", fontsize=11)


def _mark(ax: "Axes", y: float, text: str, outcome: Outcome) -> None:
    look = outcome.value
    ax.plot(MARK_X, y, marker=look.marker, markersize=11, color=look.colour)
    ax.text(STORE_X, y, text if outcome is Outcome.RIGHT else f"{text} (extra)", va="center")
