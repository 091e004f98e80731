"""Rounds of the published streams, computed a second time from their bare JSON, agree cent by cent."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from deploy.replay.run import replay
from deploy.replay.sources import find
from tests.golden.agreement import (
    Row,
    assert_cards,
    assert_dues,
    assert_hands,
    assert_identity,
    assert_lammers,
    assert_money,
    assert_rack,
    assert_settled,
    assert_stack_stakes,
)
from tests.golden.facts import DEALING_SHOES as STACK_RULESETS
from tests.golden.facts import PlainRound, plain_rounds
from tests.golden.settlement import Due, Judge

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
EXPECTED = json.loads((EXAMPLES / "expect.json").read_text("utf-8"))
IN_ORDER = sorted(name for name in EXPECTED if name.startswith(("lawful_", "irregular_")))
BLACKJACK = [name for name in IN_ORDER if EXPECTED[name]["ruleset"] not in STACK_RULESETS]
WRONG = sorted(
    name
    for name in EXPECTED
    if name.startswith("breach_") and EXPECTED[name]["ruleset"] not in STACK_RULESETS
)
DEALING_SHOES = [name for name in IN_ORDER if EXPECTED[name]["ruleset"] in STACK_RULESETS]

Agrees = Callable[[PlainRound, Row], None]


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that `replay` wrote."""
    folder = tmp_path_factory.mktemp("replayed")
    replay(find([EXAMPLES / f"{name}.ndjson" for name in (*IN_ORDER, *WRONG)]), folder)
    return folder


@pytest.fixture(scope="module")
def replayed(out: Path) -> dict[str, list[Row]]:
    """The rounds that `replay` writes, by stream."""
    return _by_stream(out / "rounds.ndjson")


def _by_stream(path: Path) -> dict[str, list[Row]]:
    by_stream: dict[str, list[Row]] = {}
    for line in path.read_text("utf-8").splitlines():
        entry = json.loads(line)
        by_stream.setdefault(entry["file"], []).append(entry)
    return by_stream


@cache
def _plain(name: str) -> tuple[PlainRound, ...]:
    return tuple(plain_rounds((EXAMPLES / f"{name}.ndjson").read_bytes().splitlines()))


def _pairs(name: str, rounds: dict[str, list[Row]]) -> list[tuple[PlainRound, Row]]:
    assert len(_plain(name)) == len(rounds[name]) > 3
    return list(zip(_plain(name), rounds[name], strict=True))


@pytest.mark.parametrize("name", IN_ORDER)
@pytest.mark.parametrize("agrees", [assert_identity, assert_cards, assert_money, assert_rack])
def test_every_round_is_told_as_it_was_dealt_paid_and_racked(
    name: str, agrees: Agrees, replayed: dict[str, list[Row]]
) -> None:
    for plain, round_ in _pairs(name, replayed):
        agrees(plain, round_)


@pytest.mark.parametrize("name", BLACKJACK)
@pytest.mark.parametrize("agrees", [assert_hands, assert_dues, assert_settled, assert_lammers])
def test_every_hand_and_stake_of_a_blackjack_round_ends_as_the_chapter_says(
    name: str, agrees: Agrees, replayed: dict[str, list[Row]]
) -> None:
    for plain, round_ in _pairs(name, replayed):
        agrees(plain, round_)


@pytest.mark.parametrize("name", DEALING_SHOES)
def test_a_stack_game_owes_every_wager_back_when_void_and_is_not_judged_otherwise(
    name: str, replayed: dict[str, list[Row]]
) -> None:
    for plain, round_ in _pairs(name, replayed):
        assert_stack_stakes(plain, round_)


@pytest.mark.parametrize("name", WRONG)
def test_what_was_done_wrong_does_not_change_what_was_due(name: str, replayed: dict[str, list[Row]]) -> None:
    for plain, round_ in _pairs(name, replayed):
        assert_dues(plain, round_)


@pytest.mark.parametrize("name", ["breach_overpay", "breach_dealer22_paid", "breach_mtd_wrong_pay"])
def test_a_stake_that_did_not_get_its_due_has_one_finding_with_the_money_it_cost(
    name: str, replayed: dict[str, list[Row]], out: Path
) -> None:
    wrong = []
    for plain, round_ in _pairs(name, replayed):
        judge = Judge(plain)
        for key, moves in plain.moves.items():
            due, seen = judge.stake(*key, plain.staked[key]), _single(moves)
            if due != seen:
                wrong.append((round_["round"], key[0], _worth(due) - _worth(seen)))
    findings = [f for f in _by_stream(out / "findings.ndjson")[name] if f["verdict"] == "breached"]
    assert [(f["round"], f["seat"], f["money_cents"]) for f in findings] == wrong
    assert len(wrong) == 1


def _single(moves: list[Due]) -> Due:
    """The one movement of a stake; of a surrender's two, what was taken."""
    return min(moves)


def _worth(settlement: Due) -> int:
    return {"pay": 1, "collect": -1, "return": 0}[settlement[0]] * settlement[1]


def test_the_streams_hold_what_these_tests_are_about() -> None:
    rounds = [plain for name in BLACKJACK for plain in _plain(name)]
    hands = [hand for plain in rounds for hand in plain.cards]
    assert len(rounds) > 200
    assert any(plain.surrendered for plain in rounds)
    assert any(plain.even_money for plain in rounds)
    assert any(Judge(plain).dealer_natural for plain in rounds)
    assert any(Judge(plain).total == 22 for plain in rounds)
    assert any(hand.endswith(".3") for hand in hands)
    assert any(plain.dead for plain in rounds)
    assert any(plain.void for name in DEALING_SHOES for plain in _plain(name))
