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


# -- settlement, rack, exposed, opening
MISSETTLED = Mark("{}")
"""A stake: settlement.stake and settlement.complete leave it, settlement.complete asks for it."""
LAMMER_MISSETTLED = Mark("{}:lammer:{}")
"""A seat and its hand: settlement.lammer and settlement.lammers_off leave it and ask for it."""
LATE = Mark("late:{}")
"""A stake: settlement.match_when and insurance.collected leave it; they and settlement.complete ask for it."""
BUST_AT_OTHER_TIME = Mark("bust:{}")
"""A hand: settlement.stake leaves it, the expected rack of processors/games/blackjack/rack.py asks for it."""
HALVES_APART = Mark("halves:{}")
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

# -- reader, insurance, wagers, submission, equipment

# -- shuffle_cut, shoe, stacks, stub
