"""The chain of a table's record: is this event the next one, and if not, which sequence is the first bad one?

Convention: the first bad sequence is the one whose record is not as it was written. An edited record k is known
by k+1, whose `prevhash` does not fit it; a missing record is k itself; a doubled one k; of two swapped, the
smaller.
"""

from __future__ import annotations

from processors.core.anomaly import Anomaly
from processors.core.state import Blindness, Chain
from schemas.envelope import Envelope

_RECENT = 64
_KEPT = 2 * _RECENT
_MISSING = 256


_NEXT: tuple[bool, tuple[Anomaly, ...]] = (True, ())


def admit(chain: Chain, event: Envelope, digest: str, blind: Blindness) -> tuple[bool, tuple[Anomaly, ...]]:
    """Place one decoded event in the chain; True when it is to be folded.

    `digest` is the SHA-256 of the line's bytes. What was not seen is added to `blind`.
    """
    if event.prevhash == chain.head and event.sequence == chain.next_sequence:
        if chain.unread:
            _clear_up(chain, blind)  # the unreadable lines never belonged to the chain: nothing is missing
        _advance(chain, event.sequence, digest)
        return _NEXT
    return _diagnose(chain, event, digest, blind)


def unreadable(chain: Chain, digest: str, blind: Blindness) -> int:
    """Note a line that is no event; the sequence it stands at.

    Until the next event shows that the chain is whole without it, it may have been one.
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
    for scope in (blind.round, blind.shoe, blind.day):
        if reason in scope:
            scope.remove(reason)


def _cloud(blind: Blindness, reason: str) -> None:
    for scope in (blind.round, blind.shoe, blind.day):
        if reason not in scope and len(scope) < 16:
            scope.append(reason)


def _spoil(chain: Chain, sequence: int) -> None:
    chain.broken = True
    if chain.first_bad is None or sequence < chain.first_bad:
        chain.first_bad = sequence


def _diagnose(
    chain: Chain, event: Envelope, digest: str, blind: Blindness
) -> tuple[bool, tuple[Anomaly, ...]]:
    expected, sequence = chain.next_sequence, event.sequence
    if event.prevhash == chain.head and not chain.unread:
        return True, (_misnumbered(chain, sequence, digest, blind),)
    if sequence < expected:
        return False, _already_passed(chain, sequence, digest)
    unread = chain.unread
    if unread and event.prevhash == chain.unread_last and sequence in (expected, expected + unread):
        _advance(chain, sequence, digest)  # the unreadable lines belong to the chain: it is whole
        return True, ()
    if sequence > expected + unread or (sequence > expected and not unread):
        return True, (_gap(chain, sequence, digest, blind),)
    return True, (_mismatch(chain, sequence, digest, blind),)


def _misnumbered(chain: Chain, sequence: int, digest: str, blind: Blindness) -> Anomaly:
    expected = chain.next_sequence
    _spoil(chain, expected)
    _cloud(blind, f"event {expected} carries the sequence {sequence}")
    _advance(chain, expected, digest)
    return Anomaly(
        check="integrity.order",
        cites="integrity.order",
        message=f"The record chained after event {expected - 1} is numbered {sequence} instead of {expected}.",
        sequences=(sequence,),
        expected={"sequence": expected},
        observed={"sequence": sequence},
    )


def _already_passed(chain: Chain, sequence: int, digest: str) -> tuple[Anomaly, ...]:
    if digest in chain.refused:
        return ()  # said once: the third copy of a line is the same finding
    chain.refused.append(digest)
    if len(chain.refused) > _RECENT:
        del chain.refused[0]
    chain_of_it = any(low <= sequence <= high for low, high in chain.missing)
    _spoil(chain, sequence)
    if chain_of_it:
        check, cites = "integrity.order", "integrity.order"
        message = f"Event {sequence} arrived after event {chain.next_sequence - 1}: the order was changed."
    elif digest in chain.recent:
        check, cites = "integrity.duplicate", "integrity.order"
        message = f"Event {sequence} stands in the record twice; it is counted once."
    else:
        check, cites = "integrity.conflict", "integrity.order"
        last = chain.next_sequence - 1
        message = f"A second record with sequence {sequence} came after event {last}; it is not counted."
    anomaly = Anomaly(
        check=check,
        cites=cites,
        message=message,
        sequences=(sequence,),
        expected={"sequence": chain.next_sequence},
        observed={"sequence": sequence},
        discriminator=digest,
    )
    return (anomaly,)


def _gap(chain: Chain, sequence: int, digest: str, blind: Blindness) -> Anomaly:
    first, last = chain.next_sequence, sequence - 1
    _spoil(chain, first)
    if len(chain.missing) < _MISSING:
        chain.missing.append((first, last))
    _cloud(blind, f"events {first} to {last} are missing" if last > first else f"event {first} is missing")
    _advance(chain, sequence, digest)
    return Anomaly(
        check="integrity.gap",
        cites="integrity.gap",
        message=(
            f"Events {first} to {last} are missing from the record."
            if last > first
            else f"Event {first} is missing from the record."
        ),
        sequences=(first, sequence),
        expected={"sequence": first},
        observed={"sequence": sequence, "missing": last - first + 1},
    )


def _mismatch(chain: Chain, sequence: int, digest: str, blind: Blindness) -> Anomaly:
    """This event does not carry the hash of the one before: one of the two was altered.

    Which of them, the next event tells: if it does not fit this one either, this one was altered.
    """
    before = chain.next_sequence if chain.unread else chain.next_sequence - 1
    if chain.own_mismatch == before and chain.first_bad == before - 1:
        chain.first_bad = before
    _spoil(chain, max(before, 1))
    chain.own_mismatch = sequence
    reason = f"event {max(before, 1)} or {sequence} was altered"
    _cloud(blind, reason)
    if before == blind.rules_at:
        blind.rules.append(reason)
    _advance(chain, sequence, digest)
    return Anomaly(
        check="integrity.chain",
        cites="integrity.chain",
        message=f"Event {sequence} does not carry the hash of event {sequence - 1}: one of them was altered.",
        sequences=(max(before, 1), sequence) if before != sequence else (sequence,),
        expected={"prevhash": "the SHA-256 of the record before"},
        observed={"first_bad_sequence": max(before, 1)},
    )
