"""The words of the queue's filter: which alerts each word takes, and which words mean nothing.

The script of the page reads them alike (static/js/filter.js).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import get_args

from msgspec import Struct

from dashboards.filters.clocks import Clock, Timed, TimeWord, timed
from dashboards.filters.money import NoSum, cents_between
from dashboards.queue.views import AlertRow
from schemas.findings import Severity

_NAMES: dict[str, Callable[[AlertRow], str | None]] = {
    "table": lambda row: row.table,
    "dealer": lambda row: row.dealer,
    "player": lambda row: row.player,
    "check": lambda row: row.check,
    "hand": lambda row: row.hand,
    "owner": lambda row: row.owner,
}
_NUMBERS: dict[str, Callable[[AlertRow], int | None]] = {
    "seat": lambda row: row.seat,
    "round": lambda row: row.round,
}
STATES = ("new", "acknowledged", "awaiting", "shelved", "closed")
SEVERITIES: tuple[Severity, ...] = get_args(Severity)
_CHOICES: dict[str, tuple[str, ...]] = {"severity": SEVERITIES, "state": STATES, "status": STATES}
# Which way money went, as the sign of its cents: + the house owes.
_MONEY: dict[str, tuple[int, ...]] = {"money": (1, -1), "owed": (1,), "overpaid": (-1,)}
MONEY_FIELDS = tuple(_MONEY)
# Alerts of one kind by the beginning of their check; what they are about is named behind the field.
_KINDS = {"device": "integrity.device", "pattern": "pattern."}
FIELDS = (*_NAMES, *_NUMBERS, *_CHOICES, "clause", *_MONEY, *_KINDS, "time", "since")
# What says by its form what it is, and needs no field.
_TOLD = (
    (
        re.compile(
            r'(?<![\w:"$.<>=])((?:(?:over|under) )?\$\d[\d,]*(?:\.\d{1,2})?(?:-\$?\d[\d,]*(?:\.\d{1,2})?|\+)?)(?!\S)'
        ),
        "money",
    ),
    (re.compile(r'(?<![\w:".])(\d{3}[a-z]?\.\d+[\w().#]*)(?!\S)'), "clause"),
    (re.compile(r"(?<!\S)(critical|major|minor|info)(?!\S)"), "severity"),
)
OF_HANDS = ("total", "against", "stake", "result", "shoe", "day", "finding")
_TOKEN = re.compile(r'(?:([a-z]+):)?(?:"([^"]*)"|(\S+))')
_MOST = 4  # names that are offered
_ID = re.compile(r"[0-9a-f]{6,64}")


class Term(Struct, frozen=True):
    """One term, in lower case; without a `field` it is a word that may be a name or stand in title and message.

    `time` is what a term of that field was read as.
    """

    field: str
    text: str
    time: TimeWord | None = None

    def __str__(self) -> str:
        return f"{self.field}:{self.text}" if self.field else self.text


def timed_terms(words: str, clock: Clock) -> tuple[Term, ...]:
    """The terms of a filter, its times read by this clock."""
    return terms_of(timed(words, clock))


def terms_of(told: Timed) -> tuple[Term, ...]:
    """The terms of a filter: `BJ-12 dealer:D301 seat 3 critical over $100 672a.7(o) 11:00-11:15 "wrong payout"`."""
    return (*_terms(told.rest), *(Term("time", one.text.lower(), one) for one in told.times))


def written(term: Term, words: str) -> str:
    """A term as it may be written anew, in the letters of the words that it came from; read again it is this term."""
    at = words.lower().find(term.text)
    text = term.text if at < 0 else words[at : at + len(term.text)]
    field = term.field
    if not field:
        return f'"{text}"' if f'"{term.text}"' in words.lower() else text
    if text == ">0" and field in ("owed", "overpaid"):
        return field
    if field == "time" and term.text.startswith("since "):
        field, text = "since", text[len("since ") :]
    return f'{field}:"{text}"' if any(letter.isspace() for letter in text) else f"{field}:{text}"


def understood(terms: Iterable[Term]) -> str:
    """What the times among the terms were understood as; empty where none was."""
    return " and ".join(term.time.understood for term in terms if term.time and term.time.spans)


def _terms(words: str) -> tuple[Term, ...]:
    found: list[Term] = []
    told = words.lower()
    for form, name in _TOLD:
        told = form.sub(rf'{name}:"\1"', told)
    for field, quoted, text in _TOKEN.findall(told):
        last = found[-1] if found else None
        if last is not None and not last.field and last.text in _NUMBERS and not field and text.isdigit():
            found[-1] = Term(last.text, text)
        elif text in ("owed", "overpaid") and not field:
            found.append(Term(text, ">0"))
        elif quoted or text:
            found.append(Term(field, quoted or text))
    return tuple(found)


def takes(term: Term, row: AlertRow) -> bool:
    """Whether an alert is one that the term asks for, in any case.

    A field's name is a whole name. A word stands at the beginning of a name or of a word of title or message; one with
    a digit in it must stand there whole, so that BJ-1 is not BJ-12.
    """
    if term.field in _NAMES:
        return (_NAMES[term.field](row) or "").lower() == term.text
    if term.field in _NUMBERS:
        return str(_NUMBERS[term.field](row)) == term.text
    if term.field == "severity":
        return row.severity == term.text
    if term.field in ("state", "status"):
        return {"disposed": "closed"}.get(row.status, row.status) == term.text
    if term.field == "clause":
        begins = (f"{term.text}(", f"{term.text}#")
        return any(one.lower() == term.text or one.lower().startswith(begins) for one in row.cites)
    if term.time is not None:
        return term.time.takes(row.event_at)
    if term.field in _MONEY:
        with suppress(NoSum):
            low, high = cents_between(term.text)
            return any(
                row.cents * sign > 0 and low <= row.cents * sign <= high for sign in _MONEY[term.field]
            )
    if term.field in _KINDS:
        return row.check.startswith(_KINDS[term.field]) and _stands(
            term.text, row.check, row.title or "", row.message
        )
    if term.field:
        return False
    names = [name for name in (*(name(row) for name in _NAMES.values()), row.by) if name]
    if any(name.lower() == term.text for name in names):
        return True
    if _ID.fullmatch(term.text) and row.id.startswith(term.text):
        return True
    return _stands(term.text, row.title or "", row.message, *names)


def _stands(text: str, *said: str) -> bool:
    """Whether a word of these begins with the text; one with a digit must stand whole."""
    end = r"(?![\w-]|\.\w)" if any(letter.isdigit() for letter in text) else ""
    return re.search(rf"(?<![\w-]){re.escape(text)}{end}", " ".join(said).lower()) is not None


def unreadable(terms: Iterable[Term]) -> tuple[str, ...]:
    """A message for each term whose field or number does not exist, with the fields that do."""
    told = []
    for term in terms:
        if term.field in OF_HANDS:
            told.append(f"“{term}” is looked for among the hands: an alert does not name it")
        elif (term.field and term.field not in FIELDS) or term.text in (f"{name}:" for name in FIELDS):
            terms_there_are = ", ".join(f"{one}:" for one in FIELDS)
            told.append(f"“{term}” is no term of this filter: there are {terms_there_are}")
        elif term.field in _NUMBERS and not term.text.isdigit():
            told.append(f"“{term}” is no {term.field}: write {term.field} 3")
        elif term.field in _CHOICES and term.text not in _CHOICES[term.field]:
            told.append(f"“{term}” is no {term.field}: there are {', '.join(_CHOICES[term.field])}")
        elif term.time is not None and term.time.wrong:
            told.append(f"“{term}” is no time: {term.time.wrong}")
        elif term.field in _MONEY and _is_no_sum(term.text):
            told.append(f"“{term}” is no sum of money: write $25, $100-500, >100, over $100 or under $50")
    return tuple(told)


def _is_no_sum(text: str) -> bool:
    try:
        cents_between(text)
    except NoSum:
        return True
    return False


def unread(terms: Sequence[Term], rows: Sequence[AlertRow]) -> tuple[str, ...]:
    """A message for each term that fits none of these alerts, with the names that are like it."""
    told = list(unreadable(terms))
    for term in terms:
        if unreadable((term,)) or any(takes(term, row) for row in rows):
            continue
        names = {name(row) or "" for name in _NAMES.values() for row in rows}
        alike = sorted(one for one in names if term.text in one.lower())[:_MOST]
        what = "table, dealer, player, check, hand, owner or id, nor a name or a word of the message that begins so"
        said = f"“{term}”: none of these alerts has it as its {term.field or what}"
        if term.time is not None:
            said = f"“{term}”: the event of none of these alerts was then ({term.time.understood})"
        like_it = bool(alike) and term.field in ("", *_NAMES)
        of_seats = "; alerts name few players: those who sat at a table are found among the hands"
        more = f"; like it are {', '.join(alike)}" if like_it else of_seats if term.field == "player" else ""
        told.append(said + more)
    return tuple(told)
