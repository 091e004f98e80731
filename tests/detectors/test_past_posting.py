"""Players whose stakes follow the result: raised on hands that win, cut on hands that lose; and others in luck."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache

import msgspec
import pytest

from processors.detectors.families.past_posting import Hand, Note
from processors.detectors.shapes import Observation
from schemas.findings import Finding
from tests.detectors.shoes import dealt, restaked, untouched
from tests.detectors.worlds import observed, suspected, weighed
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
