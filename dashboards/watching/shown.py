"""Whom an alert, a hand or a suspicion names, and which of them are watched."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator

from msgspec import UNSET

from dashboards.accounts.accounts import User
from dashboards.desk.alerts import Alert
from dashboards.desk.watch_fold import Subject, Watch
from dashboards.drawing.scene import DrawnSeat
from dashboards.ledger.watch_acts import KINDS
from dashboards.reader.watched import patron_at
from dashboards.watching.watching import entries, watches_of
from dashboards.web.console import Console
from schemas.findings import Finding

_log = logging.getLogger("catwalk.console")


def watched_by_alert(console: Console, user: User, alert: Alert) -> tuple[Watch, ...]:
    """The entries about an alert's table and dealer, about whom its finding names, and who sat at its seat."""
    named: list[Subject] = [*_of_finding(alert.finding)]
    if alert.dealer:
        named.append(("dealer", alert.dealer))
    if console.role(user).reads_watches and any(one.kind == "player" for one in entries(console, user)):
        named += _at_seat(console, alert.finding)
    return watches_of(console, user, named)


def watched_by_finding(console: Console, user: User, finding: Finding) -> tuple[Watch, ...]:
    """The entries about a finding's table and whom it names."""
    return watches_of(console, user, _of_finding(finding))


def watched_by_hand(
    console: Console, user: User, subject: str, dealer: str, seats: Iterable[DrawnSeat]
) -> tuple[Watch, ...]:
    """The entries about a hand's table, dealer and patrons."""
    patrons: list[Subject] = [("player", seat.player) for seat in seats if seat.player]
    return watches_of(console, user, [("table", subject), ("dealer", dealer), *patrons])


def _of_finding(finding: Finding) -> Iterator[Subject]:
    yield "table", finding.subject
    about = finding.about if isinstance(finding.about, dict) else {}
    for kind in KINDS:
        if kind in about:
            yield kind, str(about[kind])


def _at_seat(console: Console, finding: Finding) -> list[Subject]:
    if finding.seat is UNSET:
        return []
    try:
        rows = patron_at(finding.subject, finding.seat, finding.sequence).ask(console.records)
    except Exception as error:  # whatever the store raises: an alert is shown without it
        _log.warning("who sat at seat %s of %s cannot be had: %s", finding.seat, finding.subject, error)
        return []
    return [("player", row.patron) for row in rows]
