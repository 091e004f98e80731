"""The rounds that weigh most of `pace`, `theoretical_win` and `called_void`: of late patterns, and after a clearing."""

from __future__ import annotations

from math import log
from random import Random
from typing import Any

import msgspec
import pytest

from processors.detectors.families import called_void, pace, theoretical_win
from processors.detectors.family import FAMILIES
from processors.detectors.mixture import since_heaviest
from processors.detectors.shapes import Alarm, Closed, EvidenceStanding
from processors.detectors.weighty import MOST, heaviest_since, rows_of
from processors.detectors.winning.rounds import MispaidRound
from tests.detectors.later.case import SHARE
from tests.detectors.later.play import CASES
from tests.detectors.test_called_void import _calls
from tests.detectors.test_theoretical_win import _lucky, _rounds

PLAYED = ("main", "double", "split", "lammer")
CHECKS = ("called_void.for_patrons", "pace.slower", "theoretical_win.patrons", "theoretical_win.overpaid")


def _stands(check: str, state: Any) -> EvidenceStanding:
    name, variant = check.split(".")
    family = FAMILIES[name]
    if family.entity is not None:
        people = state["dealer"] if isinstance(state, dict) else state
        told = family.entity.standing(people, {"dealer": "D"}, SHARE)
    else:
        assert family.table is not None
        assert family.table.standing is not None
        told = family.table.standing(state, "T")
    return next(one for one in told if one.variant == variant)


@pytest.mark.parametrize("check", CHECKS)
def test_after_a_clearing_the_heaviest_of_the_later_rounds_are_named_and_none_before_it(check: str) -> None:
    case, rng = CASES[check], Random(5)
    state = case.begin()
    while case.play(state, rng, True) is None:
        pass
    cleared = _stands(check, state)
    assert cleared.weighty
    assert heaviest_since(cleared.weighty, cleared.mark) == []
    for _ in range(600):
        case.play(state, rng, True)
    now = _stands(check, state)
    later = [one for one in now.weighty if one.at > cleared.mark]
    named = heaviest_since(now.weighty, cleared.mark)
    assert len(named) == MOST
    assert [one.weight for one in named] == sorted((one.weight for one in later), reverse=True)[:MOST]
    assert all(one.weight > 0 for one in now.weighty), "what says nothing is not kept"
    assert max(one.at for one in later) <= now.mark


def test_rounds_called_void_late_are_named_with_what_they_spared_patrons_and_where() -> None:
    state, alarms = called_void.OfDealer(), list[Alarm]()
    for seen in _calls([-1, 1, 2, 1] * 50 + [-1, -1, -2] * 20):
        note = msgspec.msgpack.decode(seen.note, type=called_void.Note)
        note = msgspec.structs.replace(note, seats=(2, 4))
        alarms += called_void._weigh(state, seen, note, 1.0)
    alarm = next(one for one in alarms if one.variant == "for_patrons")
    rows = alarm.observed["rounds"]
    assert len(rows) == MOST
    assert all(row["round"] > 200 and row["seats"] == [2, 4] for row in rows)
    everywhere = [row["at_every_box"] for row in rows]
    assert set(everywhere) == {True, False}
    factors = [row["factor"] for row in rows]
    assert factors == sorted(factors, reverse=True)
    assert [row["cents"] for row in rows] == [-5_000 if one else -2_500 for one in everywhere]
    assert alarm.sequences == tuple(sorted(row["round"] for row in rows))


def test_slow_rounds_of_late_are_named_beside_the_tables_pace() -> None:
    case, rng = CASES["pace.slower"], Random(5)
    state = case.begin()
    for _ in range(1_200):
        assert case.play(state, rng, False) is None
    while (alarm := case.play(state, rng, True)) is None:
        pass
    rows = alarm.observed["rounds"]
    assert len(rows) == MOST
    for row in rows:
        assert row["round"] > 1_200
        assert row["seconds_an_act"] > 1.12 * row["table_seconds_an_act"]
        assert row.keys() == {"table", "round", "seconds_an_act", "table_seconds_an_act", "factor"}
    factors = [row["factor"] for row in rows]
    assert factors == sorted(factors, reverse=True)


@pytest.mark.parametrize(("slow", "after"), [(20, 100), (30, 60), (30, 90), (40, 80)])
def test_slow_rounds_at_the_beginning_of_a_turn_are_told_and_named(slow: int, after: int) -> None:
    rng, state = Random(1), pace.OfDealer()
    usual = [3 * 1.7] * slow + [3.0] * after
    rounds = [pace.Dealt(n, 40 * n, round(log(one) + rng.gauss(0, 0.2), 4)) for n, one in enumerate(usual, 1)]
    note = pace.Note(rounds, log(3 / 1.12), log(3 * 1.12), 0.22)
    seen = next(iter(_calls([1])))
    seen = msgspec.structs.replace(seen, family="pace", whom={"dealer": "D"})
    [alarm] = pace._weigh(state, seen, note, SHARE)
    assert alarm.variant == "slower"
    assert alarm.observed["seconds_an_act"] > 1.12 * alarm.expected["table_seconds_an_act"]
    named = [row["round"] for row in alarm.observed["rounds"]]
    assert len(named) >= 3
    assert max(named) <= slow


def test_a_payment_that_lowered_the_evidence_is_not_named() -> None:
    large = MispaidRound("T", 3, 30, 3, 1.5, 2_500)
    small = MispaidRound("T", 4, 40, 4, -0.1, 50)
    assert theoretical_win._raising([large, small]) == [large]


def _numbered(closed: Closed, number: int) -> Closed:
    round_ = msgspec.structs.replace(closed.round, number=number)
    return msgspec.structs.replace(closed, sequence=10 * number, round=round_)


@pytest.mark.parametrize(("way", "variant"), [(1, "patrons"), (-1, "house")])
def test_rounds_by_the_cards_are_named_since_the_luck_began(way: int, variant: str) -> None:
    state, rounds = theoretical_win.State(), _rounds("free_bet_672a", 2, 300)
    honest = len(rounds)
    alarms = list[Alarm]()
    for number, closed in enumerate([*rounds, *_lucky(2 * rounds, way, 4)], 1):
        alarms += theoretical_win._closed(state, _numbered(closed, number))
        assert not alarms or number > honest
        if alarms:
            break
    [alarm] = alarms
    assert alarm.variant == variant
    mixture = state.patrons if variant == "patrons" else state.house
    rows = alarm.observed["weightiest"]
    assert rows == rows_of(since_heaviest(mixture, state.won[variant]))
    assert alarm.sequences == tuple(sorted(10 * row["round"] for row in rows))
    for row in rows:
        assert way * row["cents"] < 0
        assert way * (row["wagers_won"] - row["wagers_expected"]) < 0
        assert row["factor"] > 1
        assert row["seats"]
    late = [row for row in rows if row["round"] > honest]
    assert len(late) == len(rows) == MOST


def test_the_money_of_a_round_by_the_cards_is_what_the_house_was_due() -> None:
    state = theoretical_win.State()
    for number, closed in enumerate(_rounds("free_bet_672a", 2, 300), 1):
        list(theoretical_win._closed(state, _numbered(closed, number)))
        for row in rows_of(one for rounds in state.won.values() for one in rounds if one.round == number):
            stakes = [one for one in closed.result.stakes if one.kind in PLAYED]
            assert row["cents"] == -sum(one.due_cents or 0 for one in stakes)
            assert row["seats"] == sorted({one.seat for one in stakes})
