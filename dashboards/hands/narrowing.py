"""What narrows a search for hands by what was found elsewhere: devices that failed, patterns that are suspected."""

from __future__ import annotations

from msgspec.structs import replace

from dashboards.accounts.accounts import User
from dashboards.accounts.roles import Role
from dashboards.filters.hand_terms import HandTerms
from dashboards.hands.failing import no_failure, stretches_of
from dashboards.hands.hand import StoredRound
from dashboards.reader.newest import WantedRounds
from dashboards.suspected.known import MOST_SOUGHT, Sought, suspicions_sought
from dashboards.suspected.rounds import ANY_PATTERN, families_called, keys_of, resting_on
from dashboards.web.console import Console
from dashboards.wording.short_titles.title import short_title

_MORE = (
    f"More than {MOST_SOUGHT} suspicions were raised since that time began; the {MOST_SOUGHT} nearest to its end were"
    " looked through. Name a table, a pattern or a shorter time for the others."
)


class NoHand(Exception):
    """Nothing was found elsewhere by which hands could be looked for; the message says what."""


class NoTerm(ValueError):
    """A field names what is unknown; `term` is the field, and the message says what may be written."""

    def __init__(self, term: str, says: str) -> None:
        super().__init__(says)
        self.term = term


def narrowed(
    wanted: WantedRounds, terms: HandTerms, console: Console, user: str, role: Role
) -> tuple[WantedRounds, str]:
    """The rounds that are wanted, of those in which such a device failed and on which such a suspicion rests.

    Beside them stands what has to be said where not every suspicion was looked through; empty where all were.

    Raises:
        NoTerm: there is no such pattern.
        NoHand: no such device failed, or no such suspicion rests on a round of the time.
        Exception: the store does not answer.
    """
    if terms.device:
        hidden = console.desk.hidden_from(user, "table")
        failed = stretches_of(console.records, terms.device, wanted.table, wanted.since, hidden)
        if not failed:
            raise NoHand(no_failure(terms.device, wanted.table))
        wanted = replace(wanted, stretches=failed)
    if not terms.pattern:
        return wanted, ""
    families = console.patterns()
    called = families_called(terms.pattern, families)
    if not called:
        there_are = ", ".join((ANY_PATTERN, *(one.title.lower() for one in families.values())))
        raise NoTerm("pattern", f"there are: {there_are}")
    sought = Sought(families=called, since=wanted.since, until=wanted.until, table=wanted.table)
    found, more = suspicions_sought(console, user, role, sought)
    among = keys_of(console.records, found, wanted.since, wanted.until, wanted.table)
    said = _MORE if more else ""
    if not among:
        named = sorted(families[one].title.lower() for one in called)
        kind = "" if len(named) == len(families) else f" of {' or '.join(named)}"
        at = f" at {wanted.table}" if wanted.table is not None else ""
        none = f"No suspicion{kind} rests on a hand{at} of the time that was looked through."
        raise NoHand(f"{none} {said}".strip())
    return replace(wanted, among=among), said


def weighs_in(console: Console, user: User, stored: StoredRound) -> tuple[tuple[str, str], ...]:
    """The suspicions that rest on a round: their titles, and the ids of their alerts."""
    stretch = stored.first, stored.last
    return tuple(
        (short_title(one.finding), one.id)
        for one in resting_on(console, user, stored.subject, stored.number, stretch)
    )
