"""Rounds dealt from an automated shoe (670a.10) and from a manual dealing shoe (657a.8)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

from msgspec import UNSET

from producers.simulator.floor.deck import PhysicalShoe, fresh_cards
from producers.simulator.floor.life import TableLife
from producers.simulator.floor.patrons import SIDE_STAKES
from producers.simulator.floor.setup import TableSetup
from producers.simulator.floor.writer import TableWriter
from producers.simulator.stacks.deviations import Deviation, deviation
from producers.simulator.stacks.poker import side_odds, strength
from schemas.events import (
    BettingClosed,
    CardDrawn,
    CardExposed,
    CardPlaced,
    CardsRacked,
    ChipsToInventory,
    HandRevealed,
    LammerCollected,
    LammerPlaced,
    MisdealDetermined,
    RoundEnded,
    RoundStarted,
    RoundVoided,
    ShuffleCompleted,
    StackDelivered,
    StackDispensed,
    StartingPositionSet,
    StubCounted,
    StubRemoved,
    SystemWagersCounted,
    SystemWagersLocked,
    WagerPlaced,
    WagerSettled,
)
from schemas.payload import Payload
from schemas.values import BONUS, DEALER, UNKNOWN, SideWager, WagerKind

ENVY_CENTS = 500  # a qualifying Fortune Bonus wager (A48)
STUB_OF_STACKS = 11  # 670a.10(d)
COUNT_WITHIN = 5  # rounds, 657a.8(f)
COUNTS_ANYWAY = 0.1  # chance of a stub count that is not due
SIDES: tuple[SideWager, ...] = ("progressive", "fortune_bonus", "five_card_hand", "six_card_bonus")

Reason = Literal["settled", "void", "stub", "unwagered"]
Outcome = Literal["pay", "collect", "return"]


class StackEngine:
    """Deals rounds of either game; side wagers, counts and void rounds by the text."""

    def __init__(self, writer: TableWriter, setup: TableSetup, shoe: PhysicalShoe, life: TableLife) -> None:
        self.writer, self.setup, self.shoe, self.life = writer, setup, shoe, life
        self.rng = writer.rng
        self.stacks = setup.ruleset == "fortune_670a10"
        self.uncounted = 0  # rounds since the stub was last counted
        self.counted_by_device = False
        writer.watch(ShuffleCompleted, self._shuffled)
        self.differs = Deviation()
        self.wagers: dict[int, dict[WagerKind, int]] = {}
        self.players: dict[int, str] = {}
        self.hands: dict[str, list[str]] = {}
        self.stub: list[str] = []
        self.envied: list[int] = []

    def play_round(self, number: int, *, irregularity: str | None = None) -> None:
        """Deal round `number`; `irregularity` names one of `stack_deviations`.

        Raises:
            KeyError: the game has no irregularity of that name.
        """
        self.differs = deviation(self.setup.ruleset, irregularity) if irregularity else Deviation()
        self.wagers, self.players, self.hands, self.envied = {}, {}, {}, []
        self._change_deck()
        self._take_wagers(number)
        self._close_betting()
        if self.stacks:
            self._deal_stacks()
        else:
            self._deal_cards()
        if self._remove_stub():
            self._complete()
        else:
            self._void()
        self.say(RoundEnded())

    def say(self, payload: Payload) -> None:
        """Write one event, unless the round's deviation leaves it out."""
        if not isinstance(payload, self.differs.unseen):
            self.writer.emit(payload)

    def spot(self, seat: int) -> str:
        """How the game names a seat's cards: a bare position, or the seat's first hand."""
        return str(seat) if self.stacks else f"{seat}.1"

    # Betting

    def _take_wagers(self, number: int) -> None:
        self.say(RoundStarted(round=number))
        patrons = self.life.patrons
        playing = [p for p in patrons if self.rng.random() >= self.setup.habits.sits_out] or patrons[:1]
        for patron in playing:
            for seat in patron.seats:
                self.players[seat] = patron.name
                self._stake(seat, "main", patron.main_stake(self.rng, self.setup))
                for kind, cents in patron.side_stakes(self.rng, self.setup):
                    qualifies = kind == "fortune_bonus" and LammerPlaced in self.differs.unseen
                    self._stake(seat, kind, SIDE_STAKES[kind][-1] if qualifies else cents)
        if self.differs != Deviation():  # so that what is to go wrong has its occasion
            for kind in self.setup.side_wagers:
                if not self._staked(kind):
                    self._stake(next(iter(self.wagers)), kind, SIDE_STAKES[kind][-1])

    def _stake(self, seat: int, kind: WagerKind, cents: int) -> None:
        self.wagers.setdefault(seat, {})[kind] = cents
        self.say(WagerPlaced(seat=seat, kind=kind, cents=cents, player=self.players[seat]))

    def _staked(self, kind: WagerKind) -> list[int]:
        return [seat for seat in sorted(self.wagers) if kind in self.wagers[seat]]

    def _close_betting(self) -> None:
        """Announce, lay Envy lammers, lock and count the systems' wagers (670a.10(a)(2), 657a.8(b))."""
        self.say(BettingClosed(announced=True))
        for seat in self._staked("fortune_bonus"):
            if self.wagers[seat]["fortune_bonus"] >= ENVY_CENTS:
                self.envied.append(seat)
                self.say(LammerPlaced(hand=f"{seat}.1", kind="envy"))
        systems: tuple[Literal["progressive", "five_card_hand"], ...] = ("progressive", "five_card_hand")
        for system in systems:
            if system in self.setup.side_wagers:
                self.say(SystemWagersLocked(system=system))
        if self.differs.late_wager:
            seat = self.rng.choice(sorted(self.wagers))
            self.wagers[seat]["main"] += self.setup.min_cents
            player, cents = self.players[seat], self.setup.min_cents
            self.say(WagerPlaced(seat=seat, kind="main", cents=cents, player=player))
        chips = len(self._staked("progressive"))
        if chips:
            cents = sum(self.wagers[seat]["progressive"] for seat in self._staked("progressive"))
            self.say(SystemWagersCounted(system="progressive", accepted=chips, chips=chips))
            self.say(ChipsToInventory(system="progressive", chips=chips, cents=cents))

    # Deal

    def _change_deck(self) -> None:
        """A card is lost, or a foreign one got in, since the deck was shuffled."""
        order = self.shoe.order
        if self.differs.deck < 0:
            del order[self.rng.randrange(len(order))]
        elif self.differs.deck > 0:
            order.insert(self.rng.randrange(len(order)), self.rng.choice(fresh_cards(1)))

    def _sizes(self, spots: list[str], usual: int) -> dict[str, int]:
        """Cards each spot gets, with this round's misdeals at random spots."""
        sizes = dict.fromkeys(spots, usual)
        for spot, change in zip(
            self.rng.sample(spots, len(self.differs.hands)), self.differs.hands, strict=True
        ):
            sizes[spot] += change
        if self.differs.skips_position:
            sizes[self.rng.choice([spot for spot in spots if spot != DEALER])] = 0
        return sizes

    def _deal_stacks(self) -> None:
        """Six cards to every position and the dealer, clockwise from the start (670a.10(b)-(c))."""
        seats = [str(seat) for seat in range(1, self.setup.seats + 1)]
        on_circuit = self.setup.dealer_stop == "circuit"
        circuit = [*seats, DEALER] if on_circuit else seats
        start = self.rng.randrange(len(circuit))
        self.say(StartingPositionSet(position=circuit[start], method=self.rng.choice(("rng", "rng", "dice"))))
        start += self.differs.wrong_start
        spots = circuit[start:] + circuit[:start]
        spots = spots if on_circuit else [*spots, DEALER]
        for spot, size in self._sizes(spots, 6).items():
            if not size:
                continue
            self.hands[spot] = [self.shoe.draw() for _ in range(size)]
            shown = self.differs.face_up and spot == spots[0]
            cards = tuple(self.hands[spot]) if shown else (UNKNOWN,) * size
            self.say(StackDispensed(cards=cards))
            self.say(StackDelivered(position=spot, cards=cards, face_up=shown))

    def _deal_cards(self) -> None:
        """A bonus card if wagered on, then five passes over wagered seats and dealer (657a.8(c)-(d))."""
        spots = [*(self.spot(seat) for seat in sorted(self.wagers)), DEALER]
        if self._staked("six_card_bonus") and not self.differs.bonus_missing:
            self._deal_card(BONUS)
        sizes = self._sizes(spots, 5)
        for nth in range(1, max(sizes.values()) + 1):
            for spot in spots:
                if sizes[spot] >= nth:
                    self._deal_card(spot)

    def _deal_card(self, spot: str) -> None:
        card = self.shoe.draw()
        first = not self.hands
        self.hands.setdefault(spot, []).append(card)
        shown = card if self.differs.face_up and first else UNKNOWN
        self.say(CardDrawn(card=shown, from_hand="other" if self.differs.wrong_hand else "shoe_side"))
        face_up = shown != UNKNOWN
        self.say(CardPlaced(hand=spot, card=shown, face_up=face_up, by_hand="other"))

    def _remove_stub(self) -> bool:
        """Take the stub out, count it where due, rack a good one; return whether the round goes on."""
        self.stub = [self.shoe.draw() for _ in range(self.shoe.remaining)]
        self.say(StubRemoved())
        if self.differs.exposes_stub:
            self.say(CardExposed(card=self.stub[0], where="stub"))
        expected = STUB_OF_STACKS if self.stacks else self.setup.batch_cards - self._cards_due()
        self.uncounted += 1
        counts = self._count_due() or self.differs != Deviation()
        if counts:
            self.uncounted = 0
            self.say(StubCounted(cards=len(self.stub), face_down=True))
        wrong = self.differs.misdeals or (counts and len(self.stub) != expected)
        if wrong and not self.differs.plays_on:
            return False
        self._rack(DEALER, self.stub, "stub", hidden=True)
        return True

    def _cards_due(self) -> int:
        """Cards that a proper deal of 657a.8 puts on the layout."""
        return 5 * (len(self.wagers) + 1) + bool(self._staked("six_card_bonus"))

    def _count_due(self) -> bool:
        if self.stacks or self.rng.random() < COUNTS_ANYWAY:
            return True
        if self.setup.shuffler_counts:  # a shuffle by hand in between has no count of its own
            return not self.counted_by_device
        return self.uncounted >= COUNT_WITHIN

    def _shuffled(self, event: ShuffleCompleted) -> None:
        self.counted_by_device = event.counted is not UNSET

    # Void rounds

    def _void(self) -> None:
        """A wrong count or a misdeal: hands void, all wagers back (670a.10(e), 657a.8(h), A30-A31)."""
        misdealt = self.differs.misdeals
        cards = len(self.stub) + sum(len(hand) for hand in self.hands.values())
        self.life.notify("misdeal" if misdealt else "stub count")
        self.say(MisdealDetermined(misdealt=misdealt))
        self.say(RoundVoided(reason="misdeal" if misdealt else "incorrect deck"))
        kept = self.differs.keeps_wager
        for seat in sorted(self.wagers, reverse=True):
            for kind, cents in self.wagers[seat].items():
                self._settle(seat, kind, "collect" if kept else "return", cents)
                kept = False
        self._collect_lammers()
        self._rack(DEALER, self.stub, "stub", hidden=True)
        for spot in self._pickup(self.hands):
            self._rack(spot, self.hands[spot], "void", hidden=True)
        self.life.condemned = cards != self.setup.batch_cards and not self.differs.keeps_deck

    # Completion

    def _complete(self) -> None:
        for spot in self._unwagered():
            self._rack(spot, self.hands.pop(spot), "unwagered", hidden=True)
        for seat in sorted(self.wagers, reverse=True):
            if self.spot(seat) not in self.hands:
                for kind, cents in self.wagers[seat].items():
                    self._settle(seat, kind, "return", cents)
        played = [seat for seat in sorted(self.wagers, reverse=True) if self.spot(seat) in self.hands]
        for spot in [*(self.spot(seat) for seat in played), BONUS, DEALER]:
            if spot in self.hands:
                self.say(HandRevealed(position=spot, cards=tuple(self.hands[spot])))
        lost = self._settle_all(played)
        for spot in self._pickup(self.hands, lost):
            self._rack(spot, self.hands[spot], "settled")
        self._collect_lammers()

    def _unwagered(self) -> list[str]:
        wagered = {self.spot(seat) for seat in self.wagers} | {DEALER, BONUS}
        return sorted(spot for spot in self.hands if spot not in wagered)

    def _settle_all(self, played: list[int]) -> set[str]:
        """Settle from the dealer's right, in the table's order; return the spots whose main wager lost."""
        results = [result for seat in played for result in self._results(seat)]
        if self.setup.settle_order == "collect_then_pay":
            results.sort(key=lambda result: result[2] != "collect")
        for seat, kind, outcome, cents, odds in results:
            self._settle(seat, kind, outcome, cents, odds)
        return {
            self.spot(seat) for seat, kind, outcome, *_ in results if (kind, outcome) == ("main", "collect")
        }

    def _results(self, seat: int) -> list[tuple[int, WagerKind, Outcome, int, int]]:
        """Seat, kind, outcome, cents and odds of each stake, losses first."""
        cards, wagers = self.hands[self.spot(seat)], self.wagers[seat]
        mine, dealers = strength(cards), strength(self.hands[DEALER])
        stake = wagers["main"]
        results: list[tuple[int, WagerKind, Outcome, int, int]] = []
        if mine > dealers:
            results.append((seat, "main", "pay", stake, 1))
        else:
            results.append((seat, "main", "return" if mine == dealers else "collect", stake, 0))
        for kind in SIDES:
            if kind not in wagers:
                continue
            held = [*cards, *self.hands.get(BONUS, [])] if kind == "six_card_bonus" else cards
            odds = side_odds(kind, held)
            outcome: Outcome = "pay" if odds else "collect"
            results.append((seat, kind, outcome, wagers[kind] * max(odds, 1), odds))
        return sorted(results, key=lambda result: result[2] != "collect")

    def _settle(self, seat: int, kind: WagerKind, outcome: Outcome, cents: int, odds: int = 0) -> None:
        told = f"{odds}:1" if outcome == "pay" else UNSET
        self.say(WagerSettled(seat=seat, kind=kind, outcome=outcome, cents=cents, odds=told))

    def _collect_lammers(self) -> None:
        for seat in self.envied:
            self.say(LammerCollected(hand=f"{seat}.1", kind="envy"))

    def _pickup(self, spots: Iterable[str], lost: set[str] | None = None) -> Iterator[str]:
        """The order in which cards go to the rack, as configured; the bonus card beside the dealer's."""
        seats = sorted((spot for spot in spots if spot not in (DEALER, BONUS)), reverse=True)
        if self.setup.pickup_order == "seats_ascending":
            seats.reverse()
        elif self.setup.pickup_order == "losers_first":
            seats.sort(key=lambda spot: spot not in (lost or ()))
        dealers = [spot for spot in (BONUS, DEALER) if spot in self.hands]
        yield from [*dealers[::-1], *seats] if self.setup.dealer_cards == "first" else [*seats, *dealers]

    def _rack(self, spot: str, cards: list[str], reason: Reason, *, hidden: bool = False) -> None:
        shown = (UNKNOWN,) * len(cards) if hidden else tuple(cards)
        self.shoe.to_rack(cards)
        self.say(CardsRacked(hand=spot, cards=shown, reason=reason))
