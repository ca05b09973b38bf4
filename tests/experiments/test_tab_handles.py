"""Tab handles: the model is the store, the sums are the model, and chance explains the article."""

import itertools
import math
import time
import tracemalloc
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from osfhelpers.engine.note import Note
from osfhelpers.engine.parameters import ParameterError
from osfhelpers.experiments import tab_handles
from osfhelpers.measuring import comparison
from osfhelpers.measuring.comparison import compare, fit
from osfhelpers.measuring.evidence import Key, published
from osfhelpers.models.handles import HANDLES, Ending, see, write_by
from osfhelpers.models.strip_chances import endings
from osfhelpers.models.strip_edits import KINDS, Edit, carry_out, decks_of, new_note
from osfhelpers.models.strip_model import follow

Params = tab_handles.Params
OTHER_SETTINGS = (
    Params(decks=(1, 3), edits_at_most=3),
    Params(decks=(4,), drag=1.0, rename=0.0, add=0.0),
    Params(decks=(2, 3), edits_at_most=1, drag=0.0, rename=1.0, add=0.0, labels=3),
    Params(decks=(8,), drag=0.1, rename=0.2, add=0.3, labels=8),
    Params(decks=(1, 5), edits_at_most=0),
)
# K: position right, wrong, of it on a fixed tab; type right; label right, wrong, not found.
EXACT = {
    1: (0.855083, 0.144917, None, 0.993333, 0.763000, 0.008333, 0.228667),
    2: (0.835679, 0.164321, 0.0880, 0.498148, 0.856677, 0.022534, 0.120789),
    3: (0.829281, 0.170719, None, 0.332426, 0.891057, 0.026809, 0.082133),
    4: (0.827820, 0.172180, None, 0.249479, 0.908914, 0.028845, 0.062242),
    5: (0.828430, 0.171570, 0.0350, 0.199671, 0.919857, 0.030029, 0.050114),
}
# How many labels the person chooses from, in the histories that are played one by one.
LABELS = {1: 3, 2: 4, 3: 4}


def expected(params, decks, handle, measure):
    return tab_handles.expected(params)[Key(tab_handles.arm_name(decks, handle), measure)].value


# Every short history on the real store.


def every_edit(decks, labels):
    """Return every edit of a strip with so many decks."""
    places = range(decks + 3)
    return [
        *(Edit("drag", pick, put) for pick in places for put in places),
        *(Edit("rename", pick, put) for pick in range(decks) for put in range(labels)),
        *(Edit("add", 0, put) for put in range(labels)),
        Edit("save"),
    ]


def histories(decks, labels, most):
    """Yield every history of up to `most` edits."""
    yield ()
    if most:
        for edit in every_edit(decks, labels):
            for later in histories(decks + (edit.kind == "add"), labels, most - 1):
                yield (edit, *later)


def on_the_store(decks, history):
    """Return each deck's ending by each handle after one history, on a real Note."""
    note = new_note(decks)
    seen = [see(note, deck.tab_id) for deck in decks_of(note)]
    for edit in history:
        carry_out(edit, note)
    return [
        {name: write_by(HANDLES[name], one, on=note, key=f"{target}, by {name}").ending for name in HANDLES}
        for target, one in enumerate(seen)
    ]


def in_the_model(decks, labels, played):
    """Return the same from the vectorised model, for all histories at once."""
    cases = [(target, history) for history in played for target in range(decks)]
    turns = []
    for turn in range(max(map(len, played))):
        rows = [numbers(history, turn, decks, labels) for _, history in cases]
        kind, pick, put = map(np.array, zip(*rows, strict=True))
        turns.append((kind.astype(np.int8), pick, put))
    targets = np.array([target for target, _ in cases], dtype=np.int8)
    masks = follow(decks, labels, targets, turns)
    found = [{} for _ in cases]
    for (handle, ending), mask in masks.items():
        for case in np.flatnonzero(mask):
            assert handle not in found[case]
            found[case][handle] = ending
    return [found[i : i + decks] for i in range(0, len(found), decks)]


def numbers(history, turn, decks, labels):
    """Return one edit as the model takes it: its kind, and two numbers below 1."""
    edit = history[turn] if turn < len(history) else Edit("save")
    made = decks + sum(earlier.kind == "add" for earlier in history[:turn])
    tabs, puts = (made + 3, made + 3) if edit.kind == "drag" else (made, labels)
    return KINDS.index(edit.kind), (edit.pick + 0.5) / tabs, (edit.put + 0.5) / puts


@pytest.fixture(scope="module")
def stored():
    """Every history of up to two edits at K up to 3, with what the store made of it."""
    return {
        decks: {history: on_the_store(decks, history) for history in histories(decks, labels, 2)}
        for decks, labels in LABELS.items()
    }


@pytest.mark.parametrize("decks", LABELS)
def test_the_model_agrees_with_the_store_on_every_history_of_up_to_two_edits(stored, decks):
    played = list(stored[decks])
    assert in_the_model(decks, LABELS[decks], played) == [stored[decks][history] for history in played]


@pytest.mark.parametrize("decks", LABELS)
def test_the_exact_sums_are_the_average_over_every_history_on_the_store(stored, decks):
    by_kinds = {}
    for history, outcomes in stored[decks].items():
        made, chance = decks, 1.0
        for edit in history:
            alike = sum(other.kind == edit.kind for other in every_edit(made, LABELS[decks]))
            chance, made = chance / alike, made + (edit.kind == "add")
        kinds = tuple(edit.kind for edit in history if edit.kind != "save")
        found = by_kinds.setdefault((kinds, len(history)), Counter())
        for outcome in outcomes:
            for ending in outcome.items():
                found[ending] += chance / decks
    for (kinds, length), found in by_kinds.items():
        ways = math.comb(length, len(kinds))  # where among the edits the saves stand
        exact = endings(decks, LABELS[decks], kinds)
        assert {e: n / ways for e, n in found.items()} == pytest.approx(dict(exact), abs=1e-12)


def drags_one_too_far(self, tab_id, to):
    index = self._index(tab_id)
    self._tabs.insert(min(to + 1, len(self._tabs) - 1), self._tabs.pop(index))


def adds_in_front(self, tab_type="slides", label=""):
    tab_id = self._make_tab(tab_type, label, ())
    self._tabs.insert(0, self._tabs.pop())
    return tab_id


def renames_nothing(self, tab_id, label):
    pass


NOTE_FAULTS = {"drag": drags_one_too_far, "add": adds_in_front, "rename": renames_nothing}
HANDLE_FAULTS = {
    "position": lambda rows, seen: rows[max(seen.position - 1, 0)]["tab_id"],
    "type": lambda rows, seen: [row["tab_id"] for row in rows if row["type"] == "slides"][-1],
    "label": lambda rows, seen: next((r["tab_id"] for r in rows[::-1] if r["label"] == seen.label), None),
    "ID": lambda rows, seen: "slides",
}


@pytest.mark.parametrize("name", [*NOTE_FAULTS, *HANDLE_FAULTS])
def test_a_fault_planted_in_the_store_or_in_a_handle_is_caught(monkeypatch, name):
    played = list(histories(2, 4, 1))
    if name in NOTE_FAULTS:
        monkeypatch.setattr(Note, name, NOTE_FAULTS[name])
    else:
        monkeypatch.setitem(HANDLES, name, HANDLE_FAULTS[name])
    assert in_the_model(2, 4, played) != [on_the_store(2, history) for history in played]


# Exactly.


@pytest.mark.parametrize("decks", EXACT)
def test_the_exact_values_are_those_of_the_specification_to_six_digits(decks):
    params = Params(decks=(decks,))
    right, wrong, fixed, by_type, *by_label = EXACT[decks]
    assert expected(params, decks, "position", "right") == pytest.approx(100 * right, abs=5e-5)
    assert expected(params, decks, "position", "wrong deck") == pytest.approx(100 * wrong, abs=5e-5)
    if fixed is not None:
        assert expected(params, decks, "position", "on a fixed tab") == pytest.approx(100 * fixed, abs=5e-3)
    assert expected(params, decks, "type", "right") == pytest.approx(100 * by_type, abs=5e-5)
    for measure, share in zip(("right", "wrong deck", "not found"), by_label, strict=True):
        assert expected(params, decks, "label", measure) == pytest.approx(100 * share, abs=5e-5)
    assert expected(params, decks, "ID", "right") == 100


@pytest.mark.parametrize("decks", range(2, 6))
def test_the_type_is_right_as_often_as_its_formula_says(decks):
    formula = (1 - 4 / 30 / (decks + 4) ** 2) / decks
    assert expected(Params(decks=(decks,)), decks, "type", "right") == pytest.approx(100 * formula)


@pytest.mark.parametrize("decks", [1, 3, 5])
def test_a_drag_leaves_a_place_alone_as_often_as_the_chapter_says(decks):
    n = decks + 3
    formula = sum(1 + p**2 + (n - 1 - p) ** 2 for p in range(3, n)) / decks / n**2
    assert endings(decks, 5, ("drag",))["position", Ending.RIGHT] == pytest.approx(formula)


def test_each_handle_ends_somewhere_in_every_session():
    for params in (Params(), *OTHER_SETTINGS):
        for decks, handle in itertools.product(params.decks, HANDLES):
            ends = [expected(params, decks, handle, m) for m in ("right", "wrong deck", "not found")]
            assert sum(ends) == pytest.approx(100)


def test_more_drags_and_more_edits_make_a_position_worse():
    by_drag = [expected(Params(drag=drag), 5, "position", "right") for drag in (0.0, 0.1, 0.2, 0.3, 0.4)]
    by_edits = [expected(Params(edits_at_most=most), 5, "position", "right") for most in range(4)]
    assert by_drag[0] == by_edits[0] == 100
    assert by_drag == sorted(by_drag, reverse=True)
    assert by_edits == sorted(by_edits, reverse=True)


# Simulated.


@pytest.mark.parametrize("params", [Params(), *OTHER_SETTINGS])
def test_simulated_and_expected_lie_within_four_standard_errors(params):
    trials = 1_000_000 if params == Params() else 100_000
    rows = compare(tab_handles, params, trials=trials).rows
    assert [row for row in rows if row.agrees is not True] == []
    assert len(rows) == len(params.decks) * (3 * len(HANDLES) + 1)


def test_the_draws_depend_on_sizes_only():
    left = []
    for params in (Params(), Params(drag=0.0), Params(rename=0.0, add=0.1, labels=8)):
        rng = np.random.default_rng(1)
        tab_handles.simulate(params, trials=12_345, rng=rng)
        left.append(rng.random())
    assert len(set(left)) == 1


def test_without_edits_only_the_type_is_wrong():
    result = tab_handles.simulate(Params(edits_at_most=0), trials=1_000, rng=1)
    wrong = {key.arm for key, n in result.estimates.items() if key.measure == "wrong deck" and n.k}
    assert wrong == {"K = 2 / type", "K = 5 / type"}


def fastest(work, times=40):
    def once():
        start = time.perf_counter()
        work()
        return time.perf_counter() - start

    return min(once() for _ in range(times))


def test_a_simulation_takes_at_most_six_times_its_draws():
    taken = fastest(lambda: tab_handles.simulate(Params(), trials=10_000, rng=1))
    drawn = fastest(lambda: np.random.default_rng(1).random((8, 10_000)))
    assert taken / drawn < 6


def test_memory_does_not_grow_with_the_number_of_trials():
    peaks = []
    for trials in (20_000, 400_000):
        tracemalloc.start()
        tab_handles.simulate(Params(), trials=trials, rng=1)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 1.2 * peaks[0] < 10e6


# Published.


def test_all_24_published_cells_are_compared_and_agree():
    rows = [row for row in compare(tab_handles).rows if row.published is not None]
    assert len(rows) == len(published("tab_handles")) == 24
    assert all(row.agrees for row in rows)
    uncertain = [row for row in rows if row.z_published is not None]
    assert len(uncertain) == 14
    assert max(abs(row.z_published) for row in uncertain) < 2


def fits():
    result = tab_handles.simulate(Params(), trials=1_000, rng=1)
    return fit(tab_handles, result, trials=tab_handles.PUBLISHED_TRIALS)


def test_chance_explains_every_published_row():
    rows = fits()
    assert len(rows) == 8
    assert all(row.p >= 0.05 for row in rows)


@pytest.mark.parametrize(("measure", "shown"), [("right", "53.0"), ("not found", "0.1")])
def test_a_row_of_another_model_is_not_explained(monkeypatch, measure, shown):
    changed = {Key("K = 2 / type", measure, "seed 7"): shown}
    figures = [replace(f, value=changed.get(f.key, f.value)) for f in published("tab_handles")]
    monkeypatch.setattr(comparison, "published", lambda name: figures)
    [row] = [row for row in fits() if row.p < 0.001]
    assert row.arm == "K = 2 / type"


# On the real store.


def test_every_write_passes_the_version_check_the_wrong_ones_included():
    runs = tab_handles.sessions(Params(decks=(5,)), number=60, seed=7)
    assert all(run.passed_the_check == run.sent for run in runs)
    by_name = {run.handle: run for run in runs}
    assert by_name["type"].another_deck > 30
    assert by_name["position"].another_deck > 0
    assert by_name["ID"].right == 60
    assert by_name["label"].sent == 60 - by_name["label"].refused_or_not_found


def test_the_raw_type_is_refused_or_goes_by_type_as_the_option_says():
    for shortcut in (False, True):
        found = tab_handles.sessions(Params((3,)), number=40, seed=1, raw_type_shortcut=shortcut)
        runs = {run.handle: run for run in found}
        raw = runs.pop("“slides”, as the ID")
        assert raw.sent == 40
        assert replace(raw, handle="type") == runs["type"] if shortcut else raw.refused_or_not_found == 40


def test_a_run_on_the_store_lies_where_the_sums_say():
    for run in tab_handles.sessions(Params(), number=150, seed=3)[: len(HANDLES)]:
        exact = tab_handles.expected(Params())[Key(tab_handles.arm_name(2, run.handle), "right")]
        sd = exact.sd * math.sqrt(tab_handles.PUBLISHED_TRIALS / 150)
        assert abs(100 * run.right / 150 - exact.value) <= 4 * sd


# Told.


def test_the_sentence_tells_silent_damage_only():
    result = tab_handles.simulate(Params(), trials=1_000, rng=1)
    by_place = result.counts[2]["position", Ending.ANOTHER_DECK] / 10
    assert f"with K = 2 and 5: {by_place:.1f} and " in tab_handles.say(result)


def test_the_ledger_row_is_the_type_against_the_exact_id():
    row = tab_handles.ledger_row()
    assert (round(row.without_per_100, 1), row.with_per_100) == (50.2, 0)


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ({"decks": (0,)}, "decks must be a whole number from 1 to 5, but it is 0"),
        ({"decks": (6,)}, "decks must be a whole number from 1 to 5, but it is 6"),
        ({"decks": 2}, "decks must be a tuple such as .*, but it is 2"),
        ({"decks": ()}, "decks must be a tuple"),
        ({"edits_at_most": 4}, "edits_at_most must be a whole number from 0 to 3, but it is 4"),
        ({"drag": 1.5}, "drag must be a probability from 0 to 1, but it is 1.5"),
        ({"drag": 0.5}, "must not exceed 1 together, but they are 1.1"),
        ({"labels": 9}, "labels must be a whole number from 1 to 8, but it is 9"),
        ({"labels": 1}, "decks must be a whole number from 1 to 1, but it is 2"),
    ],
)
def test_a_setting_without_a_meaning_is_refused_by_name_and_value(given, named):
    with pytest.raises(ParameterError, match=named):
        Params(**given)
