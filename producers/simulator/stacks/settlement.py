"""The end of a round of a stack game: settled and racked, or void (670a.10(e), 657a.8(h))."""

from producers.simulator.stacks.poker import side_odds, strength
from producers.simulator.stacks.table import Outcome, StackTable
from schemas.events import FloorpersonNotified, HandRevealed, MisdealDetermined, RoundVoided
from schemas.values import BONUS, DEALER, SideWager, WagerKind

SIDES: tuple[SideWager, ...] = ("progressive", "fortune_bonus", "five_card_hand", "six_card_bonus")

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
