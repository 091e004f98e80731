"""What is behind a figure: the rounds or slips that come to it, a page of them at a time, and their sums over all."""

from __future__ import annotations

import datetime as dt

from msgspec import Struct
from msgspec.structs import replace

import dashboards.reader.revenue as rounds
from dashboards.accounts.visibility import DenyList
from dashboards.reader.question import Reader
from dashboards.reader.revenue import RevenueScope, RoundBehind
from dashboards.revenue.account import Account, apportion
from dashboards.revenue.books import accounts, around, scopes
from dashboards.revenue.edges import SIDE_WAGERS, WITH_MAIN
from dashboards.revenue.figures import Figures, edge_at
from dashboards.revenue.opened import Figure, figure
from dashboards.revenue.places import Places
from dashboards.revenue.statement import StatementLine
from dashboards.revenue.wanted import WantedRevenue

_KINDS: dict[str, tuple[str, ...]] = {"main": tuple(sorted(WITH_MAIN)), "side": tuple(sorted(SIDE_WAGERS))}


class SummedRound(Struct, frozen=True):
    """One round and what it adds to the sums."""

    row: RoundBehind
    figures: Figures


class Rounds(Struct, frozen=True):
    """A page of the rounds behind a figure, `total` of them in all, and the sums of all of them."""

    rounds: tuple[SummedRound, ...]
    total: int
    sums: StatementLine


def kinds_of(kind: str) -> tuple[str, ...]:
    """The kinds of stakes that a figure is of: all, a group of them, or one; doubles and splits go with the main."""
    return _KINDS.get(kind, (kind,) if kind else ())


def scopes_of(
    wanted: WantedRevenue, places: Places, withheld: DenyList, name: str, until: dt.datetime | None = None
) -> list[RevenueScope]:
    """The rounds that the figure of this name opens, those alone that ended before `until`."""
    if name == "dayless":
        return [replace(around(wanted, withheld), dayless=True)]
    status = figure(name).status
    return [replace(scope, status=status, until=until) for scope in scopes(wanted, places, withheld)]


def rounds_of(
    reader: Reader, found: list[RevenueScope], places: Places, opened: Figure, kind: str = "", skip: int = 0
) -> Rounds:
    """One page of rounds over all scopes, and what all of them come to.

    Raises:
        Exception: what the reader raises when it has no answer.
    """
    kinds = kinds_of(kind)
    page: list[SummedRound] = []
    total, sums = 0, StatementLine("", "All")
    for scope in found:
        most = rounds.MOST - len(page)
        part = rounds.rounds_behind(scope, kinds, opened.only, max(0, skip - total), max(most, 1)).ask(reader)
        counted = part or rounds.rounds_behind(scope, kinds, opened.only, 0, 1).ask(reader)
        page += (SummedRound(row, _figures(row, places, scope)) for row in part[:most])
        total += counted[0].total if counted else 0
        for taking in rounds.takings(scope).ask(reader):
            sums.figures.deal(taking)
            if not kinds or taking.kind in kinds:
                sums.figures.settle(taking, edge_at(taking, places.terms, scope.first))
    return Rounds(tuple(page), total, sums)


def _figures(row: RoundBehind, places: Places, scope: RevenueScope) -> Figures:
    made = Figures(rounds=1, hands=row.hands, void=int(row.voided))
    for taking in row.takings():
        made.settle(taking, edge_at(taking, places.terms, scope.first))
    return made


def account_of(reader: Reader, wanted: WantedRevenue, places: Places, withheld: DenyList) -> Account | None:
    """The account of all that is wanted; None where that parts a table's day, or nothing moved."""
    if wanted.splits_tables:
        return None
    made: Account | None = None
    for sheet, drop, _ in accounts(reader, wanted, places, withheld):
        made = made or Account(knows_sold=wanted.period == "day")
        made.add(sheet, drop)
    if made is not None:
        apportion([made])
    return made
