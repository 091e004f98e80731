"""Digests of what the fold has answered, one for each of its versions: what an older one stored is folded again.

A test works out the digest of this code's answers and fails unless it is the last one here. The version is their
number, so that answers cannot change without it.
"""

from __future__ import annotations

from typing import Final

ANSWERS: Final = (
    "before answers were digested",
    "f8922ecbbe51095f68ede69647b07e7ab89cd4d907e24f402e4a9123b512686a",
    "9f6e3c5e39800365109c01d3892169428308312dd40c59967de39f8ebfd6edf9",
    "1295a991f9302d8de57814ca323951483ff0114da330e0e5e9a331d1d0798e04",
)
