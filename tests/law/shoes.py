"""Steps about cards outside a hand: shoes emptied, shuffled, loaded and reloaded, decks changed, odd single cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from hashlib import sha256

from schemas.values import RANKS, SUITS, UNKNOWN
from tests.law import blackjack, finishing, opening
from tests.law.felt import Felt
from tests.law.opening import DEALER_STAFF, FLOORPERSON, SECOND_DEALER
from tests.law.record import ScriptError
from tests.law.words import Words

_SHUFFLES_ITSELF = ("continuous", "self_shuffling")


def empty(felt: Felt, words: Words) -> None:
    """The rest of the shoe goes to the rack, laid open."""
    felt.event("shoe_emptied", cards=_rest_of_shoe(felt))


def _rest_of_shoe(felt: Felt) -> list[str]:
    """The cards that were not drawn, well mixed; as many are left out as were drawn unknown."""
    mixed = sorted(
        enumerate(_left(felt).elements()), key=lambda card: sha256(f"{felt.shoes}|{card}".encode()).digest()
    )
    return [card for _, card in mixed][: felt.loaded - len(felt.drawn)]


def _left(felt: Felt) -> Counter[str]:
    left = Counter({rank + suit: felt.config["decks"] for suit in SUITS for rank in RANKS})
    left.subtract(card for card in (*felt.drawn, *felt.out) if card != UNKNOWN)
    return +left


def shuffle(felt: Felt, words: Words) -> None:
    """One shuffle of the batch in use, or of the one named, into one stack."""
    opening.shuffle(felt, words.plain.pop(0) if words.plain else felt.batch)


def load(felt: Felt, words: Words) -> None:
    """Offered to SEAT, cut, cover card, into the shoe, burned; BATCH if it is another one."""
    opening.load(felt, words.cents(max(felt.players)), words.plain.pop(0) if words.plain else None)


def reshuffle(felt: Felt, words: Words) -> None:
    """Between rounds: the shoe emptied, shuffled, cut, loaded; batches change; a continuous shuffler is refilled."""
    if felt.stacks:
        opening.shuffle(felt, felt.batch)
        opening.load(felt, 1)
        return
    if felt.config["shuffler"] in _SHUFFLES_ITSELF:
        felt.event("shuffler_loaded", batch=felt.batch)
        opening.shuffle(felt, felt.batch)
        return
    empty(felt, Words(()))
    at_a_seat = felt.cover_at[0].isdigit()
    _next_shoe(felt, words.cents(int(felt.cover_at[0]) if at_a_seat else max(felt.players)))


def _next_shoe(felt: Felt, cutter: int) -> None:
    """The stack of the batch in use, or with a batch shuffler the other one in its place, back into the shoe."""
    if felt.config["shuffler"] != "batch":
        opening.shuffle(felt, felt.batch)
        opening.load(felt, cutter)
        return
    out, into = felt.batch, "B2" if felt.batch == "B1" else "B1"
    felt.event("cards_stacked", batch=out, cards=felt.batches[out])
    felt.event("shuffler_unloaded", batch=into)
    felt.event("cards_stacked", batch=into, cards=felt.batches[into])
    felt.event("shuffler_loaded", batch=out)
    felt.event("shuffle_started", batch=out, method="device")
    felt.event("shuffle_completed", batch=out, method="device")
    opening.load(felt, cutter, into)


def reload(felt: Felt, words: Words) -> None:
    """The shoe has run out in a round: the rack is shuffled, cut (by SEAT), loaded, one card burned."""
    felt.event("shoe_emptied", cards=_rest_of_shoe(felt))
    felt.out = felt.lying()
    cards = felt.batches[felt.batch] - len(felt.out)
    felt.event("stack_shuffled_from_rack", cards=cards)
    felt.event("shuffle_started", batch=felt.batch, method="manual")
    felt.event("shuffle_completed", batch=felt.batch, method="manual")
    felt.event("cards_stacked", batch=felt.batch, cards=cards)
    cutter = words.cents(max(felt.players))
    felt.event("cut_offered", seat=cutter)
    felt.event("cut_made", by=str(cutter), cards_on_top=max(10, cards // 3), stack=cards)
    felt.event("cover_card_inserted", cards_below=-(-cards // 3), stack=cards)
    felt.event("shoe_loaded", shoe=felt.shoes + 1, batch=felt.batch, cards=cards)
    felt.event("card_burned", card=UNKNOWN, reason="reload")


def idle(felt: Felt, words: Words) -> None:
    """An idle table, and SEAT arrives: spread, viewed, and as 5(g) has it back into the shoe."""
    seat = words.seat()
    felt.event("table_idle")
    empty(felt, Words(()))
    felt.event("cards_spread", batch=felt.batch, face_up=False, in_sequence=False)
    opening.arrive(felt, seat)
    felt.event("player_viewing_given", batch=felt.batch, seat=seat)
    if felt.config["shuffler"] == "batch" and not felt.down_under:
        _next_shoe(felt, seat)
        return
    if felt.down_under:
        felt.event("cards_inspected", batch=felt.batch, staff=DEALER_STAFF, defects=0)
        felt.event("inspection_verified", batch=felt.batch, staff=FLOORPERSON)
        felt.event("cards_spread", batch=felt.batch, face_up=True, in_sequence=True)
        felt.event("player_viewing_given", batch=felt.batch, seat=seat)
    felt.event("cards_washed", batch=felt.batch)
    felt.event("cards_stacked", batch=felt.batch, cards=felt.batches[felt.batch])
    _next_shoe(felt, seat)


def change_decks(felt: Felt, words: Words) -> None:
    """The decks leave the table and new ones go the whole way into the shoe."""
    empty(felt, Words(()))
    old, new = felt.batch, f"B{len(felt.batches) + 1}"
    felt.event("decks_removed", batch=old, cards=felt.batches[old])
    opening.receive(felt, new, words.one_of(("red", "blue", "green"), "red"))
    first = felt.players[0]
    felt.batch = new
    opening.open_batch(felt, new, first)
    opening.shuffle(felt, new)
    opening.load(felt, first)


def relieve(felt: Felt, words: Words) -> None:
    """Another dealer takes the table and burns a card."""
    felt.event("dealer_left", staff=DEALER_STAFF)
    felt.event("dealer_arrived", staff=SECOND_DEALER)
    felt.event("card_burned", card=UNKNOWN, reason="new_dealer")


def boxed(felt: Felt, words: Words) -> None:
    """A card lies face up in the shoe and goes to the rack."""
    for card in words.cards():
        felt.event("card_drawn", card=card, from_hand="shoe_side")
        felt.event("card_exposed", card=card, where="in_shoe")
        felt.event("cards_racked", hand="D", cards=[card], reason="boxed")


def misdrawn(felt: Felt, words: Words) -> None:
    """A card is drawn in error and seen; unseen if it is written `??`. `lay` gives it to a hand."""
    (card,) = words.cards()
    felt.event("card_drawn", card=card, from_hand="shoe_side")
    if card != UNKNOWN:
        felt.event("card_exposed", card=card, where="drawn_in_error")


def lay(felt: Felt, words: Words) -> None:
    """A card that was drawn before reaches a hand."""
    hand = words.hand()
    (card,) = words.cards()
    felt.event("card_placed", hand=hand, card=card, face_up=True, by_hand="other")


def rounds(felt: Felt, words: Words) -> None:
    """So many short lawful rounds of one player, to use a shoe up: four cards each, twelve rounds a deck."""
    for _ in range(words.cents(1)):
        left = _left(felt)
        blackjack.wager(felt, Words([str(felt.players[0])]))
        up, hole = _pick(left, "789"), _pick(left, "TJQK")
        own = _pick(left, "23456A789TJQK") + _pick(left, "23456A789TJQK")
        felt.ahead = ("finish",)
        blackjack.deal(felt, Words([f"{felt.players[0]}:{own}", f"D:{up}{hole}"]))
        blackjack.stand(felt, Words([str(felt.players[0])]))
        finishing.finish(felt, Words(()))


def _pick(left: Counter[str], ranks: str) -> str:
    for rank in ranks:
        for suit in SUITS:
            if left[rank + suit] > 0:
                left[rank + suit] -= 1
                return rank + suit
    raise ScriptError(f"the shoe holds no more of {ranks}")


VERBS: dict[str, Callable[[Felt, Words], None]] = {
    "empty": empty,
    "shuffle": shuffle,
    "load": load,
    "reshuffle": reshuffle,
    "reload": reload,
    "idle": idle,
    "change_decks": change_decks,
    "relieve": relieve,
    "boxed": boxed,
    "misdrawn": misdrawn,
    "lay": lay,
    "rounds": rounds,
}
