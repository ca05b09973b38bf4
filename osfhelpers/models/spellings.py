"""How many forms of how many pages does a session cite, when pages come back in other spellings?

A form is what a key or a form of the desktop app compares: the URL as written (`str`), its
browser href, its normalised URL. Which spellings share a form is asked of the real function.
`distinct` counts forms in drawn sessions; `Distinct` knows their exact number.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np

from osfhelpers.measuring.evidence import Expectation

Form = Callable[[str], str]

PAGE = "sources.example/q3/{}"
# In the order of the published run, which draws from them.
SPELLINGS = {
    "as is": "https://{}",
    "trailing slash": "https://{}/",
    "www.": "https://www.{}",
    "?utm_source=…": "https://{}?utm_source=mail",
    "#fragment": "https://{}#summary",
    "http://": "http://{}",
    "no scheme": "{}",
}


def url(page: int, spelling: int) -> str:
    """Return one spelling of the URL of a page."""
    return list(SPELLINGS.values())[spelling].format(PAGE.format(page))


@cache
def first_alike(form: Form) -> tuple[int, ...]:
    """Return for each spelling the first one that has the same form."""
    forms = [form(url(0, spelling)) for spelling in range(len(SPELLINGS))]
    return tuple(map(forms.index, forms))


def distinct(cited: np.ndarray, spelling: np.ndarray, form: Form) -> np.ndarray:
    """Return how many different forms each session cites.

    Args:
        cited: whether a page is cited, by session, turn and page; `spelling`: in which spelling.
    """
    seen = np.where(cited, 1 << np.array(first_alike(form))[spelling], 0)
    return np.bitwise_count(np.bitwise_or.reduce(seen, axis=1)).sum(axis=1)


@dataclass(frozen=True)
class Distinct:
    """The exact number of forms that `runs` sessions cite.

    A turn cites `cited` of `pages` pages, so it misses a form that c of s spellings share with
    probability 1 - c m/(P s), and all `turns` turns miss it with that to their power.
    """

    turns: int
    pages: int
    cited: int
    spellings: int
    runs: int

    def expected(self, weights: Mapping[Form, int], *, plus: int = 0) -> Expectation:
        """Return the mean and the standard deviation of a weighted sum of numbers of forms."""
        events = [
            (weight, {i for i, first in enumerate(alike) if first == form})
            for function, weight in weights.items()
            for alike in [first_alike(function)[: self.spellings]]
            for form in {*alike}
        ]
        mean = sum(weight * (1 - self._missed(event)) for weight, event in events)
        variance = sum(v * w * self._covariance(a, b) for v, a in events for w, b in events)
        scale = self.runs * self.pages
        return Expectation(plus + scale * mean, math.sqrt(scale * max(variance, 0.0)))

    def _missed(self, event: set[int]) -> float:
        return (1 - self.cited / self.pages * len(event) / self.spellings) ** self.turns

    def _covariance(self, a: set[int], b: set[int]) -> float:
        # Two forms of one page exclude each other within a turn; two pages share its few places.
        one, both = (self.cited / self.pages, self.cited * (self.cited - 1) / self.pages)
        share = (len(a) / self.spellings, len(b) / self.spellings)
        apart = self._missed(a) * self._missed(b)
        covariance = self._missed(a | b) - apart
        if self.pages > 1:
            both_cited = both / (self.pages - 1)
            neither = 1 - one * sum(share) + both_cited * share[0] * share[1]
            covariance += (self.pages - 1) * (neither**self.turns - apart)
        return covariance
