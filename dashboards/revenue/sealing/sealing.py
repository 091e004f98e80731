"""Sealing the figures of a gaming day or a month: who may, of which days, and what is written into the ledger."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Sequence

import msgspec
from msgspec import Struct

from dashboards.accounts.accounts import User
from dashboards.desk.decisions import Refused
from dashboards.desk.state import DeskState
from dashboards.ledger.acts import Act
from dashboards.ledger.seals import Seal
from dashboards.reader import cash
from dashboards.revenue.books import places_of, statement
from dashboards.revenue.filing.line import RevenueReport, report_of
from dashboards.revenue.places import Places, day_begins
from dashboards.revenue.sealing.figures import (
    SealedPeriod,
    act_of,
    changes,
    sealed_days,
    sealed_of,
)
from dashboards.revenue.statement import RevenueStatement
from dashboards.revenue.wanted import By, WantedRevenue, month_on
from dashboards.web.address import current_address
from dashboards.web.console import Console
from dashboards.wording.times import in_zone_of
from schemas.values import LongText

WITHHELD = "some tables or dealers are withheld from you, and sealed figures are of all of them"


class SealWish(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Seal the figures of a gaming day, or of the month that it is in; `seen` is the mark of those that were shown."""

    day: dt.date
    period: SealedPeriod = "day"
    note: LongText = ""
    seen: str = ""


def seal_of(console: Console, wanted: WantedRevenue) -> Seal | None:
    """The seal of these days; None where they are not sealed."""
    return console.desk.look(lambda state: state.seals.made.get((wanted.first, wanted.day)))


class Standing(Struct, frozen=True, kw_only=True):
    """How a statement that is shown stands to sealed figures: so many of its own are not as sealed.

    `by_line`: its lines are of a division that was sealed, and were held against it; else its total alone was.
    `is_over`: its gaming days are, so that they can be sealed.
    """

    seal: Seal | None
    is_over: bool = True
    changed: int = 0
    by_line: bool = False


def standing(console: Console, user: User, made: RevenueStatement) -> Standing | None:
    """How a statement stands to the seal of its days; None where such a statement is not sealed."""
    wanted = made.wanted
    whole = wanted.period == "day" or (
        wanted.period == "month" and month_on(wanted.first) == wanted.day + dt.timedelta(days=1)
    )
    if not whole or wanted.is_narrowed or wanted.parts_tables or is_withheld(console, user):
        return None
    if (sealed := seal_of(console, wanted)) is None:
        return Standing(seal=None, is_over=console.at_tables() >= over_at(places_of(console.records), wanted))
    act = sealed_of(console.desk, sealed)
    by_line = any(one.by == wanted.by for one in act.divisions)
    return Standing(seal=sealed, changed=len(changes(act, [report_of(made)])), by_line=by_line)


def seals_of(console: Console, most: int) -> tuple[Seal, ...]:
    """The last seals, the last first."""
    return console.desk.look(lambda state: tuple(state.seals.made.values()))[::-1][:most]


def is_withheld(console: Console, user: User) -> bool:
    """Whether something that the figures are of is kept from this user: their sums would tell of it."""
    return any(kind in ("table", "dealer") for kind, _ in console.desk.withheld_from(user.name))


def reports_now(console: Console, wanted: WantedRevenue) -> list[RevenueReport]:
    """The reports of these days as they are known now, of everything: by table, and of a month by day before."""
    divisions: tuple[By, ...] = ("day", "table") if wanted.period == "month" else ("table",)
    return [report_of(statement(console.records, _by(wanted, by))) for by in divisions]


def _by(wanted: WantedRevenue, by: By) -> WantedRevenue:
    return WantedRevenue(day=wanted.day, period=wanted.period, by=by)


def over_at(places: Places, wanted: WantedRevenue) -> dt.datetime:
    """The moment at which the gaming day behind these begins by the clock of every table."""
    return max(day_begins(clock, wanted.day + dt.timedelta(days=1)) for clock, _ in places.clocks())


def why_not(console: Console, wanted: WantedRevenue, reports: Sequence[RevenueReport]) -> str:
    """Why these figures cannot be sealed; empty if they can."""
    places = places_of(console.records)
    over = over_at(places, wanted)
    if console.at_tables() < over:
        return f"{wanted.day} is not over: the next gaming day begins on {in_zone_of(over, places.zone)}"
    if not reports[0].lines:
        return "nothing happened in these gaming days"
    if any(one.total != reports[0].total for one in reports):
        return "the record has changed while the figures were summed: look again"
    return ""


def mark_of(reports: Sequence[RevenueReport]) -> str:
    """What these figures are told apart by from all others: the SHA-256 of their JSON."""
    return hashlib.sha256(msgspec.json.encode(reports)).hexdigest()


def must_seal(console: Console, user: User, days: str) -> None:
    """Raise PermissionDeniedException, and keep the refusal, unless the user's role seals figures."""
    asked = f"seal revenue {days}"[:300]
    console.require(console.role(user).seals, user, "action", asked, "seals no figures")


def seal(console: Console, user: User, wish: SealWish) -> Seal:
    """Seal the figures as they are known now.

    Raises:
        PermissionDeniedException: the role seals nothing.
        Refused: they cannot be sealed, and why.
        DeskUnavailable: nothing was sealed.
    """
    wanted, note = sealed_days(wish.day, wish.period), " ".join(wish.note.split())
    must_seal(console, user, f"{wish.day} {wish.period}")
    if is_withheld(console, user):
        console.note(user.name, "action", f"seal revenue {wish.day}", granted=False, reason="withheld")
        raise Refused(WITHHELD)
    known = {one.subject: one.sequence for one in cash.last_events().ask(console.records)}
    reports = reports_now(console, wanted)
    if why := why_not(console, wanted, reports):
        raise Refused(why)
    if wish.seen and wish.seen != mark_of(reports):
        raise Refused("the figures have changed since they were shown: look at them again")
    if reports[0].total.net_win is None and not note:
        raise Refused("the net win is not known: say in the note why the figures are sealed without it")
    act = act_of(reports, known, note, current_address())

    def decide(state: DeskState, _at: dt.datetime) -> list[Act]:
        if why := state.seals.why_not(act):
            raise Refused(why)
        return [act]

    console.desk.decide(user.name, decide)
    made = seal_of(console, wanted)
    assert made is not None, "it was just written"
    return made
