"""Stack games up to the last card: bets, wagers of progressive systems, the deal (670a.10(a)-(c), 657a.8(b)-(d))."""

from __future__ import annotations

from typing import Literal

from producers.simulator.floor.decks.deck import fresh_cards
from producers.simulator.floor.patrons import SIDE_STAKES
from producers.simulator.stacks.deviations import StackDeviation
from producers.simulator.stacks.table import StackTable
from schemas import events
from schemas.values import BONUS, DEALER, UNKNOWN, WagerKind

ENVY_CENTS = 500  # a qualifying Fortune Bonus wager (A48)
SYSTEMS: tuple[Literal["progressive", "five_card_hand"], ...] = ("progressive", "five_card_hand")


def take_wagers(table: StackTable, number: int) -> None:
    """Open betting in round `number`; a deviation finds every side wager that it may need."""
    table.say(events.RoundStarted(round=number))
    rng, setup, patrons = table.rng, table.setup, table.life.patrons
    playing = [p for p in patrons if rng.random() >= setup.habits.sits_out] or patrons[:1]
    for patron in playing:
        for seat in patron.seats:
            table.players[seat] = patron.name
            _stake(table, seat, "main", patron.main_stake(rng, setup))
            for kind, cents in patron.side_stakes(rng, setup):
                qualifies = kind == "fortune_bonus" and events.LammerPlaced in table.differs.unseen
                _stake(table, seat, kind, SIDE_STAKES[kind][-1] if qualifies else cents)
    if table.differs != StackDeviation():
        for kind in setup.side_wagers:
            if not table.staked(kind):
                _stake(table, next(iter(table.wagers)), kind, SIDE_STAKES[kind][-1])


def _stake(table: StackTable, seat: int, kind: WagerKind, cents: int) -> None:
    table.wagers.setdefault(seat, {})[kind] = cents
    table.say(events.WagerPlaced(seat=seat, kind=kind, cents=cents, player=table.players[seat]))


def close_betting(table: StackTable) -> None:
    """Announce, lay Envy lammers, lock and count the systems' wagers (670a.10(a)(2), 657a.8(b))."""
    table.say(events.BettingClosed(announced=True))
    for seat in table.staked("fortune_bonus"):
        if table.wagers[seat]["fortune_bonus"] >= ENVY_CENTS:
            table.envied.append(seat)
            table.say(events.LammerPlaced(hand=f"{seat}.1", kind="envy"))
    for system in SYSTEMS:
        if system in table.setup.side_wagers:
            table.say(events.SystemWagersLocked(system=system))
    if table.differs.late_wager:
        seat, cents = table.rng.choice(sorted(table.wagers)), table.setup.min_cents
        table.wagers[seat]["main"] += cents
        table.say(events.WagerPlaced(seat=seat, kind="main", cents=cents, player=table.players[seat]))
    seats = table.staked("progressive")
    if seats:
        cents = sum(table.wagers[seat]["progressive"] for seat in seats)
        table.say(events.SystemWagersCounted(system="progressive", accepted=len(seats), chips=len(seats)))
        table.say(events.ChipsToInventory(system="progressive", chips=len(seats), cents=cents))


def change_deck(table: StackTable) -> None:
    """A card is lost, or a foreign one got in, since the deck was shuffled."""
    order = table.shoe.order
    if table.differs.deck < 0:
        del order[table.rng.randrange(len(order))]
    elif table.differs.deck > 0:
        order.insert(table.rng.randrange(len(order)), table.rng.choice(fresh_cards(1)))


def _sizes(table: StackTable, spots: list[str]) -> dict[str, int]:
    """Cards each spot gets, with this round's misdeals at random spots."""
    sizes = dict.fromkeys(spots, table.rules.hand)
    changes = table.differs.hands
    for spot, change in zip(table.rng.sample(spots, len(changes)), changes, strict=True):
        sizes[spot] += change
    if table.differs.skips_position:
        sizes[table.rng.choice([spot for spot in spots if spot != DEALER])] = 0
    return sizes


def deal_stacks(table: StackTable) -> None:
    """A stack to every position and the dealer, clockwise from the start (670a.10(b)-(c))."""
    seats = [str(seat) for seat in range(1, table.setup.seats + 1)]
    on_circuit = table.setup.dealer_stop == "circuit"
    circuit = [*seats, DEALER] if on_circuit else seats
    start = table.rng.randrange(len(circuit))
    method = table.rng.choice(("rng", "rng", "dice"))
    table.say(events.StartingPositionSet(position=circuit[start], method=method))
    start += table.differs.wrong_start
    spots = circuit[start:] + circuit[:start]
    spots = spots if on_circuit else [*spots, DEALER]
    for spot, size in _sizes(table, spots).items():
        if not size:
            continue
        table.hands[spot] = [table.shoe.draw() for _ in range(size)]
        shown = table.differs.face_up and spot == spots[0]
        cards = tuple(table.hands[spot]) if shown else (UNKNOWN,) * size
        table.say(events.StackDispensed(cards=cards))
        table.say(events.StackDelivered(position=spot, cards=cards, face_up=shown))


def deal_cards(table: StackTable) -> None:
    """A bonus card if wagered on, then passes over wagered seats and dealer (657a.8(c)-(d))."""
    spots = [*(table.spot(seat) for seat in sorted(table.wagers)), DEALER]
    if table.staked("six_card_bonus") and not table.differs.bonus_missing:
        _deal_card(table, BONUS)
    sizes = _sizes(table, spots)
    for nth in range(1, max(sizes.values()) + 1):
        for spot in spots:
            if sizes[spot] >= nth:
                _deal_card(table, spot)


def _deal_card(table: StackTable, spot: str) -> None:
    card = table.shoe.draw()
    face_up = table.differs.face_up and not table.hands
    table.hands.setdefault(spot, []).append(card)
    shown = card if face_up else UNKNOWN
    table.say(events.CardDrawn(card=shown, from_hand="other" if table.differs.wrong_hand else "shoe_side"))
    table.say(events.CardPlaced(hand=spot, card=shown, face_up=face_up, by_hand="other"))
