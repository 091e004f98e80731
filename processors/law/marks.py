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

# -- action, deal, added_stakes

# -- reader, insurance, wagers, submission, equipment

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
