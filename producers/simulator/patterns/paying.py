"""Dealers who pay, collect or return otherwise than is due, alone or for one player."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Literal

from msgspec import UNSET
from msgspec.structs import replace

from producers.simulator.blackjack.hands import BettingBox, SimulatedHand
from producers.simulator.blackjack.rules import total
from producers.simulator.blackjack.settlement import results_of
from producers.simulator.patterns.playing import Pattern, PatternPlay, Planned, Stated
from schemas.events import WagerSettled
from schemas.payload import Payload

Way = Literal["patrons", "house", "both"]
WRONG = 500  # cents too many, or too few
RIVERS = (7, 18, 42, 54, 71)  # hands overpaid or uncollected by one dealer, shift by shift
SHIFT_ROUNDS = 430  # of a table of two patrons in six hours, at the least


class Mispays(Planned):
    """Main wagers are mispaid: winners get $5 more or less, losers keep their stakes.

    `due` says of which settlements; `way` for whom: "both" pays winners less and leaves losers their stakes.
    """

    def __init__(self, way: Way, due: Callable[[WagerSettled], bool], wrong: int = WRONG) -> None:
        self.way, self.due, self.wrong = way, due, wrong

    def edit(self, payload: Payload, /) -> Sequence[Payload]:
        """The settlement as it is made."""
        if not isinstance(payload, WagerSettled) or payload.kind != "main" or payload.outcome == "return":
            return (payload,)
        losing = payload.outcome == "collect"
        if (losing and (self.way == "house" or self._surrendered(payload))) or not self.due(payload):
            return (payload,)
        if losing:
            self.play.offend(payload.cents)
            return (replace(payload, outcome="return"),)
        sign = 1 if self.way == "patrons" else -1
        self.play.offend(self.wrong)
        return (replace(payload, cents=payload.cents + sign * self.wrong),)

    def _surrendered(self, payload: WagerSettled) -> bool:
        return self.table.hand_named(payload.hand).state == "surrendered"


class Pushes(Planned):
    """Main wagers that are due back are collected, or paid at 1 to 1 (`outcome`)."""

    def __init__(self, outcome: Literal["collect", "pay"], due: Callable[[], bool]) -> None:
        self.outcome, self.due = outcome, due

    def edit(self, payload: Payload, /) -> Sequence[Payload]:
        """The settlement as it is made."""
        if not isinstance(payload, WagerSettled) or payload.kind != "main" or payload.outcome != "return":
            return (payload,)
        if not self.due():
            return (payload,)
        self.play.offend(payload.cents)
        odds = "1:1" if self.outcome == "pay" else UNSET
        return (replace(payload, outcome=self.outcome, odds=odds),)


def _pushes(outcome: Literal["collect", "pay"]) -> Callable[[PatternPlay], None]:
    """The one dealer of a table collects, or pays, the stakes of a share `size` of the hands that pushed."""

    def begin(play: PatternPlay) -> None:
        play.name_table()
        play.session.life.staff.dealers = 1
        play.install(Pushes(outcome, lambda: play.rng.random() < play.size))

    return begin


def _one_dealer(way: Way) -> Callable[[PatternPlay], None]:
    """A dealer mispays a share `size` of the main wagers that are not returned."""

    def begin(play: PatternPlay) -> None:
        name = play.name_dealer()
        play.install(Mispays(way, lambda _: play.dealer == name and play.rng.random() < play.size))

    return begin


def everybody(play: PatternPlay) -> None:
    """All dealers mispay now and then, each way."""
    play.install(Mispays("both", lambda _: play.rng.random() < play.size))


def _one_error(play: PatternPlay) -> None:
    """A single hand is overpaid by a large sum."""
    play.install(Mispays("patrons", lambda _: play.session.number == 150 and not play.offences, 50_000))


def _high_blackjacks(play: PatternPlay) -> None:
    """A dealer adds $25 to Blackjacks of $125 or more."""
    name = play.name_dealer()

    def due(event: WagerSettled) -> bool:
        paid = event.outcome == "pay" and event.odds == "3:2" and event.cents >= 18_750
        return paid and play.dealer == name and play.rng.random() < play.size

    play.install(Mispays("patrons", due, 2_500))


def _rivers(play: PatternPlay) -> None:
    """One dealer deals whole shifts, with 7, 18, 42, 54 and 71 hands overpaid or uncollected."""
    play.name_dealer()
    days: dict[object, set[int]] = {}
    begun: dict[object, int] = {}

    def due(_: WagerSettled) -> bool:
        session = play.session
        day = session.day
        if day not in days:
            begun[day] = session.number
            hands = RIVERS[len(days)] if len(days) < len(RIVERS) else 0
            days[day] = set(play.rng.sample(range(1, SHIFT_ROUNDS), hands))
        place = session.number - begun[day]
        if place in days[day]:
            days[day].discard(place)
            return True
        return False

    play.session.life.staff.dealers = 1
    play.install(Mispays("patrons", due))


def _partner(play: PatternPlay) -> None:
    """A dealer overpays one player, or leaves his lost stakes, in a share `size` of his hands."""
    name = play.name_dealer()

    def due(event: WagerSettled) -> bool:
        patron = next(box.patron.name for box in play.table.boxes if box.seat == event.seat)
        play.about.setdefault("player", patron)
        his = patron == play.about["player"]
        return his and play.dealer == name and play.rng.random() < play.size

    play.install(Mispays("patrons", due))


def _generous(play: PatternPlay) -> None:
    """A dealer overpays everybody alike: carelessness or kindness, but no partner."""
    name = play.name_dealer()
    play.install(Mispays("patrons", lambda _: play.dealer == name and play.rng.random() < play.size))


class Exchanges(Planned):
    """The last cards of a player's two boxes change places before they are settled, where that wins more."""

    def settle_order(self, boxes: list[BettingBox], /) -> list[BettingBox]:
        """Exchange, then settle as usual."""
        play = self.play
        if play.dealer == play.about["dealer"] and play.rng.random() < play.size:
            self._exchange(boxes)
        return boxes

    def _exchange(self, boxes: list[BettingBox]) -> None:
        for one, other in combinations(boxes, 2):
            first, second = one.first, other.first
            name = self.play.about.get("player", one.patron.name)
            his = one.patron is other.patron and one.patron.name == name
            if not (his and self._can(one) and self._can(other)):
                continue
            before = self._won(one) + self._won(other)
            if first.cards[-1][0] == second.cards[-1][0]:
                continue
            self._swap(first, second)
            if (
                total(first.cards)[0] > 21
                or total(second.cards)[0] > 21
                or self._won(one) + self._won(other) <= before
            ):
                self._swap(first, second)
                continue
            self.play.about.setdefault("player", one.patron.name)
            self.play.offend(one.unit)
            return

    def _can(self, box: BettingBox) -> bool:
        hand = box.first
        plain = not box.split and not hand.doubled and hand.live and len(hand.cards) >= 2
        return plain and not self.table.dealer_blackjack and hand.points <= 21

    def _won(self, box: BettingBox) -> int:
        return {"win": 1, "push": 0, "lose": -1}[results_of(self.table)[box.first.name]]

    @staticmethod
    def _swap(one: SimulatedHand, other: SimulatedHand) -> None:
        one.cards[-1], other.cards[-1] = other.cards[-1], one.cards[-1]


def _exchanging(play: PatternPlay) -> None:
    """A dealer lets a player exchange cards between his boxes, in a share `size` of the rounds where it pays."""
    play.name_dealer()
    play.session.life.staff.dealers = 1
    play.install(Exchanges())


SHARE = "share of her hands"
PUSHED = "share of the pushes"
PATTERNS = (
    Pattern(
        name="overpays",
        family="dealer_mispay",
        unit=SHARE,
        begin=_one_dealer("patrons"),
        summary="A dealer overpays winners by $5 and leaves losers their stakes.",
        stated=(
            Stated(0.05, 200, {"hands": 12}),
            Stated(0.02, 500, {"hands": 14}),
            Stated(0.1, 120, {"hands": 10}),
        ),
    ),
    Pattern(
        name="underpays",
        family="dealer_mispay",
        unit=SHARE,
        begin=_one_dealer("house"),
        summary="A dealer pays winners $5 too little.",
        stated=(Stated(0.1, 300, {"hands": 12}), Stated(0.05, 450, {"hands": 13})),
    ),
    Pattern(
        name="careless",
        family="dealer_mispay",
        unit=SHARE,
        begin=_one_dealer("both"),
        summary="A dealer errs both ways.",
        stated=(Stated(0.1, 200, {"hands": 14}), Stated(0.05, 300, {"hands": 16})),
    ),
    Pattern(
        name="rivers",
        between=(25, 25),
        family="dealer_mispay",
        unit="hands in two shifts",
        begin=_rivers,
        summary="Rivers: one dealer's 7, 18, 42, 54 and 71 hands in five shifts, overpaid or not collected.",
        stated=(Stated(25, 1000, {"hands": 11}),),
        habits={"dealer_minutes": 1e9},
        setup={"open_hours": 6.0, "patrons": (2, 2)},
    ),
    Pattern(
        name="high_blackjacks",
        family="dealer_mispay",
        unit="share of her Blackjacks of $125 or more",
        begin=_high_blackjacks,
        summary="A dealer adds $25 to the Blackjacks of large stakes.",
        stated=(Stated(1.0, 350, {"hands": 12}),),
        setup={"min_cents": 10_000, "chip_cents": 500, "patrons": (5, 5)},
    ),
    Pattern(
        name="pushes_taken",
        family="theoretical_win",
        unit=PUSHED,
        begin=_pushes("collect"),
        summary="A dealer collects the stakes of hands that pushed.",
        stated=(Stated(1.0, 150, {"round": 100}), Stated(0.3, 400, {"round": 300})),
    ),
    Pattern(
        name="pushes_paid",
        family="theoretical_win",
        unit=PUSHED,
        begin=_pushes("pay"),
        summary="A dealer pays hands that pushed as if they had won.",
        stated=(Stated(1.0, 150, {"round": 100}),),
    ),
    Pattern(
        name="partner",
        family="collusion",
        unit="share of his hands",
        begin=_partner,
        summary="A dealer overpays one player, or leaves his lost stakes.",
        stated=(Stated(0.2, 400, {"hands": 16}), Stated(0.1, 600, {"hands": 16})),
    ),
    Pattern(
        name="exchanges",
        family="collusion",
        unit="share of the rounds in which it pays",
        begin=_exchanging,
        summary="Cards change places between a player's boxes before they are settled.",
        stated=(Stated(1.0, 500, {"hands": 8}),),
        setup={"boxes_per_player": 2, "patrons": (2, 2), "bust_collection": "at_settlement"},
        habits={"boxes_two": 1.0},
    ),
    Pattern(
        name="honest_errors",
        family="dealer_mispay",
        unit="share of all hands",
        begin=everybody,
        null=True,
        summary="All dealers err now and then, each way.",
        stated=(Stated(0.001, 400),),
    ),
    Pattern(
        name="one_large_error",
        between=(1, 1),
        family="dealer_mispay",
        unit="errors",
        begin=_one_error,
        null=True,
        summary="One hand is overpaid by $500.",
        stated=(Stated(1, 300),),
    ),
    Pattern(
        name="few_pushes_taken",
        family="theoretical_win",
        unit=PUSHED,
        begin=_pushes("collect"),
        null=True,
        allowed=("dealer_mispay",),
        summary="A dealer takes a pushed stake for a lost one now and then.",
        stated=(Stated(0.05, 800),),
    ),
    Pattern(
        name="generous",
        family="collusion",
        unit=SHARE,
        begin=_generous,
        null=True,
        allowed=("dealer_mispay",),
        summary="A dealer overpays everybody alike.",
        stated=(Stated(0.1, 200),),
    ),
)
