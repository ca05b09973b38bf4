"""Show one thing: a result as its picture, a function as its source, rows as a table."""

import inspect
import sys
import textwrap
from collections.abc import Sequence
from dataclasses import asdict, is_dataclass
from typing import Any

from osfhelpers.drawing.canvas import new_figure, png, redraw
from osfhelpers.drawing.figures import WIDTH_PX
from osfhelpers.drawing.rendering import Listing, Mode, Picture, Table, mode


def show(thing: Any, *, draw: str = "draw") -> Any:
    """Show a result, a function or rows.

    Args:
        thing: the result of an experiment, a function of the package, or dataclass instances.
        draw: which of the experiment's drawing functions is used; its words come from the
            function of the same ending (`draw_runs` is said by `say_runs`).

    Raises:
        TypeError: the thing is none of these.
    """
    if inspect.isroutine(thing):
        code = textwrap.dedent(inspect.getsource(thing)).rstrip()
        home = thing.__module__.replace(".", "/")
        return Listing(code, "python", f"{home}.py" if home.startswith("osfhelpers/") else "")
    if isinstance(thing, Sequence) and thing and all(map(is_dataclass, thing)):
        import pandas as pd

        names = [name.replace("_", " ") for name in asdict(thing[0])]
        return Table(pd.DataFrame(asdict(row) for row in thing).set_axis(names, axis="columns"))
    experiment = sys.modules.get(type(thing).__module__)
    if not hasattr(experiment, draw):
        kind = type(thing).__name__
        raise TypeError(f"show takes a result, a function or rows of results that {draw!r} draws, not {kind}")
    height_px = getattr(experiment, draw.replace("draw", "HEIGHT_PX").upper())
    figure, axes = new_figure(height_px)
    redraw(axes, lambda ax: getattr(experiment, draw)(ax, thing))
    sentence = getattr(experiment, draw.replace("draw", "say"))(thing)
    return Picture(png(figure, small=mode() is not Mode.LIVE), sentence, WIDTH_PX, height_px)
