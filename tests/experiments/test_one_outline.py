"""One outline: the model is the store, the formula is the model, and the replay is the article."""

import itertools
import json
from dataclasses import fields, replace
from functools import cache

import numpy as np
import pytest

from osfhelpers.engine.calls import call
from osfhelpers.engine.parameters import ParameterError
from osfhelpers.engine.refusals import InvalidArguments
from osfhelpers.experiments import one_outline
from osfhelpers.experiments.one_outline import Params
from osfhelpers.measuring.comparison import compare
from osfhelpers.measuring.evidence import Key, published
from osfhelpers.models import decks, paging
from osfhelpers.models.big_calls import WritingSpeeds

PUBLISHED_WAYS = decks.ways(12)
OTHER_SETTINGS = (
    Params(slides=1, save_every_s=20),
    Params(slides=6, save_every_s=30, write_slide_s=5),
    Params(slides=21, save_every_s=60, write_slide_s=2),
    Params(slides=40, save_every_s=600, write_slide_s=1),
    Params(slides=20, save_every_s=45, gap_s=12),
)


def test_the_replay_returns_every_published_figure_but_the_bytes():
    printed = {figure.key: figure for figure in published("one_outline")}
    replayed = one_outline.replay()
    assert printed.keys() - replayed.keys() == {Key(arm, "request bytes") for arm in PUBLISHED_WAYS}
    assert all(printed[key].shows(found) for key, found in replayed.items())


def test_bytes_are_shown_beside_the_published_ones_and_judged_by_nobody():
    rows = {row.arm: row for row in compare(one_outline).rows if row.measure == "request bytes"}
    assert [row.published for row in rows.values()] == [1673, 5237]
    assert {row.agrees for row in rows.values()} == {None}
    assert {(row.replayed, row.expected) for row in rows.values()} == {(None, None)}
    few, many = (row.measured for row in rows.values())
    assert few < many
    assert round(many / few, 1) == round(5237 / 1673, 1) == 3.1


@pytest.mark.parametrize("params", [Params(), *OTHER_SETTINGS])
def test_simulated_and_expected_lie_within_four_standard_errors(params):
    rows = [row for row in compare(one_outline, params).rows if row.measure != "request bytes"]
    assert [row for row in rows if row.agrees is not True] == []
    assert {row.arm for row in rows} >= decks.ways(params.slides).keys()


@cache
def outcome_on_the_store(params, per_call, met):
    """Play one history on the real store: how many saves meet each call before it succeeds."""
    saves = [save for count in met for save in [True] * count + [False]]
    built = decks.build(per_call, saves=saves)
    stopped = decks.build(per_call, saves=saves, max_sends=1)
    settled = iter(per_call)
    seconds, conflicts_of, call_s = 0.0, [0], params.gap_s + params.write_slide_s * next(settled)
    for send in built.sends:
        seconds += call_s
        if send.conflict:
            conflicts_of[-1] += 1
        else:
            conflicts_of.append(0)
            call_s = params.gap_s + params.write_slide_s * next(settled, 0)
    assert built.slides == sum(per_call)
    return {
        "conflicts": sum(1 for count in conflicts_of if count),
        "bytes_again": sum(send.request_bytes for send in built.sends if send.conflict),
        "seconds": seconds,
        "whole": stopped.finished,
        "nothing": len(stopped.note.tabs) == 3,
    }


def histories():
    """Yield short histories: 21 slides in two outlines, and two slides one by one."""
    for per_call in (decks.ways(21)[decks.OUTLINE], (0, 1, 1)):
        for met in itertools.product(range(3), repeat=len(per_call)):
            yield per_call, met


def disagreements(settle):
    """Yield every history on which a model and the store differ, whole outcome by whole outcome."""
    params = Params(write_slide_s=3)
    for per_call, met in histories():
        modelled = settle(per_call, params.gaps_s(per_call), np.array([met]))
        found = {field.name: getattr(modelled, field.name)[0] for field in fields(modelled)}
        if found != outcome_on_the_store(params, per_call, met):
            yield per_call, met


def test_the_model_equals_the_store_for_every_short_history():
    assert list(disagreements(one_outline.settle)) == []


FAULTS = {
    "one conflict per deck is counted": lambda one, free: {"conflicts": np.minimum(one.conflicts, 1)},
    "a retry sends nothing": lambda one, free: {"bytes_again": free.bytes_again},
    "a conflict costs no time": lambda one, free: {"seconds": free.seconds},
    "any conflict leaves nothing": lambda one, free: {"nothing": ~one.whole},
    "the first write decides": lambda one, free: {"whole": ~one.nothing},
}


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_a_fault_planted_in_the_model_is_caught(fault):
    def settle(per_call, gaps_s, met):
        one, free = (one_outline.settle(per_call, gaps_s, each) for each in (met, 0 * met))
        return replace(one, **fault(one, free))

    assert next(disagreements(settle), None) is not None


def test_a_conflict_between_two_calls_leaves_the_first_twenty_slides():
    stopped = decks.build(decks.ways(21)[decks.OUTLINE], saves=[False, True], max_sends=1)
    assert (stopped.slides, stopped.finished) == (20, False)
    whole = decks.build(decks.ways(21)[decks.OUTLINE], saves=[False, True])
    assert (whole.slides, whole.finished, whole.conflicts) == (21, True, 1)


def test_the_schema_refuses_the_21st_slide_in_one_call():
    with pytest.raises(InvalidArguments):
        decks.build([21])


def test_the_deck_arrives_in_order_by_either_way():
    strips = [decks.build(per_call).note.tabs[-1].slides for per_call in decks.ways(25).values()]
    assert strips[0] == strips[1]
    assert [slide.title for slide in strips[0]] == [slide["title"] for slide in decks.deck(25)]


def test_request_bytes_are_those_of_the_json_rpc_text():
    [send] = decks.build([1]).sends
    arguments = {
        "note_id": "q3-review",
        "tab_type": "slides",
        "label": "Q3 review",
        "slides": decks.deck(1),
        "expected_version": 1,
        "idempotency_key": f"{1:032x}",
    }
    request = {"jsonrpc": "2.0", "id": 1, "method": "tools/call"}
    request["params"] = {"name": "create_note_tab", "arguments": arguments}
    assert send.request_bytes == len(json.dumps(request, separators=(",", ":")))


def test_more_saves_never_spare_a_single_deck_a_conflict():
    results = [one_outline.simulate(Params(save_every_s=s), trials=2_000, rng=3) for s in (600, 60, 20, 2)]
    for calm, busy in itertools.pairwise(results):
        for arm in PUBLISHED_WAYS:
            assert (calm.outcomes[arm].conflicts <= busy.outcomes[arm].conflicts).all()
            assert (calm.outcomes[arm].seconds <= busy.outcomes[arm].seconds).all()


def test_the_number_of_draws_depends_on_sizes_only():
    states = []
    for params in (Params(), Params(save_every_s=5), Params(write_slide_s=9, gap_s=1)):
        rng = np.random.default_rng(1)
        one_outline.simulate(params, trials=100, rng=rng)
        states.append(rng.bit_generator.state)
    assert states[0] == states[1] == states[2]


def test_a_big_call_wins_while_writing_is_fast_and_loses_when_it_is_slow():
    turn_s = WritingSpeeds().turn_s
    assert 3 < turn_s < 5
    for write_slide_s, big_wins in ((0, True), (turn_s - 0.1, True), (turn_s, False), (6, False)):
        exact = one_outline.expected(Params(write_slide_s=write_slide_s))
        big, small = (exact[Key(arm, "seconds until done")].value for arm in PUBLISHED_WAYS)
        assert (big <= small) == big_wins
    assert WritingSpeeds(save_every_s=100_000).turn_s == float("inf")


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ({"slides": 0}, "0"),
        ({"slides": 1.5}, "1.5"),
        ({"save_every_s": 0}, "0"),
        ({"gap_s": -1}, "-1"),
        ({"write_slide_s": -2}, "-2"),
        ({"gap_s": float("nan")}, "nan"),
        ({"save_every_s": 0.5}, "0.5"),
    ],
)
def test_an_impossible_setting_is_refused_with_its_value(wrong, named):
    with pytest.raises(ParameterError, match=f"{next(iter(wrong))}.*{named}"):
        Params(**wrong)


def test_the_ledger_row_is_the_expectation():
    exact = one_outline.expected(Params())
    row = one_outline.ledger_row()
    assert row.with_per_100 == 0
    assert (
        row.without_per_100 == 100 * exact[Key("empty create + 12 x slide_add", one_outline.UNFINISHED)].value
    )


def test_an_offset_into_newest_first_repeats_one_row_and_misses_the_new_one():
    cursor, oldest, newest = paging.readings()
    assert (cursor.calls, cursor.repeated, cursor.missed) == (3, "none", "none")
    assert (oldest.repeated, oldest.missed) == ("none", "none")
    assert (newest.repeated, newest.missed) == ("source-71", "source-121")


@pytest.mark.parametrize(("sources", "calls"), [(0, 1), (1, 1), (50, 1), (51, 2), (100, 2), (101, 3)])
def test_the_cursor_gives_every_source_once(sources, calls):
    note = paging.note_with_sources(sources)
    pages = list(paging.by_cursor(note))
    assert len(pages) == calls
    assert [each for page in pages for each in page] == [row.source_id for row in note.sources]


def test_a_limit_above_the_cap_is_refused():
    note = paging.note_with_sources(1)
    with pytest.raises(InvalidArguments):
        call("list_note_attachments", {"note_id": note.place_id, "kind": "sources", "limit": 100}, on=note)
