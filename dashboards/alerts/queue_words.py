"""The words of the queue's filter: which alerts each word takes, and which words mean nothing.

The script of the page reads them alike (static/js/filter.js).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct

from dashboards.alerts.views import AlertRow

_NAMES: dict[str, Callable[[AlertRow], str | None]] = {
    "table": lambda row: row.table,
    "dealer": lambda row: row.dealer,
    "check": lambda row: row.check,
    "hand": lambda row: row.hand,
    "owner": lambda row: row.owner,
}
_NUMBERS: dict[str, Callable[[AlertRow], int | None]] = {
    "seat": lambda row: row.seat,
    "round": lambda row: row.round,
}
FIELDS = (*_NAMES, *_NUMBERS)
_TOKEN = re.compile(r'(?:([a-z]+):)?(?:"([^"]*)"|(\S+))')
_MOST = 4  # names that are offered
_ID = re.compile(r"[0-9a-f]{6,64}")


class Term(Struct, frozen=True):
    """One term, in lower case; without a `field` it is a word that may be a name or stand in the message."""

    field: str
    text: str

    def __str__(self) -> str:
        return f"{self.field}:{self.text}" if self.field else self.text


def terms_of(words: str) -> tuple[Term, ...]:
    """The terms of a filter: `BJ-12 dealer:D301 seat 3 "wrong payout"`."""
    found: list[Term] = []
    for field, quoted, text in _TOKEN.findall(words.lower()):
        last = found[-1] if found else None
        if last is not None and not last.field and last.text in _NUMBERS and not field and text.isdigit():
            found[-1] = Term(last.text, text)
        elif quoted or text:
            found.append(Term(field, quoted or text))
    return tuple(found)


def takes(term: Term, row: AlertRow) -> bool:
    """Whether an alert is one that the term asks for, in any case.

    A field's name is a whole name. A word stands at the beginning of a name or of a word of the message; one with a
    digit in it must stand there whole, so that BJ-1 is not BJ-12.
    """
    if term.field in _NAMES:
        return (_NAMES[term.field](row) or "").lower() == term.text
    if term.field in _NUMBERS:
        return str(_NUMBERS[term.field](row)) == term.text
    if term.field:
        return False
    names = [name for name in (*(name(row) for name in _NAMES.values()), row.by) if name]
    if any(name.lower() == term.text for name in names):
        return True
    if _ID.fullmatch(term.text) and row.id.startswith(term.text):
        return True
    end = r"(?![\w-]|\.\w)" if any(letter.isdigit() for letter in term.text) else ""
    said = " ".join((row.message, *names)).lower()
    return re.search(rf"(?<![\w-]){re.escape(term.text)}{end}", said) is not None


def unreadable(terms: Iterable[Term]) -> tuple[str, ...]:
    """A message for each term whose field or number does not exist, with the fields that do."""
    told = []
    for term in terms:
        if (term.field and term.field not in FIELDS) or term.text in (f"{name}:" for name in FIELDS):
            terms_there_are = ", ".join(f"{one}:" for one in FIELDS)
            told.append(f"“{term}” is no term of this filter: there are {terms_there_are}")
        elif term.field in _NUMBERS and not term.text.isdigit():
            told.append(f"“{term}” is no {term.field}: write {term.field} 3")
    return tuple(told)


def unread(terms: Sequence[Term], rows: Sequence[AlertRow]) -> tuple[str, ...]:
    """A message for each term that fits none of these alerts, with the names that are like it."""
    told = list(unreadable(terms))
    for term in terms:
        if unreadable((term,)) or any(takes(term, row) for row in rows):
            continue
        names = {name(row) or "" for name in _NAMES.values() for row in rows}
        alike = sorted(one for one in names if term.text in one.lower())[:_MOST]
        what = "table, dealer, check, hand, owner or id, nor a name or a word of the message that begins so"
        said = f"“{term}”: none of these alerts has it as its {term.field or what}"
        like_it = bool(alike) and term.field not in _NUMBERS
        told.append(said + (f"; like it are {', '.join(alike)}" if like_it else ""))
    return tuple(told)
