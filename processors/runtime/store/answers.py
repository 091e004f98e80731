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
    "7215df9a1142179c56051a58eccfeac7398df231de5e99ce36b6b0bc1b07c4ed",
)
