"""Which paths are bad, which look bad and are good, and which server rule refuses what?"""

from dataclasses import dataclass

from osfhelpers.engine.paths import PATH_RULES

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
LONGEST_SHOWN = 80


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
    """Return a path as a reader can see it: by its number, what looks like nothing or like another sign."""
    if len(path) > LONGEST_SHOWN:
        return f"{visible(path[:8])}… ({len(path)} characters)"
    return "".join(c if "!" <= c <= "~" or c.isalpha() else f"[U+{ord(c):04X}]" for c in path) or "(nothing)"
