"""Round trips of this project's server on one machine, beside the published ones to a far one."""

from dataclasses import dataclass
from statistics import median

from osfhelpers.engine.data import load
from osfhelpers.measuring.evidence import published

FAR = "published, from Japan"


@dataclass(frozen=True)
class RoundTrip:
    """One request over one transport; the times are of ten calls, in milliseconds."""

    request: str
    over: str
    status: str
    bytes: str
    median_ms: str
    lowest_to_highest_ms: str


def round_trips() -> list[RoundTrip]:
    """Return the published rows, each with the stored measurements of the same request behind it."""
    far: dict[str, dict[str, float]] = {}
    for figure in published("round_trips"):
        far.setdefault(figure.key.arm, {})[figure.key.measure] = figure.number
    rows = []
    for request, found in far.items():
        rows.append(
            RoundTrip(
                request,
                FAR,
                f"{found['status']:.0f}",
                f"{found['bytes']:,.0f}",
                f"{found['median']:,.0f}",
                f"{found['lowest']:,.0f} to {found['highest']:,.0f}",
            )
        )
        rows += [_near(row) for row in load("round_trips.json")["rows"] if row["request"] == request]
    rows += [_near(row) for row in load("round_trips.json")["rows"] if row["request"] not in far]
    return rows


def _near(row: dict) -> RoundTrip:
    times = row["milliseconds"]
    size = [f"{row[name]:,}" if name in row else "" for name in ("status", "bytes")]
    span = f"{min(times):.1f} to {max(times):.1f}"
    return RoundTrip(row["request"], f"{row['transport']}, here", *size, f"{median(times):.1f}", span)
