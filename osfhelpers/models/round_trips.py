"""Round trips of this project's server on one machine, beside the published ones to a far one."""

from dataclasses import dataclass
from statistics import median

from osfhelpers.engine.data import load
from osfhelpers.measuring.evidence import published

FAR = "published, from Japan"


@dataclass(frozen=True)
class RoundTrip:
    """One request over one transport, ten times."""

    request: str
    over: str
    bytes: str
    median_ms_and_range: str


def round_trips() -> list[RoundTrip]:
    """Return the published rows, each with the stored measurements of the same request behind it."""
    far: dict[str, dict[str, float]] = {}
    for figure in published("round_trips"):
        far.setdefault(figure.key.arm, {})[figure.key.measure] = figure.number
    near = load("round_trips.json")["rows"]
    rows = []
    for request, found in far.items():
        span = f"{found['median']:,.0f} ({found['lowest']:,.0f} to {found['highest']:,.0f})"
        rows.append(RoundTrip(request, FAR, f"{found['bytes']:,.0f}", span))
        rows += [_near(row) for row in near if row["request"] == request]
    return rows + [_near(row) for row in near if row["request"] not in far]


def _near(row: dict) -> RoundTrip:
    times = row["milliseconds"]
    size = f"{row['bytes']:,}" if "bytes" in row else ""
    span = f"{median(times):.1f} ({min(times):.1f} to {max(times):.1f})"
    return RoundTrip(row["request"], f"{row['transport']}, here", size, span)
