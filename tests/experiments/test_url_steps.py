"""The labelled URL pairs: every trap is the work of the step that it names."""

from collections import Counter

import pytest

from osfhelpers.engine.parameters import ParameterError
from osfhelpers.engine.urls import STEPS, same_page
from osfhelpers.experiments import url_steps
from osfhelpers.experiments.url_steps import NO_STEP, Params, measure, pairs, traps

LAST = list(STEPS)[-1]
STANDARD = ("host case", "syntax")


def test_the_list_is_long_enough_and_half_of_it_is_traps():
    assert len(pairs()) >= 60
    assert len(measure(Params()).merged[LAST]) >= 25
    assert len({frozenset((pair.a, pair.b)) for pair in pairs()}) == len(pairs())
    assert all(pair.why and pair.a != pair.b for pair in pairs())


@pytest.mark.parametrize("pair", pairs(), ids=lambda pair: f"{pair.a} {pair.b}")
def test_a_pair_is_merged_by_the_steps_that_it_puts_to_the_test(pair):
    assert same_page(pair.a, pair.b) == (pair.about != "none")
    if pair.about in STEPS and pair.about not in STANDARD:
        others = [name for name in STEPS if name != pair.about]
        assert not same_page(pair.a, pair.b, others)


def test_more_steps_never_miss_more_and_never_merge_less():
    result = measure(Params())
    missed, merged = ([len(found[name]) for name in found] for found in (result.missed, result.merged))
    assert missed == sorted(missed, reverse=True)
    assert merged == sorted(merged)
    assert result.merged[NO_STEP] == ()


def test_the_steps_that_rest_on_standards_merge_no_two_pages():
    assert not any(same_page(pair.a, pair.b, STANDARD) for pair in pairs() if not pair.same)


@pytest.mark.parametrize("off", STEPS)
def test_a_step_that_is_switched_off_changes_nothing_in_its_own_row(off):
    result, names = measure(Params(off)), [NO_STEP, *STEPS]
    before = names[names.index(off) - 1]
    assert result.missed[off] == result.missed[before]
    assert result.merged[off] == result.merged[before]
    assert len(result.merged[LAST]) <= len(measure(Params()).merged[LAST])
    assert "(off)" in url_steps.say(result)


def test_one_trap_of_each_kind_is_shown():
    assert Counter(trap.step for trap in traps()) == Counter(
        ["https", "www", "fragment", "utm_*", "trailing slash", "several"]
    )


def test_an_unknown_step_is_refused_with_its_name():
    with pytest.raises(ParameterError, match="amp"):
        Params("amp")
