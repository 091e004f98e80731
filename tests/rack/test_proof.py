"""What a round's rack proves, as the pipeline says it, against the whole search and against disturbed records."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

import msgspec
import pytest

from benchmarks.rack_dealing import House, Table
from processors.pipeline import TablePipeline
from processors.rack.problem import decode_problem
from processors.rack.proving.dealt import Budget, Spent, dealt_rounds
from processors.rack.proving.unread import MOST_UNREAD, TOO_MANY
from processors.rack.proving.whole import decode_whole, divide
from processors.rack.solving import never
from producers.simulator.session import simulate_table
from schemas.events.codec import record_hash
from schemas.rounds import RoundResult
from schemas.values import Ruleset
from tests.pipeline.simulated import setup_of
from tests.rack.asking import ask
from tests.rack.small_problems import RULESETS, any_house
from tests.rack.streams import StreamRound, rounds_of
from tests.sampling import one_in

BLACKJACK: tuple[Ruleset, ...] = ("free_bet_590", "free_bet_672a", "down_under_685a")


def _results(lines: Iterable[bytes], *, proofs: bool = True) -> dict[int, RoundResult]:
    kept = list(lines)
    pipeline = TablePipeline(json.loads(kept[0])["subject"], proofs=proofs, detect=False)
    found = [result for line in kept for result in pipeline.advance(line).rounds]
    return {result.round: result for result in (*found, *pipeline.finish().rounds)}


def _class_by_whole_search(played: StreamRound) -> tuple[str, bool | None]:
    """The four problems solved to the end, weakest evidence first."""
    seats = sorted(played.seats)
    strongest = ask(played.problem(seats=seats, drawn=played.drawn))
    if ask(played.problem()).unique:
        return "rack alone", strongest.money_unique
    if ask(played.problem(seats=seats)).unique:
        return "rack and seats", strongest.money_unique
    return "rack and draw order" if strongest.unique else "not unique", strongest.money_unique


def _agree(ruleset: Ruleset, seed: int, rounds: int) -> Counter[str]:
    lines = list(simulate_table(setup_of(ruleset, seed), rounds, seed))
    results = _results(lines)
    seen: Counter[str] = Counter()
    for played in rounds_of(lines):
        if played.odd:
            continue
        rack = results[played.number].rack
        assert rack.no_proof is None, (seed, played.number, rack.no_proof)
        assert (rack.proof, rack.money_unique) == _class_by_whole_search(played), (seed, played.number)
        assert rack.divergence is None
        seen[str(rack.proof)] += 1
    return seen


@pytest.mark.parametrize("ruleset", one_in(3, BLACKJACK, 1))
def test_the_class_of_proof_is_that_of_four_whole_searches(ruleset: Ruleset) -> None:
    assert sum(_agree(ruleset, 3, 12).values()) > 5


@pytest.mark.thorough
@pytest.mark.parametrize(
    "seed", [*range(3), *(pytest.param(n, marks=pytest.mark.soak) for n in range(3, 30))]
)
@pytest.mark.parametrize("ruleset", one_in(3, BLACKJACK))
def test_the_class_of_proof_is_that_of_four_whole_searches_at_many_tables(
    ruleset: Ruleset, seed: int
) -> None:
    assert _agree(ruleset, 100 + seed, 20)


@pytest.mark.thorough
@pytest.mark.parametrize("ruleset", one_in(3, RULESETS))
def test_the_truth_is_among_the_answers_of_a_thousand_rounds_with_known_seats(ruleset: str) -> None:
    chance = random.Random(f"thousand {ruleset}")
    for _ in range(334):
        house = House(**{**any_house(chance, 6).__dict__, "ruleset": ruleset})
        played = Table(house, chance, chance.choice(("steady", "wild"))).play(
            sorted(chance.sample(range(1, 7), chance.choice((1, 2, 2, 3, 3, 4))))
        )
        answer = ask(played.problem("seats"))
        assert played.truth(named=True) in [row.hands for row in answer.reconstructions], played


@pytest.mark.parametrize("ruleset", one_in(3, RULESETS, 1))
def test_the_search_by_draw_order_finds_what_the_whole_search_finds(ruleset: str) -> None:
    chance = random.Random(f"drawn {ruleset}")
    for _ in range(60):
        house = House(**{**any_house(chance, 6).__dict__, "ruleset": ruleset})
        played = Table(house, chance, "wild").play(sorted(chance.sample(range(1, 7), chance.randint(1, 5))))
        problem = decode_problem(msgspec.json.encode(played.problem("seats", "drawn")))
        answer = ask(played.problem("seats", "drawn"))
        found = list(
            dealt_rounds(
                problem.house, problem.rack, len(played.seats), problem.drawn or (), Budget(1_000_000)
            )
        )
        assert len({(one.seats, one.dealer) for one in found}) == answer.count
        ends = [set().union(*ways) for ways in zip(*(one.laying.ends for one in found), strict=True)]
        assert all(len(ways) == 1 for ways in ends) == answer.money_unique, played


def test_the_budget_bounds_the_search_in_hands_and_not_in_time() -> None:
    played = Table(House("free_bet_672a"), random.Random(1)).play([1, 2, 3, 4, 5, 6])
    problem = decode_problem(msgspec.json.encode(played.problem("seats", "drawn")))

    def spent(hands: int) -> int:
        budget = Budget(hands)
        list(dealt_rounds(problem.house, problem.rack, 6, problem.drawn or (), budget))
        return hands - budget.left

    assert spent(10_000) == spent(20_000) > 6
    with pytest.raises(Spent):
        spent(5)


def _changed(lines: Iterable[bytes], change: Callable[[str, dict[str, Any]], None]) -> list[bytes]:
    """The stream with events changed and the chain made anew."""
    head, out = "0" * 64, []
    for line in lines:
        event = json.loads(line)
        change(event["type"].removeprefix("catwalk.v1."), event["data"])
        event["prevhash"] = head
        out.append(json.dumps(event, separators=(",", ":")).encode())
        head = record_hash(out[-1])
    return out


def _lawful(rounds: int = 8) -> list[bytes]:
    return list(simulate_table(setup_of("free_bet_672a", 5, shuffler="none"), rounds, 5))


def test_a_hand_racked_upside_down_is_named_with_its_card_and_its_place() -> None:
    lines = _lawful()
    turned: list[tuple[str, list[str]]] = []

    def turn(name: str, data: dict[str, Any]) -> None:
        if name == "cards_racked" and not turned and len(set(data["cards"])) == len(data["cards"]) > 1:
            turned.append((data["hand"], data["cards"]))
            data["cards"] = data["cards"][::-1]

    results = _results(_changed(lines, turn))
    diverging = [result for result in results.values() if result.rack.divergence is not None]
    assert len(diverging) == 1
    first = diverging[0].rack.divergence
    hand, cards = turned[0]
    assert first is not None
    assert (first.hand, first.card, first.expected, first.observed) == (hand, 1, cards[0], cards[-1])
    assert diverging[0].rack.observed[first.index] == cards[-1]
    assert diverging[0].rack.proof is None
    assert diverging[0].rack.no_proof
    checks = {result.round: result.findings for result in results.values() if result.findings}
    assert list(checks) == [diverging[0].round], "the breach is said once, by the rack's own checks"


def test_cards_nobody_read_in_the_rack_leave_the_proof_to_the_draw_order() -> None:
    def unread(name: str, data: dict[str, Any]) -> None:
        if name == "cards_racked" and data["hand"] == "D":
            data["cards"][0] = "??"

    results = _results(_changed(_lawful(4), unread))
    proofs = Counter(result.rack.proof for result in results.values() if result.rack.observed)
    assert proofs["rack and draw order"] + proofs["rack and seats"] + proofs["rack alone"] == sum(
        proofs.values()
    )


def test_many_cards_nobody_read_are_not_searched_over() -> None:
    def unread(name: str, data: dict[str, Any]) -> None:
        if name == "cards_racked":
            data["cards"] = ["??"] * len(data["cards"])

    results = _results(_changed(_lawful(4), unread))
    why = {result.rack.no_proof for result in results.values() if len(result.rack.observed) > MOST_UNREAD}
    assert TOO_MANY in why
    assert all(
        result.rack.proof is None for result in results.values() if len(result.rack.observed) > MOST_UNREAD
    )


def test_stack_games_and_irregular_rounds_say_why_nothing_is_proven() -> None:
    results = _results(simulate_table(setup_of("fortune_670a10", 1), 3, 1))
    assert {result.rack.no_proof for result in results.values()} == {
        "a stack game: the solver knows Blackjack only"
    }
    assert {result.rack.proof for result in results.values()} == {None}


def test_the_weighing_can_be_left_out_and_everything_else_stays() -> None:
    lines = _lawful()
    weighed, plain = _results(lines), _results(lines, proofs=False)
    assert {result.rack.proof for result in plain.values()} == {None}
    assert weighed.keys() == plain.keys()
    for number, result in weighed.items():
        unweighed = {"proof": None, "no_proof": None, "money_unique": None, "in_shoe": None}
        rack = msgspec.structs.replace(result.rack, **unweighed)
        assert msgspec.structs.replace(result, rack=rack) == plain[number]


def test_each_round_says_where_it_lies_in_its_shoes_rack_and_the_whole_rack_divides_there() -> None:
    lines = list(simulate_table(setup_of("down_under_685a", 1, shuffler="none", dealer_cards="last"), 12, 1))
    results = _results(lines)
    played = [one for one in rounds_of(lines) if not one.odd]
    first = next(one for one in played if _begins(results, one) == 1)
    shoe = results[first.number].shoe
    of_shoe = [one for one in played if results[one.number].shoe == shoe]
    whole: list[str] = []
    drawn: list[str] = []
    known = []
    for one in of_shoe:
        burnt = _begins(results, one) - len(whole)
        whole += ["??"] * burnt + one.rack
        drawn += ["??"] * burnt + one.drawn
        known.append({"seats": sorted(one.seats), "burnt": burnt})
    stated = first.problem() | {"whole_rack": whole, "drawn": drawn, "rounds": known}
    del stated["rack"]
    answer = divide(decode_whole(msgspec.json.encode(stated)), limit=100, expired=never)
    assert answer.unique
    assert len(of_shoe) > 3
    for one, found in zip(of_shoe, answer.rounds, strict=True):
        place = results[one.number].rack.in_shoe
        assert place is not None
        assert found.lies == ((place.begins, place.ends),)
        assert place.same_cards


def _begins(results: dict[int, RoundResult], played: StreamRound) -> int:
    place = results[played.number].rack.in_shoe
    return place.begins if place is not None else -1


def test_a_card_that_never_reached_the_rack_is_missed_in_its_own_round_only() -> None:
    lost: list[str] = []

    def lose(name: str, data: dict[str, Any]) -> None:
        if name == "cards_racked" and data["hand"] == "D" and not lost:
            lost.append(data["cards"].pop())

    results = _results(_changed(_lawful(), lose))
    places = [result.rack.in_shoe for result in results.values()]
    assert [place.same_cards for place in places if place is not None].count(False) == 1
