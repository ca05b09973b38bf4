"""How does an explorer move on a page that has no kernel, no server and no network?

Every frame is drawn ahead by the same function as live. The frames of one explorer differ
little, so they are stored together: four bits a pixel with one palette, row by row (the same
row of every frame side by side), then deflated. That is about a seventh of what the frames
take as single pictures, and `docs/_static/osf.js` unpacks it with the browser's own inflate.
"""

import base64
import json
import zlib
from html import escape
from typing import TYPE_CHECKING, Any

from osfhelpers.drawing.canvas import pixels
from osfhelpers.drawing.figures import WIDTH_PX
from osfhelpers.drawing.rendering import data_uri
from osfhelpers.engine.parameters import Slider

if TYPE_CHECKING:
    import numpy as np

    from osfhelpers.teaching.explorers import Explorer

COLOURS = 16
# The palette is chosen from every third pixel of every third row of all frames.
STRIDE = 3


def static_html(explorer: "Explorer") -> str:
    """Return an explorer as HTML with every frame inside; without scripts it shows its start."""
    import numpy as np

    frames, words = [], []
    for state in explorer.states():
        drawn, scene = explorer.frame(state, pixels)
        frames.append(np.asarray(drawn))
        words.append([scene.sentence, scene.table_html])
    palette, packed = pack(np.stack(frames))
    picture, first = explorer.picture(explorer.start)
    knobs = "".join(_knob(slider, explorer.start[slider.field]) for slider in explorer.sliders)
    height, width = frames[0].shape[:2]
    stored = {
        "width": width,
        "height": height,
        "palette": palette,
        "frames": _text(packed),
        "words": _text(json.dumps(words, ensure_ascii=False).encode()),
    }
    alt = escape(first.sentence)
    size = f'width="{WIDTH_PX}" height="{explorer.height_px}"'
    return (
        f'<section class="osf-explorer" aria-label="{escape(explorer.title)}">'
        f'<div class="osf-knobs" hidden>{knobs}'
        f'<button type="button" class="osf-back">{escape(explorer.back)}</button></div>'
        "<noscript><p>The sliders need scripts; this is the picture at the start position.</p></noscript>"
        f'<figure class="osf-figure"><img src="{data_uri(picture.png)}" {size} alt="{alt}"></figure>'
        f'<p class="osf-say" aria-live="polite">{alt}</p>'
        f'<div class="osf-words">{first.table_html}</div>'
        f'<script type="application/json">{json.dumps(stored)}</script></section>'
    )


def pack(frames: "np.ndarray") -> tuple[list[int], bytes]:
    """Reduce frames to one palette and pack them.

    Args:
        frames: shape (frames, height, width, 3), the width even.

    Returns:
        The palette as whole numbers 0xRRGGBB, and the packed pixels: for each row, for each
        frame, two pixels a byte with the left one in the high half.
    """
    import numpy as np
    from PIL import Image

    few = np.concatenate(frames[:, ::STRIDE, ::STRIDE])
    chosen = Image.fromarray(few).quantize(COLOURS, method=Image.Quantize.FASTOCTREE)
    no_dither = Image.Dither.NONE
    indices = np.stack(
        [np.asarray(Image.fromarray(f).quantize(palette=chosen, dither=no_dither)) for f in frames]
    )
    bytes_ = (indices[:, :, 0::2] << 4) | indices[:, :, 1::2]
    rows = chosen.getpalette()[: 3 * COLOURS]
    palette = [(r << 16) | (g << 8) | b for r, g, b in zip(rows[0::3], rows[1::3], rows[2::3], strict=True)]
    return palette, bytes_.transpose(1, 0, 2).tobytes()


def _text(content: bytes) -> str:
    return base64.b64encode(zlib.compress(content, 9)).decode()


def _knob(slider: Slider, start: Any) -> str:
    shown = [slider.show(value) for value in slider.values]
    index = slider.values.index(start)
    label = escape(slider.label)
    if slider.in_words:
        options = "".join(
            f'<option value="{number}"{" selected" if number == index else ""}>{escape(words)}</option>'
            for number, words in enumerate(shown)
        )
        return (
            f'<label class="osf-knob"><span>{label}</span>'
            f'<select data-start="{index}" data-count="{len(shown)}">{options}</select></label>'
        )
    return (
        f'<label class="osf-knob"><span>{label} '
        f"<small>({escape(shown[0])} to {escape(shown[-1])})</small></span>"
        f'<input type="range" min="0" max="{len(shown) - 1}" step="1" value="{index}" '
        f'aria-valuetext="{escape(shown[index])}" data-start="{index}" data-count="{len(shown)}" '
        f'data-shown="{escape(json.dumps(shown, ensure_ascii=False))}">'
        f"<output>{escape(shown[index])}</output></label>"
    )
