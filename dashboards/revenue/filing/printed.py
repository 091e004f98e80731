"""The report on paper: the course of the win, what each line won, counts and tax, what is not known, the sources."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from dashboards.drawing.svg import Markup
from dashboards.ledger.seals import Seal
from dashboards.reports.case_report import Footer
from dashboards.reports.pictures import PrintedPicture
from dashboards.reports.typesetting import typeset
from dashboards.revenue.chart import draw_course
from dashboards.revenue.edges import Edge
from dashboards.revenue.filing.line import MONEY, NO_FIGURE, RevenueLine, RevenueReport
from dashboards.revenue.heat import Heat, draw_heat, heat_of
from dashboards.revenue.split import draw_split, split_of
from dashboards.revenue.statement import RevenueStatement
from dashboards.revenue.tax import Rate, rate_of
from dashboards.wording.money import dollars
from dashboards.wording.times import in_utc
from schemas.amounts import amount

TEMPLATE: Final = "revenue.typ"
TOTAL: Final = "All"
PRINTED: Final = 15  # lines whose bars stand on one page
# The stylesheet of the console does not come along on paper.
_STYLE = (
    "<style>.win{stroke:#000}.theo{stroke:#555}.band{fill:#ddd}.limit{stroke:#888}.grid{stroke:#ddd}"
    ".axis{stroke:#888}.win-end{fill:#000}.luck,.loss{fill:none;stroke:#000;stroke-width:1.5}"
    ".by-play{fill:none;stroke:#000;stroke-width:1.5;stroke-dasharray:4 3}"
    ".for-house,.gain{fill:#000}.for-patron{fill:#aaa;stroke:#000;stroke-width:.5}</style>"
)


class PrintedPart(Struct, frozen=True, kw_only=True):
    """One table: its heads, its lines and their total, as texts."""

    title: str
    note: str
    heads: tuple[str, ...]
    lines: tuple[tuple[str, ...], ...]
    total: tuple[str, ...]


class RevenueContent(Struct, frozen=True, kw_only=True):
    """Everything on the pages; `more` are charts of the lines, `signatures` who signs at the end."""

    kind: str
    title: str
    facts: tuple[tuple[str, str], ...]
    chart: PrintedPicture
    more: tuple[PrintedPicture, ...]
    parts: tuple[PrintedPart, ...]
    lacks: tuple[str, ...]
    sources: tuple[str, ...]
    signatures: tuple[str, ...] = ()
    proving: Footer = Footer()


_WIN = {
    "handle": "Handle", "payout": "Payout", "win": "Win", "theoretical": "Theoretical win",
    "theoretical_handle": "of a handle of", "difference": "Difference", "luck": "Luck", "play": "Play",
    "errors_for_house": "Errors for house", "errors_for_patron": "Errors for patron", "band_95": "95 % band, ±",
}  # fmt: skip
_COUNTS = {
    "opening": "Opening", "fills": "Fills", "credits": "Credits", "closing": "Closing", "drop": "Drop",
    "net_win": "Net win", "unexplained": "Unexplained", "state_tax": "State tax", "local_tax": "Local share",
    "tax": "Tax",
}  # fmt: skip
_ERRORS = {
    "errors_for_house": "For house, wagers with a figure", "errors_for_patron": "For patron, wagers with a figure",
    "all_errors_for_house": "For house, all wagers", "all_errors_for_patron": "For patron, all wagers",
    "unseen_stakes": "Stakes whose outcome was not seen",
}  # fmt: skip
_STAKES = {
    "rounds": "Rounds", "void_rounds": "Void", "hands": "Hands", "stakes": "Stakes", "hours": "Hours",
    "lammers": "Lammers paid", "side_handle": "Side wagers", "side_win": "Side win",
    "play_handle": "Staked, play worked out", "unseen": "Staked, outcome not seen",
}  # fmt: skip


def as_pdf(report: RevenueReport, made: RevenueStatement | None, seal: Seal | None = None) -> bytes:
    """The report as PDF; the same report is always the same bytes.

    Charts and sources are those of the statement that was made; without one there are none. With a seal the
    report holds the sealed figures. Who sealed them, when, and the record of the desk stand first. Lines to sign on
    stand last.

    Raises:
        typst.TypstError: a character of a name has no glyph.
    """
    parts = (
        _part(
            report,
            "Win",
            _WIN,
            "Difference = luck + play + errors, all of the handle that has a figure. Play is what patrons' decisions "
            "gave, where it is worked out; elsewhere it is in the luck. The band is how far luck strays.",
        ),
        _part(
            report,
            "Errors of settlement",
            _ERRORS,
            "What was settled beyond what was due, + for the house. In no error: stakes whose outcome was not seen; of "
            "those that a finding says were never settled, the restitution says what is owed.",
        ),
        _part(
            report,
            "Counts and tax",
            _COUNTS,
            "Net win = closing + credits + drop - opening - fills (601a.9(c)).",
        ),
        _part(
            report,
            "Rounds and stakes",
            _STAKES,
            "A stake of a void round is returned and is no handle. Play is worked out of main wagers alone.",
        ),
    )
    content = RevenueContent(
        kind="Revenue" if seal is None else "Sealed figures",
        title=f"{report.property}, {_days(report)}",
        facts=(*_of_seal(seal), *_facts(report)),
        chart=PrintedPicture(svg="", alt="") if made is None else _chart(made),
        more=() if made is None else tuple(_of_lines(made)),
        parts=parts,
        lacks=tuple(_lacking(report)),
        sources=() if made is None else tuple(_sources(made)),
        signatures=() if seal is None else (f"Sealed by {seal.by}", "Reviewed by"),
    )
    return typeset(TEMPLATE, content, dt.datetime.combine(report.last, dt.time(), dt.UTC))


def _of_seal(seal: Seal | None) -> Iterator[tuple[str, str]]:
    if seal is None:
        return
    yield "Sealed by", seal.by
    yield "Sealed at", in_utc(seal.at)
    yield "Record of the desk", f"{seal.sequence}, SHA-256 {seal.hash}"
    if seal.note:
        yield "Note", seal.note


def _days(report: RevenueReport) -> str:
    one_day = report.first == report.last
    return f"gaming day {report.day}" if one_day else f"gaming days {report.first} to {report.last}"


def _facts(report: RevenueReport) -> Iterator[tuple[str, str]]:
    total = report.total
    yield "Property", report.property
    yield "Gaming days", f"{report.first} to {report.last}"
    yield "By", report.by
    for name, title in (("handle", "Handle"), ("win", "Win"), ("net_win", "Net win"), ("tax", "Tax")):
        yield title, _text(total, name)
    yield "Rounds", _text(total, "rounds")


def _part(report: RevenueReport, title: str, columns: dict[str, str], note: str) -> PrintedPart:
    def row(line: RevenueLine, key: str) -> tuple[str, ...]:
        return (key, *(_text(line, name) for name in columns))

    return PrintedPart(
        title=title,
        note=f"{note} Dollars; - where it cannot be known.",
        heads=(report.by.capitalize(), *columns.values()),
        lines=tuple(row(line, line.key or "(none named)") for line in report.lines),
        total=row(report.total, TOTAL),
    )


def _text(line: RevenueLine, name: str) -> str:
    value = getattr(line, name)
    if value is None:
        return "-"
    if name in MONEY:
        return dollars(value)
    return f"{value:.2f}" if name == "hours" else f"{value:,}"


def _chart(made: RevenueStatement) -> PrintedPicture:
    if not made.course:
        return PrintedPicture(svg="", alt="")
    title = (
        "Win (solid) of what has a figure, theoretical win (dashed), and where luck leaves the win in 95 of 100 cases "
        "with the errors and the play there were (grey)"
    )
    return _printed(draw_course(made.course, made.zone, title), title)


def _of_lines(made: RevenueStatement) -> Iterator[PrintedPicture]:
    """Charts of the lines, as many of these as a page holds."""
    by = made.wanted.by
    rows, heat = split_of(made.lines), heat_of(made)
    if rows:
        title = (
            f"Luck (hollow) by {by} with the ends of its 95 % band (strokes); below it play (dashed), then errors for "
            f"the house (black) and for patrons (grey); to the right of the middle is what the house gained"
            f"{_first(len(rows))}"
        )
        yield _printed(draw_split(rows[:PRINTED], title), title)
    if heat is not None:
        times = "hour" if made.wanted.period == "day" else "gaming day"
        every = len(heat.rows) + heat.more
        title = f"Win by {by} and {times}: black was won, hollow was lost{_first(every)}"
        yield _printed(draw_heat(Heat(heat.columns, heat.rows[:PRINTED], 0), title), title)


def _first(lines: int) -> str:
    return f"; the first {PRINTED} of {lines}" if lines > PRINTED else ""


def _printed(drawn: Markup, title: str) -> PrintedPicture:
    head, close, rest = str(drawn).partition(">")
    return PrintedPicture(svg=head + close + _STYLE + rest, alt=title, title=title)


def _lacking(report: RevenueReport) -> Iterator[str]:
    for line in report.lines:
        for why in line.lacks:
            of = "" if why.startswith(NO_FIGURE) else "net win: "
            yield f"{line.key or 'none named'}: {of}{why}"
    if report.total.unseen_stakes:
        stakes = "stake" if report.total.unseen_stakes == 1 else "stakes"
        seen = f"{report.total.unseen_stakes:,} {stakes} of {dollars(report.total.unseen)}"
        yield f"Outcome not seen: {seen}, in the handle and the payout, and in no win."
    if report.by in ("shift", "dealer"):
        yield "Counts, drop, net win, hours and tax are of whole tables and whole gaming days."


def _sources(made: RevenueStatement) -> Iterator[str]:
    edges: list[Edge] = []
    for wager in made.wagers:
        edges += (edge for edge in wager.edges if edge not in edges)
    for edge in edges:
        paytable = f", paytable {edge.paytable}" if edge.paytable else ""
        told = (
            f"{edge.ruleset}, {edge.kind}, {amount(edge.decks, 'deck')}{paytable}: {edge.edge / 10_000:.3f} %"
        )
        yield f"{told} from {edge.since}: {edge.source}"
    rates: dict[Rate, None] = {}
    for day in (made.wanted.first, made.wanted.day):
        rates |= dict.fromkeys(filter(None, (rate_of(day, "state"), rate_of(day, "local"))))
    for rate in rates:
        yield f"Tax, {rate.to}: {rate.part / 10_000:.0f} % from {rate.since}: {rate.source}"
