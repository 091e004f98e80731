"""What lies around an alert: the rest of its round, the cameras, the suspicions that its round weighs in."""

from __future__ import annotations

import datetime as dt
import logging

import msgspec
from msgspec import Struct

from dashboards.accounts.accounts import User
from dashboards.accounts.visibility import knows
from dashboards.desk.alerts import Alert
from dashboards.queue.views import titled
from dashboards.reader.rounds import findings_of_round, round_numbered
from dashboards.reader.search import times_of
from dashboards.reader.tables import cameras
from dashboards.replayer.stakes import payout_check
from dashboards.replayer.videos import LEAD, video_link
from dashboards.suspected.rounds import resting_on
from dashboards.web.console import Console
from schemas.amounts import amount
from schemas.findings import Finding
from schemas.rounds import RoundResult

_AS_DUE = ("agrees", "nothing moved")
_log = logging.getLogger("catwalk.console")


class Named(Struct, frozen=True):
    """A finding by its title; `alert` is its id where this user sees an alert of it, else empty."""

    title: str
    alert: str


class Around(Struct, frozen=True, kw_only=True):
    """`stakes` says how many of the round moved as they should; empty while it goes on.

    `others` are the round's other findings. `cameras` looked at the table, each with a link to the seconds before the
    event where the property has set one; `since` and `until` are the round's first and last event. `patterns` are
    suspicions that name the round.
    """

    stakes: str = ""
    others: tuple[Named, ...] = ()
    cameras: tuple[tuple[str, str], ...] = ()
    since: dt.datetime | None = None
    until: dt.datetime | None = None
    patterns: tuple[Named, ...] = ()


def around(console: Console, user: User, alert: Alert, first: int | None) -> Around:
    """What this user may know of it; `first` is the event with which its round began."""
    try:
        return _around(console, user, alert, first)
    except Exception as error:  # whatever the store raises: an alert is shown without it
        _log.warning("what lies around alert %s cannot be had: %s", alert.id, error)
        return Around()


def _around(console: Console, user: User, alert: Alert, first: int | None) -> Around:
    finding, role = alert.finding, console.role(user)
    result = _result(console, finding, first)
    names = next(
        (
            row.cameras
            for row in cameras([finding.subject]).ask(console.records)
            if row.sequence <= finding.sequence
        ),
        [],
    )
    at = alert.decided_at - LEAD
    links = tuple(
        (name, video_link(console.video, name, at, finding.subject, finding.sequence)) for name in names
    )
    if first is None or result is None:
        return Around(cameras=links, since=alert.decided_at, patterns=_patterns(console, user, finding, None))
    ends = {
        one.sequence: one.time
        for one in times_of(finding.subject, [first, result.last_sequence]).ask(console.records)
    }
    withheld = console.desk.withheld_from(user.name)
    known = [one for one in _findings(console, result) if knows(role, withheld, one)]
    moved = payout_check(result, findings=known)
    return Around(
        stakes=stakes_said(
            len(moved),
            sum(one.word in _AS_DUE for one in moved),
            sum(one.difference_cents is None for one in moved),
        ),
        others=tuple(
            Named(titled(one, role), one.finding_id if _is_seen(console, user, one) else "")
            for one in known
            if one.finding_id != finding.finding_id
        ),
        cameras=links,
        since=ends.get(first, alert.decided_at),
        until=ends.get(result.last_sequence),
        patterns=_patterns(console, user, finding, result),
    )


def stakes_said(stakes: int, as_due: int, unsaid: int) -> str:
    """How many stakes of a round moved as they should, of which `unsaid` nobody can say it."""
    if not stakes:
        return "no stake"
    if as_due == stakes:
        return "its stake as due" if stakes == 1 else f"all {amount(stakes, 'stake')} as due"
    if unsaid == stakes:
        return (
            "its stake cannot be judged"
            if stakes == 1
            else f"none of its {amount(stakes, 'stake')} can be judged"
        )
    if stakes == 1:
        return "its stake not as due"
    if as_due == stakes - 1 and not unsaid:
        return f"the other {'stake' if stakes == 2 else amount(as_due, 'stake')} as due"
    left = f", {unsaid} cannot be judged" if unsaid else ""
    return f"{as_due} of {amount(stakes, 'stake')} as due{left}"


def _result(console: Console, finding: Finding, first: int | None) -> RoundResult | None:
    if finding.round is None or first is None:
        return None
    rows = round_numbered(finding.subject, finding.round).ask(console.records)
    found = next((row for row in rows if row.first_sequence == first), None)
    return msgspec.json.decode(found.record, type=RoundResult) if found is not None else None


def _findings(console: Console, result: RoundResult) -> tuple[Finding, ...]:
    where = result.subject, result.round, result.first_sequence, result.last_sequence
    rows = findings_of_round(*where).ask(console.records)
    return tuple(
        msgspec.json.decode(one.record, type=Finding)
        for one in rows
        if one.sequence <= result.last_sequence or one.finding_id in result.findings
    )


def _is_seen(console: Console, user: User, finding: Finding) -> bool:
    alert = console.desk.alert(finding.finding_id)
    return alert is not None and console.sees(user, alert)


def _patterns(
    console: Console, user: User, finding: Finding, result: RoundResult | None
) -> tuple[Named, ...]:
    if finding.round is None or result is None:
        return ()
    role = console.role(user)
    stretch = result.first_sequence, result.last_sequence
    return tuple(
        Named(titled(one.finding, role), one.id)
        for one in resting_on(console, user, finding.subject, result.round, stretch)
        if one.id != finding.finding_id
    )
