"""Is every page of the built site whole? Links, pictures, headings, sizes, explorers; nothing outside.

python tools/check_site.py .site/html       prints each fault; exits with 1 when there is one
"""

import base64
import binascii
import gzip
import itertools
import json
import re
import sys
import zlib
from collections.abc import Iterator
from math import prod
from pathlib import Path
from urllib.parse import unquote, urlsplit

from bs4 import BeautifulSoup, Tag

MOST_BYTES = 1_500_000
MOST_BYTES_GZIPPED = 1_000_000
SHORTEST_ALT = 30
OUTSIDE = re.compile(r"(https?:)?//")
STYLE_ADDRESS = re.compile(r"""(?:url\(|@import)\s*["']?((?:https?:)?//[^"')\s]+)""")


def faults(site: Path) -> list[str]:
    """Return every fault of a site, each with its page."""
    pages = {path: BeautifulSoup(path.read_bytes(), "html.parser") for path in sorted(site.rglob("*.html"))}
    if not pages:
        return [f"no page in {site}; build the site: make site"]
    anchors = {path: {tag["id"] for tag in page.find_all(id=True)} for path, page in pages.items()}
    found = []
    for path, page in pages.items():
        checks = (
            broken_links(path, page, anchors),
            outside_requests(page),
            unclear_pictures(page),
            wrong_headings(page),
            too_large(path.read_bytes()),
            broken_explorers(page),
        )
        found += [f"{path.relative_to(site).as_posix()}: {fault}" for check in checks for fault in check]
    for path in sorted(site.rglob("*.css")):
        for address in STYLE_ADDRESS.findall(path.read_text(encoding="utf-8")):
            found.append(f"{path.relative_to(site).as_posix()}: asks for {address}")
    return found


def broken_links(path: Path, page: BeautifulSoup, anchors: dict[Path, set[str]]) -> Iterator[str]:
    """Yield each link into the site whose file or anchor is not there."""
    for tag, name in itertools.product(page.find_all(["a", "link", "script", "img"]), ("href", "src")):
        address = urlsplit(tag.get(name, "#"))
        if address.scheme or address.netloc:
            continue
        target = (path.parent / unquote(address.path)).resolve() if address.path else path
        if not target.is_file():
            yield f"{tag[name]} leads nowhere"
        elif address.fragment and target in anchors and unquote(address.fragment) not in anchors[target]:
            yield f"{tag[name]} names no place on its page"


def outside_requests(page: BeautifulSoup) -> Iterator[str]:
    """Yield each address outside the site that a browser would ask for by itself."""
    for tag in page.find_all(["script", "link", "img", "iframe", "source", "video", "audio", "object"]):
        for name in ("src", "href", "srcset", "data"):
            if OUTSIDE.match(tag.get(name, "")):
                yield f"asks for {tag[name]}"
    styles = [tag.get_text() for tag in page.find_all("style")]
    for style in [*styles, *(tag["style"] for tag in page.find_all(style=True))]:
        yield from (f"asks for {address}" for address in STYLE_ADDRESS.findall(style))


def unclear_pictures(page: BeautifulSoup) -> Iterator[str]:
    """Yield each picture of the article whose alternative text is missing or says next to nothing."""
    for picture in page.select("article img"):
        alt = picture.get("alt", "")
        if len(alt) < SHORTEST_ALT or " " not in alt:
            yield f"a picture has the alternative text {alt!r}"


def wrong_headings(page: BeautifulSoup) -> Iterator[str]:
    """Yield what is wrong with the headings of the article: one of level 1, and no level left out."""
    headings = page.select(", ".join(f"article h{level}" for level in range(1, 7)))
    levels = [int(heading.name[1]) for heading in headings]
    if page.article and levels.count(1) != 1:
        yield f"has {levels.count(1)} headings of level 1"
    for (before, after), heading in zip(itertools.pairwise(levels), headings[1:], strict=True):
        if after > before + 1:
            yield f"the heading {heading.get_text()!r} leaves out a level"


def too_large(content: bytes) -> Iterator[str]:
    """Yield the size of a page that is too large, as it lies or as it travels."""
    if len(content) > MOST_BYTES or len(gzip.compress(content)) > MOST_BYTES_GZIPPED:
        yield f"has {len(content):,} bytes"


def broken_explorers(page: BeautifulSoup) -> Iterator[str]:
    """Yield what is wrong with the stored states of each explorer; see osfhelpers/teaching/static.py."""
    for explorer in page.select(".osf-explorer"):
        try:
            wrong = _wrong_states(explorer)
        except (ValueError, KeyError, TypeError, AttributeError, zlib.error, binascii.Error) as error:
            wrong = f"cannot be unpacked: {error!r}"
        if wrong:
            yield f"the explorer {explorer.get('aria-label')!r} {wrong}"


def _wrong_states(explorer: Tag) -> str:
    knobs = explorer.select("[data-count]")
    states = prod(int(knob["data-count"]) for knob in knobs)
    stored = json.loads(explorer.select_one('script[type="application/json"]').get_text())
    words = json.loads(zlib.decompress(base64.b64decode(stored["words"], validate=True)))
    frames = zlib.decompress(base64.b64decode(stored["frames"], validate=True))
    start = 0
    for knob in knobs:
        start = start * int(knob["data-count"]) + int(knob["data-start"])
    if len(words) != states or len(frames) != states * stored["height"] * stored["width"] // 2:
        return f"has {len(words)} sentences and {len(frames)} bytes of pictures for {states} states"
    if not all(sentence.strip() for sentence, _ in words):
        return "has a state without a sentence"
    if explorer.select_one(".osf-say").get_text() != words[start][0]:
        return "shows another sentence than that of its start"
    return ""


if __name__ == "__main__":
    found = faults(Path(sys.argv[1]).resolve())
    print("\n".join(found), file=sys.stderr)
    sys.exit(1 if found else 0)
