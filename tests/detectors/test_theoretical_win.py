"""The win by the cards against exact play: drifts are named, luck, bad play and wrong payments are not."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import msgspec
import pytest

from processors.core.state import Round
from processors.detectors.families import theoretical_win
from processors.detectors.families.theoretical_win import (
    HOUSE,
    PAID,
    PATRONS,
    STRETCH,
    TOLERATED,
    WEIGHTS,
    factors,
    shares,
)
from processors.detectors.family import FAMILIES
from processors.detectors.mixture import fresh, weigh
from processors.detectors.shapes import Alarm, Closed
from processors.detectors.stages.table_stage import TableStage
from processors.detectors.winning.boxes import PlayedBox, boxes
from processors.pipeline import TablePipeline
from processors.play.boxes import BoxPlay, RoundPlay, edge_of
from producers.simulator.patterns.catalogue import CATALOGUE
from producers.simulator.patterns.playing import scenes
from schemas.rounds import Settlement, StakeResult
from schemas.values import Ruleset
from tests.detectors.worlds import Change, Course, Event, changed, mispaid, suspected, table
from tests.play.games import FREE, TEMPORARY, UNDER
from tests.sampling import one_in

EDGE = 0.004


@cache
def _rounds(ruleset: Ruleset, seed: int, number: int) -> tuple[Closed, ...]:
    """The rounds of a lawful table as its families are told of them."""
    kept: list[Closed] = []
    pipeline = TablePipeline(f"S-{seed}", proofs=False)

    class Kept(TableStage):
        def closed(
            self, table: Any, round_: Round, result: Any, play: RoundPlay, *, ended: bool, late: bool
        ) -> None:
            kept.append(Closed(table, round_, result, "", 0, table.time, ended, True, play))

    pipeline._detectors = Kept()
    for line in table(seed, number, ruleset):
        pipeline.advance(line)
    return tuple(kept)


def _round(rng: random.Random, mean: float, number: int) -> list[PlayedBox]:
    """Boxes against one dealer, of which one in eight is raised; a main wager wins `mean` on average."""
    dealer, found = rng.random(), []
    for _ in range(number):
        own = (dealer if rng.random() < 0.4 else rng.random()) - mean / 2
        if rng.random() < 0.125:
            kind, most = ("double", 2.0) if rng.random() < 0.7 else ("split", 4.0)
            worth = rng.choice((0.5, -0.5)) + mean
            won = most if rng.random() < 0.5 + worth / (2 * most) else -most
            found.append(PlayedBox(won, BoxPlay(raised=kind, worth=worth)))
        else:  # 1.5 in 1 of 20, 1 in 8, lost in 9 and a half, the rest returned: 0 on average
            won = 1.5 if own < 0.05 else 1.0 if own < 0.45 else 0.0 if own < 0.525 else -1.0
            found.append(PlayedBox(won, BoxPlay()))
    return found


def _mean_of(mean: float) -> float:
    """What `_round` gives a main wager on average."""
    rng = random.Random(5)
    found = [box.won for _ in range(20_000) for box in _round(rng, mean, 2)]
    return sum(found) / len(found)


@cache
def _at_edge(edge: float) -> float:
    """The parameter of `_round` at which a main wager wins just this much."""
    low, high = -0.3, 0.3
    for _ in range(12):
        middle = (low + high) / 2
        low, high = (middle, high) if _mean_of(middle) < edge else (low, middle)
    return low


def _highest(rng: random.Random, mean: float, rounds: int) -> tuple[float, float]:
    patrons, house = fresh(len(PATRONS)), fresh(len(HOUSE))
    for _ in range(rounds):
        found = _round(rng, mean, rng.randrange(1, 6))
        weigh(patrons, factors(found, EDGE, 1, PATRONS), STRETCH)
        weigh(house, factors(found, EDGE, -1, HOUSE), STRETCH)
    return patrons.highest, house.highest


@pytest.mark.thorough
@pytest.mark.parametrize("streams", [200, pytest.param(10_000, marks=pytest.mark.soak)])
def test_alarms_of_lawful_tables_are_as_rare_as_promised(streams: int) -> None:
    rng = random.Random(3)
    best, worst = _at_edge(TOLERATED - EDGE), _at_edge(-TOLERATED - EDGE)
    assert sum(_highest(rng, best, 120)[0] >= 20 for _ in range(streams)) <= 0.05 * streams
    assert sum(_highest(rng, worst, 120)[1] >= 20 for _ in range(streams)) <= 0.05 * streams


@pytest.mark.thorough
@pytest.mark.parametrize(("drift", "rounds"), one_in(3, [(0.4, 200), (0.3, 350), (0.2, 800)]))
def test_drifts_are_named_within_the_rounds_that_their_variance_asks_for(drift: float, rounds: int) -> None:
    """Median over eleven tables of three boxes, either way."""
    for sign, bets, weight in ((1, PATRONS, WEIGHTS["patrons"]), (-1, HOUSE, WEIGHTS["house"])):
        needed, mean = list[int](), _at_edge(-EDGE) + sign * drift
        for seed in range(11):
            rng, mixture = random.Random(seed), fresh(3)
            while weight * mixture.value() < 1e4:
                weigh(mixture, factors(_round(rng, mean, 3), EDGE, sign, bets), STRETCH)
            needed.append(mixture.rounds)
        assert sorted(needed)[5] <= rounds


def test_forty_one_wins_in_a_row_are_named() -> None:
    mixture = fresh(len(PATRONS))
    while WEIGHTS["patrons"] * mixture.value() < 1e4:
        weigh(mixture, factors([PlayedBox(1.0, BoxPlay())], EDGE, 1, PATRONS), STRETCH)
    assert mixture.rounds <= 36


@pytest.mark.thorough
def test_what_once_looked_like_a_loss_of_four_fifths_of_a_per_cent_is_no_suspicion() -> None:
    """166,000 hands at Down Under tables that gave the patrons 0.80 %, where the rules give the house 0.034 %."""
    rng, mixtures = random.Random(8), (fresh(len(PATRONS)), fresh(len(HOUSE)))
    mean = _at_edge(0.008)
    edge = edge_of(UNDER)
    for _ in range(166_000 // 4):
        found = _round(rng, mean, 4)
        weigh(mixtures[0], factors(found, edge, 1, PATRONS), STRETCH)
        weigh(mixtures[1], factors(found, edge, -1, HOUSE), STRETCH)
    assert max(mixture.highest for mixture in mixtures) < 20


@pytest.mark.parametrize(
    "ruleset",
    [
        "free_bet_672a",
        *(pytest.param(one, marks=pytest.mark.soak) for one in ("down_under_685a", "free_bet_590")),
    ],
)
def test_lawful_tables_raise_nothing_and_win_what_rules_and_decisions_make_them(ruleset: Ruleset) -> None:
    game = {"free_bet_672a": FREE, "down_under_685a": UNDER, "free_bet_590": TEMPORARY}[ruleset]
    state, found = theoretical_win.State(), list[PlayedBox]()
    for closed in _rounds(ruleset, 2, 300 if ruleset == "free_bet_672a" else 120):
        assert list(theoretical_win._closed(state, closed)) == []
        found += boxes(closed) or []
    assert state.rounds >= 120
    assert max(state.patrons.highest, state.house.highest) < 100
    assert state.patrons.counted[1] == pytest.approx(-sum(box.won for box in found))
    assert all(0.0 <= box.play.before <= box.play.given + 1e-9 for box in found)
    whole = sum(box.won + box.play.given for box in found) / len(found)
    assert abs(whole + edge_of(game)) < 4 * 1.2 * 1.4 / len(found) ** 0.5


def _lucky(rounds: tuple[Closed, ...], way: int, seed: int) -> Iterator[Closed]:
    """The rounds of a table of which each that goes the other way is dealt in one case of ten."""
    rng = random.Random(seed)
    for one in rounds:
        if way * sum(stake.due_cents or 0 for stake in one.result.stakes) >= 0 or (rng.random() < 0.1):
            yield one


@pytest.mark.parametrize(("way", "variant"), [(1, "patrons"), (-1, "house")])
def test_cards_that_favour_one_side_are_named(way: int, variant: str) -> None:
    state = theoretical_win.State()
    rounds = _rounds("free_bet_672a", 2, 300)
    alarms = [one for closed in _lucky(2 * rounds, way, 4) for one in theoretical_win._closed(state, closed)]
    assert {one.variant for one in alarms} == {variant}
    assert len(msgspec.msgpack.encode(state)) < 5_000


def test_the_message_says_what_the_cards_gave_and_what_they_should() -> None:
    state = theoretical_win.State()
    alarms = [one for closed in _lucky(_rounds("free_bet_672a", 2, 300), 1, 4)
              for one in theoretical_win._closed(state, closed)]  # fmt: skip
    assert alarms[0].message == (
        "Over 378 main wagers in 76 rounds the cards gave the house -46.2 % of a wager; the rules and the players' "
        "decisions make it +8.6 %: chance hardly leaves so little."
    )


def test_payments_that_are_wrong_in_one_hand_of_thirty_are_another_familys_matter() -> None:
    found = suspected(changed(table(1, 100), mispaid(0.035, 3, way="patrons", nth=-1)))
    assert {one.check for one in found} == {"pattern.dealer_mispay.for_patrons"}


@pytest.mark.parametrize(("name", "variant"), [("pushes_taken", "underpaid"), ("pushes_paid", "overpaid")])
def test_a_dealer_who_takes_or_pays_what_pushed_is_seen_in_the_win_of_the_table(
    name: str, variant: str
) -> None:
    [scene] = scenes(CATALOGUE[name], None, 31)
    lines = list(scene.lines)
    found = [one for one in suspected(lines) if one.check.startswith("pattern.theoretical_win")]
    assert [(one.check.rpartition(".")[2], one.about) for one in found] == [
        (variant, {"table": scene.subject})
    ]
    seen = found[0].observed
    before = [
        cents
        for number, cents in scene.play.offences
        if seen["since_round"] <= number <= (found[0].round or 0)
    ]
    assert (seen["boxes_mispaid"], seen["cents"]) == (len(before), sum(before))
    assert len(before) < 50
    assert f"${sum(before) / 100:,.2f}" in found[0].message


def _returned(factor: float) -> Change:
    """Main wagers that are due back go back by this factor, but for halves of surrendered ones."""
    course, tray, surrendered = Course(), 0, set[str]()

    def change(event: Event) -> list[Event]:
        nonlocal tray
        kind, data = course.take(event), event["data"]
        if kind == "round_started":
            surrendered.clear()
        if kind == "inventory_counted":
            data["cents"] += tray
            data.pop("chips", None)
        if kind == "player_decision" and data["kind"] == "surrender":
            surrendered.add(data["hand"])
        pushed = kind == "wager_settled" and (data["kind"], data["outcome"]) == ("main", "return")
        if pushed and data.get("hand", f"{data['seat']}.1") not in surrendered:
            due, data["cents"] = data["cents"], int(data["cents"] * factor)
            tray += due - data["cents"]
        return [event]

    return change


@pytest.mark.parametrize(
    ("factor", "variants"),
    [
        (0.5, {"pattern.theoretical_win.underpaid", "pattern.dealer_mispay.for_house"}),
        (1.0, set[str]()),
        (2.0, {"pattern.theoretical_win.overpaid", "pattern.dealer_mispay.for_patrons"}),
    ],
)
def test_pushes_that_go_back_by_half_or_double_are_seen_and_the_tray_agrees(
    factor: float, variants: set[str]
) -> None:
    assert {one.check for one in suspected(changed(table(1, 60), _returned(factor)))} == variants


@pytest.mark.thorough
@pytest.mark.parametrize("streams", [400, pytest.param(10_000, marks=pytest.mark.soak)])
def test_payments_that_move_what_the_null_allows_alarm_as_rarely_as_promised(streams: int) -> None:
    """One wager of a hundred moves wrongly: one box at a time, or all boxes of a round at once."""
    rng, alarms = random.Random(9), 0
    for number in range(streams):
        mixture, together = fresh(len(PAID)), number % 2
        for _ in range(200):
            boxes_ = rng.randrange(1, 6)
            if together:
                share = float(rng.random() < TOLERATED)
            else:
                share = sum(rng.random() < TOLERATED for _ in range(boxes_)) / boxes_
            weigh(mixture, shares(share, 0), STRETCH)
        alarms += mixture.highest >= 20
    assert alarms <= 0.05 * streams


def _paid_wrongly(closed: Closed, sign: int, wrong: Callable[[StakeResult], bool], number: int) -> Closed:
    """The round by that number, of which some main wagers move wrongly by their amount, for patrons if `sign` is 1."""
    stakes, breached = [], False
    for stake in closed.result.stakes:
        due = stake.due_cents
        if due is not None and stake.kind == "main" and wrong(stake):
            net, breached = due + sign * stake.staked_cents, True
            moved = Settlement("pay" if net > 0 else "collect", abs(net))
            stake = msgspec.structs.replace(stake, observed=moved)
        stakes.append(stake)
    if not breached:
        return closed
    return msgspec.structs.replace(
        closed,
        sequence=10 * number,
        round=msgspec.structs.replace(closed.round, number=number, findings={"f": True}),
        result=msgspec.structs.replace(closed.result, stakes=tuple(stakes)),
    )


def _pay(state: theoretical_win.State, closed: Closed) -> list[Alarm]:
    number = len({stake.seat for stake in closed.result.stakes if stake.kind == "main"})
    state.rounds += 1
    state.boxes += number
    return list(theoretical_win._paid(state, closed, number))


def _pushed(stake: StakeResult) -> bool:
    return stake.expected is not None and stake.expected.outcome == "return"


@pytest.mark.thorough
@pytest.mark.parametrize("streams", [300, pytest.param(4_000, marks=pytest.mark.soak)])
def test_tables_that_move_what_the_null_allows_are_as_rarely_suspected(streams: int) -> None:
    """Rounds of a table, most of them paid rightly; one main wager of a hundred moves wrongly, each way in turn."""
    rng, rounds, high = random.Random(10), _rounds("free_bet_672a", 2, 300), 0
    for stream in range(streams):
        state, sign = theoretical_win.State(), 1 - 2 * (stream % 2)
        for number in range(1, 201):
            wrong = _paid_wrongly(rng.choice(rounds), sign, lambda _: rng.random() < TOLERATED, number)
            _pay(state, wrong)
        assert state.overpaid.mixture.rounds + state.quiet == state.rounds == 200
        high += max(state.overpaid.mixture.highest, state.underpaid.mixture.highest) >= 20
    assert high <= 0.05 * streams


def _turned_late(errors: int) -> list[Alarm]:
    """A dealer who takes pushes after 1,000 honest rounds, in which one wager of 300 was paid wrongly; `errors`: later.

    They go the other way.
    """
    rng, rounds, state = random.Random(11), _rounds("free_bet_672a", 2, 300), theoretical_win.State()
    for number in range(1, 1001):
        honest = _paid_wrongly(rng.choice(rounds), -1, lambda _: rng.random() < 1 / 300, number)
        assert _pay(state, honest) == []
    alarms, number = list[Alarm](), 1000
    while not alarms:
        number += 1
        closed = rng.choice(rounds)
        if errors and number % errors == 0:
            alarms = _pay(state, _paid_wrongly(closed, 1, lambda stake: not _pushed(stake), number))
        else:
            alarms = _pay(state, _paid_wrongly(closed, -1, _pushed, number))
    assert len(msgspec.msgpack.encode(state)) < 4_000
    return alarms


@pytest.mark.parametrize("errors", [0, 9])
def test_of_a_dealer_who_turns_late_the_latest_stretch_is_told(errors: int) -> None:
    [alarm] = _turned_late(errors)
    seen, first = alarm.observed, alarm.observed["since_round"]
    assert alarm.variant == "underpaid"
    assert 980 < first < 1040
    assert seen["rounds_mispaid"] <= seen["boxes_mispaid"] < seen["wagers"] < 500
    assert seen["boxes_mispaid"] > 3 * TOLERATED * seen["wagers"]
    assert seen["boxes_pushed"] >= seen["boxes_mispaid"] - 1
    assert alarm.message.startswith(
        f"Since round {first:,}, over {seen['wagers']} main wagers in {seen['rounds_played']} rounds, patrons got "
        f"${seen['cents'] / 100:,.2f} less than was due at {seen['boxes_mispaid']} boxes in {seen['rounds_mispaid']} "
    )
    rows = seen["rounds"]
    assert len(rows) == min(10, seen["rounds_mispaid"])
    assert alarm.sequences == tuple(sorted(10 * row["round"] for row in rows))
    assert all(row["round"] >= first and row["cents"] < 0 and row["seats"] for row in rows)
    assert [row["factor"] for row in rows] == sorted((row["factor"] for row in rows), reverse=True)
    back = seen["boxes_mispaid_the_other_way"]
    said = f", and ${seen['cents_the_other_way'] / 100:,.2f} more at {back}: "
    assert bool(back) is (said in alarm.message) is bool(errors)


@pytest.mark.parametrize("quiet", [1, 7])
def test_rounds_paid_rightly_weigh_the_same_one_by_one_and_together(quiet: int) -> None:
    one_by_one = [
        math.prod(factors_) for factors_ in zip(*[shares(0.0, 0)] * quiet, shares(0.5, 0), strict=True)
    ]
    assert shares(0.5, quiet) == pytest.approx(one_by_one)
    assert shares(None, quiet) == pytest.approx([one**quiet for one in shares(0.0, 0)])


def test_the_family_names_the_table() -> None:
    assert FAMILIES["theoretical_win"].about == ("table",)
