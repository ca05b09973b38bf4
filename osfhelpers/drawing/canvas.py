"""What does a figure stand on, and how does it become a picture?

One figure with one set of axes, in the style of the series, drawn by Agg without pyplot. Nothing
is set globally: the style holds while the figure is made, drawn on and drawn.
"""

import io
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from osfhelpers.drawing.figures import CARD, FAINT, INCH_PX, INK, WIDTH_PX

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PALETTE_COLOURS = 24

STYLE = {
    "font.family": "DejaVu Sans",
    "font.size": 11,
    "axes.titlesize": 13,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.labelsize": 11,
    "axes.labelcolor": INK,
    "axes.edgecolor": FAINT,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.spines.left": False,
    "axes.grid": True,
    "axes.grid.axis": "x",
    "axes.axisbelow": True,
    "grid.color": "#e4e0d8",
    "figure.facecolor": CARD,
    "axes.facecolor": CARD,
    "hatch.color": "#ffffffb0",
    "hatch.linewidth": 1.0,
    "text.color": INK,
    # To the left, since that is what a phone shows of a figure.
    "xaxis.labellocation": "left",
    "xtick.labelsize": 11,
    "ytick.labelsize": 11,
    "ytick.left": False,
    "legend.frameon": False,
}


def new_figure(height_px: int = 380, *, density: float = 2) -> "tuple[Figure, Axes]":
    """Return a figure of the series' width with one set of axes."""
    import matplotlib
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(WIDTH_PX / INCH_PX, height_px / INCH_PX), dpi=INCH_PX * density)
        FigureCanvasAgg(figure)
        axes = figure.add_subplot()
    return figure, axes


def redraw(axes: "Axes", draw: Callable[["Axes"], None]) -> None:
    """Draw on axes that may hold an earlier picture, in the style of the series."""
    import matplotlib

    with matplotlib.rc_context(STYLE):
        axes.clear()
        draw(axes)


def png(figure: "Figure", *, small: bool = False) -> bytes:
    """Return a figure as PNG: packed quickly, or small and with a palette, to be stored."""
    buffer = io.BytesIO()
    if small:
        _few_colours(figure).save(buffer, "png", optimize=True)
    else:
        pixels(figure).save(buffer, "png", compress_level=1)
    return buffer.getvalue()


def _few_colours(figure: "Figure") -> Any:
    from PIL import Image

    octree, no_dither = Image.Quantize.FASTOCTREE, Image.Dither.NONE
    return pixels(figure).quantize(PALETTE_COLOURS, method=octree, dither=no_dither)


def pixels(figure: "Figure") -> Any:
    """Return a drawn figure as a Pillow image without transparency."""
    import matplotlib
    from PIL import Image

    with matplotlib.rc_context(STYLE):
        figure.canvas.draw()
    size = figure.canvas.get_width_height()
    return Image.frombuffer("RGBA", size, figure.canvas.buffer_rgba()).convert("RGB")
