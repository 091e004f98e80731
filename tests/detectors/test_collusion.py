"""A dealer and a player together: her mistakes fall on him, his hands exchange cards; and what only looks like it."""

from __future__ import annotations

import datetime as dt
import json
import random
import re
from collections.abc import Iterable, Iterator
from functools import cache

import msgspec
import pytest

from benchmarks.patterns.finding import find, scenario
from processors.detectors.families import collusion
from processors.detectors.family import FAMILIES
from processors.detectors.favouring.shares import FAVOURS, POWERS, Lot, log_factors
from processors.detectors.favouring.signals import Fits, FitsTold, Signalling, follow
from processors.detectors.knowing.judged import KNOWERS
from processors.detectors.knowing.judged import RoundNote as Judged
from processors.detectors.shapes import Observation
from processors.detectors.weighty import KEPT, WeightyRound, keep
from producers.simulator.floor.setup import Habits
from tests.detectors.worlds import STEADY, Event, changed, favoured, kind_of, mispaid, named, suspected, table
from tests.pipeline.simulated import lines_of_table
from tests.sampling import one_in

SEEN = Observation(
    family="collusion", whom={"dealer": "D", "player": "P"}, subject="T", round=1, sequence=1,
    time=dt.datetime(2026, 1, 1, tzinfo=dt.UTC), nth=1, note=msgspec.Raw(b""),
)  # fmt: skip


def _note(lot: Lot, player: str, hands: int = 1) -> collusion.Note:
    got = lot.got(player)
    return collusion.Note(
        log_factors(lot, player), len(got), lot.mispaid, 0.0, sum(got), False, hands, 0, False
    )


def _lot(rng: random.Random, chance: float, power: float, his_odds: float) -> Lot:
    """A round of two to five hands: player P's and others', mispaid in proportion to a power of their stakes."""
    players = ["P", *(rng.choice(("P", "Q", "R", "")) for _ in range(rng.randrange(1, 5)))]
    cents = [rng.choice((1_000, 2_500, 10_000, 40_000)) for _ in players]
    wrong = []
    for stake, player in zip(cents, players, strict=True):
        odds = chance / (1 - chance) * (stake / 10_000) ** power * (his_odds if player == "P" else 1.0)
        wrong.append(500 if rng.random() < odds / (1 + odds) else 0)
    return Lot(tuple(cents), tuple(players), tuple(wrong))


def _highest(rng: random.Random, power: float, his_odds: float) -> float:
    state = collusion.OfPair()
    for _ in range(120):
        lot = _lot(rng, 0.15, power, his_odds)
        if lot.mispaid:
            list(collusion._weigh(state, SEEN, _note(lot, "P"), 1.0))
    return state.peaks[0] / collusion.WEIGHTS["overpaid"]


@pytest.mark.thorough
@pytest.mark.parametrize("streams", [200, pytest.param(10_000, marks=pytest.mark.soak)])
@pytest.mark.parametrize(
    ("power", "his_odds"), one_in(2, [(0.0, 1.0), (0.0, 1.1), (0.5, 1.1), (1.0, 1.0)], 1)
)
def test_a_careless_dealer_is_taken_for_a_partner_as_rarely_as_promised(
    power: float, his_odds: float, streams: int
) -> None:
    rng = random.Random(7)
    assert sum(_highest(rng, power, his_odds) >= 20 for _ in range(streams)) <= 0.05 * streams


def test_factors_are_one_on_average_whoever_is_mispaid() -> None:
    """Exactly, over all sets of two hands of four, of a dealer at the edge of the null."""
    cents, players = (1_000, 40_000, 2_500, 2_500), ("P", "Q", "P", "R")
    for at, power in enumerate(POWERS):
        odds = [c**power * (1.1 if p == "P" else 1.0) for c, p in zip(cents, players, strict=True)]
        means, whole = [0.0] * len(FAVOURS), 0.0
        for one in range(4):
            for other in range(one):
                lot = Lot(cents, players, tuple(500 * (n in (one, other)) for n in range(4)))
                weight = odds[one] * odds[other]
                whole += weight
                factors = log_factors(lot, "P")[at * len(FAVOURS) : (at + 1) * len(FAVOURS)]
                means = [mean + weight * 2.718281828459045**f for mean, f in zip(means, factors, strict=True)]
        assert [mean / whole for mean in means] == pytest.approx([1.0] * len(FAVOURS))


def test_a_round_of_one_player_says_nothing_of_favour() -> None:
    assert log_factors(Lot((1_000, 2_000), ("P", "P"), (500, 0)), "P") == pytest.approx([0.0] * 6)


def _hits_to_alarm(hands: int, his: float, seed: int) -> int:
    """How many hands the dealer mispays until the alarm, at a table of so many hands; `his` is the player's share."""
    rng, state = random.Random(seed), collusion.OfPair()
    players = ("P", *map(str, range(hands - 1)))
    for number in range(1, 200):
        at = 0 if rng.random() < his else rng.randrange(1, hands)
        wrong = tuple(500 * (n == at) for n in range(hands))
        lot = Lot((1_000,) * hands, players, wrong)
        if list(collusion._weigh(state, SEEN, _note(lot, "P", 20), 0.5)):
            return number
    return 200


@pytest.mark.parametrize(("hands", "median"), one_in(2, [(2, 18), (3, 11), (4, 9), (6, 7)]))
def test_a_partner_is_named_after_as_many_hands_as_the_shares_make_it(hands: int, median: int) -> None:
    found = sorted(_hits_to_alarm(hands, 0.98, seed) for seed in range(41))
    assert found[20] <= median


def test_a_dealer_who_overpays_one_player_is_named_with_him_and_with_nobody_else() -> None:
    found = suspected(changed(table(2, 200), favoured(0.2, 2, player=1)))
    assert set(named(found)) == {"dealer_mispay.for_patrons D-011", "collusion.overpaid D-011 P-01-002"}
    one = next(one for one in found if one.check == "pattern.collusion.overpaid")
    assert one.about == {"dealer": "D-011", "player": "P-01-002"}
    assert one.message.startswith(
        "Of 8 hands that dealer D-011 overpaid or left uncollected while P-01-002 played, 8"
    )


@pytest.mark.parametrize(
    "change",
    [
        lambda seed: favoured(0.1, seed, player=-1),
        lambda seed: mispaid(0.3, seed, way="patrons", least=10_000),
        lambda seed: mispaid(0.2, seed, way="both"),
    ],
)
@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.soak)])
def test_a_dealer_who_overpays_all_alike_or_by_their_stakes_is_her_matter_alone(
    change: object, seed: int
) -> None:
    assert callable(change)
    found = named(suspected(changed(table(seed, 180), change(seed))))
    assert not [one for one in found if one.startswith("collusion")]


@cache
def _boxes(seed: int, rounds: int) -> tuple[bytes, ...]:
    """A table where most players have two boxes."""
    habits = Habits(**{name: getattr(STEADY, name) for name in STEADY.__slots__} | {"boxes_two": 0.8})
    return tuple(
        lines_of_table("free_bet_672a", seed, rounds, habits=habits, bust_collection="at_settlement")
    )


def _exchanging(
    lines: Iterable[bytes], chance: float, *, pays: bool, owners: int = 1, nth: int = 0
) -> list[bytes]:
    """The dealer who came `nth` lets the last cards of two boxes change places before the rack takes them up.

    pays: and pays one of the two as if it had won. owners: 1 for boxes of the first player with two, 2 for the boxes
    of two players.
    """
    rng, players, dealers, dealer = random.Random(3), dict[int, str](), list[str](), ""

    def exchange(round_: list[Event]) -> None:
        racks = {
            one["data"]["hand"]: one["data"]["cards"] for one in round_ if kind_of(one) == "cards_racked"
        }
        for seat in sorted(players):
            pair = f"{seat}.1", f"{seat + 1}.1"
            if (players[seat] == players.get(seat + 1)) is not (owners == 1) or not all(
                one in racks for one in pair
            ):
                continue
            first, second = (racks[one] for one in pair)
            if min(len(first), len(second)) < 2 or first[-1][0] == second[-1][0]:
                continue
            lost = [
                one
                for one in round_
                if kind_of(one) == "wager_settled"
                and one["data"].get("hand") in pair
                and (one["data"]["kind"], one["data"]["outcome"]) == ("main", "collect")
            ]
            if pays and not lost:
                continue
            first[-1], second[-1] = second[-1], first[-1]
            if pays:
                lost[0]["data"]["outcome"] = "pay"
            return

    def events() -> Iterator[Event]:
        nonlocal dealer
        held: list[Event] = []
        for line in lines:
            event = json.loads(line)
            kind, data = kind_of(event), event["data"]
            held.append(event)
            if kind == "player_arrived" or (kind == "wager_placed" and data.get("player")):
                players[data["seat"]] = data["player"]
            elif kind == "dealer_arrived":
                dealer = data["staff"]
                dealers.extend([dealer] * (dealer not in dealers))
            elif kind == "round_ended":
                if dealers.index(dealer) == nth and rng.random() < chance:
                    exchange(held)
                yield from held
                held.clear()
        yield from held

    return changed((json.dumps(event).encode() for event in events()), lambda event: [event])


@pytest.mark.thorough
def test_hands_of_one_player_that_exchange_cards_and_are_paid_for_it_are_named() -> None:
    found = suspected(_exchanging(_boxes(1, 150), 1.0, pays=True))
    assert "collusion.exchanged D-011 P-01-002" in list(named(found))
    one = next(one for one in found if one.check == "pattern.collusion.exchanged")
    assert one.message == (
        "In 4 rounds that dealer D-011 dealt, cards changed places between the hands of P-01-002 ($300.00 too much); "
        "after the first he had several hands in 5 rounds, of which chance allows 0.005."
    )


@pytest.mark.thorough
def test_cards_that_the_dealer_takes_up_to_the_wrong_hand_are_no_favour() -> None:
    assert list(named(suspected(_exchanging(_boxes(1, 150), 0.5, pays=False)))) == []
    found = named(suspected(_exchanging(_boxes(1, 150), 0.5, pays=True, owners=2)))
    assert not [one for one in found if one.startswith("collusion.exchanged")]


def test_what_is_kept_of_pairs_stays_small_however_long_they_play() -> None:
    state, rng = collusion.OfPair(), random.Random(1)
    for _ in range(5_000):
        list(collusion._weigh(state, SEEN, _note(_lot(rng, 0.3, 0.0, 1.0), "P"), 1.0))
    fits = Fits(10**6, 10**6, 0.5)
    state.decided.tables = {f"BJ-{number}": FitsTold(True, fits, fits, 10**6) for number in range(10, 18)}
    lists = (
        state.rounds.setdefault("overpaid", []),
        state.rounds.setdefault("exchanged", []),
        state.decided.telling,
    )
    for rounds in lists:
        rounds.clear()
        for number in range(10**6, 10**6 + 200):  # each lighter than the one before: as many stay as ever
            keep(
                rounds,
                WeightyRound("BJ-12", number, 9 * number, number, round(1e7 / number, 4), 123_400, (2, 3)),
            )
        assert len(rounds) == KEPT
    [most] = re.findall(r"at most (\d+) kB a pair", FAMILIES["collusion"].cost)
    assert len(msgspec.msgpack.encode(state)) < 1_000 * int(most)


def test_a_dealer_who_signals_to_one_player_is_named_with_him_and_who_knows_the_card_alone_is_not() -> None:
    found = find(*scenario("signals"), 101)
    assert found.round is not None
    assert found.strays == []
    assert find(*scenario("knows_with_all"), 101).false == []


# Two decisions that fit with a chance of 1/2 whatever lies there, or surely for who knows the card.
_FITS = {True: [(1 - one.share) + one.share * 2 * (1 - 0.02) for one in KNOWERS]}
_FITS[False] = [2 - one for one in _FITS[True]]


def _decided(rng: random.Random, knows: float) -> Judged:
    fits = rng.random() < (1 + knows) / 2
    return Judged(tuple(_FITS[fits]), 1, int(fits), 0.5)


def _most_against_her(rng: random.Random, hers: float, others: float, begins: int, dealers: int) -> float:
    """The most evidence against the first dealer and the player, who knows the card in such shares of the rounds."""
    state, log_e, most, turn = Signalling(), 0.0, 0.0, rng.randrange(15, 40)
    for number in range(240):
        dealer = f"D-{number // turn % dealers}"
        knows = 0.0 if number < begins else hers if dealer == "D-0" else others
        for whom, said in follow(state, dealer, "P", _decided(rng, knows), (number, number)):
            if whom == "D-0":
                log_e += said.change
                most = max(most, log_e)
    return most


@pytest.mark.thorough
@pytest.mark.parametrize("streams", [60, pytest.param(10_000, marks=pytest.mark.soak)])
@pytest.mark.parametrize(("share", "begins"), [(0.0, 0), (0.55, 0), (0.75, 60), (0.95, 0), (0.95, 60)])
def test_who_knows_the_card_with_all_dealers_is_taken_for_a_partner_as_rarely_as_promised(
    share: float, begins: int, streams: int
) -> None:
    rng = random.Random(11)
    high = sum(_most_against_her(rng, share, share, begins, 2 + n % 3) >= 3.401 for n in range(streams))
    assert high <= streams / 30  # 30 is what a pair has before it is spoken of
    if not share:
        assert sum(_most_against_her(rng, 0.95, 0.0, 0, 3) >= 9.2 for _ in range(20)) >= 18


def test_what_is_kept_of_decisions_stays_small_however_many_play() -> None:
    state, rng = Signalling(), random.Random(1)
    for number in range(3_000):
        list(follow(state, f"D-{number % 71}", f"P-{number % 13}", _decided(rng, 0.0), (number, number)))
    assert len(msgspec.msgpack.encode(state)) < 40_000
