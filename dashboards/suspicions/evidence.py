"""What the detectors hold of somebody, also below an alarm: the port, and its rows by family for the page."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Mapping
from typing import Final

from msgspec import Struct

from dashboards.accounts.visibility import DenyList
from dashboards.drawing.svg import Markup
from dashboards.reader.people import Kind
from dashboards.suspicions.curve import draw_evidence, unit_of
from dashboards.suspicions.families import PatternFamily
from dashboards.suspicions.suspicions import Suspicion, course_of, of_which

MOST: Final = 5  # standings of one family that are shown, the highest first
NAMED: dict[Kind, tuple[str, ...]] = {
    "dealer": ("dealer",),
    "patron": ("player",),
    "table": ("table", "shoe"),
}
COUNTED: Final = {
    "rank_composition.ranks": "shoe or round",
    "rank_composition.short": "shoe",
    "rank_composition.foreign": "shoe",
    "cut_steering.follows_count": "cut or cover card",
    "cut_steering.hides_cards": "shoe",
    "cut_steering.patron": "cut",
    "shuffle_quality.short": "shoe",
    "collusion.overpaid": "round with errors",
    "collusion.exchanged": "round with errors",
    "collusion.decisions": "decision",
    "side_wager.push22_paid": "round with errors",
    "side_wager.match_dealer_paid": "round with errors",
    "called_void": "round called void",
    "inventory_drift": "count of the tray",
}
"""What families and checks rest on that count something else than the rounds they have seen."""
NOT_DUE: Final = {
    "dealer_mispay.careless": "raises none: fewer than a quarter of the errors go the other way, so that “for patrons”"
    " or “for house” tells of them",
    "counting.stakes": "raises none: the stakes are not higher at a high count than below it",
    "counting.presence": "raises none: the patron does not play more often at a high count than below it",
}
"""Why checks raise no suspicion however high the evidence is."""
_DENIED = {"dealer": "dealer", "player": "patron", "table": "table"}


class CourseOfEvidence(Struct, frozen=True, kw_only=True):
    """The evidence of one check about somebody: now, at its highest, when an alarm is due, and over how many `counts`.

    `about` names everybody whom the evidence is about. `course` has steps and evidence as they were noted, empty where
    nothing was. `up_to` is the time of the last event behind which a table's state stands, None where people are joined
    over tables. `due` is False while no suspicion would be raised however high the evidence is.
    """

    family: str
    variant: str
    about: dict[str, str | int]
    e_value: float
    highest: float
    alarm_at: float
    rounds: int
    raised: bool
    course: tuple[tuple[int, float], ...] = ()
    up_to: dt.datetime | None = None
    due: bool = True

    @property
    def not_due(self) -> str:
        """Why evidence that is high enough raised no suspicion; empty where it is lower or nothing keeps it."""
        if self.raised or self.due or self.highest < self.alarm_at:
            return ""
        return NOT_DUE.get(self._check, "raises none: this is not what the pattern looks for")

    @property
    def _check(self) -> str:
        return f"{self.family}.{self.variant.replace(' ', '_')}"

    @property
    def unit(self) -> str:
        """What the steps of the course count."""
        return unit_of(self.family, self.about)

    @property
    def counts(self) -> str:
        """What `rounds` counts: the noun of one."""
        return COUNTED.get(self._check, COUNTED.get(self.family, "round"))


class EvidenceHeld(Struct, frozen=True, kw_only=True):
    """What is held of somebody; `unread` are families of which a state that may name them could not be read.

    `read_at` is up to when states of people were read, None where that is now.
    """

    standings: tuple[CourseOfEvidence, ...] = ()
    unread: frozenset[str] = frozenset()
    read_at: dt.datetime | None = None


class EvidenceSince(Struct, frozen=True, kw_only=True):
    """What is held now, None where `why` says that it is not known; `course` is the suspicion's, up to now.

    `further` steps of the course came since the alarm, None where the courses do not say how many. `up_to` is when
    what is held was read, or the last event behind which a table's stands, None where that is now.
    """

    now: CourseOfEvidence | None
    further: int | None
    course: tuple[tuple[int, float], ...]
    up_to: dt.datetime | None = None
    why: str = ""


class EvidenceAwaited(Exception):
    """What is held of people is not read to its end yet: to show a part would be wrong."""


Evidence = Callable[[Kind, str, tuple[str, ...]], EvidenceHeld]
"""All standings that name somebody, of the states of people and of these tables.

It raises EvidenceAwaited, and what its store raises.
"""


def nothing_held(_kind: Kind, _name: str, _tables: tuple[str, ...]) -> EvidenceHeld:
    """The evidence where no detector works."""
    return EvidenceHeld()


def draw_since(shown: Suspicion, since: EvidenceSince) -> Markup:
    """The course of a suspicion up to now, with the alarm marked; empty where none was noted."""
    told, family = course_of(shown.finding), shown.family
    if not since.course or family is None:
        return Markup("")
    alarm = told[-1][0] if told else None
    unit = shown.unit_for(since.course[-1][0])
    return draw_evidence(since.course, family.raised_at, family.page_at, unit, alarm)


class Shown(Struct, frozen=True):
    """A standing with its course as a drawing and the page of its suspicion, both empty where there is none."""

    standing: CourseOfEvidence
    others: str
    drawn: Markup
    path: str


class FamilyRow(Struct, frozen=True):
    """One family: the standings that are shown, and how many more there are; `speaks` says whether it names such.

    `unread` says that not all of its evidence could be read.
    """

    family: PatternFamily
    speaks: bool
    shown: tuple[Shown, ...]
    more: int
    unread: bool


def by_family(
    families: Mapping[str, PatternFamily],
    kind: Kind,
    name: str,
    all_held: EvidenceHeld,
    withheld: DenyList,
    raised: Iterable[Suspicion] = (),
) -> tuple[FamilyRow, ...]:
    """All families: the highest evidence now first, then those not read, without any, and that name others.

    `raised` are suspicions of them that the reader may see, the last risen first.
    """
    raised = tuple(raised)
    held: dict[str, list[CourseOfEvidence]] = {}
    for one in all_held.standings:
        if withheld.isdisjoint({(_DENIED.get(of, of), str(value)) for of, value in one.about.items()}):
            held.setdefault(one.family, []).append(one)
    rows = []
    for family in families.values():
        mine = sorted(held.get(family.name, ()), key=lambda one: -one.e_value)
        shown = tuple(
            Shown(one, _others(one, name), _drawn(one, family), _path(one, raised)) for one in mine[:MOST]
        )
        speaks = bool(mine) or not {*NAMED[kind]}.isdisjoint(family.about)
        unread = speaks and family.name in all_held.unread
        rows.append(FamilyRow(family, speaks, shown, max(0, len(mine) - MOST), unread))
    return tuple(sorted(rows, key=_order))


def _order(row: FamilyRow) -> tuple[bool, bool, bool, float, str]:
    highest = max((one.standing.e_value for one in row.shown), default=0.0)
    return not row.speaks, not row.shown, not row.unread, -highest, row.family.name


def _others(one: CourseOfEvidence, name: str) -> str:
    """Whom the evidence names beside the one the page is about."""
    words = {"player": "patron"}
    return ", ".join(f"{words.get(of, of)} {value}" for of, value in one.about.items() if str(value) != name)


def _path(one: CourseOfEvidence, raised: Iterable[Suspicion]) -> str:
    of = one.family, one.variant, one.about
    return next((each.path for each in raised if of_which(each.finding) == of), "")


def _drawn(one: CourseOfEvidence, family: PatternFamily) -> Markup:
    return draw_evidence(one.course, family.raised_at, None, one.unit) if len(one.course) > 1 else Markup("")
