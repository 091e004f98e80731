"""What detectors promised and what became of it, by family and month: false alarms, and how people disposed of them."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Final, Literal, get_args

from msgspec import Struct

from dashboards.desk.alerts import Alert
from dashboards.suspicions.families import PatternFamily
from dashboards.suspicions.suspicions import Suspicion

Outcome = Literal["waiting", "open", "confirmed", "dismissed"]
OUTCOMES: Final[tuple[Outcome, ...]] = get_args(Outcome)
_PEOPLE: Final = frozenset({"dealer", "player"})


class Judged(Struct, frozen=True):
    """One suspicion, the month of UTC in which it was raised (its first day), and what became of it."""

    suspicion: Suspicion
    month: dt.date
    outcome: Outcome


class Line(Struct, frozen=True, kw_only=True):
    """A family's promise and outcomes; `family` is its name, empty for all families together.

    `promised` false alarms are expected at most, None of a family that this release does not know.
    """

    family: str
    title: str
    promised: float | None
    waiting: int
    open: int
    confirmed: int
    dismissed: int

    @property
    def raised(self) -> int:
        """All suspicions, at the desk or in the list."""
        return self.waiting + self.open + self.confirmed + self.dismissed

    @property
    def chance(self) -> float | None:
        """The chance of at least as many false alarms as were dismissed is at most this (Markov's inequality)."""
        if self.promised is None or not self.dismissed:
            return None
        return min(1.0, self.promised / self.dismissed)


class Calibration(Struct, frozen=True, kw_only=True):
    """The lines of one month, or of all time (`month` is None), over so many tables that played; the total is last."""

    month: dt.date | None
    tables: int
    lines: tuple[Line, ...]


def outcome_of(suspicion: Suspicion, alert: Alert | None) -> Outcome:
    """What people made of a suspicion: closed as `no error` it is dismissed, closed otherwise confirmed.

    A suspicion about a person that is closed as a fault of a sensor is dismissed: the person was not to blame. One that
    names a table or a shoe alone is confirmed by it.
    """
    if alert is None:
        return "waiting"
    if alert.open:
        return "open"
    of_person = not _PEOPLE.isdisjoint(kind for kind, _ in suspicion.whom)
    innocent = alert.disposition == "no error" or (alert.disposition == "sensor fault" and of_person)
    return "dismissed" if innocent else "confirmed"


def judged(suspicions: Iterable[Suspicion], alert_of: Callable[[str], Alert | None]) -> tuple[Judged, ...]:
    """Each suspicion with its month and outcome; `alert_of` gives the alert of a finding's id."""
    return tuple(
        Judged(one, month_of(one.row.decided_at), outcome_of(one, alert_of(one.finding.finding_id)))
        for one in suspicions
    )


def month_of(at: dt.datetime) -> dt.date:
    """The first day of the month of UTC."""
    return at.astimezone(dt.UTC).date().replace(day=1)


def family_of(suspicion: Suspicion) -> str:
    """The name of the family that raised it, also of one that this release does not know."""
    return suspicion.finding.check.split(".")[1]


def calibrated(
    found: Iterable[Judged], families: Mapping[str, PatternFamily], tables: int, month: dt.date | None
) -> Calibration:
    """The lines of a month, or of all time, in which so many tables played.

    A family raises a false alarm on a table's stream with a chance of at most its level, in all the time that the table
    plays; so at most `level` times `tables` are expected, in a month too.
    """
    counts: Counter[tuple[str, Outcome]] = Counter()
    for one in found:
        if month is None or one.month == month:
            counts[family_of(one.suspicion), one.outcome] += 1
    names = sorted({*families, *(name for name, _ in counts)})
    lines = tuple(
        Line(
            family=name,
            title=name.replace("_", " ").capitalize(),
            promised=tables / families[name].raised_at if name in families else None,
            **{outcome: counts[name, outcome] for outcome in OUTCOMES},
        )
        for name in names
    )
    total = Line(
        family="",
        title="All families",
        promised=sum(line.promised for line in lines if line.promised is not None),
        **{outcome: sum(getattr(line, outcome) for line in lines) for outcome in OUTCOMES},
    )
    return Calibration(month=month, tables=tables, lines=(*lines, total))
