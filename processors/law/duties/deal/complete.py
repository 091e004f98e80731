"""What the first deal must have given when play goes on: two cards to each wagered box that is not dead."""

from __future__ import annotations

from processors.core.state import Round, seat_of
from processors.law.check import UPHELD, Breach, Judged, Moment, check
from processors.law.duties.deal.progress import called_dead, held, wagered_boxes
from processors.law.marks import DEAL_INCOMPLETE
from schemas import events as e
from schemas.values import DEALER

_GOES_ON = (e.InsuranceOffered, e.HoleCardRead, e.PlayerDecision)


@check(
    "deal.complete", decides=(
        "deal.first_pass", "deal.second_pass", "deal.dealer_second_card", "deal.hand_without_cards",
        "deal.hand_with_one_card",
    ),
    reads=(*_GOES_ON, e.BlackjackAnnounced, e.HoleCardRevealed, e.WagerSettled), alters=True, follows=True,
    before=_GOES_ON,
)  # fmt: skip
def every_box_was_dealt_or_is_dead(moment: Moment, data: object) -> Judged:
    """When play goes on after the deal, each wagered box has its two cards, or its hand was called dead."""
    round_, _ = moment.play
    if DEAL_INCOMPLETE.on(round_) or _play_has_begun(round_):
        return None
    if isinstance(data, e.WagerSettled) and not _settles_an_undealt_hand(round_, data):
        return None
    for box in wagered_boxes(round_):
        if _undealt(round_, box):
            return _lacks_cards(round_, box)
    cards = held(round_, DEALER)
    if cards >= 2:
        return UPHELD
    return Breach(
        roles=("deal.dealer_second_card",),
        message="Play went on before the dealer had his two cards.",
        expected={"cards": 2},
        observed={"cards": cards},
        hand=DEALER,
        discriminator=DEAL_INCOMPLETE.of(),
    )


def _lacks_cards(round_: Round, box: str) -> Breach:
    cards = held(round_, box)
    of_one = ("deal.second_pass", "deal.hand_with_one_card")
    return Breach(
        roles=of_one if cards else ("deal.first_pass", "deal.hand_without_cards"),
        message=f"Play went on though hand {box} has {'one' if cards else 'no'} card and was not called dead.",
        expected={"cards": 2},
        observed={"cards": cards},
        seat=seat_of(box),
        hand=box,
        discriminator=DEAL_INCOMPLETE.of(),
    )


def _undealt(round_: Round, spot: str) -> bool:
    return held(round_, spot) < 2 and not called_dead(round_, spot)


def _play_has_begun(round_: Round) -> bool:
    """Whether insurance, reader, reveal or a decision has come already, so that the deal was judged before."""
    return (
        round_.insurance_offered is not None
        or round_.reader is not None
        or round_.hole_revealed is not None
        or any(hand.decisions for hand in round_.hands.values())
    )


def _settles_an_undealt_hand(round_: Round, data: e.WagerSettled) -> bool:
    undealt = _undealt(round_, f"{data.seat}.1")
    if data.kind == "match_dealer":
        return undealt or held(round_, DEALER) < 2
    return data.kind == "main" and undealt
