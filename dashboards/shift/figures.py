"""What happened in a shift, counted out of the desk: alerts, disputes, cases and devices between two moments."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Callable, Iterable
from itertools import takewhile

from msgspec import Struct

from dashboards.casebook.case import Case
from dashboards.desk.alerts import Alert
from dashboards.desk.desk import Desk
from dashboards.desk.disputes import Dispute
from dashboards.desk.queue import RANK
from dashboards.desk.state import DeskState
from dashboards.wording.short_titles.title import short_title
from dashboards.wording.titles import title_of
from schemas.check_names import current

LONGEST = dt.timedelta(days=31)
USUAL = dt.timedelta(hours=8)  # how far a shift goes back where nothing was handed over before
LISTED = 50  # alerts, disputes or cases that are named one by one
DEVICES = "integrity.device"
Sees = Callable[[Alert], bool]


class AlertLine(Struct, frozen=True, kw_only=True):
    """An open alert: `title` in one short line, `message` in a whole sentence; money in cents, patron's view."""

    id: str
    severity: str
    title: str
    message: str
    table: str
    status: str
    raised_at: dt.datetime
    event_at: dt.datetime
    owner: str | None
    money_cents: int


class MatterLine(Struct, frozen=True, kw_only=True):
    """A dispute or a case that is open or waits for a second person; `due` is when a dispute is to be decided."""

    id: str
    title: str
    status: str
    due: dt.datetime | None = None


class ShiftFigures(Struct, frozen=True, kw_only=True):
    """A shift from `since` to `until` (not included); what is open is open now, at `as_of`.

    Alerts are counted by severity, closed ones by disposition; `disputes_awaiting` counts what waits for a second
    person: decisions, and openings of decided disputes, which stand among `open_disputes` too. Lists hold the gravest
    and oldest, `LISTED` at most; the counts are of all.
    """

    since: dt.datetime
    until: dt.datetime
    as_of: dt.datetime
    raised: dict[str, int]
    closed: dict[str, int]
    open: dict[str, int]
    awaiting_second: int
    unacknowledged: int
    open_alerts: tuple[AlertLine, ...]
    disputes_opened: int
    disputes_decided: int
    disputes_open: int
    disputes_awaiting: int
    open_disputes: tuple[MatterLine, ...]
    cases_opened: int
    cases_closed: int
    cases_open: int
    open_cases: tuple[MatterLine, ...]
    devices_raised: int
    devices_open: int
    open_devices: tuple[AlertLine, ...]

    @property
    def raised_in_all(self) -> int:
        """How many alerts were raised."""
        return sum(self.raised.values())

    @property
    def closed_in_all(self) -> int:
        """How many alerts were closed."""
        return sum(self.closed.values())

    @property
    def open_in_all(self) -> int:
        """How many alerts are open."""
        return sum(self.open.values())


def raised_between(desk: Desk, since: dt.datetime, until: dt.datetime) -> tuple[Alert, ...]:
    """Alerts raised from one moment to before another, the last first; it walks no further back than that."""

    def look(state: DeskState) -> tuple[Alert, ...]:
        last_first = reversed(state.alerts.values())
        newer = takewhile(lambda alert: alert.raised_at >= since, last_first)
        return tuple(alert for alert in newer if alert.raised_at < until)

    return desk.look(look)


def closed_between(desk: Desk, since: dt.datetime, until: dt.datetime) -> tuple[Alert, ...]:
    """Alerts closed from one moment to before another and closed still, the last closed first."""

    def look(state: DeskState) -> tuple[Alert, ...]:
        last_first = map(state.alerts.__getitem__, state.index.closed())
        newer = takewhile(lambda alert: alert.closed_at is None or alert.closed_at >= since, last_first)
        return tuple(alert for alert in newer if alert.closed_at is not None and alert.closed_at < until)

    return desk.look(look)


def figures_of(
    desk: Desk,
    since: dt.datetime,
    until: dt.datetime,
    as_of: dt.datetime,
    sees: Sees,
    disputes: Iterable[Dispute],
    cases: Iterable[Case],
) -> ShiftFigures:
    """The figures of a shift as far as `sees` lets alerts count; `disputes` and `cases` are those that count."""
    raised = [alert for alert in raised_between(desk, since, until) if sees(alert)]
    closed = [alert for alert in closed_between(desk, since, until) if sees(alert)]
    still = [alert for alert in desk.snapshot().alerts if sees(alert)]
    still.sort(key=lambda alert: (RANK[alert.finding.severity], alert.raised_at, alert.id))
    devices = [alert for alert in still if _is_device(alert)]
    disputes, cases = tuple(disputes), tuple(cases)
    return ShiftFigures(
        since=since,
        until=until,
        as_of=as_of,
        raised=_by_severity(raised),
        closed=dict(Counter(alert.disposition or "" for alert in closed).most_common()),
        open=_by_severity(still),
        awaiting_second=sum(alert.status == "awaiting" for alert in still),
        unacknowledged=sum(alert.status == "new" for alert in still),
        open_alerts=tuple(map(_line, still[:LISTED])),
        disputes_opened=sum(since <= one.opened_at < until for one in disputes),
        disputes_decided=sum(
            one.decision is not None and not one.open and since <= one.decision.at < until for one in disputes
        ),
        disputes_open=sum(one.open for one in disputes),
        disputes_awaiting=sum(one.waiting is not None for one in disputes),
        open_disputes=tuple(map(_dispute, filter(_to_do, disputes)))[:LISTED],
        cases_opened=sum(since <= one.opened_at < until for one in cases),
        cases_closed=sum(one.closing is not None and since <= one.closing.at < until for one in cases),
        cases_open=sum(one.open for one in cases),
        open_cases=tuple(
            MatterLine(id=one.id, title=one.title, status=one.status) for one in cases if one.open
        )[:LISTED],
        devices_raised=sum(map(_is_device, raised)),
        devices_open=len(devices),
        open_devices=tuple(map(_line, devices[:LISTED])),
    )


def _to_do(dispute: Dispute) -> bool:
    """Whether somebody has to decide it, or to confirm something of it."""
    return dispute.open or dispute.waiting is not None


def _dispute(one: Dispute) -> MatterLine:
    return MatterLine(id=one.id, title=one.claim, status=one.standing, due=one.due if one.open else None)


def _is_device(alert: Alert) -> bool:
    return current(alert.finding.check) == DEVICES


def _by_severity(alerts: Iterable[Alert]) -> dict[str, int]:
    counted = Counter(alert.finding.severity for alert in alerts)
    return {severity: counted[severity] for severity in RANK if counted[severity]}


def _line(alert: Alert) -> AlertLine:
    return AlertLine(
        id=alert.id,
        severity=alert.finding.severity,
        title=short_title(alert.finding),
        message=title_of(alert.finding),
        table=alert.finding.subject,
        status=alert.status,
        raised_at=alert.raised_at,
        event_at=alert.decided_at,
        owner=alert.owner,
        money_cents=alert.finding.money_cents,
    )
