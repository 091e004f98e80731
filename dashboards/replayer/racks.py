"""The round's cards in the discard rack place by place: by the log, and as they were read."""

from __future__ import annotations

from collections import Counter

from dashboards.drawing.rack import RackRow
from dashboards.drawing.scene import FACE_DOWN, Card
from dashboards.replayer.faces import Faces
from processors.core.state import Round
from schemas.rounds import RackResult


def rack_rows(result: RackResult, round_: Round, faces: Faces) -> tuple[RackRow, ...]:
    """A row for each place, bottom first; cards that were never shown stay face down to those not cleared."""
    hands = [entry.spot for entry in round_.racked for _ in entry.cards]
    seen = faces.racked(round_)
    observed = seen if len(seen) == len(result.observed) else tuple(Card(name) for name in result.observed)
    hidden: Counter[str] = Counter()
    for hand in round_.hands.values():
        hidden.update(faces.hidden_of(round_, hand) if not faces.cleared else {})
    expected = tuple(_view(name, hidden) for name in result.expected or ())
    first = result.divergence.index if result.divergence is not None else None
    length = max(len(expected), len(observed))
    if result.expected is None:
        length = len(observed)
    return tuple(
        RackRow(
            place=place,
            expected=expected[place] if place < len(expected) else None,
            observed=observed[place] if place < len(observed) else None,
            hand=hands[place] if place < len(hands) else None,
            first=place == first,
            compared=result.expected is not None,
        )
        for place in range(length)
    )


def _view(name: str, hidden: Counter[str]) -> Card:
    if hidden[name] > 0:
        hidden[name] -= 1
        return FACE_DOWN
    return Card(name)
