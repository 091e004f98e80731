"""The disputes about one hand, and how its debt stands behind them, for the pages of the hand."""

from __future__ import annotations

import datetime as dt

from dashboards.accounts.accounts import User
from dashboards.debts.seen import is_theirs
from dashboards.debts.settling import Scope
from dashboards.desk.disputes import Dispute
from dashboards.disputes.paying import standing_at
from dashboards.disputes.rounds import ShownRound
from dashboards.disputes.views import as_seen
from dashboards.drawing.palette import DARK
from dashboards.hands.hand import StoredRound
from dashboards.replayer.replay import Replay
from dashboards.reports.claims import held_against
from dashboards.reports.dispute_report import UNKNOWN, answer_of
from dashboards.web.console import Console
from dashboards.wording.standing import Standing


def disputes_of_hand(console: Console, user: User, subject: str, first: int) -> tuple[Dispute, ...]:
    """Those about the round of a table that began at event `first`, as this user may see them."""
    return tuple(
        as_seen(console, user, one)
        for one in console.desk.disputes()
        if (one.subject, one.first_sequence) == (subject, first) and is_theirs(console, user, one)
    )


def answer_of_hand(
    console: Console, user: User, stored: StoredRound, replay: Replay, seat: int | None
) -> str:
    """The record's answer about a seat, else about the round.

    Who reads all disputes is told what became of the debt by now.
    """
    held = held_against(replay, seat)
    if console.role(user).reads_disputes != "all":
        return f"{Standing(owed=held.owed_cents).record}." if held.rows else answer_of(held, UNKNOWN)
    shown = ShownRound(stored, replay, dt.UTC, DARK)
    scope = Scope(subject=stored.subject, first_sequence=stored.first, seat=seat)
    return answer_of(held, standing_at(console, user, shown, scope))
