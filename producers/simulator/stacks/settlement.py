"""The end of a round of a stack game: settled and racked, or void (670a.10(e), 657a.8(h))."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from producers.simulator.stacks.table import Outcome, StackTable
from schemas.events import FloorpersonNotified, HandRevealed, MisdealDetermined, RoundVoided
from schemas.values import BONUS, DEALER, JOKER, RANKS, SideWager, WagerKind

SIDES: tuple[SideWager, ...] = ("progressive", "fortune_bonus", "five_card_hand", "six_card_bonus")
# Who wins and what a side wager pays: the sections simulated here do not govern it, so any plausible rule will do.
HIGH = len(RANKS) - 1  # an ace; the joker plays as one
PAYS: dict[SideWager, dict[str, int]] = {
    "fortune_bonus": {"straight": 2, "flush": 4, "full house": 6, "four": 40, "three": 3},
    "progressive": {"flush": 10, "full house": 50, "four": 300},
    "five_card_hand": {"straight": 10, "flush": 12, "full house": 20, "four": 100, "three": 4},
    "six_card_bonus": {"straight": 8, "flush": 12, "full house": 15, "four": 75, "three": 5},
}

Result = tuple[int, WagerKind, Outcome, int, int]  # seat, kind, outcome, cents, odds to one


def void(table: StackTable) -> None:
    """A wrong count or a misdeal: hands void, all wagers back (670a.10(e), 657a.8(h), A30-A31)."""
    misdealt = table.differs.misdeals
    cards = len(table.stub) + sum(len(hand) for hand in table.hands.values())
    table.say(FloorpersonNotified("misdeal" if misdealt else "stub count", table.life.floorperson))
    table.say(MisdealDetermined(misdealt=misdealt))
    table.say(RoundVoided(reason="misdeal" if misdealt else "incorrect deck"))
    kept = table.differs.keeps_wager
    for seat in sorted(table.wagers, reverse=True):
        for kind, cents in table.wagers[seat].items():
            table.settle(seat, kind, "collect" if kept else "return", cents)
            kept = False
    table.collect_lammers()
    table.rack(DEALER, table.stub, "stub", hidden=True)
    for spot in _pickup(table, set()):
        table.rack(spot, table.hands[spot], "void", hidden=True)
    table.life.condemned = cards != table.setup.batch_cards and not table.differs.keeps_deck


def complete(table: StackTable) -> None:
    """Reveal the wagered hands, settle every wager, and rack all cards."""
    wagered = {table.spot(seat): seat for seat in sorted(table.wagers, reverse=True)}
    for spot in sorted(table.hands.keys() - wagered.keys() - {DEALER, BONUS}):
        table.rack(spot, table.hands.pop(spot), "unwagered", hidden=True)
    for spot, seat in wagered.items():
        if spot not in table.hands:
            for kind, cents in table.wagers[seat].items():
                table.settle(seat, kind, "return", cents)
    for spot in [*wagered, BONUS, DEALER]:
        if spot in table.hands:
            table.say(HandRevealed(position=spot, cards=tuple(table.hands[spot])))
    lost = _settle_all(table, [seat for spot, seat in wagered.items() if spot in table.hands])
    for spot in _pickup(table, lost):
        table.rack(spot, table.hands[spot], "settled")
    table.collect_lammers()


def _settle_all(table: StackTable, played: list[int]) -> set[str]:
    """Settle from the dealer's right, in the table's order; return the spots whose main wager lost."""
    results = [result for seat in played for result in _results(table, seat)]
    if table.setup.settle_order == "collect_then_pay":
        results.sort(key=_is_paid)
    for result in results:
        table.settle(*result)
    return {table.spot(seat) for seat, kind, how, *_ in results if (kind, how) == ("main", "collect")}


def _is_paid(result: Result) -> bool:
    return result[2] != "collect"


def _results(table: StackTable, seat: int) -> list[Result]:
    """The result of each stake at a seat, losses first."""
    cards, wagers = table.hands[table.spot(seat)], table.wagers[seat]
    mine, dealers = strength(cards), strength(table.hands[DEALER])
    main: Outcome = "pay" if mine > dealers else "return" if mine == dealers else "collect"
    results: list[Result] = [(seat, "main", main, wagers["main"], int(main == "pay"))]
    for kind in SIDES:
        if kind in wagers:
            held = [*cards, *table.hands.get(BONUS, [])] if kind == "six_card_bonus" else cards
            odds = side_odds(kind, held)
            results.append((seat, kind, "pay" if odds else "collect", wagers[kind] * max(odds, 1), odds))
    return sorted(results, key=_is_paid)


def _pickup(table: StackTable, lost: set[str]) -> list[str]:
    """The order in which cards go to the rack, as configured; the bonus card beside the dealer's."""
    seats = sorted((spot for spot in table.hands if spot not in (DEALER, BONUS)), reverse=True)
    if table.setup.pickup_order == "seats_ascending":
        seats.reverse()
    elif table.setup.pickup_order == "losers_first":
        seats.sort(key=lambda spot: spot not in lost)
    dealers = [spot for spot in (BONUS, DEALER) if spot in table.hands]
    return [*dealers[::-1], *seats] if table.setup.dealer_cards == "first" else [*seats, *dealers]


def pattern(cards: Iterable[str]) -> str:
    """The best of four, full house, flush, straight, three, two pair, pair and high card in any cards."""
    ranks = Counter(_rank(card) for card in cards)
    suits = Counter(card[1] for card in cards if card != JOKER)
    groups = sorted(ranks.values(), reverse=True)
    if groups[0] >= 4:
        return "four"
    if groups[0] == 3 and groups[1:2] >= [2]:
        return "full house"
    if max(suits.values()) >= 5:
        return "flush"
    if any(all(low + step in ranks for step in range(5)) for low in range(HIGH - 3)):
        return "straight"
    if groups[0] == 3:
        return "three"
    return "two pair" if groups[:2] == [2, 2] else "pair" if groups[0] == 2 else "high card"


_ORDER = ("high card", "pair", "two pair", "three", "straight", "flush", "full house", "four")


def strength(cards: Iterable[str]) -> tuple[int, list[tuple[int, int]]]:
    """Something that compares: pattern first, then groups of ranks by size and height."""
    held = list(cards)
    ranks = Counter(_rank(card) for card in held)
    return _ORDER.index(pattern(held)), sorted(((n, rank) for rank, n in ranks.items()), reverse=True)


def side_odds(kind: SideWager, cards: Iterable[str]) -> int:
    """Odds to one that a side wager pays on these cards; 0 when it loses."""
    return PAYS[kind].get(pattern(list(cards)), 0)


def _rank(card: str) -> int:
    return HIGH if card == JOKER else RANKS.index(card[0])
