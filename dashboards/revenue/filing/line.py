"""A line of the revenue report: every figure by its name, in whole cents, and null where it cannot be known."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, Final, Literal, get_args

from msgspec import Struct
from msgspec.structs import replace

from dashboards.revenue.opened import FIGURES, value_of
from dashboards.revenue.statement import RevenueStatement, StatementLine
from dashboards.revenue.wanted import By, Period
from dashboards.wording.settlements import stake_name

FiledPeriod = Literal["day", "wtd", "mtd", "ytd"]
PERIODS: Final[tuple[FiledPeriod, ...]] = get_args(FiledPeriod)
# How the console's page calls them, and back.
OF_PAGE: Final[Mapping[FiledPeriod, Period]] = MappingProxyType(
    {"day": "day", "wtd": "week", "mtd": "month", "ytd": "year"}
)
FILED: Final[Mapping[Period, FiledPeriod]] = MappingProxyType(
    {page: filed for filed, page in OF_PAGE.items()}
)
NO_FIGURE: Final = "no theoretical figure"
# What is of whole tables and whole gaming days: a total has it where every line has.
COUNTED: Final = (
    "drop", "fills", "credits", "opening", "closing", "net_win", "tax", "state_tax", "local_tax", "corrections",
    "unexplained", "hours",
)  # fmt: skip
# Figures that the page has as parts of others.
_OWN_TITLES: Final[Mapping[str, str]] = MappingProxyType({
    "lammers": "Lammers paid (free bets)", "side_handle": "Side wagers, handle", "side_win": "Side wagers, win",
    "unseen": "Staked, outcome not seen",
})  # fmt: skip
# How the console's page calls what a line has by another name.
_PAGE_NAMES: Final[Mapping[str, str]] = MappingProxyType({
    "theoretical": "theo", "theoretical_handle": "covered", "net_win": "net", "void_rounds": "void",
    "band_95": "band", "unseen_stakes": "unknown",
})  # fmt: skip
_OF_PAGE: Final = (
    "handle", "payout", "win", "theoretical", "theoretical_handle", "play_handle", "difference", "luck", "play",
    "errors_for_house", "errors_for_patron", "all_errors_for_house", "all_errors_for_patron",
    "rounds", "hands", "stakes", "void_rounds", "band_95", "unseen_stakes",
    *COUNTED,
)  # fmt: skip


class RevenueLine(Struct, frozen=True, kw_only=True):
    """One line of a report, or its total; money in cents, the house's view (+ the house gains), null: not known.

    What is counted on paper (`payout`, `drop`, `fills`, `credits`, inventories, `tax`, `lammers`) is an amount and has
    no sign of its own. `win` is handle less payout. `difference` is of `theoretical_handle` alone, and so are `luck`,
    `play` and the two sums of errors it consists of; `all_errors_...` are of all wagers. `play` is what the patrons'
    own decisions gave against the play that the theoretical figure assumes. It is worked out for `play_handle`,
    a part of `theoretical_handle`; of the rest it is 0, and what decisions gave is in the luck. `band_95` is
    how far luck strays either way in 95 of 100 cases. `unseen` is the part of the handle whose
    outcome was not seen: it is in the payout until it is. `tax` is `state_tax` and `local_tax`. `corrections` counts
    inventories, fills, credits and drop boxes that were counted or told anew: the last of each is in the sums. `lacks`
    says why a net win is not known, and which wagers have no theoretical figure.
    """

    key: str
    handle: int
    payout: int
    win: int
    theoretical: int | None
    theoretical_handle: int
    play_handle: int
    difference: int | None
    luck: int | None
    play: int
    errors_for_house: int | None
    errors_for_patron: int | None
    unexplained: int | None
    drop: int | None
    fills: int | None
    credits: int | None
    opening: int | None
    closing: int | None
    net_win: int | None
    tax: int | None
    lammers: int
    side_handle: int
    side_win: int
    rounds: int
    hands: int
    stakes: int
    void_rounds: int
    hours: float | None
    state_tax: int | None
    local_tax: int | None
    band_95: int | None
    all_errors_for_house: int
    all_errors_for_patron: int
    unseen: int
    unseen_stakes: int
    corrections: int | None
    lacks: tuple[str, ...]


COUNTS: Final = ("rounds", "hands", "stakes", "void_rounds", "unseen_stakes", "corrections")
MONEY: Final = tuple(
    name for name in RevenueLine.__struct_fields__ if name not in ("key", "hours", "lacks", *COUNTS)
)


class RevenueReport(Struct, frozen=True, kw_only=True, rename={"first": "from", "last": "to"}):
    """The report of the gaming days `first` (in JSON `from`) to `last` (`to`); `day` is the one that was asked for."""

    property: str
    day: dt.date
    period: FiledPeriod
    first: dt.date
    last: dt.date
    by: By
    lines: tuple[RevenueLine, ...]
    total: RevenueLine


def figure_title(name: str) -> str:
    """A figure of a report, by its name in JSON and files, as the revenue page calls it."""
    return _OWN_TITLES.get(name) or FIGURES[_PAGE_NAMES.get(name, name)].title


def report_of(made: RevenueStatement) -> RevenueReport:
    """The report of a statement; by shift and dealer its total has nothing of whole tables and gaming days."""
    total = _line(made.total)
    return RevenueReport(
        property=made.owner,
        day=made.wanted.day,
        period=FILED[made.wanted.period],
        first=made.wanted.first,
        last=made.wanted.day,
        by=made.wanted.by,
        lines=tuple(_line(line) for line in made.lines),
        total=replace(total, **dict.fromkeys(COUNTED)) if made.wanted.parts_tables else total,
    )


def _line(line: StatementLine) -> RevenueLine:
    figures = line.figures
    told: dict[str, Any] = {name: value_of(_PAGE_NAMES.get(name, name), line) for name in _OF_PAGE}
    hundredths = told.pop("hours")
    return RevenueLine(
        key=line.key,
        lammers=figures.lammer_cents,
        side_handle=figures.side_handle_cents,
        side_win=figures.side_win_cents,
        hours=None if hundredths is None else hundredths / 100,
        unseen=figures.handle_cents - figures.seen_cents,
        lacks=(*(() if line.account is None else line.account.lacks), *_without_figure(line)),
        **told,
    )


def _without_figure(line: StatementLine) -> Iterable[str]:
    """The wagers that have no theoretical figure."""
    for (ruleset, kind), cents in sorted(line.figures.uncovered.items()):
        if cents:
            yield f"{NO_FIGURE}: {stake_name(kind)}, {ruleset or 'a table without a ruleset'}"
