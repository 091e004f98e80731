"""Rounds of the published streams, computed a second time from their bare JSON, agree cent by cent."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from deploy.replay.run import replay
from deploy.replay.sources import find
from tests.golden.facts import DEALING_SHOES as STACK_RULESETS
from tests.golden.facts import PlainRound, plain_rounds
from tests.golden.settlement import Judge, natural, points

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

Key = tuple[int, str, str | None]


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that `replay` wrote."""
    folder = tmp_path_factory.mktemp("replayed")
    replay(find([EXAMPLES / f"{name}.ndjson" for name in (*IN_ORDER, *WRONG)]), folder)
    return folder


@pytest.fixture(scope="module")
def replayed(out: Path) -> dict[str, list[dict[str, Any]]]:
    """The rounds that `replay` writes, by stream."""
    return _by_stream(out / "rounds.ndjson")


def _by_stream(path: Path) -> dict[str, list[dict[str, Any]]]:
    by_stream: dict[str, list[dict[str, Any]]] = {}
    for line in path.read_text("utf-8").splitlines():
        entry = json.loads(line)
        by_stream.setdefault(entry["file"], []).append(entry)
    return by_stream


@cache
def _plain(name: str) -> tuple[PlainRound, ...]:
    return tuple(plain_rounds(EXAMPLES / f"{name}.ndjson"))


def _pairs(name: str, rounds: dict[str, list[dict[str, Any]]]) -> list[tuple[PlainRound, dict[str, Any]]]:
    assert len(_plain(name)) == len(rounds[name]) > 3
    return list(zip(_plain(name), rounds[name], strict=True))


@pytest.mark.parametrize("name", IN_ORDER)
def test_every_round_is_there_with_its_identity_and_its_evidence(
    name: str, replayed: dict[str, list[dict[str, Any]]]
) -> None:
    for plain, round_ in _pairs(name, replayed):
        said = {
            key: round_[key] for key in ("round", "shoe", "gaming_day", "first_sequence", "last_sequence")
        }
        assert said == {
            "round": plain.number,
            "shoe": plain.shoe,
            "gaming_day": plain.day,
            "first_sequence": plain.first,
            "last_sequence": plain.last,
        }
        assert round_["ruleset"] == EXPECTED[name]["ruleset"]
        assert (round_["status"], round_["missing"]) == ("void" if plain.void else "consistent", [])


@pytest.mark.parametrize("name", IN_ORDER)
def test_every_hand_has_its_cards_in_deal_order_and_the_event_that_proves_each(
    name: str, replayed: dict[str, list[dict[str, Any]]]
) -> None:
    for plain, round_ in _pairs(name, replayed):
        assert {hand: line["cards"] for hand, line in round_["hands"].items()} == plain.cards
        shown = {hand: line["sequences"] for hand, line in round_["hands"].items() if line["cards"]}
        assert shown == plain.shown_by


@pytest.mark.parametrize("name", BLACKJACK)
def test_every_hand_has_its_total_softness_result_and_parent(
    name: str, replayed: dict[str, list[dict[str, Any]]]
) -> None:
    for plain, round_ in _pairs(name, replayed):
        judge = Judge(plain)
        for hand, line in round_["hands"].items():
            limit = 22 if hand == "D" and judge.down_under else 21
            assert (line["total"], line["soft"]) == points(plain.cards[hand], limit)
            assert line["from"] == plain.parent.get(hand)
            assert line["result"] == _result(plain, hand, limit, judge), (plain.number, hand)


def _result(plain: PlainRound, hand: str, limit: int, judge: Judge) -> str:
    cards = plain.cards[hand]
    if hand in plain.dead:
        return "dead"
    if hand in plain.surrendered:
        return "surrender"
    if judge.dealer_natural if hand == "D" else natural(cards) and hand not in plain.split:
        return "blackjack"
    if points(cards, limit)[0] > limit:
        return "bust"
    return "double" if hand in plain.doubled else "stand"


@pytest.mark.parametrize("name", BLACKJACK)
def test_every_stake_is_due_what_the_chapter_says_and_got_it(
    name: str, replayed: dict[str, list[dict[str, Any]]]
) -> None:
    for plain, round_ in _pairs(name, replayed):
        judge = Judge(plain)
        staked, expected, observed = _reported(round_)
        assert staked == plain.staked
        assert expected == {key: judge.stake(*key, cents) for key, cents in plain.staked.items()}
        assert observed == {key: _moved(moves) for key, moves in plain.moves.items()}
        assert observed == expected  # these streams settle every stake as they should


@pytest.mark.parametrize("name", BLACKJACK)
def test_every_lammer_is_paid_its_unit_or_leaves_unpaid(
    name: str, replayed: dict[str, list[dict[str, Any]]]
) -> None:
    for plain, round_ in _pairs(name, replayed):
        judge = Judge(plain)
        lines = [stake for stake in round_["stakes"] if stake["kind"] == "lammer"]
        expected = Counter((hand, *judge.lammer(hand)) for hand in plain.lammers)
        paid = Counter(plain.lammer_pays)
        assert Counter((s["hand"], *_pair(s["expected"])) for s in lines) == expected
        assert Counter((s["hand"], *_pair(s["observed"])) for s in lines) == expected
        assert (
            Counter({(hand, cents): n for (hand, how, cents), n in expected.items() if how == "pay"}) == paid
        )


@pytest.mark.parametrize("name", IN_ORDER)
def test_the_patrons_result_is_the_chips_that_came_back_less_those_laid_down(
    name: str, replayed: dict[str, list[dict[str, Any]]]
) -> None:
    for plain, round_ in _pairs(name, replayed):
        net = sum(cents for _, cents in plain.lammer_pays)
        for key, moves in plain.moves.items():
            back = sum(cents for how, cents in moves if how != "collect")
            back += plain.staked[key] if any(how == "pay" for how, _ in moves) else 0
            net += back - plain.staked[key]
        assert round_["net_cents"] == net


@pytest.mark.parametrize("name", IN_ORDER)
def test_the_rack_is_read_as_it_lies_and_a_lawful_pickup_is_what_was_expected(
    name: str, replayed: dict[str, list[dict[str, Any]]]
) -> None:
    for plain, round_ in _pairs(name, replayed):
        assert round_["rack"]["observed"] == plain.rack
        assert round_["rack"]["agrees"] is (None if plain.void else True)
        if not plain.void:
            assert len(round_["rack"]["expected"]) == len(plain.rack)


@pytest.mark.parametrize("name", DEALING_SHOES)
def test_a_stack_game_owes_every_wager_back_when_void_and_is_not_judged_otherwise(
    name: str, replayed: dict[str, list[dict[str, Any]]]
) -> None:
    for plain, round_ in _pairs(name, replayed):
        staked, expected, observed = _reported(round_)
        assert staked == plain.staked
        assert expected == {key: ("return", cents) if plain.void else None for key, cents in staked.items()}
        assert observed == {key: _moved(moves) for key, moves in plain.moves.items()}
        assert all("total" not in line and "soft" not in line for line in round_["hands"].values())
        if plain.void:
            assert observed == expected


@pytest.mark.parametrize("name", WRONG)
def test_what_was_done_wrong_does_not_change_what_was_due(
    name: str, replayed: dict[str, list[dict[str, Any]]]
) -> None:
    for plain, round_ in _pairs(name, replayed):
        judge = Judge(plain)
        staked, expected, _ = _reported(round_)
        assert staked == plain.staked
        assert expected == {key: judge.stake(*key, cents) for key, cents in plain.staked.items()}


@pytest.mark.parametrize("name", ["breach_overpay", "breach_dealer22_paid", "breach_mtd_wrong_pay"])
def test_a_stake_that_did_not_get_its_due_has_one_finding_with_the_money_it_cost(
    name: str, replayed: dict[str, list[dict[str, Any]]], out: Path
) -> None:
    wrong = []
    for plain, round_ in _pairs(name, replayed):
        judge = Judge(plain)
        for key, moves in plain.moves.items():
            due, seen = judge.stake(*key, plain.staked[key]), _moved(moves)
            if due != seen:
                wrong.append((round_["round"], key[0], _worth(due) - _worth(seen)))
    findings = [f for f in _by_stream(out / "findings.ndjson")[name] if f["verdict"] == "breached"]
    assert [(f["round"], f["seat"], f["money_cents"]) for f in findings] == wrong
    assert len(wrong) == 1


def _worth(settlement: tuple[str, int]) -> int:
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


def _reported(round_: dict[str, Any]) -> tuple[dict[Key, int], dict[Key, Any], dict[Key, Any]]:
    stakes = [stake for stake in round_["stakes"] if stake["kind"] != "lammer"]
    keys = [(stake["seat"], stake["kind"], stake["hand"]) for stake in stakes]
    assert len(set(keys)) == len(keys)
    staked = {key: stake["staked_cents"] for key, stake in zip(keys, stakes, strict=True)}
    expected = {key: _pair(stake["expected"]) for key, stake in zip(keys, stakes, strict=True)}
    return staked, expected, {key: _pair(stake["observed"]) for key, stake in zip(keys, stakes, strict=True)}


def _pair(settlement: dict[str, Any] | None) -> Any:
    return (settlement["outcome"], settlement["cents"]) if settlement is not None else None


def _moved(moves: list[tuple[str, int]]) -> tuple[str, int]:
    """A surrender's two halves count as the half that is lost; every other stake of these streams moves once."""
    if len(moves) == 2:
        (lost, half), (kept, rest) = sorted(moves)
        assert (lost, kept) == ("collect", "return")
        assert half >= rest
        return lost, half
    (only,) = moves
    return only
