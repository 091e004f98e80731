"""What a page says of somebody: figures by day, errors by direction and money, findings, hands, disputes, alerts."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from typing import Final
from urllib.parse import quote

import msgspec
from msgspec import Struct

from dashboards.accounts.accounts import User
from dashboards.accounts.roles import Role
from dashboards.debts.seen import is_theirs
from dashboards.desk.alerts import Alert
from dashboards.desk.disputes import Dispute
from dashboards.desk.index import waits
from dashboards.disputes.views import as_seen
from dashboards.filters.cursors import as_cursor, of_cursor
from dashboards.people.whose import Asked
from dashboards.queue.views import titled
from dashboards.reader import people
from dashboards.reader.newest import WantedRounds, newest_rounds, seats_of
from dashboards.reader.people import FiguresRow, FindingsWanted, PeopleScope
from dashboards.reader.search import FoundRow
from dashboards.web.console import Console
from schemas.findings import Finding

PAGE = 25  # findings shown at once
HANDS = 10
_MOST_ALERTS = 2_000  # open ones that are asked about whether they are of a patron's hand
_AROUND: Final = dt.timedelta(days=1)  # between the end of a round and what is decided of it
_read = msgspec.json.Decoder(Finding).decode
After = tuple[dt.datetime, str, int, str]
_read_place = msgspec.msgpack.Decoder(After).decode


class FindingLine(Struct, frozen=True, kw_only=True):
    """A finding of the list; `path` leads to its hand, `alert` is its alert where there is one for this user."""

    at: dt.datetime
    subject: str
    round: int | None
    seat: int | None
    severity: str
    verdict: str
    title: str
    cents: int
    path: str
    alert: Alert | None


class Findings(Struct, frozen=True, kw_only=True):
    """One page of findings, `count` in all of this severity: by severity in `counts`; `further` is where it goes on."""

    shown: tuple[FindingLine, ...] = ()
    counts: dict[str, int] = {}
    count: int = 0
    further: str = ""


class Facts(Struct, frozen=True, kw_only=True):
    """What the rounds of the span hold; `total` is None where there are none.

    `days` are gaming days, the oldest first.
    """

    total: FiguresRow | None = None
    days: tuple[FiguresRow, ...] = ()
    findings: Findings = Findings()
    hands: tuple[FoundRow, ...] = ()


def facts_about(console: Console, user: User, asked: Asked, after: str = "") -> Facts:
    """What this user may know; `after` is where a page of findings goes on.

    Raises:
        Exception: the store does not answer.
    """
    scope = asked.scope
    if scope is None:
        return Facts()
    total = people.figures(scope, "nobody").ask(console.records)
    return Facts(
        total=total[0] if total else None,
        days=tuple(people.figures(scope, "day").ask(console.records)),
        findings=findings_about(console, user, scope, after),
        hands=tuple(newest_rounds(console.records, _wanted(scope), None, HANDS)),
    )


def _wanted(scope: PeopleScope) -> WantedRounds:
    return WantedRounds(
        since=scope.since,
        until=scope.until,
        table=scope.name if scope.kind == "table" else None,
        dealer=scope.name if scope.kind == "dealer" else None,
        patron=scope.name if scope.kind == "patron" else None,
        without_tables=scope.without_tables,
        without_dealers=scope.without_dealers,
    )


def findings_about(console: Console, user: User, scope: PeopleScope, after: str) -> Findings:
    """One page of the findings that this user may know of."""
    role = console.role(user)
    wanted = FindingsWanted(
        verdicts=tuple(sorted(role.verdicts)),
        only_with_money=role.only_with_money,
        without_ids=tuple(sorted(console.desk.hidden_from(user.name, "alert"))),
        after=place_after(after),
        most=PAGE + 1,
    )
    counts: dict[str, int] = {}
    for row in people.findings_counted(scope, wanted).ask(console.records):
        counts[row.severity] = counts.get(row.severity, 0) + row.findings
    rows = people.findings(scope, wanted).ask(console.records)
    shown = tuple(_line(console, user, role, row) for row in rows[:PAGE])
    further = cursor_of(rows[PAGE - 1]) if len(rows) > PAGE else ""
    return Findings(shown=shown, counts=counts, count=sum(counts.values()), further=further)


def _line(console: Console, user: User, role: Role, row: people.FindingAboutRow) -> FindingLine:
    finding = _read(row.record)
    alert = console.desk.alert(finding.finding_id)
    path = ""
    if finding.round is not None and row.first_sequence:
        path = f"/hands/{quote(row.subject, safe='')}/{finding.round}?first={row.first_sequence}&at={row.sequence}"
    return FindingLine(
        at=row.decided_at,
        subject=row.subject,
        round=finding.round,
        seat=finding.seat if isinstance(finding.seat, int) and "seat" not in role.hidden else None,
        severity=finding.severity,
        verdict=finding.verdict,
        title=titled(finding, role),
        cents=finding.money_cents,
        path=path,
        alert=alert if alert is not None and console.sees(user, alert) else None,
    )


def cursor_of(row: people.FindingAboutRow) -> str:
    """Where the list goes on behind this finding, for an address."""
    place = (row.decided_at, row.subject, row.sequence, row.finding_id)
    return as_cursor(place)


def place_after(text: str) -> After | None:
    """The finding that such an address names; None where it names none."""
    return of_cursor(text, _read_place)


def disputes_about(console: Console, user: User, asked: Asked) -> tuple[Dispute, ...]:
    """The disputes that name them and that are there for this user, the last opened first."""
    found = []
    for one in console.desk.disputes():
        if is_theirs(console, user, one):
            seen = as_seen(console, user, one)
            names = {"dealer": seen.review.dealer, "patron": seen.patron, "table": seen.subject}
            if names[asked.kind] == asked.name:
                found.append(seen)
    return tuple(sorted(found, key=lambda one: one.opened_at, reverse=True))


def alerts_about(console: Console, user: User, asked: Asked) -> tuple[Alert, ...]:
    """The alerts that wait, that this user sees and that are about them: suspicions first, then the last raised first.

    Of a dealer those of the rounds the dealer dealt; of a patron those of the patron's hands; of all those that name
    them.

    Raises:
        Exception: the store does not answer.
    """
    seen = [one for one in console.desk.snapshot().alerts if waits(one) and console.sees(user, one)]
    found = {one.id: one for one in seen if _is_about(one, asked)}
    if asked.kind == "patron":
        found |= {one.id: one for one in _of_hands(console, asked.name, seen[-_MOST_ALERTS:])}
    return tuple(
        sorted(
            found.values(),
            key=lambda one: (one.finding.verdict == "suspected", one.decided_at),
            reverse=True,
        )
    )


def _of_hands(console: Console, patron: str, alerts: Sequence[Alert]) -> Iterator[Alert]:
    """Those of the alerts that are about a hand of this patron, of whatever day."""
    at: dict[tuple[str, int, int], list[Alert]] = {}
    for one in alerts:
        finding = one.finding
        if isinstance(finding.round, int) and isinstance(finding.seat, int):
            at.setdefault((finding.subject, finding.round, finding.seat), []).append(one)
    if not at:
        return
    times = [one.decided_at for told in at.values() for one in told]
    since, until = min(times) - _AROUND, max(times) + _AROUND
    sought = seats_of(WantedRounds(since=since, until=until, patron=patron)).ask(console.records)
    named = {(subject, seat) for subject, _, seat in at}
    seats = tuple(one for one in sought if (one.subject, one.seat) in named)
    if not seats:
        return
    tables = tuple(sorted({one.subject for one in seats}))
    scope = PeopleScope(kind="patron", name=patron, since=since, until=until, tables=tables, seats=seats)
    for row in people.hands_of(scope, tuple(at)).ask(console.records):
        yield from at[row.subject, row.round, row.seat]


def _is_about(alert: Alert, asked: Asked) -> bool:
    finding = alert.finding
    about = finding.about if isinstance(finding.about, dict) else {}
    match asked.kind:
        case "table":
            return finding.subject == asked.name
        case "dealer":
            # A pattern that names others was only raised in a round of this dealer.
            return asked.name == (about.get("dealer") if about else alert.dealer)
        case "patron":
            return about.get("player") == asked.name


def severities(counts: dict[str, int]) -> Sequence[tuple[str, int]]:
    """Counts of findings, the gravest first."""
    return [(name, counts[name]) for name in ("critical", "major", "minor", "info") if name in counts]
