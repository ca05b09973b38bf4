"""Can a schema state what a safe path is? A `propertyNames` pattern, and how it has to grow."""

from dataclasses import dataclass

from osfhelpers.engine.validator import full_problems
from osfhelpers.models.path_catalogue import BAD_PATHS, visible

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


def names_schema(steps: int = len(PATTERN)) -> dict[str, dict[str, str]]:
    """Return a schema that holds every name in a map against the pattern."""
    return {"propertyNames": {"pattern": "".join(pattern_lines(steps))}}


@dataclass(frozen=True)
class PatternStep:
    """One step of the pattern: what it adds, its length, and which bad paths it stops and leaves."""

    adds: str
    characters: int
    stops: str
    bad_paths_left: int


def pattern_steps() -> list[PatternStep]:
    """Grow the pattern step by step, and judge the bad paths by the full schema each time."""
    found, left = [], list(BAD_PATHS)
    for number, adds in enumerate(PATTERN, 1):
        passing = [path for path in left if not full_problems(names_schema(number), {path: ""})]
        stopped = ", ".join(visible(path) for path in left if path not in passing)
        found.append(PatternStep(adds, len("".join(pattern_lines(number))), stopped, len(passing)))
        left = passing
    return found
