"""When are two URLs one page, and which key names it?

Seven normalising steps, one function each, in one table; each can be switched off. Three of
them (host case, the library's syntax step, and a missing scheme that is repaired) rest on
standards. The others are bets on how sites are run, and `osfhelpers.experiments.url_steps` counts
what they lose. A URL that names no page of its own gets an answer that says why; that answer never
repeats the URL, so that no password in it is shown or becomes part of a key.
"""

import hashlib
import re
from collections.abc import Callable, Iterable
from enum import Enum
from typing import NamedTuple

from ada_url import URL, check_url

from osfhelpers.engine.keys import Attempt, canonical

PARTS = re.compile(
    r"(?:(?P<scheme>[a-z][a-z0-9+.-]*):)?(?://(?P<authority>[^/?#]*))?"
    r"(?P<path>[^?#]*)(?:\?(?P<query>[^#]*))?(?:#(?P<fragment>.*))?",
    re.IGNORECASE,
)
AUTHORITY = re.compile(r"(?P<host>\[[^\]]*\]|[^:\[\]]+)(?::(?P<port>[0-9]*))?")
# A host without a scheme has a dot inside; `www.foo.com:80/foo` is one, and no scheme "www.foo.com".
BARE_HOST = re.compile(r"(?://)?[^\W_][^/?#:@]*\.[^/?#:@.][^/?#:@]*(?::(?P<port>[0-9]*))?(?=[/?#]|$)")
# Parsers disagree about these, or drop them without a word.
FORBIDDEN = re.compile(r"[\s\x00-\x20\x7f-\x9f\\\ud800-\udfff]")


class Why(Enum):
    """Why a text names no page that a Note could cite."""

    UNPARSABLE = "no URL: it holds a space or a backslash, or a host or port that cannot be"
    RELATIVE = "a relative address: it names a page only beside another page; give the whole URL"
    NO_HOST = "not absolute: after http: or https: come two slashes and a host"
    NOT_WEB = "no page: a citation is an http or https URL, not an e-mail address, file or script"
    CREDENTIALS = "it carries a user name or password; cite the page without them"


class NotAPage(ValueError):
    """A text that names no page; the message says why and does not repeat the text."""

    def __init__(self, why: Why) -> None:
        super().__init__(why.value)
        self.why = why


class Url(NamedTuple):
    """The parts of a web address; a query or fragment that is missing is None, not empty."""

    scheme: str
    host: str
    port: str
    path: str
    query: str | None
    fragment: str | None

    def __str__(self) -> str:
        scheme = f"{self.scheme}:" if self.scheme else ""
        port = f":{self.port}" if self.port else ""
        query = "" if self.query is None else f"?{self.query}"
        fragment = "" if self.fragment is None else f"#{self.fragment}"
        return f"{scheme}//{self.host}{port}{self.path}{query}{fragment}"


def read(text: str) -> Url:
    """Split a web address into its parts, whose spelling is kept; a missing scheme stays empty.

    Raises:
        NotAPage: the text is unparsable, relative, no web address, or carries credentials.
    """
    text = text.strip()
    if BARE_HOST.match(text):
        text = "//" + text.removeprefix("//")
    parts = PARTS.fullmatch(text)
    if parts is None or FORBIDDEN.search(text):
        raise NotAPage(Why.UNPARSABLE)
    scheme = (parts["scheme"] or "").lower()
    if scheme not in ("", "http", "https"):
        raise NotAPage(Why.NOT_WEB)
    if not parts["authority"]:
        raise NotAPage(Why.NO_HOST if scheme else Why.RELATIVE)
    if "@" in parts["authority"]:
        raise NotAPage(Why.CREDENTIALS)
    place = AUTHORITY.fullmatch(parts["authority"])
    if place is None:
        raise NotAPage(Why.UNPARSABLE)
    url = Url(scheme, place["host"], place["port"] or "", *parts.group("path", "query", "fragment"))
    if not check_url(str(url._replace(scheme=scheme or "https"))):
        raise NotAPage(Why.UNPARSABLE)
    return url


def https(url: Url) -> Url:
    """A missing scheme and http become https; port 80 goes, and http on another port stays."""
    if url.scheme != "https" and url.port.lstrip("0") == "80":
        return url._replace(scheme="https", port="")
    if url.scheme == "http" and url.port:
        return url
    return url._replace(scheme="https")


def host_case(url: Url) -> Url:
    """The host in lower case."""
    return url._replace(host=url.host.lower())


def syntax(url: Url) -> Url:
    """What any URL library does: default port, empty path, dot segments, percent-encoding, IDNA."""
    return read(URL(str(url)).href)


def www(url: Url) -> Url:
    """The host without a leading www., where a host remains."""
    return url._replace(host=re.sub(r"^(?:www\.)+(?=[^.]+\.[^.])", "", url.host))


def fragment(url: Url) -> Url:
    """Everything before the first #."""
    return url._replace(fragment=None)


def utm(url: Url) -> Url:
    """The query without the parameters whose names start with utm_."""
    if url.query is None:
        return url
    parts = url.query.split("&")
    kept = [part for part in parts if not part.startswith("utm_")]
    return url if kept == parts else url._replace(query="&".join(kept) or None)


def trailing_slash(url: Url) -> Url:
    """The path without slashes at its end."""
    return url._replace(path=url.path.rstrip("/") or "/")


# In this order; a step that is switched off is left out, and the others stay where they are.
STEPS: dict[str, Callable[[Url], Url]] = {
    "https": https,
    "host case": host_case,
    "syntax": syntax,
    "www": www,
    "fragment": fragment,
    "utm_*": utm,
    "trailing slash": trailing_slash,
}


def trace(text: str, steps: Iterable[str] = tuple(STEPS)) -> dict[str, str]:
    """Return what a URL has become after each of the chosen steps, by the step's name.

    Raises:
        NotAPage: there is nothing to normalise, or no step is on that repairs the missing scheme.
        KeyError: a step is not in the table.
    """
    chosen = {*steps}
    if unknown := chosen - STEPS.keys():
        raise KeyError(f"there is no step {sorted(unknown)}; the steps are {', '.join(STEPS)}")
    url = read(text)
    if not url.scheme and "https" not in chosen:
        raise NotAPage(Why.RELATIVE)
    seen = {"as written": text.strip()}
    for name, step in STEPS.items():
        if name in chosen:
            url = step(url)
            seen[name] = str(url)
    return {**seen, "normalised": str(url)}


def normalise(text: str, steps: Iterable[str] = tuple(STEPS)) -> str:
    """Return the one spelling that stands for a page, by the chosen steps; see `trace`."""
    return trace(text, steps)["normalised"]


def same_page(a: str, b: str, steps: Iterable[str] = tuple(STEPS)) -> bool:
    """Whether the chosen steps merge two URLs; what names no page is merged with nothing."""
    try:
        return normalise(a, steps) == normalise(b, steps)
    except NotAPage:
        return False


def browser_href(text: str) -> str:
    """Return what a form compares that parses a typed link as a browser does.

    Raises:
        NotAPage: a browser cannot parse it, it is no web address, or it carries credentials.
    """
    text = text.strip()
    if bare := BARE_HOST.match(text):
        scheme = "http" if bare["port"] == "80" else "https"
        text = f"{scheme}://{text.removeprefix('//')}"
    try:
        url = URL(text)
    except ValueError:  # a lone surrogate, which UTF-8 cannot encode, is one as well
        raise NotAPage(Why.UNPARSABLE) from None
    if url.protocol not in ("http:", "https:"):
        raise NotAPage(Why.NOT_WEB)
    if url.username or url.password:
        raise NotAPage(Why.CREDENTIALS)
    return url.href


def normalised_url_key(attempt: Attempt) -> str:
    """Name the intent: this page is one source of this Note.

    Raises:
        NotAPage: the URL names no page; nothing should be sent.
    """
    page = normalise(attempt.intent["url"])
    meant = canonical([attempt.intent["note_id"], page])
    return "source-" + hashlib.sha256(meant).hexdigest()
