"""Retries: the model is the store, the formula is the model, and the replay is the article."""

import itertools
import random
from dataclasses import replace

import numpy as np
import pytest

from osfhelpers.engine.client import Network, scripted
from osfhelpers.engine.keys import Event, new_key_per_call
from osfhelpers.engine.parameters import ParameterError
from osfhelpers.engine.store import Order
from osfhelpers.experiments import retries
from osfhelpers.measuring.comparison import compare
from osfhelpers.measuring.evidence import Key, published

LOSSES = 6
OTHER_SETTINGS = (
    retries.Params(calls=1, reply_loss=0.5),
    retries.Params(calls=10, reply_loss=0.0),
    retries.Params(calls=200, reply_loss=0.6),
    retries.Params(calls=33, reply_loss=0.1, request_loss=0.5),
    retries.Params(calls=50, reply_loss=0.9, request_loss=0.1),
)


def test_the_replay_returns_all_36_published_numbers():
    figures = published("retries")
    assert len(figures) == 36
    replayed = retries.replay()
    assert {figure.key: figure.value for figure in figures} == {
        figure.key: str(replayed[figure.key]) for figure in figures
    }


@pytest.mark.parametrize("params", [retries.Params(), *OTHER_SETTINGS])
def test_simulated_and_expected_lie_within_four_standard_errors(params):
    comparison = compare(retries, params)
    assert [row for row in comparison.rows if row.agrees is not True] == []
    assert {row.arm for row in comparison.rows} == {retries.arm_name(*arm) for arm in retries.ARMS}


@pytest.mark.parametrize("params", [retries.Params(), *OTHER_SETTINGS[1:]])
def test_the_standard_deviation_of_a_run_is_as_expected(params):
    result = retries.simulate(params, trials=20_000, rng=1)
    for key, exact in retries.expected(params).items():
        runs = getattr(result.outcomes[key.arm], key.measure)
        assert np.std(runs) == pytest.approx(exact.sd, rel=0.05, abs=1e-9), key


def outcome_on_the_store(order, policy, lost_replies, calls):
    """Play a pattern of lost replies on the real store, write by write."""
    settled = retries.deliver_all(
        order, policy, calls=calls, network=scripted(lost_replies), rng=random.Random(1)
    )
    return [(delivery.effects, delivery.calls, delivery.conflicts) for delivery in settled]


def lost_per_write(pattern, calls):
    """Split a pattern of replies (True is lost) into the losses of each write."""
    counts, replies = [], iter(pattern)
    for _ in range(calls):
        counts.append(sum(1 for _ in itertools.takewhile(bool, replies)))
    return np.array(counts)


def disagreements(settle=retries.settle, fate=retries.fate, policies=retries.POLICIES):
    """Yield every history on which a model and the store differ, whole outcome by whole outcome."""
    calls = 3
    for order, policy in retries.ARMS:
        for pattern in itertools.product([True, False], repeat=LOSSES):
            lost = lost_per_write(pattern, calls)
            settled = settle(fate(order, policy), np.ones(calls), lost, np.minimum(lost, 1))
            if list(zip(*settled, strict=True)) != outcome_on_the_store(
                order, policies[policy], pattern, calls
            ):
                yield order, policy, pattern


def test_the_model_equals_the_store_for_every_pattern_of_up_to_six_lost_replies():
    assert list(disagreements()) == []


def test_the_model_of_a_run_is_the_sum_over_its_writes():
    lost = np.array([0, 2, 1, 0])
    for fate in retries.Fate:
        each = retries.settle(fate, np.ones(4), lost, np.minimum(lost, 1))
        whole = retries.settle(fate, 4, lost.sum(), np.count_nonzero(lost))
        assert [part.sum() for part in each] == list(whole)


def fault_no_second_conflict(fate, writes, lost, hit):
    return retries.settle(fate, writes, np.minimum(lost, 1), hit)


def fault_conflicts_are_free(fate, writes, lost, hit):
    tabs, calls, conflicts = retries.settle(fate, writes, lost, hit)
    return tabs, calls - conflicts, conflicts


def fault_conflicts_not_counted(fate, writes, lost, hit):
    tabs, calls, conflicts = retries.settle(fate, writes, lost, hit)
    return tabs, calls, 0 * conflicts


@pytest.mark.parametrize(
    "fault", [fault_no_second_conflict, fault_conflicts_are_free, fault_conflicts_not_counted]
)
def test_a_fault_planted_in_the_model_is_caught(fault):
    assert next(disagreements(fault), None) is not None


def fault_orders_swapped(order, policy):
    return retries.fate(next(each for each in Order if each is not order), policy)


def fault_a_new_key_after_a_conflict_is_safe(order, policy):
    return retries.fate(order, "same key on retry" if policy == "new key after a conflict" else policy)


@pytest.mark.parametrize("fault", [fault_orders_swapped, fault_a_new_key_after_a_conflict_is_safe])
def test_a_fault_planted_in_the_table_of_fates_is_caught(fault):
    assert next(disagreements(fate=fault), None) is not None


def keeps_no_key(attempt):
    return attempt.fresh() if attempt.event is Event.NO_REPLY else attempt.previous or attempt.fresh()


@pytest.mark.parametrize("fault", [keeps_no_key, new_key_per_call])
def test_a_fault_planted_in_a_policy_is_caught(fault):
    policies = {**retries.POLICIES, "same key on retry": fault}
    assert next(disagreements(policies=policies), None) is not None


@pytest.mark.parametrize(("order", "policy"), retries.ARMS)
def test_lost_requests_cost_one_call_each_and_change_nothing_else(order, policy):
    for requests in itertools.product([True, False], repeat=4):
        for replies in itertools.product([True, False], repeat=3):
            losses = iter(requests)
            used = []

            def loses_request(losses=losses, used=used):
                used.append(next(losses, False))
                return used[-1]

            reply_losses = iter(replies)
            network = Network(lambda reply_losses=reply_losses: next(reply_losses, False), loses_request)
            [delivery] = retries.deliver_all(
                order, retries.POLICIES[policy], calls=1, network=network, rng=random.Random(1)
            )
            lost = lost_per_write(replies, 1)[0]
            tabs, sends, conflicts = retries.settle(retries.fate(order, policy), 1, lost, min(lost, 1))
            assert (delivery.effects, delivery.conflicts) == (tabs, conflicts)
            assert delivery.calls == sends + sum(used)


@pytest.mark.parametrize("request_loss", [0.0, 0.2])
def test_raising_a_loss_rate_never_lowers_the_calls_of_any_single_run(request_loss):
    rates = (0.0, 0.05, 0.1, 0.3, 0.5, 0.8)
    for calls in (1, 20):
        params = retries.Params(calls=calls, request_loss=request_loss)
        results = [retries.simulate(replace(params, reply_loss=rate), trials=500, rng=3) for rate in rates]
        more = retries.simulate(replace(params, reply_loss=0.8, request_loss=0.4), trials=500, rng=3)
        for lower, higher in itertools.pairwise([*results, more]):
            for arm, outcomes in lower.outcomes.items():
                assert np.all(outcomes.calls <= higher.outcomes[arm].calls)


def test_the_version_first_server_costs_1_plus_p_minus_p_squared_times_as_many_calls():
    for p in (0.05, 0.3, 0.7):
        exact = retries.expected(retries.Params(reply_loss=p))
        calls = [exact[Key(retries.arm_name(o, "same key on retry"), "calls")].value for o in Order]
        assert calls[1] / calls[0] == pytest.approx(1 + p - p**2)


@pytest.mark.parametrize(
    ("field", "value", "complaint"),
    [
        ("reply_loss", 1.2, "from 0 to 1, but it is 1.2"),
        ("reply_loss", -0.1, "from 0 to 1, but it is -0.1"),
        ("reply_loss", 1, "below 1, but it is 1"),
        ("reply_loss", float("nan"), "finite number, but it is nan"),
        ("request_loss", "a lot", "finite number, but it is 'a lot'"),
        ("calls", 0, "at least 1, but it is 0"),
        ("calls", 2.5, "whole number of at least 1, but it is 2.5"),
        ("calls", True, "whole number of at least 1, but it is True"),
    ],
)
def test_an_impossible_parameter_is_refused_by_name_and_value(field, value, complaint):
    with pytest.raises(ParameterError, match=f"{field} must be .*{complaint}"):
        retries.Params(**{field: value})


def test_zero_trials_are_refused():
    with pytest.raises(ParameterError, match="trials must be"):
        retries.simulate(retries.Params(), trials=0, rng=1)


def test_the_histories_show_one_lost_reply_under_each_combination():
    history = retries.one_lost_reply()
    tabs = {name: delivery.effects for name, delivery in history.variants.items()}
    assert len(tabs) == 6
    assert sorted(tabs.values()) == [1, 1, 1, 2, 2, 2]
    assert tabs["version first; new key after a conflict"] == 2
    assert "the reply is lost" in history.say({"variant": "key first; same key on retry", "sends": 1})
