"""Tells a pause of the table from an absence of the recorder, by the words that the round lacks.

A breach after a pause waits for the end of its round: by then the rack has read the hands. A single missing word stays
what the text makes of the word (A69). If two missing words were due in one pause, the recorder was away: nobody is
charged with what the recorder may have missed (A68).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from msgspec.structs import replace

from processors.core.cards import fit
from processors.core.devices.pairing import not_denied
from processors.core.devices.thresholds import A_HOLE, ANOTHER_ROUND, AROUND, OF_ONE_ACT, SHORTLY
from processors.core.folding.unracked import shown_beyond
from processors.core.grammar.holes import note_hole
from processors.core.grammar.quiet import unheard_before
from processors.core.moved import unplaced
from processors.core.state import Hand, Round, Table, seat_of
from processors.core.witnesses import Pause, PendingFinding, Witness
from processors.games.totals import count, is_natural
from processors.law.finding.finding import as_doubt, note
from processors.law.marks import PROGRESSIVE, UNFINISHED
from schemas.events import (
    CardDrawn,
    CardPlaced,
    ChipsToInventory,
    DealerTotalAnnounced,
    HoleCardRevealed,
    RoundEnded,
    StackDelivered,
    StackDispensed,
    SystemWagersCounted,
)
from schemas.findings import Finding
from schemas.payload import Payload
from schemas.values import DEALER, UNKNOWN

_DEALS = (CardPlaced, StackDelivered, StackDispensed)
_DEALERS = (*_DEALS, DealerTotalAnnounced, HoleCardRevealed)
_FREE = ("free_double", "free_split")  # kinds of lammers that are collected
_MOST = 21  # a hand over it is out at once


class _Word(NamedTuple):
    """A missing word: its device, what the word is about, and the events between which it was due."""

    device: Witness
    about: str
    after: int
    before: int | None = None

    def was_due_in(self, pause: Pause) -> bool:
        return self.after < pause.ended and (self.before is None or pause.ended <= self.before)


def doubted(table: Table, round_: Round, kept: list[Finding], *, left: bool) -> list[Finding]:
    """The findings that a round which is over has kept, its breaches after a hole in doubt.

    So is what waits for its device, which the round does not bear yet. The round is `left` where an event shows that
    its end and the next start are missing.
    """
    if not any(
        breached_after(round_.pauses, round_, one) for one in (*kept, *(one.finding for one in table.docket))
    ):
        return kept
    holes = _holes(table, round_, left=left)
    for hole in holes:
        note_hole(table, unheard_before(hole.ended, hole.seconds))
    table.docket = [_awaited(round_, holes, one) for one in table.docket]
    for place, one in enumerate(kept):
        kept[place] = doubt = _in_doubt(round_, holes, one)
        if doubt is not one:
            note(round_, doubt)
    return kept


def breached_after(pauses: Collection[Pause], round_: Round, finding: Finding) -> bool:
    """Whether a duty of the round was breached, as events show after one of these pauses."""
    return (
        finding.verdict == "breached"
        and finding.round == round_.number
        and finding.sequence >= round_.first_sequence
        and not finding.check.startswith("integrity.")
        and any(finding.sequence >= pause.ended for pause in pauses)
    )


def _awaited(round_: Round, holes: list[Pause], one: PendingFinding) -> PendingFinding:
    doubt = _in_doubt(round_, holes, one.finding)
    if doubt is one.finding:
        return one
    # However many pauses the doubt names, the device lost the one word that it waited for.
    return replace(one, finding=doubt, words=one.words or (f"due before event {doubt.sequence}",))


def _in_doubt(round_: Round, holes: list[Pause], finding: Finding) -> Finding:
    """A breach after one of the holes as a doubt, any other finding as it is."""
    if not breached_after(holes, round_, finding):
        return finding
    missing = tuple(unheard_before(one.ended, one.seconds) for one in holes if one.ended <= finding.sequence)
    return as_doubt(finding, missing)


def _holes(table: Table, round_: Round, *, left: bool) -> list[Pause]:
    """The pauses in which the recorder was away: several words were due in each that nobody has heard."""
    words = [*_steps(round_), *_of_play(round_), *_of_cards(table, round_), *_of_the_end(round_)]
    if left and round_.racked:
        words += [
            _Word("console", step, round_.racked[-1].sequence) for step in ("its end", "the next start")
        ]
    grown = [round_.hands[name] for name in shown_beyond(round_) or _of_another_round(round_)]
    log = {one.sequence: one.data for one in round_.log}
    holes = []
    for pause in round_.pauses:
        due = {(word.device, word.about) for word in words if word.was_due_in(pause)}
        due |= {(device, "card") for device in _of_one_card(log, pause)}
        near = [log.get(pause.ended + away) for away in range(-AROUND, AROUND + 1)]
        for hand in grown:
            if any(_grew(hand, one) for one in near):
                due |= {("shoe", hand.name), ("placements", hand.name)}
        if len(due) >= A_HOLE:
            holes.append(pause)
    return holes


def _steps(round_: Round) -> Iterator[_Word]:
    """The words on which findings rest: due shortly before these show, or after the deal where the round's end does."""
    end, dealt = round_.last(RoundEnded), round_.first_card or 0
    for word in round_.unsaid:
        yield _Word(word.device, word.about, dealt if word.shown == end else word.shown - SHORTLY, word.shown)


def _of_play(round_: Round) -> Iterator[_Word]:
    """What was left out beside other steps.

    Decisions of hands that were passed over, chips that were neither counted nor put away, and the laying open of hands
    beside those laid open.
    """
    if PROGRESSIVE.on(round_) and not round_.told(SystemWagersCounted, ChipsToInventory):
        yield _Word("console", "chips to the inventory", round_.betting_closed or 0, round_.first_card)
    unsaid = {one.seat for one in round_.unsaid if one.device == "console"}
    for hand in round_.hands.values():
        if hand.seat not in unsaid and not hand.decisions and UNFINISHED.of(hand.name) in round_.reported:
            others = (one for one in round_.hands.values() if one.seat > hand.seat and one.decisions)
            later = [one.decisions[0][1] for one in others]
            yield _Word("console", f"decision {hand.name}", hand.sequences[-1], min(later, default=None))
    played = {stake.seat for stake in round_.stakes.values()}
    laid_open = [hand.revealed is not None for hand in round_.hands.values() if hand.seat in played]
    first = min((hand.revealed for hand in round_.hands.values() if hand.revealed), default=0)
    if first and laid_open.count(False) > 1:
        yield _Word("console", "hands laid open", round_.first_card or 0, first)


def _of_cards(table: Table, round_: Round) -> Iterator[_Word]:
    """The placements of cards that were drawn, and the draws of cards that were laid."""
    for one in not_denied(table):
        if not one.exposed and one.sequence >= round_.first_sequence:
            yield _Word("placements", f"drawn {one.sequence}", one.sequence, one.sequence + OF_ONE_ACT)
    for laid in round_.inferred:
        if not (laid.word or laid.denied):
            yield _Word("placements", f"drawn {laid.drawn}", laid.drawn, laid.drawn + OF_ONE_ACT)
    for owed in (*round_.undrawn, *table.shoe.owed):
        yield _Word("shoe", f"laid {owed.sequence}", owed.sequence - OF_ONE_ACT, owed.sequence)


def _of_one_card(log: Mapping[int, Payload], pause: Pause) -> tuple[Witness, ...]:
    """Both devices, where another card was laid after the pause than left the shoe before."""
    before, after = log.get(pause.ended - 1), log.get(pause.ended)
    if type(before) is not CardDrawn or type(after) is not CardPlaced:
        return ()
    return () if fit(before.card, after.card) else ("placements", "shoe")


def _of_the_end(round_: Round) -> Iterator[_Word]:
    """The settlements of stakes and the racking of hands, and the wagers that were settled and never placed.

    They are due when the round is settled, and of a hand that is out or has Blackjack also when it is. A settlement
    on whose absence a breach of the seat rests already is no further word. Of a round whose cards no device saw laid,
    the rack owes a word at least.
    """
    unpaid = {one.seat for one in round_.unsaid if one.device == "console"}
    played = max(round_.first_sequence, round_.last_of_play)
    if round_.first_card and not round_.hands and not round_.racked:
        yield _Word("rack", "the round", round_.first_card)
    for lammer in round_.lammers:
        if lammer.collected is None and lammer.kind in _FREE and round_.voided is None:
            yield _Word("console", f"stake {seat_of(lammer.hand)}", played)
    for hand in round_.hands.values():
        if hand.cards and hand.racked is None:
            yield _Word("rack", hand.name, played)
            yield from (_Word("rack", hand.name, own, own + SHORTLY) for own in _out_at(round_, hand))
            continue
        gone = len(hand.cards) - len(hand.racked_cards)
        if gone > 0 and hand.sequences:  # the first ones may be of the round before
            yield _Word("rack", hand.name, hand.sequences[min(gone, len(hand.sequences)) - 1])
    for stake in round_.stakes.values():
        about = f"stake {stake.seat}"
        if not stake.moves and stake.seat not in unpaid:
            yield _Word("console", about, played)
            hand_of = round_.hands.get(stake.hand or "")
            own_at = _out_at(round_, hand_of) if hand_of is not None else ()
            yield from (_Word("console", about, own, own + SHORTLY) for own in own_at)
        elif stake.moves and unplaced(stake):
            yield _Word("wagers", f"seat {stake.seat}", round_.first_sequence)


def _of_another_round(round_: Round) -> list[str]:
    """The hands racked as other cards than were dealt, where the dealer's and another differ, by more than an exchange.

    The end of the round and the start of the next one are missing then, with as many cards of the one as of the other.
    """
    told = Counter(card for hand in round_.hands.values() for card in hand.cards)
    strange = Counter(card for hand in round_.hands.values() for card in hand.racked_cards) - told
    if strange.total() < ANOTHER_ROUND or UNKNOWN in told:
        return []
    others = [hand.name for hand in round_.hands.values() if strange.keys() & set(hand.racked_cards)]
    return others if DEALER in others and len(others) > 1 else []


def _out_at(round_: Round, hand: Hand) -> tuple[int, ...]:
    """The event by which a hand was out, or by which all were dealt beside its Blackjack; none if neither is so."""
    total = count(hand.cards, _MOST)
    own = [*hand.sequences, *(sequence for _, sequence in hand.decisions)]
    if not own:  # a hand that was shown and never dealt
        return ()
    if is_natural(hand.cards) and hand.parent is None:
        return (max([*own, *(at for one in round_.hands.values() for at in one.sequences[:2])]),)
    bust = total is not None and total[0] > _MOST
    return (max(own),) if bust or hand.surrendered is not None else ()


def _grew(hand: Hand, data: Payload | None) -> bool:
    """Whether an event shows that cards were dealt to all just then, or that the hand was played."""
    played = _DEALERS if hand.name == DEALER else _DEALS
    return type(data) in played or hand.name in (getattr(data, "hand", None), getattr(data, "position", None))
