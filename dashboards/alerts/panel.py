"""The panel of one alert, as it stands beside the list and on the alert's own page."""

from __future__ import annotations

import datetime as dt
import logging
from collections.abc import Iterable
from urllib.parse import quote, urlencode

from msgspec import UNSET, Struct
from msgspec.structs import replace

from dashboards.accounts.accounts import User
from dashboards.alerts.api import seen_by
from dashboards.alerts.around import Around, around
from dashboards.alerts.panel_figures import Figure, figures_of
from dashboards.alerts.said_now import said_now
from dashboards.debts.decided import scope_of_finding, settled_in
from dashboards.debts.of_alerts import rounds_of_alerts
from dashboards.debts.seen import OtherSettlement, others_about
from dashboards.debts.settling import settle
from dashboards.desk.alerts import Alert
from dashboards.desk.queue import largest_of
from dashboards.desk.state import DeskState
from dashboards.desk.watch_fold import Watch
from dashboards.folding.states import UnknownTable
from dashboards.hands.hand import first_of
from dashboards.queue.views import AlertRow, AlertView, money_of, row, view
from dashboards.suspicions.risen import risen_words
from dashboards.suspicions.suspicions import evidence_of
from dashboards.watching.shown import watched_by_alert
from dashboards.web.console import Console
from dashboards.wording.comparison import ComparedField, compared
from dashboards.wording.money import owed
from dashboards.wording.times import in_zone
from processors.core.state import Table
from processors.games.named_stakes import is_of
from schemas.check_names import current
from schemas.integrity import INTEGRITY
from schemas.provisions import PROVISIONS
from schemas.rulesets import RULESETS

AGAIN = dt.timedelta(hours=8)
_log = logging.getLogger("catwalk.console")
_MOST_AGAIN = 1_000
_SHOWN_AGAIN = 8


class Clause(Struct, frozen=True):
    """A clause that a finding cites, the duty it lays down in our own words, and of which game."""

    id: str
    duty: str
    game: str


class Again(Struct, frozen=True, kw_only=True):
    """Alerts of the same check since eight hours before this one, this one among them.

    `all`, `at_table`, `under_dealer` count them; `more` says that there are more than were counted.
    """

    since: dt.datetime
    all: int
    at_table: int
    under_dealer: int
    more: bool
    others: tuple[AlertRow, ...]


class DealersErrors(Struct, frozen=True, kw_only=True):
    """The other alerts with money under the same dealer, of events since eight hours before this one's."""

    since: dt.datetime
    alerts: int
    money: str


class Panel(Struct, frozen=True, kw_only=True):
    """One alert for one user; `title` is what happened in the fewest words.

    `group_money` is the largest money of the `group_size` alerts of its group that wait. `round_first` is the event its
    round began with: a table may deal two rounds of one number. `said_now` is what the record says of the event where
    that is no longer the alert's finding. `others` settled, or may settle, the same stakes; `to_pay` are
    the cents that are still to be paid to the patron. `later` is the alert that rose after this one was cleared, and
    `risen_at` the evidence of a suspicion as its alert rose; `risen_words` say how often chance lets one rise again.
    """

    alert: AlertView
    title: str
    where: str
    figures: tuple[Figure, ...]
    compared: tuple[ComparedField, ...]
    clauses: tuple[Clause, ...]
    group_money: str
    group_size: int
    again: Again
    dealers: DealersErrors | None
    around: Around
    replayer: str | None
    round_first: int | None
    raised_at: dt.datetime
    decided_at: dt.datetime
    zone: str
    watched: tuple[Watch, ...]
    said_now: tuple[str, ...] | None
    later: str | None
    risen_at: float
    risen_words: str
    others: tuple[OtherSettlement, ...]
    to_pay: int


def panel_of(console: Console, user: User, alert: Alert) -> Panel:
    """The alert as this user may see it."""
    role = console.role(user)
    shown = view(alert, role)
    raised_at = local(console, alert.finding.subject, alert.raised_at)
    first = _first(console, alert) if role.reads_hands else None
    group = seen_by(console, user, console.desk.waiting(alert))
    return Panel(
        alert=shown,
        title=shown.title,
        where=_where(shown, row(alert, role).player),
        figures=figures_of(shown.expected, shown.observed, shown.money_cents) if role.sees_cards else (),
        compared=() if "expected" in role.hidden else compared(shown.expected, shown.observed),
        clauses=clauses(shown.cites),
        group_money=money_of(largest_of(group), len(group)),
        group_size=len(group),
        again=_again(console, user, alert),
        dealers=_dealers_errors(console, user, alert, shown.dealer) if shown.dealer else None,
        around=_around(console, user, alert, first) if role.reads_hands else Around(),
        replayer=replayer_of(alert, first) if role.reads_hands else None,
        round_first=first,
        raised_at=raised_at,
        decided_at=local(console, alert.finding.subject, alert.decided_at),
        zone=f"{raised_at:%Z}" or "UTC",
        watched=watched_by_alert(console, user, alert),
        said_now=said_now(console, alert, role) if alert.again is None else None,
        risen_at=evidence_of(alert.finding),
        risen_words=_risen_words(alert),
        later=risen_later(console, user, alert.id),
        others=_others(console, user, alert, first),
        to_pay=_to_pay(console, alert, first) if "disposed" in role.acts else 0,
    )


def _risen_words(alert: Alert) -> str:
    e_value = evidence_of(alert.finding)
    return (
        "" if alert.again is None else risen_words(alert.finding.check, e_value, alert.again.grown(e_value))
    )


def risen_later(console: Console, user: User, alert: str) -> str | None:
    """The alert that rose after this one was closed as cleared, if this user sees it."""
    named = console.desk.look(lambda state: state.index.risen(alert))
    later = console.desk.alert(named) if named is not None else None
    return named if later is not None and console.sees(user, later) else None


def _others(console: Console, user: User, alert: Alert, first: int | None) -> tuple[OtherSettlement, ...]:
    finding = alert.finding
    if first is None or not isinstance(finding.round, int):
        return ()
    return others_about(console, user, scope_of_finding(finding, first), finding.round, alert.id)


def _to_pay(console: Console, alert: Alert, first: int | None) -> int:
    """What the record still owes the patron of the alert's stake, in cents, as it would be settled by the closing.

    It is 0 where nothing is, where the record cannot be had, where somebody was paid for nobody knows which stake, and
    where a dispute settled just as much of this one: a closing with this amount would tell of the same money.
    """
    finding = alert.finding
    if first is None or not isinstance(finding.round, int) or finding.money_cents <= 0:
        return 0
    of_round = rounds_of_alerts(console, [alert]).get(alert.id)
    if of_round is None or not of_round.debts:
        return 0
    debts, place = of_round.debts, (finding.subject, of_round.first)
    closed = console.desk.look(DeskState.settled)
    left = settle(debts, settled_in(place, console.desk.disputes(), closed, of_round.begun))
    its = [
        behind
        for one, behind in zip(debts, left, strict=True)
        if is_of(finding, one.seat, one.kind, one.hand)
    ]
    shares = [share for behind in its for share in behind.shares]
    to_pay = sum(max((behind.rest or 0) - behind.ruled_out, 0) for behind in its)
    told = sum(share.part for share in shares if share.settled_by.ruling is not None)
    return to_pay if to_pay != told and all(share.told for share in shares) else 0


def clauses(cites: Iterable[str]) -> tuple[Clause, ...]:
    """Each clause once, in order; one that is cited as a whole is all its duties."""
    found: dict[str, Clause] = {}
    for cited in cites:
        if cited in INTEGRITY:
            found[cited] = Clause(cited, INTEGRITY[cited], "The record")
        parts = [name for name in PROVISIONS if name.startswith(f"{cited}#")]
        for name in [cited] if cited in PROVISIONS else parts:
            one = PROVISIONS[name]
            found[name] = Clause(name, one.duty, RULESETS[one.ruleset].title)
        if not any(name == cited or name.startswith(f"{cited}#") for name in found):
            found[cited] = Clause(cited, "", "")
    return tuple(found.values())


def local(console: Console, subject: str, at: dt.datetime) -> dt.datetime:
    """A moment in the time zone of the table's property; in UTC where the store does not say."""
    return in_zone(at.astimezone(dt.UTC), _table(console, subject))


def replayer_of(alert: Alert, first: int | None) -> str | None:
    """Path of the replayer at the event, in the round that began with event `first`; None between rounds."""
    finding = alert.finding
    if finding.round is None:
        return None
    at = ({} if first is None else {"first": first}) | {"at": finding.sequence}
    at |= {} if finding.seat is UNSET else {"seat": finding.seat}
    return f"/hands/{quote(finding.subject, safe='')}/{finding.round}?{urlencode(at)}"


def _table(console: Console, subject: str) -> Table | None:
    try:
        return console.states.now(subject).table
    except UnknownTable:
        return None
    except Exception as error:  # whatever the store raises: an alert is shown without it
        _log.warning("the state of table %s cannot be had: %s", subject, error)
        return None


def _first(console: Console, alert: Alert) -> int | None:
    """The event with which the alert's round began, as far as the store says."""
    finding = alert.finding
    if finding.round is None:
        return None
    try:
        return first_of(console.records, console.states, finding.subject, finding.round, finding.sequence)
    except Exception as error:  # whatever the store raises: an alert is shown without it
        _log.warning("round %s of table %s cannot be had: %s", finding.round, finding.subject, error)
        return None


def _around(console: Console, user: User, alert: Alert, first: int | None) -> Around:
    """What lies around it, its times by the clock of the table."""
    found, subject = around(console, user, alert, first), alert.finding.subject
    return replace(
        found,
        since=found.since and local(console, subject, found.since),
        until=found.until and local(console, subject, found.until),
    )


def _where(alert: AlertView, patron: str | None) -> str:
    parts = [alert.table]
    parts += [f"round {alert.round}"] if alert.round is not None else []
    parts += [f"seat {alert.seat}"] if alert.seat is not None else []
    if alert.hand is not None and alert.hand != str(alert.seat):
        parts.append("dealer's hand" if alert.hand == "D" else f"hand {alert.hand}")
    parts += [f"patron {patron}"] if patron else []
    parts += [f"dealer {alert.dealer}"] if alert.dealer else []
    return " · ".join(parts)


def _again(console: Console, user: User, alert: Alert) -> Again:
    since = alert.raised_at - AGAIN
    role = console.role(user)
    told = seen_by(console, user, console.desk.of_check(current(alert.finding.check), since, _MOST_AGAIN))
    found = [one for one in told if one.raised_at <= alert.raised_at]
    others = [one for one in found if one.id != alert.id]
    return Again(
        since=local(console, alert.finding.subject, since),
        all=len(found),
        at_table=sum(one.finding.subject == alert.finding.subject for one in found),
        under_dealer=sum(one.dealer == alert.dealer for one in found) if alert.dealer else 0,
        more=len(told) >= _MOST_AGAIN,
        others=tuple(row(one, role) for one in others[:_SHOWN_AGAIN]),
    )


def _dealers_errors(console: Console, user: User, alert: Alert, dealer: str) -> DealersErrors:
    since = alert.decided_at - AGAIN
    others = [one for one in console.desk.of_dealer(dealer) if one.id != alert.id and one.decided_at >= since]
    cents = [one.finding.money_cents for one in seen_by(console, user, tuple(others))]
    sums = (sum(max(money, 0) for money in cents), sum(min(money, 0) for money in cents))
    return DealersErrors(
        since=local(console, alert.finding.subject, since),
        alerts=sum(map(bool, cents)),
        money=", ".join(owed(one) for one in sums if one),
    )
