"""Where a drawn card lies whose placement no device reported: in the one place that lawful play leaves (A65)."""

from __future__ import annotations

from processors.core.pairing import lay_inferred, not_denied, shown_by_rack
from processors.core.state import Table
from processors.games.blackjack.next_card import next_spot
from processors.games.blackjack.rules import BlackjackRules
from schemas import events as e
from schemas.envelope import Envelope
from schemas.payload import Payload

# Acts that come after the card before them lies on the layout.
_PLAY_GOES_ON: frozenset[type[Payload]] = frozenset(
    {e.CardDrawn, e.PlayerDecision, e.DealerTotalAnnounced, e.HoleCardRead, e.HoleCardRevealed, e.WagerSettled,
     e.RoundEnded, e.InsuranceOffered, e.BlackjackAnnounced, e.CardsTucked, e.LammerPlaced}
)  # fmt: skip
_AT_THE_END = ("settled", "bust", "blackjack", "surrender")


def infer(table: Table, event: Envelope, rules: BlackjackRules | None) -> bool:
    """Lay the one card that was drawn and not placed where only it can lie, once play goes on; or take it from there.

    True if a hand has changed.
    """
    round_, data = table.round, event.data
    if round_ is not None and round_.inferred and type(data) is e.CardsRacked:
        return shown_by_rack(table, round_, data)
    loose = not_denied(table)
    if round_ is None or rules is None or len(loose) != 1 or loose[0].exposed:
        return False
    if any(witness != "reader" for witness in round_.unheard):  # where cards lie, the reader says nothing of
        return False
    if loose[0].sequence <= round_.first_sequence:
        return False
    goes_on = type(data) in _PLAY_GOES_ON or (type(data) is e.CardsRacked and data.reason in _AT_THE_END)
    spot = next_spot(round_, rules) if goes_on else None
    if spot is None:
        return False
    lay_inferred(table, spot)
    return True
