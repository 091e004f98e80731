"""The suspicions that a user may see: those of the store, and those at the desk that the store has not."""

from __future__ import annotations

from typing import Final

import msgspec

from dashboards.accounts.accounts import User
from dashboards.accounts.roles import Role
from dashboards.accounts.visibility import DenyList, knows
from dashboards.desk.alerts import Alert
from dashboards.reader.patterns import MOST_COUNTED, SuspicionRow, suspicion, suspicions
from dashboards.suspicions.suspicions import Suspicion, suspicion_of
from dashboards.web.console import Console

PATTERN: Final = "pattern."
_encode = msgspec.json.Encoder().encode


def may_read(console: Console, user: User, about: str) -> None:
    """Return if the user reads suspicions; a refusal is kept.

    Raises:
        PermissionDeniedException: they do not.
    """
    granted = "suspected" in console.role(user).verdicts
    console.require(granted, user, "page", about, "does not read suspicions")


def visible_to(console: Console, user: User, one: Suspicion) -> bool:
    """Whether a suspicion is there for this user."""
    return _is_visible(one, console.role(user), console.desk.withheld_from(user.name))


def _is_visible(one: Suspicion, role: Role, withheld: DenyList) -> bool:
    named = {("table", one.finding.subject), *((kind, name) for kind, name in one.whom if kind == "dealer")}
    return knows(role, withheld, one.finding) and withheld.isdisjoint(named)


def known_suspicions(console: Console, user: User) -> tuple[Suspicion, ...]:
    """All suspicions that this user may see: `suspicions_for` their name and role."""
    return suspicions_for(console, user.name, console.role(user))


def suspicions_for(console: Console, user: str, role: Role) -> tuple[Suspicion, ...]:
    """All that a user of this role may see, of the `MOST_COUNTED` that the store raised last and of the desk.

    Raises:
        Exception: the store does not answer.
    """
    families = console.patterns()
    found = {row.finding_id: row for row in suspicions(MOST_COUNTED).ask(console.records)}
    for alert in console.desk.of_checks(PATTERN):
        if alert.finding.verdict == "suspected" and alert.id not in found:
            found[alert.id] = _row(alert)
    made = (suspicion_of(row, families) for row in found.values())
    withheld = console.desk.withheld_from(user)
    return tuple(one for one in made if _is_visible(one, role, withheld))


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
    return next((one for one in made if visible_to(console, user, one)), None)


def _is_suspicion(alert: Alert) -> bool:
    return alert.finding.verdict == "suspected" and alert.finding.check.startswith(PATTERN)


def _row(alert: Alert) -> SuspicionRow:
    return SuspicionRow(alert.id, alert.decided_at, _encode(alert.finding).decode())
