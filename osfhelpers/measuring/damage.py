"""What does each phrase prevent, and what does it cost? The thread through the series.

Every chapter adds one row, computed from its experiment and not typed.
"""

import importlib
import pkgutil
from collections.abc import Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from osfhelpers.drawing.rendering import box, table_html


@dataclass(frozen=True)
class LedgerRow:
    """One phrase: wrong outcomes per 100 sessions without it and with it, and its cost.

    Args:
        wrong: what counts as a wrong outcome, and what a session is.
    """

    chapter: str
    phrase: str
    wrong: str
    without_per_100: float
    with_per_100: float
    cost: str


class Ledger:
    """Rows of the damage ledger, and how a notebook shows them."""

    def __init__(self, rows: Sequence[LedgerRow]) -> None:
        self.rows = tuple(rows)

    @property
    def table(self) -> Any:
        """The rows as a pandas table."""
        import pandas as pd

        return pd.DataFrame(
            {
                "phrase": row.phrase,
                "wrong outcome": row.wrong,
                "per 100 sessions without it": f"{row.without_per_100:,.1f}",
                "with it": f"{row.with_per_100:,.1f}",
                "what it costs": row.cost,
            }
            for row in self.rows
        ).set_index("phrase")

    def __repr__(self) -> str:
        return self.table.to_string()

    def _repr_html_(self) -> str:
        return box("ledger", table_html(self.table))


def experiments() -> list[ModuleType]:
    """Return every experiment of the package, in the order of the chapters."""
    package = importlib.import_module("osfhelpers.experiments")
    names = [module.name for module in pkgutil.iter_modules(package.__path__)]
    found = [importlib.import_module(f"osfhelpers.experiments.{name}") for name in names]
    return sorted(found, key=lambda module: module.CHAPTER)


def ledger(*some: ModuleType) -> Ledger:
    """Return the ledger rows of some experiments, or of all that have one."""
    modules = some or experiments()
    return Ledger([module.ledger_row() for module in modules if hasattr(module, "ledger_row")])
