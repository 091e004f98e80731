"""What was counted at lawful table-shifts: alarms by family, with exact limits of confidence.

    python -m benchmarks.honest.summary FILE.ndjson... [--json]

Shifts of several files are merged, and each is counted once. Every version of the detectors has counts of its own:
what was counted of one says nothing of another.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from benchmarks.honest.shifts import Shift
from benchmarks.honest.sittings import read
from processors.detectors.family import FAMILIES, LEVEL

SEEN = 0.05
"""A level at which alarms can be counted; the default one is too small for that."""
CONFIDENCE = 0.95


class Count(Struct, frozen=True, kw_only=True):
    """Alarms of one family: of so many shifts, at the default level and at .05; the rate lies in `limits` (95 %)."""

    family: str
    shifts: int
    alarms: int
    limits: tuple[float, float]
    alarms_at_05: int
    limits_at_05: tuple[float, float]


class Summary(Struct, frozen=True, kw_only=True):
    """What one version of the detectors did; `alarms` names the shift and the suspicion of each alarm."""

    detectors: str
    tables: list[str]
    shifts: int
    worn: int
    erring: int
    rounds: int
    events: int
    families: list[Count]
    alarms: list[str]


def shifts(paths: Iterable[Path]) -> Iterator[Shift]:
    """The shifts in these files, each once."""
    return read(paths, Shift, lambda one: (one.seed, one.detectors, one.tables))


def limits(hits: int, of: int, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """The exact limits of a chance that was met `hits` times (Clopper and Pearson, Biometrika 26, 1934)."""
    tail = (1 - confidence) / 2
    low = 0.0 if hits == 0 else _solve(lambda p: 1 - _at_most(hits - 1, of, p) - tail)
    high = 1.0 if hits == of else _solve(lambda p: tail - _at_most(hits, of, p))
    return low, high


def _at_most(hits: int, of: int, chance: float) -> float:
    """The chance of at most so many hits."""
    if chance in (0.0, 1.0):
        return 1.0 if chance == 0.0 or hits >= of else 0.0
    yes, no = math.log(chance), math.log1p(-chance)
    return math.fsum(
        math.exp(math.lgamma(of + 1) - math.lgamma(k + 1) - math.lgamma(of - k + 1) + k * yes + (of - k) * no)
        for k in range(hits + 1)
    )


def _solve(rises: Callable[[float], float]) -> float:
    """Where a function that rises from 0 to 1 passes nought."""
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if rises(middle) < 0 else (low, middle)
    return (low + high) / 2


def summaries(counted: Iterable[Shift]) -> list[Summary]:
    """What each version of the detectors did, that with most shifts first."""
    by_version: dict[str, list[Shift]] = {}
    for one in counted:
        by_version.setdefault(one.detectors, []).append(one)
    return [_summary(some) for some in sorted(by_version.values(), key=len, reverse=True)]


def _summary(shifts: Sequence[Shift]) -> Summary:
    return Summary(
        detectors=shifts[0].detectors,
        tables=sorted({one.tables for one in shifts}),
        shifts=len(shifts),
        worn=sum(one.worn for one in shifts),
        erring=sum(one.erring for one in shifts),
        rounds=sum(one.rounds for one in shifts),
        events=sum(one.events for one in shifts),
        families=[_count(name, shifts) for name in (*FAMILIES, "any")],
        alarms=[f"seed {one.seed}: {alarm}" for one in shifts for alarm in one.alarms],
    )


def _count(family: str, shifts: Sequence[Shift]) -> Count:
    """Count a family over the shifts at which it had something to weigh; "any": all families over all shifts."""
    weighed = [one for one in shifts if family == "any" or family in one.peaks]
    raised = sum(
        any(family in ("any", alarm.split()[0].split(".")[1]) for alarm in one.alarms) for one in weighed
    )
    at_05 = sum(_peak(one, family) >= 1 / SEEN for one in weighed)
    none = (0.0, 1.0)
    return Count(
        family=family,
        shifts=len(weighed),
        alarms=raised,
        limits=limits(raised, len(weighed)) if weighed else none,
        alarms_at_05=at_05,
        limits_at_05=limits(at_05, len(weighed)) if weighed else none,
    )


def _peak(one: Shift, family: str) -> float:
    return max(one.peaks.values(), default=0.0) if family == "any" else one.peaks[family]


def as_text(summary: Summary) -> str:
    """The counts of a version as a table in Markdown."""
    rows = [
        f"{summary.shifts:,} lawful table-shifts, {summary.worn:,} of them with worn devices and {summary.erring:,} "
        f"with people who err, {summary.rounds:,} rounds; detectors {summary.detectors}, "
        f"tables {', '.join(summary.tables)}.",
        "",
        f"| family | shifts at which it weighed | alarms at {LEVEL:g} | at most (95 %) | alarms at {SEEN:g} | rate"
        " (95 %) |",
        "|---|---|---|---|---|---|",
    ]
    for one in summary.families:
        if not one.shifts:
            rows.append(f"| {one.family} | 0 | - | - | - | - |")
            continue
        low, high = one.limits_at_05
        rows.append(
            f"| {one.family} | {one.shifts:,} | {one.alarms} | {one.limits[1]:.2g} | {one.alarms_at_05} | "
            f"{one.alarms_at_05 / one.shifts:.4f} ({low:.4f} to {high:.4f}) |"
        )
    return "\n".join([*rows, *(["", *summary.alarms] if summary.alarms else [])])


def main() -> None:
    """Read the files and print what was counted."""
    arguments = argparse.ArgumentParser(
        prog="python -m benchmarks.honest.summary", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    arguments.add_argument("files", type=Path, nargs="+", help="files of counted shifts")
    arguments.add_argument("--json", action="store_true", help="as JSON")
    given = arguments.parse_args()
    if missing := [str(path) for path in given.files if not path.exists()]:
        sys.exit(
            f"{missing[0]}: there is no such file; count with `python -m benchmarks.honest {missing[0]}`"
        )
    found = summaries(shifts(given.files))
    if given.json:
        print(msgspec.json.format(msgspec.json.encode(found)).decode())  # noqa: T201 - what was asked for
    else:
        print("\n\n".join(map(as_text, found)))  # noqa: T201 - what was asked for


if __name__ == "__main__":
    main()
