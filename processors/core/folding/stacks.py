"""Decks of the stack games between rounds: facts that the checks of 670a.10 and 657a.8 need."""

from __future__ import annotations

from processors.core.facts_decks import STACK_GAMES, VoidRound
from processors.core.folding.in_force import numbers_of
from processors.core.handlers import Handlers
from processors.core.state import Table
from schemas import events as e
from schemas.rulesets.numbers import FiveCardsNumbers


def is_stack_game(table: Table) -> bool:
    """Whether the rules submission in force is one of the two dealing-shoe sections."""
    return table.config is not None and table.config.ruleset in STACK_GAMES


def _received(table: Table, sequence: int, data: e.DecksReceived) -> None:
    table.stacks.shuffled.pop(data.batch, None)
    if data.preshuffled:
        table.stacks.shuffled[data.batch] = sequence


def _removed(table: Table, sequence: int, data: e.DecksRemoved) -> None:
    facts = table.stacks
    facts.shuffled.pop(data.batch, None)
    if facts.void is not None and facts.void.batch == data.batch:
        facts.void = None


def _shuffle_started(table: Table, sequence: int, data: e.ShuffleStarted) -> None:
    table.stacks.faulted = False
    table.stacks.shuffled.pop(data.batch, None)


def _fault(table: Table, sequence: int, data: e.DeviceFault) -> None:
    if data.device == "shuffler":
        table.stacks.faulted = True


def _shuffled(table: Table, sequence: int, data: e.ShuffleCompleted) -> None:
    facts = table.stacks
    if facts.faulted and data.method == "device":
        return  # after a fault only a new start counts as a shuffle (A61)
    facts.shuffled[data.batch] = sequence
    if data.batch in facts.reporting:
        facts.reporting.remove(data.batch)
    numbers = numbers_of(table, FiveCardsNumbers)
    if table.config is None or not table.config.shuffler_counts or numbers is None:
        return
    if data.counted == numbers.deck:  # which a counting device has to report (657a.8(f))
        facts.reporting.append(data.batch)


def _cut(table: Table, sequence: int, data: e.CutMade) -> None:
    table.stacks.cut = sequence


def _recut(table: Table, sequence: int, data: e.RecutOrdered) -> None:
    table.stacks.cut = 0


def _loaded(table: Table, sequence: int, data: e.ShoeLoaded) -> None:
    facts = table.stacks
    facts.reported = data.batch in facts.reporting
    if facts.reported:
        facts.reporting.remove(data.batch)
    facts.shuffled.pop(data.batch, None)
    facts.cut, facts.loaded = 0, sequence


def _stub_removed(table: Table, sequence: int, data: e.StubRemoved) -> None:
    table.stacks.loaded = 0


def _stub_counted(table: Table, sequence: int, data: e.StubCounted) -> None:
    round_ = table.round
    if round_ is not None and is_stack_game(table):
        dealt = sum(len(hand.cards) for hand in round_.hands.values())
        table.stacks.known = (table.shoe.batch, dealt + data.cards)


def _round_started(table: Table, sequence: int, data: e.RoundStarted) -> None:
    table.stacks.void = None
    if data.round > table.last_round + 1:
        table.stacks.uncounted.clear()  # rounds are missing, of which nobody knows whether the stub was counted


def _voided(table: Table, sequence: int, data: e.RoundVoided) -> None:
    round_ = table.round
    if round_ is None or not is_stack_game(table):
        return
    stakes = [stake for stake in round_.stakes.values() if stake.cents]
    table.stacks.void = VoidRound(
        number=round_.number,
        day=round_.day,
        sequence=sequence,
        batch=table.shoe.batch,
        counted=round_.stub_counted[0] if round_.stub_counted is not None else None,
        sizes={hand.name: len(hand.cards) for hand in round_.hands.values()},
        wagered=sorted({stake.seat for stake in stakes if stake.kind == "main"}),
        bonus=any(stake.kind == "six_card_bonus" for stake in stakes),
    )


def _round_ended(table: Table, sequence: int, data: e.RoundEnded) -> None:
    round_, facts = table.round, table.stacks
    quiet = table.lives.quiet
    unseen = bool(table.blind.round) or (quiet is not None and (quiet.shown or not quiet.natural))
    if unseen:
        facts.uncounted.clear()  # whether the stub of this round was counted, nobody knows
    if round_ is None or round_.first_card is None or not is_stack_game(table):
        return
    table.shoe.out.clear()  # the deck is whole again; a check of the law reports that nobody loaded it
    table.shoe.out_unknown = 0
    if round_.stub_counted is not None:
        facts.uncounted.clear()
    if unseen or round_.stub_counted is not None:
        return
    numbers = numbers_of(table, FiveCardsNumbers)
    if numbers is None:
        return
    window = [*facts.uncounted, facts.reported][-numbers.count_every_rounds :]
    if len(window) == numbers.count_every_rounds and not all(window):
        window = []  # one finding covers these rounds
    facts.uncounted = window[1:] if len(window) == numbers.count_every_rounds else window


HANDLERS: Handlers = {
    e.DecksReceived: _received,
    e.DecksRemoved: _removed,
    e.ShuffleStarted: _shuffle_started,
    e.DeviceFault: _fault,
    e.ShuffleCompleted: _shuffled,
    e.CutMade: _cut,
    e.RecutOrdered: _recut,
    e.ShoeLoaded: _loaded,
    e.StubRemoved: _stub_removed,
    e.StubCounted: _stub_counted,
    e.RoundStarted: _round_started,
    e.RoundVoided: _voided,
    e.RoundEnded: _round_ended,
}
