"""Every state of every explorer is drawn by the real callback, and an error is never swallowed."""

import base64
import json
import re
import zlib

import numpy as np
import pytest

from osfhelpers.drawing.canvas import pixels
from osfhelpers.drawing.rendering import VARIABLE, Mode, mode, sentence_html
from osfhelpers.engine.parameters import ParameterError, Slider
from osfhelpers.experiments import citations, retries
from osfhelpers.measuring.damage import experiments
from osfhelpers.teaching.explorers import MOST_STATES, Explorer, Scene, explore, watch
from osfhelpers.teaching.static import static_html

EXPLORED = [experiment for experiment in experiments() if experiment.SLIDERS]


def small(scene=None, **changes):
    """Return an explorer of four states that draws a line."""

    def draw_line(state):
        return Scene(lambda ax: ax.plot([0, state["a"]], [0, 1]), f"a is {state['a']}, b is {state['b']}")

    sliders = (Slider("a", "first", (1, 2)), Slider("b", "second", ("x", "y")))
    settings = {"start": {"a": 2, "b": "x"}, "height_px": 120, **changes}
    return Explorer("a small one", sliders, settings.pop("start"), scene or draw_line, **settings)


def parts(widget):
    """Return the knobs of a live explorer, its button, its error box, picture, and words."""
    children = list(widget.children)
    at = next(index for index, child in enumerate(children) if type(child).__name__ == "Button")
    knobs = [line.children[0] if hasattr(line, "children") else line for line in children[:at]]
    return knobs, *children[at : at + 4]


def sentence_of(words):
    """Return the sentence alone, without the table that comes in the same message."""
    return words.value.partition("</p>")[0]


@pytest.mark.parametrize("experiment", EXPLORED, ids=lambda module: module.NAME)
def test_every_position_works_through_the_real_callback_and_the_axes_stay_fixed(experiment):
    explorer = explore(experiment, trials=50)
    knobs, _, problem, picture, sentence = parts(explorer.widget)
    seen, limits = set(), set()
    for state in explorer.states():
        for knob, slider in zip(knobs, explorer.sliders, strict=True):
            knob.value = slider.values.index(state[slider.field])
        assert problem.value == ""
        assert bytes(picture.value).startswith(b"\x89PNG")
        seen.add((bytes(picture.value), sentence.value))
        axes = explorer._canvas[1]
        limits.add((axes.get_xlim(), axes.get_ylim()))
    assert len(limits) == 1
    assert len(explorer.states()) <= MOST_STATES
    assert len(seen) > len(explorer.states()) / 2


@pytest.mark.parametrize("experiment", EXPLORED, ids=lambda module: module.NAME)
def test_each_slider_changes_picture_and_sentence_from_the_start(experiment):
    explorer = explore(experiment, trials=200)
    knobs, _, _, picture, words = parts(explorer.widget)
    for knob, slider in zip(knobs, explorer.sliders, strict=True):
        start = (bytes(picture.value), sentence_of(words))
        other = next(at for at in (0, len(slider.values) - 1) if at != knob.value)
        at_start, knob.value = knob.value, other
        assert bytes(picture.value) != start[0], slider.field
        assert sentence_of(words) != start[1], slider.field
        knob.value = at_start
        assert (bytes(picture.value), sentence_of(words)) == start, slider.field


def test_the_stepper_shows_every_step_of_every_variant():
    explorer = watch(retries.one_lost_reply())
    sentences = {explorer.picture(state)[1].sentence for state in explorer.states()}
    assert len(explorer.states()) == 6 * 4
    assert len(sentences) > 12


@pytest.mark.parametrize(("experiment", "corner"), [(retries, "arm"), (citations, "measure")])
def test_a_small_table_is_headed_by_what_goes_down_it(experiment, corner):
    explorer = explore(experiment, trials=10)
    table = explorer.scene(explorer.start).table_html
    assert re.search(r"<th[^>]*>([^<]+)", table[table.index("<thead>") :])[1] == corner


def test_sentence_and_table_of_a_position_arrive_in_one_message():
    explorer = explore(retries, trials=50)
    knobs, _, _, _, words = parts(explorer.widget)
    messages = []
    words.observe(lambda change: messages.append(change.new), names="value")
    knobs[0].value = len(explorer.sliders[0].values) - 1
    scene = explorer.scene({**explorer.start, explorer.sliders[0].field: explorer.sliders[0].values[-1]})
    assert messages == [sentence_html(scene.sentence) + scene.table_html]


def test_the_button_brings_the_start_back():
    knobs, back, _, _, sentence = parts(small().widget)
    knobs[0].value, knobs[1].value = 0, 1
    assert "a is 1, b is y" in sentence.value
    back.click()
    assert "a is 2, b is x" in sentence.value


def test_an_exception_in_a_callback_is_shown_and_raised():
    def broken(state):
        if state["a"] == 1:
            raise RuntimeError("planted")
        return Scene(lambda ax: ax.plot([0, 1]), "fine")

    knobs, _, problem, _, _ = parts(small(broken).widget)
    with pytest.raises(RuntimeError, match="planted"):
        knobs[0].value = 0
    assert "RuntimeError: planted" in problem.value
    knobs[0].value = 1
    assert problem.value == ""


def test_a_broken_state_fails_the_static_page_as_well():
    def broken(state):
        if state["b"] == "y":
            raise RuntimeError("planted")
        return Scene(lambda ax: ax.plot([0, 1]), "fine")

    with pytest.raises(RuntimeError, match="planted"):
        static_html(small(broken))


def unpacked(html):
    """Undo the packing of a static explorer: its frames as whole numbers 0xRRGGBB, and its words."""
    stored = json.loads(
        re.search(r'<script type="application/json">(.*?)</script>', html, re.DOTALL).group(1)
    )
    words = json.loads(zlib.decompress(base64.b64decode(stored["words"])))
    packed = np.frombuffer(zlib.decompress(base64.b64decode(stored["frames"])), dtype=np.uint8)
    packed = packed.reshape(stored["height"], len(words), stored["width"] // 2).transpose(1, 0, 2)
    indices = np.empty((len(words), stored["height"], stored["width"]), dtype=np.uint8)
    indices[:, :, 0::2], indices[:, :, 1::2] = packed >> 4, packed & 15
    return np.array(stored["palette"])[indices], words


def test_the_static_page_holds_every_frame_and_sentence_in_the_order_of_the_states():
    explorer = small()
    html = static_html(explorer)
    frames, words = unpacked(html)
    assert [said for said, _ in words] == [
        f"a is {state['a']}, b is {state['b']}" for state in explorer.states()
    ]
    for frame, state in zip(frames, explorer.states(), strict=True):
        drawn = np.asarray(explorer.frame(state, pixels)[0]).astype(int)
        unpacked_rgb = np.stack([frame >> 16, (frame >> 8) & 255, frame & 255], axis=-1)
        assert np.abs(drawn - unpacked_rgb).mean() < 3
    assert 'alt="a is 2, b is x"' in html
    assert "http" not in html


def test_words_cannot_break_out_of_the_static_page():
    nasty = "</script><img src=x>"
    html = static_html(small(lambda state: Scene(lambda ax: ax.plot([0, 1]), nasty)))
    assert "<img src=x>" not in html
    assert html.count("</script>") == 1
    assert unpacked(html)[1][0][0] == nasty


def test_too_many_states_and_a_start_off_the_scale_are_refused():
    many = tuple(Slider(name, name, tuple(range(6))) for name in "abc")
    with pytest.raises(ParameterError, match="at most 3 sliders and 125 states, but this one has 3 and 216"):
        Explorer("many", many, dict.fromkeys("abc", 0), lambda state: None, height_px=100)
    with pytest.raises(ParameterError, match="a starts at 7"):
        small(start={"a": 7, "b": "x"})


def test_committed_outputs_are_a_picture_and_plain_html(monkeypatch):
    shown = []
    monkeypatch.setenv(VARIABLE, "committed")
    monkeypatch.setattr("IPython.display.display", lambda *things, **_: shown.extend(things))
    small()._ipython_display_()
    picture, words = shown
    assert set(picture) == {"image/png", "text/plain"}
    assert "<script" not in words._repr_html_()
    assert "At the start position: first 2, second x" in words._repr_html_()


def test_an_unknown_mode_is_refused_with_the_known_ones(monkeypatch):
    monkeypatch.setenv(VARIABLE, "paper")
    with pytest.raises(ValueError, match="live, committed, static, but it is 'paper'"):
        mode()
    monkeypatch.delenv(VARIABLE)
    assert mode() is Mode.LIVE
