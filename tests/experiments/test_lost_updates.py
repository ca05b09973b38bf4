"""Lost updates: the model is the store, the formula is the model, and every conflict is a save kept."""

import itertools
import threading
from dataclasses import asdict, fields, replace

import numpy as np
import pytest

from osfhelpers.engine.calls import call
from osfhelpers.engine.note import Note
from osfhelpers.engine.parameters import ParameterError
from osfhelpers.engine.store import Conflict, Done, Order
from osfhelpers.experiments import lost_updates
from osfhelpers.experiments.lost_updates import LOSE, MEET, READ_AGAIN, RESENT, UNCHECKED, Params
from osfhelpers.measuring.comparison import compare
from osfhelpers.measuring.evidence import Key, published
from osfhelpers.models import races

OTHER_SETTINGS = (
    Params(writers=3, think_s=30),
    Params(writers=5, think_s=60),
    Params(writers=2, think_s=1, save_every_s=600),
    Params(writers=4, think_s=20, same_cell=0.25),
    Params(writers=2, think_s=120, save_every_s=90, same_cell=0),
)


def test_nothing_is_published_and_the_comparison_works_all_the_same():
    assert published("lost_updates") == ()
    comparison = compare(lost_updates)
    assert comparison.agrees
    assert {(row.published, row.replayed, row.z_published) for row in comparison.rows} == {(None, None, None)}


@pytest.mark.parametrize("params", [Params(), *OTHER_SETTINGS])
def test_simulated_and_expected_lie_within_four_standard_errors(params):
    rows = compare(lost_updates, params, trials=20_000).rows
    assert [row for row in rows if row.agrees is not True] == []
    assert len(rows) == 12


def disagreements(settle):
    """Yield every short history on which a model and the store differ, whole outcome by whole outcome."""
    gaps = ((0, 0), (1, 0), (0, 1), (2, 1))
    for length in (1, 2, 3):
        for history in itertools.product(gaps, repeat=length):
            stale = sum(1 for _ in itertools.takewhile(any, history))
            for arm in races.ARMS:
                one = settle(arm, np.array([history[0][0]]), np.array([stale]))
                modelled = {field.name: getattr(one, field.name)[0] for field in fields(one)}
                if modelled != asdict(races.play(arm, history)):
                    yield arm, history


def test_the_model_equals_the_store_for_every_short_history():
    assert list(disagreements(lost_updates.settle)) == []


FAULTS = {
    "the check alone saves the other's change": lambda arm, one: (
        {"lost": 0 * one.lost} if arm == RESENT else {}
    ),
    "a conflict is reported without a check": lambda arm, one: (
        {"conflicts": one.conflicts + (one.lost > 0)} if arm == UNCHECKED else {}
    ),
    "a second read never meets a conflict": lambda arm, one: {"conflicts": np.minimum(one.conflicts, 1)},
    "thinking again takes no time": lambda arm, one: {"thinks": np.ones_like(one.thinks)},
    "at most one save is lost": lambda arm, one: {"lost": np.minimum(one.lost, 1)},
}


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_a_fault_planted_in_the_model_is_caught(fault):
    def settle(arm, saved, stale):
        one = lost_updates.settle(arm, saved, stale)
        return replace(one, **fault(arm, one))

    assert next(disagreements(settle), None) is not None


def test_an_update_is_lost_only_where_the_check_would_have_said_conflict():
    for same_cell in (1, 0.5, 0.1):
        params = Params(writers=3, think_s=30, same_cell=same_cell)
        outcomes = lost_updates.simulate(params, trials=20_000, rng=2).outcomes
        lost, conflict = outcomes[UNCHECKED].lost > 0, outcomes[READ_AGAIN].conflicts > 0
        assert (lost <= conflict).all()
        assert (lost == conflict).all() == (same_cell == 1)


def test_more_writers_longer_thinking_and_more_saves_never_spare_an_update():
    settings = [Params(), Params(writers=4), Params(writers=4, think_s=20), Params(4, 20, 30)]
    results = [lost_updates.simulate(params, trials=5_000, rng=4) for params in settings]
    for calm, busy in itertools.pairwise(results):
        for arm in races.ARMS:
            for field in fields(calm.outcomes[arm]):
                less, more = (getattr(result.outcomes[arm], field.name) for result in (calm, busy))
                assert (less <= more).all(), (arm, field.name)


def test_only_the_saves_in_a_gap_matter_to_the_law():
    same = [Params(5, 15, 60), Params(2, 60, 60), Params(3, 15, 30)]
    shares = [lost_updates.expected(params)[Key(READ_AGAIN, MEET)] for params in same]
    assert [params.saves for params in same] == [1, 1, 1]
    assert shares[0] == shares[1] == shares[2]
    assert shares[0].value == pytest.approx(63.2, abs=0.1)


def test_the_number_of_draws_depends_on_sizes_only():
    states = []
    for params in (Params(), Params(writers=9), Params(think_s=40, same_cell=0.3)):
        rng = np.random.default_rng(1)
        lost_updates.simulate(params, trials=100, rng=rng)
        states.append(rng.bit_generator.state)
    assert states[0] == states[1] == states[2]


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ({"writers": 1}, "1"),
        ({"writers": 2.5}, "2.5"),
        ({"think_s": 0}, "0"),
        ({"think_s": 1_000}, "1000"),
        ({"save_every_s": -60}, "-60"),
        ({"same_cell": 1.5}, "1.5"),
        ({"same_cell": float("nan")}, "nan"),
    ],
)
def test_an_impossible_setting_is_refused_with_its_value(wrong, named):
    with pytest.raises(ParameterError, match=f"{next(iter(wrong))}.*{named}"):
        Params(**wrong)


def test_two_threads_in_step_lose_every_second_update_unless_they_read_again():
    unchecked, resent, read_again = races.in_threads(rounds=20)
    assert (unchecked.value_at_the_end, unchecked.updates_lost, unchecked.conflicts) == (20, 20, 0)
    assert (resent.value_at_the_end, resent.updates_lost, resent.conflicts) == (20, 20, 20)
    assert (read_again.value_at_the_end, read_again.updates_lost, read_again.conflicts) == (40, 0, 20)


def test_four_threads_out_of_step_lose_nothing_when_they_read_again():
    cell = races.Cell()

    def work():
        for _ in range(15):
            races.read_again(cell, 1, lambda: None)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert cell.read()[1] == 60


def test_a_store_without_the_check_takes_any_version():
    checked, unchecked = races.Cell(), races.Cell(check_version=False)
    assert isinstance(checked.write(1, 7), Conflict)
    assert isinstance(unchecked.write(1, 7), Done)
    assert (checked.read()[1], unchecked.read()[1]) == (0, 7)


@pytest.mark.parametrize("order", Order)
def test_a_store_without_the_check_still_knows_its_keys(order):
    note = Note(check_version=False, order=order)
    note.open_to("agent")
    sent = {"note_id": note.place_id, "expected_version": 1, "idempotency_key": "deck-2026-q3"}
    first, again = (call("create_note_tab", {**sent, "tab_type": "slides"}, on=note) for _ in range(2))
    assert (first.replayed, again.replayed) == (False, True)
    assert first.result == again.result


def test_the_race_under_each_arm_ends_as_its_arm_promises():
    ends = {arm: steps[-1].value for arm, steps in races.one_race().variants.items()}
    assert ends == {UNCHECKED: 105, RESENT: 105, READ_AGAIN: 115}


def test_the_ledger_row_is_the_expectation():
    row = lost_updates.ledger_row()
    exact = lost_updates.expected(Params())
    assert row.without_per_100 == exact[Key(UNCHECKED, LOSE)].value
    assert row.with_per_100 == 0
