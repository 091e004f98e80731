"""A shoe's whole rack, divided into its rounds."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import msgspec
import pytest

from benchmarks.rack_dealing import House, Round, Table
from deploy.cli.main import main
from processors.rack.proving.whole import WholeAnswer, decode_whole, divide
from processors.rack.solving import ProblemError, never

REST = ["2c", "3d", "4h"]


def _shoe(seed: int, rounds: int, house: House | None = None) -> tuple[list[Round], dict[str, Any]]:
    """Rounds of one shoe, a card burnt below the first and the third, and the whole rack as a problem."""
    chance = random.Random(seed)
    table = Table(house or House("free_bet_672a"), chance)
    played = [table.play(sorted(chance.sample(range(1, 7), chance.randint(1, 4)))) for _ in range(rounds)]
    rack: list[str] = []
    drawn: list[str] = []
    known = []
    for number, one in enumerate(played):
        burnt = ["9c"] if number in (0, 2) else []
        rack += burnt + one.rack
        drawn += burnt + one.drawn
        known.append({"seats": one.seats, "burnt": len(burnt)})
    problem = {
        "ruleset": played[0].house.ruleset,
        "table": played[0].house.configuration(),
        "whole_rack": rack + REST,
        "drawn": drawn,
        "rounds": known,
        "rest": len(REST),
    }
    return played, problem


def _divide(problem: dict[str, Any]) -> WholeAnswer:
    return divide(decode_whole(msgspec.json.encode(problem)), limit=1000, expired=never)


@pytest.mark.parametrize("ruleset", ["free_bet_590", "free_bet_672a", "down_under_685a"])
def test_the_draw_order_divides_a_whole_shoe_into_the_rounds_that_were_played(ruleset: str) -> None:
    played, problem = _shoe(3, 30, House(ruleset))
    answer = _divide(problem)
    assert (answer.count, answer.complete, answer.unique) == (1, True, True)
    place = 0
    for one, found in zip(played, answer.rounds, strict=True):
        place += problem["rounds"][found.round - 1]["burnt"]
        assert found.lies == ((place, place + len(one.rack)),)
        place += len(one.rack)
        assert found.answer is not None
        assert one.truth(named=True) in [row.hands for row in found.answer.reconstructions]
    assert place + len(REST) == len(problem["whole_rack"])


def test_without_the_draw_order_the_true_division_is_one_of_those_counted() -> None:
    for seed in range(4):
        played, problem = _shoe(seed, 2)
        problem["drawn"] = None
        answer = _divide(problem)
        assert answer.count >= 1
        assert (1, 1 + len(played[0].rack)) in answer.rounds[0].lies
        assert (answer.count == 1) == answer.unique
        if answer.count > 1:
            assert "open where" in answer.message


def test_draw_orders_round_by_round_do_as_well_as_that_of_the_shoe() -> None:
    played, problem = _shoe(8, 12)
    problem["drawn"] = None
    for one, known in zip(played, problem["rounds"], strict=True):
        known["drawn"] = one.drawn
    assert _divide(problem).unique is True


def test_two_cards_exchanged_name_the_round_that_fits_nowhere() -> None:
    played, problem = _shoe(5, 12)
    below = 2 + sum(len(one.rack) for one in played[:6])
    rack = problem["whole_rack"]
    other = next(place for place in range(below + 1, len(rack)) if rack[place] != rack[below])
    rack[below], rack[other] = rack[other], rack[below]
    answer = _divide(problem)
    assert (answer.count, answer.complete, answer.unique) == (0, True, False)
    assert answer.stuck is not None
    assert answer.stuck.round == 7
    assert answer.stuck.begins == below
    assert "round 7 fits nowhere" in answer.message


def test_more_burnt_cards_than_the_shoe_gave_up_fit_nowhere() -> None:
    _, problem = _shoe(5, 2)
    problem["rounds"][0]["burnt"] = len(problem["drawn"]) + 1
    problem["drawn"] = ["??"] * len(problem["drawn"])
    answer = _divide(problem)
    assert answer.stuck is not None
    assert (answer.stuck.round, answer.stuck.begins) == (1, 0)


def test_unread_cards_and_an_upcard_are_taken_as_they_are() -> None:
    played, problem = _shoe(6, 6)
    problem["whole_rack"][4] = "??"
    problem["rounds"][1]["upcard"] = played[1].hands["D"][0]
    assert _divide(problem).count >= 1
    problem["rounds"][1]["upcard"] = "As" if played[1].hands["D"][0] != "As" else "2s"
    answer = _divide(problem)
    assert answer.stuck is not None
    assert answer.stuck.round == 2


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"rounds": []}, "$.rounds"),
        ({"rest": 4000}, "$.rest"),
        ({"drawn": ["As"]}, "$.drawn"),
        ({"rounds": [{"seats": [1, 9]}]}, "$.rounds[0].seats[1]"),
        ({"whole_rack": ["Jo"]}, "$.whole_rack[0]"),
        ({"rounds": [{"seat": [1]}]}, "$.rounds[0]"),
    ],
)
def test_what_no_whole_rack_can_be_is_refused_with_its_place(change: dict[str, Any], path: str) -> None:
    with pytest.raises(ProblemError) as refused:
        decode_whole(msgspec.json.encode(_shoe(1, 2)[1] | change))
    assert refused.value.path == path


def test_the_command_takes_a_whole_rack(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, problem = _shoe(2, 5)
    path = tmp_path / "shoe.json"
    path.write_text(json.dumps(problem), "utf-8")
    assert main(["rack", str(path)]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["unique"] is True
    assert [row["round"] for row in answer["rounds"]] == [1, 2, 3, 4, 5]
