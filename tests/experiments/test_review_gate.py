"""The gate: the model is the Room, the formula is the model, and the replay is the article."""

import itertools
import math
import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from osfhelpers.engine.client import MAX_SENDS, scripted
from osfhelpers.engine.keys import Attempt, Event, content_key
from osfhelpers.engine.parameters import ParameterError
from osfhelpers.experiments import review_gate
from osfhelpers.experiments.review_gate import CONTENT, LAUNCHER, POLICIES, RANDOM, Params
from osfhelpers.measuring.comparison import compare
from osfhelpers.measuring.evidence import Key, published
from osfhelpers.models import lost_messages
from osfhelpers.models.proposal_cases import FILES, cases
from osfhelpers.models.proposal_runs import lost_replies, propose_all

OTHER_SETTINGS = (
    Params(proposals=1, reply_loss=0.5),
    Params(proposals=30, reply_loss=0.0),
    Params(proposals=200, reply_loss=0.6, retries=1),
    Params(proposals=40, reply_loss=0.1, request_loss=0.5),
    Params(proposals=25, reply_loss=0.4, request_loss=0.3, retries=2),
    Params(proposals=50, reply_loss=0.3, request_loss=0.6, retries=0),
)


def test_the_replay_returns_all_8_published_numbers():
    replayed = review_gate.replay()
    assert {figure.key: figure.value for figure in published("review_gate")} == {
        key: str(value) for key, value in replayed.items()
    }
    assert len(replayed) == 8


@pytest.mark.parametrize("params", [Params(), *OTHER_SETTINGS])
def test_simulated_and_expected_lie_within_four_standard_errors(params):
    comparison = compare(review_gate, params)
    assert [row for row in comparison.rows if row.agrees is False] == []
    simulated = {row.measure for row in comparison.rows if row.agrees and row.simulated is not None}
    assert simulated == {"calls", "owner cards", "duplicates", "given up"}


@pytest.mark.parametrize("params", [Params(), *OTHER_SETTINGS])
def test_the_standard_deviation_of_a_run_is_as_expected(params):
    result = review_gate.simulate(params, trials=20_000 if params.proposals < 500 else 4_000, rng=1)
    for key, exact in review_gate.expected(params).items():
        if key.measure != LAUNCHER:
            assert np.std(result.runs[key]) == pytest.approx(exact.sd, rel=0.06, abs=1e-9), key


@pytest.mark.parametrize("params", OTHER_SETTINGS)
def test_the_exact_means_are_those_of_the_written_formulas(params):
    n, q, w = params.proposals, params.request_loss, 1 - params.request_loss
    last = 1 - (1 - params.reply_loss) * w
    k = math.inf if params.retries is None else params.retries
    exact = {key: expectation.value for key, expectation in review_gate.expected(params).items()}
    calls = n * (1 - last ** (k + 1)) / (1 - last)
    assert exact[Key(RANDOM, "calls")] == pytest.approx(calls)
    assert exact[Key(RANDOM, "owner cards")] == pytest.approx(calls * w)
    assert exact[Key(CONTENT, "owner cards")] == pytest.approx(n * (1 - q ** (k + 1)))


def test_the_published_74_duplicates_lie_nearly_three_standard_deviations_out():
    rows = {(row.arm, row.measure): row for row in compare(review_gate).rows}
    assert rows[RANDOM, "duplicates"].z_published == pytest.approx(2.87, abs=0.01)
    assert rows[CONTENT, "calls"].z_published == pytest.approx(0.59, abs=0.01)
    assert review_gate.expected(Params())[Key(RANDOM, "calls")].sd == pytest.approx(7.44, abs=0.005)


def sends(lost_requests, lost_replies_, retries):
    """Play a pattern of losses by hand: per proposal, how many sends, and how many of them arrive."""
    requests, replies = iter(lost_requests), iter(lost_replies_)
    for _ in range(2):
        sent = arrived = 0
        while sent <= retries:
            sent += 1
            if next(requests, False):
                continue
            arrived += 1
            if not next(replies, False):
                break
        yield sent, arrived


PATTERNS = tuple(itertools.product((False, True), repeat=4))


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("retries", [0, 1, 2, MAX_SENDS - 1])
def test_the_model_is_the_room_for_every_short_pattern_of_losses(policy, retries):
    for lost_requests, lost in itertools.product(PATTERNS, repeat=2):
        room, exchanges = propose_all(
            POLICIES[policy],
            proposals=2,
            network=scripted(lost, lost_requests),
            rng=random.Random(1),
            max_sends=retries + 1,
        )
        per_proposal = list(sends(lost_requests, lost, retries))
        assert [len(each) for each in exchanges] == [sent for sent, _ in per_proposal]
        sent, arrived = map(sum, zip(*per_proposal, strict=True))
        calls, cards, duplicates = review_gate.settle(
            policy, sent, arrived, sum(there > 0 for _, there in per_proposal)
        )
        codes = [app.code["src/App.tsx"] for app in room.pending]
        found = (sum(map(len, exchanges)), len(codes), len(codes) - len(set(codes)), len(room.launcher))
        assert found == (calls, cards, duplicates, 0), (lost_requests, lost)


def test_a_loss_rate_can_only_raise_the_calls_and_cards_of_any_single_run():
    before = None
    for loss in (0.0, 0.01, 0.05, 0.2, 0.5):
        runs = review_gate.simulate(Params(50, loss, retries=3), trials=500, rng=3).runs
        now = np.stack([runs[Key(RANDOM, measure)] for measure in review_gate.MEASURES])
        assert before is None or (now >= before).all()
        before = now


def test_another_retry_can_only_lower_the_number_of_proposals_given_up():
    before = None
    for retries in (0, 1, 2, 3, 5, None):
        params = Params(50, 0.3, 0.1, retries=retries)
        runs = review_gate.simulate(params, trials=500, rng=3).runs
        now = np.stack([runs[Key(RANDOM, "calls")], -runs[Key(RANDOM, "given up")]])
        assert before is None or (now >= before).all()
        before = now


def test_the_draws_depend_on_sizes_only():
    for params in (Params(20, 0.0), Params(20, 0.5, 0.3), Params(20, 0.1, retries=1)):
        rng = np.random.default_rng(5)
        review_gate.simulate(params, trials=100, rng=rng)
        fresh = np.random.default_rng(5)
        review_gate.simulate(Params(20), trials=100, rng=fresh)
        assert rng.random() == fresh.random()


def test_many_proposals_are_simulated_in_bounded_memory(monkeypatch):
    monkeypatch.setattr(lost_messages, "CHUNK", 64)
    params = Params(proposals=150, reply_loss=0.3, request_loss=0.2, retries=2)
    result = review_gate.simulate(params, trials=900, rng=2)
    assert compare_means(result) < 4


def compare_means(result):
    exact = review_gate.expected(result.params)
    distances = [
        abs(estimate.value - exact[key].value) / estimate.standard_error
        for key, estimate in result.estimates.items()
        if estimate.standard_error
    ]
    return max(distances)


def test_a_planted_fault_in_the_model_would_be_caught(monkeypatch):
    honest = review_gate.settle

    def every_card_is_distinct(policy, sent, arrived, seen):
        calls, cards, _ = honest(policy, sent, arrived, seen)
        return calls, cards, 0 * cards

    monkeypatch.setattr(review_gate, "settle", every_card_is_distinct)
    with pytest.raises(AssertionError):
        test_the_model_is_the_room_for_every_short_pattern_of_losses(RANDOM, 2)
    with pytest.raises(AssertionError):
        test_simulated_and_expected_lie_within_four_standard_errors(Params())


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"proposals": 0}, "proposals .* 0"),
        ({"proposals": 2.5}, "proposals .* 2.5"),
        ({"reply_loss": 1}, "reply_loss .* below 1"),
        ({"reply_loss": -0.1}, "reply_loss .* -0.1"),
        ({"request_loss": float("nan")}, "request_loss .* nan"),
        ({"retries": -1}, "retries .* -1"),
        ({"retries": True}, "retries .* True"),
    ],
)
def test_an_impossible_value_is_refused_by_name(change, words):
    with pytest.raises(ParameterError, match=words):
        replace(Params(), **change)


def key(**changes):
    intent = {"room_id": "team-room", "name": "Timer", "files": FILES, **changes}
    return content_key(Attempt(intent, Event.FIRST, None, str))


def test_a_content_key_has_the_published_shape():
    assert key().startswith("snip-")
    assert len(key()) == 37
    int(key()[5:], 16)


@given(st.permutations([("src/App.tsx", "é\n"), ("src/a.css", ""), ("ä/b.ts", "x"), ("z", "y")]))
def test_the_order_of_the_files_does_not_change_a_content_key(pairs):
    assert key(files=dict(pairs)) == key(files=dict(sorted(pairs)))


TEXTS = st.text(st.characters(codec="utf-8"), max_size=5)


@given(st.dictionaries(TEXTS, TEXTS, max_size=3), st.dictionaries(TEXTS, TEXTS, max_size=3))
def test_other_files_have_another_key_and_equal_files_the_same(one, other):
    assert (key(files=one) == key(files=other)) == (one == other)


def test_unicode_form_line_ends_name_and_room_change_a_content_key():
    spellings = [{"files": {"a": text}} for text in ("é\n", "e\u0301\n", "é\r\n", "é")]
    others = [{"name": "timer"}, {"room_id": "other-room"}, {"name": "Timer "}]
    assert len({key(**each) for each in (*spellings, *others, {})}) == 8


def test_a_boundary_between_name_and_files_cannot_be_moved():
    assert key(name="a", files={"b": "c"}) != key(name="ab", files={"": "c"})


def test_each_case_is_answered_as_its_ground_says():
    assert [case.answer for case in cases()] == [
        *["the first: awaiting review"] * 2,
        *["a new card"] * 4,
        "the first: declined",
        "the first: in the launcher",
        *["a new card"] * 2,
        "the first: awaiting review",
    ]


def test_only_a_key_from_the_content_survives_a_restart():
    cards = {name: delivery.effects for name, delivery in lost_replies().variants.items()}
    assert cards == {
        "a key from the content, and the client restarts": 1,
        "one random key, kept": 1,
        "one random key, and the client restarts": 2,
        "a new key per attempt": 2,
    }


def test_the_ledger_row_sets_every_proposal_against_none():
    row = review_gate.ledger_row()
    assert (row.without_per_100, row.with_per_100) == (100, 0)
    assert "105 where a retry carries a new key" in row.cost


@pytest.mark.parametrize("params", [Params(), Params(10, 0.5, 0.2, 1)])
def test_what_is_said_holds_the_numbers_of_the_result(params):
    result = review_gate.simulate(params, trials=300, rng=1)
    assert f"{result.estimates[Key(RANDOM, 'owner cards')].value:,.1f} cards" in review_gate.say(result)
    assert ("published run left 74" in review_gate.say_runs(result)) == (params == Params())
