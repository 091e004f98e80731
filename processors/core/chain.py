"""The chain of a table's record: is this event the next one, and if not, which sequence is the first bad one?

Convention: the first bad sequence is the one whose record is not as it was written. An edited record k is known
by k+1, whose `prevhash` does not fit it; a missing record is k itself; a doubled one k; of two swapped, the
smaller.
"""

from __future__ import annotations

from typing import Final

from processors.core.anomaly import Anomaly
from processors.core.state import Chain
from processors.core.witnesses import Blindness
from schemas.events.envelope import Envelope

Admitted = tuple[bool, tuple[Anomaly, ...]]
_RECENT = 64
_KEPT = 2 * _RECENT
_MISSING = 256
_NEXT: Admitted = (True, ())
_NOTHING_AMISS: Final[tuple[Anomaly, ...]] = ()
APART: Final[Admitted] = (False, _NOTHING_AMISS)  # told from another such pair by its identity


def admit(chain: Chain, event: Envelope, digest: str, blind: Blindness, believe: bool = True) -> Admitted:
    """Place one decoded event in the chain: whether it is to be folded, and what is amiss with its place.

    `digest` is the SHA-256 of the line's bytes. Reasons to doubt what follows are added to `blind`. An event that does
    not follow is believed, and what lies between is missing; unless `believe` is false: then it is `APART` if its place
    may yet come, and nothing changes.
    """
    if event.prevhash == chain.head and event.sequence == chain.next_sequence:
        if chain.unread:
            _clear_up(chain, blind)  # the unreadable lines never belonged to the chain: nothing is missing
            chain.unread = 0
        # As `_advance`, without the call: nearly every event comes this way.
        chain.next_sequence += 1
        chain.head = digest
        chain.records += 1
        chain.recent.append(digest)
        if len(chain.recent) > _KEPT:
            del chain.recent[:_RECENT]
        return _NEXT
    return _diagnose(chain, event, digest, blind) if believe else _await(chain, event, digest, blind)


def unreadable(chain: Chain, digest: str, blind: Blindness) -> int:
    """Note a line that cannot be read, and return the sequence that an event in its place would have.

    The line may have been an event until the next event shows that the chain is whole without it.
    """
    chain.unread += 1
    chain.unread_last = digest
    _cloud(blind, _unread_reason(chain))
    return chain.next_sequence + chain.unread - 1


def _unread_reason(chain: Chain) -> str:
    return f"the line after event {chain.next_sequence - 1} could not be read"


def _advance(chain: Chain, sequence: int, digest: str) -> None:
    chain.next_sequence = sequence + 1
    chain.head = digest
    chain.records += 1
    recent = chain.recent
    recent.append(digest)
    if len(recent) > _KEPT:
        del recent[:_RECENT]
    chain.unread = 0


def _clear_up(chain: Chain, blind: Blindness) -> None:
    reason = _unread_reason(chain)
    for scope in blind.scopes:
        if reason in scope:
            scope.remove(reason)


def _cloud(blind: Blindness, reason: str) -> None:
    blind.cloud(reason, *blind.scopes)


def _spoil(chain: Chain, sequence: int) -> None:
    chain.broken = True
    if chain.first_bad is None or sequence < chain.first_bad:
        chain.first_bad = sequence


def _diagnose(chain: Chain, event: Envelope, digest: str, blind: Blindness) -> Admitted:
    expected, sequence = chain.next_sequence, event.sequence
    if event.prevhash == chain.head and not chain.unread:
        return True, (_misnumbered(chain, sequence, digest, blind),)
    if sequence < expected:
        return False, _already_passed(chain, sequence, digest)
    unread = chain.unread
    if unread and _runs_through_unread(chain, event):
        _advance(chain, sequence, digest)  # the unreadable lines belong to the chain: it is whole
        return True, ()
    if sequence > expected + unread or (sequence > expected and not unread):
        return True, (_gap(chain, sequence, digest, blind),)
    return True, (_mismatch(chain, sequence, digest, blind),)


def _await(chain: Chain, event: Envelope, digest: str, blind: Blindness) -> Admitted:
    if chain.unread and _runs_through_unread(chain, event):
        return _diagnose(chain, event, digest, blind)
    if event.sequence < chain.next_sequence:
        return False, _already_passed(chain, event.sequence, digest)
    return APART


def _runs_through_unread(chain: Chain, event: Envelope) -> bool:
    expected = chain.next_sequence
    return event.prevhash == chain.unread_last and event.sequence in (expected, expected + chain.unread)


def _misnumbered(chain: Chain, sequence: int, digest: str, blind: Blindness) -> Anomaly:
    expected = chain.next_sequence
    _spoil(chain, expected)
    _cloud(blind, f"event {expected} carries the sequence {sequence}")
    _advance(chain, expected, digest)
    return Anomaly(
        check="integrity.order",
        message=f"The record chained after event {expected - 1} is numbered {sequence} instead of {expected}.",
        sequences=(sequence,),
        expected={"sequence": expected},
        observed={"sequence": sequence},
    )


def _already_passed(chain: Chain, sequence: int, digest: str) -> tuple[Anomaly, ...]:
    if digest in chain.refused:
        return ()  # a third copy of a line would be the same finding as the second
    chain.refused.append(digest)
    if len(chain.refused) > _RECENT:
        del chain.refused[0]
    _spoil(chain, sequence)
    if any(low <= sequence <= high for low, high in chain.missing):
        check = "integrity.order"
        message = f"Event {sequence} arrived after event {chain.next_sequence - 1}: the order was changed."
    elif digest in chain.recent:
        check = "integrity.duplicate"
        message = f"Event {sequence} stands in the record twice; it is counted once."
    else:
        check, last = "integrity.conflict", chain.next_sequence - 1
        message = f"A second record with sequence {sequence} came after event {last}; it is not counted."
    return (
        Anomaly(
            check=check,
            cites="integrity.order",
            message=message,
            sequences=(sequence,),
            expected={"sequence": chain.next_sequence},
            observed={"sequence": sequence},
            discriminator=digest,
        ),
    )


def _gap(chain: Chain, sequence: int, digest: str, blind: Blindness) -> Anomaly:
    first, last = chain.next_sequence, sequence - 1
    _spoil(chain, first)
    if len(chain.missing) < _MISSING:
        chain.missing.append((first, last))
    missing = f"events {first} to {last} are missing" if last > first else f"event {first} is missing"
    _cloud(blind, missing)
    _advance(chain, sequence, digest)
    return Anomaly(
        check="integrity.gap",
        message=f"{missing.capitalize()} from the record.",
        sequences=(first, sequence),
        expected={"sequence": first},
        observed={"sequence": sequence, "missing": last - first + 1},
    )


def _mismatch(chain: Chain, sequence: int, digest: str, blind: Blindness) -> Anomaly:
    """Name an event that does not carry the hash of the record before it: one of the two was altered.

    The next event shows which: if it does not carry this event's hash either, this event was altered.
    """
    before = chain.next_sequence if chain.unread else chain.next_sequence - 1
    if chain.own_mismatch == before and chain.first_bad == before - 1:
        chain.first_bad = before
    _spoil(chain, max(before, 1))
    chain.own_mismatch = sequence
    _cloud(blind, f"event {max(before, 1)} or {sequence} was altered")
    if before == blind.rules_at:
        blind.doubt_rules(f"the rules of event {before} may have been altered")
    _advance(chain, sequence, digest)
    return Anomaly(
        check="integrity.chain",
        message=f"Event {sequence} does not carry the hash of event {sequence - 1}: one of them was altered.",
        sequences=(max(before, 1), sequence) if before != sequence else (sequence,),
        expected={"prevhash": "the SHA-256 of the record before"},
        observed={"first_bad_sequence": max(before, 1)},
    )
