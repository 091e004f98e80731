"""The title of a finding: what happened and to whom, in one line; the whole sentence stands in the panel.

A title says what was seen before what is due, and nothing that its message does not say. A message whose form no table
knows is its own title, as far as a whole clause of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from dashboards.wording.short_titles.cards import EQUIPMENT, OPENING, SHOE, SHUFFLE_CUT
from dashboards.wording.short_titles.forms import Form, Rows, read
from dashboards.wording.short_titles.patterns import PATTERN
from dashboards.wording.short_titles.playing import ACTION, DEAL, EXPOSED, RACK, READER
from dashboards.wording.short_titles.record import BROKEN, INTEGRITY
from dashboards.wording.short_titles.settling import (
    ADDED_STAKES,
    INSURANCE,
    SETTLEMENT,
    SUBMISSION,
    WAGERS,
)
from dashboards.wording.short_titles.stacks import STACKS, STUB
from schemas.check_names import current
from schemas.findings import Finding, Verdict

SHORT: Final = 60  # characters: what a narrow list shows whole
LONGEST: Final = 72  # characters: what a title has at most, where its message has an end of a clause before

# By the first word of the check's name.
_ROWS: dict[str, Rows] = {
    "action": ACTION,
    "added_stakes": ADDED_STAKES,
    "deal": DEAL,
    "equipment": EQUIPMENT,
    "exposed": EXPOSED,
    "insurance": INSURANCE,
    "integrity": INTEGRITY,
    "opening": OPENING,
    "pattern": PATTERN,
    "rack": RACK,
    "reader": READER,
    "settlement": SETTLEMENT,
    "shoe": SHOE,
    "shuffle_cut": SHUFFLE_CUT,
    "stacks": STACKS,
    "stub": STUB,
    "submission": SUBMISSION,
    "wagers": WAGERS,
}
_DOUBTS: dict[Verdict, str] = {
    "indeterminate": "Not proven: ",
    "interpretation": "By one reading: ",
    "suspected": "Pattern: ",
}
_UNSAID = " cannot be said"
# Words that keep their capital within a sentence: the names of wagers and devices.
_NAMES = frozenset({"Blackjack", "Envy", "Five", "Fortune", "Masque", "Match-the-Dealer", "Push", "Six"})
_DUTY = re.compile(r"\b(?:is|are|was|were) to\b|\b(?:must|may)\b")
# What a message adds about the findings to come; a full stop alone may stand in a name.
_ADDED = re.compile(r"\. (?:What rests on|Further) .*")
_ARTICLE = re.compile(r"^(?:The|A|An) ")
_CLAUSE = re.compile(r"; |(?<=cannot be said): ")
_ASIDE = re.compile(r" \([^()]*\)")
_YET = re.compile(r",? (?:although|though|but) (?=(?:the|it|its|no|that|this|they) )")


def short_title(finding: Finding) -> str:
    """The finding in one short line, without a full stop; what is no proven breach says so first."""
    return _title(current(finding.check), finding.message, finding.verdict)


@lru_cache(maxsize=8192)
def _title(check: str, message: str, verdict: Verdict) -> str:
    """The first title that is short enough, else the shortest; a title longer than a line gives way to a shorter."""
    titles = _titles(check, message)
    title = next((one for one in titles if len(one) <= SHORT), min(titles, key=len))
    doubt = _DOUBTS.get(verdict, "")
    cut = [clause for one in titles for clause in _first_clause(one)]
    told = [_doubted(doubt, one) for one in (title, *titles, *cut)]
    return next((one for one in told if len(one) <= LONGEST), told[0])


def _titles(check: str, message: str) -> list[str]:
    """Every title that the message may have, the best first: each as true as the message."""
    whole = _ADDED.sub("", message).rstrip(".")
    titles = next(
        (titles for form in _forms(check.partition(".")[0]) if (titles := form.titles_of(whole))), None
    )
    told = titles or tuple(_shorter(whole))
    begun = [_begun(one) for one in told]
    return [*begun, *(_begun(_ARTICLE.sub("", one)) for one in begun)]


def _begun(said: str) -> str:
    return said[:1].upper() + said[1:]


@lru_cache(maxsize=64)
def _forms(kind: str) -> tuple[Form, ...]:
    """The forms of the checks whose names begin so; read when the first of their messages is."""
    return read((*_ROWS.get(kind, ()), *BROKEN))


def _shorter(said: str) -> Iterator[str]:
    """A message whose form no table knows, in fewer words; none ends within a clause."""
    yield said
    bare = _ASIDE.sub("", said)
    yield bare
    in_time = bare.replace(" before play went on", " in time")
    yield in_time
    yield _YET.sub("; ", in_time, count=1)
    if len(said) > LONGEST:
        yield from _first_clause(bare)


def _first_clause(said: str) -> Iterator[str]:
    """The first clause, where it tells what happened: a duty alone would leave out how it was broken."""
    first = _CLAUSE.split(said, maxsplit=1)[0]
    if first != said and not _DUTY.search(first):
        yield first


def _doubted(doubt: str, said: str) -> str:
    """A title behind how far it is proven; of what cannot be said it says so once."""
    if not doubt:
        return said
    return doubt + _inside(said.removesuffix(_UNSAID) if doubt == _DOUBTS["indeterminate"] else said)


def _inside(said: str) -> str:
    """As it stands behind a colon: in lower case, where the first word is no name."""
    first = said.split(" ", 1)[0]
    if first.removesuffix(":") in _NAMES or first[1:] != first[1:].lower() or any(map(str.isdigit, first)):
        return said
    return said[:1].lower() + said[1:]
