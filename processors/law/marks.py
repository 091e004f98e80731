"""The marks that checks leave on a round for one another, declared in one place.

A breach whose discriminator is a mark leaves it on the round; whoever must not find the same fault again, or judges
otherwise after it, asks for the mark.
"""

from __future__ import annotations

from msgspec import Struct

from processors.core.state import Round


class Mark(Struct, frozen=True):
    """One kind of mark; `form` is its text, with a place for each thing that it is about."""

    form: str

    def of(self, *about: object) -> str:
        """The mark about these things: the discriminator of the breach that leaves it."""
        return self.form.format(*about)

    def on(self, round_: Round, *about: object) -> bool:
        """Whether the round bears the mark about these things."""
        return self.of(*about) in round_.reported

    def anywhere(self, round_: Round) -> bool:
        """Whether the round bears the mark about anything."""
        return any(text.startswith(self.form.partition("{")[0]) for text in round_.reported)


# -- settlement, rack, exposed, opening

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
LOOSE_CARD_MISUSED = Mark("loose:{}")
"""The card drawn at a sequence did not go where it belongs: left and asked by action.dealer_drawn."""
SURRENDER_ASTRAY = Mark("early:{}")
"""The surrendered wager of a hand did not wait on its cards: left and asked by action.surrender_marked."""
UNDECIDED = Mark("undecided:{}")
"""A hand was treated as surrendered without its decision: left and asked by action.surrender_decided."""
DEAL_INCOMPLETE = Mark("deal:complete")
"""Play went on before the deal was complete: left and asked by deal.complete."""
ADDED = Mark("added:{}:{}")
"""The money or lammer of a hand's double or split was wrong: left by added_stakes.stake, lammer and present (asks)."""

# -- reader, insurance, wagers, submission, equipment

# -- shuffle_cut, shoe, stacks, stub
