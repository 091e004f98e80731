"""How soon each scenario was found over many seeds: median and 95 % of the rounds, beside what is stated."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from benchmarks.core import Measurement
from benchmarks.honest import versions
from benchmarks.honest.sittings import appended, read, work
from benchmarks.patterns.finding import Found, chosen, find, scenario


class Played(Struct, frozen=True, kw_only=True):
    """What came of a scenario at one seed, and of which detectors and tables that is."""

    detectors: str
    tables: str
    found: Found


class Power(Struct, frozen=True, kw_only=True):
    """One scenario over many seeds.

    counts: "round" or "hands", what `by`, `median`, `late` (95 %) and `times` count; a time is infinite where nothing
    was found in the stream. in_time: seeds found by `by`. false: seeds at which a look-alike raised an alarm.
    """

    scenario: str
    family: str
    size: float
    unit: str
    null: bool
    seeds: int
    counts: str
    by: float
    median: float
    late: float
    in_time: int
    found: int
    false: int
    times: list[float]


def one(title: str, seed: int, detectors: str, tables: str) -> Played:
    """Play a scenario of that name at a seed."""
    return Played(detectors=detectors, tables=tables, found=find(*scenario(title), seed))


def played(paths: Iterable[Path]) -> Iterator[Played]:
    """What these files hold, each scenario and seed of each version once."""
    return read(paths, Played, lambda row: (row.found.scenario, row.found.seed, row.detectors, row.tables))


def play(
    out: Path,
    titles: Sequence[str],
    seeds: Iterable[int],
    jobs: int,
    advance: Callable[[int], None] = lambda _: None,
) -> int:
    """Play scenarios at seeds that the file has not of these detectors and tables; how many were played."""
    detectors, tables = versions.detectors(), versions.tables()
    with appended(out) as file:
        done = {(row.found.scenario, row.found.seed, row.detectors, row.tables) for row in played([out])}
        pieces = [(title, seed, detectors, tables) for seed in seeds for title in titles]
        return work(file, (piece for piece in pieces if piece not in done), one, jobs, advance)


def measure(
    out: Path, only: Sequence[str], seeds: Iterable[int], jobs: int, advance: Callable[[int], None]
) -> list[Power]:
    """Play the suite at these seeds, or `only` what has these names; how soon each scenario was found."""
    play(out, [title for title, *_ in chosen(only)], seeds, jobs, advance)
    return powers(row.found for row in played([out]))


def powers(rows: Iterable[Found]) -> list[Power]:
    """Each scenario over its seeds, in the order of the catalogue."""
    by_title: dict[str, list[Found]] = {}
    for row in rows:
        by_title.setdefault(row.scenario, []).append(row)
    return [_power(title, by_title[title]) for title, *_ in chosen([]) if title in by_title]


def _power(title: str, rows: list[Found]) -> Power:
    pattern, stated = scenario(title)
    [(counts, by)] = stated.by.items() if stated.by else [("round", math.inf)]
    times = sorted(_time(row, counts) for row in rows)
    return Power(
        scenario=title,
        family=pattern.family,
        size=stated.size,
        unit=pattern.unit,
        null=pattern.null,
        seeds=len(rows),
        counts=counts,
        by=by,
        median=statistics.median_high(times),
        late=times[math.ceil(0.95 * len(times)) - 1],
        in_time=sum(time <= by for time in times) if not pattern.null else len(rows),
        found=sum(time < math.inf for time in times),
        false=sum(bool(row.false) for row in rows),
        times=times,
    )


def _time(row: Found, counts: str) -> float:
    place = row.round if counts == "round" else row.hands
    return math.inf if place is None else place


def figures(rows: Iterable[Power]) -> list[Measurement]:
    """The median of each pattern beside what is stated; not found counts as twice that. Look-alikes: false alarms."""
    found = []
    for row in rows:
        if row.null:
            found.append(Measurement(f"{row.scenario}: alarms", row.false, "of seeds", "allowed", 0.0))
            continue
        median = row.median if row.median < math.inf else 2 * row.by
        found.append(Measurement(f"{row.scenario}: found, median", median, row.counts, "stated", row.by))
    return found


def by_family(rows: Sequence[Power]) -> list[str]:
    """Of each family, in one line: in how many seeds its patterns were found in time, and look-alikes taken for one."""
    found = []
    for name in sorted({row.family for row in rows}):
        patterns, alike = (
            [row for row in rows if row.family == name and row.null is null] for null in (False, True)
        )
        words = []
        if patterns:
            words.append(
                f"{sum(row.in_time for row in patterns)} of {sum(row.seeds for row in patterns)} in time"
            )
        if alike:
            number, seeds = sum(row.false for row in alike), sum(row.seeds for row in alike)
            words.append(f"a false alarm at {number} of {seeds} look-alikes")
        found.append(f"{name}: {', '.join(words)}")
    return found
