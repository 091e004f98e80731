"""The month's report on paper: money by gaming day and beside the month before, what was found, and what followed."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from dashboards.monthly.figures import MonthFigures, MonthReport
from dashboards.monthly.found import Irregularity
from dashboards.reports.case_report import Footer
from dashboards.reports.typesetting import typeset
from dashboards.reports.wording import listed
from dashboards.revenue.figures import share
from dashboards.revenue.filing.line import MONEY, NO_FIGURE, RevenueLine, figure_title
from dashboards.revenue.filing.printed import PrintedPart
from dashboards.revenue.sealing.figures import difference
from dashboards.revenue.sealing.figures import told as told_figure
from dashboards.wording.money import dollars, figures
from dashboards.wording.times import in_zone_of

TEMPLATE: Final = "month.typ"
_CLAUSES: Final = 6  # that are named of one irregularity
_BY_DAY = {
    "handle": "Handle", "payout": "Payout", "win": "Win", "theoretical": "Theoretical win", "difference": "Difference",
    "drop": "Drop", "net_win": "Net win", "tax": "Tax", "rounds": "Rounds", "hours": "Hours",
}  # fmt: skip
_OF_DIFFERENCE = {
    "theoretical_handle": "Handle with a figure", "theoretical": "Theoretical win", "difference": "Difference",
    "luck": "Luck", "play": "Play", "errors_for_house": "Errors for house", "errors_for_patron": "Errors for patron",
}  # fmt: skip
_COMPARED = {
    **_BY_DAY, "luck": "Luck", "play": "Play", "play_handle": "Handle whose play is worked out",
    "errors_for_house": "Errors for house, wagers with a figure",
    "errors_for_patron": "Errors for patron, wagers with a figure", "all_errors_for_house": "Errors for house, all",
    "all_errors_for_patron": "Errors for patron, all",
    "side_handle": "Side wagers", "side_win": "Side win", "lammers": "Lammers paid", "void_rounds": "Void rounds",
    "unseen_stakes": "Stakes, outcome not seen", "corrections": "Counts and slips told anew",
}  # fmt: skip
_NONE: Final = "None."
_ON_MONEY: Final = (
    "By what tables are held to. Owed to patrons and overpaid, in dollars, are what proven findings state; a stake may "
    "be in two lines. Restitution says what is owed for each stake."
)
_ON_DIFFERENCE: Final = (
    "Difference = luck + play + errors, all of the handle that has a theoretical figure. Play is what patrons' "
    "decisions gave, where it is worked out; elsewhere it is in the luck. Dollars, + is what the house gains"
)
_NO_DESK: Final = "There is no desk."


class MonthContent(Struct, frozen=True, kw_only=True):
    """Everything on the pages; a part without lines says so in its note. `signatures` are who signs at the end."""

    title: str
    facts: tuple[tuple[str, str], ...]
    parts: tuple[PrintedPart, ...]
    lacks: tuple[str, ...]
    signatures: tuple[str, ...]
    proving: Footer = Footer()


def as_pdf(report: MonthReport, zone: dt.tzinfo, by: str) -> bytes:
    """The report as PDF, made by this person; the same records and the same desk are always the same bytes.

    Raises:
        typst.TypstError: a character of a name has no glyph.
    """
    month = report.month
    content = MonthContent(
        title=f"{report.property}, {month.month}",
        facts=tuple(_facts(report, zone, by)),
        parts=(
            _by_day(month, "Gaming days", "Dollars, + is what the house gains", _BY_DAY),
            _by_day(month, "What the difference consists of", _ON_DIFFERENCE, _OF_DIFFERENCE),
            _beside(report),
            *_since_sealed(month),
            _found("Irregularities", month.irregularities, report.before.irregularities),
            _found("The record", month.faults, report.before.faults),
            _of_desk("Alerts of these events", tuple(_alerts(report)), month.alerts is None),
            _of_desk("Disputes", tuple(_disputes(report)), month.disputes is None),
            _devices(month),
        ),
        lacks=tuple(_lacking(month)),
        signatures=(f"Made by {by}", "Reviewed by"),
    )
    return typeset(TEMPLATE, content, dt.datetime.combine(month.revenue.last, dt.time(), dt.UTC))


def _facts(report: MonthReport, zone: dt.tzinfo, by: str) -> Iterator[tuple[str, str]]:
    month = report.month
    yield "Property", report.property
    yield "Gaming days", f"{month.revenue.first} to {month.revenue.last}"
    yield "Days with play", f"{sum(one.rounds > 0 for one in month.revenue.lines):,}"
    yield "Events", f"{in_zone_of(month.since, zone)} to {in_zone_of(month.until, zone)}"
    yield "Proven breaches", f"{sum(one.proven for one in month.irregularities):,}"
    sealed = month.sealed
    if sealed is not None:
        yield "Sealed", f"by {sealed.seal.by}, {in_zone_of(sealed.seal.at, zone)}"
    else:
        yield "Sealed", "no" if month.tells_seal else "not told: there is no desk, or it is withheld in part"
    if month.days_sealed:
        yield "Gaming days sealed", ", ".join(f"{one.first} by {one.by}" for one in month.days_sealed)
    yield "Made by", by


def _by_day(month: MonthFigures, title: str, note: str, columns: Mapping[str, str]) -> PrintedPart:
    revenue = month.revenue
    return PrintedPart(
        title=title,
        note=f"{note}; - where it cannot be known." if revenue.lines else _NONE,
        heads=("Day", *columns.values()),
        lines=tuple((one.key, *(_text(one, name) for name in columns)) for one in revenue.lines),
        total=("All", *(_text(revenue.total, name) for name in columns)),
    )


def _beside(report: MonthReport) -> PrintedPart:
    this, before = report.month.revenue.total, report.before.revenue.total
    return PrintedPart(
        title="Beside the month before",
        note="Change in percent of the month before; - where one of the two cannot be known.",
        heads=("Figure", report.month.month, report.before.month, "Change", "%"),
        lines=tuple(
            (title, _text(this, name), _text(before, name), *_change(this, before, name))
            for name, title in _COMPARED.items()
        ),
        total=(),
    )


def _since_sealed(month: MonthFigures) -> Iterator[PrintedPart]:
    """What is no longer as it was sealed; nothing of a month that is not sealed."""
    if month.sealed is None:
        return
    changed, seal = month.sealed.changed, month.sealed.seal
    yield PrintedPart(
        title="Since the month was sealed",
        note=(
            f"Record {seal.sequence} of the desk holds the sealed figures. "
            + ("These are known otherwise now." if changed else "All of them are as they were sealed.")
        ),
        heads=("Of", "Figure", "Sealed", "Now", "Difference"),
        lines=tuple(
            (
                one.key or "All",
                figure_title(one.figure),
                told_figure(one.figure, one.sealed),
                told_figure(one.figure, one.now),
                difference(one),
            )
            for one in changed
        ),
        total=(),
    )


def _change(this: RevenueLine, before: RevenueLine, name: str) -> tuple[str, str]:
    now, then = getattr(this, name), getattr(before, name)
    if now is None or then is None:
        return "-", "-"
    changed = now - then
    told = _said(changed, name)
    part = share(round(changed * 100), round(abs(then) * 100))
    return told, "-" if part is None else f"{part / 100:.1f}"


def _found(title: str, found: Sequence[Irregularity], before: Sequence[Irregularity]) -> PrintedPart:
    then = {one.check: one.proven for one in before}
    return PrintedPart(
        title=title,
        note=_ON_MONEY if found else _NONE,
        heads=("Held to", "Clauses", "Proven", "Month before", "By one reading", "Not proven", "Patterns", "Tables",
               "Owed", "Overpaid"),
        lines=tuple(_irregularity(one, then.get(one.check, 0)) for one in found),
        total=(),
    )  # fmt: skip


def _irregularity(one: Irregularity, then: int) -> tuple[str, ...]:
    more = len(one.clauses) - _CLAUSES
    clauses = ", ".join(one.clauses[:_CLAUSES]) + (f" and {more} more" if more > 0 else "")
    counts = (one.proven, then, one.by_one_reading, one.not_proven, one.suspected, one.tables)
    return (one.duty, clauses, *(f"{count:,}" for count in counts), figures(one.owed), figures(one.overpaid))


def _of_desk(title: str, lines: tuple[tuple[str, ...], ...], unread: bool) -> PrintedPart:
    note = _NO_DESK if unread else "As the desk stands when this report is made."
    return PrintedPart(
        title=title, note=note, heads=("", "This month", "Month before"), lines=lines, total=()
    )


def _alerts(report: MonthReport) -> Iterator[tuple[str, ...]]:
    for title, told in (("Raised", "raised"), ("Closed", "closed")):
        yield (title, *(_counted(one, told) for one in (report.month.alerts, report.before.alerts)))
    yield ("Open", *(_number(one, "open") for one in (report.month.alerts, report.before.alerts)))


def _disputes(report: MonthReport) -> Iterator[tuple[str, ...]]:
    both = (report.month.disputes, report.before.disputes)
    yield ("Opened", *(_number(one, "opened") for one in both))
    yield ("Open of these", *(_number(one, "open") for one in both))
    yield ("Decided", *(_counted(one, "decided") for one in both))
    yield ("Paid to patrons", *("-" if one is None else figures(one.paid) for one in both))
    yield ("Came back from patrons", *("-" if one is None else figures(one.returned) for one in both))


def _counted(counts: Struct | None, name: str) -> str:
    if counts is None:
        return "-"
    told: dict[str, int] = getattr(counts, name)
    total = sum(told.values())
    return f"{total:,}: {listed(f'{what} {count:,}' for what, count in told.items())}" if total else "none"


def _number(counts: Struct | None, name: str) -> str:
    return "-" if counts is None else f"{getattr(counts, name):,}"


def _devices(month: MonthFigures) -> PrintedPart:
    return PrintedPart(
        title="Devices",
        note=(
            "Tables at which a device fell silent or lost words, or a round cannot be decided."
            if month.devices
            else _NONE
        ),
        heads=("Table", "Failures", "Rounds", "Rounds that cannot be decided"),
        lines=tuple(
            (line.table, f"{line.failures:,}", f"{line.rounds:,}", f"{line.undecided:,}")
            for line in month.devices
        ),
        total=(),
    )


def _lacking(month: MonthFigures) -> Iterator[str]:
    told = [(line.key, why) for line in month.revenue.lines for why in line.lacks]
    if rounds := sum(month.dayless.values()):
        tables = ", ".join(sorted(month.dayless))
        yield f"Rounds of no gaming day, which are in no sum of money: {rounds:,}, at {tables}"
    yield from dict.fromkeys(why for _, why in told if why.startswith(NO_FIGURE))
    yield from (f"{day}: {why}" for day, why in told if not why.startswith(NO_FIGURE))


def _text(line: RevenueLine, name: str) -> str:
    value = getattr(line, name)
    return "-" if value is None else _said(value, name)


def _said(value: float, name: str) -> str:
    if name in MONEY:
        return dollars(int(value))
    return f"{value:.2f}" if name == "hours" else f"{value:,}"
