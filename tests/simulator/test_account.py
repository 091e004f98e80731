"""The chips that the simulator counts in a tray, followed from place to place."""

from __future__ import annotations

import datetime as dt
from typing import Literal

import pytest
from msgspec import UNSET, UnsetType

from producers.simulator.day.account import TableAccount
from producers.simulator.floor.setup import usual_setup
from producers.simulator.floor.writer import TableWriter
from schemas.events import RoundStarted, WagerAltered, WagerPlaced, WagerSettled

Outcome = Literal["collect", "return", "pay"]
_OUTCOMES: dict[str, Outcome] = {"C": "collect", "R": "return", "P": "pay"}
START = dt.datetime(2026, 3, 2, 12, tzinfo=dt.UTC)


def _account() -> tuple[TableWriter, TableAccount]:
    setup = usual_setup("free_bet_672a", "T-1")
    writer = TableWriter("T-1", property_name="P", pit="1", start=START, seed=1)
    return writer, TableAccount(writer, setup)


@pytest.mark.parametrize(
    ("moves", "gained"),
    [
        ("R20", 0),
        ("C20", 20),
        ("P20 R20", -20),
        ("C20 R20", 0),
        ("R40", -20),
        ("R20 R20", -20),
        ("C20 R40", -20),
        ("R40 C20", 0),
        ("C10 R10", 10),
        ("R10 C10", 10),
        ("C20 C20 R20", 20),
        ("R10", 0),
    ],
)
@pytest.mark.parametrize("hand", [UNSET, "3.2"])
def test_a_tray_gains_what_the_chips_of_a_stake_bring_it(
    moves: str, gained: int, hand: str | UnsetType
) -> None:
    """A wager of $20 that is collected (C), returned (R) or paid (P), so many dollars each time."""
    writer, account = _account()
    before = account.tray_cents
    writer.emit(WagerPlaced(3, "main", 2_000, hand, "P-1"))
    for move in moves.split():
        writer.emit(WagerSettled(3, "main", _OUTCOMES[move[0]], 100 * int(move[1:]), hand or "3.1"))
    assert account.tray_cents - before == 100 * gained
    assert account.chips_of["P-1"] == -100 * gained


def test_a_stake_lies_as_large_as_it_was_made_and_for_its_round_alone() -> None:
    writer, account = _account()
    before = account.tray_cents
    writer.emit(WagerPlaced(seat=3, kind="main", cents=2_000))
    writer.emit(WagerAltered(seat=3, kind="main", from_cents=2_000, to_cents=4_000, by="player"))
    writer.emit(WagerSettled(seat=3, kind="main", outcome="return", cents=5_000))
    assert account.tray_cents == before - 1_000
    writer.emit(RoundStarted(round=2))
    writer.emit(WagerPlaced(seat=3, kind="main", cents=2_000))
    writer.emit(WagerSettled(seat=3, kind="main", outcome="return", cents=2_000))
    assert account.tray_cents == before - 1_000


@pytest.mark.parametrize(("letter", "gained"), [("C", 20), ("R", 0), ("P", -20)])
def test_a_stake_that_nobody_saw_put_down_is_as_large_as_what_moves(letter: str, gained: int) -> None:
    writer, account = _account()
    before = account.tray_cents
    writer.emit(WagerSettled(3, "push22", _OUTCOMES[letter], 2_000))
    assert account.tray_cents - before == 100 * gained
