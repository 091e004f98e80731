"""A month as one report: its gaming days, what was found, what became of it at the desk, and the month before.

Money is of gaming days, as in the revenue. What was found, and its alerts, are of the events of the month: from the
moment at which its first gaming day begins by the clock of most tables to that of the next month's. Alerts and disputes
stand as the desk has them when the report is made.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterable, Mapping

from msgspec import Struct

from dashboards.accounts.visibility import DenyList
from dashboards.desk.alerts import Alert
from dashboards.desk.desk import Desk
from dashboards.desk.disputes import Dispute
from dashboards.desk.queue import RANK
from dashboards.desk.state import DeskState
from dashboards.ledger.seal_acts import FiguresSealed
from dashboards.ledger.seals import Seal
from dashboards.monthly.found import DutyOf, Irregularity, Span, TableDevices, devices, irregularities
from dashboards.reader.question import Reader
from dashboards.revenue.books import statement
from dashboards.revenue.filing.line import RevenueReport, report_of
from dashboards.revenue.places import Places, day_begins
from dashboards.revenue.sealing.figures import ChangedFigure, changes, sealed_of
from dashboards.revenue.wanted import WantedRevenue, month_before, month_on, no_books_of
from schemas.integrity import INTEGRITY


class AlertCounts(Struct, frozen=True, kw_only=True):
    """The alerts of the month's events: raised by severity, closed by disposition, and how many are open."""

    raised: dict[str, int]
    closed: dict[str, int]
    open: int


class DisputeCounts(Struct, frozen=True, kw_only=True):
    """Disputes: those opened in the month; decisions made in it, by ruling, and what they moved, in cents.

    A decision of two is made when the second confirms it. `open` are those of the opened that are open. `paid` went to
    patrons, `returned` came back from them.
    """

    opened: int
    open: int
    decided: dict[str, int]
    paid: int
    returned: int


class SealedMonth(Struct, frozen=True, kw_only=True):
    """The seal of a month's figures, and each figure that is no longer as it was sealed."""

    seal: Seal
    changed: tuple[ChangedFigure, ...]


class MonthFigures(Struct, frozen=True, kw_only=True):
    """One month (`2026-03`), its events from `since` to before `until`.

    `dayless` are rounds of no gaming day by table: no sum of money has them. `faults` are what is amiss with the
    record, which says nothing against the conduct of a round. `alerts` and `disputes` are None where there is no desk.
    `sealed` is None where nobody has sealed the month; where `tells_seal` is false nothing is told of a seal.
    `days_sealed` are the seals of single gaming days.
    """

    month: str
    since: dt.datetime
    until: dt.datetime
    revenue: RevenueReport
    dayless: dict[str, int]
    irregularities: tuple[Irregularity, ...]
    faults: tuple[Irregularity, ...]
    devices: tuple[TableDevices, ...]
    alerts: AlertCounts | None
    disputes: DisputeCounts | None
    sealed: SealedMonth | None = None
    tells_seal: bool = False
    days_sealed: tuple[Seal, ...] = ()


class MonthReport(Struct, frozen=True, kw_only=True):
    """The report: the month, and the one before to compare it with."""

    property: str
    month: MonthFigures
    before: MonthFigures


class DeskShown(Struct, frozen=True, kw_only=True):
    """What of the desk whoever asks may see: alerts and disputes, None where there is no desk.

    `withheld` is what is kept from them: kind (`table`, `dealer`, `patron`, `alert`) and name. `sealed` are seals of
    whole months with their figures, by the month's first day; None where there is no desk, or where a table or a dealer
    is withheld: sealed figures are sums of all. `seals` are all seals then.
    """

    alerts: tuple[Alert, ...] | None
    disputes: tuple[Dispute, ...] | None
    withheld: DenyList = frozenset()
    sealed: Mapping[dt.date, tuple[Seal, FiguresSealed]] | None = None
    seals: tuple[Seal, ...] = ()


def sealed_months(desk: Desk, first: dt.date) -> dict[dt.date, tuple[Seal, FiguresSealed]]:
    """The seals of the month that begins with this day and of the month before, of those that are sealed.

    Raises:
        DeskUnavailable: the ledger cannot be read.
        DeskBroken: a record is not the one that was sealed.
    """
    months = ((begins, month_on(begins) - dt.timedelta(days=1)) for begins in (first, month_before(first)))
    found = desk.look(lambda state: [state.seals.made.get(days) for days in months])
    return {seal.first: (seal, sealed_of(desk, seal)) for seal in found if seal is not None}


def all_seals(state: DeskState) -> tuple[Seal, ...]:
    """Every seal of the desk, by the first of its gaming days."""
    return tuple(sorted(state.seals.made.values(), key=lambda one: (one.first, one.last)))


def whole_desk_shown(desk: Desk, first: dt.date, *, seals: bool = True) -> DeskShown:
    """Everything that the desk holds for the report of the month that begins with this day; seals only if asked for.

    Raises:
        DeskUnavailable: the ledger cannot be read.
        DeskBroken: a record is not the one that was sealed.
    """
    return DeskShown(
        alerts=desk.look(lambda state: tuple(state.alerts.values())),
        disputes=desk.disputes(),
        sealed=sealed_months(desk, first) if seals else None,
        seals=desk.look(all_seals) if seals else (),
    )


def no_report_of(first: dt.date) -> str:
    """Why there is no report of the month that begins with this day; empty where there may be one."""
    return no_books_of(first) or no_books_of(month_before(first)) or no_books_of(month_on(first))


def month_report(
    reader: Reader, places: Places, first: dt.date, shown: DeskShown, duty_of: DutyOf
) -> MonthReport:
    """The report of the month that begins with this day; `places` are the tables as `places_of` the reader.

    Raises:
        Exception: what the reader raises when it has no answer.
    """
    this, before = (_month(reader, places, day, shown, duty_of) for day in (first, month_before(first)))
    return MonthReport(property=this.revenue.property, month=this, before=before)


def _month(reader: Reader, places: Places, first: dt.date, shown: DeskShown, duty_of: DutyOf) -> MonthFigures:
    after = month_on(first)
    since, until = (day_begins(places.clock_before(day), day) for day in (first, after))
    span = Span(since=since, until=until, withheld=shown.withheld)
    wanted = WantedRevenue(day=after - dt.timedelta(days=1), period="month", by="day")
    made = statement(reader, wanted, shown.withheld)
    found, revenue = irregularities(reader, span, duty_of), report_of(made)
    return MonthFigures(
        month=f"{first:%Y-%m}",
        since=span.since,
        until=span.until,
        revenue=revenue,
        dayless={one.subject: one.rounds for one in made.dayless},
        irregularities=tuple(one for one in found if one.check not in INTEGRITY),
        faults=tuple(one for one in found if one.check in INTEGRITY),
        devices=devices(reader, span),
        alerts=None if shown.alerts is None else _alerts(shown.alerts, span),
        disputes=None if shown.disputes is None else _disputes(shown.disputes, span),
        sealed=_sealed(reader, shown, first, revenue),
        tells_seal=shown.sealed is not None,
        days_sealed=tuple(one for one in shown.seals if first <= one.first == one.last < after),
    )


def _sealed(reader: Reader, shown: DeskShown, first: dt.date, revenue: RevenueReport) -> SealedMonth | None:
    if not shown.sealed or first not in shown.sealed:
        return None
    seal, act = shown.sealed[first]
    by_table = report_of(statement(reader, WantedRevenue(day=seal.last, period="month", by="table")))
    return SealedMonth(seal=seal, changed=changes(act, [revenue, by_table]))


def _alerts(alerts: Iterable[Alert], span: Span) -> AlertCounts:
    held = [one for one in alerts if span.since <= one.arose_at < span.until]
    raised = Counter(one.finding.severity for one in held)
    closed = Counter(one.disposition or "" for one in held if one.closing_holds)
    return AlertCounts(
        raised={severity: raised[severity] for severity in RANK if raised[severity]},
        closed=dict(sorted(closed.items())),
        open=sum(not one.closing_holds for one in held),
    )


def _disputes(disputes: Iterable[Dispute], span: Span) -> DisputeCounts:
    disputes = tuple(disputes)
    opened = [one for one in disputes if span.since <= one.opened_at < span.until]
    held = [decision for dispute in disputes if (decision := dispute.held_decision) is not None]
    made = [
        decision for decision in held if span.since <= (decision.confirmed_at or decision.at) < span.until
    ]
    return DisputeCounts(
        opened=len(opened),
        open=sum(one.open for one in opened),
        decided=dict(sorted(Counter(one.ruling for one in made).items())),
        paid=sum(max(one.amount_cents, 0) for one in made),
        returned=sum(max(-one.amount_cents, 0) for one in made),
    )
