"""Players who stake by the count of the cards, and players who stake in any other way."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache

import msgspec
import numpy as np
import pytest

from benchmarks.patterns.finding import find, scenario
from processors.detectors.families import counting
from processors.detectors.family import LEVEL
from processors.detectors.following import fits
from processors.detectors.following.flips import FEW, SIGNS, WAYS, counts, evidence
from processors.detectors.weighty import rows_of
from schemas.findings import Finding
from tests.detectors import shoes
from tests.detectors.counted import (
    INNOCENT,
    Follower,
    Shoe,
    Staking,
    correlated,
    dealt,
    joins_when_high,
    mood,
    plays_when_high,
    plays_when_low,
    ramp,
    true_counts,
)
from tests.detectors.worlds import Event, changed, kind_of, named, observed, suspected

ALPHA = 0.05
ROUNDS = 230
PLAYERS = [50, pytest.param(10_000, marks=pytest.mark.soak)]


@cache
def _shoes(boxes: int, number: int) -> list[Shoe]:
    rng = random.Random(boxes)
    return [dealt(rng, boxes) for _ in range(number)]


def _player(
    staking: Staking,
    seed: int,
    shoes_: int,
    boxes: int = 2,
    until: Callable[[Follower], bool] | None = None,
    number: int = 300,
) -> Follower:
    rng, follower, mind = random.Random(seed), Follower(boxes), dict[str, float]()
    for _ in range(shoes_):
        shoe = rng.choice(_shoes(boxes, number))
        follower.play(shoe, staking(rng, shoe, mind), 0.5)
        if until is not None and until(follower):
            break
    return follower


@pytest.mark.thorough
@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("name", INNOCENT)
def test_alarms_of_players_who_do_not_count_are_as_rare_as_promised(name: str, players: int) -> None:
    """Each variant by itself, its evidence as it is before the level is shared."""
    peaks = [_player(INNOCENT[name], seed, 6, number=max(300, players)).peaks for seed in range(players)]
    chance = 3 * (ALPHA * (1 - ALPHA) * players) ** 0.5  # of so few players
    for variant in counting.SHARES:
        high = sum(peak[variant] >= 1 / ALPHA for peak in peaks)
        assert high <= ALPHA * players + (chance if players < 1000 else 0), variant


@pytest.mark.soak
@pytest.mark.parametrize("name", INNOCENT)
def test_over_many_shoes_alarms_of_players_who_do_not_count_are_not_twice_as_frequent(name: str) -> None:
    """The cards of a round lie only nearly symmetrically, so that evidence drifts: 40 shoes, 500 players."""
    peaks = [_player(INNOCENT[name], seed, 40, number=3000).peaks for seed in range(500)]
    for variant in counting.SHARES:
        assert sum(peak[variant] >= 1 / ALPHA for peak in peaks) <= 2 * ALPHA * len(peaks), variant


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("staking", "boxes", "within"),
    [(ramp, 2, 150), (correlated, 4, 250), (plays_when_high, 3, 150), (joins_when_high, 3, 250)],
)
def test_half_of_those_who_count_are_named_within(staking: Staking, boxes: int, within: int) -> None:
    rounds = [
        follower.rounds if follower.alarms else 10_000
        for follower in (
            _player(staking, seed, 25, boxes, until=lambda one: bool(one.alarms)) for seed in range(21)
        )
    ]
    assert sorted(rounds)[10] <= within


@pytest.mark.parametrize("ways", [FEW, WAYS])
def test_the_ways_form_a_group(ways: int) -> None:
    columns = {tuple(column) for column in SIGNS[:, :ways].T}
    assert len(columns) == ways
    for one in (1, 3, ways - 1):
        assert {tuple(column) for column in (SIGNS[:, :ways] * SIGNS[:, one : one + 1]).T} == columns


def test_evidence_is_one_on_average_over_the_ways_that_might_have_been_seen() -> None:
    rng = random.Random(2)
    rounds = 24
    decks = [6 - 0.18 * place for place in range(rounds)]
    turned = [rng.gauss(0, 2.5) for _ in range(rounds)]
    logs = np.array([rng.choice((0.0, 1.0, 2.0)) for _ in range(rounds)])
    found = []
    for way in range(FEW):
        seen = [one * sign for one, sign in zip(turned, SIGNS[:rounds, way], strict=True)]
        at = counts(0.0, decks, [0.1] * rounds, seen, FEW)
        line = fits.begin_lines(0.0)[0]
        scores = [
            fits.score_line(line, fits.LINES[0][0], at, logs),
            fits.score_ramp(fits.RAMP, fits.cells(at), logs),
            fits.score_raise(fits.ABOVE[0], fits.cells(at), [bool(one) for one in logs]),
            fits.score_lean(0.1, fits.cells(at), [bool(one) for one in logs]),
            fits.score_rates(fits.Rates(), at, [bool(one) for one in logs]),
        ]
        found.append(evidence(scores))
    assert np.mean(found, axis=0) == pytest.approx([1.0] * 5)


def test_an_alarm_says_what_he_staked_at_which_counts() -> None:
    follower = _player(ramp, 3, 30, until=lambda one: bool(one.alarms))
    alarm = follower.alarms[0]
    assert (alarm.variant, alarm.about) == ("stakes", {"player": "P"})
    assert alarm.e_value >= 1 / LEVEL
    seen = alarm.observed
    assert seen["mean_cents_at_count_of_1_or_more"] > alarm.expected["mean_cents_at_any_count"]
    assert seen["rounds_at_count_of_1_or_more"] + seen["rounds_below"] == follower.state.stakes.rounds
    assert 0 < len(seen["rounds"]) <= 10
    assert all(one["true_count"] > 0 for one in seen["rounds"] if one["cents"] > 2500)
    assert set(alarm.sequences) == {10 * one["round"] for one in seen["rounds"]}


@pytest.mark.parametrize("seed", range(3))
def test_high_stakes_are_listed_at_high_counts_alone_and_low_ones_at_low_counts(seed: int) -> None:
    """Whatever the other counts of the shoe are: a stake at whim is high at low counts as often."""
    follower, rng = Follower(), random.Random(seed)
    for _ in range(12):
        shoe = dealt(rng)
        follower.play(shoe, [rng.choice((2_500, 10_000)) for _ in shoe])
    rows = follower.state.rounds["stakes"]
    assert len(rows) > 10
    assert {(one.cents == 10_000, one.count > 1) for one in rows} == {(True, True), (False, False)}
    assert all(row.keys() == {"table", "round", "cents", "true_count"} for row in rows_of(rows))


def test_who_comes_when_the_count_is_high_is_named_for_it() -> None:
    follower = _player(plays_when_high, 5, 40, 3, until=lambda one: bool(one.alarms))
    alarm = follower.alarms[0]
    assert alarm.variant == "presence"
    played = alarm.observed["rounds_played_at_count_of_1_or_more"]
    assert played > 2 * alarm.expected["rounds_played_at_count_of_1_or_more"]


@pytest.mark.parametrize(("staking", "named_"), [(plays_when_high, True), (plays_when_low, False)])
def test_only_who_plays_more_at_high_counts_is_named(staking: Staking, named_: bool) -> None:
    """The evidence of either follows the count: of one who plays at low counts it names nobody."""
    follower = _player(staking, 5, 40, 3)
    assert follower.peaks["presence"] * 0.5 * counting.SHARES["presence"] >= 1 / LEVEL
    assert bool(follower.alarms) is named_


@pytest.mark.parametrize(("low", "high", "least", "most"), [(-9, 0, 1.5, 1e9), (3, 9, 0.0, 0.1)])
def test_a_shoe_that_he_sits_out_speaks_by_its_count(low: int, high: int, least: float, most: float) -> None:
    """A shoe whose count lies between `low` and `high` in its middle, for one who plays at high counts only."""
    rng, follower = random.Random(1), Follower(3)
    while follower.state.presence.rounds < 200:
        shoe = dealt(rng, 3)
        follower.play(shoe, plays_when_high(rng, shoe, {}))
    before = follower.state.presence.value()
    while not low < list(true_counts(shoe))[20] < high:
        shoe = dealt(rng, 3)
    follower.play(shoe, [0] * len(shoe))
    assert least < follower.state.presence.value() / before < most


@pytest.mark.thorough
def test_one_who_joins_at_high_counts_is_named_at_a_table_and_nobody_else() -> None:
    found = find(*scenario("counter_joining"), 101)
    assert found.in_time, found
    assert found.strays == []


def test_what_is_kept_of_a_player_stays_small_and_survives_storing() -> None:
    follower = _player(mood, 1, 150)
    packed = msgspec.msgpack.encode(follower.state)
    assert len(packed) < 6000
    assert msgspec.msgpack.encode(msgspec.msgpack.decode(packed, type=counting.OfPlayer)) == packed


def _by_the_count(lines: list[bytes], seat: int) -> list[bytes]:
    """The seat's stakes, and all they earn, are of one unit, or of up to eight at a true count above 1."""
    running, left, units, before, number = 0, 312, 1, 1.0, 0

    def tag(card: str) -> int:
        return (card[0] in "23456") - (card[0] in "TJQKA")

    def change(event: Event) -> list[Event]:
        nonlocal running, left, units, before, number
        kind, data = kind_of(event), event["data"]
        if kind == "shoe_loaded":
            running, left = 0, data["cards"]
        elif kind == "round_started":
            number = data["round"]
            units = min(8, max(1, int(2 * running / left * 52 - 1)))
        elif kind in ("card_drawn", "hole_card_revealed"):
            left -= kind == "card_drawn"
            running += tag(data["card"])
        elif data.get("seat") == seat and kind in ("wager_placed", "wager_settled"):
            if kind == "wager_placed" and data["kind"] == "main":
                before = 5000 * units / data["cents"]
            if data["kind"] in ("main", "lammer"):
                data["cents"] = round(data["cents"] * before)
        return [event]

    return changed(lines, change)


@cache
def _table(seed: int) -> tuple[bytes, ...]:
    return tuple(
        shoes.dealt(shoes.untouched, seed, ROUNDS, patrons=(3, 3), max_cents=1_000_000, boxes_per_player=1)
    )


def _suspected(lines: list[bytes]) -> list[Finding]:
    return [one for one in suspected(lines) if one.check.startswith("pattern.counting")]


@pytest.mark.thorough
def test_a_counter_at_a_table_is_named_and_nobody_else() -> None:
    lines = list(_table(4))
    assert not _suspected(lines)
    seated = next(line for line in lines if b"player_arrived" in line)
    who = msgspec.json.decode(seated)["data"]
    found = _suspected(_by_the_count(lines, who["seat"]))
    assert list(named(found)) == [f"counting.stakes {who['player']}"]


@pytest.mark.thorough
def test_a_device_that_takes_the_cards_back_leaves_nothing_to_count() -> None:
    lines = shoes.dealt(shoes.untouched, 1, 40, shuffler="continuous")
    assert not [one for one in observed(lines)[1] if one.family == "counting"]
