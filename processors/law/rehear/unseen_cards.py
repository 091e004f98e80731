"""Cards of which neither shoe nor layout said a word: lawful play has a place for each, and an act passes it over.

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
from processors.core.folding.unracked import shown_beyond
from processors.core.state import Hand, Logged, Round, Table, spot_named
from processors.core.witnesses import Witness
from processors.games.blackjack.hands import is_doubled
from processors.games.blackjack.rules import BlackjackRules
from processors.games.whichever.inferring import due_before
from processors.law.rehear.hearing import Ear
from processors.law.rehear.lost_wagers import Supposed
from schemas import events as e
from schemas.values import DEALER, UNKNOWN

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

    def undrawn(self) -> int:
        """How many cards of the hands the shoe gave up without a word: a card whose draw was told is not among them."""
        held = sum(len(self._shown.get(name, hand.sequences)) for name, hand in self._round.hands.items())
        return held - len(self._round.told(e.CardDrawn)) if self._shown else 0

    def face(self, card: e.CardPlaced, before: Sequence[e.CardPlaced]) -> e.CardPlaced | None:
        """The card with the face that is shown beyond the hand's others; None if no card is shown beyond `before`."""
        shown, hand = self._shown.get(card.hand), self._round.hands.get(card.hand)
        if shown is None or hand is None:
            return None
        put = [one.card for one in before if one.hand == card.hand]
        came = [place for place, sequence in enumerate(hand.sequences) if not hand.is_shown_at(sequence)]
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
    laid: list[e.CardPlaced] = []
    dead = {one.data.hand for one in log if type(one.data) is e.HandVoided}
    for place, one in enumerate(log):
        # The lammer of a double or split is laid before the card.
        while type(one.data) is not e.LammerPlaced and len(found) < MOST_SUPPOSED:
            card = _due(ear.table, one, rules)
            if card is not None and shown is not None:
                card = shown.face(card, laid)
            if card is None or card.hand in dead:
                break
            laid.append(card)
            found.append(Supposed(_before_its_draw(log, place), card, f"a card of {spot_named(card.hand)}"))
            ear.hear(Logged(-len(found), "", card, one.time), first + place)
        ear.hear(one, first + place)
    return found


def _due(table: Table, act: Logged, rules: BlackjackRules | None) -> e.CardPlaced | None:
    """The card that an act passes over, its face unknown."""
    spot = due_before(table, act.data, rules)
    if table.round is None or spot is None:
        return None
    hand = table.round.hands.get(spot)
    hole = spot == DEALER and hand is not None and len(hand.cards) == 1
    doubled = hand is not None and is_doubled(hand)
    face_up = rules is not None and not hole
    return e.CardPlaced(hand=spot, card=UNKNOWN, face_up=face_up, sideways=doubled or UNSET)


def _before_its_draw(log: Sequence[Logged], place: int) -> int:
    """The place before an act; of a card laid, before the card left the shoe."""
    drawn = place and type(log[place].data) is e.CardPlaced and type(log[place - 1].data) is e.CardDrawn
    return place - 1 if drawn else place


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
            if table.round is round_ and not in_doubt(table):
                found += cards.note_unseen(table, card, at)
            else:
                table.shoe.doubtful += 1  # the shoe was counted, or its count is in doubt
            found += _lost_words(name, place, at)
    return tuple(found)


def _lost_words(spot: str, place: int, shown_at: int) -> Iterator[Anomaly]:
    for device, act, how in _BOTH_WORDS:
        yield Anomaly(
            check="integrity.witness",
            cites="integrity.witness",
            message=f"{spot_named(spot).capitalize()} shows a card more than came to it, and {how}; "
            "by the order of play it was dealt.",
            sequences=(shown_at,),
            expected={act: "a card"},
            observed={act: None},
            hand=spot,
            severity="info",
            discriminator=f"{device}:{spot}:{place}",
            lost_word=True,
            of=device,
        )
