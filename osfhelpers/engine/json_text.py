"""Is this text JSON that means the same to everyone who reads it?

Python's own reader accepts `NaN`, takes the last of two equal names, and turns `1e999` into
infinity. Each of these is refused here, before any schema sees the value.
"""

import json
import math
from collections import Counter
from typing import Any


class JSONTextError(ValueError):
    """A text is no JSON, or is JSON that two readers may understand differently."""


def read_json(text: str | bytes) -> Any:
    """Return the value of a JSON text.

    Raises:
        JSONTextError: it does not parse, is not UTF-8, holds NaN or an infinity, repeats a name
            in an object, or is nested too deeply to be read.
    """
    try:
        if isinstance(text, bytes):
            text = text.decode("utf-8")
        return json.loads(
            text, parse_constant=_no_constant, parse_float=_finite, object_pairs_hook=_no_repeats
        )
    except JSONTextError:
        raise
    except UnicodeDecodeError as error:
        raise JSONTextError(f"the text is not UTF-8 at byte {error.start}") from error
    except json.JSONDecodeError as error:
        raise JSONTextError(f"no JSON at line {error.lineno}, column {error.colno}: {error.msg}") from error
    except RecursionError:
        raise JSONTextError("the text is nested too deeply to be read") from None
    except ValueError as error:  # an integer of more digits than Python converts
        raise JSONTextError(f"a number in the text cannot be read: {error}") from error


def _no_constant(name: str) -> Any:
    raise JSONTextError(f"{name} is no JSON value; a number in JSON is finite")


def _finite(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise JSONTextError(f"the number {digits[:40]} is too large; it would be read as an infinity")
    return value


def _no_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        times = Counter(name for name, _ in pairs)
        repeated = next(name for name in times if times[name] > 1)
        raise JSONTextError(f"the name {repeated!r} stands twice in one object")
    return value
