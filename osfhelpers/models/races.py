"""What happens when two writers change one cell? Played on the real store.

An agent adds its amount to the cell B2 of a Sheet tab: it reads the cell and the version,
thinks, and writes the sum. A colleague adds to the same cell meanwhile. Two clients differ in
what they do after a conflict. No tool of the snapshot reads a cell, so the cell is read as
anyone with the Note open sees it.
"""

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from threading import Barrier
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from osfhelpers.drawing.figures import FAINT, Outcome, headline
from osfhelpers.drawing.history import History
from osfhelpers.engine.calls import call
from osfhelpers.engine.note import Note
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
    """What updates came to: the saves of others overwritten, conflicts, thinking; numbers or arrays."""

    lost: Any
    conflicts: Any
    thinks: Any


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
    cell, barrier = Cell(check_version=checked), Barrier(2, timeout=30)

    def work(thread: int) -> None:
        for _ in range(rounds):
            client(cell, 1, _once(barrier.wait))
            barrier.wait()

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(work, range(2)))
    value = cell.read()[1]
    return Threads(arm, 2 * rounds, value, 2 * rounds - value, len(cell.conflicts))


def _once(act: Think) -> Think:
    """Return a function that acts when it is called for the first time, and then no more."""
    acts = iter([act])
    return lambda: next(acts, lambda: None)()


# One race, step by step.

START, AGENT_ADDS, COLLEAGUE_ADDS = 100, 5, 10
LANES = {AGENT: (0, f"agent: +{AGENT_ADDS}"), COLLEAGUE: (0.2, f"colleague: +{COLLEAGUE_ADDS}")}
# All columns lie in the left half, which is what a phone shows of a figure.
NOTE_X = 0.42


@dataclass(frozen=True)
class Step:
    """One step of a race: who does what, naming which version, and the cell and version after it."""

    who: str
    does: str
    named: int
    value: int
    version: int
    outcome: Outcome


class Races(History):
    """The same race under each arm: who did what, and what the cell held after it."""

    choice, counted, height_px = "server and client", "steps so far", 340

    def draw_steps(self, ax: "Axes", done: Sequence[Step]) -> None:
        """Draw one row per step."""
        ax.set(xlim=(0, 1), ylim=(self.longest + 0.2, -1.0))
        ax.axis("off")
        headline(ax, _so_far(done), left=0.02, bottom=0.02)
        for x, words in (*LANES.values(), (NOTE_X, "B2, version")):
            ax.text(x, -0.6, words, va="center", fontweight="bold")
        ax.axhline(-0.25, color=FAINT, linewidth=0.8)
        for row, step in enumerate(done):
            y, look = row + 0.2, step.outcome.value
            ax.text(LANES[step.who][0], y, f"{step.does} at v{step.named}", va="center")
            ax.plot(NOTE_X + 0.015, y, marker=look.marker, markersize=9, color=look.colour)
            held = "conflict" if step.outcome is Outcome.LOUD else f"{step.value}"
            ax.text(NOTE_X + 0.04, y, f"{held}, v{step.version}", va="center")

    def say_steps(self, variant: str, done: Sequence[Step]) -> str:
        """Say who did what."""
        steps = "; ".join(f"the {step.who} {step.does} at v{step.named}" for step in done)
        return f"{variant[0].upper()}{variant[1:]}. {_so_far(done)}{f': {steps}' if steps else ''}."


def _so_far(done: Sequence[Step]) -> str:
    value = done[-1].value if done else START
    if value == START + AGENT_ADDS + COLLEAGUE_ADDS:
        return f"B2 holds {value}, and that is right"
    lost = done and done[-1].outcome is Outcome.SILENT
    return f"B2 holds {value}, and {COLLEAGUE_ADDS} is lost" if lost else f"B2 holds {value}"


def one_race() -> Races:
    """Return one race under each arm, from the real store; the one to look at first comes first."""
    unchecked, resent, read_again = ARMS
    return Races("Two writers, one cell.", {arm: _steps(arm) for arm in (resent, unchecked, read_again)})


def _steps(arm: str) -> list[Step]:
    checked, client = ARMS[arm]
    steps: list[Step] = []

    class Watched(Cell):
        def read(self, principal: str = AGENT) -> tuple[int, int]:
            version, value = super().read(principal)
            steps.append(Step(principal, f"reads {value}", version, value, version, Outcome.RIGHT))
            return version, value

        def write(self, version: int, value: int, principal: str = AGENT) -> Answer:
            answer = super().write(version, value, principal)
            held = self.note.tab(self.tab_id).cells["B2"]
            # All amounts are positive: a write that lowers the cell has overwritten a save.
            outcome = Outcome.SILENT if steps and held < steps[-1].value else Outcome.RIGHT
            outcome = Outcome.LOUD if isinstance(answer, Conflict) else outcome
            steps.append(Step(principal, f"writes {value}", version, held, self.note.version, outcome))
            return answer

    cell = Watched(START, check_version=checked)
    steps.clear()
    client(cell, AGENT_ADDS, _once(lambda: cell.colleague_adds(COLLEAGUE_ADDS)))
    return steps
