"""Hears a round event by event on a table of its own, and keeps what is held against the table."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from msgspec import Struct

from processors.core.devices.pairing import second_word
from processors.core.folding.fold import fold
from processors.core.snapshots import restore, snapshot
from processors.core.state import Hand, Logged, Table
from processors.games.whichever.taking import PLAIN, Met, clear
from processors.law.finding.finding import HeldJudgment
from processors.law.judge.judge import Judge
from processors.law.judgments import Breach
from processors.law.marks import NUMBERED
from schemas import events as e
from schemas.events.envelope import PAYLOADS, Envelope

_STANDS_ALREADY = (e.RoundStarted, e.TableConfigured, e.GamingDayStarted)
"""Events that change what the copy of the table has from its original."""


class Act(NamedTuple):
    """What a breach is known by in every hearing: its check, its discriminator, the event that shows it."""

    check: str
    mark: str
    sequence: int


class Hearing(Struct, frozen=True, dict=True):
    """The log as it was heard, all that was held against the table in it, and the hands of the round in the end."""

    log: Sequence[Logged]
    held: dict[Act, HeldJudgment]
    hands: dict[str, Hand]

    @cached_property
    def asserted(self) -> dict[Act, HeldJudgment]:
        """The breaches that are asserted, or wait for the rack alone."""
        return {act: held for act, held in self.held.items() if _is_asserted(held)}

    @cached_property
    def seen(self) -> frozenset[Act]:
        """Every breach, also those that are doubts or mere consequences."""
        return frozenset(act for act, held in self.held.items() if isinstance(held.judgment, Breach))


def _is_asserted(held: HeldJudgment) -> bool:
    return held.verdict == "breached" or bool(held.until_racked)


class Tried:
    """What comes of a word that may explain `target`: it is in vain if that is asserted again, or too much besides."""

    __slots__ = ("_known", "_most", "_target", "strange", "vain")

    def __init__(self, target: Act, known: frozenset[Act], *, most: int) -> None:
        self._target, self._known, self._most = target, known, most
        self.strange: list[Act] = []
        self.vain = False

    def hear(self, act: Act) -> None:
        """Hear of a breach that is asserted, once or again."""
        if act == self._target:
            self.vain = True
        elif act not in self._known and act[::2] != self._target[::2] and act not in self.strange:
            self.strange.append(act)
            self.vain = self.vain or len(self.strange) > self._most


class SoFar(NamedTuple):
    """What an ear has heard: the table's state without its round's log, which needs no copy, and what was held."""

    state: bytes
    log: tuple[Logged, ...]
    bits: int
    held: dict[Act, HeldJudgment]
    numbers: dict[int, int]


class Ear:
    """What was heard of a round up to some event, and the table as it stands there."""

    __slots__ = ("_held", "_judge", "_numbers", "_round", "_table")

    def __init__(self, table: Table, judge: Judge) -> None:
        """Begin with a table of its own, on which a round stands of which nothing was heard."""
        self._table, self._judge, self._round = table, judge, table.round
        self._held: dict[Act, HeldJudgment] = {}
        self._numbers: dict[int, int] = {}
        judge.forget()

    @property
    def table(self) -> Table:
        """The table as it stands after what was heard."""
        return self._table

    def so_far(self) -> SoFar:
        """What was heard up to now, from which others may go on."""
        round_ = self._table.round
        if round_ is None:
            return SoFar(snapshot(self._table), (), 0, dict(self._held), dict(self._numbers))
        log, round_.log = round_.log, []
        state = snapshot(self._table)
        round_.log = log
        return SoFar(state, tuple(log), round_.seen, dict(self._held), dict(self._numbers))

    @classmethod
    def after(cls, so_far: SoFar, judge: Judge) -> Ear:
        """One that has heard this much and goes on by itself."""
        table = restore(so_far.state, PAYLOADS)
        if table.round is not None:
            table.round.log, table.round.seen = list(so_far.log), so_far.bits
        other = cls(table, judge)
        other._held, other._numbers = dict(so_far.held), dict(so_far.numbers)
        return other

    def hear(self, one: Logged, sequence: int, tried: Tried | None = None) -> None:
        """Hear the next event, which stands at `sequence` in this hearing; what is `tried` hears of its breaches."""
        self._numbers[sequence] = one.sequence
        if type(one.data) in _STANDS_ALREADY:
            return
        event = Envelope("1.0", "", one.source, self._table.subject, one.time, sequence, "", one.data)
        for held in hear(self._table, event, self._judge):
            mark = held.judgment.discriminator
            for numbered in NUMBERED:
                mark = numbered.at_event(mark, self._numbers)
            act = Act(held.entry.id, mark, one.sequence)
            self._held[act] = held
            if tried is not None and _is_asserted(held):
                tried.hear(act)
        fold(self._table, event)

    def hearing(self, log: Sequence[Logged]) -> Hearing:
        """All that was heard; `log` is what it was heard of."""
        self._judge.forget()
        hands = self._round.hands if self._round is not None else {}
        return Hearing(log, self._held, hands)


def hear(table: Table, event: Envelope, judge: Judge, met: Met = PLAIN) -> list[HeldJudgment]:
    """What is held against a table at an event, once a card that nobody saw laid lies where it must."""
    shoe, round_ = table.shoe, table.round
    if not (shoe.loose or shoe.owed or (round_ is not None and round_.inferred)) and met is PLAIN:
        return judge.judge(table, event)  # both words of every act are there
    if clear(table, event, judge.rules.standing(table), met):
        judge.forget()
    # A second word of an act that is known already is no further act (A65, A67).
    return [] if second_word(table, event.data, event.time) else judge.judge(table, event)
