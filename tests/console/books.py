"""A small floor over some gaming days in a store, and its figures counted again from the raw lines alone."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from processors.runtime.store.warehouse import Warehouse
from producers.simulator.floor.setup import TableSetup, usual_setup
from producers.simulator.session import simulate_table
from tests.embedded.ledgers import lines_of, subject_of
from tests.hands.stored import floor

NEVER_CLOSED = "breach_overpay"  # an open table: no closing count, no drop
ROUNDS = 26
SETUPS = (
    usual_setup("free_bet_672a", "FB-1", decks=6, open_hours=0.5, pit="1", number=1, counts_chips=True),
    usual_setup("down_under_685a", "DU-2", decks=8, open_hours=0.5, pit="2", number=2),
    usual_setup("manual_shoe_657a8", "C4-3", open_hours=0.4, pit="2", number=3),
)


def simulated(setup: TableSetup, rounds: int = ROUNDS) -> list[bytes]:
    """The lines of one table over its days."""
    return list(simulate_table(setup, rounds, 7 + setup.number))


@cache
def streams() -> dict[str, list[bytes]]:
    """The lines of every table."""
    found = {setup.subject: simulated(setup) for setup in SETUPS}
    return found | {subject_of(NEVER_CLOSED): lines_of(NEVER_CLOSED)}


@contextmanager
def store_of(folder: Path, held: Mapping[str, list[bytes]] | None = None) -> Iterator[Warehouse]:
    """A store that holds these lines, or everything of the floor."""
    with floor(folder, streams() if held is None else held) as store:
        yield store


Sums = dict[str, int]


def recounted(lines: list[bytes]) -> dict[str, Sums]:
    """By gaming day: handle, win, lammers, rounds, drop, fills, credits and net win, by adding up the lines."""
    days: dict[str, Sums] = defaultdict(lambda: defaultdict(int))
    day, box_day = "", {}
    for line in lines:
        event = json.loads(line)
        kind, data = event["type"].removeprefix("catwalk.v1."), event["data"]
        if kind == "gaming_day_started":
            day = data["gaming_day"]
        elif kind == "drop_box_removed":
            box_day[data["box"]] = day
        elif day:
            _add(days, day, box_day, kind, data)
    return {day: dict(sums) for day, sums in days.items()}


def _add(days: dict[str, Sums], day: str, box_day: dict[str, str], kind: str, data: dict[str, Any]) -> None:
    sums = days[day]
    match kind:
        case "round_started":
            sums["rounds"] += 1
        case "wager_placed":
            sums["handle"] += data["cents"]
        case "wager_settled":
            won = {"collect": 1, "pay": -1, "return": 0}[data["outcome"]] * data["cents"]
            sums["win"] += won
            sums["lammers"] -= won if data["kind"] == "lammer" else 0
            sums[f"win {data['kind']}"] += won
        case "inventory_counted" if data["moment"] != "shift":
            sums["net"] += data["cents"] * (1 if data["moment"] == "closing" else -1)
            sums[data["moment"]] += 1
        case "fill_received":
            sums["net"] -= data["cents"]
            sums["fills"] += data["cents"]
        case "credit_sent":
            sums["net"] += data["cents"]
            sums["credits"] += data["cents"]
        case "drop_counted":
            amount = data["currency_cents"] + data["counter_check_cents"] + data["voucher_cents"]
            days[box_day[data["box"]]]["net"] += amount
            days[box_day[data["box"]]]["drop"] += amount
