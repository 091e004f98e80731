"""Checkpoints of the chain: each signs the hash of an event before it.

The last events are held against their hashes here; `catwalk verify` does so for the whole record, and reads signatures.
"""

from __future__ import annotations

from processors.core.grammar.departures import depart, keeps
from processors.core.handlers import Anomalies
from processors.core.state import Table
from schemas.events import ChainCheckpointed
from schemas.events.envelope import GENESIS


def checkpointed(table: Table, sequence: int, data: ChainCheckpointed) -> Anomalies:
    """Hold a checkpoint against its place and against the head that it names, as far as that is remembered."""
    if data.upto >= sequence:
        return depart(table, "checkpoint_ahead", sequence, last=data.upto)
    keeps(table, "checkpoint_ahead")
    head = _head_at(table, sequence, data.upto)
    if head is None or head == data.head:
        keeps(table, "other_head")
        return ()
    return depart(table, "other_head", sequence, data.upto, last=data.upto)


def _head_at(table: Table, sequence: int, upto: int) -> str | None:
    """The hash of an earlier event; None if it is forgotten, or not known to stand in its place."""
    if upto == 0:
        return GENESIS
    chain = table.chain
    back = sequence - upto + 1  # the checkpoint's own hash is the last of `recent`
    if chain.records != sequence or back > len(chain.recent):
        return None
    return chain.recent[-back]
