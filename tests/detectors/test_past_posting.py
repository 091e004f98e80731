"""Players whose stakes follow the result: raised on hands that win, cut on hands that lose; and others in luck."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from functools import cache

import msgspec
import pytest

from processors.detectors.families.past_posting import Hand, Note, OfPlayer, _weigh
from processors.detectors.shapes import Observation
from schemas.findings import Finding
from tests.detectors.shoes import dealt, restaked, untouched
from tests.detectors.worlds import Event, changed, kind_of, observed, suspected, weighed
from tests.sampling import one_in

ROUNDS = 320
Hands = Callable[[Hand], Hand]


@cache
def _table(seed: int) -> tuple[bytes, ...]:
    return tuple(dealt(untouched, seed, ROUNDS, patrons=(2, 2), max_cents=1_000_000, boxes_per_player=1))


@cache
def _notes(seed: int) -> tuple[Observation, ...]:
    """What a lawful table has to say of the stakes of its two players."""
    return tuple(one for one in observed(_table(seed))[1] if one.family == "past_posting")


def _with_stakes(seed: int, player: int, change: Hands) -> list[Finding]:
    """What is suspected if the hands of one player are changed."""
    found = []
    for one in _notes(seed):
        note = msgspec.msgpack.decode(one.note, type=Note)
        if one.nth == player:
            note = Note([change(hand) for hand in note.hands], note.sides)
        found.append(msgspec.structs.replace(one, note=msgspec.Raw(msgspec.msgpack.encode(note))))
    return weighed(found)


def _scaled(factor: float, won: float, lost: float, seed: int) -> Hands:
    rng = random.Random(seed)

    def change(hand: Hand) -> Hand:
        chosen = rng.random() < (won if hand.won else lost)
        return Hand(int(hand.cents * factor), hand.won, hand.late) if chosen else hand

    return change


def test_stakes_tripled_on_winning_hands_are_named_in_the_stream() -> None:
    lines = list(_table(1))
    seat = next(int(line.split(b'"seat":')[1][:1]) for line in lines if b"player_arrived" in line)
    found = suspected(restaked(lines, 1, 3.0, 0.6, 0.03, seat))
    assert [one.check for one in found] == ["pattern.past_posting.raised"]
    (one,) = found
    assert isinstance(one.about, dict)
    assert list(one.about) == ["player"]
    assert one.observed["won"] > one.expected["won_by_chance"]
    assert one.bound
    assert one.sequences


@pytest.mark.parametrize("seed", one_in(5, range(10)))
def test_stakes_tripled_on_winning_hands_are_named(seed: int) -> None:
    one, *_ = _with_stakes(2, 1, _scaled(3.0, 0.6, 0.03, seed))
    assert one.check == "pattern.past_posting.raised"
    assert (one.round or 0) <= 280


@pytest.mark.parametrize("seed", one_in(5, range(5)))
def test_stakes_cut_on_losing_hands_are_named(seed: int) -> None:
    one, *_ = _with_stakes(1, 1, _scaled(0.25, 0.02, 0.6, seed))
    assert one.check == "pattern.past_posting.cut"


def test_stakes_that_come_late_and_win_are_named() -> None:
    rng = random.Random(3)

    def late(hand: Hand) -> Hand:
        return Hand(hand.cents, hand.won, rng.random() < (0.7 if hand.won else 0.02))

    (one,) = _with_stakes(2, 1, late)
    assert one.check == "pattern.past_posting.late"


@pytest.mark.parametrize(
    ("variant", "by", "won", "lost"), [("capped", 1, 0.7, 0.02), ("pinched", -1, 0.02, 0.7)]
)
def test_stakes_that_are_changed_before_the_call_and_fit_the_result_are_named(
    variant: str, by: int, won: float, lost: float
) -> None:
    rng = random.Random(3)

    def altered(hand: Hand) -> Hand:
        chosen = rng.random() < (won if hand.won else lost)
        return Hand(hand.cents, hand.won, hand.late, by if chosen else 0)

    (one,) = _with_stakes(2, 1, altered)
    assert one.check == f"pattern.past_posting.{variant}"


def test_a_stake_changed_at_whim_before_the_call_raises_nothing() -> None:
    for seed in range(30):
        rng = random.Random(seed)

        def altered(hand: Hand, rng: random.Random = rng) -> Hand:
            return Hand(hand.cents, hand.won, hand.late, rng.choice((-1, 0, 0, 1)))

        assert _with_stakes(1 + seed % 2, 1, altered) == []


@pytest.mark.parametrize(("variant", "first", "won"), [("capped", 0.5, True), ("pinched", 2.0, False)])
def test_stakes_that_change_on_the_layout_before_the_call_are_named_in_the_stream(
    variant: str, first: float, won: bool
) -> None:
    """The stake that is settled stays; it lay there smaller, or larger, before."""
    lines = list(_table(1))
    seat = next(int(line.split(b'"seat":')[1][:1]) for line in lines if b"player_arrived" in line)
    found = suspected(_changing(lines, seat, first, won=won))
    assert f"pattern.past_posting.{variant}" in {one.check for one in found}


def _changing(lines: list[bytes], seat: int, first: float, *, won: bool) -> list[bytes]:
    """The stream in which the seat's stake is laid with a part of it, or more, in rounds that end so."""
    chosen, round_ = set(), 0
    for event in map(json.loads, lines):
        kind, data = kind_of(event), event["data"]
        round_ = data["round"] if kind == "round_started" else round_
        ends = kind == "wager_settled" and data["kind"] == "main" and data["seat"] == seat
        if ends and data["outcome"] == ("pay" if won else "collect"):
            chosen.add(round_)
    now = 0

    def change(event: Event) -> list[Event]:
        nonlocal now
        kind, data = kind_of(event), event["data"]
        now = data["round"] if kind == "round_started" else now
        if now not in chosen or kind != "wager_placed" or data["kind"] != "main" or data["seat"] != seat:
            return [event]
        before = int(data["cents"] * first) // 100 * 100
        altered = {
            "seat": seat,
            "kind": "main",
            "from_cents": before,
            "to_cents": data["cents"],
            "by": "player",
        }
        then = event | {"type": event["type"].replace("wager_placed", "wager_altered"), "data": altered}
        return [event | {"data": data | {"cents": before}}, then]

    return changed(lines, change)


@pytest.mark.parametrize("chance", one_in(3, [0.1, 0.3, 0.5], 1))
@pytest.mark.parametrize("factor", [0.3, 3.0])
def test_stakes_changed_at_whim_raise_nothing_even_the_luckiest_of_thirty(
    chance: float, factor: float
) -> None:
    for seed in range(30):
        assert _with_stakes(1 + seed % 2, 1, _scaled(factor, chance, chance, seed)) == []


def test_side_wagers_that_win_too_often_are_named() -> None:
    rng = random.Random(4)
    notes = []
    for one in _notes(1):
        note = Note([], {"push22": rng.random() < 0.4})
        notes.append(msgspec.structs.replace(one, note=msgspec.Raw(msgspec.msgpack.encode(note))))
    assert {one.check for one in weighed(notes)} == {"pattern.past_posting.side"}


def test_a_round_in_which_both_side_wagers_won_is_named_once_with_the_money_of_both() -> None:
    staked = {"push22": (2, 500), "match_dealer": (2, 700)}
    alone, both = (
        [
            msgspec.structs.replace(one, note=msgspec.Raw(msgspec.msgpack.encode(Note([], won, staked))))
            for one in _notes(1)
        ]
        for won in ({"push22": True}, {"push22": True, "match_dealer": True})
    )
    found = weighed(both)
    assert found
    for one in found:
        assert isinstance(one.observed, dict)
        rows = one.observed["rounds"]
        assert len({(row["table"], row["round"]) for row in rows}) == len(rows)
        assert {(*row["seats"], row["cents"]) for row in rows} == {(2, 1_200)}
    assert _weight_of_first(both) > _weight_of_first(alone) > 0


def _weight_of_first(notes: list[Observation]) -> float:
    state = OfPlayer()
    list(_weigh(state, notes[0], msgspec.msgpack.decode(notes[0].note, type=Note), 1.0))
    [one] = state.side_rounds
    return one.weight
