"""Work on the watch list of a desk, and who of those that a page names stands on it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence

from dashboards.accounts.accounts import User
from dashboards.desk.decisions import ActConflict, Refused
from dashboards.desk.desk import Desk
from dashboards.desk.state import DeskState
from dashboards.desk.watch_fold import Subject, Watch, denied_by, why_not
from dashboards.ledger.acts import Act
from dashboards.ledger.watch_acts import WatchAct
from dashboards.web.console import Console

__all__ = ["ActConflict", "act_on_list", "entries", "watches_of"]


def act_on_list(desk: Desk, act: WatchAct, actor: str) -> None:
    """Do what someone wants done to the list.

    Raises:
        Refused: it was not done, and why.
        DeskUnavailable: it was not done.
    """

    def decide(state: DeskState, at: dt.datetime) -> Sequence[Act]:
        why = why_not(state.watched, act, at)
        if why is not None:
            raise Refused(why)
        return (act,)

    desk.decide(actor, decide)


def entries(console: Console, user: User) -> tuple[Watch, ...]:
    """The entries whose end has not come and that are there for this user, those that end first first."""
    now, withheld = console.clock(), console.desk.withheld_from(user.name)
    found = console.desk.look(lambda state: tuple(state.watched.values()))
    shown = (one for one in found if one.active(now) and denied_by(*one.subject) not in withheld)
    return tuple(sorted(shown, key=lambda one: (one.until, one.subject)))


def watches_of(console: Console, user: User, named: Iterable[Subject]) -> tuple[Watch, ...]:
    """The entries about those that a page names, for who may read the list; empty for others."""
    if not console.role(user).reads_watches:
        return ()
    wanted = set(named)
    return tuple(one for one in entries(console, user) if one.subject in wanted)
