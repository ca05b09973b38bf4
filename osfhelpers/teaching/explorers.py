"""What happens when this slider moves? One explorer, read in three ways.

An `Explorer` knows its sliders and draws the frame of any state. Live, a frame is drawn when
a slider asks for it; on the site, all frames are drawn ahead; in a committed notebook, the
frame at the start stands. `explore` makes one from an experiment, `watch` from a history.
"""

import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial
from html import escape
from types import ModuleType
from typing import Any

from osfhelpers.drawing.canvas import new_figure, png, redraw
from osfhelpers.drawing.figures import WIDTH_PX
from osfhelpers.drawing.rendering import HTML, Mode, Picture, mode, rows_html, sentence_html
from osfhelpers.engine.parameters import ParameterError, Slider
from osfhelpers.measuring.comparison import SEED, run
from osfhelpers.measuring.evidence import published

MOST_STATES = 125
MOST_SLIDERS = 3
EXPLORER_TRIALS = 10_000
# Text is still sharp, and a frame takes half the bytes and two thirds of the time of one at 2.
DENSITY = 1.5


@dataclass(frozen=True)
class Scene:
    """What one state shows: how to draw it, the same in words, and a small table as HTML."""

    draw: Callable[[Any], None]
    sentence: str
    table_html: str = ""


class Explorer:
    """Sliders over a picture, a sentence and a small table.

    Args:
        sliders: the knobs; `start` holds the value of each at the beginning.
        scene: returns what a state shows, given the values by field name.
    """

    def __init__(
        self,
        title: str,
        sliders: tuple[Slider, ...],
        start: Mapping[str, Any],
        scene: Callable[[Mapping[str, Any]], Scene],
        *,
        height_px: int,
        back: str = "start again",
    ) -> None:
        states = 1
        for slider in sliders:
            states *= len(slider.values)
            if start[slider.field] not in slider.values:
                raise ParameterError(
                    f"{slider.field} starts at {start[slider.field]!r}, "
                    f"which is none of its slider's values {slider.values}"
                )
        if states > MOST_STATES or len(sliders) > MOST_SLIDERS:
            raise ParameterError(
                f"an explorer has at most {MOST_SLIDERS} sliders and {MOST_STATES} states, "
                f"but this one has {len(sliders)} and {states}"
            )
        self.title, self.sliders, self.back = title, sliders, back
        self.start = {slider.field: start[slider.field] for slider in sliders}
        self.scene, self.height_px = scene, height_px

    @cached_property
    def _canvas(self) -> Any:
        return new_figure(self.height_px, density=DENSITY)

    def states(self) -> list[dict[str, Any]]:
        """Return every state, the last slider moving fastest."""
        fields = [slider.field for slider in self.sliders]
        combinations = itertools.product(*(slider.values for slider in self.sliders))
        return [dict(zip(fields, values, strict=True)) for values in combinations]

    def frame(self, state: Mapping[str, Any], encode: Callable[[Any], bytes]) -> tuple[bytes, Scene]:
        """Draw one state on the explorer's one figure; return the picture and its scene."""
        scene = self.scene(state)
        figure, axes = self._canvas
        redraw(axes, scene.draw)
        return encode(figure), scene

    def picture(self, state: Mapping[str, Any]) -> tuple[Picture, Scene]:
        """Return the picture of one state."""
        drawn, scene = self.frame(state, partial(png, small=mode() is not Mode.LIVE))
        return Picture(drawn, scene.sentence, WIDTH_PX, self.height_px), scene

    @cached_property
    def widget(self) -> Any:
        """The live form, with sliders, picture, sentence and table in one widget."""
        from osfhelpers.teaching.live import live_widget

        return live_widget(self)

    def _ipython_display_(self) -> None:
        from IPython.display import display

        if mode() is Mode.LIVE:
            display(self.widget)
            return
        if mode() is Mode.STATIC:
            from osfhelpers.teaching.static import static_html

            display(HTML(static_html(self), self.title))
            return
        picture, scene = self.picture(self.start)
        data, metadata = picture.png_bundle()
        display(data, metadata=metadata, raw=True)
        note = f"<p>{escape(self.title)} At the start position: {escape(self._position(self.start))}.</p>"
        display(HTML(note + sentence_html(scene.sentence) + scene.table_html, scene.sentence))

    def _position(self, state: Mapping[str, Any]) -> str:
        return ", ".join(f"{slider.label} {slider.show(state[slider.field])}" for slider in self.sliders)


def explore(
    experiment: ModuleType, params: Any = None, *, trials: int = EXPLORER_TRIALS, seed: int = SEED
) -> Explorer:
    """Return the explorer of an experiment: its sliders over its own picture and sentence.

    Args:
        params: where the sliders start, and the values of all fields that no slider moves.
        trials, seed: every position simulates the same number of runs from the same seed, so
            that a move shows an effect and not noise.
    """
    params = experiment.Params() if params is None else params

    def scene(state: Mapping[str, Any]) -> Scene:
        result = run(experiment, replace(params, **state), trials=trials, rng=seed)
        return Scene(
            lambda axes: experiment.draw(axes, result),
            experiment.say(result),
            small_table(experiment, result, trials),
        )

    start = {slider.field: getattr(params, slider.field) for slider in experiment.SLIDERS}
    at_published = params == experiment.Params() and published(experiment.NAME)
    return Explorer(
        experiment.__doc__.splitlines()[0],
        experiment.SLIDERS,
        start,
        scene,
        height_px=experiment.HEIGHT_PX,
        back="published setting" if at_published else "start again",
    )


def watch(history: Any) -> Explorer:
    """Return the stepper of a history: a slider through its steps, and one through its variants."""
    return Explorer(
        history.title,
        history.sliders,
        history.start,
        lambda state: Scene(lambda axes: history.draw(axes, state), history.say(state)),
        height_px=history.height_px,
    )


def small_table(experiment: ModuleType, result: Any, trials: int) -> str:
    """Return the simulated means of a result, with the exact values beside them, as HTML.

    What is measured has no table: its sentence says it all. How many runs were simulated is
    said, since fewer of them than in `compare` give slightly other means.
    """
    if hasattr(experiment, "measure"):
        return ""
    exact = experiment.expected(result.params) if experiment.expected else {}
    cells: dict[str, dict[str, str]] = {}
    for key, estimate in result.estimates.items():
        known = f" ({exact[key].value:,.2f})" if key in exact else ""
        cells.setdefault(key.arm, {})[key.measure] = f"{estimate.value:,.2f}{known}"
    measures = list(dict.fromkeys(key.measure for key in result.estimates))
    downwards = len(measures) > len(cells)  # The longer side goes down, so that no column is cut.
    table = [["measure" if downwards else "arm", *measures]]
    table += [[arm, *(found.get(measure, "") for measure in measures)] for arm, found in cells.items()]
    if downwards:
        table = [*zip(*table, strict=True)]
    caption = f"Mean of {trials:,} simulated runs" + (", exact value in brackets" if exact else "")
    return rows_html(table[0], table[1:], caption) if cells else ""
