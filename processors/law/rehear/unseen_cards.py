"""Cards of which neither shoe nor layout said a word: lawful play has a place for them, and play passes it over.

Both words of one act may be lost, or the draw of one card and the placement of the next. The rack, or the showdown,
then has more cards of a hand than were seen to come to it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence

from msgspec import UNSET
from msgspec.structs import replace

from processors.core.anomaly import Anomaly
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

_LAYS = (e.CardPlaced, e.StackDelivered)
_LEAVES = (e.CardDrawn, e.StackDispensed)


def passed_over(
    ear: Ear,
    log: Sequence[Logged],
    first: int,
    rules: BlackjackRules | None,
    shown_in: Round | None = None,
) -> list[Supposed]:
    """The cards that were due before an act of the log which passes them over; none of a hand that was called dead.

    Each is taken to be laid by what comes after it. `ear` has heard nothing of the round yet, whose first event has the
    number `first`. Only those that rack or showdown have in the round `shown_in`, if given.
    """
    found: list[Supposed] = []
    dead = {one.data.hand for one in log if type(one.data) is e.HandVoided}
    for place, one in enumerate(log):
        # The lammer of a double or split is laid before the card.
        while type(one.data) is not e.LammerPlaced and len(found) < MOST_SUPPOSED:
            round_, spot = ear.table.round, due_before(ear.table, one.data, rules)
            if round_ is None or spot is None or spot in dead:
                break
            before = _before_its_draw(log, place)
            hand = round_.hands.get(spot)
            data = _card(spot, hand, hidden=rules is None)
            due: Supposed | None = Supposed(before, data, f"a card of {spot_named(spot)}")
            if shown_in is not None and due is not None:
                due = as_shown(due, shown_in, found)
            if due is None:
                break
            found.append(due)
            ear.hear(Logged(-len(found), "", due.data, one.time), first + place)
        ear.hear(one, first + place)
    return found


def _card(spot: str, hand: Hand | None, *, hidden: bool) -> e.CardPlaced:
    hole = spot == DEALER and hand is not None and len(hand.cards) == 1
    doubled = hand is not None and is_doubled(hand)
    return e.CardPlaced(hand=spot, card=UNKNOWN, face_up=not (hidden or hole), sideways=doubled or UNSET)


def _before_its_draw(log: Sequence[Logged], place: int) -> int:
    """The place before an act; of a card laid, before it left the shoe."""
    drawn = place and type(log[place].data) in _LAYS and type(log[place - 1].data) in _LEAVES
    return place - 1 if drawn else place


def as_shown(word: Supposed, round_: Round, before: Sequence[Supposed]) -> Supposed | None:
    """The word of a card that rack or showdown have beyond those told and `before`, with its face if known."""
    spot = _spot(word)
    cards, hand = shown_beyond(round_).get(spot), round_.hands.get(spot)
    put = [one.data for one in before if _spot(one) == spot]
    if cards is None or hand is None:
        return None
    lacking = len(cards) - len(hand.sequences) - len(put)
    if lacking != 1 or len(hand.cards) != len(hand.sequences):
        return word if lacking > 0 else None
    known = [*hand.cards, *(data.card for data in put if type(data) is e.CardPlaced)]
    left = list((Counter(cards) - Counter(known)).elements())
    card = left[0] if len(left) == 1 and UNKNOWN not in (*known, *cards) else UNKNOWN
    seen = [one.data.card for one in round_.told(e.CardPlaced)]
    there = [one for entry in round_.racked for one in entry.cards]
    if card != UNKNOWN and seen.count(card) >= there.count(card):
        return None  # it was laid at another hand, as was seen
    return word._replace(data=replace(word.data, card=card))


def _spot(word: Supposed) -> str:
    return str(getattr(word.data, "hand", "") or getattr(word.data, "position", ""))


def lay(
    table: Table, round_: Round, heard: Mapping[str, Hand], supposed: Collection[int]
) -> tuple[Anomaly, ...]:
    """Lay the cards of a hearing in the round which nobody saw come, and tell of both words that were lost.

    `heard` are its hands, `supposed` the events in it by which the cards came. Whoever showed a card vouches for it.
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
            if len(hand.cards) < len(full.cards):
                hand.cards.insert(place, full.cards[place])
            hand.sequences.insert(place, at)
            table.shoe.doubtful += 1
            found += _lost_words(name, at)
    return tuple(found)


def _lost_words(spot: str, shown_at: int) -> Iterator[Anomaly]:
    lost: dict[Witness, str] = {
        "shoe": "the shoe did not give it up",
        "placements": "the layout did not see it laid down",
    }
    for device, how in lost.items():
        yield Anomaly(
            check="integrity.witness",
            cites="integrity.witness",
            message=f"{spot_named(spot).capitalize()} shows a card more than came to it, and {how}; "
            "by the order of play it was dealt.",
            sequences=(shown_at,),
            expected={"drawn" if device == "shoe" else "placed": "a card"},
            observed={"drawn" if device == "shoe" else "placed": None},
            hand=spot,
            severity="info",
            discriminator=f"{device}:{spot}:{shown_at}",
            lost_word=True,
            of=device,
        )
