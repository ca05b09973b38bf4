"""What does an idempotency key stand for, and who chooses it?

`fingerprint` says when two calls are the same wish. A key policy is a plain function from
an `Attempt` to the key that the next send carries; all policies share this one signature.
"""

import hashlib
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

import rfc8785

# A precondition is not part of the intent: the same wish re-sent with a fresh version is the same wish.
NOT_THE_INTENT = frozenset({"idempotency_key", "expected_version"})


class NoCanonicalForm(ValueError):
    """A value cannot be written as canonical JSON, so no key can stand for it."""


def canonical(value: Any) -> bytes:
    """Return the canonical JSON text of a value (RFC 8785): one spelling for equal values.

    Raises:
        NoCanonicalForm: NaN, an integer beyond 2^53, a lone surrogate or no JSON value at all.
    """
    try:
        return rfc8785.dumps(value)
    except (rfc8785.CanonicalizationError, UnicodeEncodeError) as error:
        raise NoCanonicalForm(f"this value has no canonical JSON form (RFC 8785): {error}") from error


def fingerprint(tool: str, arguments: Mapping[str, Any]) -> str:
    """Return the SHA-256, in hex, of the tool and of the arguments that make up the intent."""
    intent = {name: value for name, value in arguments.items() if name not in NOT_THE_INTENT}
    return hashlib.sha256(canonical([tool, intent])).hexdigest()


class Event(Enum):
    """Why the client is about to send."""

    FIRST = "first send"
    NO_REPLY = "no reply came"
    CONFLICT = "the server answered: conflict"


@dataclass(frozen=True)
class Attempt:
    """What a client knows when it must choose the key of its next send."""

    intent: Mapping[str, Any] = field(repr=False)
    event: Event
    previous: str | None
    fresh: Callable[[], str] = field(repr=False)


KeyPolicy = Callable[[Attempt], str]


def random_keys(rng: random.Random) -> Callable[[], str]:
    """Return a function that draws a new key: 128 bits in hex."""
    return lambda: f"{rng.getrandbits(128):032x}"


def new_key_per_call(attempt: Attempt) -> str:
    """Draw a fresh key for every send, retries included."""
    return attempt.fresh()


def same_key_on_retry(attempt: Attempt) -> str:
    """Draw a key once per intent and keep it until the intent is settled."""
    return attempt.previous or attempt.fresh()


def new_key_after_conflict(attempt: Attempt) -> str:
    """Keep the key after silence, but take a conflict for a new intent."""
    if attempt.event is Event.CONFLICT:
        return attempt.fresh()
    return attempt.previous or attempt.fresh()


def content_key(attempt: Attempt) -> str:
    """Derive a key from the Room, the name and every byte of the files.

    The order of the files does not matter. Unicode form and line endings do: the
    key stands for exactly the code that is reviewed. What is hashed is
    reconstruction.
    """
    intent = [attempt.intent[name] for name in ("room_id", "name", "files")]
    return f"snip-{hashlib.sha256(canonical(intent)).hexdigest()[:32]}"
