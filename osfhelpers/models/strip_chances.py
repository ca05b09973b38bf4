"""How likely is each ending of a handle, exactly? Every history of edits, summed.

Histories that leave the same strip are merged: a handle can only see where the fixed tabs,
the target and the other decks stand, and which decks carry the target's first label. A
strip is written with one sign per tab: "." a fixed tab, "t" the target, "d" another deck, and a
capital for a deck that carries that label.
"""

import itertools
import math
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache

from osfhelpers.engine.note import FIXED_TABS
from osfhelpers.models.handles import Ending

Weighted = Iterator[tuple[str, float]]
Endings = Counter[tuple[str, Ending]]


def _drag(strip: str, labels: int) -> Weighted:
    places = range(len(strip))
    for pick in places:
        rest = strip[:pick] + strip[pick + 1 :]
        for put in places:
            yield rest[:put] + strip[pick] + rest[put:], 1 / len(strip) ** 2


def _rename(strip: str, labels: int) -> Weighted:
    decks = [place for place, tab in enumerate(strip) if tab != "."]
    for pick in decks:
        for tab, share in ((strip[pick].upper(), 1 / labels), (strip[pick].lower(), 1 - 1 / labels)):
            yield strip[:pick] + tab + strip[pick + 1 :], share / len(decks)


def _add(strip: str, labels: int) -> Weighted:
    yield strip + "D", 1 / labels
    yield strip + "d", 1 - 1 / labels


EDITS = {"drag": _drag, "rename": _rename, "add": _add}


@cache
def strips(decks: int, labels: int, target: int, kinds: tuple[str, ...]) -> dict[str, float]:
    """Return every strip that edits of these kinds, in this order, can leave, with its probability."""
    if not kinds:
        return {"." * len(FIXED_TABS) + "d" * target + "T" + "d" * (decks - target - 1): 1.0}
    found: Counter[str] = Counter()
    *earlier, last = kinds
    for strip, chance in strips(decks, labels, target, tuple(earlier)).items():
        for edited, share in EDITS[last](strip, labels):
            found[edited] += chance * share
    return found


@cache
def endings(decks: int, labels: int, kinds: tuple[str, ...]) -> Endings:
    """Return the probability of each handle's endings after edits of these kinds.

    Args:
        labels: how many labels a person chooses from, the target's first one among them.
    """
    found: Endings = Counter()
    for target in range(decks):
        for strip, chance in strips(decks, labels, target, kinds).items():
            hit = {
                "position": strip[len(FIXED_TABS) + target],
                "type": strip.lstrip(".")[0],
                "label": next(filter(str.isupper, strip), ""),
                "ID": "t",
            }
            for handle, tab in hit.items():
                found[handle, ENDINGS[tab.lower()]] += chance / decks
    return found


def mixed(decks: int, labels: int, chances: Mapping[str, float], edits_at_most: int) -> Endings:
    """Return the same after none to so many edits, each number as likely.

    Args:
        chances: how likely each kind of edit is to be the next one, a save among them.
    """
    found: Endings = Counter()
    for number in range(edits_at_most + 1):
        for kinds in itertools.product(chances, repeat=number):
            weight = math.prod(chances[kind] for kind in kinds) / (edits_at_most + 1)
            strip_edits = tuple(kind for kind in kinds if kind != "save")
            for ending, share in endings(decks, labels, strip_edits).items() if weight else ():
                found[ending] += weight * share
    return found


ENDINGS = {"t": Ending.RIGHT, "d": Ending.ANOTHER_DECK, ".": Ending.FIXED_TAB, "": Ending.NOT_FOUND}
