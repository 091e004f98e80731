"""Where a drawn card lies whose placement no device reported: in the one place that lawful play leaves (A65)."""

from __future__ import annotations

from processors.core.devices.health import fell_with
from processors.core.devices.pairing import lay_inferred, not_denied, shown_by_rack
from processors.core.folding.stacks import is_stack_game
from processors.core.state import Round, Table
from processors.core.witnesses import Witness
from processors.games.blackjack.action import waits_for_second
from processors.games.blackjack.next_card import next_spot
from processors.games.blackjack.rules import BlackjackRules
from processors.games.stacks import turns
from schemas import events as e
from schemas.events.envelope import Envelope
from schemas.payload import Payload
from schemas.values import DEALER

# Acts that come after the card before them lies on the layout.
_PLAY_GOES_ON: frozenset[type[Payload]] = frozenset(
    {e.CardDrawn, e.PlayerDecision, e.DealerTotalAnnounced, e.HoleCardRead, e.HoleCardRevealed, e.WagerSettled,
     e.RoundEnded, e.InsuranceOffered, e.BlackjackAnnounced, e.CardsTucked, e.LammerPlaced, e.LammerCollected}
)  # fmt: skip
_STACK_GAME_GOES_ON: frozenset[type[Payload]] = frozenset(
    {e.StackDispensed, e.CardDrawn, e.StubRemoved, e.StubCounted, e.CardsRacked, e.HandRevealed, e.WagerSettled,
     e.MisdealDetermined, e.RoundVoided, e.RoundEnded}
)  # fmt: skip
SHOWS = _PLAY_GOES_ON | _STACK_GAME_GOES_ON | {e.CardsRacked}
"""Acts that may show where a card lies, or that it does not lie where it was taken to lie."""
_DEALS = (e.StackDispensed, e.CardDrawn)
_NOT_NEEDED: frozenset[Witness] = frozenset(
    {"reader", "rack"}
)  # lawful play leaves one place without their words
_AT_THE_END = ("settled", "bust", "blackjack", "surrender")


def infer(table: Table, event: Envelope, rules: BlackjackRules | None) -> bool:
    """Lay what was drawn at one event and not placed where only it can lie, once play goes on; or take it from there.

    True if a hand has changed.
    """
    round_, data = table.round, event.data
    if round_ is None:
        return False
    if round_.inferred and type(data) is e.CardsRacked and shown_by_rack(table, round_, data):
        return True
    loose = not_denied(table)
    if not loose or loose[0].exposed:
        return False
    if not round_.unheard.keys() <= _NOT_NEEDED or fell_with(table, "placements"):
        return False  # a layout that died as a whole may have kept wagers back as well
    if loose[0].sequence != loose[-1].sequence or loose[0].sequence <= round_.first_sequence:
        return False
    spot = _next_spot(table, round_, event.data, rules)
    if spot is None:
        return False
    lay_inferred(table, spot, event.time)
    return True


def passed_over(table: Table, event: Envelope, rules: BlackjackRules | None, drawn: int) -> str | None:
    """The spot that was due the card drawn at an event, and that play passes over."""
    round_ = table.round
    spot = due_before(table, event.data, rules)
    return spot if round_ is not None and spot is not None and _awaited(round_, spot) < drawn else None


def due_before(table: Table, data: Payload, rules: BlackjackRules | None) -> str | None:
    """The spot that lawful play lays a card at before this act, and that the act passes over."""
    round_, loose = table.round, table.shoe.loose
    if round_ is None:
        return None
    laid = type(data) in (e.CardPlaced, e.StackDelivered)
    about = getattr(data, "hand", None) or getattr(data, "position", None)
    spot = None
    if laid:
        spot = _due(table, round_, rules, deal_goes_on=True)
    elif type(data) in SHOWS and type(data) not in _DEALS and not loose:
        spot = _next_spot(table, round_, data, rules)
    if spot is None or (laid and spot == about):
        return None
    hand = round_.hands.get(spot)
    if hand is not None and spot != about and waits_for_second(hand):
        return None  # a split hand waits until the one before it is done
    return spot


def _awaited(round_: Round, spot: str) -> int:
    """The event since which a spot awaits its next card."""
    hand = round_.hands.get(spot)
    if hand is None:
        return 0
    decided = hand.decisions[-1][1] if hand.decisions else 0
    turned = (round_.hole_revealed or 0) if spot == DEALER else 0
    return max(decided, turned, hand.split_at or 0, *hand.sequences[-1:])


def _next_spot(table: Table, round_: Round, data: Payload, rules: BlackjackRules | None) -> str | None:
    """The spot whose card lies on the layout before an act; None where the act does not tell."""
    goes_on = type(data) in (_STACK_GAME_GOES_ON if rules is None else _PLAY_GOES_ON)
    if rules is not None and type(data) is e.CardsRacked:
        goes_on = data.reason in _AT_THE_END
    return _due(table, round_, rules, deal_goes_on=type(data) in _DEALS) if goes_on else None


def _due(table: Table, round_: Round, rules: BlackjackRules | None, *, deal_goes_on: bool) -> str | None:
    """The spot to which lawful play brings the next card or stack."""
    if rules is not None:
        return next_spot(round_, rules)
    if table.config is None or not is_stack_game(table):
        return None
    return turns.next_spot(round_, table.config, deal_goes_on=deal_goes_on)
