"""What a duty needs to have been seen, and what of it was not: then nobody is charged with it.

While a device is silent, the duties that turn on what it alone reports are not judged at all (A66). While a word about
a fact that a duty turns on is missing, a breach of it is not asserted: it waits for the rack where that may show the
fact (A65), else it is `indeterminate`.
"""

from __future__ import annotations

from typing import NamedTuple

from processors.core.devices.accounts import unheard_by
from processors.core.devices.pairing import not_denied
from processors.core.folding.faces import unread
from processors.core.state import Round, Table, seat_of
from processors.core.witnesses import Witness
from processors.law.check import Breach, Check
from schemas.events import CardDrawn, StackDispensed
from schemas.values import DEALER


class Lacking(NamedTuple):
    """The words that a breach lacks, and the drawn cards of which the rack may yet show where they lay.

    `of` is the device that lost them, if all are words of one.
    """

    missing: tuple[str, ...] = ()
    until_racked: tuple[int, ...] = ()
    of: Witness | None = None


def not_judged(table: Table, entry: Check) -> bool:
    """Whether the duty turns on a device that was silent as far back as it looks, or between rounds is silent now."""
    silent = table.round.unheard if table.round is not None else table.silent
    if any(device in silent for device in entry.devices):
        return True
    return any(unheard_by(reason) in entry.devices for reason in _since_before(table, entry))


def _since_before(table: Table, entry: Check) -> tuple[str, ...]:
    """Reasons to doubt the record from before the round, as far back as the check looks."""
    blind = table.blind
    if entry.scope == "round":
        return ()
    return (*blind.shoe, *blind.day) if entry.scope == "day" else tuple(blind.shoe)


def lacking(table: Table, entry: Check, breach: Breach) -> Lacking:
    """What was not seen of the facts that a breach turns on: nothing if it may be asserted."""
    round_ = table.round
    # Holes in the record and stretches without any word.
    missing = (*table.blind.round, *_since_before(table, entry), *_quiet(table, entry))
    if round_ is not None:
        if "faces" in entry.turns_on:
            missing += _unread(round_)
        if "places" in entry.turns_on:
            unlaid = _unlaid(table, round_)
            if unlaid and not missing:
                return Lacking(unlaid, of="placements")
            missing += unlaid
            if not missing and round_.inferred:
                return _inferred(round_, breach)
    return Lacking(tuple(dict.fromkeys(missing)))


def _quiet(table: Table, entry: Check) -> tuple[str, ...]:
    """What a stretch without any word hides: of a duty of the round only if the round was under way then."""
    quiet, round_ = table.lives.quiet, table.round
    if (
        quiet is None
        or not quiet.shown
        or (entry.scope == "round" and round_ is not None and round_.first_sequence > quiet.ended)
    ):
        return ()
    return (quiet.hides,)


def _unread(round_: Round) -> tuple[str, ...]:
    """Cards of the round whose face nobody read."""
    return tuple(dict.fromkeys(f"a card of hand {hand.name}" for hand, _ in unread(round_)))


def _unlaid(table: Table, round_: Round) -> tuple[str, ...]:
    """Cards that were drawn before another one, lie with no hand, and of which nothing tells where they were laid."""
    last = max((one.sequence for one in round_.told(CardDrawn, StackDispensed)), default=0)
    return tuple(
        f"the placement of the card drawn at event {one.sequence}"
        for one in not_denied(table)
        if round_.first_sequence < one.sequence < last and not one.exposed
    )


def _inferred(round_: Round, breach: Breach) -> Lacking:
    """Cards that lawful play alone puts where they are taken to lie."""
    open_ = [
        one
        for one in round_.inferred
        if not (one.seen or one.denied)
        and (one.hand == DEALER or breach.seat is None or breach.seat == seat_of(one.hand))
    ]
    return Lacking(
        tuple(f"the placement of the card drawn at event {one.drawn}" for one in open_),
        tuple(one.drawn for one in open_),
    )
