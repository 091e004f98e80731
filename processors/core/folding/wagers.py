"""Stakes placed, altered, moved and settled, lammers, and what else the record notes of a round or of a hand."""

from __future__ import annotations

from operator import attrgetter
from typing import Any

from processors.core.folding.cards import hand_of
from processors.core.handlers import Handler, Handlers
from processors.core.state import (
    ON_A_HAND,
    Lammer,
    Move,
    Round,
    Stake,
    Table,
    hand_named,
    seat_of,
    stake_key,
)
from schemas import events as e


def stake_of(round_: Round, seat: int, kind: str, hand: str | None, sequence: int) -> Stake:
    """The stake of this name; if nobody placed it, one without money is made."""
    key = stake_key(seat, kind, hand)
    stake = round_.stakes.get(key)
    if stake is None:
        named = hand_named(seat, hand) if kind in ON_A_HAND else None
        stake = Stake(seat=seat, kind=kind, hand=named, cents=0, placed=sequence)
        round_.stakes[key] = stake
    return stake


def _placed(table: Table, sequence: int, data: e.WagerPlaced) -> None:
    round_ = table.round
    if round_ is None:
        return
    stake = stake_of(round_, data.seat, data.kind, data.hand or None, sequence)
    stake.cents += data.cents
    stake.player = data.player or table.players.get(data.seat, "")
    stake.free_unit = bool(data.free_unit)


def _altered(table: Table, sequence: int, data: e.WagerAltered) -> None:
    if table.round is not None:
        stake_of(table.round, data.seat, data.kind, data.hand or None, sequence).cents = data.to_cents


def _moved(table: Table, sequence: int, data: e.WagerMoved) -> None:
    round_ = table.round
    if round_ is None or data.from_hand == data.to_hand or data.kind not in ON_A_HAND:
        return
    old = stake_key(seat_of(data.from_hand), data.kind, data.from_hand)
    new = stake_key(seat_of(data.to_hand), data.kind, data.to_hand)
    stake = round_.stakes.get(old)
    if stake is not None and new not in round_.stakes:
        del round_.stakes[old]
        stake.hand = data.to_hand
        round_.stakes[new] = stake


def lammer_of(round_: Round, hand: str, outcome: str) -> Lammer | None:
    """The lammer of a hand for which money moves: one not paid yet, or the last that was; None if the hand has none."""
    lammers = [lammer for lammer in round_.lammers if lammer.hand == hand and lammer.kind != "envy"]
    paid = [lammer for lammer in lammers if lammer.moves]
    if outcome == "take_back" and paid:
        return paid[-1]
    return next((lammer for lammer in lammers if not lammer.moves), lammers[-1] if lammers else None)


def has_moved(round_: Round, data: e.WagerSettled) -> bool:
    """Whether money moved before for the stake of a settlement, or for its lammer."""
    if data.kind == "lammer":
        lammer = lammer_of(round_, hand_named(data.seat, data.hand), data.outcome)
        return lammer is not None and bool(lammer.moves)
    stake = round_.stakes.get(stake_key(data.seat, data.kind, data.hand))
    return stake is not None and bool(stake.moves)


def move_of(data: e.WagerSettled | e.WinningsTakenBack, sequence: int) -> Move:
    """The money that an event moves for a stake."""
    if isinstance(data, e.WinningsTakenBack):
        return Move("take_back", data.cents, sequence)
    return Move(data.outcome, data.cents, sequence, data.odds or "")


def _settled(table: Table, sequence: int, data: e.WagerSettled | e.WinningsTakenBack) -> None:
    round_ = table.round
    if round_ is None:
        return
    move = move_of(data, sequence)
    if data.kind == "lammer":
        name = hand_named(data.seat, data.hand)
        lammer = lammer_of(round_, name, move.outcome)
        if lammer is None:
            lammer = Lammer(hand=name, kind="", placed=sequence)
            round_.lammers.append(lammer)
        lammer.moves.append(move)
    else:
        stake_of(round_, data.seat, data.kind, data.hand or None, sequence).moves.append(move)


def _closed(table: Table, sequence: int, data: e.BettingClosed) -> None:
    if table.round is not None and table.round.betting_closed is None:
        table.round.betting_closed = sequence


def _lammer_placed(table: Table, sequence: int, data: e.LammerPlaced) -> None:
    if table.round is not None:
        table.round.lammers.append(Lammer(data.hand, data.kind, sequence))


def _lammer_collected(table: Table, sequence: int, data: e.LammerCollected) -> None:
    if table.round is None:
        return
    for lammer in table.round.lammers:
        if lammer.hand == data.hand and lammer.kind == data.kind and lammer.collected is None:
            lammer.collected = sequence
            break


def _of_round(field: str, *parts: str, when: bool = True) -> Handler:
    """Notes in one field of the round these parts of an event, then its sequence unless `when` is False."""
    read = attrgetter(*parts) if parts else None

    def note(table: Table, sequence: int, data: Any) -> None:
        if table.round is None:
            return
        fact: Any = read(data) if read is not None else sequence
        if parts and when:
            fact = (*fact, sequence) if len(parts) > 1 else (fact, sequence)
        setattr(table.round, field, fact)

    return note


def _of_hand(field: str) -> Handler:
    """Notes the sequence of an event in one field of the hand it names, or of the first hand of its seat."""

    def note(table: Table, sequence: int, data: Any) -> None:
        if table.round is not None:
            name = data.hand if hasattr(data, "hand") else f"{data.seat}.1"
            setattr(hand_of(table.round, name), field, sequence)

    return note


def _tucked(table: Table, sequence: int, data: e.CardsTucked) -> None:
    if table.round is not None:
        hand_of(table.round, data.hand).tucked = (data.under, sequence)


HANDLERS: Handlers = {
    e.WagerPlaced: _placed,
    e.WagerAltered: _altered,
    e.WagerMoved: _moved,
    e.WagerSettled: _settled,
    e.WinningsTakenBack: _settled,
    e.LammerPlaced: _lammer_placed,
    e.LammerCollected: _lammer_collected,
    e.BettingClosed: _closed,
    e.InsuranceOffered: _of_round("insurance_offered"),
    e.HoleCardRead: _of_round("reader", "device", "result"),
    e.DealerHandPositioned: _of_round("area", "area"),
    e.CoverCardReached: _of_round("cover_card", "at", when=False),
    e.StartingPositionSet: _of_round("start", "position"),
    e.MisdealDetermined: _of_round("misdealt", "misdealt", when=False),
    e.StubRemoved: _of_round("stub_removed"),
    e.StubCounted: _of_round("stub_counted", "cards"),
    e.RoundVoided: _of_round("voided"),
    e.CardsTucked: _tucked,
    e.EvenMoneyTaken: _of_hand("even_money"),
    e.BlackjackAnnounced: _of_hand("announced"),
    e.HandVoided: _of_hand("voided"),
    e.HandContinued: _of_hand("continued"),
    e.CardRefused: _of_hand("refused"),
}
