"""How many messages get lost before one arrives? The draws that simulations of retries share.

A message that is lost with probability p is lost k times in a row with probability p^k. The
numbers of draws depend on sizes only and never on a rate, so that a higher rate changes what
the same draws come to, and nothing else.
"""

import math
from collections.abc import Iterator

import numpy as np

CHUNK = 200_000


def lost_in_a_row(
    rng: np.random.Generator, shape: tuple[int, ...], loss: float, dtype: type = float
) -> np.ndarray:
    """Return how often each message is lost before it arrives: one draw each, of that shape."""
    # An exponential draw exceeds k times -ln(p) with probability p^k: its quotient is geometric.
    per_loss = dtype(-1 / math.log(loss) if loss else 0)
    return np.floor(rng.standard_exponential(shape, dtype) * per_loss)


def lost_in_runs(
    rng: np.random.Generator, runs: int, messages: int, loss: float, dtype: type = float
) -> Iterator[tuple[slice, np.ndarray]]:
    """Yield which runs, and their messages' losses in a row, in chunks: memory stays bounded.

    Each array has one row for each run of the slice; a long run comes in several pieces.
    """
    width = min(messages, CHUNK)
    height = max(1, CHUNK // width)
    for top in range(0, runs, height):
        for left in range(0, messages, width):
            shape = (min(height, runs - top), min(width, messages - left))
            yield slice(top, top + shape[0]), lost_in_a_row(rng, shape, loss, dtype)


def lost_requests(failed: np.ndarray, share: float, rng: np.random.Generator) -> np.ndarray:
    """Return how many of the failed sends lost their request, and not their reply; one draw each.

    Args:
        failed: how many sends of each message failed.
        share: how likely a send that failed has lost its request.
    """
    lost = np.zeros_like(failed)
    if share:
        from scipy.stats import binom

        quantile, some = rng.random(failed.shape), failed > 0
        lost[some] = binom.ppf(quantile[some], failed[some], share)
    return lost


def lost_until_all_arrive(sends: np.ndarray, loss: float, quantile: np.ndarray) -> np.ndarray:
    """Return how many messages are lost while `sends` of them arrive, at a quantile for each run.

    The inverse of the negative binomial distribution, number by number as `scipy.stats.nbinom.ppf`
    has it (but 0 at quantile 0); it can only grow with `loss` and with `sends`. Runs with equally
    many sends share one table.

    Args:
        sends, quantile: arrays of shape (runs,); the table of one number of sends is all that is
            held besides.
    """
    if loss == 0:
        return np.zeros(sends.shape)
    from scipy.special import betainc
    from scipy.stats import nbinom

    order = np.argsort(sends)
    grouped, quantile = sends[order], quantile[order]
    starts = np.flatnonzero(np.diff(grouped, prepend=-1))
    ends = [*starts[1:], sends.size]
    least = np.maximum(0, nbinom.ppf(np.minimum.reduceat(quantile, starts), grouped[starts], 1 - loss))
    most = nbinom.ppf(np.maximum.reduceat(quantile, starts), grouped[starts], 1 - loss)
    lost = np.empty(sends.shape)
    for start, end, low, high in zip(starts, ends, least, most, strict=True):
        at_most = betainc(grouped[start], np.arange(low, high) + 1, 1 - loss)
        lost[order[start:end]] = low + np.searchsorted(at_most, quantile[start:end])
    return lost
