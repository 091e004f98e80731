"""The chip tray, the drop box and the players' chips, kept from the money events of the table itself."""

from __future__ import annotations

from collections import defaultdict
from typing import Literal

from producers.simulator.writer import TableWriter
from schemas.events import (
    CashConverted,
    ChipsBought,
    CreditSent,
    FillReceived,
    PlayerArrived,
    PlayerDecision,
    RoundStarted,
    WagerPlaced,
    WagerSettled,
)

CHIP_CENTS = (500_000, 100_000, 50_000, 10_000, 2_500, 500, 100, 50, 25, 1)


class TableAccount:
    """Running value of the tray and the drop box, right after every event of the table.

    A tip goes to the tip box and equal exchanges change nothing. Chips of system wagers enter the tray before
    they are decided; counting them at their settlement gives the same tray at the end of the round.
    """

    def __init__(self, writer: TableWriter, opening_cents: int) -> None:
        self.tray_cents = opening_cents
        self.box_cents: dict[Literal["cash", "counter_check", "voucher"], int] = {}
        self.chips_of: defaultdict[str, int] = defaultdict(int)
        self._owner: dict[int, str] = {}
        self._collected: defaultdict[tuple[object, ...], int] = defaultdict(int)
        self._surrendered: set[str] = set()
        self.empty_box()
        writer.watchers |= {
            PlayerArrived: self._sat_down,
            RoundStarted: self._round_started,
            WagerPlaced: self._staked,
            PlayerDecision: self._decided,
            WagerSettled: self._settled,
            ChipsBought: self._bought,
            CashConverted: self._converted,
            FillReceived: self._filled,
            CreditSent: self._credited,
        }

    def empty_box(self) -> None:
        """Put an empty drop box under the table."""
        self.box_cents = {"cash": 0, "counter_check": 0, "voucher": 0}

    def chip_counts(self) -> dict[str, int]:
        """The tray by denomination in cents, fewest chips first."""
        counts, rest = {}, self.tray_cents
        for value in CHIP_CENTS:
            number, rest = divmod(rest, value)
            if number:
                counts[str(value)] = number
        return counts

    def _sat_down(self, event: PlayerArrived) -> None:
        self._owner[event.seat] = event.player

    def _round_started(self, _event: RoundStarted) -> None:
        self._collected.clear()
        self._surrendered.clear()

    def _staked(self, event: WagerPlaced) -> None:
        if isinstance(event.player, str):
            self._owner[event.seat] = event.player

    def _decided(self, event: PlayerDecision) -> None:
        if event.kind == "surrender":
            self._surrendered.add(event.hand)

    def _settled(self, event: WagerSettled) -> None:
        stake = (event.seat, event.kind, event.hand)
        if event.outcome == "collect":
            won = event.cents
            self._collected[stake] += won
        elif event.outcome == "pay":
            won = -event.cents
        elif event.hand in self._surrendered:
            return
        else:  # given back after it was taken: the collection is reversed
            won = -min(event.cents, self._collected[stake])
            self._collected[stake] += won
        self.tray_cents += won
        self.chips_of[self._owner.get(event.seat, "")] -= won

    def _bought(self, event: ChipsBought) -> None:
        self.tray_cents -= event.cents
        self.box_cents[event.tender] += event.cents
        self.chips_of[event.player if isinstance(event.player, str) else ""] += event.cents

    def _converted(self, event: CashConverted) -> None:
        self.tray_cents -= event.cents
        self.box_cents["cash"] += event.cents
        self.chips_of[self._owner.get(event.seat, "")] += event.cents

    def _filled(self, event: FillReceived) -> None:
        self.tray_cents += event.cents

    def _credited(self, event: CreditSent) -> None:
        self.tray_cents -= event.cents
