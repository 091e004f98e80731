"""A restitution on paper: what it comes to, the lines, and what cannot be decided."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from dashboards.reports.case_report import Footer
from dashboards.reports.typesetting import typeset
from dashboards.restitution.claims import UNDATED, Claim, Restitution, Undecided, last_time
from dashboards.wording.money import dollars
from dashboards.wording.times import in_utc

TEMPLATE: Final = "restitution.typ"


class RestitutionContent(Struct, frozen=True, kw_only=True):
    """Everything on the pages; rows of tables as texts."""

    title: str
    facts: tuple[tuple[str, str], ...]
    lines: tuple[tuple[str, ...], ...]
    undecided: tuple[tuple[str, ...], ...]
    proving: Footer = Footer()


def as_pdf(made: Restitution) -> bytes:
    """The restitution as PDF; the same one is always the same bytes.

    Raises:
        typst.TypstError: a character of a name has no glyph.
    """
    content = RestitutionContent(
        title=made.cause,
        facts=(
            ("Owed to patrons", dollars(made.owed_total)),
            ("Paid too much", dollars(made.overpaid_total)),
            ("If the rounds are void, owed", dollars(sum(max(one.owed_if_void, 0) for one in made.lines))),
            ("Rounds", f"{made.rounds:,}"),
            ("Patrons", f"{made.patrons:,}"),
            ("Stakes undecided", f"{len(made.undecided):,}"),
        ),
        lines=tuple(map(_line, made.lines)),
        undecided=tuple(map(_undecided, made.undecided)),
    )
    return typeset(TEMPLATE, content, last_time(made) or UNDATED)


def _where(one: Claim | Undecided) -> tuple[str, ...]:
    return (
        f"{one.subject}, {one.round}",
        in_utc(one.time),
        one.hand or str(one.seat),
        one.player or "-",
        one.kind,
    )


def _line(one: Claim) -> tuple[str, ...]:
    return (*_where(one), *map(dollars, (one.stake, one.paid, one.due, one.owed, one.owed_if_void)))


def _undecided(one: Undecided) -> tuple[str, ...]:
    return (*_where(one), dollars(one.stake), "; ".join(one.missing))
