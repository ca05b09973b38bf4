"""Chapter 07: its guess and its exercises."""

import posixpath
import re
from collections.abc import Callable
from pathlib import PurePosixPath, PureWindowsPath
from urllib.parse import unquote

from osfhelpers.engine.calls import call
from osfhelpers.engine.paths import DEVICES, broken_rule
from osfhelpers.engine.refusals import RuleBroken
from osfhelpers.engine.room import Room
from osfhelpers.engine.validator import argument_problems
from osfhelpers.experiments import room_rules
from osfhelpers.teaching.exercises import Exercise, predict
from osfhelpers.teaching.guesses import Guess

GUESS = Guess(
    number="07",
    question=(
        "Eight bad proposals are sent to a Room: one without src/App.tsx, three with unsafe paths, one "
        "whose name is too long, one whose key is too short, one with an extra field, one with a file that "
        "is no string. How many of the eight does the published schema stop?"
    ),
    options=(2, 4, 6, 7, 8),
    unit="of 8",
    answer=lambda: room_rules.measure(room_rules.Params()).bad("schema"),
    because="The names in a map of strings are any strings, and a path is such a name.",
)

# 07.1: predict a number.

SIX = (
    {"files": {"src/app.tsx": ""}},
    {"idempotency_key": "1"},
    {"files": {"src/App.tsx": None}},
    {"files": {"src/App.tsx": "", "src/./App.tsx": ""}},
    {"files": {}},
    {"icon": "clock"},
)
PASSING = sum(not argument_problems(room_rules.TOOL, room_rules.GOOD | change) for change in SIX)

# 07.2: write the policy.

PATHS = (
    "src/App.tsx",
    "/etc/hosts",
    "src/../../x.ts",
    "src\\..\\x.ts",
    "src/%2e%2e/x.ts",
    "‥/x.ts",
    "C:/x.ts",
    "src/x.ts\n",
    "src//x.ts",
    "src/App.tsx:x",
    "src/x.ts.",
    "src/nul.ts",
    "src/größe.ts",
    "src/components/Timer.test.tsx",
    "public/計時-2.svg",
    "src/console.ts",
)


def judge_check(safe: Callable[[str], bool]) -> str | None:
    """Propose hidden paths to a real Room, and hold the reader's check against its answers."""
    room = Room()
    room.open_to("agent")
    for number, path in enumerate(PATHS):
        arguments = room_rules.GOOD | {"files": {"src/App.tsx": "", path: ""}}
        allowed = safe(path)
        try:
            call(room_rules.TOOL, arguments | {"idempotency_key": f"hidden-{number:04}"}, on=room)
        except RuleBroken as refused:
            if allowed:
                return f"it sends a proposal that the Room refuses: {refused}"
        else:
            if not allowed:
                return f"it refuses {path!r}, an ordinary path that the Room accepts"
    return None


def _ordinary(path: str) -> bool:
    return all(re.fullmatch(r"[\w-]+(\.[\w-]+)*", name) for name in path.split("/"))


def allow_list(path: str) -> bool:
    """Name what may stand in a path, and the few names that may not."""
    return _ordinary(path) and not any(re.fullmatch(DEVICES, name, re.I) for name in path.split("/"))


def _windows_parts(path: str) -> bool:
    parts = PureWindowsPath(path)
    return ".." not in parts.parts and not parts.anchor


# 07.3: transfer to attachments.

ATTACHMENTS = {
    "report.pdf": "report.pdf",
    "report%20Q3.pdf": "report Q3.pdf",
    "minutes%2fQ3.pdf": None,
    "..%2fkeys.txt": None,
    "....%2f%2fkeys.txt": None,
    "%2e%2e%5ckeys.txt": None,
    "%252e%252e%252fkeys.txt": None,
    "budget%2525.txt": None,
    "gr%C3%B6%C3%9Fe.txt": "größe.txt",
}


def judge_attachment(stored_name: Callable[[str], str | None]) -> str | None:
    """Store attachments whose names come percent-encoded, under the names the reader returns."""
    for raw, right in ATTACHMENTS.items():
        name = stored_name(raw)
        if name == right:
            continue
        if name == unquote(raw) and "/" in name:
            return f"{raw!r} is stored as {name!r}: a name for a file in this folder holds no slash"
        if right is None:
            return f"{raw!r} is stored as {name!r}: it should be refused, not repaired or decoded later"
        if name is None:
            return f"{raw!r} is refused, and it is an ordinary name"
        return f"{raw!r} is stored as {name!r}, and {right!r} is the name that was meant and checked"
    return None


def decoded_once(raw: str) -> str | None:
    """Decode first, check the result, and return the very string that was checked."""
    name = unquote(raw)
    return None if "/" in name or broken_rule(name) else name


EXERCISES = (
    predict(
        "07.1",
        "You can decide what a schema leaves to you. Six proposals have one fault each: the only file is "
        "<code>src/app.tsx</code>; the key is <code>'1'</code>; <code>src/App.tsx</code> is null; there is "
        "a <code>src/./App.tsx</code> as well; the map of files is empty; there is a field "
        "<code>icon</code>. How many of the six pass the published schema?",
        right=PASSING,
        wrong={
            "a schema that says map of strings checks the files": (
                0,
                "the schema looks at the values of the map, and never at its names",
            ),
            "only a name in another case passes": (
                1,
                "two names that mean one file are two names to a schema, and a missing name is not missed",
            ),
            "an empty map is refused": (
                2,
                "an empty map is a map of strings: nothing in this schema asks for src/App.tsx",
            ),
            "null counts as a string": (4, "null is no string, and the key has fewer than 8 characters"),
            "a schema states nothing": (
                6,
                "the schema does state the key's length, the type of a file and which fields exist",
            ),
        },
        hints=("Which of the six are about a value or a field, and which about a name inside the map?",),
        worked="3: the lower-case name, the second name for one file, and the empty map.",
        advice="ask of each whether it is about a name in the map",
    ),
    Exercise(
        number="07.2",
        title="Write the check",
        task=(
            "You can write the check that a client makes before it sends a proposal. Complete "
            "<code>safe(path)</code>: return whether to send this path. It is asked about hidden paths, and "
            "each is then proposed to a real Room: what you let through must be accepted, and you must not "
            "refuse what the Room accepts. "
            "<code>DEVICES</code> is a pattern for the device names of Windows; match it without regard to "
            "case."
        ),
        hints=(
            "A list of what is forbidden is never complete. Say what a name may consist of.",
            r"re.fullmatch(r'[\w-]+(\.[\w-]+)*', name) takes letters of any script.",
        ),
        worked=(
            "def safe(path):\n"
            '    names = path.split("/")\n'
            r'    allowed = all(re.fullmatch(r"[\w-]+(\.[\w-]+)*", name) for name in names)'
            "\n    return allowed and not any(re.fullmatch(DEVICES, name, re.I) for name in names)"
        ),
        answer=allow_list,
        judge=judge_check,
        misconceptions={
            "no dots, no trouble": lambda path: ".." not in path,
            "only absolute paths leave the folder": lambda path: not path.startswith("/"),
            "normpath makes it safe": lambda path: not posixpath.normpath(path).startswith(("..", "/")),
            "the parts of a Windows path": _windows_parts,
            "letters and digits only, no devices in mind": _ordinary,
            "ASCII is enough": lambda path: allow_list(path) and path.isascii(),
        },
    ),
    Exercise(
        number="07.3",
        title="Take it to attachments",
        task=(
            "You can do the same for a tool that is not osFoundry's. A ticket tool stores attachments in one "
            "folder, and their names arrive percent-encoded, once. Write <code>stored_name(raw)</code>: it "
            "returns the name to store the file under, or <code>None</code> to refuse it. "
            "<code>broken_rule(path)</code> returns the rule that a path breaks, or <code>None</code>."
        ),
        hints=(
            "Decode, then check, then return exactly what you checked.",
            "A safe path may lead into another folder. May a name?",
        ),
        worked=(
            "def stored_name(raw):\n"
            "    name = unquote(raw)\n"
            '    return None if "/" in name or broken_rule(name) else name'
        ),
        answer=decoded_once,
        judge=judge_attachment,
        misconceptions={
            "check, then decode": lambda raw: None if ".." in raw or "/" in raw else unquote(raw),
            "remove what is bad": lambda raw: unquote(raw).replace("../", ""),
            "decode until nothing changes": lambda raw: decoded_once(unquote(raw)),
            "a safe path is a safe name": lambda raw: None if broken_rule(unquote(raw)) else unquote(raw),
            "keep the last part": lambda raw: PurePosixPath(unquote(raw)).name,
            "check the decoded name, store the raw one": lambda raw: decoded_once(raw) and raw,
        },
    ),
)
