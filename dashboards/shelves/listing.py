"""All that is silent now: alerts on the shelf, and checks whose alerts wait or are not paged."""

from __future__ import annotations

import datetime as dt
from typing import Final

from msgspec import Struct

from dashboards.accounts.accounts import User
from dashboards.desk.tunings import Tuning
from dashboards.ledger.acts import Shelved
from dashboards.queue.views import row
from dashboards.web.console import Console
from schemas.check_names import current

SOON: Final = dt.timedelta(minutes=15)  # before its end a shelf is marked
_LOOKED_THROUGH: Final = 200  # records of an alert, among which is who shelved it
_COUNTED: Final = 10_000
_QUIET: Final = ("wait", "page never")


class Shelf(Struct, frozen=True, kw_only=True):
    """One alert on the shelf; `soon` says that it comes back within a quarter of an hour."""

    alert: str
    version: int
    severity: str
    table: str
    title: str
    reason: str
    by: str
    since: dt.datetime
    until: dt.datetime
    soon: bool


class QuietCheck(Struct, frozen=True, kw_only=True):
    """A tuning that keeps alerts of a check out of the queue or off the pagers; `hid` is how many so far."""

    tuning: str
    check: str
    way: str
    minutes: int | None
    reason: str
    by: str
    until: dt.datetime
    hid: int
    soon: bool


class Shelves(Struct, frozen=True, kw_only=True):
    """What is silent, the next to end first."""

    alerts: tuple[Shelf, ...]
    checks: tuple[QuietCheck, ...]


def shelves_of(console: Console, user: User) -> Shelves:
    """What is silent of all that is there for a user.

    Raises:
        DeskUnavailable: the desk's records cannot be read.
    """
    now, role = console.clock(), console.role(user)
    shelved = [
        one
        for one in console.desk.snapshot().alerts
        if one.status == "shelved" and one.shelved_until is not None and console.sees(user, one)
    ]
    alerts = []
    for one in shelved:
        assert one.shelved_until is not None
        by, since = _put_by(console, one.id)
        shown = row(one, role)
        alerts.append(
            Shelf(
                alert=one.id,
                version=one.version,
                severity=one.finding.severity,
                table=one.finding.subject,
                title=shown.title or shown.message,
                reason=one.shelved_for or "",
                by=by,
                since=since,
                until=one.shelved_until,
                soon=one.shelved_until - now <= SOON,
            )
        )
    tunings = console.desk.look(lambda state: state.tunings.live(now))
    checks = [_quiet(console, user, one, now) for one in tunings if one.way in _QUIET and one.in_force(now)]
    return Shelves(
        alerts=tuple(sorted(alerts, key=lambda one: (one.until, one.alert))),
        checks=tuple(sorted(checks, key=lambda one: (one.until, one.tuning))),
    )


def _put_by(console: Console, alert: str) -> tuple[str, dt.datetime]:
    """Who put it on the shelf last, and when."""
    for record in reversed(console.desk.history(alert, _LOOKED_THROUGH)):
        if isinstance(record.data, Shelved):
            return record.actor, record.time
    found = console.desk.alert(alert)
    return ("", console.clock()) if found is None else (found.last_actor, found.last_at)


def _quiet(console: Console, user: User, one: Tuning, now: dt.datetime) -> QuietCheck:
    raised = console.desk.of_check(current(one.check), one.confirmed_at or one.asked_at, _COUNTED)
    hid = sum(
        console.sees(user, alert) and (one.way != "wait" or alert.finding.severity != "critical")
        for alert in raised
    )
    return QuietCheck(
        tuning=one.id,
        check=one.check,
        way=one.way,
        minutes=one.minutes,
        reason=one.reason,
        by=f"{one.asked_by}, confirmed by {one.confirmed_by}",
        until=one.until,
        hid=hid,
        soon=one.until - now <= SOON,
    )
