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
from dashboards.wording.short_titles.forms import Form, read
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
_FORMS: dict[str, tuple[Form, ...]] = {
    "action": read(ACTION),
    "added_stakes": read(ADDED_STAKES),
    "deal": read(DEAL),
    "equipment": read(EQUIPMENT),
    "exposed": read(EXPOSED),
    "insurance": read(INSURANCE),
    "integrity": read(INTEGRITY),
    "opening": read(OPENING),
    "pattern": read(PATTERN),
    "rack": read(RACK),
    "reader": read(READER),
    "settlement": read(SETTLEMENT),
    "shoe": read(SHOE),
    "shuffle_cut": read(SHUFFLE_CUT),
    "stacks": read(STACKS),
    "stub": read(STUB),
    "submission": read(SUBMISSION),
    "wagers": read(WAGERS),
}
_OF_ALL = read(BROKEN)
_DOUBTS: dict[Verdict, str] = {
    "indeterminate": "Not proven: ",
    "interpretation": "By one reading: ",
    "suspected": "Pattern: ",
}
_UNSAID = " cannot be said"
# Words that keep their capital within a sentence: the names of wagers and devices.
_NAMES = frozenset({"Blackjack", "Envy", "Five", "Fortune", "Masque", "Match-the-Dealer", "Push", "Six"})
_DUTY = re.compile(r"\b(?:is|are|was|were) to\b|\b(?:must|may)\b")
_SENTENCE = re.compile(r"\. (?=[A-Z])")
_ARTICLE = re.compile(r"^(?:The|A|An) ")
_CLAUSE = re.compile(r"; |(?<=cannot be said): ")
_ASIDE = re.compile(r" \([^()]*\)")
_YET = re.compile(r",? (?:although|though|but) (?=(?:the|it|its|no|that|this|they) )")


def short_title(finding: Finding) -> str:
    """The finding in one short line, without a full stop; what is no proven breach says so first."""
    return _title(current(finding.check), finding.message, finding.verdict)


@lru_cache(maxsize=8192)
def _title(check: str, message: str, verdict: Verdict) -> str:
    """The first of the titles that is short enough, else the shortest; behind a doubt the first that fits a line."""
    titles = _titles(check, message)
    title = next((one for one in titles if len(one) <= SHORT), min(titles, key=len))
    doubt = _DOUBTS.get(verdict, "")
    if not doubt:
        return title
    cut = [clause for one in titles for clause in _first_clause(one)]
    told = [doubt + _inside(_doubted(one, verdict)) for one in (title, *titles, *cut)]
    return next((one for one in told if len(one) <= LONGEST), told[0])


def _titles(check: str, message: str) -> list[str]:
    """Every title that the message may have, the best first: each as true as the message."""
    whole = _SENTENCE.split(message, maxsplit=1)[0].rstrip(".")
    forms = (*_FORMS.get(check.partition(".")[0], ()), *_OF_ALL)
    titles = next((titles for form in forms if (titles := form.titles_of(whole))), None)
    told = titles or tuple(_shorter(whole))
    begun = [_begun(one) for one in told]
    return [*begun, *(_begun(_ARTICLE.sub("", one)) for one in begun)]


def _begun(said: str) -> str:
    return said[:1].upper() + said[1:]


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


def _doubted(said: str, verdict: Verdict) -> str:
    """What cannot be said is not said to be so twice."""
    return said.removesuffix(_UNSAID) if verdict == "indeterminate" else said


def _inside(said: str) -> str:
    """As it stands behind a colon: in lower case, where the first word is no name."""
    first = said.split(" ", 1)[0]
    if first.removesuffix(":") in _NAMES or first[1:] != first[1:].lower() or any(map(str.isdigit, first)):
        return said
    return said[:1].lower() + said[1:]
