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
from pathlib import PurePosixPath, PureWindowsPath
from types import ModuleType
from unicodedata import normalize
from urllib.parse import unquote

from osfhelpers.engine.paths import DEVICES, broken_rule, collisions
from osfhelpers.engine.rules import ENTRY_POINT
from osfhelpers.engine.validator import full_problems
from osfhelpers.models.path_pattern import names_schema


@dataclass(frozen=True)
class System:
    """How a family of systems reads a path: its module, its pure path, and the folder of the app on it."""

    name: str
    os_path: ModuleType = field(repr=False)
    pure_path: type
    root: str

    def in_full(self, path: str) -> str:
        """Return a path of the app from the root on, without any dots."""
        return self.os_path.normpath(self.os_path.join(self.root, path))


POSIX = System("POSIX", posixpath, PurePosixPath, "/rooms/timer")
WINDOWS = System("Windows", ntpath, PureWindowsPath, "D:\\rooms\\timer")
SYSTEMS = {system.name: system for system in (POSIX, WINDOWS)}


def _normal(path: str, on: System) -> bool:
    path = on.os_path.normpath(path)
    return not (path.startswith("..") or on.pure_path(path).is_absolute())


def _parts(path: str, on: System) -> bool:
    parts = on.pure_path(path)
    return ".." not in parts.parts and not parts.is_absolute()


def _server_rules(path: str, on: System) -> bool:
    return broken_rule(path) is None and (path == ENTRY_POINT or not list(collisions([ENTRY_POINT, path])))


@dataclass(frozen=True)
class Check:
    """A check as people write it, in words and as a function of the path and the system.

    Args:
        afterwards: what happens to the path after the check.
        in_full: whether the check reads the path from the root on, and not as it was sent.
    """

    code: str
    accepts: Callable[[str, System], bool] = field(repr=False)
    afterwards: Callable[[str], str] = field(repr=False, default=str)
    in_full: bool = False


CHECKS = {
    check.code: check
    for check in (
        Check('not path.startswith("/")', lambda path, on: not path.startswith("/")),
        Check('".." not in path', lambda path, on: ".." not in path),
        Check("normpath(path) is relative", _normal),
        Check("join(root, path).startswith(root)", lambda path, on: path.startswith(on.root), in_full=True),
        Check(
            "(root / path).resolve() below root",
            lambda path, on: on.pure_path(path).is_relative_to(on.root),
            in_full=True,
        ),
        Check('".." not in Path(path).parts', _parts),
        Check("the same, then unquote(path)", _parts, unquote),
        Check("the same, then normalize(path)", _parts, lambda path: normalize("NFKC", path)),
        Check(
            "propertyNames with a pattern", lambda path, on: not full_problems(names_schema(2), {path: ""})
        ),
        Check("the server rules", _server_rules),
    )
}


def landing(path: str, on: System) -> tuple[str, str]:
    """Return what a system opens for this path in the app's folder, and the harm, if any, of that."""
    place = on.in_full(path)
    if place == on.root:
        return place, "the folder itself"
    if not place.startswith(on.root + on.os_path.sep):
        return place, "outside the app"
    if on is WINDOWS:
        names = [name.rstrip(". ") for name in place[len(on.root) + 1 :].split("\\")]
        if any(re.fullmatch(DEVICES, name, re.IGNORECASE) for name in names):
            return names[-1], "a device"
        place = "\\".join((on.root, *names))
        if ":" in place[len(on.root) :]:
            return place, "a hidden stream"
        entry = on.in_full(ENTRY_POINT)
        if path != ENTRY_POINT and place.casefold() == entry.casefold():
            return entry, f"overwrites {ENTRY_POINT}"
    return place, ""


@dataclass(frozen=True)
class Journey:
    """One path on its way: as sent, judged by a check on one system, used on another."""

    path: str
    read: str
    accepted: bool
    used: str
    place: str
    harm: str


def journey(path: str, check: str, checked_on: System, used_on: System) -> Journey:
    """Return what a check says of a path, and where the path leads if it is used all the same."""
    found = CHECKS[check]
    read, used = checked_on.in_full(path) if found.in_full else path, found.afterwards(path)
    return Journey(path, read, found.accepts(read, checked_on), used, *landing(used, used_on))


@dataclass(frozen=True)
class Opinion:
    """What one check says of a path, and what is then opened."""

    check: str
    says: str
    opened: str


def opinions(path: str, checked_on: System, used_on: System) -> list[Opinion]:
    """Return what every check says of one path: the box to try a path in."""
    found = [journey(path, check, checked_on, used_on) for check in CHECKS]
    return [
        Opinion(check, "passes", f"{one.harm or 'in the app'}: {one.place}")
        if one.accepted
        else Opinion(check, "refused", "nothing")
        for check, one in zip(CHECKS, found, strict=True)
    ]
