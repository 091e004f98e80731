"""A digest of the fold's answers for each of its versions; results of an older version are folded again.

A test digests the answers of the present code and fails unless the last digest here is the same. The number of digests
is the version, so that answers cannot change without a new version.
"""

from __future__ import annotations

from typing import Final

ANSWERS: Final = (
    "before answers were digested",
    "f8922ecbbe51095f68ede69647b07e7ab89cd4d907e24f402e4a9123b512686a",
    "9f6e3c5e39800365109c01d3892169428308312dd40c59967de39f8ebfd6edf9",
    "1295a991f9302d8de57814ca323951483ff0114da330e0e5e9a331d1d0798e04",
    "8aff6cc992f5bfb7e0bc5b60d63ea87d2f13735e15d8c5aba3aef38d6e871e00",
)
