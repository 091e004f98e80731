"""Whether a round as it was reported agrees with its plain reading, hand by hand and cent by cent."""

from __future__ import annotations

from collections import Counter
from typing import Any

from tests.golden.facts import DEALING_SHOES, PlainRound
from tests.golden.settlement import Due, Judge, natural, points

Key = tuple[int, str, str | None]
Row = dict[str, Any]


def assert_round(plain: PlainRound, round_: Row) -> None:
    """The reported round is the plain one; nothing was done wrong in it."""
    assert_identity(plain, round_)
    assert_cards(plain, round_)
    assert_money(plain, round_)
    if plain.table["ruleset"] in DEALING_SHOES:
        assert_stack_stakes(plain, round_)
    else:
        assert_hands(plain, round_)
        assert_dues(plain, round_)
        assert_settled(plain, round_)
        assert_lammers(plain, round_)
    assert_rack(plain, round_)


def assert_identity(plain: PlainRound, round_: Row) -> None:
    """Number, shoe, day, evidence range, and a status that fits."""
    assert round_["round"] == plain.number
    assert round_["shoe"] == plain.shoe
    assert round_["gaming_day"] == plain.day
    assert (round_["first_sequence"], round_["last_sequence"]) == (plain.first, plain.last)
    assert round_["ruleset"] == plain.table["ruleset"]
    assert (round_["status"], round_["missing"]) == ("void" if plain.void else "consistent", [])


def assert_cards(plain: PlainRound, round_: Row) -> None:
    """Cards in deal order, and the event that proves each."""
    assert {hand: line["cards"] for hand, line in round_["hands"].items()} == plain.cards
    proved = {hand: line["sequences"] for hand, line in round_["hands"].items() if line["cards"]}
    assert proved == plain.shown_by


def assert_hands(plain: PlainRound, round_: Row) -> None:
    """Totals, softness, results, parents."""
    judge = Judge(plain)
    for hand, line in round_["hands"].items():
        limit = 22 if hand == "D" and judge.down_under else 21
        assert (line["total"], line["soft"]) == points(plain.cards[hand], limit), hand
        assert line["from"] == plain.parent.get(hand), hand
        assert line["result"] == _result(plain, hand, limit, judge), hand


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


def assert_dues(plain: PlainRound, round_: Row) -> None:
    """What was staked, and what the chapter says each stake is due."""
    judge = Judge(plain)
    assert _column(round_, "staked_cents") == plain.staked
    assert _settlements(round_, "expected") == {
        key: judge.stake(*key, staked) for key, staked in plain.staked.items()
    }


def assert_settled(plain: PlainRound, round_: Row) -> None:
    """What was seen to move, and that it was what was due."""
    moved = {key: amounts_to(plain.staked[key], moves) for key, moves in plain.moves.items()}
    assert {key: seen for key, seen in _settlements(round_, "observed").items() if seen} == moved
    judge = Judge(plain)
    for key, staked in plain.staked.items():
        waits = plain.cards[f"{key[0]}.1"] == [] and key not in moved  # a dead hand's wager may wait (12(g))
        assert waits or moved[key] == judge.stake(*key, staked), key


def amounts_to(staked: int, moves: list[tuple[str, int]]) -> Due:
    """What the movements of one stake come to: winnings, else what of it did not come back, else all of it."""
    if any(how == "pay" for how, _ in moves):
        return "pay", sum(cents for how, cents in moves if how == "pay")
    lost = staked - sum(cents for how, cents in moves if how == "return")
    return ("collect", lost) if lost else ("return", staked)


def assert_lammers(plain: PlainRound, round_: Row) -> None:
    """Every lammer is paid its unit or leaves unpaid."""
    judge = Judge(plain)
    lines = [stake for stake in round_["stakes"] if stake["kind"] == "lammer"]
    due = Counter((hand, *judge.lammer(hand)) for hand in plain.lammers)
    assert Counter((line["hand"], *(_pair(line["expected"]) or ())) for line in lines) == due
    assert Counter((line["hand"], *(_pair(line["observed"]) or ())) for line in lines) == due
    paid = Counter({(hand, cents): count for (hand, how, cents), count in due.items() if how == "pay"})
    assert paid == Counter(plain.lammer_pays)


def assert_money(plain: PlainRound, round_: Row) -> None:
    """The patrons' result is the chips that came back less those laid down."""
    net = sum(cents for _, cents in plain.lammer_pays)
    for key, moves in plain.moves.items():
        back = sum(cents for how, cents in moves if how != "collect")
        back += plain.staked[key] if any(how == "pay" for how, _ in moves) else 0
        net += back - plain.staked[key]
    assert round_["net_cents"] == net


def assert_rack(plain: PlainRound, round_: Row) -> None:
    """The rack as it lies, and that a lawful pickup is what was expected."""
    assert round_["rack"]["observed"] == plain.rack
    assert round_["rack"]["agrees"] is (None if plain.void else True)
    if not plain.void:
        assert len(round_["rack"]["expected"]) == len(plain.rack)


def assert_stack_stakes(plain: PlainRound, round_: Row) -> None:
    """A void round owes every wager back; who wins otherwise is for other sections to say."""
    observed = _settlements(round_, "observed")
    expected = {key: ("return", staked) if plain.void else None for key, staked in plain.staked.items()}
    assert _column(round_, "staked_cents") == plain.staked
    assert _settlements(round_, "expected") == expected
    assert observed == {key: amounts_to(plain.staked[key], moves) for key, moves in plain.moves.items()}
    assert all("total" not in line and "soft" not in line for line in round_["hands"].values())
    assert not plain.void or observed == expected


def _column(round_: Row, name: str) -> dict[Key, Any]:
    stakes = [stake for stake in round_["stakes"] if stake["kind"] != "lammer"]
    column = {(stake["seat"], stake["kind"], stake["hand"]): stake[name] for stake in stakes}
    assert len(column) == len(stakes)
    return column


def _settlements(round_: Row, name: str) -> dict[Key, Due | None]:
    return {key: _pair(settlement) for key, settlement in _column(round_, name).items()}


def _pair(settlement: Row | None) -> Due | None:
    return (settlement["outcome"], settlement["cents"]) if settlement is not None else None
