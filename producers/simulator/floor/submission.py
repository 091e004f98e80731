"""The rules submission of a table, and the approvals on file for it."""

from __future__ import annotations

import datetime as dt

from producers.simulator.floor.setup import TableSetup
from producers.simulator.floor.writer import TableWriter
from schemas.events import ApprovalRecorded
from schemas.events.people import Matter


def submit(writer: TableWriter, setup: TableSetup) -> None:
    """Put on record the table's configuration and the approvals that its equipment needs."""
    writer.emit(setup.configuration())
    approved = setup.first_day - dt.timedelta(days=200)
    for matter in _matters(setup):
        reference = f"{setup.game.bureau}-{matter}-{setup.number}"
        writer.emit(ApprovalRecorded(matter=matter, reference=reference, approved_on=approved))


def _matters(setup: TableSetup) -> list[Matter]:
    matters: list[Matter] = ["layout", "rules_submission", "shoe_location"]
    if setup.is_blackjack:
        matters.append("box_location")
    if setup.shuffler != "none":
        matters.append("shuffler")
    if setup.reshuffles_itself:
        matters.append("self_shuffling_device")
    if setup.signs:
        matters.append("signage")
    if setup.habits.preshuffled:
        matters.append("preshuffled_decks")
    return matters
