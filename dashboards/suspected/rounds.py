"""The rounds that suspicions rest on: those of a kind of pattern, and the suspicions that rest on one round."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from dashboards.accounts.accounts import User
from dashboards.desk.alerts import Alert
from dashboards.reader.question import Reader
from dashboards.reader.search import Key, RoundKey, rounds_numbered, rounds_of_events
from dashboards.suspicions.families import PatternFamily
from dashboards.suspicions.suspicions import Suspicion, rests_on, rounds_of
from dashboards.web.console import Console

ANY_PATTERN: Final = "any"
_AT_ONCE: Final = 5_000  # rounds or events that one question names: they are text of the question


def families_called(text: str, families: Mapping[str, PatternFamily]) -> frozenset[str]:
    """The families whose name has a word that begins with this text, in any case; `any` are all."""
    if text.lower() == ANY_PATTERN:
        return frozenset(families)
    wanted = " ".join(text.lower().replace("_", " ").split())
    begins = re.compile(rf"\b{re.escape(wanted)}")
    return frozenset(name for name in families if wanted and begins.search(name.replace("_", " ")))


def keys_of(
    reader: Reader,
    suspicions: Iterable[Suspicion],
    since: dt.datetime,
    until: dt.datetime,
    table: str | None = None,
) -> tuple[Key, ...]:
    """The rounds of that time, of one table or of all, on which any of these suspicions rests.

    Raises:
        Exception: the store does not answer.
    """
    numbered, events = set[tuple[str, int]](), set[tuple[str, int]]()
    for one in suspicions:
        numbered.update(pair for pair in rounds_of(one.finding) if table in (None, pair[0]))
        if table in (None, one.finding.subject):
            events.update((one.finding.subject, sequence) for sequence in one.finding.sequences)
    rows = list[RoundKey]()
    for some in _parts(numbered):
        rows += rounds_numbered(some, since, until).ask(reader)
    for some in _parts(events):
        rows += rounds_of_events(some, since, until).ask(reader)
    return tuple(sorted({row.key for row in rows}))


def _parts(named: Iterable[tuple[str, int]]) -> Iterator[list[tuple[str, int]]]:
    ordered = sorted(named)
    return (ordered[at : at + _AT_ONCE] for at in range(0, len(ordered), _AT_ONCE))


def resting_on(
    console: Console, user: User, subject: str, number: int, stretch: tuple[int, int]
) -> tuple[Alert, ...]:
    """The alerts of suspicions that rest on this round, as far as this user sees them."""
    return tuple(
        one
        for one in console.desk.of_checks("pattern.")
        if one.finding.verdict == "suspected"
        and console.sees(user, one)
        and rests_on(one.finding, subject, number, stretch)
    )
