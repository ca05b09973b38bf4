"""What does a deck come to, in bytes, seconds and slides, when its calls meet these conflicts?"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from osfhelpers.models.decks import build


@dataclass(frozen=True)
class Outcomes:
    """What the decks of one way came to: arrays of shape (trials,).

    `conflicts` lets a retry always succeed, as published; for `bytes_again` and `seconds` it can
    meet a conflict too. `whole` and `nothing` are for an agent that stops at its first conflict;
    what is neither is an unfinished deck.
    """

    conflicts: np.ndarray
    bytes_again: np.ndarray
    seconds: np.ndarray
    whole: np.ndarray
    nothing: np.ndarray


def settle(per_call: Sequence[int], gaps_s: np.ndarray, met: np.ndarray) -> Outcomes:
    """Return what decks come to: the whole model.

    Args:
        per_call: the slides in each call.
        gaps_s: the time from the read of the version to the arrival of the write, for each call.
        met: how many conflicts each call meets before it succeeds, of shape (trials, calls).
    """
    first_try = met == 0
    return Outcomes(
        conflicts=np.count_nonzero(met, axis=1),
        bytes_again=met @ sizes_bytes(per_call),
        seconds=(met + 1) @ gaps_s,
        whole=first_try.all(axis=1),
        nothing=~first_try[:, 0],
    )


@cache
def sizes_bytes(per_call: Sequence[int]) -> np.ndarray:
    """Return the size of each call on the wire, from one build on the real store while nobody saves."""
    return np.array([send.request_bytes for send in build(per_call).sends])
