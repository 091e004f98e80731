"""Cuts, cover cards and reshuffles that follow the cards, readers that err, dealers who are slow; and habits alone."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from typing import Literal

from producers.simulator.blackjack.rules import Range
from producers.simulator.blackjack.strategies import WEIGHTS
from producers.simulator.floor.decks.cards import CutPlaces
from producers.simulator.patterns.playing import Pattern, PatternPlay, Planned, Stated
from schemas import events

Place = Callable[[PatternPlay, float, int], float]
"""From the count of the last shoe, in standard deviations, and how many there were, to a place from 0 to 1."""


def _count(cards: list[str] | tuple[str, ...]) -> int:
    return sum(WEIGHTS[card[0]] for card in cards if card != "??")


class Steered(CutPlaces):
    """Cuts and cover cards put in by a plan; where there is none, anywhere."""

    def __init__(self, play: PatternPlay, cover: Place | None, cut: Place | None) -> None:
        self.play, self.cover, self.cut = play, cover, cut
        self.last, self.shoes = 0.0, 0
        play.session.writer.watch(events.ShoeEmptied, self._emptied)

    def _emptied(self, event: events.ShoeEmptied) -> None:
        size, rest = len(self.play.shoe.order), len(event.cards)
        spread = math.sqrt(10 / 13 * rest * (size - rest) / size)
        self.last = -_count(event.cards) / spread if spread else 0.0
        self.shoes += 1

    def of_cut(self, rng: random.Random, size: int, by: str) -> int:
        """By the plan."""
        if self.cut is None:
            return super().of_cut(rng, size, by)
        return 10 + round(self.cut(self.play, self.last, self.shoes) * (size - 20))

    def of_cover(self, rng: random.Random, size: int) -> int:
        """By the plan."""
        if self.cover is None:
            return super().of_cover(rng, size)
        return -(-size // 4) + round(self.cover(self.play, self.last, self.shoes) * size / 8)


def _by_count(play: PatternPlay, count: float, _shoes: int) -> float:
    """Goes with the count of the last shoe with a correlation of `size`, in a normal habit about the middle."""
    whim = math.sqrt(1 - play.size**2) * play.rng.gauss(0, 1)
    return max(0.0, min(1.0, 0.5 + 0.18 * (play.size * count + whim)))


def _drifts(play: PatternPlay, _count: float, shoes: int) -> float:
    return min(1.0, 0.03 * shoes + 0.05 * play.rng.random())


def _places(cover: Place | None = None, cut: Place | None = None) -> Callable[[PatternPlay], None]:
    def begin(play: PatternPlay) -> None:
        play.name_table()
        play.name_dealer()
        play.session.life.cards.places = Steered(play, cover, cut)

    return begin


Wants = Callable[[PatternPlay, float, int], bool]
"""From the true count, and how many rounds the shoe has had, to whether the floor wants the shoe reshuffled."""


def _reshuffles(wants: Wants) -> Callable[[PatternPlay], None]:
    def begin(play: PatternPlay) -> None:
        play.name_table()
        rounds = 0

        def due() -> bool:
            nonlocal rounds
            shoe = play.shoe
            rounds = rounds + 1 if shoe.drawn > 25 else 1
            true = _count(shoe.order[: shoe.drawn]) / max(1, shoe.remaining) * 52
            if shoe.drawn < 2 or not wants(play, true, rounds):
                return False
            play.offend()
            return True

        play.session.life.wants_reshuffle = due

    return begin


class Lights(Planned):
    """The Masque reader shows a wrong light in a share `size` of the rounds; `of`: only for hole cards of one range."""

    def __init__(self, of: str = "") -> None:
        self.of = of

    def shown_range(self, what: Literal["light", "area"], right: Range, /) -> Range:
        """The light; the hand is laid where it says."""
        play = self.play
        if what == "area" or self.of not in ("", right) or play.rng.random() >= play.size:
            return right
        play.offend()
        others: list[Range] = [one for one in ("small", "medium", "large") if one != right]
        return play.rng.choice(others)


def lights(of: str = "") -> Callable[[PatternPlay], None]:
    """A Masque reader that errs in a share `size` of the rounds, or of those with hole cards of one range."""

    def begin(play: PatternPlay) -> None:
        play.name_table()
        play.install(Lights(of))

    return begin


class Tempo(Planned):
    """Hand movements take `size` times as long: of a dealer from her second turn on, or of all from a round on."""

    def __init__(self, dealer: str, since: int = 0) -> None:
        self.dealer, self.since = dealer, since
        self.turns, self.before = 0, ""

    def before_round(self) -> None:
        """Set the pace of the round."""
        play = self.play
        if play.dealer != self.before:
            self.before = play.dealer
            self.turns += play.dealer == self.dealer
        slow = (
            play.dealer == self.dealer and self.turns > 1
            if self.dealer
            else play.session.number >= self.since
        )
        play.session.writer.tempo = play.size if slow else 1.0
        if slow and self.dealer:
            play.offend()

    def after_round(self) -> None:
        """Between rounds all is as usual."""
        self.play.session.writer.tempo = 1.0


def _one_slows(play: PatternPlay) -> None:
    play.session.life.staff.dealers = 3
    play.install(Tempo(play.name_dealer(2)))


def _all_slow(play: PatternPlay) -> None:
    play.session.life.staff.dealers = 3
    play.install(Tempo("", 100))


TWO_DECKS = {"decks": 2, "patrons": (5, 5)}
ALONE = {"dealer_minutes": 1e9, "shift_hours": 1e9}
TURNS = {"dealer_minutes": 18.0}
LIGHTS = "share of the rounds"
PATTERNS = (
    Pattern(
        name="cover_by_count",
        family="cut_steering",
        unit="correlation",
        begin=_places(cover=_by_count),
        habits=ALONE,
        summary="A dealer puts the cover card in by the count of the last shoe.",
        ruleset="free_bet_590",
        setup=TWO_DECKS,
        stated=(Stated(0.95, 160, {"round": 140}), Stated(0.8, 260, {"round": 240})),
    ),
    Pattern(
        name="cuts_by_count",
        family="cut_steering",
        unit="correlation",
        begin=_places(cut=_by_count),
        habits=ALONE | {"refuses_cut": 1.0},
        ruleset="free_bet_590",
        setup=TWO_DECKS,
        summary="A dealer cuts by the count of the last shoe; no patron wants to.",
        stated=(Stated(0.95, 180, {"round": 160}),),
    ),
    Pattern(
        name="reshuffles_high_counts",
        between=(-5, 10),
        family="preferential_shuffle",
        unit="least true count",
        habits=ALONE,
        begin=_reshuffles(lambda play, count, _: play.rng.random() < (0.9 if count >= play.size else 0.003)),
        summary="The floor orders a reshuffle where the count favours the players.",
        setup={"patrons": (5, 5)},
        stated=(Stated(2, 200, {"hands": 12}), Stated(1, 200, {"hands": 16})),
    ),
    Pattern(
        name="reshuffles_low_counts",
        between=(-5, 10),
        family="preferential_shuffle",
        unit="true count, below nought",
        habits=ALONE,
        begin=_reshuffles(lambda play, count, _: count <= -play.size and play.rng.random() < 0.9),
        summary="The floor orders a reshuffle where the count favours the house.",
        setup={"patrons": (5, 5)},
        stated=(Stated(1, 220, {"hands": 14}),),
    ),
    Pattern(
        name="wrong_lights",
        family="masque_errors",
        unit=LIGHTS,
        begin=lights(),
        ruleset="down_under_685a",
        summary="The Masque reader shows wrong lights.",
        stated=(Stated(0.067, 160, {"hands": 6}), Stated(0.03, 260, {"hands": 7})),
    ),
    Pattern(
        name="blind_to_medium",
        family="masque_errors",
        unit=LIGHTS,
        begin=lights("medium"),
        ruleset="down_under_685a",
        summary="The Masque reader takes medium hole cards for others.",
        stated=(Stated(0.3, 120, {"hands": 6}),),
    ),
    Pattern(
        name="dealer_slows",
        between=(0.2, 5),
        family="pace",
        unit="times as long",
        begin=_one_slows,
        habits=TURNS,
        summary="One of three dealers is slow from her second turn on.",
        stated=(Stated(1.5, 330, {"hands": 75}), Stated(1.35, 400, {"hands": 100})),
    ),
    Pattern(
        name="dealer_hurries",
        between=(0.2, 5),
        family="pace",
        unit="times as long",
        begin=_one_slows,
        habits=TURNS,
        summary="One of three dealers hurries from her second turn on.",
        stated=(Stated(0.6, 330, {"hands": 75}),),
    ),
    Pattern(
        name="cuts_by_habit",
        between=(1, 1),
        family="cut_steering",
        unit="tables",
        begin=_places(_drifts, _drifts),
        null=True,
        habits=ALONE,
        summary="A dealer cuts, and puts the cover card in, deeper from shoe to shoe.",
        ruleset="free_bet_590",
        setup=TWO_DECKS,
        stated=(Stated(1, 160),),
    ),
    Pattern(
        name="reshuffles_at_whim",
        family="preferential_shuffle",
        unit="share of the rounds",
        null=True,
        habits=ALONE,
        begin=_reshuffles(lambda play, _count, _: play.rng.random() < play.size),
        setup={"patrons": (5, 5)},
        summary="The floor orders reshuffles at whim.",
        stated=(Stated(0.1, 200),),
    ),
    Pattern(
        name="reshuffles_after_rounds",
        between=(1, 50),
        family="preferential_shuffle",
        unit="rounds",
        null=True,
        habits=ALONE,
        begin=_reshuffles(lambda play, _count, rounds: rounds >= play.size),
        setup={"patrons": (5, 5)},
        summary="The floor reshuffles after so many rounds.",
        stated=(Stated(6, 200),),
    ),
    Pattern(
        name="few_wrong_lights",
        family="masque_errors",
        unit=LIGHTS,
        begin=lights(),
        ruleset="down_under_685a",
        null=True,
        summary="The Masque reader errs as seldom as sound ones do.",
        stated=(Stated(0.001, 200),),
    ),
    Pattern(
        name="all_slow_down",
        between=(0.2, 5),
        family="pace",
        unit="times as long",
        begin=_all_slow,
        null=True,
        habits=TURNS,
        summary="The whole table slows down.",
        stated=(Stated(1.5, 300),),
    ),
    Pattern(
        name="slows_a_little",
        between=(0.2, 5),
        family="pace",
        unit="times as long",
        begin=_one_slows,
        null=True,
        habits=TURNS,
        summary="One dealer is a tenth slower than the others.",
        stated=(Stated(1.1, 330),),
    ),
)
