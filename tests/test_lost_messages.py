"""Lost messages: geometric in a row, the same in any chunks, and inverted exactly."""

import itertools

import numpy as np
import pytest
from scipy.stats import nbinom

from osfhelpers.models import lost_messages
from osfhelpers.models.lost_messages import lost_in_a_row, lost_in_runs, lost_until_all_arrive


@pytest.mark.parametrize("dtype", [float, np.float32])
@pytest.mark.parametrize("loss", [0.0, 0.05, 0.3, 0.9])
def test_a_message_is_lost_k_times_in_a_row_with_probability_p_to_the_k(loss, dtype):
    draws = 100_000
    lost = lost_in_a_row(np.random.default_rng(1), (draws,), loss, dtype)
    for k in range(1, 6):
        share = np.mean(lost >= k)
        assert abs(share - loss**k) <= 4 * np.sqrt(loss**k * (1 - loss**k) / draws)


@pytest.mark.parametrize(("chunk", "messages"), [(64, 30), (7, 7), (1, 1), (10_000, 30)])
def test_chunks_give_every_run_the_draws_that_it_has_without_them(monkeypatch, chunk, messages):
    monkeypatch.setattr(lost_messages, "CHUNK", chunk)
    pieces = np.full((40, messages), -1.0)
    for runs, lost in lost_in_runs(np.random.default_rng(5), 40, messages, 0.4):
        pieces[runs] = lost
    assert np.array_equal(pieces, lost_in_a_row(np.random.default_rng(5), (40, messages), 0.4))


def test_a_run_longer_than_a_chunk_comes_in_pieces_that_hold_all_its_messages(monkeypatch):
    monkeypatch.setattr(lost_messages, "CHUNK", 8)
    found = np.zeros(3)
    for runs, lost in lost_in_runs(np.random.default_rng(5), 3, 21, 0.4):
        assert lost.size <= 8
        found[runs] += lost.shape[1]
    assert found.tolist() == [21, 21, 21]


@pytest.mark.parametrize(
    ("sends", "loss"),
    [*itertools.product((1, 2, 50, 1_000), (0.0, 0.001, 0.05, 0.2, 0.5, 0.9, 0.99)), (1_000_000, 0.2)],
)
def test_the_shared_tables_invert_as_scipy_does_number_by_number(sends, loss):
    rng = np.random.default_rng(sends)
    many = sends + rng.integers(0, 1 + min(sends, 40), 2_000)
    quantile = rng.random(2_000)
    quantile[:5] = [0.0, 1e-300, 1e-12, 0.5, 1 - 1e-12]
    many[:5] = sends
    expected = np.maximum(0, nbinom.ppf(quantile, many, 1 - loss))
    assert np.array_equal(lost_until_all_arrive(many, loss, quantile), expected)


def test_a_single_run_is_inverted_too():
    assert lost_until_all_arrive(np.array([50.0]), 0.2, np.array([0.5])) == nbinom.ppf(0.5, 50, 0.8)
