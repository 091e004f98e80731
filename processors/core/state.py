"""The state that a table's events fold into.

Every field is a fact that the record shows, most with the sequence of the event that shows it. `processors.games` and
`processors.law` decide what a fact means under a ruleset.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator
from typing import Any, Literal, TypeVar

from msgspec import Struct, UnsetType, field

from processors.core.facts_decks import Batch, DeckFacts, Shoe, StackFacts
from processors.core.facts_equipment import Clock, EquipmentFacts, Times
from processors.core.facts_grammar import Lives, Repeats
from processors.core.sights import BIT
from processors.core.witnesses import (
    Blindness,
    Face,
    Inferred,
    Owed,
    Pause,
    PendingFinding,
    Unsaid,
    Witness,
    WordTally,
)
from schemas.events import TableConfigured
from schemas.events.envelope import GENESIS
from schemas.findings import Finding
from schemas.payload import Payload
from schemas.rounds import Outcome
from schemas.values import BONUS, DEALER

Word = TypeVar("Word", bound=Payload)
ON_A_HAND = ("main", "double", "split")
_SEATS = {str(seat): seat for seat in range(1, 10)}


def seat_of(spot: str) -> int:
    """Seat of a hand or position (`3.1`, `3`); 0 for the dealer and the bonus area."""
    return _SEATS.get(spot[0], 0)


def spot_named(spot: str) -> str:
    """A spot of the layout in words: a position of the automated shoe, or a hand."""
    if spot in (DEALER, BONUS):
        return "the dealer" if spot == DEALER else "the bonus area"
    return f"position {spot}" if spot.isdigit() else f"hand {spot}"


def hand_named(seat: int, hand: str | UnsetType | None) -> str:
    """Name of the hand that an event or a stake is of: where it names none, the first of its seat."""
    return hand or f"{seat}.1"


def stake_key(seat: int, kind: str, hand: str | UnsetType | None = None) -> str:
    """Name of a stake within its round: seat, kind, and the hand for stakes that lie by one."""
    return f"{seat}:{kind}:{hand_named(seat, hand)}" if kind in ON_A_HAND else f"{seat}:{kind}"


class Chain(Struct, gc=False):
    """How far the record goes: what the next event must carry, and which sequences are bad or missing."""

    next_sequence: int = 1
    head: str = GENESIS
    records: int = 0
    first_bad: int | None = None
    own_mismatch: int | None = None
    unread: int = 0
    unread_last: str = ""
    missing: list[tuple[int, int]] = field(default_factory=list)
    recent: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    broken: bool = False


class Move(Struct, gc=False):
    """Money moved for one stake at one event."""

    outcome: Outcome | Literal["take_back"]
    cents: int
    sequence: int
    odds: str = ""


class Stake(Struct, gc=False):
    """One stake on the layout, as it was placed, altered and settled."""

    seat: int
    kind: str
    hand: str | None
    cents: int
    placed: int
    player: str = ""
    free_unit: bool = False
    moves: list[Move] = field(default_factory=list)


class Lammer(Struct, gc=False):
    """One lammer beside a hand: when it was laid, paid and taken."""

    hand: str
    kind: str
    placed: int
    collected: int | None = None
    moves: list[Move] = field(default_factory=list)


class Hand(Struct, gc=False):
    """One hand or position: cards in deal order, the event of each card, and the events that changed the hand."""

    name: str
    seat: int
    cards: list[str] = field(default_factory=list)
    sequences: list[int] = field(default_factory=list)
    parent: str | None = None
    split_at: int | None = None
    decisions: list[tuple[str, int]] = field(default_factory=list)
    announced: int | None = None
    surrendered: int | None = None
    even_money: int | None = None
    voided: int | None = None
    continued: int | None = None
    refused: int | None = None
    tucked: tuple[str, int] | None = None
    racked: int | None = None
    racked_cards: list[str] = field(default_factory=list)
    rack_reason: str = ""
    revealed: int | None = None

    def is_shown_at(self, sequence: int) -> bool:
        """Whether the rack or the showdown has this hand at that event; a card that came by it is seen there alone."""
        return sequence in (self.racked, self.revealed)


class RackEntry(Struct, gc=False):
    """Cards that entered the discard rack at one event, bottom first."""

    spot: str
    cards: list[str]
    reason: str
    sequence: int


class Logged(Struct, frozen=True, gc=False):
    """One event of the round under way, as it came."""

    sequence: int
    source: str
    data: Any
    time: dt.datetime


def said(log: Iterable[Logged], kind: type[Word]) -> Iterator[Word]:
    """What the events of this type say, in the order of the log."""
    return (one.data for one in log if type(one.data) is kind)


class Root(Struct, frozen=True):
    """A breach of the round under way that changes what follows it: its finding, and its seat (None: all).

    `wager` is the kind of wager that alone it is about: what becomes of the other wagers does not follow from it.
    `unheard` is the device on whose missing word alone it rests.
    """

    finding_id: str
    seat: int | None
    wager: str = ""
    unheard: Witness | None = None


class Round(Struct, gc=False):
    """One round under way: every fact of it, with its sequence.

    The law of the `day` on which it started holds for it; `configured` is the table's configuration then, 0: not seen.
    `draws` names the draw behind each placement that one is known of, by their events. `inferred` are cards whose place
    was known by lawful play before a device showed it, `faces` those of cards that only the rack could read.
    `findings` tells of each finding that it bears, by id, whether it breaches a duty; `missing` are the words that it
    lacks by a finding. `explicable` are the ids of the breaches that a supposed word would explain.
    `log` holds its events, `seen` their types as bits (`processors.core.sights`), `played` the last event that was no
    settlement. `unheard` says for each witness that was silent in any part of the round what the round lacks by it.
    `docket` holds findings that wait for a word; `kept` are those that are told at its end: breaches after a pause, and
    of money, which may be put right (`mispaid`: by their ids the stake, or hand of lammers, that moved, and the event).
    `unsaid` are the words on which findings rest that showed after the first of the `pauses`. `unsettled` are the ids
    of breaches that move no card. For so many unseen cards the shoe's count is `doubtful` while the round stays open.
    """

    number: int
    first_sequence: int
    shoe: int
    day: dt.date
    configured: int = 0
    stakes: dict[str, Stake] = field(default_factory=dict)
    lammers: list[Lammer] = field(default_factory=list)
    hands: dict[str, Hand] = field(default_factory=dict)
    racked: list[RackEntry] = field(default_factory=list)
    betting_closed: int | None = None
    first_card: int | None = None
    undrawn: list[Owed] = field(default_factory=list)  # cards laid of which no draw came in time
    insurance_offered: int | None = None
    reader: tuple[str, str, int] | None = None
    area: tuple[str, int] | None = None
    hole_seal: str = ""
    hole_drawn: int | None = None
    hole_index: int = 1
    hole_revealed: int | None = None
    start: tuple[str, int] | None = None
    stub_removed: int | None = None
    stub_counted: tuple[int, int] | None = None
    misdealt: bool | None = None
    voided: int | None = None
    cover_card: str | None = None
    reloads: list[int] = field(default_factory=list)
    findings: dict[str, bool] = field(default_factory=dict)
    reported: list[str] = field(default_factory=list)
    roots: list[Root] = field(default_factory=list)
    explicable: list[str] = field(default_factory=list)
    missing: dict[str, tuple[str, ...]] = field(default_factory=dict)
    unheard: dict[Witness, str] = field(default_factory=dict)
    draws: dict[int, int] = field(default_factory=dict)
    inferred: list[Inferred] = field(default_factory=list)
    faces: list[Face] = field(default_factory=list)
    docket: list[PendingFinding] = field(default_factory=list)
    kept: list[Finding] = field(default_factory=list)
    mispaid: dict[str, tuple[str, int]] = field(default_factory=dict)
    pauses: list[Pause] = field(default_factory=list)
    unsaid: list[Unsaid] = field(default_factory=list)
    unsettled: list[str] = field(default_factory=list)
    doubtful: int = 0
    log: list[Logged] = field(default_factory=list)
    seen: int = 0
    played: int = 0

    @property
    def breached(self) -> bool:
        """Whether a breach of it is asserted."""
        return any(self.findings.values())

    @property
    def first_breach(self) -> str:
        """Id of its first asserted breach by which cards may be missing; empty if there is none.

        Of settlement and insurance none is: they move no card.
        """
        return next(
            (one for one, breach in self.findings.items() if breach and one not in self.unsettled), ""
        )

    @property
    def last_of_play(self) -> int:
        """The last event of play: a card, a decision, the reveal; hands are settled and racked after it. 0: none."""
        last = [self.hole_revealed or 0]
        for hand in self.hands.values():
            last += [one for one in hand.sequences if not hand.is_shown_at(one)][-1:]
            last += [sequence for _, sequence in hand.decisions[-1:]]
        return max(last)

    @property
    def unracked(self) -> list[Hand]:
        """The hands whose cards never reached the rack."""
        return [hand for hand in self.hands.values() if hand.cards and hand.racked is None]

    @property
    def several_unracked(self) -> bool:
        """Whether several hands never reached the rack: it may be dead, and whether it is, its next word tells."""
        return len(self.unracked) > 1

    def main_stake(self, seat: int, hand: str | UnsetType | None = None) -> Stake | None:
        """The main wager of a hand; of the seat's first hand, where none is named."""
        return self.stakes.get(stake_key(seat, "main", hand))

    def told(self, *kinds: type[Payload]) -> list[Logged]:
        """Its events of these types, in order."""
        for kind in kinds:
            if self.seen & BIT[kind]:
                return [entry for entry in self.log if type(entry.data) in kinds]
        return []

    def last(self, kind: type[Payload]) -> int:
        """Sequence of its latest event of this type; 0 if there was none."""
        if not self.seen & BIT[kind]:
            return 0
        return next((one.sequence for one in reversed(self.log) if type(one.data) is kind), 0)


class Lingering(Struct, gc=False):
    """A round that has ended while words of it were missing, and what its end left: they may come late.

    It is `open` while a breach of it waits for such a word.
    """

    round: Round
    ended: dt.datetime
    sequence: int
    head: str
    blind: list[str]
    open: bool = False


class Table(Struct, gc=False):
    """Everything one gaming table's record has shown up to an event.

    `lacking` holds for each witness the events in a row at which a report of it is missing.
    `silent` says what rounds lack by each witness that has fallen silent (`devices.silence`).
    `docket` holds the findings that wait until a witness speaks again.
    `health` counts words due and lost by witness, and by what else a device may fail in (`devices.health`);
    `out_of_time` is the last event whose time and that of another device's event before it do not fit.
    """

    subject: str
    chain: Chain = field(default_factory=Chain)
    config: TableConfigured | None = None
    configured_at: int = 0
    gaming_day: dt.date | None = None
    open: bool = False
    round: Round | None = None
    last_round: int = 0
    rounds: int = 0
    batches: dict[str, Batch] = field(default_factory=dict)
    shoe: Shoe = field(default_factory=Shoe)
    clocks: dict[str, Clock] = field(default_factory=dict)
    adjusted: list[str] = field(default_factory=list)
    times: Times = field(default_factory=Times)
    blind: Blindness = field(default_factory=Blindness)
    time: dt.datetime | None = None
    dealer: str = ""
    floorperson: str = ""
    players: dict[int, str] = field(default_factory=dict)
    decks: DeckFacts = field(default_factory=DeckFacts)
    equipment: EquipmentFacts = field(default_factory=EquipmentFacts)
    stacks: StackFacts = field(default_factory=StackFacts)
    lacking: dict[Witness, list[int]] = field(default_factory=dict)
    silent: dict[Witness, str] = field(default_factory=dict)
    docket: list[PendingFinding] = field(default_factory=list)
    health: dict[str, WordTally] = field(default_factory=dict)
    out_of_time: int = 0
    lives: Lives = field(default_factory=Lives)
    repeats: Repeats = field(default_factory=Repeats)
    lingering: Lingering | None = None

    def lacks_a_load(self, shoe: int) -> bool:
        """Whether the record lacks a load between the last one and that of this shoe: shoes count up by one."""
        return self.round is None and 0 < self.decks.shoe < shoe - 1
