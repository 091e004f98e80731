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
    needed: dict[Matter, bool] = {
        "layout": True,
        "rules_submission": True,
        "shoe_location": True,
        "box_location": setup.is_blackjack,
        "shuffler": setup.shuffler != "none",
        "self_shuffling_device": setup.reshuffles_itself,
        "signage": bool(setup.signs),
        "preshuffled_decks": setup.habits.preshuffled > 0,
    }
    return [matter for matter, is_needed in needed.items() if is_needed]
