"""Whether a pause of a round was one of the table, or the recorder was away: asked of the words that the round lacks.

A breach that is shown after a pause waits for the end of its round: by then the rack has told what lay where. A single
word that is missing stays what the text makes of it (A69). Where two of them were due in one pause, the recorder was
away: nobody is charged with what it may have missed (A68).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import NamedTuple

from msgspec.structs import replace

from processors.core.grammar.holes import note_hole
from processors.core.grammar.quiet import hidden
from processors.core.moved import unplaced
from processors.core.pairing import not_denied
from processors.core.state import Hand, Logged, Round, Stake, Table
from processors.core.witnesses import Pause, Pauses, Witness
from processors.games.totals import count, is_natural
from schemas.events import (
    CardDrawn,
    CardPlaced,
    DealerTotalAnnounced,
    HoleCardRevealed,
    RoundEnded,
    StackDelivered,
    StackDispensed,
)
from schemas.findings import Finding
from schemas.values import DEALER, UNKNOWN

ENOUGH = 2  # a single word is no hole (A69)
_AN_ACT = 4  # events within which the other word of an act is said
_SHORTLY = 8  # events after a pause that show a step to be missing which was due in it
_DEALS = (CardPlaced, StackDelivered, StackDispensed)
_DEALERS = (*_DEALS, DealerTotalAnnounced, HoleCardRevealed)
_MOST = 21  # a hand over it is out at once


class _Word(NamedTuple):
    """A word that is missing: who owes it, what it is about, and the events after which and before which it was due."""

    device: Witness
    about: str
    after: int
    before: int | None = None

    def was_due_in(self, pause: Pause) -> bool:
        return self.after < pause.ended and (self.before is None or pause.ended <= self.before)


def held_back(
    table: Table, round_: Round, findings: tuple[Finding, ...], *, over: bool
) -> tuple[Finding, ...]:
    """The findings to be told at once; breaches after a pause are told, or doubted, when the round is over."""
    pauses = round_.pauses
    if pauses is None:
        return findings
    now: list[Finding] = []
    for one in findings:
        (pauses.breaches if _is_a_breach(one, round_, pauses.spans) else now).append(one)
    if not over:
        return tuple(now)
    breaches, pauses.breaches = pauses.breaches, []
    if holes := _holes(table, round_, pauses):
        for hole in holes:
            note_hole(table, hidden(hole.ended, hole.seconds))
        breaches = [_put_in_doubt(round_, holes, one) for one in breaches]
        for device, waiting in table.awaited.items():  # the round does not bear these yet
            table.awaited[device] = [
                replace(one, finding=_in_doubt(round_, holes, one.finding)) for one in waiting
            ]
    return tuple(sorted([*breaches, *now], key=lambda one: one.sequence))


def _is_a_breach(finding: Finding, round_: Round, after: Collection[Pause]) -> bool:
    """Whether a duty of the round was breached, as events show after one of these pauses."""
    return (
        finding.verdict == "breached"
        and finding.round == round_.number
        and not finding.check.startswith("integrity.")
        and any(finding.sequence >= pause.ended for pause in after)
    )


def _put_in_doubt(round_: Round, holes: list[Pause], breach: Finding) -> Finding:
    doubt = _in_doubt(round_, holes, breach)
    if doubt is not breach:
        round_.charges -= 1
        round_.missing += doubt.missing or ()
    return doubt


def _in_doubt(round_: Round, holes: list[Pause], finding: Finding) -> Finding:
    """A breach after one of the holes as a doubt, any other finding as it is."""
    if not _is_a_breach(finding, round_, holes):
        return finding
    missing = tuple(hidden(one.ended, one.seconds) for one in holes if one.ended <= finding.sequence)
    return replace(finding, verdict="indeterminate", money_cents=0, missing=missing)


def _holes(table: Table, round_: Round, pauses: Pauses) -> list[Pause]:
    """The pauses in which the recorder was away: several words were due in each that nobody has heard."""
    words = [*_steps(round_, pauses), *_of_cards(table, round_), *_of_the_end(round_, pauses)]
    holes = []
    for pause in pauses.spans:
        due = {(word.device, word.about) for word in words if word.was_due_in(pause)}
        due |= {(device, "card") for device in _of_one_card(round_, pause)}
        due |= {(device, hand.name) for hand in _grown(round_, pause) for device in ("shoe", "placements")}
        if len(due) >= ENOUGH:
            holes.append(pause)
    return holes


def _steps(round_: Round, pauses: Pauses) -> Iterator[_Word]:
    """The words on which breaches rest: due shortly before one is shown, or at any time if the round's end shows it."""
    end = round_.last(RoundEnded)
    for one in pauses.unsaid:
        due = 0 if one.shown == end else one.shown - _SHORTLY
        yield _Word(one.device, f"{one.check} {one.seat}", due, one.shown)


def _of_cards(table: Table, round_: Round) -> Iterator[_Word]:
    """The placements of cards that were drawn, and the draws of cards that were laid."""
    for one in not_denied(table):
        if not one.exposed and one.sequence >= round_.first_sequence:
            yield _Word("placements", f"drawn {one.sequence}", one.sequence, one.sequence + _AN_ACT)
    for laid in round_.inferred:
        if not (laid.word or laid.denied):
            yield _Word("placements", f"drawn {laid.drawn}", laid.drawn, laid.drawn + _AN_ACT)
    for owed in (*round_.undrawn, *table.shoe.owed):
        yield _Word("shoe", f"laid {owed.sequence}", owed.sequence - _AN_ACT, owed.sequence)


def _of_one_card(round_: Round, pause: Pause) -> tuple[Witness, ...]:
    """Both devices, where another card was laid after the pause than left the shoe before."""
    before, after = (
        next((one.data for one in round_.log if one.sequence == at), None)
        for at in (pause.ended - 1, pause.ended)
    )
    if type(before) is not CardDrawn or type(after) is not CardPlaced:
        return ()
    return () if UNKNOWN in (before.card, after.card) or before.card == after.card else ("placements", "shoe")


def _of_the_end(round_: Round, pauses: Pauses) -> Iterator[_Word]:
    """The settlements of stakes and the racking of hands, and the wagers that were settled and never placed.

    A settlement on whose absence a breach of the seat rests already is no further word.
    """
    unpaid = {one.seat for one in pauses.unsaid if one.device == "console"}
    for hand in round_.hands.values():
        if hand.cards and hand.racked is None:
            yield _Word("rack", hand.name, _played(round_, hand))
    for stake in round_.stakes.values():
        if not stake.moves and stake.seat not in unpaid:
            yield _Word("console", f"stake {stake.seat}", _decided(round_, stake))
        elif stake.moves and unplaced(stake):
            yield _Word("wagers", f"stake {stake.seat}", round_.first_sequence)


def _decided(round_: Round, stake: Stake) -> int:
    hand = round_.hands.get(stake.hand or "")
    return _played(round_, hand) if hand is not None else round_.initial_deal_done or round_.first_sequence


def _played(round_: Round, hand: Hand) -> int:
    """The event after which a hand was to be settled and racked: of one that stands, the dealer's last card."""
    own = max([*hand.sequences, *(sequence for _, sequence in hand.decisions)], default=round_.first_sequence)
    total = count(hand.cards, _MOST)
    bust = total is not None and total[0] > _MOST
    if bust or hand.surrendered is not None or (is_natural(hand.cards) and hand.parent is None):
        return own
    dealer = round_.hands.get(DEALER)
    return max(own, *(dealer.sequences if dealer is not None else ()), 0)


def _grown(round_: Round, pause: Pause) -> Iterator[Hand]:
    """The hands of which other devices show more cards than shoe and layout told, if they grew around the pause."""
    stacks = {one.sequence: len(one.data.cards) for one in round_.told(StackDispensed, StackDelivered)}
    for hand in round_.hands.values():
        laid: int = sum(stacks.get(sequence, 1) for sequence in hand.sequences)
        if max(len(hand.racked_cards), len(hand.cards)) > laid and _is_around(round_, pause, hand):
            yield hand


def _is_around(round_: Round, pause: Pause, hand: Hand) -> bool:
    """Whether cards were dealt in turn to all, or the hand was played, when the pause began or ended."""
    near = [one for one in round_.log if abs(one.sequence - pause.ended) <= _AN_ACT]
    played = _DEALERS if hand.name == DEALER else _DEALS
    return any(type(one.data) in played or _names(one, hand) for one in near)


def _names(one: Logged, hand: Hand) -> bool:
    return hand.name in (getattr(one.data, "hand", None), getattr(one.data, "position", None))
