"""The nonce of a seal: it hides one hole card of a table, and none again as far as the latest are remembered."""

from __future__ import annotations

import hashlib

from processors.core.grammar.departures import depart, keeps
from processors.core.handlers import Anomalies
from processors.core.state import Table
from schemas.events import HoleCardRevealed

KEPT = 256  # hole cards of a table: some four shoes; it forgets the older half when it has more
_DIGITS = 16  # of a SHA-256: a nonce shares them with one of 256 others by chance once in 7 x 10^16


def opened(table: Table, sequence: int, nonce: str) -> Anomalies:
    """A nonce has opened a seal: it is one that opened none before, or nobody could keep this card from its reader."""
    nonces = table.lives.nonces
    name = hashlib.sha256(nonce.encode()).hexdigest()[:_DIGITS]
    before = nonces.get(name, 0)
    nonces[name] = sequence
    if before:
        return depart(table, "same_nonce", sequence, before)
    keeps(table, "same_nonce")
    if len(nonces) > KEPT:
        for old in list(nonces)[: KEPT // 2]:
            del nonces[old]
    return ()


def opens(seal: str, data: HoleCardRevealed) -> bool:
    """Whether the revealed card is the one that was sealed; without a seal there is nothing to doubt."""
    return not seal or hashlib.sha256(f"{data.card}|{data.nonce}".encode()).hexdigest() == seal
