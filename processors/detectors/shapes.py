"""What passes between the stages of the detectors: what a family is told, and what it says.

All of these are values; none of them is state.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Any, Literal

import msgspec
from msgspec import Struct, field

from processors.core.state import Round, Table
from processors.detectors.weighty import WeightyRound
from processors.play.boxes import NO_PLAY, RoundPlay
from schemas.events.envelope import Envelope
from schemas.rounds import RoundResult

Whom = Literal["dealer", "player"]
"""Who may play or deal at several tables, so that what is known of him is joined over all of them."""
WHOM: tuple[Whom, ...] = ("dealer", "player")
About = dict[str, str | int]
"""Whom or what a suspicion names: `dealer`, `player`, `table`, `shoe`."""


class Happened(Struct, frozen=True, gc=False):
    """One event, folded in already, and the round it belongs to; `round` is None between rounds."""

    table: Table
    event: Envelope
    round: Round | None


class Closed(Struct, frozen=True, gc=False):
    """One round that is over: its facts, and what was reconstructed of it.

    `dealer` dealt all of it, and is empty where the record does not say who, or names more than one. `sequence` and
    `time` are those of the event that closed it. `ended` is False where the record breaks off within the round. `whole`
    says that no word about it is known to be missing and the law could decide it: only then does a difference between
    what was due and what was seen tell of people. `play` is its game and what the decisions of its boxes gave away.
    `known` keeps what one family worked out of these for the next.
    """

    table: Table
    round: Round
    result: RoundResult
    dealer: str
    sequence: int
    time: dt.datetime
    ended: bool
    whole: bool
    play: RoundPlay = NO_PLAY
    known: dict[str, Any] = field(default_factory=dict)


class Contribution(Struct, frozen=True, gc=False):
    """What a family at a table has to say of somebody: dealer, player or both, and a note for `weigh`."""

    whom: dict[Whom, str]
    note: Struct


class Observation(Struct, frozen=True, kw_only=True):
    """A contribution with its place, as it goes to the entity stage: the note is packed as the family's `note` type.

    `time` is that of the event, or the latest time that the table's observations had before it if that is later: the
    observations of a table are in order of time.
    `nth` is the how many-th it is of those of whom the family spoke at this table (from 1): what is paid for having
    tried so many.
    """

    family: str
    whom: dict[Whom, str]
    subject: str
    round: int
    sequence: int
    time: dt.datetime
    nth: int
    note: msgspec.Raw

    @property
    def key(self) -> str:
        """Whom it is about, as one word: `dealer:D-1`, `dealer:D-1|player:P-1`."""
        return key_of(self.whom)

    @property
    def order(self) -> tuple[dt.datetime, str, int]:
        """Its place among all observations: event time, then subject, then sequence."""
        return self.time, self.subject, self.sequence


class Alarm(Struct, frozen=True, kw_only=True):
    """Evidence that has passed its level; the stage makes a finding of it, once for each check and `about`.

    `e_value` has the hypotheses of the family's stream paid for: an alarm is due when it reaches 1 / level.
    Money stands under `observed`: what a wrong payment cost is counted by the breach that it is.
    """

    variant: str
    about: About
    e_value: float
    sequences: tuple[int, ...]
    expected: Any
    observed: Any
    message: str


class EvidenceStanding(Struct, frozen=True, kw_only=True):
    """The evidence of one variant about one subject now: also when it is below its level.

    `e_value` and `highest` have the hypotheses tried paid for; `rounds` is how many rounds it rests on, or
    shoes, decisions, calls or counts where the family weighs these. `due` is False while the family would raise no
    alarm however high the evidence is. `weighty` are the rounds kept as those that weigh most, placed by `mark`: a
    round taken after this standing is at a higher place.
    """

    variant: str
    about: About
    e_value: float
    highest: float
    rounds: int
    due: bool = True
    weighty: Sequence[WeightyRound] = ()
    mark: int = 0


class CheckedStanding(Struct, frozen=True, kw_only=True):
    """A standing with its check, the evidence at which it is an alarm, and whether one has been raised."""

    check: str
    about: About
    e_value: float
    highest: float
    alarm_at: float
    rounds: int
    raised: bool
    due: bool = True
    weighty: tuple[WeightyRound, ...] = ()
    mark: int = 0


def key_of(whom: dict[Whom, str]) -> str:
    """Whom an observation is about, as one word, whatever the order of its parts."""
    if len(whom) == 1:
        ((kind, name),) = whom.items()
        return f"{kind}:{name}"
    return "|".join(f"{kind}:{whom[kind]}" for kind in WHOM if kind in whom)


def whom_of(about: Any) -> str:
    """The key under which the people whom a suspicion names are judged; empty where the table judges them by itself."""
    if not isinstance(about, dict) or "table" in about:
        return ""
    return key_of({kind: str(about[kind]) for kind in WHOM if kind in about})
