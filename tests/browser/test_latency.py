"""How long does a reader wait for a picture? Measured alone, after all other tests.

What is measured is written to .site/latency.json, from which `make bench` takes it.
"""

import json
import statistics

import pytest
from conftest import CHAPTERS, ROOT, notebook, run_all

MEASURED = ROOT / ".site" / "latency.json"
FRAME_MS = 16
SLOWEST_AGAINST_CONTROL = 1.3
FIRST_PICTURE_S = 3
# Another program's busy moment says nothing about the page, so the best of three rounds counts.
ROUNDS = 3
# What is aimed at is above. A whole machine can be slow for minutes, and only a fault is slower still.
SLOW_MACHINE = 3
# From the fifth of seven values to every other one: no picture is asked for twice.
KEYS = ["ArrowLeft"] * 4 + ["End", "ArrowLeft"]

# Moves a knob and waits until the explorer has drawn that state.
TO_PICTURE = """
([knob, value]) => new Promise(done => {
  const explorer = knob.closest('.osf-explorer');
  const start = performance.now();
  knob.value = value;
  knob.dispatchEvent(new Event('input', {bubbles: true}));
  new MutationObserver(() => done(performance.now() - start)).observe(explorer, {attributes: true});
})
"""
# One slider and one picture, by hand: the least that any live explorer has to do.
CONTROL = """
import ipywidgets, numpy as np
from osfhelpers.experiments import retries
from osfhelpers.drawing.canvas import new_figure, png, redraw
figure, axes = new_figure(retries.HEIGHT_PX, density=1.5)
losses = retries.SLIDERS[0].values
slider = ipywidgets.IntSlider(value=4, min=0, max=len(losses) - 1)
image = ipywidgets.Image(format="png")
def update(change=None):
    params = retries.Params(reply_loss=losses[slider.value])
    result = retries.simulate(params, trials=10_000, rng=1)
    redraw(axes, lambda ax: retries.draw(ax, result))
    image.value = png(figure)
slider.observe(update, names="value")
update()
box = ipywidgets.VBox([slider, image])
box.add_class("control")
box
"""
EXPLORER = """
from osfhelpers import explore
from osfhelpers.experiments import retries
explore(retries)
"""
# Milliseconds from a key press on the focused slider to the load event of the next picture.
TIMED = """
image => { window.times = []; let pressed = null;
  document.addEventListener('keydown', () => { pressed = performance.now(); }, true);
  image.addEventListener('load', () => {
    if (pressed !== null) window.times.push(performance.now() - pressed); pressed = null; }); }
"""


def record(name, value):
    """Add one measurement to those of this site."""
    stored = json.loads(MEASURED.read_text(encoding="utf-8")) if MEASURED.exists() else {}
    MEASURED.write_text(
        json.dumps({**stored, name: value}, indent=1, sort_keys=True) + "\n", encoding="utf-8"
    )


def best(measure, bound):
    """Measure until a value is within the bound, at most three times, and return the smallest."""
    values = []
    while len(values) < ROUNDS and min(values, default=bound + 1) > bound:
        values.append(measure(len(values)))
    return min(values)


def milliseconds_of_all_moves(page):
    """Move every slider of a page over all its values, and return how long each picture took."""
    times = []
    for explorer in page.locator(".osf-explorer").all():
        explorer.scroll_into_view_if_needed()
        explorer.and_(page.locator("[data-ready]")).wait_for()  # unpacked as it comes into view
        for knob in explorer.locator(".osf-knob input").all():
            handle, last = knob.element_handle(), int(knob.get_attribute("max"))
            at = int(knob.input_value())
            for value in [*range(at - 1, -1, -1), *range(1, last + 1)]:
                times.append(page.evaluate(TO_PICTURE, [handle, str(value)]))
    return times


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.name[:2])
def test_on_the_site_a_picture_comes_within_one_frame(static_page, path):
    page = static_page(f"notebooks/{path.stem}.html").page

    def p95_ms(_):
        return statistics.quantiles(milliseconds_of_all_moves(page), n=20)[-1]

    p95 = best(p95_ms, FRAME_MS)
    record(f"static p95 ms, chapter {path.name[:2]}", round(p95, 1))
    assert p95 <= SLOW_MACHINE * FRAME_MS


def slider_times_ms(page, root):
    """Press an arrow key several times, one picture at a time, and return how long each took."""
    image = page.locator(f"{root} img")
    image.wait_for()
    # The first picture may still be on its way, and must not be taken for the answer to a key.
    page.wait_for_function("root => document.querySelector(root + ' img').naturalWidth > 0", arg=root)
    image.evaluate(TIMED)
    page.locator(f"{root} [role=slider]").first.focus()
    for press, key in enumerate(KEYS):
        page.keyboard.press(key)
        page.wait_for_function(f"window.times.length > {press}")
    return page.evaluate("window.times")


def test_live_an_explorer_answers_nearly_as_fast_as_a_bare_slider_and_picture(lab_page, tmp_path):
    p50_ms = {}

    def ratio(number):
        for root, source in ((".control", CONTROL), (".osf-explorer", EXPLORER)):
            watched = lab_page(notebook(tmp_path, f"{root[1:]}{number}.ipynb", source))
            run_all(watched)
            p50_ms[root] = statistics.median(slider_times_ms(watched.page, root))
        return p50_ms[".osf-explorer"] / p50_ms[".control"]

    against_control = best(ratio, SLOWEST_AGAINST_CONTROL)
    record("live p50 ms, explorer", round(p50_ms[".osf-explorer"]))
    record("live p50 ms, bare slider and picture", round(p50_ms[".control"]))
    record("live, explorer against bare slider", round(against_control, 2))
    assert against_control <= SLOWEST_AGAINST_CONTROL


def test_live_the_first_picture_comes_within_three_seconds_of_a_fresh_kernel(lab_page, tmp_path):
    def seconds(number):
        page = lab_page(notebook(tmp_path, f"first{number}.ipynb", EXPLORER)).page
        started = page.evaluate("performance.now()")
        page.locator(".jp-CodeCell").first.click()
        page.keyboard.press("Shift+Enter")
        page.locator(".osf-explorer img").wait_for()
        return (page.evaluate("performance.now()") - started) / 1000

    first = best(seconds, FIRST_PICTURE_S)
    record("live, first picture after s", round(first, 1))
    assert first <= SLOW_MACHINE * FIRST_PICTURE_S
