"""Steps that bring a round to its lawful end."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from schemas.values import UNKNOWN
from tests.law import blackjack, rules, stack_games
from tests.law.felt import Felt, Key
from tests.law.words import Words

Due = tuple[Key, str, int]


def settle_all(felt: Felt, words: Words) -> None:
    """Every stake that has not moved is settled as due, and lammers paid and taken, in the table's order."""
    seats = sorted({seat for seat, _, _ in felt.round.stakes}, reverse=True)
    if felt.config["settle_order"] == "seat_by_seat" or felt.round.void:
        for seat in seats:
            _settle_seats(felt, [seat])
    else:
        _settle_seats(felt, seats)
    for hand, kind in list(felt.round.lammers):
        if kind == "envy" and felt.round.void:
            felt.event("lammer_collected", hand=hand, kind=kind)


def _settle_seats(felt: Felt, seats: list[int]) -> None:
    moves = [move for seat in seats for move in _open_of(felt, seat)]
    for wanted in (True, False):
        for key, outcome, cents in moves:
            if (outcome == "collect") == wanted:
                _move(felt, key, outcome, cents)
        for seat in seats:
            for hand, kind in _lammers_of(felt, seat):
                _settle_lammer(felt, seat, hand, kind, losing=wanted)


def _open_of(felt: Felt, seat: int) -> Iterator[Due]:
    """What is due for the stakes of a seat that have not moved, side wagers first, hands from the highest down."""
    keys = [key for key in felt.round.stakes if key[0] == seat and key not in felt.round.moves]
    for key in sorted(keys, key=lambda key: (key[2] != "", key[2]), reverse=False):
        moves = [("return", felt.round.stakes[key])] if felt.round.void else rules.due(felt, key)
        for outcome, cents in moves:
            yield key, outcome, cents


def _move(felt: Felt, key: Key, outcome: str, cents: int) -> None:
    seat, kind, hand = key
    extra = {"hand": hand} if hand and not felt.stacks else {}
    stake = felt.round.stakes[key]
    if outcome == "pay" and stake and not felt.stacks:
        extra["odds"] = "3:2" if cents == stake * 3 // 2 != stake else f"{cents // stake}:1"
    felt.event("wager_settled", seat=seat, kind=kind, outcome=outcome, cents=cents, **extra)


def _lammers_of(felt: Felt, seat: int) -> list[tuple[str, str]]:
    return [(hand, kind) for hand, kind in felt.round.lammers if int(hand[0]) == seat and kind != "envy"]


def _settle_lammer(felt: Felt, seat: int, hand: str, kind: str, *, losing: bool) -> None:
    wins = not felt.round.void and rules.lammer_wins(felt, hand)
    if wins == losing:
        return
    if wins:
        unit = felt.round.stakes[seat, "main", f"{seat}.1"]
        felt.event(
            "wager_settled", seat=seat, kind="lammer", hand=hand, outcome="pay", cents=unit, odds="1:1"
        )
    felt.event("lammer_collected", hand=hand, kind=kind)


def rack_all(felt: Felt, words: Words) -> None:
    """All cards that still lie on the layout are picked up in the table's order."""
    if felt.round.stub_out and not felt.round.stub_racked:
        stack_games.rack_stub(felt)
    for spot in rules.pickup(felt):
        cards = felt.round.hands[spot]
        if cards:
            felt.event("cards_racked", hand=spot, cards=cards, reason=_reason(felt, spot, cards))


def _reason(felt: Felt, spot: str, cards: list[str]) -> str:
    if felt.round.void or spot in felt.round.dead:
        return "void"
    if felt.stacks or spot == "D" or UNKNOWN in cards:
        return "settled"
    if spot in felt.round.surrendered and not rules.natural(rules.dealer_cards(felt)):
        return "surrender"
    return "bust" if rules.total(cards)[0] > 21 else "settled"


def end(felt: Felt, words: Words) -> None:
    """The round is over."""
    felt.event("round_ended")


def finish(felt: Felt, words: Words) -> None:
    """All that is lawfully left of the round: hole card or showdown, settlement, pickup, the end."""
    if felt.stacks and not felt.round.void:
        if not felt.round.stub_out:
            stack_games.stub(felt, Words(()))
        stack_games.show(felt, Words(()))
    elif felt.round.hole:
        blackjack.reveal(felt, Words(()))
    settle_all(felt, words)
    rack_all(felt, words)
    for hand, kind in list(felt.round.lammers):
        felt.event("lammer_collected", hand=hand, kind=kind)
    end(felt, words)


VERBS: dict[str, Callable[[Felt, Words], None]] = {
    "settle_all": settle_all,
    "rack_all": rack_all,
    "end": end,
    "finish": finish,
}
