"""Whether a table's chain vouches for a stored event: then another one for its place is the ledger's own doing.

Of two lines that a ledger has for one place the first holds, and the fold says so by `integrity.conflict`. That the
store was altered is another matter: then the stored line is not what its hash or its successor's `prevhash` names.
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
        return True  # the two came in one batch
    (line, row_hash), *behind = found
    digest = hashlib.sha256(line.encode())
    if short_hash(digest.digest()) != row_hash:
        return False
    return all(_read(following).prevhash == digest.hexdigest() for following, _ in behind)
