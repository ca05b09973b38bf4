"""Which checks of a path do people write, and where does a path that passes really lead?

Each check is one that reviews and bug reports are full of. It reads some string; another
string is used afterwards, by some system. Both systems are played on any machine, with
`posixpath` and `ntpath`; nothing is written. What Windows does beyond `ntpath` (devices,
streams, dropped dots and spaces, case) is written down here.
"""

import ntpath
import posixpath
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from pathlib import PurePosixPath, PureWindowsPath
from types import ModuleType
from unicodedata import normalize
from urllib.parse import unquote

from osfhelpers.engine.paths import DEVICES, PATH_RULES, broken_rule, collisions
from osfhelpers.engine.rules import ENTRY_POINT
from osfhelpers.engine.validator import full_problems


@dataclass(frozen=True)
class Behaviour:
    """How a system reads a path: its module, its pure path, and the folder of the app on it."""

    words: str
    os_path: ModuleType = field(repr=False)
    pure_path: type
    root: str


class System(Enum):
    """The two families of systems that a path may meet."""

    POSIX = Behaviour("POSIX", posixpath, PurePosixPath, "/rooms/timer")
    WINDOWS = Behaviour("Windows", ntpath, PureWindowsPath, "D:\\rooms\\timer")


def _starts(path: str, on: Behaviour) -> bool:
    return not path.startswith("/")


def _no_dots(path: str, on: Behaviour) -> bool:
    return ".." not in path


def _normal(path: str, on: Behaviour) -> bool:
    path = on.os_path.normpath(path)
    return not (path.startswith("..") or on.pure_path(path).is_absolute())


def _in_full(path: str, on: Behaviour) -> str:
    return on.os_path.normpath(on.os_path.join(on.root, path))


def _joined(path: str, on: Behaviour) -> bool:
    return _in_full(path, on).startswith(on.root)


def _relative(path: str, on: Behaviour) -> bool:
    return on.pure_path(_in_full(path, on)).is_relative_to(on.root)


def _parts(path: str, on: Behaviour) -> bool:
    parts = on.pure_path(path)
    return ".." not in parts.parts and not parts.is_absolute()


def _pattern(path: str, on: Behaviour) -> bool:
    return not full_problems({"propertyNames": {"pattern": pattern(2)}}, {path: ""})


def _server_rules(path: str, on: Behaviour) -> bool:
    return broken_rule(path) is None and (path == ENTRY_POINT or not list(collisions([ENTRY_POINT, path])))


@dataclass(frozen=True)
class Check:
    """A check as people write it: the string it reads, and what happens to the path afterwards."""

    code: str
    accepts: Callable[[str, Behaviour], bool] = field(repr=False)
    afterwards: Callable[[str], str] = field(repr=False, default=str)
    reads: Callable[[str, Behaviour], str] = field(repr=False, default=lambda path, on: path)


CHECKS = {
    check.code: check
    for check in (
        Check('not path.startswith("/")', _starts),
        Check('".." not in path', _no_dots),
        Check("normpath(path) is relative", _normal),
        Check("join(root, path).startswith(root)", _joined, reads=_in_full),
        Check("(root / path).resolve() below root", _relative, reads=_in_full),
        Check('".." not in Path(path).parts', _parts),
        Check("the same, then unquote(path)", _parts, unquote),
        Check("the same, then normalize(path)", _parts, lambda path: normalize("NFKC", path)),
        Check("propertyNames with a pattern", _pattern),
        Check("the server rules", _server_rules),
    )
}

BAD_PATHS = (
    "/etc/hosts",
    "src/../../x.ts",
    "../timer-2/x.ts",
    "src\\..\\..\\x.ts",
    "C:/x.ts",
    "//server/share/x.ts",
    "%2e%2e/x.ts",
    "‥/x.ts",
    "src/App.tsx:x",
    "src/nul.ts",
    "src/App.tsx.",
    "SRC/app.tsx",
)
GOOD_PATHS = ("src/App.tsx", "src/größe.ts", "src/a..b.ts")


@dataclass(frozen=True)
class Landing:
    """Where a path leads on a system, and what is wrong with that; no harm is an empty text."""

    place: str
    harm: str


def landing(path: str, on: Behaviour) -> Landing:
    """Return what a system opens when it is given this path in the app's folder."""
    place = _in_full(path, on)
    if not place.startswith(on.root + on.os_path.sep):
        return Landing(place, "outside the app")
    if on is System.WINDOWS.value:
        names = [name.rstrip(". ") for name in place[len(on.root) + 1 :].split("\\")]
        if any(re.fullmatch(DEVICES, name, re.IGNORECASE) for name in names):
            return Landing(names[-1], "a device")
        place = "\\".join((on.root, *names))
        if ":" in place[len(on.root) :]:
            return Landing(place, "a hidden stream")
        entry = _in_full(ENTRY_POINT, on)
        if path != ENTRY_POINT and place.casefold() == entry.casefold():
            return Landing(entry, f"overwrites {ENTRY_POINT}")
    return Landing(place, "")


@dataclass(frozen=True)
class Journey:
    """One path on its way: as sent, judged by a check on one system, used on another."""

    path: str
    check: str
    read: str
    accepted: bool
    used: str
    place: str
    harm: str


def journey(path: str, check: str, checked_on: System, used_on: System) -> Journey:
    """Return what a check says of a path, and where the path leads if it is used all the same."""
    found, on = CHECKS[check], checked_on.value
    used = found.afterwards(path)
    lands = landing(used, used_on.value)
    return Journey(path, check, found.reads(path, on), found.accepts(path, on), used, lands.place, lands.harm)


@dataclass(frozen=True)
class Opinion:
    """What one check says of a path on each system, and where the path then leads."""

    check: str
    on_posix: str
    on_windows: str


def opinions(path: str) -> list[Opinion]:
    """Return what every check says of one path: the box to try a path in."""
    return [Opinion(check, *(_words(journey(path, check, on, on)) for on in System)) for check in CHECKS]


def _words(found: Journey) -> str:
    if not found.accepted:
        return "refused"
    return f"passes: {found.harm}, {found.place}" if found.harm else "passes, stays in the app"


@dataclass(frozen=True)
class Entry:
    """One server rule of a path, to look up: a path that breaks it, and why it is refused."""

    rule: str
    refused_for_example: str
    because: str


def catalogue() -> list[Entry]:
    """Return the server rules of a path as a table to look things up in."""
    return [Entry(rule.name, visible(rule.example), rule.reason) for rule in PATH_RULES]


def visible(path: str) -> str:
    """Return a path as a reader can see it: a character that looks like another by its number."""
    if len(path) > 50:
        return f"{path[:8]}… ({len(path)} characters)"
    return "".join(c if c.isascii() or c.isalpha() else f"[U+{ord(c):04X}]" for c in path) or "(nothing)"


PATTERN = {
    "not absolute, no backslash": r"^(?!/)",
    "no . or .. or empty segment": r"(?!(.*/)?\.{0,2}(/|$))",
    "no colon, no control character": r"(?!.*[:\u0000-\u001f\u007f])",
    "no dot or space at an end": r"(?!.*[. ](/|$))",
    "no percent escape": r"(?!.*%[0-9a-fA-F]{2})",
    "no look-alike of a dot or slash": r"(?!.*[\u2024-\u2026\u2100\u2101\ufe52\uff0e\uff0f\uff3c])",
    "no device such as NUL": r"(?!(.*/)?([cC][oO][nN]|[pP][rR][nN]|[aA][uU][xX]|[nN][uU][lL])(\.|/|$))",
    "no device such as COM1": r"(?!(.*/)?([cC][oO][mM]|[lL][pP][tT])\d(\.|/|$))",
}


def pattern_lines(steps: int = len(PATTERN)) -> list[str]:
    """Return the pattern of a safe path after its first steps, in lines to be joined."""
    return [*list(PATTERN.values())[:steps], r"[^\\]+$"]


def pattern(steps: int = len(PATTERN)) -> str:
    """Return the pattern after its first steps."""
    return "".join(pattern_lines(steps))


@dataclass(frozen=True)
class PatternStep:
    """A `propertyNames` pattern that grows: what is added, its length, and what still passes."""

    adds: str
    characters: int
    bad_paths_that_pass: str


def pattern_steps() -> list[PatternStep]:
    """Grow the pattern step by step, and judge the bad paths by the full schema each time."""
    found = []
    for number, adds in enumerate(PATTERN, 1):
        schema = {"propertyNames": {"pattern": pattern(number)}}
        passing = [visible(path) for path in BAD_PATHS if not full_problems(schema, {path: ""})]
        found.append(PatternStep(adds, len(pattern(number)), f"{len(passing)}: {', '.join(passing)}"))
    return found
