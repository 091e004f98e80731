"""The phases of a round as staff name them: Bets, Deal, Players, Dealer, Settle, Rack."""

from __future__ import annotations

from typing import Any, Literal

from processors.core.state import Round
from schemas import events as e
from schemas.values import DEALER

Phase = Literal["Bets", "Deal", "Players", "Dealer", "Settle", "Rack"]
ORDER: tuple[Phase, ...] = ("Bets", "Deal", "Players", "Dealer", "Settle", "Rack")
_DEAL = (e.CardDrawn, e.CardPlaced, e.StackDispensed, e.StackDelivered, e.StartingPositionSet)
_PLAYERS = (
    e.PlayerDecision, e.InsuranceOffered, e.EvenMoneyOffered, e.EvenMoneyTaken, e.HoleCardRead, e.BlackjackAnnounced,
    e.StubRemoved, e.DealerHandPositioned, e.CardsTucked,
)  # fmt: skip
_DEALER = (e.HoleCardRevealed, e.DealerTotalAnnounced)


def phase_after(phase: Phase, data: Any) -> Phase:
    """The phase in which an event happens; once hands are settled and racked in turn, the two alternate."""
    kind = type(data)
    if kind is e.RoundStarted:
        return "Bets"
    at = ORDER.index(phase)
    if kind in _DEAL and at < 1:
        return "Deal"
    if kind in _PLAYERS and at < 2:
        return "Players"
    if at < 3 and (kind in _DEALER or (kind is e.HandRevealed and data.position == DEALER)):
        return "Dealer"
    if kind is e.RoundVoided and at < 4:
        return "Settle"
    if at >= 3:
        if kind in (e.WagerSettled, e.WinningsTakenBack, e.LammerCollected):
            return "Settle"
        if kind is e.CardsRacked and at >= 4:
            return "Rack"
    if kind is e.HandRevealed and at < 2:
        return "Players"
    return phase


def phase_of(round_: Round | None) -> Phase:
    """The phase that a round has come to."""
    phase: Phase = "Bets"
    for entry in round_.log if round_ is not None else ():
        phase = phase_after(phase, entry.data)
    return phase
