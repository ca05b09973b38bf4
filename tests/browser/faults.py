"""What would a reader of this page miss?

Each function looks at an open page of the site and yields its faults as sentences, so that one
visit serves every question.
"""

from functools import cache
from pathlib import Path
from urllib.parse import unquote, urldefrag, urlparse

from bs4 import BeautifulSoup

READER = Path(__file__).with_name("reader.js").read_text(encoding="utf-8")
# Characters: the kind of picture, its axes and its message do not fit into fewer.
SHORTEST_ALT = 30
DESK_PX = 1280
# Of an explorer, in the order in which reader.js returns them.
PARTS = ("state", "picture", "alternative text", "sentence", "table")


def at_rest(page, width):
    """Yield what is wrong before the reader touches anything."""
    facts = page.evaluate(f"{READER}; reader.atRest()")
    if facts["width"] > width:
        yield f"the page is {facts['width']} px wide on a screen of {width}"
    # On a phone a wide table scrolls in its own box; at a desk it has to fit.
    for box in facts["cut"] if width >= DESK_PX else ():
        yield f"cut: {box}"
    for alt, seen in facts["pictures"]:
        if not seen:
            yield f"a picture is not shown: {alt!r}"
        if len(alt) <= SHORTEST_ALT or " " not in alt:
            yield f"no real alternative text: {alt!r}"
    for link in facts["links"]:
        yield from _of_link(link)


def _of_link(link):
    address, anchor = urldefrag(link)
    parts = urlparse(address)
    if parts.scheme != "file":
        return
    target = Path(unquote(parts.path))
    if not target.is_file():
        yield f"dead link: {link}"
    elif anchor and unquote(anchor) not in _anchors(target):
        yield f"dead anchor: {link}"


@cache
def _anchors(path):
    soup = BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")
    return {element["id"] for element in soup.select("[id]")}


def of_sliders(page):
    """Move each slider to its end by keyboard: picture, sentence and table follow, and come back."""
    for explorer in page.locator(".osf-explorer").all():
        back = explorer.locator(".osf-back")
        start = _after(explorer, back, "Enter")
        if start[0] is None:
            yield f"an explorer does not answer its button: {explorer.get_attribute('aria-label')}"
            continue
        for knob in explorer.locator(".osf-knob input, .osf-knob select").all():
            name = " ".join(knob.locator("xpath=..").locator("span").text_content().split())
            moved = _after(explorer, knob, "Home" if knob.input_value() != "0" else "End")
            for part, old, new in zip(PARTS, start, moved, strict=True):
                if old == new != "":
                    yield f"the slider {name} does not change the {part}"
            if _after(explorer, back, "Enter") != start:
                yield f"the button does not undo the slider {name}"


def _after(explorer, control, key):
    """Press a key on a control, wait for the next state, and return what the explorer shows."""
    before = explorer.get_attribute("data-index")
    control.press(key)
    return explorer.evaluate("(explorer, before) => reader.shownAfter(explorer, before)", before)


def of_states(page):
    """Go through every state of every explorer."""
    for explorer in page.locator(".osf-explorer").all():
        yield from explorer.evaluate("explorer => reader.faultsOfStates(explorer)")


def of_keyboard(page):
    """Walk the page by Tab: all that can be used is reached, and the focus is seen there."""
    for _ in range(page.evaluate("reader.watchFocus()") + 5):
        page.keyboard.press("Tab")
    yield from page.evaluate("reader.faultsOfFocus()")


def of_folded_answers(page):
    """Open every folded answer by keyboard, and fold it again."""
    for folded in page.locator("article details:not(details details)").all():
        summary = folded.locator("summary").first
        was_open = folded.evaluate("folded => folded.open")
        for key, wanted in (("Enter", not was_open), ("Space", was_open)):
            summary.press(key)
            if folded.evaluate("folded => folded.open") != wanted:
                yield f"{key} does not unfold or fold “{summary.text_content()}”"


def of_unseen(page):
    """Yield what an article hides from a reader without scripts, folded answers apart."""
    for words in page.evaluate(f"{READER}; reader.unseen()"):
        yield f"is not seen: {words!r}"
