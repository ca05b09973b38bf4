"""The exact number of forms against a full enumeration of small sessions."""

import itertools

import numpy as np
import pytest

from osfhelpers.engine.urls import browser_href, normalise
from osfhelpers.models.spellings import Distinct, distinct, first_alike, url


def test_a_browser_merges_one_spelling_with_another_and_the_steps_merge_all():
    assert first_alike(str) == (0, 1, 2, 3, 4, 5, 6)
    assert first_alike(browser_href) == (0, 1, 2, 3, 4, 5, 0)
    assert first_alike(normalise) == (0, 0, 0, 0, 0, 0, 0)
    assert url(3, 2) == "https://www.sources.example/q3/3"


def every_session(turns, pages, cited, spellings):
    """Return all equally likely sessions: what is cited, and in which spelling."""
    subsets = list(itertools.combinations(range(pages), cited))
    chosen = list(itertools.product(subsets, repeat=turns))
    spelled = list(itertools.product(range(spellings), repeat=turns * pages))
    citing = np.zeros((len(chosen), len(spelled), turns, pages), bool)
    for number, session in enumerate(chosen):
        for turn, subset in enumerate(session):
            citing[number, :, turn, list(subset)] = True
    spelling = np.broadcast_to(np.array(spelled).reshape(-1, turns, pages), citing.shape)
    return citing.reshape(-1, turns, pages), spelling.reshape(-1, turns, pages)


@pytest.mark.parametrize("sizes", [(2, 3, 2, 2), (3, 2, 1, 3), (2, 2, 2, 7), (3, 1, 1, 7), (1, 3, 2, 3)])
def test_mean_and_standard_deviation_are_those_of_all_sessions(sizes):
    cited, spelling = every_session(*sizes)
    for weights in ({str: 1}, {normalise: 1}, {browser_href: -1}, {str: 1, normalise: -1}):
        found = sum(weight * distinct(cited, spelling, form).astype(int) for form, weight in weights.items())
        exact = Distinct(*sizes, runs=9).expected(weights, plus=5)
        assert exact.value == pytest.approx(5 + 9 * found.mean())
        assert exact.sd == pytest.approx(3 * found.std(), abs=1e-6)
