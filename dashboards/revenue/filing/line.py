"""A line of the revenue report: every figure by its name, in whole cents, and null where it cannot be known."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, Final, Literal, get_args

from msgspec import Struct
from msgspec.structs import replace

from dashboards.revenue.account import Account
from dashboards.revenue.figures import apportioned
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
_SECONDS = 36  # of a hundredth of an hour
# What is of whole tables and whole gaming days: a total has it where every line has.
_OF_ACCOUNT = (
    "drop",
    "fills",
    "credits",
    "opening",
    "closing",
    "net_win",
    "tax",
    "state_tax",
    "local_tax",
    "corrections",
)
COUNTED: Final = (*_OF_ACCOUNT, "unexplained", "hours")


class RevenueLine(Struct, frozen=True, kw_only=True):
    """One line of a report, or its total; money in cents, the house's view (+ the house gains), null: not known.

    What is counted on paper (`payout`, `drop`, `fills`, `credits`, inventories, `tax`, `lammers`) is an amount and has
    no sign of its own. `win` is handle less payout. `difference` is of `theoretical_handle` alone, and so are `luck`,
    `play` and the two sums of errors it consists of; `all_errors_...` are of all wagers. `play` is what the patrons'
    own decisions gave against the play that the theoretical figure assumes. It is worked out for `play_handle`,
    a part of `theoretical_handle`; of all other stakes it is 0, and what decisions gave is in the luck. `band_95` is
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


def report_of(made: RevenueStatement) -> RevenueReport:
    """The report of a statement; a total is null where one of its lines is, but for what has a handle of its own."""
    accounts = [line.account for line in made.lines if line.account is not None]
    hours = dict(
        zip(map(id, accounts), apportioned([one.seconds for one in accounts], _SECONDS), strict=True)
    )
    lines = tuple(
        _line(line, None if line.account is None else hours[id(line.account)]) for line in made.lines
    )
    total = made.total
    told = _line(total, sum(hours.values()) if accounts else None)
    parted = made.wanted.parts_tables
    unknown = [name for name in COUNTED if parted or any(getattr(one, name) is None for one in lines)]
    told = replace(told, **dict.fromkeys(unknown))
    return RevenueReport(
        property=made.owner,
        day=made.wanted.day,
        period=FILED[made.wanted.period],
        first=made.wanted.first,
        last=made.wanted.day,
        by=made.wanted.by,
        lines=lines,
        total=told,
    )


def _line(line: StatementLine, hours: int | None) -> RevenueLine:
    figures = line.figures
    has_figure = figures.theo_cents is not None
    return RevenueLine(
        key=line.key,
        handle=figures.handle_cents,
        payout=figures.payout_cents,
        win=figures.win_cents,
        theoretical=figures.theo_cents,
        theoretical_handle=figures.covered_handle_cents,
        play_handle=figures.play_handle_cents,
        difference=figures.difference_cents,
        luck=figures.luck_cents,
        play=figures.play_cents,
        errors_for_house=figures.covered_for_house_cents if has_figure else None,
        errors_for_patron=figures.covered_for_patron_cents if has_figure else None,
        unexplained=line.unexplained_cents,
        lammers=figures.lammer_cents,
        side_handle=figures.side_handle_cents,
        side_win=figures.side_win_cents,
        rounds=figures.rounds,
        hands=figures.hands,
        stakes=figures.stakes,
        void_rounds=figures.void,
        hours=None if hours is None else hours / 100,
        band_95=figures.band_cents,
        all_errors_for_house=figures.for_house_cents,
        all_errors_for_patron=figures.for_patron_cents,
        unseen=figures.handle_cents - figures.seen_cents,
        unseen_stakes=figures.unknown,
        **_counted(line.account) | {"lacks": (*_lacks(line.account), *_without_figure(line))},
    )


def _without_figure(line: StatementLine) -> Iterable[str]:
    """The wagers that have no theoretical figure."""
    for (ruleset, kind), cents in sorted(line.figures.uncovered.items()):
        if cents:
            yield f"{NO_FIGURE}: {stake_name(kind)}, {ruleset or 'a table without a ruleset'}"


def _counted(account: Account | None) -> dict[str, Any]:
    if account is None or not account.sheets:
        return dict.fromkeys(_OF_ACCOUNT)
    taxed = account.tax_cents is not None
    return {
        "drop": account.drop_cents if account.drop_is_counted else None,
        "fills": account.fill_cents,
        "credits": account.credit_cents,
        "opening": account.opening_cents if account.opened == account.sheets else None,
        "closing": account.closing_cents if account.closed == account.sheets else None,
        "net_win": account.net_cents if account.counted else None,
        "corrections": account.corrections,
        "tax": account.tax_cents,
        "state_tax": account.state_tax_cents if taxed else None,
        "local_tax": account.local_tax_cents if taxed else None,
    }


def _lacks(account: Account | None) -> Iterable[str]:
    if account is not None:
        for why, times in sorted((account.why or {}).items()):
            yield f"{why}: {times} of {account.sheets} days of tables"
