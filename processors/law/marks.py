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
