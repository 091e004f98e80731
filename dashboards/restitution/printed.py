"""A restitution on paper: its sums, each patron, the lines, what disputes decided, and what cannot be decided."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from dashboards.reports.case_report import Footer
from dashboards.reports.typesetting import typeset
from dashboards.restitution.claims import (
    UNDATED,
    Claim,
    DecidedApart,
    Restitution,
    Ruled,
    Undecided,
    last_time,
)
from dashboards.restitution.files import round_words, ruling_of, source_of
from dashboards.restitution.patrons import OwedPatron, by_patron
from dashboards.wording.money import dollars, settled_for
from dashboards.wording.settlements import stake_name

TEMPLATE: Final = "restitution.typ"
_SUMS: Final = {
    "owed": "Owed by the record",
    "settled": "Settled",
    "to_pay": "Still to be paid",
    "ruled_out": "Not to be paid, by a ruling",
    "beyond": "Beyond the debt",
    "owed_if_void": "If the rounds are void",
    "without_stake": "Decided, at no stake on record",
    "paid": "Moved by decisions, in all",
}
_OF_DAYS: Final = ("without_stake", "paid")  # nobody looks for money at no stake but of gaming days


class RestitutionContent(Struct, frozen=True, kw_only=True):
    """Everything on the pages; rows of tables as texts, `zone` is the name of the zone of all times."""

    title: str
    zone: str
    facts: tuple[tuple[str, str], ...]
    sums: tuple[tuple[str, ...], ...]
    patrons: tuple[tuple[str, ...], ...]
    lines: tuple[tuple[str, ...], ...]
    decided: tuple[tuple[str, ...], ...]
    apart: tuple[tuple[str, ...], ...]
    undecided: tuple[tuple[str, ...], ...]
    proving: Footer = Footer()


def as_pdf(made: Restitution, zone: dt.tzinfo) -> bytes:
    """The restitution as PDF, times in this zone; the same one is always the same bytes.

    Raises:
        typst.TypstError: a character of a name has no glyph.
    """
    content = RestitutionContent(
        title=made.cause,
        zone=str(zone),
        facts=(
            ("Stakes", f"{len(made.lines):,}"),
            ("Rounds", f"{made.rounds:,}"),
            ("Patrons", f"{made.patrons:,}"),
            ("Stakes undecided", f"{len(made.undecided):,}"),
        ),
        sums=tuple(_sums(made, name) for name in _SUMS if made.tells_of_all_money or name not in _OF_DAYS),
        patrons=tuple(map(_patron, by_patron(made.lines))),
        lines=tuple(_line(one, zone) for one in made.lines),
        decided=tuple(row for one in _rows(made) for row in _decided(one, zone)),
        apart=tuple(_apart(one, zone) for one in made.without_stake),
        undecided=tuple(_undecided(one, zone) for one in made.undecided),
    )
    return typeset(TEMPLATE, content, last_time(made) or UNDATED)


def _rows(made: Restitution) -> Iterator[Claim | Undecided]:
    yield from made.lines
    yield from made.undecided


def _sums(made: Restitution, name: str) -> tuple[str, ...]:
    ways = made.both_ways(name)
    return (_SUMS[name], *map(dollars, (ways.to_patrons, ways.to_house, ways.to_patrons - ways.to_house)))


def _patron(one: OwedPatron) -> tuple[str, ...]:
    whom = one.player or f"nobody seen, {one.subject} seat {one.seat}"
    cents = (one.owed_cents, one.overpaid_cents, one.to_pay_cents, one.to_return_cents)
    return (whom, f"{one.rounds:,}", f"{one.stakes:,}", *map(dollars, cents))


def _where(one: Claim | Undecided, zone: dt.tzinfo) -> tuple[str, ...]:
    return (
        f"{one.subject}, {one.round}",
        _moment(one.time, zone),
        one.hand or str(one.seat),
        one.player or "-",
        stake_name(one.kind),
    )


def _moment(at: dt.datetime, zone: dt.tzinfo) -> str:
    return f"{at.astimezone(zone):%Y-%m-%d %H:%M:%S}"


def _line(one: Claim, zone: dt.tzinfo) -> tuple[str, ...]:
    cents = (one.stake, one.paid, one.due, one.owed, one.settled, one.to_pay, one.owed_if_void)
    return (*_where(one, zone), *map(dollars, cents))


def _decided(one: Claim | Undecided, zone: dt.tzinfo) -> Iterator[tuple[str, ...]]:
    place, _, hand, patron, wager = _where(one, zone)
    out = dollars(one.ruled_out) if isinstance(one, Claim) and one.ruled_out else "-"
    for ruled in one.disputes:
        yield (place, hand, patron, wager, *_said(ruled, (dollars(ruled.settled), out), zone))


def _said(ruled: Ruled, cents: tuple[str, ...], zone: dt.tzinfo) -> tuple[str, ...]:
    """What was decided, by what, the whole amount and what went where, when, and by whom where that may be said."""
    by = f" by {ruled.by}" if ruled.by is not None else ""
    whole = (source_of(ruled), ruling_of(ruled), settled_for(ruled.amount))
    return (*whole, *cents, f"{_moment(ruled.time, zone)}{by}")


def _apart(one: DecidedApart, zone: dt.tzinfo) -> tuple[str, ...]:
    [ruled] = one.disputes
    place = one.hand or (str(one.seat) if one.seat is not None else "-")
    where = (round_words(one), str(one.gaming_day), place, one.player or "-", one.why)
    return (*where, *_said(ruled, (settled_for(one.without_stake),), zone))


def _undecided(one: Undecided, zone: dt.tzinfo) -> tuple[str, ...]:
    return (*_where(one, zone), dollars(one.stake), "; ".join(one.missing))
