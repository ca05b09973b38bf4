"""An estimate keeps its counts, and a comparison says which of its four answers disagree."""

import re
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from osfhelpers.drawing.rendering import rows_html
from osfhelpers.engine.parameters import ParameterError
from osfhelpers.experiments import full_code, one_outline, retries, waiting
from osfhelpers.measuring import comparison
from osfhelpers.measuring.comparison import compare
from osfhelpers.measuring.evidence import Expectation, Key, Mean, Measured, Share
from osfhelpers.models.polling import POLICIES


def test_a_mean_derives_its_value_its_error_and_its_interval():
    values = np.array([1, 2, 3, 4])
    mean = Mean.of(values)
    assert mean.value == 2.5
    assert mean.standard_error == pytest.approx(values.std(ddof=1) / 2)
    low, high = mean.interval()
    assert (low + high) / 2 == pytest.approx(2.5)
    assert high - low == pytest.approx(2 * 1.959964 * mean.standard_error)


def test_one_value_has_no_known_error_and_equal_values_have_none():
    assert Mean.of(np.array([3])).standard_error == np.inf
    assert Mean.of(np.array([3, 3, 3])).interval() == (3, 3)


def test_a_share_has_wilsons_interval():
    low, high = Share(8, 10).interval()
    assert (low, high) == (pytest.approx(0.4901625), pytest.approx(0.9433178))


def test_a_rare_event_that_was_not_seen_once_is_not_called_impossible():
    assert Share(0, 1_000).standard_error > 0
    exact = {Key("arm", "lost"): Expectation(0.001, sd=0.03)}
    rare = experiment_with(
        NAME="rare",
        replay=None,
        expected=lambda params: exact,
        simulate=lambda params, **_: SimpleNamespace(estimates=dict.fromkeys(exact, Mean(1_000, 0, 0))),
    )
    assert compare(rare).agrees


def test_a_figure_below_one_keeps_three_digits():
    table = compare(one_outline).table
    assert table["expected"].str.fullmatch(r"0\.\d{4}").any()
    assert not table["expected"].str.fullmatch(r"0\.0[1-9]").any()


def test_the_published_setting_of_retries_agrees_in_every_row():
    found = compare(retries)
    assert found.agrees
    assert len([row for row in found.rows if row.published is not None]) == 36
    row = found.rows[0].as_dict()
    keys = "experiment arm measure unit published replayed expected measured simulated low high agrees"
    assert set(row) == {*keys.split(), "z_published"}
    assert row["measure"] == "tabs (seed 1)"


def test_away_from_the_published_setting_nothing_is_called_published():
    found = compare(retries, retries.Params(reply_loss=0.1))
    assert {row.published for row in found.rows} == {row.replayed for row in found.rows} == {None}


def experiment_with(**changes):
    parts = {name: getattr(retries, name) for name in ("NAME", "Params", "simulate", "replay", "expected")}
    return SimpleNamespace(**{**parts, **changes})


def test_a_replay_that_differs_by_one_makes_its_row_disagree():
    wrong = dict(retries.replay())
    key = Key(retries.TWICE, "tabs", "seed 1")
    wrong[key] += 1
    found = compare(experiment_with(replay=lambda: wrong))
    assert [row.run for row in found.rows if row.agrees is False] == ["seed 1"]
    assert not found.agrees
    assert "differs" in repr(found)


def test_a_wrong_formula_makes_its_rows_disagree():
    def expected(params):
        key = Key(retries.TWICE, "calls")
        return {**retries.expected(params), key: Expectation(params.calls / (1 - params.reply_loss))}

    found = compare(experiment_with(expected=expected))
    assert {(row.arm, row.measure) for row in found.rows if row.agrees is False} == {(retries.TWICE, "calls")}


def test_an_unusual_published_value_gets_its_z_and_fails_nothing(monkeypatch):
    odd = [replace(figure, value="90") for figure in comparison.published("retries")[:1]]
    monkeypatch.setattr(comparison, "published", lambda name: odd)
    key = Key(retries.TWICE, "tabs", "seed 1")
    [row] = [row for row in compare(experiment_with(replay=lambda: {key: 90})).rows if row.run]
    assert row.agrees
    assert row.z_published == pytest.approx((90 - 50 / 0.7) / (np.sqrt(50 * 0.3) / 0.7))


def test_the_table_shows_the_runs_of_one_figure_side_by_side():
    table = compare(retries).table
    assert table.loc[(retries.TWICE, "tabs"), "published"] == "63 / 75 / 62"
    html = compare(retries)._repr_html_()
    assert "63 / 75 / 62" in html
    assert "<style" not in html
    assert " id=" not in html


def test_measures_in_front_are_shown_at_once_and_no_row_is_lost():
    whole = compare(retries)
    shown, folded = whole.first("tabs")._repr_html_().split("<details>")
    rows = len(whole.table)
    assert shown.count(">tabs<") == whole._repr_html_().count(">tabs<") == 6
    assert shown.count("<tr>") - 1 + folded.count("<tr>") - 1 == rows
    assert f"The other {rows - 6} rows, none of which differs" in folded
    assert repr(whole.first("tabs")) == repr(whole)
    assert "none of which differs" not in compare(full_code).first("bytes")._repr_html_(), "nothing is judged"
    shown, _ = compare(waiting).first("calls, mean")._repr_html_().split("<details>")
    assert shown.count("<tr>") - 1 == len(POLICIES), "the reader's own interval was not published"


def test_what_is_measured_has_a_column_of_its_own_and_no_interval():
    def measure(params):
        return SimpleNamespace(
            estimates={Key("a", "bytes"): Measured(1972), Key("a", "share"): Measured(12.68)}
        )

    found = compare(experiment_with(NAME="none", replay=None, expected=None, measure=measure))
    assert list(found.table.columns) == ["measured"]
    assert list(found.table["measured"]) == ["1,972", "12.68"]
    assert {(row.simulated, row.low, row.agrees) for row in found.rows} == {(None, None, None)}


def test_the_column_that_names_the_rows_stands_at_the_left_with_its_head_even_if_it_holds_numbers():
    html = rows_html(("second", "calls"), [(0, 1), (10, 12)])
    assert re.findall(r"text-align: (\w+)[^>]*>(\w+)<", html) == [
        ("left", "second"),
        ("right", "calls"),
        ("left", "0"),
        ("right", "1"),
        ("left", "10"),
        ("right", "12"),
    ]


def test_a_mean_knows_its_error_far_from_zero():
    values = 1e9 + np.tile([0.0, 1.0], 500)
    assert Mean.of(values).standard_error == pytest.approx(0.5 / 999**0.5)


def test_one_trial_is_refused_since_it_says_nothing_of_the_spread():
    with pytest.raises(ParameterError, match=r"trials must be .* at least 2, but it is 1"):
        compare(retries, trials=1)
