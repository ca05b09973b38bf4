"""Find the best possible poll times for every position of chapter 10's sliders.

    python tools/best_schedules.py       writes data/best_schedules.json

A schedule is best at a price: the seconds of lag that its client would accept to save one
call. The times are whole seconds, and the last one is the budget.
"""

import json
from pathlib import Path

import numpy as np

from osfhelpers.experiments.waiting import SLIDERS, Params
from osfhelpers.models.review_delay import ReviewDelay

FILE = Path(__file__).resolve().parent.parent / "data" / "best_schedules.json"
PRICES_S = (0.03, 0.3, 1, 3, 10, 30, 100, 300)


def best_schedule_s(delay: ReviewDelay, *, budget_s: int, call_price_s: float) -> list[int]:
    """Return the poll times, in whole seconds, that no other list beats: a dynamic program.

    From the end backwards: the best continuation after a poll at second i that saw nothing is
    the cheapest choice of the next poll j, counting the call, the lag of whoever decides
    between i and j, and the best continuation after j.
    """
    grid = np.arange(budget_s + 1)
    done, part = delay.law.cdf(grid), delay.partial_mean_s(grid)
    price = call_price_s * delay.law.sf(grid)
    rest, following = np.zeros(grid.size), np.zeros(grid.size, dtype=int)
    for i in range(budget_s - 1, -1, -1):
        j = grid[i + 1 :]
        cost = price[i] + j * (done[j] - done[i]) - (part[j] - part[i]) + rest[j]
        following[i] = i + 1 + cost.argmin()
        rest[i] = cost.min()
    times = [int(following[0])]
    while times[-1] < budget_s:
        times.append(int(following[times[-1]]))
    return times


def all_settings() -> list[dict]:
    """Return the best schedules of every median and spread that a slider can reach."""
    values = {slider.field: slider.values for slider in SLIDERS}
    budget_s = int(60 * Params.budget_min)
    return [
        {
            "median_min": median_min,
            "spread": spread,
            "budget_min": Params.budget_min,
            "schedules": [
                {
                    "call_price_s": price_s,
                    "times_s": best_schedule_s(
                        ReviewDelay(60 * median_min, spread), budget_s=budget_s, call_price_s=price_s
                    ),
                }
                for price_s in PRICES_S
            ],
        }
        for median_min in values["median_min"]
        for spread in values["spread"]
    ]


def main() -> None:
    """Write the file: one schedule a line."""
    text = json.dumps({"script": "tools/best_schedules.py", "settings": all_settings()})
    FILE.write_text(text.replace(', {"', ',\n{"') + "\n", encoding="utf-8")
    print(f"{FILE.name}: {FILE.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
