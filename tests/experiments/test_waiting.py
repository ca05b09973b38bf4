"""Waiting for a person: the exact sums, the real Room, and the schedules that were found ahead."""

import importlib.util
import itertools
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from osfhelpers.engine.calls import call
from osfhelpers.engine.parameters import ParameterError
from osfhelpers.engine.room import Room
from osfhelpers.experiments import waiting
from osfhelpers.experiments.waiting import FEED, FEED_REVIEWS, OWN, Params, simulate
from osfhelpers.measuring.comparison import TOLERANCE_SE, compare
from osfhelpers.measuring.evidence import Count, Key, Quantile, published
from osfhelpers.models.frontier import above_best, above_best_percent, best_possible, fixed_family, law
from osfhelpers.models.polling import POLICIES, Schedule, hear, poll_times_s, wait
from osfhelpers.models.review_delay import Outlook, ReviewDelay, best_interval_s
from osfhelpers.models.review_minutes import review_minutes

SETTINGS = [
    Params(),
    Params(median_min=2.0, interval_s=120.0),
    Params(spread=2.0, interval_s=5.0),
    Params(median_min=30.0, spread=0.5),
    Params(budget_min=4.0),
    Params(reviews=50, median_min=0.3, spread=0.4, interval_s=7.5),
]


def test_the_replay_prints_every_published_digit():
    figures = published("waiting")
    assert len(figures) == 18
    assert set(waiting.replay()) == {figure.key for figure in figures}
    for figure in figures:
        assert figure.shows(waiting.replay()[figure.key]), figure


def test_the_published_p95_lies_three_standard_errors_low_and_nothing_else_does():
    distance = {(row.arm, row.measure): row.z_published for row in compare(waiting).rows}
    assert distance["backoff 10 s x2, cap 300 s", "lag p95"] == pytest.approx(-3.2, abs=0.05)
    assert sum(abs(z) > 2.1 for z in distance.values() if z is not None) == 1


@pytest.mark.parametrize("params", SETTINGS)
def test_simulated_and_exact_values_agree_within_four_standard_errors(params):
    exact = waiting.expected(params)
    found = simulate(params, trials=20_000, rng=7).estimates
    assert exact.keys() - found.keys() == {Key(waiting.DELAY, name) for name in ("p50", "p95")}
    for key, estimate in found.items():
        assert abs(estimate.value - exact[key].value) <= TOLERANCE_SE * estimate.standard_error, key


def test_the_exact_values_are_those_of_the_record():
    exact = waiting.expected(Params())
    known = {
        "calls, mean": (115.433, 19.651, 10.999, 6.148),
        "lag mean": (2.500, 14.996, 51.347, 120.440),
        "lag p50": (2.500, 14.993, 46.872, 104.663),
        "lag p95": (4.750, 28.500, 111.810, 280.125),
        "gave up": (21.30, 21.30, 21.20, 21.15),
    }
    for measure, values in known.items():
        for arm, value in zip(POLICIES, values, strict=True):
            assert exact[Key(arm, measure)].value == pytest.approx(value, abs=0.006)


def test_every_short_history_ends_in_the_room_as_the_vectorised_model_says():
    policies = [Schedule(5), Schedule(5, 2, 20), Schedule(10, 1.5), Schedule(40)]
    delays = [0.1, *np.arange(2.5, 62.5, 2.5), 1e6]
    for policy, budget_s in itertools.product(policies, (1, 30, 45)):
        times = poll_times_s(policy, budget_s)
        heard = hear(times, delays)
        for delay_s, one in zip(delays, heard, strict=True):
            model = wait(times, np.array([delay_s]))
            assert model.calls.tolist() == [one.calls]
            assert model.missed == (one.at_s is None)
            assert model.lags_s.tolist() == ([] if one.at_s is None else [one.at_s - delay_s])


def test_one_loop_over_the_event_feed_makes_the_calls_that_the_model_counts():
    times = poll_times_s(Schedule(10), 60)
    steps = (4.0, 10.0, 25.0, 70.0)
    for delays in itertools.product(steps, repeat=FEED_REVIEWS):
        room = Room()
        room.open_to("agent")
        pending = dict(zip(_propose(room, FEED_REVIEWS), delays, strict=True))
        approvals, cursor = [], "0"
        calls = 0
        for moment_s in times:
            calls += 1
            for instance_id in [each for each, delay_s in pending.items() if delay_s <= moment_s]:
                room.approve(instance_id)
                del pending[instance_id]
            asked = {"resource_type": "room", "resource_id": room.place_id, "cursor": cursor, "limit": 2}
            answer = call("poll_resource_events", asked, on=room)
            while answer["events"]:  # more than one page: drained at once, and nothing comes twice
                approvals += [e["instance_id"] for e in answer["events"] if e["event"] == "app approved"]
                answer = call("poll_resource_events", {**asked, "cursor": answer["cursor"]}, on=room)
            cursor = answer["cursor"]
            if len(approvals) == FEED_REVIEWS:
                break
        assert calls == wait(times, np.array([max(delays)])).calls[0]
        assert len(set(approvals)) == len(approvals) == sum(delay_s <= 60 for delay_s in delays)


def _propose(room, count):
    for number in range(count):
        proposal = {
            "room_id": room.place_id,
            "name": "Stand-up timer",
            "files": {"src/App.tsx": f"// {number}"},
            "idempotency_key": f"proposal-{number}",
        }
        yield call("propose_room_snippet_app", proposal, on=room).result["instance_id"]


def test_a_shorter_interval_never_hears_later_and_never_saves_a_call():
    slow, fast = (simulate(Params(interval_s=interval_s), trials=3_000, rng=5) for interval_s in (60.0, 15.0))
    assert (fast.waits[OWN].calls >= slow.waits[OWN].calls).all()
    assert fast.waits[OWN].lags_s.mean() < slow.waits[OWN].lags_s.mean()


def test_a_longer_median_never_takes_a_call_off_any_single_review():
    short, long = (simulate(Params(median_min=minutes), trials=3_000, rng=5) for minutes in (6.0, 15.0))
    for arm in (*POLICIES, OWN, FEED):
        assert (long.waits[arm].calls >= short.waits[arm].calls).all()


def test_for_the_calls_of_a_backoff_a_fixed_interval_hears_sooner():
    result = simulate(Params(), trials=40_000, rng=3)
    assert waiting.times_the_lag(result, waiting.BACKOFFS[0]) > 1.7
    assert waiting.times_the_lag(result, "fixed 30 s") == pytest.approx(1, abs=0.03)


def test_no_stored_schedule_is_beaten_by_the_law_or_by_any_fixed_interval():
    for minutes, spread in itertools.product((2.0, 6.0, 15.0, 30.0), (0.5, 1.0, 1.5, 2.0)):
        delay = ReviewDelay(60 * minutes, spread)
        best = best_possible(delay, 3600)
        assert len(best) == 8
        assert all(above_best_percent(law(price_s, delay), price_s, delay) > 0 for price_s in best)
        calls, lags_s = fixed_family(delay, 3600)
        for price_s, outlook in best.items():
            # The family's last poll may come later than the budget, so its missed reviews are fewer.
            assert outlook.cost_s(price_s) <= (price_s * calls + lags_s).min() * 1.0001


def test_at_the_published_setting_the_law_costs_at_most_three_per_cent_more_and_backoff_over_forty():
    delay = Params().delay
    prices_s = best_possible(delay, 3600)
    assert max(above_best_percent(law(price_s, delay), price_s, delay) for price_s in prices_s) < 3
    for policy in map(POLICIES.get, waiting.BACKOFFS):
        assert min(above_best_percent(policy, price_s, delay) for price_s in prices_s) > 40
    assert above_best(delay)[0].square_root_law.startswith("every ")
    assert len(above_best(delay)) == 8


def test_a_stored_schedule_is_what_its_script_finds():
    path = Path(__file__).parents[2] / "tools" / "best_schedules.py"
    spec = importlib.util.spec_from_file_location("best_schedules", path)
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    found = script.best_schedule_s(Params().delay, budget_s=3600, call_price_s=10)
    assert found == best_possible(Params().delay, 3600)[10].times_s.tolist()
    # Against every list of times on a coarse grid, which can be counted out.
    delay = ReviewDelay(4, 0.8)
    lists = (sorted({*some, 8}) for n in range(8) for some in itertools.combinations(range(1, 8), n))
    least = min(Outlook(times, delay).cost_s(1.0) for times in lists)
    best = script.best_schedule_s(delay, budget_s=8, call_price_s=1.0)
    assert Outlook(best, delay).cost_s(1.0) == pytest.approx(least)


def test_the_square_root_law_quadruples_the_price_to_double_the_wait():
    assert best_interval_s(450, 4) == pytest.approx(60)
    assert best_interval_s(450, 16) == pytest.approx(120)


@given(st.floats(0.5, 200), st.floats(1, 3), st.floats(1, 5), st.floats(0.1, 4_000))
def test_a_schedule_ends_at_its_first_poll_at_or_after_the_budget(first_s, factor, room, budget_s):
    times = poll_times_s(Schedule(first_s, factor, first_s * room), budget_s)
    assert times[-1] >= budget_s
    assert all(moment < budget_s for moment in times[:-1])
    gaps = np.diff([0, *times])
    assert gaps.max() <= first_s * room * (1 + 1e-9)


@pytest.mark.parametrize(
    ("wrong", "value"),
    [
        (lambda: Params(budget_min=0), "budget_min"),
        (lambda: Params(budget_min=1), "budget_min must be long enough .* but within 1 min it is 3.66%"),
        (lambda: Params(median_min=-3), "-3"),
        (lambda: Params(spread=0), "spread"),
        (lambda: Params(interval_s=math.nan), "nan"),
        (lambda: Params(reviews=0), "reviews"),
        (lambda: Params(median_min="six"), "six"),
        (lambda: Schedule(5, 0.9), "0.9"),
        (lambda: Schedule(5, math.inf), "inf"),
        (lambda: Schedule(60, 2, 30), "30"),
        (lambda: Params(interval_s=0.001).times_s, "20,000"),
        (lambda: poll_times_s(Schedule(1), 0), "budget_s"),
        (lambda: poll_times_s(lambda waited_s, last_s: -1, 60), "-1"),
        (lambda: simulate(Params(), trials=0, rng=1), "trials"),
        (lambda: above_best(ReviewDelay(123, 1)), "123"),
    ],
)
def test_an_impossible_value_is_refused_by_name(wrong, value):
    with pytest.raises(ValueError, match=value):
        wrong()


@pytest.mark.parametrize(
    ("pasted", "words"),
    [
        ("3 4 -5 6 7", "review 3 must be above 0"),
        ("3 4 five 6 7", "review 3 must be minutes such as 4 or 7.5, but it is 'five'"),
        ("3 4 0 6 7", "review 3"),
        ("3 4 inf 6 7", "review 3 must be a finite number"),
        ([3, 4, None, 6, 7], "review 3"),
        ([3, 4, True, 6, 7], "review 3"),
        ("3 4", "at least 5 reviews, but there are 2"),
        ("", "at least 5 reviews, but there are 0"),
        ("4 4 4 4 4", "no spread"),
    ],
)
def test_minutes_that_cannot_be_fitted_are_refused_with_their_place(pasted, words):
    with pytest.raises(ParameterError, match=words):
        review_minutes(pasted)


def test_the_fit_recovers_the_reviews_that_it_was_given():
    minutes = 6 * np.exp(np.random.default_rng(1).standard_normal(4_000))
    for pasted in (minutes, ", ".join(map(str, minutes)), "\n".join(map(str, minutes)) + "\n"):
        fit = review_minutes(pasted)
        assert fit.median_min == pytest.approx(6, rel=0.05)
        assert fit.spread == pytest.approx(1, rel=0.05)


def test_the_interval_of_a_quantile_covers_it_as_often_as_it_says():
    rng = np.random.default_rng(2)
    for p in (0.5, 0.95):
        covered = 0
        for _ in range(1_000):
            low, high = Quantile.of(rng.standard_exponential(200), p).interval()
            covered += low <= -math.log(1 - p) <= high
        assert covered == pytest.approx(950, abs=25)


def test_a_rare_event_that_was_not_seen_once_is_not_called_impossible():
    nothing = Count(0, 4_000, per=2_000)
    assert nothing.value == 0
    assert nothing.standard_error > 0
    assert Count(42, 4_000, per=2_000).value == pytest.approx(21)


def test_a_client_that_waits_for_a_push_never_hears():
    row = waiting.ledger_row()
    assert row.without_per_100 == 100
    assert 1 < row.with_per_100 < 1.1


def test_the_sentence_names_the_setting():
    params = replace(Params(), median_min=15.0, interval_s=60.0)
    assert "15 min" in waiting.say(simulate(params, trials=500, rng=1))
