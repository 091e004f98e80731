"""The chip tray, the drop box and the players' chips, kept from the money events of the table itself."""

from __future__ import annotations

from collections import defaultdict
from typing import Literal

from msgspec import UNSET

from producers.simulator.floor.setup import TableSetup
from producers.simulator.floor.writer import TableWriter
from schemas import events

Moment = Literal["opening", "closing", "shift"]
Tender = Literal["cash", "counter_check", "voucher"]
TENDERS: tuple[Tender, ...] = ("cash", "counter_check", "voucher")
LOW_TRAY = 0.4  # of the opening inventory: below, a fill comes
HIGH_TRAY = 1.8  # above, a credit goes
CHIP_CENTS = (500_000, 100_000, 50_000, 10_000, 2_500, 500, 100, 50, 25, 1)


class TableAccount:
    """Running value of the tray and the drop box, right after every event of the table.

    A tip goes to the tip box and equal exchanges change nothing. Chips that are returned are first those that still lie
    of the stake, then the tray's: so a collection may be reversed, and more returned than was staked. Chips of system
    wagers enter the tray before they are decided; counting them at their settlement gives the same tray at the end of
    the round.
    """

    def __init__(self, writer: TableWriter, setup: TableSetup) -> None:
        self._writer, self._setup = writer, setup
        self._slips = 1000 * setup.number
        self.tray_cents = setup.opening_cents
        self.box_cents: dict[Tender, int] = dict.fromkeys(TENDERS, 0)
        self.chips_of: defaultdict[str, int] = defaultdict(int)
        self._owner: dict[int, str] = {}
        self._lies: dict[tuple[object, ...], int] = {}  # of each stake of the round, where it was put down
        writer.watch(events.PlayerArrived, self._sat_down)
        writer.watch(events.RoundStarted, self._round_started)
        writer.watch(events.WagerPlaced, self._staked)
        writer.watch(events.WagerAltered, self._altered)
        writer.watch(events.WagerSettled, self._settled)
        writer.watch(events.ChipsBought, self._bought)
        writer.watch(events.CashConverted, self._converted)
        writer.watch(events.FillReceived, lambda fill: self._fill(fill.cents))
        writer.watch(events.CreditSent, lambda credit: self._fill(-credit.cents))

    def chip_counts(self) -> dict[str, int]:
        """The tray by denomination in cents, fewest chips first."""
        counts, rest = {}, self.tray_cents
        for value in CHIP_CENTS:
            number, rest = divmod(rest, value)
            if number:
                counts[str(value)] = number
        return counts

    def count(self, moment: Moment, staff: tuple[str, ...]) -> None:
        """Count the table inventory."""
        chips = self.chip_counts() if self._setup.counts_chips else UNSET
        slip = self._slip("TI")
        self._writer.emit(
            events.InventoryCounted(moment=moment, slip=slip, staff=staff, cents=self.tray_cents, chips=chips)
        )

    def level(self, tray_cents: int) -> None:
        """Fill a tray that is low, credit one that is high, and now and then either without need."""
        opening, rng = self._setup.opening_cents, self._writer.rng
        extra = rng.random() < self._setup.habits.fills_for_nothing
        if tray_cents < opening * LOW_TRAY or (extra and rng.random() < 0.5):
            self._writer.emit(events.FillReceived(slip=self._slip("FL"), cents=opening // 2))
        elif tray_cents > opening * HIGH_TRAY or extra:
            self._writer.emit(events.CreditSent(slip=self._slip("CR"), cents=opening // 4))

    def drop(self) -> None:
        """The drop box is exchanged and counted half an hour later."""
        box = self._slip(f"X-{self._setup.subject}")
        self._writer.emit(events.DropBoxRemoved(box=box))
        amounts, self.box_cents = self.box_cents, dict.fromkeys(TENDERS, 0)
        count = events.DropCounted(
            box=box,
            currency_cents=amounts["cash"],
            counter_check_cents=amounts["counter_check"],
            voucher_cents=amounts["voucher"],
        )
        self._writer.emit(count, after=1800.0)

    def _slip(self, kind: str) -> str:
        self._slips += 1
        return f"{kind}-{self._slips}"

    def _sat_down(self, event: events.PlayerArrived) -> None:
        self._owner[event.seat] = event.player

    def _round_started(self, _event: events.RoundStarted) -> None:
        self._lies.clear()

    def _staked(self, event: events.WagerPlaced) -> None:
        if isinstance(event.player, str):
            self._owner[event.seat] = event.player
        stake = _stake(event)
        self._lies[stake] = self._lies.get(stake, 0) + event.cents

    def _altered(self, event: events.WagerAltered) -> None:
        self._lies[_stake(event)] = event.to_cents

    def _settled(self, event: events.WagerSettled) -> None:
        won = -event.cents
        if event.outcome != "pay":
            stake = _stake(event)
            lies = self._lies.get(stake, event.cents)  # unseen, it is as large as its first movement
            of_the_stake = min(lies, event.cents)
            self._lies[stake] = lies - of_the_stake
            won = event.cents if event.outcome == "collect" else of_the_stake - event.cents
        self.tray_cents += won
        self.chips_of[self._owner.get(event.seat, "")] -= won

    def _bought(self, event: events.ChipsBought) -> None:
        self.box_cents[event.tender] += event.cents
        self._fill(-event.cents)
        self.chips_of[event.player if isinstance(event.player, str) else ""] += event.cents

    def _converted(self, event: events.CashConverted) -> None:
        self.box_cents["cash"] += event.cents
        self._fill(-event.cents)
        self.chips_of[self._owner.get(event.seat, "")] += event.cents

    def _fill(self, cents: int) -> None:
        self.tray_cents += cents


def _stake(event: events.WagerPlaced | events.WagerAltered | events.WagerSettled) -> tuple[object, ...]:
    return event.seat, event.kind, event.hand or f"{event.seat}.1"
