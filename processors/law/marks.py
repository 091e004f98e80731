"""The marks that checks leave on a round for one another, declared in one place.

A breach whose discriminator is a mark leaves it on the round; whoever must not find the same fault again, or judges
otherwise after it, asks for the mark.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from processors.core.state import Round
from processors.games.named_stakes import HALVES_OF_A_HAND, LAMMERS_OF_A_HAND


class Mark(Struct, frozen=True):
    """One kind of mark; `form` is its text, with a place for each thing that it is about."""

    form: str

    def of(self, *about: object) -> str:
        """The mark about these things: the discriminator of the breach that leaves it."""
        return self.form.format(*about)

    def on(self, round_: Round, *about: object) -> bool:
        """Whether the round bears the mark about these things."""
        return bool(round_.reported) and self.of(*about) in round_.reported

    def anywhere(self, round_: Round) -> bool:
        """Whether the round bears the mark about anything."""
        return any(text.startswith(self.form.partition("{")[0]) for text in round_.reported)

    def at_event(self, text: str, numbers: Mapping[int, int]) -> str:
        """The text of a mark about an event, with the number that the event has otherwise; any other as it is."""
        start, _, _ = self.form.partition("{")
        number = text.removeprefix(start)
        if not text.startswith(start) or not number.isdecimal():
            return text
        return self.of(numbers.get(int(number), number))


# -- settlement, rack, exposed, opening
MISSETTLED = Mark("{}")
"""A stake: settlement.stake and settlement.complete leave it, settlement.complete asks for it."""
LAMMER_MISSETTLED = Mark(LAMMERS_OF_A_HAND)
"""A seat and its hand: settlement.lammer and settlement.lammers_off leave it and ask for it."""
LATE = Mark("late:{}")
"""A stake: settlement.match_when and insurance.collected leave it; they and settlement.complete ask for it."""
BUST_AT_OTHER_TIME = Mark("bust:{}")
"""A hand: settlement.stake leaves it, the expected rack of processors/games/blackjack/rack.py asks for it."""
HALVES_APART = Mark(HALVES_OF_A_HAND)
"""A hand: settlement.surrender_halves leaves it and asks for it."""
RACKED_OUT_OF_ORDER = Mark("rack:order")
"""rack.hand leaves it, rack.order asks for it."""
PICKED_UP_EARLY = Mark("rack:early")
"""rack.after_settling leaves it and asks for it."""
PAID_HAND_MISPLACED = Mark("turn:{}")
"""A hand: rack.blackjack, rack.even_money and rack.tuck leave it, the first two ask for it."""
SPLIT_BUST_MISPLACED = Mark("tuck:{}")
"""A hand: rack.tuck and rack.split_bust leave it, rack.split_bust asks for it."""
LOOSE_CARD_MISUSED = Mark("loose:{}")
"""The sequence of a draw: exposed.* and action.dealer_accident leave it; they and the fold of cards ask for it."""
REFUSED_WITHOUT_CARD = Mark("error:refused")
"""exposed.error leaves it and asks for it."""
REFUSED_THOUGH_USEFUL = Mark("error:useful")
"""exposed.error leaves it and asks for it."""

# -- action, deal, added_stakes
UNFINISHED = Mark("open:{}")
"""A hand was unfinished: left by action.decision, reveal, missed and blackjack; asked by the last two and games."""
HOLE_HIDDEN = Mark("action:reveal")
"""The dealer went on with his hole card hidden: left and asked by action.reveal."""
DEAD_UNSEEN = Mark("void:unseen")
"""A hand was called dead for a light that nobody could yet know to be wrong: left and asked by action.void."""
BLACKJACK_AMISS = Mark("bj:{}")
"""The Blackjack of a hand was not announced or paid as it should be: left and asked by action.blackjack."""
STOPPED_SHORT = Mark("dealer:stands")
"""The dealer stopped below his standing total: left and asked by action.dealer_stands."""
UNANNOUNCED = Mark("said:{}")
"""The dealer's total after the card at a sequence was not announced, or wrongly: action.dealer_announces alone."""
SURRENDER_ASTRAY = Mark("early:{}")
"""The surrendered wager of a hand did not wait on its cards: left and asked by action.surrender_marked."""
UNDECIDED = Mark("undecided:{}")
"""A hand was treated as surrendered without its decision: left and asked by action.surrender_decided."""
DEAL_INCOMPLETE = Mark("deal:complete")
"""Play went on before the deal was complete: left and asked by deal.complete."""
ADDED = Mark("added:{}:{}")
"""The money or lammer of a hand's double or split was wrong: left by added_stakes.stake, lammer and present (asks)."""

# -- reader, insurance, wagers, submission, equipment
READING_AMISS = Mark("reader:used")
"""The hole card was not read in time: left by reader.used and .when; asked by both, reader.masque_area and the fold."""
NEEDLESS_READING = Mark("reader:needless")
"""A needless reading was not notified: reader.needless leaves it and asks for it."""
BLACKJACK_PLAYED_ON = Mark("reader:no_more")
"""Play went on after a dealer Blackjack: reader.no_more_cards leaves it and asks for it."""
RANGE_UNREMEDIED = Mark("masque:remedy")
"""A hand had no remedy for a wrong range: reader.masque_remedy leaves it and asks for it."""
AREA_AMISS = Mark("masque:area")
"""The dealer's hand was not laid in its area in time: reader.masque_area leaves it and asks for it."""
LARGE_PAIR_AMISS = Mark("masque:shown")
"""A hole card was hidden or shown against its range: reader.masque_shown leaves it and asks for it."""
OFFER_AMISS = Mark("insurance:offer")
"""Insurance was offered wrongly or not at all: insurance.offered leaves it and asks for it."""
EVEN_MONEY_AMISS = Mark("even:{}")
"""A seat was offered even money wrongly: insurance.even_money_when leaves it and asks for it."""
POSITION_UNKNOWN = Mark("seat:unknown")
"""A position that the table does not have was named: equipment.table_position_named leaves it and asks for it."""

# -- shuffle_cut, shoe, stacks, stub

WRONG_HAND = Mark("hands:{}")
"""A card was drawn or laid down by the wrong hand: left and asked for by stacks.five_cards_hands, once a round each."""
PROGRESSIVE = Mark("progressive")
"""Progressive chips were not counted and stored: left by stacks.wagers_counted, asked for by stacks.wagers_amounts."""
STUB_REMOVED = Mark("stub.removed")
"""The stub left the shoe too early or not at all: left and asked for by stub.removed."""
STUB_UNCOUNTED = Mark("stub.counted")
"""The round went on with no count of the stub: left by stub.counted, asked for by stub.counted and stub.racked."""
STUB_OVERDUE = Mark("stub.window")
"""A count of the stub was overdue: left by stub.counted_in_time, asked for by stub.counted_in_time and stub.racked."""
STUB_SEEN = Mark("stub.seen:{}")
"""The exposure of a card of the stub, by its sequence: left and asked for by stub.unseen."""
UNWAGERED_SEEN = Mark("unwagered.seen:{}")
"""Cards of a position without a wager were seen: left and asked for by stub.unwagered_unseen."""

# -- those of which an event's number is part
NUMBERED = (LOOSE_CARD_MISUSED, UNANNOUNCED, STUB_SEEN)
