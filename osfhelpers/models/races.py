"""What happens when two writers change one cell? Played on the real store.

An agent adds its amount to the cell B2 of a Sheet tab: it reads the cell and the version,
thinks, and writes the sum. A colleague adds to the same cell meanwhile. Two clients differ in
what they do after a conflict. No tool of the snapshot reads a cell, so the cell is read as
anyone with the Note open sees it.
"""

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from osfhelpers.drawing.figures import FAINT, INK, Outcome, headline
from osfhelpers.engine.calls import call
from osfhelpers.engine.note import Note
from osfhelpers.engine.parameters import Slider
from osfhelpers.engine.store import Answer, Conflict

if TYPE_CHECKING:
    from matplotlib.axes import Axes

AGENT, COLLEAGUE = "agent", "colleague"


class Cell:
    """The cell B2 of the budget in a Note that two principals may write to, and its conflicts."""

    def __init__(self, value: int = 0, *, check_version: bool = True) -> None:
        self.note = Note(check_version=check_version)
        for principal in (AGENT, COLLEAGUE):
            self.note.open_to(principal)
        self.tab_id = self.note.add("sheet", "Budget")
        self.conflicts: list[Conflict] = []
        self.write(self.note.version, value)

    def read(self, principal: str = AGENT) -> tuple[int, int]:
        """Return the version and then the value: a change in between makes the version the older one."""
        note = {"note_id": self.note.place_id}
        version = call("list_note_tabs", note, on=self.note, principal=principal)["version"]
        return version, self.note.tab(self.tab_id).cells["B2"]

    def write(self, version: int, value: int, principal: str = AGENT) -> Answer:
        """Write a value, saying which version it rests on."""
        arguments = {
            "note_id": self.note.place_id,
            "tab_id": self.tab_id,
            "expected_version": version,
            "idempotency_key": uuid4().hex,
            "operation": "sheet_range_set",
            "range": "B2",
            "values": [[value]],
        }
        answer = call("edit_note_tab", arguments, on=self.note, principal=principal)
        if isinstance(answer, Conflict):
            self.conflicts.append(answer)
        return answer

    def colleague_adds(self, amount: int = 1) -> None:
        """Let the colleague read and write in one go."""
        version, value = self.read(COLLEAGUE)
        self.write(version, value + amount, COLLEAGUE)


# The two clients. `think` is what happens between a client's read and its write.
Think = Callable[[], object]


def send_again(cell: Cell, amount: int, think: Think) -> None:
    """After a conflict, send the same value with the version from the answer."""
    version, value = cell.read()
    think()
    while isinstance(answer := cell.write(version, value + amount), Conflict):
        version = answer.current_version


def read_again(cell: Cell, amount: int, think: Think) -> None:
    """After a conflict, read the cell again and compute again."""
    while True:
        version, value = cell.read()
        think()
        if not isinstance(cell.write(version, value + amount), Conflict):
            return


# Per arm: whether the server checks the version, and the client.
ARMS: dict[str, tuple[bool, Callable[[Cell, int, Think], None]]] = {
    "no version check": (False, send_again),
    "check, sends the old value again": (True, send_again),
    "check, reads and computes again": (True, read_again),
}


@dataclass(frozen=True)
class Race:
    """What one update came to: the colleague's saves that it overwrote, its conflicts, its thinking."""

    lost: int
    conflicts: int
    thinks: int


def play(arm: str, gaps: Iterable[tuple[int, int]]) -> Race:
    """Let the agent make one update.

    Args:
        gaps: for each time the agent thinks, how often others save in this cell and elsewhere.
    """
    checked, client = ARMS[arm]
    cell, coming, thought = Cell(check_version=checked), iter(gaps), []

    def think() -> None:
        here, elsewhere = next(coming, (0, 0))
        thought.append(here)
        for _ in range(here):
            cell.colleague_adds()
        for _ in range(elsewhere):
            cell.note.save("the person types")

    client(cell, 1_000, think)
    return Race(1_000 + sum(thought) - cell.read()[1], len(cell.conflicts), len(thought))


@dataclass(frozen=True)
class Threads:
    """What two threads did to one cell, each adding 1 again and again."""

    client: str
    updates: int
    value_at_the_end: int
    updates_lost: int
    conflicts: int


def in_threads(rounds: int = 50) -> list[Threads]:
    """Let two threads add to one cell, for each arm.

    In each round both threads read before either writes, so that the totals are the same on
    every machine, whichever thread comes first.
    """
    return [_in_threads(arm, rounds) for arm in ARMS]


def _in_threads(arm: str, rounds: int) -> Threads:
    checked, client = ARMS[arm]
    cell, barrier = Cell(check_version=checked), threading.Barrier(2, timeout=30)

    def work() -> None:
        for _ in range(rounds):
            client(cell, 1, _once(barrier.wait))
            barrier.wait()

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    value = cell.read()[1]
    return Threads(arm, 2 * rounds, value, 2 * rounds - value, len(cell.conflicts))


def _once(act: Think) -> Think:
    """Return a function that acts when it is called for the first time, and then no more."""
    acts = iter([act])
    return lambda: next(acts, lambda: None)()


# One race, step by step.

START, AGENT_ADDS, COLLEAGUE_ADDS = 100, 5, 10


@dataclass(frozen=True)
class Step:
    """One step of a race: who, what they do, and the cell and version after it."""

    who: str
    does: str
    value: int
    version: int
    conflict: bool = False


@dataclass(frozen=True)
class Races:
    """The same race under each arm, stepped through."""

    title: str
    variants: Mapping[str, Sequence[Step]]
    height_px: int = 340

    @property
    def longest(self) -> int:
        return max(map(len, self.variants.values()))

    @property
    def sliders(self) -> tuple[Slider, ...]:
        return (
            Slider("variant", "server and client", tuple(self.variants)),
            Slider("steps", "steps so far", tuple(range(self.longest + 1))),
        )

    @property
    def start(self) -> dict[str, Any]:
        return {"variant": list(self.variants)[1], "steps": self.longest}

    def draw(self, ax: "Axes", state: Mapping[str, Any]) -> None:
        """Draw who did what so far, and what the cell holds after each step."""
        done = self._done(state)
        ax.set(xlim=(0, 1), ylim=(self.longest + 0.4, -1.0))
        ax.axis("off")
        headline(ax, _so_far(done), left=0.02, bottom=0.02, top=0.12)
        columns = {AGENT: (0, "left", "right"), COLLEAGUE: (1, "right", "left")}
        for who, (x, side, _) in columns.items():
            adds = AGENT_ADDS if who == AGENT else COLLEAGUE_ADDS
            ax.text(x, -0.6, f"{who}, adds {adds}", ha=side, va="center", fontweight="bold")
        ax.text(0.4, -0.6, "the Note", va="center", fontweight="bold")
        for row, step in enumerate(done):
            x, side, _ = columns[step.who]
            ax.text(x, row + 0.2, step.does, ha=side, va="center")
            tip, tail = (0.345, 0.285) if step.who == AGENT else (0.64, 0.70)
            look = (Outcome.LOUD if step.conflict else _colour(done[: row + 1])).value
            style = {"arrowstyle": "-|>", "color": INK, "linewidth": 1.5}
            ax.annotate("", xy=(tip, row + 0.2), xytext=(tail, row + 0.2), arrowprops=style)
            ax.plot(0.375, row + 0.2, marker=look.marker, markersize=9, color=look.colour)
            words = "conflict" if step.conflict else f"B2 = {step.value}"
            ax.text(0.4, row + 0.2, f"{words}, version {step.version}", va="center")
        ax.axhline(-0.25, color=FAINT, linewidth=0.8)

    def say(self, state: Mapping[str, Any]) -> str:
        """Say what happened so far, in one sentence."""
        done = self._done(state)
        steps = "; ".join(f"the {step.who} {step.does}" for step in done)
        return f"Variant: {state['variant']}. {_so_far(done)}{': ' + steps if steps else ''}."

    def _done(self, state: Mapping[str, Any]) -> Sequence[Step]:
        return self.variants[state["variant"]][: state["steps"]]


def _lost(done: Sequence[Step]) -> bool:
    return any(step.who == COLLEAGUE for step in done) and done[-1].value == START + AGENT_ADDS


def _colour(done: Sequence[Step]) -> Outcome:
    return Outcome.SILENT if _lost(done) else Outcome.RIGHT


def _so_far(done: Sequence[Step]) -> str:
    value = done[-1].value if done else START
    ending = ", and the colleague's 10 is gone" if _lost(done) else ""
    if value == START + AGENT_ADDS + COLLEAGUE_ADDS:
        ending = ", and nothing is lost"
    return f"After {len(done)} step{'' if len(done) == 1 else 's'}, B2 holds {value}{ending}"


def one_race() -> Races:
    """Return one race under each arm, from the real store."""
    return Races("Two writers, one cell", {arm: _steps(arm) for arm in ARMS})


def _steps(arm: str) -> list[Step]:
    checked, client = ARMS[arm]
    steps: list[Step] = []

    class Watched(Cell):
        def read(self, principal: str = AGENT) -> tuple[int, int]:
            version, value = super().read(principal)
            steps.append(Step(principal, f"reads {value}, version {version}", value, version))
            return version, value

        def write(self, version: int, value: int, principal: str = AGENT) -> Answer:
            answer = super().write(version, value, principal)
            held = self.note.tab(self.tab_id).cells["B2"]
            conflict = isinstance(answer, Conflict)
            does = f"writes {value} for version {version}"
            steps.append(Step(principal, does, held, self.note.version, conflict))
            return answer

    cell = Watched(START, check_version=checked)
    steps.clear()
    client(cell, AGENT_ADDS, _once(lambda: cell.colleague_adds(COLLEAGUE_ADDS)))
    return steps
