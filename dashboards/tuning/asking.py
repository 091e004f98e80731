"""Asking for a tuning, confirming, declining and ending one: permitted on the newest state of the desk."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Annotated

from msgspec import Meta, Struct

from dashboards.accounts.accounts import User
from dashboards.desk.decisions import Refused
from dashboards.desk.state import DeskState
from dashboards.desk.tunings import LONGEST, Tuning, waits_for
from dashboards.ledger import tuning_acts as acts
from dashboards.ledger.acts import Act, Unshelved
from dashboards.web.console import Console
from schemas.check_names import current
from schemas.values import Text

Days = Annotated[int, Meta(ge=1, le=LONGEST.days)]


class Ask(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="act", tag="ask"):
    """Ask that alerts of a check are handled otherwise for some days."""

    check: Text
    way: acts.Way
    minutes: acts.Minutes | None = None
    days: Days
    reason: acts.Words


class Confirm(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="act", tag="confirm"):
    """Agree to what another asked for."""

    tuning: Text


class Decline(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="act", tag="decline"):
    """Do not agree."""

    tuning: Text
    reason: acts.Words


class End(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="act", tag="end"):
    """End what is in force, or take back what one asked for."""

    tuning: Text


TuningWish = Ask | Confirm | Decline | End


def must_read_tuning(console: Console, user: User, about: str) -> None:
    """Raise PermissionDeniedException, and keep the refusal, unless the user's role reads what is tuned."""
    console.require(console.role(user).reads_shifts, user, "record", about, "reads no tuning")


def tune(console: Console, user: User, wish: TuningWish) -> None:
    """Do what is wished.

    Raises:
        PermissionDeniedException: the role may not.
        Refused: it cannot be done, and why.
        DeskUnavailable: nothing was done.
    """
    about = f"{wish.__struct_config__.tag} tuning {wish.check if isinstance(wish, Ask) else wish.tuning}"
    console.require(console.role(user).tunes, user, "action", about[:300], "may not do that")
    made = _act_of(console, wish)

    def decide(state: DeskState, at: dt.datetime) -> list[Act]:
        act = made(state, at)
        if why := state.tunings.why_not(act, user.name, at):
            raise Refused(why)
        return [act, *(_brought_back(state, act.tuning) if isinstance(act, acts.TuningEnded) else ())]

    console.desk.decide(user.name, decide)


def _brought_back(state: DeskState, tuning: str) -> list[Unshelved]:
    """The alerts that wait on the shelf for a tuning come back when it ends: their silence has no cause any more."""
    waiting = (state.alerts[name] for name in sorted(state.shelf))
    return [
        Unshelved(alert=one.id, version=one.version)
        for one in waiting
        if (one.shelved_for or "").startswith(waits_for(tuning))
    ]


def _act_of(console: Console, wish: TuningWish) -> Callable[[DeskState, dt.datetime], acts.TuningAct]:
    match wish:
        case Confirm(tuning=tuning):
            return lambda _state, _at: acts.TuningConfirmed(tuning=tuning)
        case Decline(tuning=tuning, reason=reason):
            return lambda _state, _at: acts.TuningDeclined(tuning=tuning, reason=reason)
        case End(tuning=tuning):
            return lambda _state, _at: acts.TuningEnded(tuning=tuning)
    check = current(wish.check.strip())
    raised = console.desk.look(lambda state: next(iter(state.index.of_check(check)), None))
    if raised is None:
        raise Refused(f"no alert of a check {check[:64]} was ever raised")
    return lambda state, at: acts.TuningAsked(
        tuning=state.tunings.next_id(),
        check=check,
        way=wish.way,
        minutes=wish.minutes,
        until=at + dt.timedelta(days=wish.days),
        reason=wish.reason,
    )


def tunings_of(console: Console, most: int = 50) -> tuple[Tuning, ...]:
    """The last tunings, the last first."""
    return console.desk.look(lambda state: tuple(reversed(state.tunings.made.values()))[:most])
