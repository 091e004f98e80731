"""Dealers whose rounds are called void once they are decided, where that serves one side, or whoever lost."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import UNSET
from msgspec.structs import replace

from producers.simulator.blackjack.hands import BettingBox
from producers.simulator.blackjack.rules import PUSH22_ODDS, PUSH_TOTAL, push22_line
from producers.simulator.blackjack.settlement import results_of
from producers.simulator.patterns.playing import Pattern, PatternPlay, Planned, Stated
from schemas.events import RoundVoided, WagerSettled
from schemas.payload import Payload


class CallsVoid(Planned):
    """Rounds are called void before they are settled, and all stakes go back that still lie there.

    `serves` says by what patrons would have won, in cents (minus: lost), whether a round is one of those.
    """

    def __init__(self, serves: Callable[[int], bool]) -> None:
        self.serves = serves
        self.calling = self.called = False

    def settle_order(self, boxes: list[BettingBox], /) -> list[BettingBox]:
        """Look who would lose, then settle in the usual order."""
        won = self._won()
        self.calling, self.called = self.serves(won), False
        if self.calling:
            self.play.offend(won)
        return boxes

    def edit(self, payload: Payload, /) -> Sequence[Payload]:
        """The call before the first settlement, and each stake given back."""
        if not (self.calling and isinstance(payload, WagerSettled)) or payload.kind == "lammer":
            return (payload,)
        call = () if self.called else (RoundVoided("misdeal"),)
        self.called = True
        return *call, replace(payload, outcome="return", cents=_stake(payload), odds=UNSET)

    def after_round(self) -> None:
        """The next round is another matter."""
        self.calling = False

    def _won(self) -> int:
        """What patrons won so far in the round, and would win by its hands and side wagers."""
        won, results = sum(self.table.net.values()), results_of(self.table)
        for box in self.table.boxes:
            if box.side_open:
                won += self._side(box)
            for hand in box.hands:
                chips, free = hand.cash + hand.double, box.unit * len(hand.lammers)
                won += {"win": chips + free, "push": 0, "lose": -chips}[results.get(hand.name, "push")]
        return won

    def _side(self, box: BettingBox) -> int:
        table = self.table
        if table.dealer_total != PUSH_TOTAL or table.dealer_blackjack:
            return -box.side
        return box.side * PUSH22_ODDS[table.setup.paytables["push22"]][push22_line(table.dealer)]


def _stake(settled: WagerSettled) -> int:
    """What lay there: what is collected, or what was paid at odds."""
    if settled.outcome != "pay" or not isinstance(settled.odds, str):
        return settled.cents
    paid, of = map(int, settled.odds.split(":"))
    return settled.cents * of // paid


def _for_one_side(sign: int) -> Callable[[PatternPlay], None]:
    """A share `size` of a dealer's rounds is called void that patrons would have won (1) or lost (-1)."""

    def begin(play: PatternPlay) -> None:
        name = play.name_dealer()
        play.install(
            CallsVoid(lambda won: play.dealer == name and won * sign > 0 and play.rng.random() < play.size)
        )

    return begin


def _whoever_lost(play: PatternPlay) -> None:
    """A share `size` of all rounds is called void."""
    play.install(CallsVoid(lambda _: play.rng.random() < play.size))


PATTERNS = (
    Pattern(
        name="lost_rounds_void",
        family="called_void",
        unit="share of her rounds that patrons lose",
        begin=_for_one_side(-1),
        summary="A dealer's rounds are called void when patrons would have lost them.",
        stated=(Stated(1.0, 350, {"hands": 36}), Stated(0.5, 650, {"hands": 36})),
    ),
    Pattern(
        name="won_rounds_void",
        family="called_void",
        unit="share of her rounds that patrons win",
        begin=_for_one_side(1),
        summary="A dealer's rounds are called void when the house would have lost them.",
        stated=(Stated(1.0, 250, {"hands": 20}), Stated(0.5, 600, {"hands": 20})),
    ),
    Pattern(
        name="void_whoever_lost",
        family="called_void",
        unit="share of all rounds",
        begin=_whoever_lost,
        null=True,
        summary="Rounds of all dealers are called void, whoever lost them.",
        stated=(Stated(0.3, 300),),
    ),
)
