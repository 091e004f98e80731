"""Which device vouches for which fact of a round, and what is known of a fact whose word is missing.

A fact is *seen* where its device reported it; *inferred* where lawful play leaves one possibility, until another device
shows it; *contradicted* where two devices disagree (`integrity.witness`, `integrity.shoe`); else it is *open*.
"""

from __future__ import annotations

import datetime as dt
from typing import Literal

from msgspec import UNSET, Struct, field

from schemas.findings import Finding

Witness = Literal["placements", "wagers", "rack", "shoe", "reader", "console"]
"""A device, by what it reports: the layout reports placements and wagers, each as if it were a device of its own."""

Fact = Literal["steps", "decisions", "draws", "places", "faces", "stakes", "rack", "reading"]
"""Steps of dealer and floor, decisions of players, cards that left the shoe, where they lie, their faces, money on the
layout, what entered the discard rack, and what the reader showed."""

VOUCHES: dict[Fact, tuple[Witness, ...]] = {
    "steps": ("console",),
    "decisions": ("console",),
    "draws": ("shoe",),
    "places": ("placements",),
    "faces": (),
    "stakes": ("wagers",),
    "rack": ("rack",),
    "reading": ("reader",),
}
"""The device without which a fact is not judged at all; a face may come from the shoe, the layout or the rack."""


MOST_REASONS = 16
"""Reasons that are kept for one doubt, but for silent devices; more of them make no other doubt."""


class Blindness(Struct, gc=False):
    """Reasons to doubt the record, by how long they cloud judgment: for this round, this shoe, this gaming day.

    `seats` are reasons to doubt who sits where, up to the closing of the table.
    `rules` are reasons to doubt the rules submission itself, recorded at `rules_at`: they hold until the next one, and
    outlast round, shoe and gaming day. Who sits where does not turn on the rules.
    """

    round: list[str] = field(default_factory=list)
    shoe: list[str] = field(default_factory=list)
    day: list[str] = field(default_factory=list)
    seats: list[str] = field(default_factory=list)
    rules: list[str] = field(default_factory=list)
    rules_at: int = 0

    @property
    def scopes(self) -> tuple[list[str], ...]:
        """All that missing events cloud."""
        return self.round, self.shoe, self.day, self.seats

    def cloud(self, reason: str, *scopes: list[str], most: int = MOST_REASONS) -> None:
        """Note a reason to doubt in each of these scopes, unless a scope has so many that outlast new rules."""
        for scope in scopes:
            if reason not in scope and sum(one not in self.rules for one in scope) < most:
                scope.append(reason)

    def renew(self, scope: list[str]) -> None:
        """A new round, shoe or gaming day begins: only doubt about the rules goes on."""
        scope[:] = self.rules

    def doubt_rules(self, reason: str) -> None:
        """Note a reason to doubt the rules in force, whatever else the same event puts in doubt."""
        if reason not in self.rules:
            self.rules.append(reason)
            for scope in (self.round, self.shoe, self.day):
                scope.append(reason)

    def rules_submitted(self, sequence: int) -> None:
        """New rules are in force: doubt about those before ends, and no doubt about anything else."""
        for scope in self.scopes:
            scope[:] = [reason for reason in scope if reason not in self.rules]
        self.rules.clear()
        self.rules_at = sequence


class FailingStretch(Struct):
    """A stretch in which a device is silent or loses words: since which event, its finding, words and rounds so far.

    It is over after `calm` words in a row; `round` is the last one that lacks a word, `beside` the finding about the
    part of the same device that fell silent with it.
    """

    since: int
    finding_id: str
    calm: int
    beside: str = ""
    words: int = 0
    rounds: int = 0
    round: int = 0

    @property
    def about(self) -> str:
        """The id of the finding that tells of it."""
        return self.beside or self.finding_id


class WordTally(Struct):
    """Words due by a device, and which of the latest it lost: the place among those due, the event, whom it concerns.

    `last` is the place of the last lost word, `closed` that at which the last stretch ended.
    """

    due: int = 0
    lost: list[tuple[int, int, str]] = field(default_factory=list)
    last: int = 0
    closed: int = 0
    stretch: FailingStretch | None = None


class Owed(Struct, frozen=True, gc=False):
    """A card, or a stack of several, that was laid down before the shoe said that it left: its draw may come (A67)."""

    hand: str
    card: str
    sequence: int
    time: dt.datetime
    face_up: bool
    told: bool = False
    cards: int = 1


class Inferred(Struct, frozen=True, gc=False):
    """A drawn card, or stack of several, that no device saw laid down, where it must lie by lawful play (A65).

    `seen` once another device has shown it there: the rack, or the layout by its late `word`, the event of that.
    `denied` once the rack has shown the hand without it or the layout has seen it laid at another one, `told` once a
    finding says that a word of the layout was lost.
    """

    hand: str
    card: str
    drawn: int
    time: dt.datetime
    told: bool = False
    seen: bool = False
    word: int = 0
    denied: bool = False
    cards: int = 1


class Face(Struct, frozen=True, gc=False):
    """A card laid at an event that neither shoe nor layout could read, and its face, which the rack read at `shown`."""

    laid: int
    card: str
    shown: int


class PendingFinding(Struct, frozen=True, gc=False):
    """A finding of the docket: it is not told yet.

    finding, in_doubt: what it comes to if no word explains it, and if a word does.
    until_racked: drawn cards whose place the rack will show, or not.
    act: its check with its discriminator.
    time: when it showed.
    cause: the breach of the docket from which alone it may follow.
    to_the_end: whether the end of the round shows if a lost wager explains it.
    unheard: the device on whose missing word alone it rests; the docket of the table waits for that device to speak.
    until_read: whether it is decided by the faces that the rack has read.
    lost_word: whether it says nothing against the round.
    rests_on_it: whether it accuses people by the missing word.
    words: the words that it lacks, where it lacks several.
    """

    finding: Finding
    in_doubt: Finding | None = None
    until_racked: tuple[int, ...] = ()
    act: tuple[str, str] = ("", "")
    time: dt.datetime | None = None
    cause: str = ""
    to_the_end: bool = False
    unheard: Witness | None = None
    until_read: bool = False
    lost_word: bool = False
    rests_on_it: bool = False
    words: tuple[str, ...] = ()

    @property
    def is_root(self) -> bool:
        """Whether it rests on the missing word itself, and follows from no other breach."""
        return self.rests_on_it and not self.cause and self.finding.because_of is UNSET


class Pause(Struct, frozen=True, gc=False):
    """Some seconds of a round in which no device said a word, and the event that ended them.

    Players think as long, but the recorder may have been away.
    """

    ended: int
    seconds: int


class Unsaid(Struct, frozen=True, gc=False):
    """A word on which a finding rests: its device, what it is about, the finding's seat (0: none) and event."""

    finding_id: str
    device: Witness
    about: str
    seat: int
    shown: int
