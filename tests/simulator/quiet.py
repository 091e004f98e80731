"""A table at which nothing but play happens, for tests that count what play alone brings."""

from dataclasses import fields

from producers.simulator.floor.setup import Habits

QUIET = Habits(
    **{one.name: 0.0 for one in fields(Habits) if one.name not in ("dealer_minutes", "shift_hours")},
    dealer_minutes=1e9,
    shift_hours=1e9,
)
