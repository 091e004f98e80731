"""The departures from the grammar, as data, and how one becomes a finding: once for the stretch in which it goes on."""

from __future__ import annotations

from typing import Literal, NamedTuple

from processors.core.anomaly import Anomaly
from processors.core.handlers import Anomalies
from processors.core.state import Table
from processors.core.unheard import steps_unseen
from processors.core.witnesses import Witness
from schemas.findings import Severity

CHECK = "integrity.grammar"


class Departure(NamedTuple):
    """One way to leave the grammar: whose life it is, what to say, and what could have stood there instead.

    A `hole` shows that events are missing, and clouds what they may hide; where their loss is known already, the
    departure is only its consequence and is not named. The others are named whatever is missing. `of` is the device of
    the one word that is missing: if that is found silent, its finding covers the departure.
    """

    life: Literal["record", "table", "shoe", "round", "hand", "device"]
    message: str
    expected: str
    hole: bool = False
    severity: Severity = "major"
    of: Witness | None = None


DEPARTURES: dict[str, Departure] = {
    "before_opening": Departure(
        "table",
        "There is play at event {event}, but the table has not opened.",
        "table_opened",
        hole=True,
    ),
    "after_closing": Departure(
        "table",
        "There is play at event {event}, but the table closed at event {before} and has not opened again.",
        "table_opened",
        hole=True,
    ),
    "shoe_number": Departure(
        "shoe",
        "Shoe {seen} is loaded after shoe {last}; the numbers of a table's shoes count up.",
        "a shoe with a higher number",
    ),
    "two_rounds": Departure(
        "round",
        "Round {seen} starts although round {last}, under way since event {before}, has not ended.",
        "round_ended",
        hole=True,
    ),
    "round_number": Departure(
        "round",
        "Round {seen} starts after round {last}; the numbers of a table's rounds count up and never repeat.",
        "a round with a higher number",
    ),
    "rounds_missing": Departure(
        "round",
        "Round {seen} starts after round {last}: the rounds between them are not on record.",
        "the next round",
        hole=True,
    ),
    "ended_twice": Departure(
        "round",
        "The round that ended at event {before} is ended a second time.",
        "round_started",
    ),
    "never_started": Departure(
        "round",
        "A round ends that has not started.",
        "round_started",
        hole=True,
    ),
    "play_unstarted": Departure(
        "round",
        "There is play at event {event} that belongs to no round: no start of it is on record.",
        "round_started",
        hole=True,
        of="console",
    ),
    "play_of_another": Departure(
        "round",
        "Event {event} belongs to another round than round {last}, {why}: "
        "its end and the start of the next one are not on record.",
        "round_ended",
        hole=True,
    ),
    "unsealed": Departure(
        "hand",
        "The dealer's hole card was drawn without a seal, which the table's other hole cards have.",
        "a card drawn with a seal",
    ),
    "same_nonce": Departure(
        "hand",
        "The hole card revealed at event {event} was sealed with the nonce that opened the one of event {before}: "
        "whoever read that could tell the sealed card before it was turned over.",
        "a nonce of its own",
        severity="critical",
    ),
    "same_id": Departure(
        "device",
        "Event {event}, of {device}, has the id {seen}, which its event {before} has already.",
        "an id of its own",
    ),
    "other_head": Departure(
        "record",
        "The checkpoint names another head than the hash of event {last}.",
        "the hash of the event that the checkpoint names",
        severity="critical",
    ),
    "checkpoint_ahead": Departure(
        "record",
        "The checkpoint signs event {last}, which is not written before it.",
        "an event before the checkpoint",
        severity="critical",
    ),
}


def depart(
    table: Table, name: str, sequence: int, before: int = 0, stretch: str = "", **facts: object
) -> Anomalies:
    """Note a departure at an event; the anomaly that names it, unless its stretch or a known loss covers it.

    `before` is the earlier event that it contradicts, `stretch` what tells two stretches of one departure apart.
    """
    departure, named = DEPARTURES[name], table.lives.named
    known = steps_unseen(table)
    key = f"{name}:{stretch}" if stretch else name
    again = key in named
    named[key] = sequence
    message = departure.message.format(event=sequence, before=before, **facts)
    if departure.hole and departure.life == "round":
        _cloud(table, before_event(sequence))
    if again or (departure.hole and known):
        return ()
    observed = {"event": sequence} | {fact: value for fact, value in facts.items() if fact != "why"}
    return (
        Anomaly(
            check=CHECK,
            message=message,
            sequences=(before, sequence) if before else (sequence,),
            expected={departure.life: departure.expected},
            observed=observed,
            severity=departure.severity,
            discriminator=key,
            of=departure.of,
        ),
    )


def before_event(sequence: int) -> str:
    """What a hole leaves in doubt, by the event that shows it."""
    return f"events that are not on record before event {sequence}"


def keeps(table: Table, name: str) -> None:
    """End the stretch of a departure: the grammar holds again in this place."""
    table.lives.named.pop(name, None)


def _cloud(table: Table, reason: str) -> None:
    """Charge nobody with what the hole may hide (A68): up to the next start of a round, of the shoe the next load."""
    blind = table.blind
    blind.cloud(reason, blind.round, blind.shoe, blind.seats, most=1)
