"""The disputes about one hand, for its own page."""

from __future__ import annotations

from dashboards.accounts.accounts import User
from dashboards.debts.seen import is_theirs
from dashboards.desk.disputes import Dispute
from dashboards.disputes.views import as_seen
from dashboards.web.console import Console


def disputes_of_hand(console: Console, user: User, subject: str, first: int) -> tuple[Dispute, ...]:
    """Those about the round of a table that began at event `first`, as this user may see them."""
    return tuple(
        as_seen(console, user, one)
        for one in console.desk.disputes()
        if (one.subject, one.first_sequence) == (subject, first) and is_theirs(console, user, one)
    )
