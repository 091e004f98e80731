"""The readings of places where the regulation is unclear, each a named policy with a default.

A table chooses them in `table_configured.readings`; a replay may choose others to compare.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct


class Reading(Struct, frozen=True):
    """One unclear place: its id, the default policy, and the rival ones."""

    id: str
    default: str
    rivals: tuple[str, ...]
    about: str


READINGS: dict[str, Reading] = {
    reading.id: reading
    for reading in (
        Reading(
            "A1", "literal", ("conventional",), "Down Under dealer: a soft 22 stands, or its ace turns to 1"
        ),
        Reading(
            "A2",
            "unsplit",
            ("any_hand",),
            "Two original Large against a dealer 22: first two cards, or split too",
        ),
        Reading("A5", "collect", ("return",), "A bust still on the layout when the dealer has 22"),
        Reading("A12", "each", ("best",), "Both cards match the dealer: each pays, or the better one"),
    )
}


class UnknownReading(ValueError):
    """A reading that does not exist; the message lists those that do."""


def resolve(configured: Mapping[str, str], chosen: Mapping[str, str]) -> dict[str, str]:
    """Policy in force for every unclear place: chosen over configured over default.

    A configured name that is not known leaves the default in force (the record is not ours to refuse).

    Raises:
        UnknownReading: a chosen place or policy does not exist.
    """
    policies = {reading.id: reading.default for reading in READINGS.values()}
    for place, policy in configured.items():
        reading = READINGS.get(place)
        if reading is not None and policy in (reading.default, *reading.rivals):
            policies[place] = policy
    for place, policy in chosen.items():
        reading = READINGS.get(place)
        if reading is None:
            raise UnknownReading(f"no reading {place}; there are {', '.join(READINGS)}")
        if policy not in (reading.default, *reading.rivals):
            raise UnknownReading(f"{place} can be read {reading.default} or {', '.join(reading.rivals)}")
        policies[place] = policy
    return policies
