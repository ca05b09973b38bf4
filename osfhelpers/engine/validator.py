"""Does a call fit its input schema? Two answers: a small validator's and the full one's.

The small validator is the teaching one. It knows seven keywords, one function each, in one
table, and says which other keywords it ignored: never silently "ok". The full validator is
`jsonschema` for draft 2020-12, with regular expressions matched as ECMA-262 does.
"""

import json
import sys
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from osfhelpers.engine.refusals import Problem
from osfhelpers.engine.snapshot import tool

LONGEST_MESSAGE = 160
Problems = Iterator[Problem]


def json_equal(a: Any, b: Any) -> bool:
    """Compare as JSON does: `1` equals `1.0`, and neither equals `true`."""
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(json_equal, a, b))
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(json_equal(a[name], b[name]) for name in a)
    return a == b


# One function per keyword: (the keyword's value, the instance, the whole schema) -> problems.
# A keyword says nothing about instances of another type, as the specification asks.


def _required(names: list, instance: Any, schema: dict) -> Problems:
    if isinstance(instance, dict):
        yield from (Problem("", f"missing {name}") for name in names if name not in instance)


def _properties(properties: dict, instance: Any, schema: dict) -> Problems:
    if isinstance(instance, dict):
        for name, part in properties.items():
            if name in instance:
                yield from _at(name, _problems(part, instance[name]))


def _additional_properties(allowed: Any, instance: Any, schema: dict) -> Problems:
    if isinstance(instance, dict):
        known = schema.get("properties", {})
        for name in (name for name in instance if name not in known):
            if allowed is False:
                yield Problem("", f"unexpected {name}")
            else:
                yield from _at(name, _problems(allowed, instance[name]))


def _items(part: Any, instance: Any, schema: dict) -> Problems:
    if isinstance(instance, list):
        for index, item in enumerate(instance):
            yield from _at(f"[{index}]", _problems(part, item))


def _min_items(least: float, instance: Any, schema: dict) -> Problems:
    if isinstance(instance, list) and len(instance) < least:
        yield Problem("", f"minItems {least}")


def _max_items(most: float, instance: Any, schema: dict) -> Problems:
    if isinstance(instance, list) and len(instance) > most:
        yield Problem("", f"maxItems {most}")


def _enum(values: list, instance: Any, schema: dict) -> Problems:
    if not any(json_equal(value, instance) for value in values):
        yield Problem("", "not in enum")


KEYWORDS: dict[str, Callable[[Any, Any, dict], Problems]] = {
    "required": _required,
    "properties": _properties,
    "additionalProperties": _additional_properties,
    "items": _items,
    "minItems": _min_items,
    "maxItems": _max_items,
    "enum": _enum,
}


def _problems(schema: Any, instance: Any) -> Problems:
    if schema is False:
        yield Problem("", "not allowed")
    elif schema is not True:
        for keyword, check in KEYWORDS.items():
            if keyword in schema:
                yield from check(schema[keyword], instance, schema)


def _at(place: str, problems: Problems) -> Problems:
    for problem in problems:
        inside = problem.place if problem.place.startswith("[") else f".{problem.place}"
        yield Problem(place + inside if problem.place else place, problem.what)


def ignored_keywords(schema: Any) -> frozenset[str]:
    """Return every keyword that stands in a schema and that the small validator does not know."""
    if not isinstance(schema, dict):
        return frozenset()
    parts = list(schema.get("properties", {}).values())
    parts += [schema[keyword] for keyword in ("items", "additionalProperties") if keyword in schema]
    return frozenset(schema.keys() - KEYWORDS.keys()).union(*map(ignored_keywords, parts))


def keep_keywords(schema: Any, kept: Collection[str]) -> Any:
    """Return a schema with only some keywords; what merely leads to a deeper schema stays."""
    if not isinstance(schema, dict):
        return schema
    part = {}
    for keyword, value in schema.items():
        if keyword == "properties":
            part[keyword] = {name: keep_keywords(inner, kept) for name, inner in value.items()}
        elif keyword in ("items", "additionalProperties") and isinstance(value, dict):
            part[keyword] = keep_keywords(value, kept)
        elif keyword in kept:
            part[keyword] = value
    return part


@dataclass(frozen=True)
class SmallVerdict:
    """What the small validator says: its problems, and the keywords it did not look at."""

    problems: tuple[Problem, ...]
    ignored: frozenset[str]

    def __str__(self) -> str:
        return "; ".join(map(str, self.problems)) or "ok"


def small_verdict(schema: Any, instance: Any) -> SmallVerdict:
    """Judge an instance by the seven keywords that the small validator knows."""
    return SmallVerdict(tuple(_problems(schema, instance)), ignored_keywords(schema))


def full_problems(schema: Any, instance: Any) -> tuple[Problem, ...]:
    """Judge an instance by the whole of JSON Schema 2020-12; no problems means that it is valid."""
    return _report(_full_validator(json.dumps(schema)), instance)


def argument_problems(name: str, arguments: Any) -> tuple[Problem, ...]:
    """Judge the arguments of a call by the full input schema of a tool in the snapshot."""
    return _report(_full_validator(tool(name).schema_text), arguments)


def _report(validator: Any, instance: Any) -> tuple[Problem, ...]:
    return tuple(Problem(error.json_path, _short(error.message)) for error in validator.iter_errors(instance))


def _short(message: str) -> str:
    if len(message) <= LONGEST_MESSAGE:
        return message
    half = LONGEST_MESSAGE // 2
    return f"{message[:half]} … {message[-half:]}"


def _jsonschema() -> Any:
    # Imported late, since it costs time, and without the grammar of IRIs that it loads where Jupyter has
    # installed one: that takes two seconds in every process, for a format that no schema here asks for.
    grammar = "rfc3987_syntax"
    hidden = grammar not in sys.modules
    if hidden:
        sys.modules[grammar] = None
    try:
        import jsonschema
    finally:
        if hidden:
            sys.modules.pop(grammar, None)  # two threads may come here at once
    return jsonschema


@cache
def _full_validator(schema_text: str) -> Any:
    import regress

    jsonschema = _jsonschema()

    def matches(pattern: str, text: str) -> bool:
        return regress.Regex(pattern, "u").find(text) is not None

    def pattern(validator: Any, expression: str, instance: Any, schema: dict) -> Iterator[Any]:
        if validator.is_type(instance, "string") and not matches(expression, instance):
            yield jsonschema.ValidationError(f"{instance!r} does not match {expression!r}")

    def pattern_properties(validator: Any, patterns: dict, instance: Any, schema: dict) -> Iterator[Any]:
        if validator.is_type(instance, "object"):
            for expression, part in patterns.items():
                for name, value in instance.items():
                    if matches(expression, name):
                        yield from validator.descend(value, part, path=name, schema_path=expression)

    def additional_properties(validator: Any, allowed: Any, instance: Any, schema: dict) -> Iterator[Any]:
        if validator.is_type(instance, "object"):
            patterns = schema.get("patternProperties", {})
            named = schema.get("properties", {})
            for name, value in instance.items():
                if name in named or any(matches(expression, name) for expression in patterns):
                    continue
                if allowed is False:
                    yield jsonschema.ValidationError(f"unexpected {name}")
                else:
                    yield from validator.descend(value, allowed, path=name)

    # jsonschema matches with Python's `re`, whose `$` accepts a trailing newline; ECMA-262's does not.
    full = jsonschema.validators.extend(
        jsonschema.Draft202012Validator,
        {
            "pattern": pattern,
            "patternProperties": pattern_properties,
            "additionalProperties": additional_properties,
        },
    )
    return full(json.loads(schema_text))
