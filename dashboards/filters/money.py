"""Sums of money as people type them: `$25`, `1,000.50`, `100-500`, `over 100`, `<= 50`."""

from __future__ import annotations

import re

MOST = 10**12  # cents
_SUM = r"\$?\s?(?:\d{1,3}(?:,\d{3})+|\d{1,10})(?:\.\d{1,2})?"
_RANGE = re.compile(rf"({_SUM})\s*(?:-|\u2013|to)\s*({_SUM})", re.I)
_FROM = re.compile(rf"(over|above|more than|at least|from|>=|>)\s*({_SUM})\+?|({_SUM})\+", re.I)
_UPTO = re.compile(rf"(under|below|less than|at most|up to|<=|<)\s*({_SUM})", re.I)
# In a sentence a sum is told by its mark, or by the word that follows it.
IN_WORDS = re.compile(
    r"(?:(?:over|above|more than|at least|under|below|less than|at most|up to|>=|<=|>|<)\s*)?"
    r"\$\s?\d[\d,]*(?:\.\d{1,2})?\+?(?:\s*(?:-|\u2013|to)\s*\$?\s?\d[\d,]*(?:\.\d{1,2})?)?(?![\d:])"
    r"|\b\d[\d,]*(?:\.\d{1,2})?\s+(?:dollars|usd|bucks)\b",
    re.I,
)
_WRITE = "write it as 25, $25.00, 100-500, over 100 or under 50"


class NoSum(ValueError):
    """A text that is no sum of money: the message says how to write one."""


def cents_between(text: str) -> tuple[int, int]:
    """The least and the most cents that a text means.

    Raises:
        NoSum: it is none, or its range ends before it begins.
    """
    told = re.sub(r"\s+(?:dollars|usd|bucks)$", "", " ".join(text.split()), flags=re.I)
    span = _RANGE.fullmatch(told)
    if span is not None:
        low, high = _cents(span[1]), _cents(span[2])
        if high < low:
            raise NoSum(f"{text[:30]!r} ends before it begins; {_WRITE}")
        return low, high
    least, most = _FROM.fullmatch(told), _UPTO.fullmatch(told)
    if least is not None:
        beyond = int((least[1] or "").lower() in ("over", "above", "more than", ">"))
        return _cents(least[2] or least[3]) + beyond, MOST
    if most is not None:
        beyond = int(most[1].lower() in ("under", "below", "less than", "<"))
        return 0, _cents(most[2]) - beyond
    if re.fullmatch(_SUM, told) is None:
        raise NoSum(f"{text[:30]!r} is no sum of money; {_WRITE}")
    return _cents(told), _cents(told)


def _cents(text: str) -> int:
    whole, _, part = re.sub(r"[$,\s]", "", text).partition(".")
    return int(whole) * 100 + int(part.ljust(2, "0") or 0)
