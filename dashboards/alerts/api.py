"""Alerts as JSON: the queue, one alert, and the acts upon alerts."""

from __future__ import annotations

import datetime as dt
import logging
from collections.abc import Collection
from typing import Annotated, Final

from litestar import get, post
from litestar.exceptions import ClientException
from litestar.params import JSONBody, PathParameter, QueryParameter
from msgspec import UNSET, Meta, Struct
from msgspec.structs import replace

from dashboards.accounts.accounts import User
from dashboards.accounts.roles import ROLES
from dashboards.accounts.visibility import visible
from dashboards.alerts.queue_order import zone_of
from dashboards.alerts.queue_times import clock_of
from dashboards.alerts.queue_words import Term, takes, timed_terms, unread, unreadable
from dashboards.alerts.said_now import said_now
from dashboards.alerts.wishes import Wish, act_of, name_of, users_named
from dashboards.debts.beyond import BeyondDebt, closing_meant, money_of_closing
from dashboards.debts.of_alerts import rounds_of_alerts
from dashboards.desk.alerts import Alert, Change
from dashboards.desk.decisions import Refused, UnknownToDesk
from dashboards.desk.index import WAITING
from dashboards.desk.queue import AlertGroup
from dashboards.desk.state import DeskState
from dashboards.filters.clocks import Timed, timed
from dashboards.filters.names import unknown_fields
from dashboards.ledger.acts import OnAlert, Version
from dashboards.personal.quiet import hours_of
from dashboards.queue.views import AlertRow, AlertView, row, view
from dashboards.reader.tables import names
from dashboards.sign_in.restrictions import Restriction, restrict
from dashboards.web.console import Console, ThisConsole, UserRequest
from dashboards.web.gate import UNATTENDED
from dashboards.web.looks import note_look
from dashboards.wording.money import figures
from dashboards.wording.times import zone_called
from schemas.amounts import amount
from schemas.values import Text

_log = logging.getLogger("catwalk.console")

AlertId = Annotated[str, PathParameter(max_length=64)]
MOST_AT_ONCE = 500
_AHEAD: Final = dt.timedelta(hours=36)  # a page is open for twelve at most: then its sign-in ends
_ASKED: Final = 10  # alerts that are asked for their table
_PLAYED: Final = dt.timedelta(days=7)
ONE_LOOK = dt.timedelta(minutes=1)  # from a page to the parts of it that the browser asks for


class Queue(Struct, frozen=True):
    """All open alerts a user may see, as they stand behind change `seq`; groups of the waiting ones in order.

    Of those that a filter asks for, `unread` says which of its words fit no alert.
    """

    seq: int
    groups: tuple[AlertGroup, ...]
    alerts: tuple[AlertRow, ...]
    unread: tuple[str, ...] = ()


class Done(Struct, frozen=True):
    """The change that was made, and the alert behind it."""

    seq: int
    alert: AlertView


class QuietNow(Struct, frozen=True):
    """When it is quiet for who asks: stretches in UTC of the next 36 hours, and the hours in words; empty for never."""

    said: str
    stretches: tuple[tuple[dt.datetime, dt.datetime], ...]


class SeenAlert(Struct, frozen=True):
    """An alert as it was seen when something was wished."""

    id: Text
    version: Version


class Several(Struct, frozen=True, forbid_unknown_fields=True):
    """One wish for several alerts, each at the version that was seen."""

    wish: Wish
    alerts: Annotated[tuple[SeenAlert, ...], Meta(min_length=1, max_length=MOST_AT_ONCE)]


class NotDone(Struct, frozen=True, omit_defaults=True):
    """An alert to which it was not done, and why; `beyond_cents` would be paid beyond the debt."""

    id: str
    why: str
    beyond_cents: int = 0


class Beyond(Struct, frozen=True):
    """The most that one of the refused acts would pay beyond the debt: cents as a form has them, and in words.

    Of several the words say how much all of them may pay together, where so much is meant of each.
    """

    cents: str
    text: str


class DoneToSeveral(Struct, frozen=True, omit_defaults=True):
    """The alerts as they stand now, and those to which nothing was done.

    `beyond` is there where an act was refused because it pays more than is owed.
    """

    done: tuple[AlertRow, ...]
    refused: tuple[NotDone, ...]
    beyond: Beyond | None = None


class FeedPlace(Struct, frozen=True):
    """Number of the last change: where the feed stands."""

    seq: int


def beyond_of(refused: Refused) -> int:
    """The cents that an act which was refused would pay beyond the debt; 0 where that is not why."""
    return refused.cents if isinstance(refused, BeyondDebt) else 0


def seen_by(console: Console, user: User, alerts: tuple[Alert, ...]) -> list[Alert]:
    """Those that are there for this user."""
    role, withheld = console.role(user), console.desk.withheld_from(user.name)
    return [alert for alert in alerts if visible(alert, role, withheld)]


def queue_of(console: Console, user: User, terms: tuple[Term, ...] = ()) -> Queue:
    """The queue of a user, as far as the terms of a filter fit its alerts."""
    queue = console.queue(user)
    rows = queue.rows.values()
    chosen = tuple(one for one in rows if all(takes(term, one) for term in terms))
    groups = queue.regrouped(one for one in chosen if one.status in WAITING)
    return Queue(queue.seq, tuple(groups), chosen, () if chosen else unread(terms, list(rows)))


def assignees(console: Console) -> tuple[str, ...]:
    """Users who may dispose of alerts, and so be given them, or confirm as second person that one is closed."""
    users = console.accounts.users()
    return tuple(
        name for name, role, off in users if not off and role in ROLES and "disposed" in ROLES[role].acts
    )


def must_read(console: Console, user: User, about: str) -> None:
    """Raise PermissionDeniedException, and keep the refusal, unless the user's role reads alerts."""
    console.require(console.role(user).reads_alerts, user, "queue", about, "reads no alerts")


@get("/api/alerts", sync_to_thread=True)
def read_queue(
    request: UserRequest, console: ThisConsole, q: Annotated[str, QueryParameter(max_length=200)] = ""
) -> Queue:
    """All open alerts at a number of the feed, from which the feed goes on; with `q` those that its words fit.

    400 names the terms and fields that there are not.
    """
    must_read(console, request.user, "open alerts")
    terms = timed_terms(q, clock_of(console, lambda: rows_of(console, request.user)))
    wrong = (*unreadable(terms), *unknown_fields(request, ("q",)).values())
    if wrong:
        raise ClientException("; ".join(wrong))
    queue = queue_of(console, request.user, terms)
    console.note(request.user.name, "queue", f"{amount(len(queue.alerts), 'open alert')} at {queue.seq}")
    return queue


def rows_of(console: Console, user: User) -> tuple[AlertRow, ...]:
    """The open alerts that are there for a user, as lines of a list."""
    return tuple(console.queue(user).rows.values())


@get("/api/words", sync_to_thread=True, opt={UNATTENDED: True})
def read_words(
    request: UserRequest, console: ThisConsole, q: Annotated[str, QueryParameter(max_length=200)] = ""
) -> Timed:
    """The words of a filter of the alerts without its times, and what the times mean by the clock of the alerts."""
    must_read(console, request.user, "words of a filter")
    return timed(q, clock_of(console, lambda: rows_of(console, request.user)))


@get("/api/alerts/{alert:str}", sync_to_thread=True)
def read_alert(request: UserRequest, console: ThisConsole, alert: AlertId) -> AlertView:
    """One alert, open or closed; one that is withheld is answered as one that is not."""
    found, role = visible_alert(console, request.user, alert), console.role(request.user)
    return replace(view(found, role), said_now=said_now(console, found, role))


@get("/api/feed", sync_to_thread=True, opt={UNATTENDED: True})
def feed_place(request: UserRequest, console: ThisConsole) -> FeedPlace:
    """Where the feed stands; a page whose feed is refused learns here whether its sign-in is over."""
    must_read(console, request.user, "feed")
    return FeedPlace(console.desk.seq)


def visible_alert(console: Console, user: User, alert: str, within: dt.timedelta = dt.timedelta(0)) -> Alert:
    """An alert that is there for this user; the look is kept, granted or not.

    One look is one record: what is a part of a page belongs to the look at that page if it comes `within` so long.

    Raises:
        PermissionDeniedException: the role reads none.
        Unknown: there is none, or it is withheld.
    """
    must_read(console, user, alert)
    found = console.desk.alert(alert)
    if found is None or not console.sees(user, found):
        console.note(user.name, "alert", alert, granted=False, reason="unknown or withheld")
        raise UnknownToDesk(f"no alert {alert}")
    note_look(console, user, "alert", alert, within)
    return found


def do(console: Console, user: User, wish: Wish, seen: tuple[SeenAlert, ...]) -> list[Change | Refused]:
    """Do what is wished to alerts, each seen at a version; for each in order the change, or why it was not made.

    Only these alerts change. Where there are several, the record of each act says how many were listed.

    Raises:
        PermissionDeniedException: the role may not do that.
        Refused: it cannot be done to any alert.
    """
    name = name_of(wish)
    asked = f"{name} {seen[0].id}" + (f" and {len(seen) - 1} more" if len(seen) > 1 else "")
    console.require(name in console.role(user).acts, user, "action", asked, "may not do that")
    for named in users_named(wish):
        if named not in assignees(console):
            raise Refused(f"no user {named[:64]} may close alerts, and so be named here")
    now = console.clock()
    listed = len({one.id for one in seen})
    together = listed if listed > 1 else UNSET
    unknown: dict[int, Refused] = {}
    acts = []
    for place, one in enumerate(seen):
        found = console.desk.alert(one.id)
        if found is None or not console.sees(user, found):
            console.note(user.name, "action", f"{name} {one.id}", granted=False, reason="unknown or withheld")
            unknown[place] = UnknownToDesk(f"no alert {one.id}")
        else:
            acts.append((replace(act_of(wish, found, one.version, now), together=together), found))
    paying = (about for act, about in acts if money_of_closing(about, act) > 0)
    rounds = rounds_of_alerts(console, paying)

    def as_written(state: DeskState, act: OnAlert, before: Collection[OnAlert]) -> OnAlert:
        return closing_meant(console, user, state, act, before, rounds.get(act.alert))

    wanted = [act for act, _ in acts]
    answers = iter(console.desk.act_on_each(wanted, user.name, as_written) if acts else ())
    return [unknown.get(place) or next(answers) for place in range(len(seen))]


@post("/api/alerts/{alert:str}/acts", status_code=200, sync_to_thread=True)
def act_on_alert(request: UserRequest, console: ThisConsole, alert: AlertId, data: JSONBody[Wish]) -> Done:
    """Do one thing to an alert; 409 when someone else was faster, 422 when it cannot be done."""
    if data.version is None:
        raise ClientException("say at which version it was seen")
    (answer,) = do(console, request.user, data, (SeenAlert(alert, data.version),))
    if isinstance(answer, Refused):
        raise answer
    return Done(answer.seq, view(answer.alert, console.role(request.user)))


@post("/api/acts", status_code=200, sync_to_thread=True)
def act_on_several(request: UserRequest, console: ThisConsole, data: JSONBody[Several]) -> DoneToSeveral:
    """Do one thing to several alerts; each is done, or says why not."""
    if data.wish.version is not None:
        raise ClientException("the versions stand with the alerts")
    role = console.role(request.user)
    answers = list(zip(data.alerts, do(console, request.user, data.wish, data.alerts), strict=True))
    refused = tuple(
        NotDone(seen.id, answer.why, beyond_of(answer))
        for seen, answer in answers
        if isinstance(answer, Refused)
    )
    return DoneToSeveral(
        tuple(row(answer.alert, role) for _, answer in answers if isinstance(answer, Change)),
        refused,
        _beyond_of_each([one.beyond_cents for one in refused if one.beyond_cents]),
    )


def _beyond_of_each(cents: list[int]) -> Beyond | None:
    if not cents:
        return None
    most = max(cents)
    each, together = figures(most, "$"), figures(most * len(cents), "$")
    return Beyond(str(most), each if len(cents) == 1 else f"up to {each} each, at most {together} in all,")


@post("/api/restrictions", status_code=204, sync_to_thread=True)
def restrict_user(request: UserRequest, console: ThisConsole, data: JSONBody[Restriction]) -> None:
    """Withhold an alert, a table or a dealer that there is from a user, or release it; 422 says what will not do."""
    user = request.user
    console.require(console.role(user).withholds, user, "action", f"restrict {data.user}", "may not do that")
    restrict(console, user, data)


@get("/api/quiet", sync_to_thread=True)
def read_quiet(request: UserRequest, console: ThisConsole) -> QuietNow:
    """When the console of who asks is quiet: its stretches until the day after tomorrow, by the property's clock."""
    chosen = console.accounts.preferences.of(request.user.name)
    hours = hours_of(chosen)
    if hours is None:
        return QuietNow("", ())
    name, now = _property_zone(console), console.clock()
    critical = "; critical alerts are told all the same" if chosen["quiet_critical"] == "heard" else ""
    said = f"Quiet each day from {hours.begin:%H:%M} to {hours.end:%H:%M} ({name}){critical}."
    return QuietNow(said, tuple(hours.stretches(zone_called(name), now, now + _AHEAD)))


def _property_zone(console: Console) -> str:
    """The property's time zone, by its alerts; where there is none, by its tables; else UTC."""
    alerts = [*console.desk.snapshot().alerts[:_ASKED], *console.desk.closed()[:_ASKED]]
    known = zone_of(console, (one.finding.subject for one in alerts))
    if known != "UTC":
        return known
    try:
        tables = names(console.clock() - _PLAYED).ask(console.records)
    except Exception as error:  # whatever the store raises: it is quiet all the same
        _log.info("the tables of the property are not known: %s", error)
        return known
    return zone_of(console, (one.subject for one in tables))


HANDLERS = (
    read_queue,
    read_words,
    read_quiet,
    read_alert,
    feed_place,
    act_on_alert,
    act_on_several,
    restrict_user,
)
