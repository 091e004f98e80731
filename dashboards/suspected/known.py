"""The suspicions that a user may see: those of the store, and those at the desk that the store has not."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Sequence
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from dashboards.accounts.accounts import User
from dashboards.accounts.roles import Role
from dashboards.accounts.visibility import DenyList, knows, visible
from dashboards.desk.alerts import Alert
from dashboards.reader.patterns import (
    MOST_COUNTED,
    SuspicionRow,
    suspicion,
    suspicions,
    suspicions_naming,
    suspicions_near,
)
from dashboards.reader.people import Kind
from dashboards.reader.search import rounds_dealt_by
from dashboards.suspicions.risen import rounds_title
from dashboards.suspicions.suspicions import Suspicion, Weighty, suspicion_of, tables_of, weighty_rounds
from dashboards.web.console import Console
from schemas.findings import Finding

PATTERN: Final = "pattern."
MOST_SOUGHT: Final = 500
# The records of several tables are not folded in strict order of time: one that is read later may be of earlier.
_ABREAST: Final = dt.timedelta(days=1)
_encode = msgspec.json.Encoder().encode


class Sought(Struct, frozen=True, kw_only=True):
    """Suspicions of these families that may rest on a round of a time, of one table or of all."""

    families: frozenset[str]
    since: dt.datetime
    until: dt.datetime
    table: str | None = None


def may_read(console: Console, user: User, about: str) -> None:
    """Return if the user reads suspicions; a refusal is kept.

    Raises:
        PermissionDeniedException: they do not.
    """
    granted = "suspected" in console.role(user).verdicts
    console.require(granted, user, "page", about, "does not read suspicions")


def visible_to(console: Console, user: User, one: Suspicion) -> bool:
    """Whether a suspicion is there for this user."""
    return _is_visible(console, one, console.role(user), console.desk.withheld_from(user.name))


def _is_visible(console: Console, one: Suspicion, role: Role, withheld: DenyList) -> bool:
    alert = console.desk.alert(one.finding.finding_id) if withheld else None
    if alert is not None and alert.again is not None and not visible(alert, role, withheld):
        return False
    named = {("table", one.finding.subject), *((kind, name) for kind, name in one.whom if kind == "dealer")}
    return knows(role, withheld, one.finding) and withheld.isdisjoint(named)


def risen_again(console: Console) -> list[SuspicionRow]:
    """The suspicions that the desk itself raised again: the store has none of them."""
    return [_row(alert) for alert in console.desk.of_checks(PATTERN) if alert.again is not None]


def known_suspicions(console: Console, user: User) -> tuple[Suspicion, ...]:
    """All that this user may see, of the `MOST_COUNTED` that the store raised last and of the desk.

    Raises:
        Exception: the store does not answer.
    """
    rows = suspicions(MOST_COUNTED).ask(console.records)
    return _shown(console, user.name, console.role(user), _with_desk(console, rows, lambda _: True))


def suspicions_about(console: Console, user: User, kind: Kind, name: str) -> tuple[Suspicion, ...]:
    """Those that this user may see and that name somebody, of a table those raised there; the last risen first.

    Raises:
        Exception: the store does not answer.
    """
    named = "player" if kind == "patron" else kind

    def is_named(finding: Finding) -> bool:
        about = finding.about if isinstance(finding.about, dict) else {}
        return name == (finding.subject if kind == "table" else about.get(named))

    def rose(one: Suspicion) -> tuple[dt.datetime, str]:
        alert = console.desk.alert(one.finding.finding_id)
        return one.row.decided_at if alert is None else alert.arose_at, one.finding.finding_id

    rows = suspicions_naming(named, name).ask(console.records)
    found = _with_desk(console, rows, lambda alert: is_named(alert.finding))
    shown = _shown(console, user.name, console.role(user), found)
    return tuple(sorted((one for one in shown if is_named(one.finding)), key=rose, reverse=True))


def suspicions_sought(
    console: Console, user: str, role: Role, sought: Sought
) -> tuple[tuple[Suspicion, ...], bool]:
    """Those that this user may see of the `MOST_SOUGHT` nearest to the end of the time, and whether there are more.

    A suspicion rests on rounds before it: one that was decided before the time is none of it.

    Raises:
        Exception: the store does not answer.
    """
    since = sought.since - _ABREAST

    def is_sought(alert: Alert) -> bool:
        family = alert.finding.check.split(".")[1]
        return (
            family in sought.families
            and alert.decided_at >= since
            and (sought.table is None or sought.table in tables_of(alert.finding))
        )

    def distance(row: SuspicionRow) -> tuple[bool, dt.timedelta, str]:
        return row.decided_at > sought.until, abs(row.decided_at - sought.until), row.finding_id

    asked = suspicions_near(sought.families, since, sought.until, sought.table, MOST_SOUGHT + 1)
    rows = sorted(_with_desk(console, asked.ask(console.records), is_sought), key=distance)
    return _shown(console, user, role, rows[:MOST_SOUGHT]), len(rows) > MOST_SOUGHT


def _with_desk(
    console: Console, rows: Iterable[SuspicionRow], wanted: Callable[[Alert], bool]
) -> list[SuspicionRow]:
    """Rows of the store, and those of alerts that are wanted and that are not among them."""
    found = {row.finding_id: row for row in rows}
    for alert in console.desk.of_checks(PATTERN):
        if alert.finding.verdict == "suspected" and alert.id not in found and wanted(alert):
            found[alert.id] = _row(alert)
    return list(found.values())


def _shown(console: Console, user: str, role: Role, rows: Iterable[SuspicionRow]) -> tuple[Suspicion, ...]:
    families, withheld = console.patterns(), console.desk.withheld_from(user)
    made = (suspicion_of(row, families) for row in rows)
    return tuple(one for one in made if _is_visible(console, one, role, withheld))


def known_suspicion(console: Console, user: User, finding: str) -> Suspicion | None:
    """One suspicion, if there is one of this id and this user may see it.

    Raises:
        Exception: the store does not answer.
    """
    rows = suspicion(finding).ask(console.records)
    alert = console.desk.alert(finding)
    if not rows and alert is not None and _is_suspicion(alert):
        rows = [_row(alert)]
    made = (suspicion_of(row, console.patterns()) for row in rows)
    return next(iter(as_seen(console, user, [one for one in made if visible_to(console, user, one)])), None)


def as_seen(console: Console, user: User, found: Sequence[Suspicion]) -> list[Suspicion]:
    """Suspicions without the round in which one rose, where this round is withheld from the user.

    Raises:
        Exception: the store does not answer.
    """
    hidden = _withheld_rounds(console, user, [(one.finding.subject, one.finding.round or 0) for one in found])
    return [
        replace(one, finding=replace(one.finding, round=None))
        if (one.finding.subject, one.finding.round) in hidden
        else one
        for one in found
    ]


def named_rounds(console: Console, user: User, finding: Finding) -> tuple[Weighty, ...]:
    """The rounds that a suspicion names, but for those of tables and dealers that are withheld from this user.

    Raises:
        Exception: the store does not answer.
    """
    rounds = weighty_rounds(console.records, finding)
    hidden = _withheld_rounds(console, user, [(one.table, one.round) for one in rounds])
    return tuple(one for one in rounds if (one.table, one.round) not in hidden)


def _withheld_rounds(
    console: Console, user: User, numbered: Sequence[tuple[str, int]]
) -> set[tuple[str, int]]:
    """Those of these rounds that are of a table or a dealer that is withheld from this user."""
    withheld = console.desk.withheld_from(user.name)
    hidden = {(table, number) for table, number in numbered if ("table", table) in withheld}
    dealers = sorted(name for kind, name in withheld if kind == "dealer")
    if dealers and numbered:
        dealt = rounds_dealt_by(sorted(set(numbered)), dealers).ask(console.records)
        hidden.update((one.subject, one.round) for one in dealt)
    return hidden


def first_of(console: Console, alert: Alert) -> Alert:
    """The first alarm of a suspicion that rose again; the alert itself of another one."""
    earlier = console.desk.alert(alert.again.alerts[0]) if alert.again is not None else None
    return alert if earlier is None else earlier


def title_of_rounds(console: Console, alert: Alert | None, shown: Suspicion) -> str:
    """What stands above the rounds that a suspicion names: of one that rose again, whether these came later."""
    cleared = None if alert is None or alert.again is None else console.desk.alert(alert.again.alerts[-1])
    return rounds_title(shown.finding, None if cleared is None else cleared.finding)


def _is_suspicion(alert: Alert) -> bool:
    return alert.finding.verdict == "suspected" and alert.finding.check.startswith(PATTERN)


def _row(alert: Alert) -> SuspicionRow:
    return SuspicionRow(alert.id, alert.decided_at, _encode(alert.finding).decode())
