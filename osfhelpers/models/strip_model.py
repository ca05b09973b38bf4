"""Where do handles point after many sessions' edits, all at once?

The vectorised twin of `osfhelpers.models.strip_edits` and `osfhelpers.models.handles`: arrays of sessions in
place of one Note. A test holds the two together on every short history.
"""

import numpy as np

from osfhelpers.engine.note import FIXED_TABS
from osfhelpers.models.handles import Ending
from osfhelpers.models.strip_edits import KINDS

NOWHERE = np.int8(127)
FIXED = np.int8(len(FIXED_TABS))

# For each session: the number of the edit's kind in KINDS, and two numbers below 1 that say
# which tab or deck, and which place or label.
Edits = tuple[np.ndarray, np.ndarray, np.ndarray]
Masks = dict[tuple[str, Ending], np.ndarray]


def follow(decks: int, labels: int, target: np.ndarray, turns: list[Edits]) -> Masks:
    """Return in which sessions each handle comes to each ending.

    Args:
        decks: how many decks the strip begins with.
        target: the number of the agent's deck, for each session.
        turns: the edits, one after the other.
    """
    # One row for each deck. A deck yet to be made already has the place that it will have:
    # beyond the strip, where no drag reaches it. Masks are added and multiplied, since a masked
    # copy takes ten times as long.
    row = np.arange(decks + len(turns), dtype=np.int8)[:, None]
    place = np.repeat(row + FIXED, target.size, axis=1)
    is_target = row == target
    labelled = is_target.copy()  # which decks carry the target's first label
    made = np.full(target.size, decks, np.int8)
    for kind, pick, put in turns:
        rename, add, drag = (kind == KINDS.index(name) for name in ("rename", "add", "drag"))
        tabs = (made + FIXED) * drag  # where nobody drags, the first tab returns to its place
        taken, back = _whole(pick * tabs), _whole(put * tabs)
        dragged = place == taken
        place -= (place > taken).view(np.int8)
        place += (place >= back).view(np.int8)
        place += dragged * (back - taken - (taken >= back))
        relabelled = (rename & (row == _whole(pick * made))) | (add & (row == made))
        labelled &= ~relabelled
        labelled |= relabelled & (_whole(put * labels) == target)
        made += add
    old, own = target + FIXED, (place * is_target).max(axis=0)
    first = place.min(axis=0)
    found = np.maximum(place, ~labelled * NOWHERE).min(axis=0)
    deck_there = (place == old).any(axis=0)
    return {
        ("position", Ending.RIGHT): own == old,
        ("position", Ending.ANOTHER_DECK): (own != old) & deck_there,
        ("position", Ending.FIXED_TAB): ~deck_there,
        ("type", Ending.RIGHT): own == first,
        ("type", Ending.ANOTHER_DECK): own != first,
        ("label", Ending.RIGHT): own == found,
        ("label", Ending.ANOTHER_DECK): (own != found) & (found != NOWHERE),
        ("label", Ending.NOT_FOUND): found == NOWHERE,
        ("ID", Ending.RIGHT): own != NOWHERE,
    }


def _whole(numbers: np.ndarray) -> np.ndarray:
    return numbers.astype(np.int8)
