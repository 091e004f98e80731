"""Steps of the stack games: systems, stacks or hands, the stub, the showdown, a void round."""

from __future__ import annotations

from collections.abc import Callable

from schemas.values import RANKS, SUITS
from tests.law.felt import Felt
from tests.law.opening import FLOORPERSON
from tests.law.words import Words

FORTUNE = "fortune_670a10"
UNKNOWN = "??"
_DECK = [rank + suit for suit in SUITS for rank in RANKS]


def spot_of(felt: Felt, seat: int) -> str:
    """A seat's cards: the bare position under 670a.10, its first hand under 657a.8."""
    return str(seat) if felt.ruleset == FORTUNE else f"{seat}.1"


def wagered(felt: Felt) -> list[int]:
    """Seats with a main wager, ascending."""
    return sorted(seat for seat, kind, _ in felt.round.stakes if kind == "main")


def deal(felt: Felt, words: Words) -> None:
    """From "no more bets" to the last card, all face down; `short=5` or `long=5` misdeals one place."""
    if not felt.round.closed:
        close_betting(felt)
    if felt.ruleset == FORTUNE:
        _stacks(felt, words)
    else:
        _one_by_one(felt, words)


def close_betting(felt: Felt) -> None:
    """Betting closed, Envy lammers laid, systems locked, their chips counted and taken to the inventory."""
    felt.event("betting_closed", announced=True)
    for seat, kind, _ in sorted(felt.round.stakes):
        if kind == "fortune_bonus" and felt.round.stakes[seat, kind, ""] >= 500:
            felt.event("lammer_placed", hand=f"{seat}.1", kind="envy")
    systems = [name for name in ("progressive", "five_card_hand") if name in felt.config["side_wagers"]]
    for system in systems:
        felt.event("system_wagers_locked", system=system)
    stakes = [cents for (_, kind, _), cents in felt.round.stakes.items() if kind == "progressive"]
    if stakes:
        felt.event("system_wagers_counted", system="progressive", accepted=len(stakes), chips=len(stakes))
        felt.event("chips_to_inventory", system="progressive", chips=len(stakes), cents=sum(stakes))


def _size(spot: str, usual: int, words: Words) -> int:
    name = spot.removesuffix(".1")
    return usual - (words.named.get("short") == name) + (words.named.get("long") == name)


def _stacks(felt: Felt, words: Words) -> None:
    start = str(wagered(felt)[0])
    felt.event("starting_position_set", position=start, method="rng")
    circuit = [*map(str, range(1, felt.config["seats"] + 1)), "D"]
    at = circuit.index(start)
    for spot in [*circuit[at:], *circuit[:at]]:
        stack = [UNKNOWN] * _size(spot, 6, words)
        felt.event("stack_dispensed", cards=stack)
        felt.event("stack_delivered", position=spot, cards=stack, face_up=False)


def _one_by_one(felt: Felt, words: Words) -> None:
    spots = [*(spot_of(felt, seat) for seat in wagered(felt)), "D"]
    if any(kind == "six_card_bonus" for _, kind, _ in felt.round.stakes):
        _card(felt, "bonus")
    for place in range(6):
        for spot in spots:
            if place < _size(spot, 5, words):
                _card(felt, spot)


def _card(felt: Felt, spot: str) -> None:
    felt.event("card_drawn", card=UNKNOWN, from_hand="shoe_side")
    felt.event("card_placed", hand=spot, card=UNKNOWN, face_up=False, by_hand="other")


def dealt(felt: Felt) -> int:
    """Cards on the layout."""
    return sum(map(len, felt.round.hands.values()))


def stub(felt: Felt, words: Words) -> None:
    """The stub leaves the shoe; counted (always under 670a.10, else when a count is named) and, if right, racked."""
    left = felt.batches[felt.batch] - dealt(felt)
    counting = bool(words.plain) or felt.ruleset == FORTUNE
    count = words.cents(left)
    felt.event("stub_removed")
    if counting:
        felt.event("stub_counted", cards=count, face_down=True)
    usual = 11 if felt.ruleset == FORTUNE else left
    if count == usual:
        rack_stub(felt)


def rack_stub(felt: Felt) -> None:
    """The stub goes to the rack unseen, and after it the stacks of empty seats."""
    felt.event(
        "cards_racked", hand="D", cards=[UNKNOWN] * (felt.batches[felt.batch] - dealt(felt)), reason="stub"
    )
    if felt.ruleset == FORTUNE and not felt.round.void:
        for seat in range(1, felt.config["seats"] + 1):
            cards = felt.round.hands.get(str(seat))
            if seat not in wagered(felt) and cards:
                felt.event("cards_racked", hand=str(seat), cards=cards, reason="unwagered")


def show(felt: Felt, words: Words) -> None:
    """The hands are turned up, from the dealer's right; cards of one deck, in order."""
    spots = [spot_of(felt, seat) for seat in reversed(wagered(felt))]
    bonus = ["bonus"] if "bonus" in felt.round.hands else []
    at = 0
    for spot in [*spots, *bonus, "D"]:
        size = len(felt.round.hands.get(spot, []))
        felt.event("hand_revealed", position=spot, cards=_DECK[at : at + size])
        at += size


def void(felt: Felt, words: Words) -> None:
    """The floor is called and the round is void: `void` a misdeal, `void deck` for a deck that is not whole."""
    misdealt = words.one_of(("misdeal", "deck"), "misdeal") == "misdeal"
    felt.event("floorperson_notified", matter="stub count", staff=FLOORPERSON)
    felt.event("misdeal_determined", misdealt=misdealt)
    felt.event("round_voided", reason="misdeal" if misdealt else "deck")


VERBS: dict[str, Callable[[Felt, Words], None]] = {"stub": stub, "show": show, "void": void}
