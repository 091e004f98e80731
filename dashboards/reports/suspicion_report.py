"""A suspicion on paper: whom it names, chance against what was seen, what else may explain it, promise and proof."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Final

from msgspec import Struct

from dashboards.desk.alerts import Alert
from dashboards.drawing.palette import LIGHT
from dashboards.reports.pictures import PrintedPicture
from dashboards.reports.suspicion_proof import ProvenRange, ProvenRound, SuspicionProof
from dashboards.reports.typesetting import typeset
from dashboards.reports.wording import listed
from dashboards.suspicions.against import against, draw_against
from dashboards.suspicions.curve import odds, odds_of_course
from dashboards.suspicions.evidence import EvidenceSince, draw_since
from dashboards.suspicions.risen import NAMED, risen_words
from dashboards.suspicions.suspicions import Suspicion, course_of, evidence_of, figures_of
from dashboards.wording.times import in_utc, in_zone_of
from schemas.findings import Finding

TEMPLATE = "suspicion.typ"
_HALF = 32
# On screen a style sheet gives the drawing its colours; paper has none.
_STYLE: Final = (
    f"<style>.grid{{stroke:{LIGHT.card_edge};stroke-width:0.4}}.axis{{stroke:{LIGHT.edge};stroke-width:1.5}}"
    f".alarm-after{{stroke:{LIGHT.text};stroke-width:1;stroke-dasharray:3 4}}"
    f".alarm-at{{stroke:{LIGHT.wrong};stroke-width:1.5;stroke-dasharray:7 5}}"
    f".evidence{{stroke:{LIGHT.text}}}.evidence-now{{fill:{LIGHT.text}}}"
    f".seen-bar{{fill:{LIGHT.text}}}.chance-bar{{fill:{LIGHT.card_edge}}}</style>"
)


@dataclass(frozen=True, slots=True)
class Printing:
    """What is printed: a suspicion, its proof, its evidence now, its alert, the table's zone, and for whom and when.

    `first` is the alert of its first alarm, which is another one where it rose again. `named` stands above its rounds.
    """

    shown: Suspicion
    proof: SuspicionProof
    since: EvidenceSince
    alert: Alert | None
    zone: dt.tzinfo
    by: str
    at: dt.datetime
    first: Alert | None = None
    named: str = NAMED


class RoundRow(Struct, frozen=True, kw_only=True):
    """A round that weighs much, as it is printed; the hash in two lines of 32 digits."""

    place: str
    words: str
    ended: str
    events: str
    hash: tuple[str, str]


class RangeRow(Struct, frozen=True, kw_only=True):
    """A table's range of events."""

    range: str
    before: str
    after: str


class Footing(Struct, frozen=True, kw_only=True):
    """What stands at the foot of each page of a report: nothing, since several tables have heads."""

    after: str = ""


class SuspicionContent(Struct, frozen=True, kw_only=True):
    """Everything on the pages."""

    title: str
    whom: str
    message: str
    facts: tuple[tuple[str, str], ...]
    expected: tuple[tuple[str, str], ...]
    observed: tuple[tuple[str, str], ...]
    against: PrintedPicture | None
    by_chance: str
    course: PrintedPicture | None
    up_to: str
    points: tuple[tuple[str, str], ...]
    unit: str
    named: str
    rounds: tuple[RoundRow, ...]
    desk: tuple[tuple[str, str], ...]
    innocent: tuple[str, ...]
    blind: tuple[str, ...]
    promise: tuple[tuple[str, str], ...]
    ranges: tuple[RangeRow, ...]
    commands: tuple[tuple[str, str], ...]
    proving: Footing = Footing()


def suspicion_report(printing: Printing) -> bytes:
    """The report of a suspicion as PDF; it bears the time at which it was made."""
    return typeset(TEMPLATE, suspicion_content(printing), printing.at)


def suspicion_content(printing: Printing) -> SuspicionContent:
    """What stands on the pages of a suspicion's report."""
    shown, zone = printing.shown, printing.zone
    finding, family = shown.finding, shown.family
    whom = listed(f"{kind} {name}" for kind, name in shown.whom)
    return SuspicionContent(
        title=f"{shown.title}, {whom}",
        whom=whom,
        message=finding.message,
        facts=_facts(printing),
        expected=figures_of(finding.expected),
        observed=figures_of(finding.observed),
        against=_against(finding),
        by_chance=_by_chance(shown),
        course=_drawn(printing),
        up_to=_up_to(printing),
        points=tuple((f"{step:,}", f"{odds_of_course(e)} to 1") for step, e in printing.since.course),
        unit=shown.unit,
        named=printing.named,
        rounds=tuple(_round(one, zone) for one in printing.proof.rounds),
        desk=(*_before(printing.alert, shown.evidence, zone), *_desk(printing.alert, zone)),
        innocent=family.innocent if family is not None else (),
        blind=family.blind if family is not None else (),
        promise=_promise(shown),
        ranges=tuple(map(_range, printing.proof.ranges)),
        commands=_commands(shown),
    )


def _facts(printing: Printing) -> tuple[tuple[str, str], ...]:
    shown, finding = printing.shown, printing.shown.finding
    return (
        ("Suspected", shown.title),
        ("Of", listed(f"{kind} {name}" for kind, name in shown.whom)),
        (
            "Rose at",
            listed([f"table {finding.subject}", *([f"round {finding.round}"] if finding.round else [])]),
        ),
        ("Event", str(finding.sequence)),
        ("When", in_zone_of(shown.row.decided_at, printing.zone)),
        ("When, UTC", in_utc(shown.row.decided_at)),
        *_evidence(printing),
        ("Check", finding.check),
        ("Finding", finding.finding_id),
        ("Made by", printing.by),
        ("Made at", in_zone_of(printing.at, printing.zone)),
        ("Made, UTC", in_utc(printing.at)),
    )


def _evidence(printing: Printing) -> tuple[tuple[str, str], ...]:
    raised, first = f"{odds(printing.shown.evidence)} to 1", printing.first
    if first is None or printing.alert is None or printing.alert.again is None:
        return (("Evidence at the alarm", raised), *_evidence_now(printing, "alarm"))
    at_alarm = f"{odds(evidence_of(first.finding))} to 1"
    return (
        ("Evidence at the first alarm", at_alarm),
        ("Evidence as it rose again", raised),
        *_evidence_now(printing, "first alarm"),
    )


def _evidence_now(printing: Printing, alarm: str) -> tuple[tuple[str, str], ...]:
    """What came after the alarm, as far as it is known."""
    since = printing.since
    if since.now is None:
        return (("Evidence now", since.why),)
    further = since.further
    return (
        *((("Since the " + alarm, _further(printing.shown, further)),) if further is not None else ()),
        ("Evidence now", f"{odds(since.now.e_value)} to 1"),
        ("Evidence at its highest", f"{odds(since.now.highest)} to 1"),
        *((("Read up to", in_zone_of(since.up_to, printing.zone)),) if since.up_to is not None else ()),
    )


def _further(shown: Suspicion, further: int) -> str:
    return f"{further:,} further {shown.unit_for(further)}" if further else "nothing further came"


def _drawn(printing: Printing) -> PrintedPicture | None:
    shown, course = printing.shown, printing.since.course
    drawn = draw_since(shown, printing.since)
    if not drawn:
        return None
    now = (
        f"After {course[-1][0]:,} {shown.unit_for(course[-1][0])} the evidence is {odds(course[-1][1])} to 1."
    )
    return _printed(drawn, f"How the evidence grew. {now}")


def _up_to(printing: Printing) -> str:
    """How far the course goes."""
    since = printing.since
    if since.further:
        return "Up to now; a line marks the alarm."
    if since.further == 0:
        return "Up to the alarm, behind which nothing came."
    return "Up to the alarm." if since.course == course_of(printing.shown.finding) else "Up to now."


def _against(finding: Finding) -> PrintedPicture | None:
    compared = against(finding)
    if compared is None:
        return None
    of = f", of {compared.of} in all" if compared.of else ""
    return _printed(
        draw_against(compared), finding.message, f"{compared.what[0].upper()}{compared.what[1:]}{of}."
    )


def _printed(drawn: str, alt: str, title: str = "") -> PrintedPicture:
    root, _, rest = drawn.partition(">")
    return PrintedPicture(svg=f"{root}>{_STYLE}{rest}", alt=alt, title=title)


def _by_chance(shown: Suspicion) -> str:
    """How often chance alone raises a suspicion of this kind; empty where this release does not know the kind."""
    if shown.family is None:
        return ""
    level = odds(shown.family.raised_at)
    return (
        f"A suspicion of this kind is raised by chance at most at 1 honest table in {level}, however long the table"
        " plays."
    )


def _round(one: ProvenRound, zone: dt.tzinfo) -> RoundRow:
    return RoundRow(
        place=one.called,
        words=one.words,
        ended=in_zone_of(one.ended, zone) if one.ended is not None else one.missing,
        events=f"{one.first} to {one.last}" if one.first else "–",
        hash=(one.head[:_HALF], one.head[_HALF:]),
    )


def _before(alert: Alert | None, e_value: float, zone: dt.tzinfo) -> tuple[tuple[str, str], ...]:
    """Of a suspicion that rose again how the alert before was closed, and how far its evidence had come."""
    if alert is None or alert.again is None:
        return ()
    again = alert.again
    return (
        ("Alert before", again.alerts[-1]),
        ("It was closed as", again.disposition),
        ("It was closed by", listed([again.by, *([again.confirmed_by] if again.confirmed_by else [])])),
        ("It was closed at", in_zone_of(again.at, zone)),
        ("Evidence by then", f"{odds(again.e_value)} to 1 at most"),
        ("Evidence needed to rise", f"{odds(again.needed)} to 1"),
        ("Rose again at", in_zone_of(alert.raised_at, zone)),
        ("How rare", risen_words(alert.finding.check, e_value, again.grown(e_value))),
    )


def _desk(alert: Alert | None, zone: dt.tzinfo) -> tuple[tuple[str, str], ...]:
    """What people made of it so far; empty where it waits in the list and nobody was called."""
    if alert is None:
        return ()
    return (
        ("Status", alert.status),
        ("Owner", alert.owner or "nobody"),
        ("Closed as", alert.disposition or "not closed"),
        ("Closed by", alert.closed_by or "nobody"),
        ("Last act", f"{alert.last_act.replace('_', ' ')}, {alert.last_actor}"),
        ("At", in_zone_of(alert.last_at, zone)),
        ("Note", alert.note or "none"),
    )


def _promise(shown: Suspicion) -> tuple[tuple[str, str], ...]:
    family = shown.family
    if family is None:
        return ()
    level = f"{1 / family.raised_at:g}"
    return (
        (
            "Level",
            f"{level}: false on at most one table's stream in {odds(family.raised_at)}, however long it plays",
        ),
        ("Null hypothesis", family.null),
        ("What is measured", family.statistic),
        ("Why false alarms are rare", family.bound),
    )


def _range(one: ProvenRange) -> RangeRow:
    unknown = "not in the store"
    return RangeRow(
        range=f"Events {one.first} to {one.last} of {one.table}",
        before=one.before or unknown,
        after=one.after or unknown,
    )


def _commands(shown: Suspicion) -> tuple[tuple[str, str], ...]:
    about = listed(f"{kind}={name}" for kind, name in shown.whom[:1])
    return (
        (
            "catwalk verify LEDGER --keys KEYS",
            "chain and sequence of the whole ledger, and signed checkpoints",
        ),
        (f"catwalk patterns LEDGER --about {about}", "the evidence again, from the events alone"),
        (f"catwalk explain {shown.finding.check}", "the detector in words"),
    )
