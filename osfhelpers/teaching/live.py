"""How does an explorer live in JupyterLab?

One `ipywidgets.Image` is fed by the explorer's one Agg figure: no new output per move, fixed
height, nothing jumps. An error in a callback is shown to the reader and raised again, here and
in the boxes to type in, so that no check can mistake a broken one for a working one.
"""

import html
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from osfhelpers.drawing.figures import WIDTH_PX
from osfhelpers.drawing.rendering import sentence_html
from osfhelpers.engine.parameters import Slider
from osfhelpers.teaching.explorers import Explorer


@contextmanager
def errors_shown_in(widget: Any) -> Iterator[None]:
    """Show an error of a callback in an HTML widget, and raise it again."""
    try:
        yield
    except Exception as error:
        trace = "".join(traceback.format_exception(error))
        widget.value = f'<pre role="alert">{html.escape(trace)}</pre>'
        raise


def live_widget(explorer: Explorer) -> Any:
    """Return the widget of an explorer, drawn at its start position."""
    import ipywidgets as widgets

    knobs = [_knob(slider, explorer.start[slider.field]) for slider in explorer.sliders]
    back = widgets.Button(description=explorer.back)
    picture = widgets.Image(format="png")
    picture.layout = widgets.Layout(width=f"{WIDTH_PX}px", max_width="100%", object_fit="contain")
    # Sentence and table travel in one message: a reader never sees them of two positions.
    words, problem = widgets.HTML(), widgets.HTML()
    frames: dict[tuple, tuple[bytes, str]] = {}

    def frame(values: tuple) -> tuple[bytes, str]:
        if values not in frames:
            state = {
                slider.field: slider.values[at] for slider, at in zip(explorer.sliders, values, strict=True)
            }
            drawn, scene = explorer.picture(state)
            frames[values] = drawn.png, sentence_html(scene.sentence) + scene.table_html
        return frames[values]

    def update(change: Any = None) -> None:
        with errors_shown_in(problem):
            shown, told = frame(tuple(knob.value for knob in knobs))
        problem.value = ""
        picture.value, words.value = shown, told

    def start_again(button: Any) -> None:
        for slider, knob in zip(explorer.sliders, knobs, strict=True):
            knob.value = slider.values.index(explorer.start[slider.field])

    for knob in knobs:
        knob.observe(update, names="value")
    back.on_click(start_again)
    update()
    lines = [
        _with_words(knob) if slider.in_words else knob
        for slider, knob in zip(explorer.sliders, knobs, strict=True)
    ]
    box = widgets.VBox([*lines, back, problem, picture, words])
    box.add_class("osf-explorer")
    return box


def _knob(slider: Slider, start: Any) -> Any:
    import ipywidgets as widgets

    # A slider for names as well: JupyterLab takes the arrow keys away from a drop-down list.
    # Its value is a place in the list, since ipywidgets takes None, a good value, for no choice.
    return widgets.SelectionSlider(
        options=[(slider.show(value), at) for at, value in enumerate(slider.values)],
        value=slider.values.index(start),
        description=slider.label,
        style={"description_width": "15em"},
        layout=widgets.Layout(width="33em" if slider.in_words else "41em", max_width="100%"),
        readout=not slider.in_words,
    )


def _with_words(knob: Any) -> Any:
    """Return a slider with its choice beside it: words need more room than its own readout has."""
    import ipywidgets as widgets

    words = widgets.Label()
    widgets.dlink((knob, "label"), (words, "value"))
    return widgets.HBox([knob, words], layout=widgets.Layout(flex_flow="row wrap", grid_gap="0 1em"))
