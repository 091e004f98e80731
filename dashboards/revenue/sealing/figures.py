"""Reports as they are sealed in the desk's ledger, read back from there, and held against what is known now."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, Literal

from msgspec import Struct

from dashboards.desk.desk import Desk
from dashboards.ledger.acts import DeskBroken, read_again
from dashboards.ledger.seal_acts import FiguresSealed, SealedBy, SealedDivision, SealedLine, Value
from dashboards.ledger.seals import Seal
from dashboards.revenue.filing.line import MONEY, RevenueLine, RevenueReport
from dashboards.revenue.wanted import WantedRevenue, month_on
from dashboards.wording.money import dollars

SealedPeriod = Literal["day", "month"]
NAMES: Final = tuple(name for name in RevenueLine.__struct_fields__ if name not in ("key", "lacks"))


class ChangedFigure(Struct, frozen=True, kw_only=True):
    """A figure that is not as it was sealed: of the total (`by` and `key` empty), or of a line of a division.

    A line that was not there, or is there no more, has null on that side.
    """

    by: str
    key: str
    figure: str
    sealed: Value
    now: Value


def sealed_days(day: dt.date, period: SealedPeriod) -> WantedRevenue:
    """What is sealed together: one gaming day by table, or a whole month by gaming day."""
    last = month_on(day.replace(day=1)) - dt.timedelta(days=1) if period == "month" else day
    return WantedRevenue(day=last, period=period, by="day" if period == "month" else "table")


def act_of(
    reports: Sequence[RevenueReport], records: Mapping[str, int], note: str, address: str
) -> FiguresSealed:
    """The act that seals reports of the same gaming days, a division each; they have one total."""
    head = reports[0]
    return FiguresSealed(
        first=head.first,
        last=head.last,
        property=head.property,
        columns=NAMES,
        total=_sealed(head.total),
        divisions=tuple(
            SealedDivision(by=_division(one), lines=tuple(map(_sealed, one.lines))) for one in reports
        ),
        records=dict(records),
        note=note,
        address=address,
    )


def _division(report: RevenueReport) -> SealedBy:
    return "day" if report.by == "day" else "table"


def _sealed(line: RevenueLine) -> SealedLine:
    return SealedLine(key=line.key, values=tuple(getattr(line, name) for name in NAMES), lacks=line.lacks)


def sealed_of(desk: Desk, seal: Seal) -> FiguresSealed:
    """The figures of a seal; those of an old one are read from its record.

    Raises:
        DeskUnavailable: the ledger cannot be read.
        DeskBroken: the record is not the one that was sealed.
    """
    held = desk.look(lambda state: state.seals.held.get((seal.first, seal.last)))
    if held is not None:
        return held
    lines = desk.lines(seal.sequence, 1)
    act = read_again(lines[0], seal.sequence, seal.hash).data if lines else None
    if not isinstance(act, FiguresSealed):
        raise DeskBroken(seal.sequence, "it is no seal")
    return act


def reports_of(act: FiguresSealed, day: dt.date) -> list[RevenueReport]:
    """The reports that were sealed, in the order of their divisions.

    A figure that another release sealed and that this one does not know is left out; one that it lacks is None.
    """
    return [
        RevenueReport(
            property=act.property,
            day=day,
            period="day" if act.first == act.last else "mtd",
            first=act.first,
            last=act.last,
            by=one.by,
            lines=tuple(_line(act.columns, line) for line in one.lines),
            total=_line(act.columns, act.total),
        )
        for one in act.divisions
    ]


def _line(columns: Sequence[str], line: SealedLine) -> RevenueLine:
    told = {name: value for name, value in zip(columns, line.values, strict=True) if name in NAMES}
    known: dict[str, Any] = dict.fromkeys(NAMES) | told
    return RevenueLine(key=line.key, lacks=line.lacks, **known)


def changes(act: FiguresSealed, now: Sequence[RevenueReport]) -> tuple[ChangedFigure, ...]:
    """The figures that differ from the sealed ones: of the total first, then of the lines of each division of `now`."""
    sealed = {one.by: one for one in reports_of(act, act.last)}
    names = [name for name in NAMES if name in act.columns]
    found = list(_changed("", _line(act.columns, act.total), now[0].total, names))
    for one in now:
        if one.by in sealed:
            before, after = ({line.key: line for line in held.lines} for held in (sealed[one.by], one))
            for key in sorted({*before, *after}):
                found += _changed(one.by, before.get(key), after.get(key), names)
    return tuple(found)


def _changed(
    by: str, sealed: RevenueLine | None, now: RevenueLine | None, names: Sequence[str]
) -> Iterator[ChangedFigure]:
    for name in names:
        before, after = getattr(sealed, name, None), getattr(now, name, None)
        if before == after or (None in (sealed, now) and not (before or after)):
            continue
        held = sealed or now
        key = held.key if held is not None and by else ""
        yield ChangedFigure(by=by, key=key, figure=name, sealed=before, now=after)


def told(name: str, value: Value) -> str:
    """A value of a report as people read it; a dash where it is not known."""
    if value is None:
        return "–"
    if name in MONEY:
        return dollars(int(value))
    return f"{value:.2f}" if name == "hours" else f"{value:,}"


def difference(one: ChangedFigure) -> str:
    """What a figure has changed by; empty where one side is not known."""
    if one.sealed is None or one.now is None:
        return ""
    return told(one.figure, one.now - one.sealed)
