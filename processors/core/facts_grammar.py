"""What the grammar remembers of a table's record between two events."""

from __future__ import annotations

import datetime as dt

from msgspec import Struct, field


class Quiet(Struct, frozen=True, gc=False):
    """A stretch without any word: the event that ended it, what it hides, whether words are known to be lost.

    A `natural` one is as long as what was done in it, or shorter than any that is not: only an event that cannot have
    come about by the words before it shows that words are lost.
    """

    ended: int
    hides: str
    shown: bool
    natural: bool = False


class Slow(Struct, frozen=True, gc=False):
    """An act after which a quiet is natural: its event, its type, and the batch that it is about if any."""

    sequence: int
    kind: str
    batch: str


class Said(Struct, frozen=True, gc=False):
    """One word of a device: the type and the bytes of what it said; `first` is the event that it repeats, if any.

    A `slow` one came so long after the first that it may be an act of its own.
    """

    id: str
    source: str
    sequence: int
    kind: str
    data: bytes
    time: dt.datetime
    first: int = 0
    slow: bool = False


class Repeats(Struct, gc=False):
    """Words that repeat another one (A71): `held` until it shows whether they are acts of their own.

    `between` are the words of the last two seconds outside a round, `named` the last second word of each device.
    """

    held: list[Said] = field(default_factory=list)
    between: list[Said] = field(default_factory=list)
    named: dict[str, int] = field(default_factory=dict)


class Lives(Struct, gc=False):
    """How far the lives of a table have come, by the events that say so (0: none so far).

    `closed` is where the table closed last, `ended` where a round ended last, `started` the number of the round whose
    start was seen last, `started_at` its event and `highest` the highest such number, `shoe` the number of the shoe
    loaded last and `shoe_at` its event, `sealed` the last hole card drawn with a seal. `named` holds the departures
    that a finding has named and that go on, with the event of each; `ids` for each source the ids of its latest events.
    `unstarted` is the time of the first word of a round whose start was not seen, `slow` the last act after which a
    quiet is natural, `quiet` the last one that was not, up to the end of the next round that began after it; `paused`
    is the last event between rounds before which no device said a word for some seconds. `disordered` is the last event
    whose time is before that of the event recorded before it. `nonces` are those that opened the latest seals, by the
    beginning of their SHA-256, each with its event.
    """

    closed: int = 0
    ended: int = 0
    started: int = 0
    started_at: int = 0
    highest: int = 0
    shoe: int = 0
    shoe_at: int = 0
    sealed: int = 0
    named: dict[str, int] = field(default_factory=dict)
    ids: dict[str, dict[str, int]] = field(default_factory=dict)
    unstarted: dt.datetime | None = None
    slow: Slow | None = None
    paused: int = 0
    quiet: Quiet | None = None
    disordered: int = 0
    nonces: dict[str, int] = field(default_factory=dict)

    @property
    def paused_since_the_round(self) -> bool:
        """Whether the table, or its recorder, paused between the last round and now: acts of then may be unseen."""
        return self.paused > self.ended
