"""Does every figure of the series still come out? The table behind `osfhelpers report`."""

import json
from typing import Any

from osfhelpers.measuring.comparison import Comparison, compare
from osfhelpers.measuring.damage import Ledger, experiments, ledger


def all_rows() -> Comparison:
    """Compare every figure of every experiment."""
    return Comparison(tuple(row for experiment in experiments() for row in compare(experiment).rows))


def as_json(comparison: Comparison, filled: Ledger) -> str:
    """Return the report as JSON: the rows, and the damage ledger."""
    rows = [row.as_dict() for row in comparison.rows]
    content = {"rows": rows, "ledger": [vars(row) for row in filled.rows]}
    return json.dumps(content, indent=1, ensure_ascii=False)


def as_text(comparison: Comparison, filled: Ledger) -> str:
    """Return the report as a table for a terminal, the ledger, and the verdict in a sentence."""
    import pandas as pd

    rows = [row.as_dict() for row in comparison.rows]
    table = pd.DataFrame(rows).drop(columns="unit").set_index(["experiment", "arm", "measure"])
    text = table.map(_cell).to_string()
    return f"{text}\n\nDamage ledger\n{filled}\n\n{verdict(comparison)}"


def verdict(comparison: Comparison) -> str:
    """Say how many rows agree, and which do not."""
    judged = [row for row in comparison.rows if row.agrees is not None]
    wrong = [row for row in judged if not row.agrees]
    if not wrong:
        return f"All {len(judged)} judged rows agree, of {len(comparison.rows)}."
    named = "; ".join(f"{row.experiment}, {row.arm}, {row.as_dict()['measure']}" for row in wrong)
    return f"{len(wrong)} of {len(judged)} judged rows disagree: {named}"


def report(*, as_data: bool) -> tuple[str, bool]:
    """Return the report, as JSON or as text, and whether no row disagrees."""
    comparison, filled = all_rows(), ledger()
    return (as_json if as_data else as_text)(comparison, filled), comparison.agrees


def _cell(value: Any) -> str:
    if value is None or value != value:
        return ""
    return f"{value:,.5g}" if isinstance(value, float) else str(value)
