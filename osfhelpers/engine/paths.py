"""Is this path safe to write a file to, on every system, as the very string that it is?

A table of small named rules. None of them repairs a path: what is judged is the string that
is used later, character for character. None asks which system it runs on: a path is refused
when any system would read it as something else than a file below the root.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from unicodedata import category, normalize

MOST_BYTES, MOST_SEGMENT_BYTES = 1_000, 255
DEVICES = r"(con|prn|aux|nul|com[0-9]|lpt[0-9]|conin\$|conout\$|clock\$) *(\.[^/]*)?"
SHORT_NAME = r"[^./]{1,6}~[0-9]+(\.[^./]{0,3})?"
# Control, invisible, surrogate and unassigned characters; line and paragraph separators.
UNSEEN = frozenset({"Cc", "Cf", "Cs", "Cn", "Zl", "Zp"})
# Letters and marks that are drawn as nothing at all, and the braille pattern without a dot.
BLANK = r"[\p{Default_Ignorable_Code_Point}\u2800]"
# Characters with a meaning in a path, in an address or in a shell.
SIGNS = frozenset('./\\:%~<>"|?*')


@dataclass(frozen=True)
class PathRule:
    """One reason to refuse a path: its name, a path that breaks it, the reason, and the test."""

    name: str
    example: str
    reason: str
    broken: Callable[[str], bool] = field(repr=False)


def _found(pattern: str) -> Callable[[str], bool]:
    expression = re.compile(pattern, re.IGNORECASE)
    return lambda path: expression.search(path) is not None


def _any_segment(pattern: str) -> Callable[[str], bool]:
    # In compatibility form, since Windows takes the superscript in COM¹ for a digit.
    find = _found(rf"(?:\A|/)(?:{pattern})(?:/|\Z)")
    return lambda path: find(normalize("NFKC", path))


def _too_long(path: str) -> bool:
    sizes = [len(segment.encode("utf-8", "replace")) for segment in path.split("/")]
    return sum(sizes) + len(sizes) > MOST_BYTES or max(sizes) > MOST_SEGMENT_BYTES


def _unseen(path: str) -> bool:
    import regress

    # The categories first: they catch a lone surrogate, which no regular expression can read.
    if not UNSEEN.isdisjoint(map(category, set(path))):
        return True
    return regress.Regex(BLANK, "u").find(path) is not None


def _becomes_a_sign(path: str) -> bool:
    return any(SIGNS.intersection(normalize("NFKC", c)) for c in set(path) - SIGNS)


PATH_RULES = (
    PathRule("too long", "x" * 256, "no system takes a name of that length", _too_long),
    PathRule(
        "look-alike", "‥/x.ts", "normalised, a character becomes a dot, a slash or the like", _becomes_a_sign
    ),
    PathRule("empty", "", "it is empty", _found(r"\A\Z")),
    PathRule("absolute", "/etc/hosts", "it starts at a root, not in the app", _found(r"\A[/\\]")),
    PathRule("drive", "C:/x.ts", "it names a drive", _found(r"\A[a-z]:")),
    PathRule("backslash", r"src\x.ts", "a backslash separates folders on Windows", _found(r"\\")),
    PathRule("dots", "src/../../x.ts", "it has a . or .. segment", _any_segment(r"\.\.?")),
    PathRule("empty segment", "src//x.ts", "it has an empty segment", _any_segment("")),
    PathRule(
        "escape",
        "src/%2e%2e/x.ts",
        "a percent escape may be decoded later",
        _found(r"%([0-9a-f]{2}|u[0-9a-f]{4})"),
    ),
    PathRule("colon", "src/App.tsx:x", "a colon opens a stream of a file on Windows", _found(":")),
    PathRule("sign", "src/a?.ts", 'Windows allows none of < > " | ? *', _found(r'[<>"|?*]')),
    PathRule("unseen", "src/a\u200d.ts", "it holds a character that nobody can see", _unseen),
    PathRule("home", "~/x.ts", "a leading ~ stands for a home folder", _found(r"\A~")),
    PathRule("device", "src/nul.ts", "Windows opens a device by this name", _any_segment(DEVICES)),
    PathRule(
        "short name", "src/COMPON~1.TSX", "Windows may know another file by it", _any_segment(SHORT_NAME)
    ),
    PathRule("end", "src/App.tsx.", "Windows drops a dot or space at the end", _any_segment(r"[^/]*[. ]")),
)


def broken_rule(path: str) -> PathRule | None:
    """Return the first rule that a path breaks, or None when it is safe."""
    return next((rule for rule in PATH_RULES if rule.broken(path)), None)


def folded(path: str) -> str:
    """Return one spelling for all paths that some file system takes for the same."""
    path = normalize("NFKD", path).upper().casefold()
    return normalize("NFKC", normalize("NFKD", path).casefold())


def collisions(paths: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield pairs of safe paths; the second is the first's file, or in it."""
    # With a slash at its end, a path sorts right before all that begin like it.
    marked = iter(sorted((folded(path) + "/", path) for path in paths))
    start, one = next(marked, ("", ""))
    for longer, other in marked:
        if longer.startswith(start):
            yield one, other
        else:
            start, one = longer, other
