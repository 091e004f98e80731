"""The cards of a round with the devices that vouch for each, as one viewer may see them."""

from __future__ import annotations

from msgspec import Struct

from dashboards.drawing.scene import Card
from dashboards.replayer.faces import Faces
from processors.core.state import Round
from processors.games.witnessed import Vouched, vouched
from schemas.values import DEALER


class WitnessedCard(Struct, frozen=True):
    """One card of a hand, and the events at which shoe, layout and rack saw it."""

    hand: str
    card: Card
    by: Vouched


def witnessed(round_: Round, faces: Faces) -> tuple[WitnessedCard, ...]:
    """All cards that lay on the table, seats ascending, the dealer's last, each hand's in deal order."""
    hands = sorted(round_.hands.values(), key=lambda hand: (hand.name == DEALER, hand.name))
    return tuple(
        WitnessedCard(hand.name, card, by)
        for hand in hands
        for card, by in zip(faces.view(round_, hand), vouched(round_, hand), strict=True)
    )
