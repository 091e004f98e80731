"""Whether a table's hash chain confirms a stored event, although the ledger offers another event for its place.

If it does, the ledger holds two lines for one place: the first counts, and the fold reports `integrity.conflict`. If it
does not, the store was altered: the stored line no longer has its own hash, or the `prevhash` of its successor.
"""

from __future__ import annotations

import hashlib
from typing import Any

import msgspec
from msgspec import Struct

from processors.runtime.store.rows import short_hash
from processors.runtime.store.warehouse import Parameter, Warehouse

_STORED = """
SELECT line, row_hash FROM events FINAL
WHERE subject = {subject:String} AND sequence BETWEEN {sequence:UInt32} AND {next:UInt32} ORDER BY sequence
"""


class _Chained(Struct):
    prevhash: str


_read = msgspec.json.Decoder(_Chained).decode


def is_vouched_for(warehouse: Warehouse, subject: str, sequence: int) -> bool:
    """Whether what is stored at this place has its hash, and the event behind it names it; nothing stored is altered.

    Raises:
        WarehouseError: the store does not answer.
    """
    given: dict[str, Parameter] = {"subject": subject, "sequence": sequence, "next": sequence + 1}
    found: list[tuple[Any, ...]] = warehouse.query(_STORED, given)
    if not found:
        return True  # both events came in one batch: neither is stored yet
    (line, row_hash), *behind = found
    digest = hashlib.sha256(line.encode())
    if short_hash(digest.digest()) != row_hash:
        return False
    return all(_read(following).prevhash == digest.hexdigest() for following, _ in behind)
