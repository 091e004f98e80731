"""How long the revenue of a day, a month and a year takes in a store as large as a property's, beside plain SQL.

The plain question adds up the same stakes by table, of the same days, without merging versions, hands and the course.
Each round has a main wager; some have doubles, lammers, insurance and a side wager too. Each gaming day has counts, a
fill, a credit and a drop box. Months lie in one part each, as they do a day after their last row.
A year is of the days that the rounds fill, 18 for each million of them.
"""

from __future__ import annotations

import datetime as dt
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

from benchmarks.core import Measurement, milliseconds
from benchmarks.hands import store as made
from dashboards.revenue.books import statement
from dashboards.revenue.wanted import Period, WantedRevenue
from processors.runtime.store.chdb_warehouse import ChdbWarehouse
from processors.runtime.store.warehouse import Warehouse

TIMES = 5
_PLAIN = """
    SELECT r.subject, count(), sum(s.staked_cents),
           sumIf(s.observed_cents, s.observed_outcome = 'collect') - sumIf(s.observed_cents, s.observed_outcome = 'pay')
    FROM stakes AS s INNER JOIN (SELECT subject, round, first_sequence FROM rounds
                                 WHERE gaming_day BETWEEN {first:Date32} AND {last:Date32}) AS r
        USING (subject, round, first_sequence)
    WHERE s.decided_at BETWEEN toDateTime64({first:Date32}, 6, 'UTC')
        AND toDateTime64({last:Date32}, 6, 'UTC') + INTERVAL 2 DAY
    GROUP BY r.subject
"""


def measure(
    streams: Path, rounds: int, say: Callable[[str], None] = lambda _: None
) -> tuple[list[Measurement], list[str]]:
    """Milliseconds of each period's statement by table, the plain question beside it; `say` is told what is done."""
    configuration = (streams / "lawful_free_bet_672a.ndjson").read_bytes().splitlines()[0]
    with tempfile.TemporaryDirectory() as place, closing(ChdbWarehouse(Path(place) / "store")) as store:
        begun = time.perf_counter()
        store.migrate()
        made.fill(store, rounds, configuration, lambda count: say(f"{count:,} of {rounds:,} rounds made"))
        store.query("OPTIMIZE TABLE takings FINAL")
        took = time.perf_counter() - begun
        figures = [one for period in ("day", "month", "year") for one in _of(store, rounds, period, say)]
    return figures, [f"{rounds:,} rounds of {made.TABLES} tables made in {took:,.0f} s; medians of {TIMES}"]


def _of(store: Warehouse, rounds: int, period: Period, say: Callable[[str], None]) -> Iterator[Measurement]:
    last = max(made.began(0, rounds // made.TABLES).date() - dt.timedelta(days=1), made.START.date())
    wanted = WantedRevenue(day=last, period=period)
    ours = statistics.median(milliseconds(partial(statement, store, wanted)) for _ in range(TIMES))
    say(f"{period}: {ours:,.0f} ms")
    days = {"first": wanted.first, "last": wanted.day}
    plain = statistics.median(milliseconds(partial(store.query, _PLAIN, days)) for _ in range(TIMES))
    yield Measurement(
        f"statement of a {period} by table", ours, "ms", "its stakes added up by plain SQL", plain
    )
