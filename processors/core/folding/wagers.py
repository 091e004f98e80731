"""Stakes and what is announced about them: placed, altered, moved, settled; offers, readers, lammers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from processors.core.anomaly import Anomaly
from processors.core.folding.cards import hand_of
from processors.core.state import Lammer, Move, Round, Stake, Table, seat_of
from schemas import events as e

Anomalies = tuple[Anomaly, ...]
NONE: Anomalies = ()
ON_A_HAND = ("main", "double", "split")


def stake_key(seat: int, kind: str, hand: str | None) -> str:
    """Name of a stake within its round: seat, kind, and the hand for stakes that lie by one."""
    if kind in ON_A_HAND:
        return f"{seat}:{kind}:{hand or f'{seat}.1'}"
    return f"{seat}:{kind}"


def stake_of(round_: Round, seat: int, kind: str, hand: str | None, sequence: int) -> Stake:
    """The stake spoken of; one that nobody placed is made with no money in it."""
    key = stake_key(seat, kind, hand)
    stake = round_.stakes.get(key)
    if stake is None:
        named = (hand or f"{seat}.1") if kind in ON_A_HAND else None
        stake = Stake(seat=seat, kind=kind, hand=named, cents=0, placed=sequence)
        round_.stakes[key] = stake
    return stake


def _placed(table: Table, sequence: int, data: e.WagerPlaced) -> Anomalies:
    round_ = table.round
    if round_ is None:
        return NONE
    stake = stake_of(round_, data.seat, data.kind, data.hand or None, sequence)
    stake.cents += data.cents
    stake.player = data.player or table.players.get(data.seat, "")
    stake.free_unit = bool(data.free_unit)
    return NONE


def _altered(table: Table, sequence: int, data: e.WagerAltered) -> Anomalies:
    if table.round is not None:
        stake_of(table.round, data.seat, data.kind, data.hand or None, sequence).cents = data.to_cents
    return NONE


def _moved(table: Table, sequence: int, data: e.WagerMoved) -> Anomalies:
    round_ = table.round
    if round_ is None or data.from_hand == data.to_hand or data.kind not in ON_A_HAND:
        return NONE
    old = stake_key(seat_of(data.from_hand), data.kind, data.from_hand)
    new = stake_key(seat_of(data.to_hand), data.kind, data.to_hand)
    stake = round_.stakes.get(old)
    if stake is not None and new not in round_.stakes:
        del round_.stakes[old]
        stake.hand = data.to_hand
        round_.stakes[new] = stake
    return NONE


def _settled(table: Table, sequence: int, data: e.WagerSettled) -> Anomalies:
    round_ = table.round
    if round_ is None:
        return NONE
    move = Move(data.outcome, data.cents, sequence, data.odds or "")
    if data.kind == "lammer":
        name = data.hand or f"{data.seat}.1"
        lammers = [lammer for lammer in round_.lammers if lammer.hand == name and lammer.kind != "envy"]
        unpaid = next((lammer for lammer in lammers if not lammer.moves), lammers[-1] if lammers else None)
        if unpaid is None:
            unpaid = Lammer(hand=name, kind="", placed=sequence)
            round_.lammers.append(unpaid)
        unpaid.moves.append(move)
    else:
        stake_of(round_, data.seat, data.kind, data.hand or None, sequence).moves.append(move)
    return NONE


def _closed(table: Table, sequence: int, data: e.BettingClosed) -> Anomalies:
    if table.round is not None and table.round.betting_closed is None:
        table.round.betting_closed = sequence
    return NONE


def _lammer_placed(table: Table, sequence: int, data: e.LammerPlaced) -> Anomalies:
    if table.round is not None:
        table.round.lammers.append(Lammer(data.hand, data.kind, sequence))
    return NONE


def _lammer_collected(table: Table, sequence: int, data: e.LammerCollected) -> Anomalies:
    if table.round is None:
        return NONE
    for lammer in table.round.lammers:
        if lammer.hand == data.hand and lammer.kind == data.kind and lammer.collected is None:
            lammer.collected = sequence
            break
    return NONE


def _insurance_offered(table: Table, sequence: int, data: e.InsuranceOffered) -> Anomalies:
    if table.round is not None:
        table.round.insurance_offered = sequence
    return NONE


def _even_money(table: Table, sequence: int, data: e.EvenMoneyTaken) -> Anomalies:
    if table.round is not None:
        hand_of(table.round, f"{data.seat}.1").even_money = sequence
    return NONE


def _read(table: Table, sequence: int, data: e.HoleCardRead) -> Anomalies:
    if table.round is not None:
        table.round.reader = (data.device, data.result, sequence)
    return NONE


def _positioned(table: Table, sequence: int, data: e.DealerHandPositioned) -> Anomalies:
    if table.round is not None:
        table.round.area = (data.area, sequence)
    return NONE


def _announced(table: Table, sequence: int, data: e.BlackjackAnnounced) -> Anomalies:
    if table.round is not None:
        hand_of(table.round, data.hand).announced = sequence
    return NONE


def _voided(table: Table, sequence: int, data: e.HandVoided) -> Anomalies:
    if table.round is not None:
        hand_of(table.round, data.hand).voided = sequence
    return NONE


def _continued(table: Table, sequence: int, data: e.HandContinued) -> Anomalies:
    if table.round is not None:
        hand_of(table.round, data.hand).continued = sequence
    return NONE


def _refused(table: Table, sequence: int, data: e.CardRefused) -> Anomalies:
    if table.round is not None:
        hand_of(table.round, f"{data.seat}.1").refused = sequence
    return NONE


def _cover_card(table: Table, sequence: int, data: e.CoverCardReached) -> Anomalies:
    if table.round is not None:
        table.round.cover_card = data.at
    return NONE


def _start_set(table: Table, sequence: int, data: e.StartingPositionSet) -> Anomalies:
    if table.round is not None:
        table.round.start = (data.position, sequence)
    return NONE


def _misdeal(table: Table, sequence: int, data: e.MisdealDetermined) -> Anomalies:
    if table.round is not None:
        table.round.misdealt = data.misdealt
    return NONE


HANDLERS: dict[type, Callable[[Table, int, Any], Anomalies]] = {
    e.WagerPlaced: _placed,
    e.WagerAltered: _altered,
    e.WagerMoved: _moved,
    e.WagerSettled: _settled,
    e.BettingClosed: _closed,
    e.LammerPlaced: _lammer_placed,
    e.LammerCollected: _lammer_collected,
    e.InsuranceOffered: _insurance_offered,
    e.EvenMoneyTaken: _even_money,
    e.HoleCardRead: _read,
    e.DealerHandPositioned: _positioned,
    e.BlackjackAnnounced: _announced,
    e.HandVoided: _voided,
    e.HandContinued: _continued,
    e.CardRefused: _refused,
    e.CoverCardReached: _cover_card,
    e.StartingPositionSet: _start_set,
    e.MisdealDetermined: _misdeal,
}
