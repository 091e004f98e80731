"""The question to a solver about the discard rack of a round, or why there is none."""

from __future__ import annotations

from dashboards.hands.hand import StoredRound
from dashboards.replayer.rack_port import RackAsked
from dashboards.replayer.replay import Replay
from schemas.rulesets import RULESETS
from schemas.values import DEALER, UNKNOWN


def rack_question(stored: StoredRound, replay: Replay, seconds: float) -> RackAsked | str:
    """The question about a round that is over, or in words why there is none."""
    result = replay.result
    config = stored.table().config
    if stored.is_going_on or result is None:
        return "The round still goes on: its cards are not all in the rack yet."
    if config is None:
        return "No configuration of the table was recorded before the round."
    if RULESETS[config.ruleset].family != "blackjack":
        return "The solver knows Blackjack alone; in this game the stacks lie as they were dealt."
    if not result.rack.observed:
        return "No card of the round lies in the rack."
    if any(row.observed is not None and not row.observed.face_up for row in replay.rack):
        return "Cards lie in the rack that were never shown: the solver is not asked about them."
    seats = tuple(sorted({one.seat for one in result.stakes if one.kind == "main"}))
    # Where events are missing, a seat may have staked unseen: then the solver is to find the seats as well.
    known = seats if seats and not result.missing else None
    dealer = result.hands.get(DEALER)
    upcard = dealer.cards[0] if dealer is not None and dealer.cards else None
    return RackAsked(
        config=config,
        rack=result.rack.observed,
        seats=known,
        upcard=None if upcard == UNKNOWN or result.missing else upcard,
        seconds=seconds,
    )
