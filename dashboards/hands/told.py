"""A hand as people tell of it: `BJ-12 seat 3, I had 20 against 22 a quarter of an hour ago`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct

from dashboards.filters.clocks import Keep, take_times
from dashboards.filters.hand_terms import RESULTS, SEVERITIES, STATUSES
from dashboards.filters.money import IN_WORDS
from dashboards.filters.names import near, plain, same
from dashboards.filters.reading import FilterReading, Unread, no_field

_ALIKE = {
    "player": "patron", "id": "finding", "severity": "findings", "state": "status",
    "won": "result", "dealt": "against", "pit": "",
}  # fmt: skip
FIELDS = (
    "table", "seat", "player", "dealer", "time", "since", "day", "total", "against", "stake", "result", "severity",
    "clause", "check", "device", "pattern", "owed", "overpaid", "money", "status", "round", "shoe", "finding",
)  # fmt: skip
_TAKEN = frozenset({*FIELDS, "patron", "findings", "state", "id", "since"})
_FIELD = re.compile(r'(?<![\w:])(?P<name>[a-z]+):(?:"(?P<quoted>[^"]*)"|(?P<text>\S+))', re.I)
_CLAUSE = re.compile(r"(?<![\w.])\d{3}[A-Za-z]?\.\d+[\w().#]*", re.I)
_AGAINST = re.compile(
    r"(?<![\d:$.])(?P<mine>\d{1,2})\s+(?:against|vs?\.?|versus|to)\s+"
    r"(?:(?:the\s+)?(?:dealer(?:'s)?|house(?:'s)?)\s+)?(?:a\s+)?(?P<theirs>\d{1,2})(?![\d:.]|\s*(?:min|h|sec))",
    re.I,
)
_MINE = re.compile(
    r"\b(?:(?:(?:player|patron|i|he|she|we|they)\s+)?(?:had|has|with|held|showed)|player(?:'s)?(?:\s+total)?|my)\s+"
    r"(?:an?\s+)?(?P<total>\d{1,2})\b(?![:.-]\d)",
    re.I,
)
_THEIRS = re.compile(
    r"\b(?:(?:against|vs\.?|versus)\s+)?(?:the\s+)?(?:dealer|house|bank)(?:'s)?(?:\s+total)?\s+(?:(?:had|has|with|held|showed|of)\s+)?(?:an?\s+)?(?P<total>\d{1,2})\b(?![:.-]\d)",
    re.I,
)
_NUMBERED = re.compile(
    r"\b(?P<name>seat|round|hand|shoe)\s*(?:number|no\.?|#)?\s*(?P<number>\d{1,10})\b", re.I
)
_SHORT_SEAT = re.compile(r"(?<![\w-])s(?P<number>[1-9])(?![\w-])", re.I)
_NAMED = re.compile(r"\b(?P<name>table|dealer|player|patron)\s+(?P<text>[\w-]*\d[\w-]*)", re.I)
_ISO_DAY = re.compile(r"(?<![\w-])\d{4}-\d{2}-\d{2}(?![\w:-])")
_STAKED = re.compile(
    r"\b(?:staked?|bet|wagere?d?|stake of)\s+(?:of\s+)?(?P<sum>\$?\d[\d,]*(?:\.\d{1,2})?)(?![\d:])", re.I
)
_BEATEN = re.compile(r"\b(?:against|vs\.?|versus)\s+(?:an?\s+)?(?P<total>\d{1,2})\b(?![:.-]\d)", re.I)
# A number behind what came of a hand is its stake: `lost 25`, `lost my stake of 25`, `lost my 25`.
_LOST = re.compile(
    r"\b(?:lost|lose|loses|won|win|wins|push|pushed|tied|returned|surrendered|took|taken)\s+(?P<sum>(?:(?:my|his|her|their|the)\s+)?"
    r"(?:(?:stake|bet|wager)\s+(?:of\s+)?)?(?P<cents>(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d{1,2})?))(?![\d:.]|\s*(?:min|hours?\b|h\b|sec|days?\b|against|vs?\b|to\b))",
    re.I,
)
_TROUBLE = re.compile(
    r"\b(?:(?:device|sensor|reader|camera)s?\s+(?:trouble|fault|failure|failed)|cards?\s+(?:was\s+|were\s+)?not\s+read|unread\s+cards?)\b",
    re.I,
)
_DEALER_BUST = re.compile(r"\bdealer\s+(?:went\s+)?bust(?:ed|s)?\b", re.I)
_FINDINGS = re.compile(r"\b(?:has|have|with|any)?\s*\bfindings?\b(?!:)", re.I)
_RESULT_WORDS = {
    "won": "won", "win": "won", "wins": "won", "paid": "won", "lost": "lost", "lose": "lost", "loses": "lost",
    "push": "push", "pushed": "push", "tie": "push", "tied": "push", "returned": "push", "busted": "bust",
    "stood": "stand", "doubled": "double", "surrendered": "surrender",
    "took": "lost", "taken": "lost", "collected": "lost", "natural": "blackjack", "broke": "bust",
} | {one: one for one in RESULTS}  # fmt: skip
_OWED = ("owed", "overpaid")  # a word that asks for any sum, or a field with one
_STATUS_WORDS = {one: one for one in STATUSES}
_IDLE = frozenset(
    """a about after against an and around at bet between but by claims dealt for from got had hand hands has have
    he her his i in is it just me money my o'clock of on
    or our round rounds seat she stake staked that the their then there they time to total was we were when where
    with say says told under vs""".split()  # noqa: SIM905  words of a sentence that ask nothing
)
_ORDER = (
    "table", "seat", "time", "total", "against", "result", "stake", "patron", "dealer", "findings", "clause", "check",
    "device", "pattern", "owed", "overpaid", "money", "status", "round", "shoe", "day", "finding", "since",
)  # fmt: skip
_PLAIN = frozenset(("table", "time", "result", "status"))
_WRITTEN = {"patron": "player", "findings": "severity"}
_HEX = re.compile(r"[0-9a-f]{6,64}", re.I)


class Told(Struct, frozen=True):
    """The fields of the search that a text names, and its words that nobody understood."""

    terms: dict[str, str]
    unread: tuple[Unread, ...] = ()


def told_of(text: str, tables: Sequence[str], dealers: Callable[[], Sequence[str]]) -> Told:
    """The terms of a text; bare names are those of a known table or dealer, `dealers` being asked for only then."""
    reading, terms, unread = FilterReading(text), dict[str, str](), list[Unread]()

    def keep(name: str, value: str, at: int, said: str) -> None:
        if terms.get(name, value) != value:
            unread.append(
                Unread(at, said, f"is a second {name}: one is looked for at a time ({terms[name]})")
            )
        terms.setdefault(name, value)

    for found in reading.each(_FIELD):
        name = found["name"].lower()
        value = (found["quoted"] if found["quoted"] is not None else found["text"]).rstrip(",;").strip()
        if name not in _TAKEN:
            unread.append(no_field(found.start() + 1, found[0], name, FIELDS))
            continue
        if name == "since" and not _ISO_DAY.fullmatch(value):  # as the filter of the alerts has it: since:2h
            name, value = "time", f"since {value}"
        field = _ALIKE.get(name, name)
        lower = field in ("result", "findings", "status", "check", "pattern")
        keep(
            field,
            _RESULT_WORDS.get(value.lower(), value.lower()) if lower else value,
            found.start() + 1,
            found[0],
        )
    take_times(reading, keep)
    for found in reading.each(_CLAUSE):
        keep("clause", found[0].rstrip("."), found.start() + 1, found[0])
    _take_play(reading, keep)
    for found in reading.each(_DEALER_BUST):
        says = "is no term: the dealer's hand is looked for by its total, as 20 against 24"
        unread.append(Unread(found.start() + 1, found[0], says))
    for found in reading.each(_NUMBERED):
        name = {"hand": "round"}.get(found["name"].lower(), found["name"].lower())
        keep(name, found["number"], found.start() + 1, found[0])
    for found in reading.each(_SHORT_SEAT):
        keep("seat", found["number"], found.start() + 1, found[0])
    for found in reading.each(_NAMED):
        name = {"player": "patron"}.get(found["name"].lower(), found["name"].lower())
        keep(name, found["text"], found.start() + 1, found[0])
    for found in reading.each(_ISO_DAY):
        keep("day", found[0], found.start() + 1, found[0])
    words = tuple(reading.words())
    chosen = {word.lower() for _, word in words} & set(SEVERITIES)
    for found in reading.each(_FINDINGS):
        if not chosen and "findings" not in terms:
            keep("findings", "any", found.start() + 1, found[0].strip())
    for at, word in reading.words():
        _bare(at, word, words, tables, dealers, keep, unread)
    return Told(terms, tuple(sorted(unread, key=lambda one: one.at)))


def words_of(terms: Mapping[str, str]) -> str:
    """The line that these fields are read from, so that line and fields say the same.

    A value whose words would be read as something else is written with its field.
    """
    said = []
    for name in _ORDER:
        value = terms.get(name, "")
        if not value or (name == "against" and terms.get("total")):
            continue
        if name == "total" and terms.get("against"):
            said.append(f"{value} against {terms['against']}")
        elif name == "time" and value.lower().startswith("since "):
            text = value[len("since ") :]
            said.append(f'since:"{text}"' if " " in text else f"since:{text}")
        elif name in _PLAIN or (name in _OWED and value == ">0"):
            said.append(value if name in _PLAIN else name)
        elif name in ("seat", "round", "shoe"):
            said.append(f"{name} {value}")
        else:
            quoted = f'"{value}"' if " " in value else value
            said.append(f"{_WRITTEN.get(name, name)}:{quoted}")
    return " ".join(said)


def _take_play(reading: FilterReading, keep: Keep) -> None:
    """Stakes, totals and devices at fault; what stands first here takes its words first."""
    for pattern in (IN_WORDS, _STAKED):
        for found in reading.each(pattern):
            keep("stake", found["sum"] if pattern is _STAKED else found[0], found.start() + 1, found[0])
    for found in reading.each(_AGAINST):
        keep("total", found["mine"], found.start() + 1, found[0])
        keep("against", found["theirs"], found.start() + 1, found[0])
    for found in reading.each(_LOST):
        keep("stake", found["cents"], found.start("sum") + 1, found["sum"])
        reading.give_back(found.start(), found[0][: found.start("sum") - found.start()])
    for name, pattern in (("against", _THEIRS), ("against", _BEATEN), ("total", _MINE)):
        for found in reading.each(pattern):
            keep(name, found["total"], found.start() + 1, found[0])
    for found in reading.each(_TROUBLE):
        keep("status", "indeterminate", found.start() + 1, found[0])


def _bare(
    at: int,
    word: str,
    words: Sequence[tuple[int, str]],
    tables: Sequence[str],
    dealers: Callable[[], Sequence[str]],
    keep: Keep,
    unread: list[Unread],
) -> None:
    """A word without a field: a severity, result or status, the name of a table or dealer, an id; else it is unread."""
    low = word.lower()
    table = [name for name in tables if name == word] or [
        name for name in tables if plain(name) == plain(word)
    ]
    if low in SEVERITIES:
        keep("findings", low, at, word)
    elif low in _RESULT_WORDS:
        keep("result", _RESULT_WORDS[low], at, word)
    elif low in _OWED:
        keep(low, ">0", at, word)
    elif low in _STATUS_WORDS:
        keep("status", low, at, word)
    elif low in _IDLE or low in ("table", "dealer", "player", "patron") or not plain(word):
        return
    elif len(table) == 1:
        keep("table", table[0], at, word)
    elif word.startswith("P-"):
        keep("patron", word, at, word)
    else:
        dealt = [one for one in dealers() if same(one, word)]
        if dealt:
            keep("dealer", dealt[0], at, word)
        elif _HEX.fullmatch(word) and len(words) == 1:
            keep("finding", low, at, word)
        else:
            like = near(word, (*tables, *dealers()))
            fields = ", ".join(f"{one}:" for one in FIELDS)
            maybe = f"; like it are {', '.join(like)}" if like else f"; fields are {fields}"
            unread.append(Unread(at, word, f"is no table, dealer, result or id that you may see{maybe}"))
