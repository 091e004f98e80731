"""Trays that drift away from the record, and devices that fail more often than sound ones do."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator
from functools import partial

from producers.simulator.noise.kinds import KINDS
from producers.simulator.noise.lost import is_of
from producers.simulator.noise.words import Word
from producers.simulator.patterns.playing import Heard, Pattern, PatternPlay, Stated

SINCE = 80
"""The round from which a device fails."""
SOUND = {
    "unread": 0.002,
    "placements": 0.001,
    "draws": 0.001,
    "wagers": 0.001,
    "decisions": 0.001,
    "racked": 0.001,
}


def off_counts(off: Callable[[PatternPlay, int], int]) -> Heard:
    """Each count of the tray lacks so many cents, by its number."""

    def heard(play: PatternPlay, words: Iterator[Word]) -> Iterator[Word]:
        count = 0
        for word in words:
            if word.kind != "inventory_counted":
                yield word
                continue
            count += 1
            gone = off(play, count)
            data = {k: v for k, v in word.event["data"].items() if k != "chips"}
            yield word.says("tray", data=data | {"cents": data["cents"] - gone}) if gone else word

    return heard


def now_and_then(play: PatternPlay, _count: int) -> int:
    """One count in twenty is off by up to $100, in chips of $5, and the next is right again."""
    return 500 * play.rng.randint(-20, 20) if play.rng.random() < 0.05 else 0


def _gone(times: Callable[[int], int]) -> Heard:
    """Of each count `size` dollars are gone, so many times by the number of the count; over where it is negative."""
    return off_counts(lambda play, count: int(100 * play.size) * times(count))


def _noisy(**rates: float) -> Heard:
    """Kinds of noise from a round on, each at a rate; a rate of 0 stands for the size."""

    def heard(play: PatternPlay, words: Iterator[Word]) -> Iterator[Word]:
        held = list[Word]()
        for word in words:
            if (word.round or 0) >= SINCE:
                held.append(word)
                break
            yield word
        rest = _and_then(held, words)
        for name, rate in rates.items():
            rest = KINDS[name].noise(rest, rate or play.size, play.rng)
        yield from rest

    return heard


def _and_then(held: list[Word], words: Iterator[Word]) -> Iterator[Word]:
    yield from held
    yield from words


def _skewed(device: str, since: int = SINCE) -> Heard:
    """The clock of a device is `size` seconds ahead."""

    def heard(play: PatternPlay, words: Iterator[Word]) -> Iterator[Word]:
        for word in words:
            if word.device != device or (word.round or 0) < since:
                yield word
                continue
            now = word.time + dt.timedelta(seconds=play.size)
            yield word.says("skew", time=now.isoformat(timespec="microseconds").replace("+00:00", "Z"))

    return heard


def _silent(witness: str, rounds: Callable[[PatternPlay], Callable[[int], bool]]) -> Heard:
    """A device says nothing in some rounds, which are drawn before the first."""

    def heard(play: PatternPlay, words: Iterator[Word]) -> Iterator[Word]:
        silent = rounds(play)
        for word in words:
            lost = word.round is not None and is_of(word, witness) and silent(word.round)
            yield word.met("silent", lost=True) if lost else word

    return heard


def _for_a_while(play: PatternPlay) -> Callable[[int], bool]:
    """In `size` rounds on end."""
    return lambda number: SINCE <= number < SINCE + play.size


def _again_and_again(play: PatternPlay) -> Callable[[int], bool]:
    """It falls silent in a share `size` of the rounds, and says nothing in the next round either."""
    falls = {number for number in range(SINCE, 10_000) if play.rng.random() < play.size}
    return lambda number: number in falls or number - 1 in falls


_TRAY = partial(
    Pattern,
    family="inventory_drift",
    begin=PatternPlay.name_table,
    habits={"shift_hours": 0.5},
    between=(0, 10_000),
)
_DEVICES = partial(Pattern, family="sensor_health", begin=PatternPlay.name_table)
PATTERNS = (
    _TRAY(
        name="tray_drip",
        unit="dollars a count",
        heard=_gone(lambda count: max(0, count - 3)),
        summary="From the fourth count on so much is gone before each count of the tray.",
        stated=tuple(Stated(dollars, 450, {"round": 330}) for dollars in (75, 25, 500)),
    ),
    _TRAY(
        name="tray_swells",
        unit="dollars a count",
        heard=_gone(lambda count: -max(0, count - 3)),
        summary="From the fourth count on so much is over at each count of the tray.",
        stated=(Stated(75, 450, {"round": 350}),),
    ),
    _DEVICES(
        name="draws_lost",
        unit="share of the words",
        heard=_noisy(draws=0),
        summary="The shoe's words of draws are lost from round 80 on.",
        stated=(Stated(0.04, 190, {"round": 140}), Stated(0.02, 320, {"round": 270})),
    ),
    _DEVICES(
        name="placements_lost",
        unit="share of the words",
        heard=_noisy(placements=0),
        summary="The layout's words of cards are lost from round 80 on.",
        stated=(Stated(0.04, 190, {"round": 140}),),
    ),
    _DEVICES(
        name="faces_unread",
        unit="share of the cards",
        heard=_noisy(unread=0),
        summary="Faces cannot be read from round 80 on.",
        stated=(Stated(0.04, 190, {"round": 140}),),
    ),
    _DEVICES(
        name="clock_ahead",
        between=(-60, 60),
        unit="seconds",
        heard=_skewed("layout"),
        summary="The layout's clock is ahead from round 80 on.",
        stated=(Stated(3, 150, {"round": 100}),),
    ),
    _DEVICES(
        name="shoe_falls_silent",
        unit="share of the rounds",
        heard=_silent("shoe", _again_and_again),
        summary="The shoe falls silent for two rounds, again and again, from round 80 on.",
        stated=(Stated(0.1, 220, {"round": 190}),),
    ),
    _DEVICES(
        name="layout_silent",
        between=(0, 500),
        unit="rounds",
        heard=_silent("layout", _for_a_while),
        summary="The layout falls silent in round 80, and stays so.",
        stated=(Stated(100, 190, {"round": 150}),),
    ),
    _TRAY(
        name="one_great_loss",
        between=(0, 50_000),
        unit="dollars",
        heard=_gone(lambda count: count >= 4),
        summary="Before the fourth count the tray loses a large sum at once, and no more.",
        stated=(Stated(500, 400, {"round": 210}), Stated(5_000, 400, {"round": 210})),
    ),
    _TRAY(
        name="one_great_miscount",
        between=(0, 50_000),
        unit="dollars",
        null=True,
        heard=_gone(lambda count: count == 5),
        summary="One count is off by a large sum, and the next is right again.",
        stated=(Stated(5_000, 400),),
    ),
    _TRAY(
        name="one_small_loss",
        unit="dollars",
        null=True,
        heard=_gone(lambda count: count >= 4),
        summary="A buy-in of at most $100 was booked wrongly: every later count is off by it.",
        stated=(Stated(75, 400),),
    ),
    _TRAY(
        name="miscounts",
        unit="dollars",
        null=True,
        heard=_gone(lambda count: count % 4 == 0),
        summary="A count is off now and then, and right again the next time.",
        stated=(Stated(100, 400),),
    ),
    _DEVICES(
        name="sound_devices",
        between=(1, 1),
        unit="tables",
        null=True,
        heard=_noisy(**SOUND),
        tables=2,
        summary="Devices lose or cannot read one or two words in a thousand.",
        stated=(Stated(1, 250),),
    ),
    _DEVICES(
        name="silent_once",
        between=(0, 15),
        unit="rounds",
        null=True,
        heard=_silent("layout", _for_a_while),
        summary="The layout is silent once, until somebody has seen to it.",
        stated=(Stated(12, 190),),
    ),
    _DEVICES(
        name="clocks_apart",
        between=(-60, 60),
        unit="seconds",
        null=True,
        heard=_skewed("shoe", 0),
        summary="The shoe's clock is a fifth of a second off.",
        stated=(Stated(-0.2, 250),),
    ),
)
