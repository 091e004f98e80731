"""The reader and the hole card: read in time, believed, and hidden until it may be turned up."""

from __future__ import annotations

from processors.core.state import Round, hand_named
from processors.games.totals import POINTS
from processors.law.check import UPHELD, Breach, Indeterminate, Judged, Moment, check
from processors.law.marks import BLACKJACK_PLAYED_ON, NEEDLESS_READING, READING_AMISS
from schemas import events as e
from schemas.values import DEALER

ACTION = (e.PlayerDecision, e.BlackjackAnnounced)
_READ = ("reader.hole_card_checked", "reader.range_found")
_HIDDEN = ("reader.hole_card_hidden", "reader.masque_hidden")


def early_surrender(moment: Moment, data: object) -> bool:
    """Whether this is a surrender, which may be signalled before the hole card is read (reading A26)."""
    _, rules = moment.play
    return rules.surrender and isinstance(data, e.PlayerDecision) and data.kind == "surrender"


@check(
    "reader.used", decides=(
        "insurance.lost_collected", "reader.hole_card_checked", "reader.hole_card_hidden", "reader.masque_hidden",
        "reader.range_assigned", "reader.range_found", "action.hole_card_revealed", "action.surrender_marked",
        "action.hole_card_turned",
    ),
    reads=(*ACTION, e.HoleCardRevealed, e.WagerSettled), alters=True, unheard="reader",
)  # fmt: skip
def the_hole_card_is_read_before_the_action(moment: Moment, data: object) -> Judged:
    """Under an ace or ten-value card (with a Masque reader: always) the hole card is read before anybody acts."""
    round_, rules = moment.play
    if READING_AMISS.on(round_):
        return None
    if round_.reader is not None:
        return UPHELD
    insurance = isinstance(data, e.WagerSettled) and data.kind == "insurance"
    surrendered = isinstance(data, e.WagerSettled) and rules.surrender and _settles_a_surrender(round_, data)
    if isinstance(data, e.WagerSettled) and not (insurance or surrendered):
        return None
    if early_surrender(moment, data) or not _must_be_read(moment):
        return None
    seen = isinstance(data, e.HoleCardRevealed) and not _acted(round_)
    return Breach(
        roles=(
            *_READ,
            "reader.range_assigned",
            *(("insurance.lost_collected",) if insurance else ()),
            *((*_HIDDEN, "action.hole_card_revealed", "action.hole_card_turned") if seen else ()),
            *(("action.surrender_marked",) if surrendered else ()),
        ),
        message=f"The dealer shows {moment.dealer.up}, but the hole card was not read before play went on.",
        expected={"hole_card_read": True},
        observed={"hole_card_read": False},
        hand=DEALER,
        discriminator=READING_AMISS.of(),
    )


def _must_be_read(moment: Moment) -> bool:
    """Whether the dealer has both cards and his up card has the other one read."""
    round_, rules = moment.play
    up = moment.dealer.up
    if up is None or up not in POINTS or len(round_.hands[DEALER].cards) < 2:
        return False
    return rules.profile.masque or POINTS[up] >= 10


def _acted(round_: Round) -> bool:
    """Whether a hand was served before now, early surrenders apart."""
    return any(getattr(entry.data, "kind", "") != "surrender" for entry in round_.told(*ACTION))


def _settles_a_surrender(round_: Round, data: e.WagerSettled) -> bool:
    hand = round_.hands.get(hand_named(data.seat, data.hand))
    return data.kind == "main" and hand is not None and hand.surrendered is not None


@check(
    "reader.when", decides=("reader.hole_card_checked", "reader.range_found"),
    reads=(e.HoleCardRead,), alters=True, follows=True,
)  # fmt: skip
def the_reader_comes_after_the_deal(moment: Moment, data: e.HoleCardRead) -> Judged:
    """The hole card is read after the deal and the offers, before any decision but an early surrender."""
    round_, _ = moment.play
    if READING_AMISS.on(round_):
        return None
    acts = (entry.sequence for entry in round_.told(*ACTION) if not early_surrender(moment, entry.data))
    acted = next(acts, None)
    dealer = round_.hands.get(DEALER)
    if acted is None and dealer is not None and len(dealer.cards) >= 2:
        return UPHELD
    when = "after players had acted" if acted is not None else "before the first deal was over"
    return Breach(
        message=f"The hole card was read {when}.",
        expected={"read": "after the deal, before any decision"},
        observed={"after_decision": acted},
        sequences=(acted,) if acted is not None else (),
        hand=DEALER,
        discriminator=READING_AMISS.of(),
    )


@check(
    "reader.needless", decides=("reader.needless_reported",),
    reads=(*ACTION, e.HoleCardRevealed, e.CardDrawn), follows=True, after=(e.HoleCardRead,),
)  # fmt: skip
def a_needless_reading_is_notified(moment: Moment, data: object) -> Judged:
    """A reading of the hole card without an ace or ten up is notified to a floorperson before play goes on."""
    round_, _ = moment.play
    up = moment.dealer.up
    if round_.reader is None or up is None or POINTS.get(up, 10) >= 10 or NEEDLESS_READING.on(round_):
        return None
    read = round_.reader[2]
    if round_.last(e.FloorpersonNotified) > read:
        return UPHELD
    return Breach(
        message=f"The hole card was read under {up}, and no floorperson was told before play went on.",
        expected={"floorperson_notified": True},
        observed={"floorperson_notified": False},
        sequences=(read,),
        hand=DEALER,
        discriminator=NEEDLESS_READING.of(),
    )


@check(
    "reader.truth", decides=("reader.tells_blackjack_alone", "reader.hole_card_checked"),
    reads=(e.HoleCardRevealed,), alters=True, follows=True,
)  # fmt: skip
def the_card_reader_told_the_truth(moment: Moment, data: e.HoleCardRevealed) -> Judged:
    """What the card reader said of a Blackjack is what the hole card shows."""
    round_, _ = moment.play
    up = moment.dealer.up
    if round_.reader is None or up is None:
        return None
    if up not in POINTS or data.card not in POINTS:
        return Indeterminate(
            roles=("reader.hole_card_checked",),
            message="Whether the reader told the truth cannot be said: a dealer card is unknown.",
            missing=("a card of the dealer's hand",),
            hand=DEALER,
        )
    blackjack = {POINTS[up], POINTS[data.card]} == {10, 11}
    said = round_.reader[1] == "blackjack"
    if blackjack == said:
        return UPHELD
    return Breach(
        roles=("reader.hole_card_checked", "reader.tells_blackjack_alone"),
        message=f"The reader said {'Blackjack' if said else 'no Blackjack'}, but the dealer has {up} {data.card}.",
        expected={"result": "blackjack" if blackjack else "no_blackjack"},
        observed={"result": round_.reader[1], "cards": [up, data.card]},
        sequences=(round_.reader[2],),
        hand=DEALER,
    )


@check(
    "reader.no_more_cards", decides=(
        "reader.hole_card_checked", "reader.blackjack_ends_deal", "reader.range_found",
        "settlement.surrender_to_blackjack",
    ),
    reads=(e.CardDrawn, *ACTION, e.WagerSettled), alters=True, follows=True,
    after=(e.HoleCardRead, e.HoleCardRevealed),
)  # fmt: skip
def no_card_is_dealt_after_a_dealer_blackjack(moment: Moment, data: object) -> Judged:
    """When the reader says that the dealer has Blackjack, or it shows, play ends and no further card is dealt."""
    round_, rules = moment.play
    shown = round_.hole_revealed is not None
    if not (round_.reader or shown) or BLACKJACK_PLAYED_ON.on(round_) or not moment.dealer.blackjack:
        return None
    if shown and not isinstance(data, e.CardDrawn):
        return UPHELD
    halved = isinstance(data, e.WagerSettled) and rules.surrender and _halves_a_surrender(round_, data)
    if isinstance(data, e.WagerSettled):
        takes_insurance = data.kind == "insurance" and data.outcome == "collect"
        if not (halved or takes_insurance):
            return None
    return Breach(
        roles=(
            "reader.blackjack_ends_deal",
            *(() if shown else _READ),
            *(("settlement.surrender_to_blackjack",) if halved else ()),
        ),
        message="A card was drawn although the dealer has Blackjack."
        if shown
        else "The reader said Blackjack, but the hole card was not shown and play went on.",
        expected={"cards": 0},
        observed={"event": type(data).__name__},
        hand=DEALER,
        discriminator=BLACKJACK_PLAYED_ON.of(),
    )


def _halves_a_surrender(round_: Round, data: e.WagerSettled) -> bool:
    stake = round_.main_stake(data.seat, data.hand)
    return _settles_a_surrender(round_, data) and stake is not None and data.cents < stake.cents


@check(
    "reader.hole_hidden", decides=("reader.hole_card_hidden", "reader.masque_hidden"),
    reads=(e.HoleCardRevealed, e.CardExposed), turns_on=("steps", "draws", "places"),
)  # fmt: skip
def the_hole_card_stays_hidden(moment: Moment, data: e.HoleCardRevealed | e.CardExposed) -> Judged:
    """Nobody sees the hole card before it may be turned up; when it may be, is judged with the action."""
    round_, _ = moment.play
    if isinstance(data, e.HoleCardRevealed):
        return UPHELD
    if data.where != "hole" or round_.hole_revealed is not None:
        return None
    return Breach(
        message=f"The hole card {data.card} was seen before it was turned up.",
        expected={"exposed": False},
        observed={"exposed": True},
        hand=DEALER,
    )
