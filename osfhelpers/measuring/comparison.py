"""Do the four answers to one question agree?

For every figure, `compare` lays side by side what was published, what the replay on the real
store returned, what is expected exactly and what was simulated (or measured, where no chance
is in it), and gives a verdict.
"""

import math
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from types import ModuleType
from typing import Any

from osfhelpers.drawing.rendering import table_html
from osfhelpers.engine.parameters import whole_number
from osfhelpers.measuring.evidence import Estimate, Expectation, Figure, Key, Mean, Measured, published

# Simulated and expected must lie within this many standard errors of each other.
TOLERANCE_SE = 4
TRIALS = 4_000
SEED = 20261109


@dataclass(frozen=True)
class Row:
    """Everything that is known about one figure; None where a column does not apply."""

    experiment: str
    arm: str
    measure: str
    run: str
    unit: str
    published: float | str | None
    replayed: float | str | None
    expected: float | None
    measured: float | None
    simulated: float | None
    low: float | None
    high: float | None
    agrees: bool | None
    z_published: float | None

    def as_dict(self) -> dict[str, Any]:
        """Return the row for the report: the run stands in the measure."""
        row = asdict(self)
        run = row.pop("run")
        return {**row, "measure": f"{self.measure} ({run})" if run else self.measure}


@dataclass(frozen=True)
class Comparison:
    """The rows of one experiment, and how a notebook shows them.

    Args:
        in_front: the measures whose published rows are shown at once, while the others are folded;
            all rows, if empty.
    """

    rows: tuple[Row, ...]
    in_front: tuple[str, ...] = ()

    def first(self, *measures: str) -> "Comparison":
        """Return the same rows, with some measures in front and the others folded below them."""
        return replace(self, in_front=measures)

    @property
    def agrees(self) -> bool:
        """Whether no row disagrees."""
        return all(row.agrees is not False for row in self.rows)

    @cached_property
    def table(self) -> Any:
        """The rows as a pandas table; the runs of one figure stand together in one row."""
        import pandas as pd

        arms = list(dict.fromkeys(row.arm for row in self.rows))
        groups: dict[tuple[str, str], list[Row]] = {}
        for row in sorted(self.rows, key=lambda row: arms.index(row.arm)):
            groups.setdefault((row.arm, row.measure), []).append(row)
        index = pd.MultiIndex.from_tuples(groups, names=["arm", "measure"])
        table = pd.DataFrame([_record(rows) for rows in groups.values()], index=index)
        return table.loc[:, (table != "").any()]

    def __repr__(self) -> str:
        return self.table.to_string()

    def _repr_html_(self) -> str:
        if not self.in_front:
            return table_html(self.table)
        chosen = self.table.index.isin(self.in_front, level="measure")
        if "published" in self.table:
            chosen &= self.table["published"] != ""
        front, folded = self.table[chosen], self.table[~chosen]
        judged = any(row.agrees is not None for row in self.rows)
        summary = f"The other {len(folded)} rows{', none of which differs' if judged and self.agrees else ''}"
        return f"{table_html(front)}<details><summary>{summary}</summary>{table_html(folded)}</details>"


def _record(rows: list[Row]) -> dict[str, str]:
    first, simulated, margin = rows[0], "", 0.0
    if first.simulated is not None:
        margin = (first.high - first.low) / 2
    decimals = _decimals(margin or first.expected or 0)
    if first.simulated is not None:
        simulated = f"{first.simulated:,.{decimals}f} ± {margin:,.{decimals}f}"
    verdicts = {row.agrees for row in rows}
    distances = [f"{row.z_published:+z.1f}" for row in rows if row.z_published is not None]
    return {
        "published": " / ".join(_text(row.published) for row in rows),
        "replayed": " / ".join(_text(row.replayed) for row in rows),
        "expected": "" if first.expected is None else f"{first.expected:,.{decimals}f}",
        "measured": "" if first.measured is None else f"{first.measured:,.2f}".removesuffix(".00"),
        "simulated": simulated,
        "verdict": "differs" if False in verdicts else "agrees" if True in verdicts else "",
        "z": " / ".join(distances),
    }


def _decimals(smallest: float) -> int:
    # Two digits of the smallest number that is told: a conflict rate of 0.070 is not 0.07 ± 0.01.
    return 2 if smallest == 0 else max(2, 1 - math.floor(math.log10(abs(smallest))))


def _text(value: float | str | None) -> str:
    return "" if value is None else value if isinstance(value, str) else f"{value:,.6g}"


def run(experiment: ModuleType, params: Any, *, trials: int, rng: Any) -> Any:
    """Return an experiment's result: simulated, or measured where no chance is in it."""
    if hasattr(experiment, "measure"):
        return experiment.measure(params)
    return experiment.simulate(params, trials=trials, rng=rng)


def compare(
    experiment: ModuleType, params: Any = None, *, trials: int = TRIALS, rng: Any = SEED
) -> Comparison:
    """Lay the published, replayed, expected and simulated figures of an experiment side by side.

    Args:
        experiment: a module of `osfhelpers.experiments`.
        params: its `Params`; away from the published setting there is nothing published to
            compare with, so those two columns stay empty.
        trials: how many runs are simulated; `rng` is a seed or a NumPy generator.

    Raises:
        ParameterError: there are fewer than two trials, which say nothing of their spread.
    """
    whole_number("trials", trials, at_least=2)
    published_setting = experiment.Params()
    params = published_setting if params is None else params
    at_published = params == published_setting
    # An experiment that measures anew what others have measured names their figures.
    names = getattr(experiment, "PUBLISHED", (experiment.NAME,)) if at_published else ()
    printed = {figure.key: figure for name in names for figure in published(name)}
    replayed = experiment.replay() if at_published and experiment.replay else {}
    expected = experiment.expected(params) if experiment.expected else {}
    # A list that was written down and a single session are no samples: no estimates in their results.
    estimates = getattr(run(experiment, params, trials=trials, rng=rng), "estimates", {})
    without_run = {key._replace(run=""): None for key in printed}
    keys = [*printed, *(key for key in estimates if key not in without_run)]
    return Comparison(
        tuple(
            _row(
                experiment.NAME,
                key,
                printed.get(key),
                replayed.get(key),
                expected.get(key._replace(run="")),
                estimates.get(key._replace(run="")),
            )
            for key in keys
        )
    )


def _row(
    name: str,
    key: Key,
    figure: Figure | None,
    again: float | str | None,
    exact: Expectation | None,
    estimate: Estimate | None,
) -> Row:
    checks = []
    if figure is not None and again is not None:
        checks.append(figure.shows(again))
    elif figure is not None and exact is not None and exact.sd == 0:
        checks.append(figure.shows(exact.value))
    if exact is not None and estimate is not None:
        checks.append(abs(estimate.value - exact.value) <= TOLERANCE_SE * _error(estimate, exact) + 1e-9)
    z = None
    if figure is not None and figure.number is not None and exact is not None and exact.sd:
        z = (figure.number - exact.value) / exact.sd
    certain = isinstance(estimate, Measured)
    low, high = (None, None) if estimate is None or certain else estimate.interval()
    return Row(
        experiment=name,
        arm=key.arm,
        measure=key.measure,
        run=key.run,
        unit=figure.unit if figure else key.measure,
        published=figure and (figure.value if figure.number is None else figure.number),
        replayed=again,
        expected=exact and exact.value,
        measured=estimate.value if certain else None,
        simulated=None if estimate is None or certain else estimate.value,
        low=low,
        high=high,
        agrees=all(checks) if checks else None,
        z_published=z,
    )


def _error(estimate: Estimate, exact: Expectation) -> float:
    # Runs that happen to be all alike have no spread of their own; the exact one still says what to allow.
    known = (exact.sd or 0) / math.sqrt(estimate.n) if isinstance(estimate, Mean) else 0
    return max(estimate.standard_error, known)


@dataclass(frozen=True)
class Fit:
    """Whether chance explains one published row: the p-value, 0 where a certain cell differs."""

    arm: str
    published: str
    expected: str
    simulated: str
    p: float


def fit(experiment: ModuleType, result: Any, *, trials: int) -> list[Fit]:
    """Test each published row of percentages by one multinomial test, where no replay can.

    Args:
        result: a simulation at the published setting, to stand beside it.
        trials: how many trials stand behind each published row.
    """
    import numpy as np
    from scipy.stats import chisquare

    exact = experiment.expected(experiment.Params())
    rows: dict[str, list[tuple[Figure, Expectation, Estimate]]] = {}
    for figure in published(experiment.NAME):
        key = figure.key._replace(run="")
        rows.setdefault(key.arm, []).append((figure, exact[key], result.estimates[key]))
    found = []
    for arm, cells in rows.items():
        p = float(all(figure.shows(cell.value) for figure, cell, _ in cells if cell.sd == 0))
        if uncertain := [(figure.number, cell.value) for figure, cell, _ in cells if cell.sd]:
            shown, chance = np.array(uncertain).T * trials / 100
            # Rounded cells need not add up to 100; the test asks for the same total on both sides.
            p *= float(chisquare(shown, chance * shown.sum() / chance.sum()).pvalue)
        printed = " / ".join(figure.value for figure, _, _ in cells)
        known = " / ".join(f"{cell.value:.1f}" for _, cell, _ in cells)
        drawn = " / ".join(f"{estimate.value:.1f}" for _, _, estimate in cells)
        found.append(Fit(arm, printed, known, drawn, round(p, 3)))
    return found
