"""Handing over and taking over: the acts that people ask for, permitted on the newest state of the desk."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Annotated

from msgspec import Meta, Struct

from dashboards.accounts.accounts import User
from dashboards.debts.seen import is_theirs
from dashboards.desk.casework import cases_since
from dashboards.desk.decisions import Refused
from dashboards.desk.shifts import Handover
from dashboards.desk.state import DeskState
from dashboards.ledger.acts import Act
from dashboards.ledger.shift_acts import ShiftAct, ShiftHandedOver, ShiftTaken, ShiftWithdrawn, Words
from dashboards.shift.figures import LONGEST, USUAL, ShiftFigures, figures_of
from dashboards.web.console import Console
from schemas.values import LongText, Text, When


class HandOver(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Hand over what happened since a moment; by default since the last handover, or eight hours ago."""

    note: Words
    since: When | None = None


class TakeOver(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Take over what this handover says."""

    shift: Text
    remark: LongText = ""


class WithdrawHandover(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Take one's own handover back."""

    shift: Annotated[str, Meta(min_length=1, max_length=64)]


def must_read_shifts(console: Console, user: User, about: str) -> None:
    """Raise PermissionDeniedException, and keep the refusal, unless the user's role reads shifts."""
    console.require(console.role(user).reads_shifts, user, "record", about, "reads no shifts")


def must_hand_over(console: Console, user: User, about: str) -> None:
    """Raise PermissionDeniedException, and keep the refusal, unless the user's role hands shifts over."""
    console.require(console.role(user).shifts, user, "action", about, "may not do that")


def handovers(console: Console, most: int = 30) -> tuple[Handover, ...]:
    """The last handovers, the last first."""
    return console.desk.look(lambda state: tuple(reversed(state.handovers.made.values()))[:most])


def begun(console: Console) -> dt.datetime:
    """When the shift began that goes on now: at the end of the last one that was handed over."""
    now = console.clock()
    last = console.desk.look(lambda state: state.handovers.last)
    return max(last.until, now - LONGEST) if last is not None else now - USUAL


def figures_for(console: Console, user: User, since: dt.datetime, until: dt.datetime) -> ShiftFigures:
    """The figures of a shift over all that is there for a user."""
    desk = console.desk
    return figures_of(
        desk,
        since,
        until,
        console.clock(),
        lambda alert: console.sees(user, alert),
        [one for one in desk.disputes() if is_theirs(console, user, one)],
        cases_since(desk, user.name, since),
    )


def hand_over(console: Console, user: User, wish: HandOver) -> None:
    """Hand over.

    Raises:
        PermissionDeniedException: the role may not.
        Refused: another handover waits, or the shift is none.
        DeskUnavailable: nothing was handed over.
    """
    must_hand_over(console, user, "hand over the shift")
    until = console.clock()
    since = wish.since.astimezone(dt.UTC) if wish.since is not None else begun(console)
    if until - since > LONGEST:
        raise Refused(
            f"a shift is {LONGEST.days} days at the most; it would begin {since:%Y-%m-%d %H:%M} UTC"
        )
    told = figures_for(console, user, since, until)

    def made(state: DeskState) -> ShiftAct:
        return ShiftHandedOver(
            shift=state.handovers.next_id(),
            since=since,
            until=until,
            note=wish.note,
            raised=told.raised_in_all,
            closed=told.closed_in_all,
            open=told.open_in_all,
        )

    _decide(console, user, made)


def take_over(console: Console, user: User, wish: TakeOver) -> None:
    """Take over what another hands over; raises what `hand_over` does."""
    must_hand_over(console, user, f"take over {wish.shift[:64]}")
    _decide(console, user, lambda _: ShiftTaken(shift=wish.shift, remark=wish.remark))


def withdraw(console: Console, user: User, wish: WithdrawHandover) -> None:
    """Take one's own handover back; raises what `hand_over` does."""
    must_hand_over(console, user, f"withdraw {wish.shift}")
    _decide(console, user, lambda _: ShiftWithdrawn(shift=wish.shift))


def _decide(console: Console, user: User, made: Callable[[DeskState], ShiftAct]) -> None:
    def decide(state: DeskState, _at: dt.datetime) -> list[Act]:
        act = made(state)
        if why := state.handovers.why_not(act, user.name):
            raise Refused(why)
        return [act]

    console.desk.decide(user.name, decide)
