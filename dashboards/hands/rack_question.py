"""What a solver is asked about the discard rack of a round, and why it cannot be asked."""

from __future__ import annotations

from typing import Literal

from dashboards.hands.hand import StoredRound
from dashboards.replayer.rack_port import RackAsked
from dashboards.replayer.replay import Replay
from schemas.rulesets import RULESETS
from schemas.values import DEALER, UNKNOWN

Why = Literal["going on", "hidden", "stacks", "no rules", "no cards", ""]

WHY_NOT: dict[str, str] = {
    "going on": "The round still goes on: its cards are not all in the rack yet.",
    "hidden": "Cards lie in the rack that were never shown: the solver is not asked about them.",
    "stacks": "The solver knows Blackjack alone; in this game the stacks lie as they were dealt.",
    "no rules": "No configuration of the table was recorded before the round.",
    "no cards": "No card of the round lies in the rack.",
}


def rack_question(stored: StoredRound, replay: Replay, seconds: float) -> tuple[RackAsked | None, Why]:
    """The question about a round that is over, or the reason why there is none."""
    result = replay.result
    config = stored.table().config
    if stored.is_going_on or result is None:
        return None, "going on"
    if config is None:
        return None, "no rules"
    if RULESETS[config.ruleset].family != "blackjack":
        return None, "stacks"
    if not result.rack.observed:
        return None, "no cards"
    if any(row.observed is not None and not row.observed.face_up for row in replay.rack):
        return None, "hidden"
    seats = tuple(sorted({one.seat for one in result.stakes if one.kind == "main"}))
    # Where events are missing, a seat may have staked unseen: then the solver is to find the seats as well.
    known = seats if seats and not result.missing else None
    dealer = result.hands.get(DEALER)
    upcard = dealer.cards[0] if dealer is not None and dealer.cards else None
    asked = RackAsked(
        config=config,
        rack=result.rack.observed,
        seats=known,
        upcard=None if upcard == UNKNOWN or result.missing else upcard,
        seconds=seconds,
    )
    return asked, ""
