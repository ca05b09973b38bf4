"""Measure each phrase of an agent tool's description: strike it out and count what breaks.

What a reader meets: `phrase`, `Note`, `Room`, `call`, `watch`, `show`, `compare`, `explore`,
`exercise`, with `guess` and `ledger` hanging on them. Each is imported when it is first used,
so that importing the package stays fast.
"""

import importlib
from typing import Any

__version__ = "0.1.0"

HOMES = {
    "phrase": "teaching.phrases",
    "Note": "engine.note",
    "Room": "engine.room",
    "call": "engine.calls",
    "watch": "teaching.explorers",
    "show": "teaching.showing",
    "compare": "measuring.comparison",
    "explore": "teaching.explorers",
    "exercise": "teaching.exercises",
    "guess": "teaching.guesses",
    "ledger": "measuring.damage",
    "Order": "engine.store",
    "OnMismatch": "engine.store",
}

__all__ = [*HOMES, "__version__"]


def __getattr__(name: str) -> Any:
    if name not in HOMES:
        raise AttributeError(f"module 'osfhelpers' has no attribute {name!r}")
    return getattr(importlib.import_module(f"osfhelpers.{HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *HOMES])
