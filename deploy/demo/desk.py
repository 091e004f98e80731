"""What is already done at the desk when someone comes to a demonstration: alerts taken, shelved, closed, disputed.

All of it is done as a user of the console would, once only: not where anybody has acted upon an alert before.
"""

from __future__ import annotations

from typing import Final

from msgspec import UNSET

from dashboards.accounts.sign_ins import User
from dashboards.alerts.api import SeenAlert as Seen
from dashboards.alerts.api import do
from dashboards.alerts.wishes import Acknowledge, Dispose, Shelve, Wish
from dashboards.desk.alerts import Alert
from dashboards.desk.decisions import Refused
from dashboards.disputes.rounds import prefill_of, shown_round
from dashboards.disputes.wishes import OpenDispute, open_dispute
from dashboards.hands.addresses import FoundBy
from dashboards.ledger.acts import DESK
from dashboards.ledger.dispute_acts import Review
from dashboards.terminal.floor import dollars
from dashboards.web.console import Console
from schemas.findings import Finding

SURVEILLANCE: Final = User("surveillance", "surveillance", "")
FLOOR: Final = User("floor", "floor", "")
SHELVED_FOR: Final = 8 * 60  # minutes

_SHELVE: Final = Shelve(
    reason="The shift manager speaks with the dealer at the end of the shift; looked at again then.",
    minutes=SHELVED_FOR,
)
_DISPOSE: Final = Dispose(
    disposition="dealer error",
    note="Seen on the recording as the record says. No money moved; the dealer was told at the break.",
)
# Who does what to an alert of which severity; no two of one check, so that the list shows what differs.
_ACTS: Final[tuple[tuple[User, str, Wish], ...]] = (
    (SURVEILLANCE, "major", Acknowledge()),
    (FLOOR, "major", Acknowledge()),
    (SURVEILLANCE, "minor", _SHELVE),
    (SURVEILLANCE, "minor", _DISPOSE),
)


def lay_out(console: Console) -> None:
    """Open a dispute over a wrongly paid hand, and do to a few alerts what is done to alerts.

    Raises:
        DeskUnavailable: the desk cannot be written.
    """
    waiting = console.desk.snapshot().alerts
    if any(alert.last_actor != DESK for alert in (*waiting, *console.desk.closed())):
        return
    taken: set[str] = set()
    for user, severity, wish in _ACTS:
        plain = (one for one in waiting if one.finding.severity == severity and not one.finding.money_cents)
        found = next((one for one in plain if one.finding.check not in taken), None)
        if found is not None:
            taken.add(found.finding.check)
            do(console, user, wish, (Seen(found.id, found.version),))
    disputed = {(one.subject, one.round) for one in console.desk.disputes()}
    owed = (one for one in waiting if _is_owed(one.finding))
    undisputed = (one for one in owed if (one.finding.subject, one.finding.round) not in disputed)
    wrong = max(undisputed, key=lambda one: one.finding.money_cents, default=None)
    if wrong is not None:
        _dispute(console, wrong)


def _is_owed(finding: Finding) -> bool:
    return finding.money_cents > 0 and finding.round is not None and finding.seat is not UNSET


def _dispute(console: Console, alert: Alert) -> None:
    finding = alert.finding
    seat = None if finding.seat is UNSET else finding.seat
    hand = None if finding.hand is UNSET else finding.hand
    number = finding.round or 0
    shown = shown_round(console, SURVEILLANCE, finding.subject, number)
    if shown is None:
        return
    known = prefill_of(shown, seat, hand, FoundBy())
    wish = OpenDispute(
        subject=finding.subject,
        round=number,
        seat=seat,
        hand=hand,
        sequence=finding.sequence,
        claim=f"The dealer settled seat {seat} wrongly. I want my {dollars(finding.money_cents)}.",
        claimed_cents=finding.money_cents,
        patron=known.patron or None,
        review=Review(
            requested_by=FLOOR.name,
            camera=known.camera or None,
            dealer=known.dealer or None,
            supervisor=known.supervisor or None,
        ),
        alert=alert.id,
    )
    try:
        open_dispute(console, SURVEILLANCE, wish)
    except Refused:  # someone who is signed in already was faster
        return
