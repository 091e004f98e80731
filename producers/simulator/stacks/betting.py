"""Betting on stack games, and the wagers of progressive systems (670a.10(a), 657a.8(b))."""

from __future__ import annotations

from typing import Literal

from producers.simulator.floor.patrons import SIDE_STAKES
from producers.simulator.stacks.deviations import Deviation
from producers.simulator.stacks.table import StackTable
from schemas import events
from schemas.values import WagerKind

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
    if table.differs != Deviation():
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
