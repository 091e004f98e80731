"""Cards and stacks of which neither shoe nor layout said a word: an act passes over the place that each had.

The draw and the placement of one card may be lost, or the draw of one card and the placement of the next. Then the rack
or the showdown has more cards of a hand than came to it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence

from msgspec import UNSET
from msgspec.structs import replace

from processors.core import cards
from processors.core.anomaly import Anomaly
from processors.core.conservation import in_doubt
from processors.core.devices.thresholds import MOST_SUPPOSED
from processors.core.folding.in_force import numbers_of
from processors.core.folding.unracked import shown_beyond
from processors.core.sights import BIT
from processors.core.state import Hand, Logged, Round, Table, said, spot_named
from processors.core.witnesses import Witness
from processors.games.blackjack.hands import is_doubled
from processors.games.blackjack.rules import BlackjackRules
from processors.games.whichever.inferring import due_before
from processors.law.rehear.hearing import Ear
from processors.law.rehear.lost_wagers import Supposed
from schemas import events as e
from schemas.rulesets.numbers import StackGameNumbers
from schemas.values import DEALER, UNKNOWN

Laid = e.CardPlaced | e.StackDelivered
_DEALT = {(e.CardDrawn, e.CardPlaced), (e.StackDispensed, e.StackDelivered)}
_BOTH_WORDS: tuple[tuple[Witness, str, str], ...] = (
    ("shoe", "drawn", "the shoe did not give it up"),
    ("placements", "placed", "the layout did not see it laid down"),
)


class ShownCards:
    """The cards that rack or showdown have of a round, where these are more than came to the hands."""

    __slots__ = ("_round", "_shown")

    def __init__(self, round_: Round) -> None:
        """Take the hands as they stand now."""
        self._round, self._shown = round_, shown_beyond(round_)
        if deals_stacks(round_):  # a stack in the rack whose cards nobody read may be any other
            self._shown = {name: cards for name, cards in self._shown.items() if UNKNOWN not in cards}

    def undrawn(self) -> int:
        """How many cards or stacks of the hands left the shoe without a word of it."""
        if deals_stacks(self._round):
            held = sum(bool(self._came(name)) or name in self._shown for name in self._round.hands)
            return held - len(self._round.told(e.StackDispensed))
        held = sum(len(self._shown.get(name, hand.sequences)) for name, hand in self._round.hands.items())
        return held - len(self._round.told(e.CardDrawn)) if self._shown else 0

    def _came(self, name: str) -> list[int]:
        """The places in a hand of cards or stacks that came to it before the rack or the showdown had it."""
        hand = self._round.hands[name]
        return [place for place, sequence in enumerate(hand.sequences) if not hand.is_shown_at(sequence)]

    def face(self, card: Laid, before: Sequence[Laid]) -> Laid | None:
        """The card with the face that is shown beyond the hand's others; None if no card is shown beyond `before`.

        A stack is shown where nothing else came to its position.
        """
        spot = _spot(card)
        shown, hand = self._shown.get(spot), self._round.hands.get(spot)
        if shown is None or hand is None:
            return None
        came = self._came(spot)
        if isinstance(card, e.StackDelivered):
            return None if came or any(_spot(one) == spot for one in before) else card
        put = [one.card for one in before if isinstance(one, e.CardPlaced) and one.hand == spot]
        lacking = len(shown) - len(came) - len(put)
        if lacking != 1 or len(hand.cards) != len(hand.sequences):
            return card if lacking > 0 else None
        known = [*(hand.cards[place] for place in came), *put]
        left = list((Counter(shown) - Counter(known)).elements())
        if len(left) != 1 or UNKNOWN in (*left, *known, *shown):
            return card
        [face] = left
        seen = [one.data.card for one in self._round.told(e.CardPlaced)]
        there = [one for entry in self._round.racked for one in entry.cards]
        if seen.count(face) >= there.count(face):
            return None  # the card was laid at another hand, as was seen
        return replace(card, card=face)


def passed_over(
    ear: Ear,
    log: Sequence[Logged],
    first: int,
    rules: BlackjackRules | None,
    shown: ShownCards | None = None,
) -> list[Supposed]:
    """The cards that lawful play has before an act of the log, and that the act passes over.

    A hand that was called dead lacks no card. Each card is taken to be laid before the next act is heard.
    `ear` has heard nothing of the round yet.
    `first` is the number of the round's first event.
    `shown` leaves only cards that rack or showdown have.
    """
    found: list[Supposed] = []
    laid: list[Laid] = []
    dead = {one.hand for one in said(log, e.HandVoided)}
    for place, one in enumerate(log):
        # The lammer of a double or split is laid before the card.
        while type(one.data) is not e.LammerPlaced and len(found) < MOST_SUPPOSED:
            card = _due(ear.table, one, rules)
            if card is not None and shown is not None:
                card = shown.face(card, laid)
            if card is None or _spot(card) in dead:
                break
            laid.append(card)
            what = "a card" if isinstance(card, e.CardPlaced) else "the stack"
            found.append(Supposed(_before_its_draw(log, place), card, f"{what} of {spot_named(_spot(card))}"))
            ear.hear(Logged(-len(found), "", card, one.time), first + place)
        ear.hear(one, first + place)
    return found


def deals_stacks(round_: Round) -> bool:
    """Whether the cards of a round came in stacks."""
    return bool(round_.seen & (BIT[e.StackDispensed] | BIT[e.StackDelivered]))


def _spot(card: Laid) -> str:
    return card.hand if isinstance(card, e.CardPlaced) else card.position


def _due(table: Table, act: Logged, rules: BlackjackRules | None) -> Laid | None:
    """The card or stack that an act passes over, its faces unknown."""
    spot = due_before(table, act.data, rules)
    if table.round is None or spot is None:
        return None
    numbers = numbers_of(table, StackGameNumbers) if rules is None else None
    if numbers is not None and deals_stacks(table.round):
        return e.StackDelivered(position=spot, cards=(UNKNOWN,) * numbers.cards_in_hand, face_up=False)
    hand = table.round.hands.get(spot)
    hole = spot == DEALER and hand is not None and len(hand.cards) == 1
    doubled = hand is not None and is_doubled(hand)
    face_up = rules is not None and not hole
    return e.CardPlaced(hand=spot, card=UNKNOWN, face_up=face_up, sideways=doubled or UNSET)


def _before_its_draw(log: Sequence[Logged], place: int) -> int:
    """The place before an act; of a card or stack laid, before it left the shoe."""
    return place - 1 if place and (type(log[place - 1].data), type(log[place].data)) in _DEALT else place


def lay(
    table: Table, round_: Round, heard: Mapping[str, Hand], supposed: Collection[int]
) -> tuple[Anomaly, ...]:
    """Lay the supposed cards of a hearing in its round, and tell of both words that each card lacks.

    `heard` holds the hands of the hearing.
    `supposed` are the events of the hearing at which the cards came.
    A card's event in the round is the event that shows the hand.
    """
    found: list[Anomaly] = []
    for name, full in heard.items():
        hand = round_.hands.get(name)
        at = (hand.revealed or hand.racked) if hand is not None else None
        if hand is None or at is None:
            continue
        for place, sequence in enumerate(full.sequences):
            if sequence not in supposed:
                continue
            card = UNKNOWN  # a face that the showdown has is counted
            if len(hand.cards) < len(full.cards):
                card = full.cards[place]
                hand.cards.insert(place, card)
            hand.sequences.insert(place, at)
            for _ in range(len(full.cards) if deals_stacks(round_) else 1):
                if table.round is round_ and not in_doubt(table):
                    found += cards.note_unseen(table, card, at)
                else:
                    table.shoe.doubtful += 1  # the shoe was counted, or its count is in doubt
            found += _lost_words(name, place, at, "stack" if deals_stacks(round_) else "card")
    return tuple(found)


def _lost_words(spot: str, place: int, shown_at: int, what: str) -> Iterator[Anomaly]:
    for device, act, how in _BOTH_WORDS:
        yield Anomaly(
            check="integrity.witness",
            message=f"{spot_named(spot).capitalize()} shows a {what} more than came to it, and {how}; "
            "by the order of play it was dealt.",
            sequences=(shown_at,),
            expected={act: f"a {what}"},
            observed={act: None},
            hand=spot,
            severity="info",
            discriminator=f"{device}:{spot}:{place}",
            lost_word=True,
            of=device,
        )
