"""What the record says now of an alert's event, where it differs from the words in which the alert was raised."""

from __future__ import annotations

import datetime as dt
import logging
from typing import Final

import msgspec
from msgspec import UnsetType

from dashboards.accounts.roles import Role
from dashboards.desk.alerts import Alert
from dashboards.desk.index import matter_of
from dashboards.queue.views import without_cards
from dashboards.reader.patterns import suspicions_of
from dashboards.reader.rounds import findings_at, round_at
from dashboards.web.console import Console
from dashboards.wording.money import owed
from dashboards.wording.titles import title_of
from schemas.findings import Finding

NOT_OF_THE_FOLD = ("integrity.store",)  # the sink's finding: it goes when the store is repaired
_WEIGHED: Final = dt.timedelta(hours=1)  # a suspicion reaches desk and store on different ways
_log = logging.getLogger("catwalk.console")


def said_now(console: Console, alert: Alert, role: Role) -> tuple[str, ...] | None:
    """The findings that stand in the place of the alert's: in other words, under another id, or none.

    None where the alert's finding stands as it was raised, and where the store does not tell: it does not answer, or
    has not stored the round yet. A suspicion stands wherever its evidence was enough; where the store has none, it is
    made no more once the round is stored and an hour has passed, in which its evidence was weighed.
    """
    finding = alert.finding
    if finding.check in NOT_OF_THE_FOLD:
        return None
    try:
        found = _suspected(console, finding) if finding.verdict == "suspected" else _found(console, finding)
        if finding.finding_id not in {one.finding_id for one in found} and not _is_missing(
            console, alert, found
        ):
            return None
    except Exception as error:  # whatever the store raises: the alert is shown in its own words
        _log.warning("what is said now of alert %s cannot be had: %s", alert.id, error)
        return None
    own = [one for one in found if one.finding_id == finding.finding_id]
    if own and own[0].said == finding.said:
        return None
    stand = own or [one for one in found if console.desk.alert(one.finding_id) is None]
    return tuple(_told(one, role) for one in stand)


def _found(console: Console, finding: Finding) -> list[Finding]:
    """The findings of the same check at the same event."""
    rows = findings_at(finding.subject, finding.sequence).ask(console.records)
    found = [msgspec.json.decode(one.record, type=Finding) for one in rows]
    return [one for one in found if matter_of(one) == matter_of(finding)]


def _suspected(console: Console, finding: Finding) -> list[Finding]:
    """The suspicions of the same check about the same person, pair or table."""
    if isinstance(finding.about, UnsetType):
        return []
    rows = suspicions_of(finding.check, finding.about).ask(console.records)
    return [msgspec.json.decode(one.record, type=Finding) for one in rows]


def _is_missing(console: Console, alert: Alert, found: list[Finding]) -> bool:
    """Whether something else stands in its place, or its event's round is stored whole and lists no such finding."""
    finding = alert.finding
    suspected = finding.verdict == "suspected"
    if suspected and (found or console.clock() - alert.raised_at < _WEIGHED):
        return bool(found)
    rounds = round_at(finding.subject, finding.sequence).ask(console.records)
    if suspected:  # it is listed in no round, for its evidence comes from many
        return bool(rounds)
    return bool(rounds) and rounds[0].round == finding.round and finding.finding_id not in rounds[0].findings


def _told(finding: Finding, role: Role) -> str:
    if not role.sees_cards:
        return without_cards(finding)
    where = f" Table {finding.subject}, event {finding.sequence:,}." if finding.verdict == "suspected" else ""
    return f"{title_of(finding)} {finding.verdict.capitalize()}, {owed(finding.money_cents) or 'no money'}.{where}"
