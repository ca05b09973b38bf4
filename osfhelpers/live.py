"""How does an explorer live in JupyterLab?

One `ipywidgets.Image` is fed by the explorer's one Agg figure: no new output per move, fixed
height, nothing jumps. An error in a callback is shown to the reader and raised again, so that
no check can mistake a broken explorer for a working one.
"""

import html
import traceback
from typing import Any

from osfhelpers.explorers import Explorer
from osfhelpers.figures import WIDTH_PX
from osfhelpers.parameters import Slider
from osfhelpers.rendering import sentence_html


def live_widget(explorer: Explorer) -> Any:
    """Return the widget of an explorer, drawn at its start position."""
    import ipywidgets as widgets

    knobs = {slider.field: _knob(slider, explorer.start[slider.field]) for slider in explorer.sliders}
    back = widgets.Button(description=explorer.back)
    picture = widgets.Image(format="png")
    picture.layout = widgets.Layout(width=f"{WIDTH_PX}px", max_width="100%", object_fit="contain")
    words, table, problem = widgets.HTML(), widgets.HTML(), widgets.HTML()
    frames: dict[tuple, tuple[bytes, str, str]] = {}

    def frame(values: tuple) -> tuple[bytes, str, str]:
        if values not in frames:
            drawn, scene = explorer.picture(dict(zip(knobs, values, strict=True)))
            frames[values] = drawn.png, scene.sentence, scene.table_html
        return frames[values]

    def update(change: Any = None) -> None:
        try:
            shown, sentence, table_html = frame(tuple(knob.value for knob in knobs.values()))
        except Exception as error:
            trace = "".join(traceback.format_exception(error))
            problem.value = f'<pre role="alert">{html.escape(trace)}</pre>'
            raise
        problem.value = ""
        picture.value, words.value, table.value = shown, sentence_html(sentence), table_html

    def start_again(button: Any) -> None:
        for field, knob in knobs.items():
            knob.value = explorer.start[field]

    for knob in knobs.values():
        knob.observe(update, names="value")
    back.on_click(start_again)
    update()
    box = widgets.VBox([*knobs.values(), back, problem, picture, words, table])
    box.add_class("osf-explorer")
    return box


def _knob(slider: Slider, start: Any) -> Any:
    import ipywidgets as widgets

    # A slider for names as well: JupyterLab takes the arrow keys away from a drop-down list.
    return widgets.SelectionSlider(
        options=[(slider.show(value), value) for value in slider.values],
        value=start,
        description=slider.label,
        style={"description_width": "12em"},
        layout=widgets.Layout(width="52em" if slider.in_words else "38em", max_width="100%"),
    )
