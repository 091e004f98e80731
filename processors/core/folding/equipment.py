"""Approvals, people and devices: facts that checks of procedure need, folded from their events."""

from __future__ import annotations

from processors.core.facts_equipment import Approval, BatchDelivery, Inspection
from processors.core.handlers import Handlers
from processors.core.state import Table
from schemas import events as e


def _configured(table: Table, sequence: int, data: e.TableConfigured) -> None:
    table.equipment.unregistered = 0
    table.equipment.unknown_seat = 0


def _approved(table: Table, sequence: int, data: e.ApprovalRecorded) -> None:
    approvals = table.equipment.approvals
    known = approvals.get(data.matter)
    if known is None or data.approved_on < known.approved_on:
        approvals[data.matter] = Approval(data.approved_on, sequence)


def _day(table: Table, sequence: int, data: e.GamingDayStarted) -> None:
    facts = table.equipment
    facts.day_judged = False
    facts.inspections.clear()
    facts.floorpersons = [table.floorperson] if table.floorperson else []


def _floorperson(table: Table, sequence: int, data: e.FloorpersonAssigned) -> None:
    if data.staff not in table.equipment.floorpersons:
        table.equipment.floorpersons.append(data.staff)


def _inspected(table: Table, sequence: int, data: e.DeviceInspected) -> None:
    facts = table.equipment
    facts.inspections.append(Inspection(data.device, data.staff, sequence))
    facts.defects.pop(data.device, None)
    if data.tampered or not data.working:
        facts.defects[data.device] = sequence
        if data.device in facts.defects_told:
            facts.defects_told.remove(data.device)


def _fault(table: Table, sequence: int, data: e.DeviceFault) -> None:
    facts = table.equipment
    facts.faults[data.device] = sequence
    if data.device in facts.faults_told:
        facts.faults_told.remove(data.device)


def _restored(table: Table, sequence: int, data: e.DeviceRestored) -> None:
    facts = table.equipment
    facts.faults.pop(data.device, None)
    facts.defects.pop(data.device, None)


def _drawn(table: Table, sequence: int, data: e.CardDrawn) -> None:
    facts = table.equipment
    if facts.faults and table.round is not None:
        facts.faults_told = list(facts.faults)


def _received(table: Table, sequence: int, data: e.DecksReceived) -> None:
    facts = table.equipment
    before = facts.deliveries.pop(data.batch, None)
    delivery = BatchDelivery(data.batch, data.decks, data.cards, data.design, data.back_colour, sequence)
    delivery.mixed = before is not None and (before.design, before.colour) != (
        data.design,
        data.back_colour,
    )
    facts.deliveries[data.batch] = delivery
    facts.decks_judged = False


def _removed(table: Table, sequence: int, data: e.DecksRemoved) -> None:
    table.equipment.deliveries.pop(data.batch, None)
    table.equipment.decks_judged = False


def _shuffle(table: Table, sequence: int, data: e.ShuffleStarted) -> None:
    if data.method == "device" and table.config is not None and table.config.shuffler == "none":
        table.equipment.unregistered = sequence


def _arrived(table: Table, sequence: int, data: e.PlayerArrived) -> None:
    config = table.config
    if config is not None and data.seat > config.seats:
        table.equipment.unknown_seat = sequence


def _wagered(table: Table, sequence: int, data: e.WagerPlaced) -> None:
    config = table.config
    if config is not None and data.seat > config.seats:
        table.equipment.unknown_seat = sequence
    if data.kind == "main" and data.cents:
        who = data.player or patron_at(table, data.seat)
        if who not in table.equipment.bettors_now:
            table.equipment.bettors_now.append(who)


def patron_at(table: Table, seat: int) -> str:
    """The patron's pseudonym, or `seat <n>` where no arrival is on record."""
    return table.players.get(seat) or f"seat {seat}"


def _round_started(table: Table, sequence: int, data: e.RoundStarted) -> None:
    facts = table.equipment
    facts.judged = table.configured_at
    facts.decks_judged = facts.day_judged = True
    facts.defects_told = list(facts.defects)
    # A device that shuffles by itself takes the rack back after every round; only a new load is a reshuffle.
    if facts.shuffled_for != table.shoe.loaded_at:
        facts.shuffled_for = table.shoe.loaded_at
        facts.rounds_since_shuffle = 0
        facts.bettors.clear()
        facts.last_bettors = []
    else:
        facts.rounds_since_shuffle += 1
        facts.last_bettors = facts.bettors_now
        for who in facts.last_bettors:
            facts.bettors[who] = facts.bettors.get(who, 0) + 1
    facts.bettors_now = []


def _read(table: Table, sequence: int, data: e.HoleCardRead) -> None:
    facts = table.equipment
    if facts.faults and table.round is not None:
        facts.faults_told = list(facts.faults)
    if facts.defects:
        facts.defects_told = list(facts.defects)


HANDLERS: Handlers = {
    e.TableConfigured: _configured,
    e.ApprovalRecorded: _approved,
    e.GamingDayStarted: _day,
    e.FloorpersonAssigned: _floorperson,
    e.DeviceInspected: _inspected,
    e.DeviceFault: _fault,
    e.DeviceRestored: _restored,
    e.CardDrawn: _drawn,
    e.DecksReceived: _received,
    e.DecksRemoved: _removed,
    e.ShuffleStarted: _shuffle,
    e.PlayerArrived: _arrived,
    e.WagerPlaced: _wagered,
    e.RoundStarted: _round_started,
    e.HoleCardRead: _read,
}
