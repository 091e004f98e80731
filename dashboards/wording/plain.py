"""Characters that turn the letters after them around are shown by name: text on a page reads as it was written."""

from __future__ import annotations

import re

# The directional controls of Unicode (UAX #9): marks, embeddings, overrides and isolates.
_TURNS = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def plain(text: str) -> str:
    """The text with each directional control in its place as `[U+202E]`; no browser follows it then."""
    return _TURNS.sub(lambda found: f"[U+{ord(found[0]):04X}]", text)
