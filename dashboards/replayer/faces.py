"""Which cards lie open: a card is shown once it was laid or turned face up, and not before."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from msgspec.structs import replace

from dashboards.drawing.rack import RackRow
from dashboards.drawing.scene import FACE_DOWN, Card
from processors.core.state import Hand, RackEntry, Round, Table
from schemas import events as e
from schemas.rounds import RackResult
from schemas.values import DEALER, UNKNOWN

_CARD = re.compile(r"(\bCard )?\b([2-9TJQKA][cdhs]|Jo)\b")


@dataclass(slots=True)
class Faces:
    """How the cards of a round were laid, by the sequence of their laying; `cleared` viewers see hidden cards too.

    A hidden card is shown to a cleared viewer as far as the record names it, in a dashed frame.
    """

    cleared: bool = False
    down: set[int] = field(default_factory=set)
    across: set[int] = field(default_factory=set)
    burnt: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, round_: Round | None, cleared: bool = False) -> Faces:
        """How the cards of a round under way lie, or of no round."""
        faces = cls(cleared)
        for entry in round_.log if round_ is not None else ():
            faces.note(entry.sequence, entry.data)
        return faces

    def note(self, sequence: int, data: Any) -> None:
        """Take down how the cards of an event lie."""
        kind = type(data)
        if kind is e.RoundStarted:
            self.down.clear()
            self.across.clear()
        elif kind is e.CardPlaced:
            if not data.face_up:
                self.down.add(sequence)
            if data.sideways is True:
                self.across.add(sequence)
        elif kind is e.StackDelivered and not data.face_up:
            self.down.add(sequence)
        elif kind is e.CardBurned and data.card != UNKNOWN:
            self.burnt.add(data.card)

    def open_at(self, round_: Round, hand: Hand, index: int) -> bool:
        """Whether a card of a hand lies face up."""
        if hand.revealed is not None:
            return True
        if hand.name == DEALER and round_.hole_drawn is not None:
            if round_.hole_revealed is not None:
                return True
            if index == round_.hole_index:
                return False
        if len(hand.sequences) == len(hand.cards):
            at = hand.sequences[index]
            late = next((one.word for one in round_.inferred if one.drawn == at), 0)
            return (late or at) not in self.down
        return self.down.isdisjoint(hand.sequences)

    def view(self, round_: Round, hand: Hand) -> tuple[Card, ...]:
        """The hand's cards as this viewer may see them now."""
        views = []
        last = len(hand.cards) - 1
        paired = len(hand.sequences) == len(hand.cards)
        unseen = {one.drawn for one in round_.inferred if not one.seen}
        for index, name in enumerate(hand.cards):
            at = hand.sequences[index] if paired else 0
            across = index == last and at in self.across
            if self.open_at(round_, hand, index):
                view = Card(name, across=across)
            elif self.cleared and name != UNKNOWN:
                view = Card(name, across=across, inferred="face down", hidden=True)
            else:
                view = Card("", face_up=False, across=across)
            views.append(_inferred(view, at) if at in unseen else view)
        return tuple(views)

    def hidden(self, table: Table, round_: Round | None) -> Counter[str]:
        """The cards the record names and this viewer may not see now."""
        if self.cleared:
            return Counter()
        names = Counter(loose.card for loose in table.shoe.loose if not loose.exposed)
        names.update(self.burnt)
        names.update(self._in_hands(round_) if round_ is not None else ())
        names.pop(UNKNOWN, None)
        return names

    def _in_hands(self, round_: Round) -> Counter[str]:
        """The cards of all hands that lie face down."""
        return sum((self.hidden_of(round_, hand) for hand in round_.hands.values()), Counter[str]())

    def hidden_of(self, round_: Round, hand: Hand) -> Counter[str]:
        """The hand's cards that lie face down, by name as far as the record has it."""
        return Counter(name for index, name in enumerate(hand.cards) if not self.open_at(round_, hand, index))

    def loose(self, table: Table) -> tuple[Card, ...]:
        """Cards between the shoe and a hand: face down until they are laid or exposed."""
        return tuple(
            Card(one.card, inferred="" if one.exposed else "face down")
            if one.exposed or (self.cleared and one.card != UNKNOWN)
            else FACE_DOWN
            for one in table.shoe.loose
        )

    def racked(self, round_: Round) -> tuple[Card, ...]:
        """The round's cards in the discard rack, bottom first: what was never shown stays face down."""
        return tuple(card for entry in round_.racked for card in self._entry(round_, entry))

    def rack_rows(self, result: RackResult, round_: Round) -> tuple[RackRow, ...]:
        """The rack place by place, bottom first: by the log, and as the cards were read."""
        hands = [entry.spot for entry in round_.racked for _ in entry.cards]
        seen = self.racked(round_)
        if len(seen) != len(result.observed):
            seen = tuple(Card(name) for name in result.observed)
        hidden = Counter[str]() if self.cleared else self._in_hands(round_)
        expected = tuple(_veiled_card(name, hidden) for name in result.expected or ())
        first = result.divergence.index if result.divergence is not None else None
        return tuple(
            RackRow(
                place=place,
                expected=expected[place] if place < len(expected) else None,
                observed=seen[place] if place < len(seen) else None,
                hand=hands[place] if place < len(hands) else None,
                first=place == first,
                compared=result.expected is not None,
            )
            for place in range(max(len(expected), len(seen)))
        )

    def _entry(self, round_: Round, entry: RackEntry) -> list[Card]:
        hand = round_.hands.get(entry.spot)
        unshown = entry.reason in ("stub", "unwagered")
        hidden = self.hidden_of(round_, hand) if hand is not None and not unshown else Counter()
        views = []
        for name in entry.cards:
            if name == UNKNOWN:
                views.append(FACE_DOWN if unshown or hidden[UNKNOWN] else Card(UNKNOWN))
            elif unshown and not self.cleared:
                views.append(FACE_DOWN)
            else:
                views.append(Card(name) if self.cleared else _veiled_card(name, hidden))
        return views


def _inferred(card: Card, drawn: int) -> Card:
    """The card, marked as one that no device saw laid where it lies."""
    why = f"drawn at event {drawn}, not reported laid down; by the order of play it lies here"
    said = ", ".join(word for word in (card.inferred, "place inferred") if word)
    return replace(card, inferred=said, why=why)


def _veiled_card(name: str, hidden: Counter[str]) -> Card:
    """The card, or a face-down one for each of this name that is `hidden`."""
    if hidden[name] <= 0:
        return Card(name)
    hidden[name] -= 1
    return FACE_DOWN


def veiled(text: str, hidden: Counter[str]) -> str:
    """The text without the names of cards that are still hidden."""

    def name(found: re.Match[str]) -> str:
        if not hidden[found[2]]:
            return found[0]
        return "A hidden card" if found[1] else "a hidden card"

    return _CARD.sub(name, text)
