"""The terms of a search for hands: the fields of the form, and the errors in them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import get_args

import msgspec
from msgspec import Struct

from dashboards.filters.cursors import as_cursor, of_cursor
from dashboards.filters.money import NoSum, cents_between
from dashboards.reader.newest import After
from dashboards.reader.played import FindingAsked, Moved, Played
from dashboards.reader.search import FoundRow, SpanRow
from schemas.check_names import current
from schemas.findings import Severity

SEVERITIES: tuple[Severity, ...] = get_args(Severity)
LOOKED_BACK = dt.timedelta(days=31)
RESULTS = ("won", "lost", "push", "blackjack", "bust", "stand", "double", "surrender", "dead")
MOVED: dict[str, Moved] = {"won": "pay", "lost": "collect", "push": "return"}
HAND_RESULTS = tuple(one for one in RESULTS if one not in MOVED)
FINDINGS = ("any", *SEVERITIES)
ANY_DEVICE = "any"
DEVICES = (ANY_DEVICE, "layout", "discard rack", "shoe", "card reader", "console", "reading of cards")
_DEVICES = {
    "rack": "discard rack",
    "reader": "card reader",
    "cards": "reading of cards",
    "faces": "reading of cards",
}
STATUSES = ("consistent", "breached", "indeterminate", "void")
EVER = dt.datetime(1970, 1, 2, tzinfo=dt.UTC)
_LATEST = dt.timedelta(hours=2)

_read_place = msgspec.msgpack.Decoder(After).decode


class HandTerms(Struct, frozen=True, kw_only=True):
    """The fields of the form as they were filled in; empty ones ask nothing."""

    table: str = ""
    time: str = ""
    seat: str = ""
    round: str = ""
    patron: str = ""
    finding: str = ""
    dealer: str = ""
    shoe: str = ""
    day: str = ""
    status: str = ""
    total: str = ""
    against: str = ""
    stake: str = ""
    result: str = ""
    findings: str = ""
    clause: str = ""
    check: str = ""
    device: str = ""
    pattern: str = ""
    owed: str = ""
    overpaid: str = ""
    money: str = ""
    since: str = ""
    after: str = ""

    def asked(self) -> dict[str, str]:
        """The fields that ask something, for an address; not where in the list one is."""
        return {
            name: value for name, value in msgspec.structs.asdict(self).items() if value and name != "after"
        }

    def in_words(self) -> str:
        """The terms in words, for the record of the look."""
        return ", ".join(f"{name} {value}" for name, value in self.asked().items()) or "the latest"

    @property
    def is_of_cards(self) -> bool:
        """Whether only who sees cards may ask this."""
        return any(getattr(self, name) for name in OF_CARDS) or self.result in HAND_RESULTS

    @property
    def is_place(self) -> bool:
        """Whether a table and a time are asked for, a seat perhaps, and nothing else."""
        return bool(self.table and self.time) and self.asked().keys() <= {"table", "time", "seat"}


FIELDS = HandTerms.__struct_fields__
OF_FINDINGS = ("findings", "clause", "check", "owed", "overpaid", "money")  # what one finding of the hand has
SUMS = ("stake", "owed", "overpaid", "money")
OF_CARDS = ("patron", "total", "against")  # what nobody asks who sees no cards; so is the result of a hand
_WITHOUT = {"time": ("day", "since")}  # a time names its own day
_CHOICES = {"status": STATUSES, "result": RESULTS, "findings": FINDINGS}
_LIMITS = {"seat": (1, 9), "round": (0, 2**31), "shoe": (0, 2**31), "total": (2, 99), "against": (2, 99)}
_NUMBER = "write a whole number"
_TOTAL = "totals are 2 to 99"
_WRITE = {"seat": "seats are 1 to 9", "round": _NUMBER, "shoe": _NUMBER, "total": _TOTAL, "against": _TOTAL}
_CALLED = {"total": "player's total", "against": "dealer's total"}


def numbers_of(terms: HandTerms) -> tuple[dict[str, int], dict[str, str]]:
    """The fields that are numbers, and what is wrong with those that are none."""
    found: dict[str, int] = {}
    wrong: dict[str, str] = {}
    for name, (least, most) in _LIMITS.items():
        text = getattr(terms, name).strip()
        if not text:
            continue
        if text.isascii() and text.isdigit() and least <= int(text) <= most:
            found[name] = int(text)
        else:
            wrong[name] = f"{text[:20]} is no {_CALLED.get(name, name)}; {_WRITE[name]}"
    for name in ("day", "since"):
        if getattr(terms, name) and not _is_day(getattr(terms, name)):
            wrong[name] = f"{getattr(terms, name)[:20]} is no day; write it as 2026-11-20"
    for name, choices in _CHOICES.items():
        if getattr(terms, name) and getattr(terms, name) not in choices:
            wrong[name] = f"there are: {', '.join(choices)}"
    for name in SUMS:
        try:
            cents_between(getattr(terms, name) or "0")
        except NoSum as error:
            wrong[name] = str(error)
    if terms.device and device_called(terms.device) not in DEVICES:
        wrong["device"] = f"there are: {', '.join(DEVICES)}"
    wrong |= _together(terms)
    if terms.after and place_after(terms.after) is None:
        wrong["after"] = "this address was cut short; search again"
    return found, wrong


def device_called(text: str) -> str:
    """A device as it is called here: `rack` is the discard rack."""
    name = " ".join(text.lower().replace("_", " ").split())
    return _DEVICES.get(name, name)


def _together(terms: HandTerms) -> dict[str, str]:
    """Fields that are not looked for together with others."""
    wrong: dict[str, str] = {}
    if terms.finding:
        alone = "a finding is looked for by itself: leave this empty, or leave out the finding"
        wrong |= {other: alone for other in terms.asked() if other != "finding"}
    for name, others in _WITHOUT.items():
        if getattr(terms, name):
            named = f"a {name} names its own day: leave this empty, or leave out the {name}"
            wrong |= {other: named for other in others if getattr(terms, other)}
    return wrong


def _is_day(text: str) -> bool:
    try:
        return dt.date(1971, 1, 1) <= dt.date.fromisoformat(text) <= dt.date(2299, 1, 1)
    except ValueError:
        return False


def played_of(terms: HandTerms, numbers: Mapping[str, int]) -> Played:
    """What a seat is asked to have had, of terms in which nothing is wrong and their `numbers_of`."""
    moved = MOVED.get(terms.result)
    return Played(
        total=numbers.get("total"),
        dealer_total=numbers.get("against"),
        stake=cents_between(terms.stake) if terms.stake else None,
        result=terms.result if terms.result and moved is None else None,
        moved=moved,
    )


def noted_of(
    terms: HandTerms, verdicts: tuple[str, ...], only_with_money: bool, without: tuple[str, ...]
) -> FindingAsked | None:
    """What one finding of a hand is asked to be, of terms in which nothing is wrong; None where none asks for one."""
    if not any(getattr(terms, name) for name in OF_FINDINGS):
        return None
    return FindingAsked(
        severity=terms.findings if terms.findings not in ("", "any") else None,
        clause=terms.clause or None,
        check=current(terms.check) if terms.check else None,
        owed=cents_between(terms.owed) if terms.owed else None,
        overpaid=cents_between(terms.overpaid) if terms.overpaid else None,
        money=cents_between(terms.money) if terms.money else None,
        verdicts=verdicts,
        only_with_money=only_with_money,
        without=without,
    )


def span_of(terms: HandTerms, day: dt.date | None, span: SpanRow) -> tuple[dt.datetime, dt.datetime]:
    """From when to when is looked: the day, from the day that was named, or a month back from the newest round."""
    if day is not None:
        noon = dt.datetime.combine(day, dt.time(12), tzinfo=dt.UTC)
        return noon - dt.timedelta(days=2), noon + dt.timedelta(days=3)
    if terms.since:
        return dt.datetime.combine(dt.date.fromisoformat(terms.since), dt.time(), tzinfo=dt.UTC), span.last
    if terms.shoe and terms.table:
        return span.first, span.last
    back = LOOKED_BACK if terms.asked() else _LATEST
    return max(span.last - back, EVER), span.last


def cursor_of(row: FoundRow) -> str:
    """Where the list goes on behind this round, for an address."""
    place = (row.decided_at, *row.key)
    return as_cursor(place)


def place_after(text: str) -> After | None:
    """The round that such an address names; None where it names none."""
    return of_cursor(text, _read_place)
