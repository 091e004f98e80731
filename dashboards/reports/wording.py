"""The text a report may print, and money as reports write it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from dashboards.wording.money import figures

# What the two fonts of the reports have, and what changes no direction of writing; a test prints every character.
_PRINTED = re.compile(
    "[\n -~\u00a0-\u00ac\u00ae-\u02af\u0300-\u036f\u0370-\u0377\u037a-\u037f\u0384-\u038a\u038c\u038e-\u03a1"
    "\u03a3-\u0484\u0487-\u04ff\u1e00-\u1eff\u2010-\u2027\u2030-\u2040\u20a0-\u20bf\u2116\u2122\u2190-\u2193\u2212"
    "\u2260\u2264\u2265\u25a0\u25a1\u25b2\u25c6\u25cb\u2660\u2663\u2665\u2666\u2713\u2715\ufffd]"
)


def printed(text: str) -> str:
    """The text with each character that the fonts lack as its code: nothing is left out, nothing is a blank.

    Controls and marks that turn the direction of writing are told by code too: evidence reads as it was written.
    """
    composed = unicodedata.normalize("NFC", text)
    return "".join(one if _PRINTED.fullmatch(one) else f"[U+{ord(one):04X}]" for one in composed)


def dollars(cents: int | None, unknown: str = "not known") -> str:
    """`$1,234.50`, a minus sign before the currency."""
    if cents is None:
        return unknown
    return f"{'−' if cents < 0 else ''}{figures(cents, '$')}"


def signed(cents: int | None, unknown: str = "–") -> str:
    """Money with its sign: `+$30.00`, `−$30.00`, `$0.00`."""
    if cents is None:
        return unknown
    return f"+{dollars(cents)}" if cents > 0 else dollars(cents)


def listed(words: Iterable[str], empty: str = "none") -> str:
    """Words in one line."""
    return ", ".join(words) or empty
