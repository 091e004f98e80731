"""The order in which cards left a shoe, by all who saw them."""

from __future__ import annotations

from collections.abc import Sequence

from processors.core.state import Round
from schemas import events as e
from schemas.values import UNKNOWN


def as_seen(round_: Round, said: Sequence[str]) -> list[str]:
    """The cards that left the shoe up to the end of a round, where the shoe missed words or faces.

    said: the cards by the shoe's own word, those burnt before the round first. A face that it did not read is the
    layout's; a card of which it said nothing comes where the layout reports it.
    """
    events = [one for one in round_.log if type(one.data) in (e.CardDrawn, e.CardBurned, e.CardPlaced)]
    own = sum(type(one.data) is not e.CardPlaced for one in events)
    if own > len(said):
        return list(said)  # the shoe was loaded anew within the round
    drawn_of = {drew: laid for laid, drew in round_.draws.items()}
    faces = {one.sequence: one.data.card for one in events if type(one.data) is e.CardPlaced}
    place = len(said) - own
    seen = list(said[:place])
    for one in events:
        if type(one.data) is e.CardPlaced:
            if one.sequence not in round_.draws and one.data.card != UNKNOWN:
                seen.append(one.data.card)
            continue
        card = said[place]
        seen.append(faces.get(drawn_of.get(one.sequence, 0), UNKNOWN) if card == UNKNOWN else card)
        place += 1
    return seen
