"""What the record shows of approvals, people and devices."""

from __future__ import annotations

import datetime as dt
from typing import Literal

from msgspec import Struct, field


class BatchDelivery(Struct, gc=False):
    """One batch as it reached the table; `mixed` when decks of another look came under the same name."""

    name: str
    decks: int
    cards: int
    design: str
    colour: str
    sequence: int
    mixed: bool = False


class Approval(Struct, gc=False):
    """The earliest approval of a matter on file, and the event that put it there."""

    approved_on: dt.date
    sequence: int


class Inspection(Struct, gc=False):
    """One inspection of a device in the gaming day under way."""

    device: str
    staff: str
    sequence: int


class Clock(Struct, gc=False):
    """The last time that a device reported, and the event that carried it."""

    last: dt.datetime
    sequence: int


class Times(Struct):
    """The time by which the last event counted, and how the clock of each device stood at its last word.

    A clock is `right`, or `off`: far from the recorder's, as those of all other devices. One that is off alone was
    `replaced` by the recorder's; at its first word in time thereafter it is `back`.
    """

    last: dt.datetime | None = None
    clocks: dict[str, Literal["right", "off", "replaced", "back"]] = field(default_factory=dict)

    @property
    def utc(self) -> dt.datetime | None:
        """The time by which the last event counted, in UTC; None before the first."""
        return self.last if self.last is None or self.last.tzinfo is dt.UTC else self.last.astimezone(dt.UTC)


class EquipmentFacts(Struct):
    """Approvals on file, decks delivered, devices inspected and out of order, who answers for the table.

    `defects` and `faults` map the devices out of order to the event that reports it; `defects_told` and
    `faults_told` are those used since, which a finding has named already. `judged` is the rules submission under
    which a round began, so that its faults are reported already; `decks_judged` and `day_judged` say the same of the
    decks at the table and of the gaming day.
    `bettors_now` wager in the round under way (or the last one), `last_bettors` wagered in the one before it;
    `bettors` counts, of the `rounds_since_shuffle` before it, those that each patron wagered in.
    """

    approvals: dict[str, Approval] = field(default_factory=dict)
    deliveries: dict[str, BatchDelivery] = field(default_factory=dict)
    judged: int = 0
    decks_judged: bool = False
    day_judged: bool = False
    floorpersons: list[str] = field(default_factory=list)
    inspections: list[Inspection] = field(default_factory=list)
    defects: dict[str, int] = field(default_factory=dict)
    defects_told: list[str] = field(default_factory=list)
    faults: dict[str, int] = field(default_factory=dict)
    faults_told: list[str] = field(default_factory=list)
    unregistered: int = 0
    unknown_seat: int = 0
    shuffled_for: int = 0
    rounds_since_shuffle: int = 0
    bettors_now: list[str] = field(default_factory=list)
    last_bettors: list[str] = field(default_factory=list)
    bettors: dict[str, int] = field(default_factory=dict)

    def on_file(self, matter: str, day: dt.date | None) -> bool:
        """Whether a matter was approved on or before a day."""
        approval = self.approvals.get(matter)
        return approval is not None and (day is None or approval.approved_on <= day)
