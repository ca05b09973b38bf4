"""How does a short history look, step by step? What every stepper of the series has in common.

A history holds the same story in several variants, each a sequence of steps. A kind of picture
adds how it draws the steps so far, and how it says them; `watch` makes the sliders.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from osfhelpers.engine.parameters import Slider

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True)
class History:
    """The steps of each variant, by its name; the first variant stands at the start."""

    title: str
    variants: Mapping[str, Sequence[Any]]

    choice: ClassVar[str]  # what the slider through the variants is called
    counted: ClassVar[str]  # and the one through the steps
    height_px: ClassVar[int]
    before: ClassVar[int] = 0  # how many pictures stand there before the first step

    @property
    def longest(self) -> int:
        """The most steps that any variant takes."""
        return max(map(len, self.variants.values())) - self.before

    @property
    def sliders(self) -> tuple[Slider, ...]:
        """One slider through the variants, and one through the steps."""
        return (
            Slider("variant", self.choice, tuple(self.variants)),
            Slider("steps", self.counted, tuple(range(self.longest + 1))),
        )

    @property
    def start(self) -> dict[str, Any]:
        """The first variant, after its last step."""
        return {"variant": next(iter(self.variants)), "steps": self.longest}

    def draw(self, ax: "Axes", state: Mapping[str, Any]) -> None:
        """Draw the first steps of one variant."""
        self.draw_steps(ax, self._done(state))

    def say(self, state: Mapping[str, Any]) -> str:
        """Say the first steps of one variant, in one sentence."""
        return self.say_steps(state["variant"], self._done(state))

    def _done(self, state: Mapping[str, Any]) -> Sequence[Any]:
        return self.variants[state["variant"]][: self.before + state["steps"]]

    def draw_steps(self, ax: "Axes", done: Sequence[Any]) -> None:
        """Draw some steps; the axes are the same for any number of them."""
        raise NotImplementedError

    def say_steps(self, variant: str, done: Sequence[Any]) -> str:
        """Say some steps of a variant."""
        raise NotImplementedError
