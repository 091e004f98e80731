"""What stakes come to: handle, win, theoretical win, and what carries the one from the other: luck, play, errors.

Money is in integer cents, the house's view; a theoretical win is kept in millionths of a cent until it is shown. Only
the spread is a float: it is statistics, not money.
"""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from dashboards.reader.revenue import TakingRow
from dashboards.revenue.edges import SIDE_WAGERS, WITH_MAIN, Edge, edge_of
from schemas.events import TableConfigured

CONFIDENCE = 1.96  # standard deviations either side that hold 95 % of a normal distribution
_BY_CHANCE = math.erfc(CONFIDENCE / math.sqrt(2))  # how often luck leaves its band
_MICRO = 1_000_000
Terms = Callable[[str, int], TableConfigured | None]


def rounded(part: int, whole: int) -> int:
    """The quotient to the nearest integer, a half away from nought; `whole` is positive."""
    sign = -1 if part < 0 else 1
    return sign * ((2 * abs(part) + whole) // (2 * whole))


def share(part: int | None, whole: int | None) -> int | None:
    """How much `part` is of `whole`, in hundredths of a percent; None where that says nothing."""
    if part is None or whole is None or whole <= 0:
        return None
    return rounded(part * 10_000, whole)


def apportioned(parts: Sequence[int], whole: int) -> list[int]:
    """Quotients of the parts by `whole`, each within one of its exact value, which add up to their sum's `rounded`.

    What is left after rounding down goes to the parts that lost most, the first of equals first (largest remainders).
    """
    found = [part // whole for part in parts]
    left = rounded(sum(parts), whole) - sum(found)
    for place in sorted(range(len(parts)), key=lambda place: (-(parts[place] % whole), place))[:left]:
        found[place] += 1
    return found


def add(sums: object, parts: object, fields: Iterable[str]) -> None:
    """Add the parts to the sums, in the fields of these names."""
    for name in fields:
        setattr(sums, name, getattr(sums, name) + getattr(parts, name))


@dataclass(slots=True)
class WinCompared:
    """A win beside its theory, and what carries the one to the other, summed over stakes.

    What begins with `covered` is of wagers that have a theoretical figure, and of stakes whose outcome was seen: win,
    theoretical win, difference, errors, play and luck are taken of the same stakes. `unspread_cents` is the handle of
    covered wagers whose deviation nobody has worked out: there is no band then. `stated_theo_cents` is the theoretical
    win as a statement has it whose lines add up, None before there is one.
    """

    handle_cents: int = 0
    win_cents: int = 0
    covered_stakes: int = 0
    covered_handle_cents: int = 0
    covered_win_cents: int = 0
    covered_error_cents: int = 0
    theo_millionths: int = 0
    play_cents: int = 0
    variance: float = 0.0
    unspread_cents: int = 0
    stated_theo_cents: int | None = None

    def compare(self, row: TakingRow, edge: Edge | None) -> None:
        """Add the stakes of a row; `edge` is the figure of their wager."""
        win = row.win_cents
        self.handle_cents += row.handle_cents
        self.win_cents += win
        if edge is None:
            return
        self.covered_stakes += row.stakes
        self.covered_handle_cents += row.seen_cents
        self.covered_win_cents += win
        self.covered_error_cents += row.error_cents
        self.play_cents += row.play_cents
        self.theo_millionths += row.expected_cents * edge.edge
        if edge.deviation is None:
            self.unspread_cents += row.expected_cents
            return
        together = edge.together / 1000
        alike = (1 - together) * row.squares + together * row.joint_squares
        self.variance += (edge.deviation / 1000) ** 2 * alike

    def include(self, other: WinCompared) -> None:
        """Add the sums of other stakes."""
        self.handle_cents += other.handle_cents
        self.win_cents += other.win_cents
        self.covered_stakes += other.covered_stakes
        self.covered_handle_cents += other.covered_handle_cents
        self.covered_win_cents += other.covered_win_cents
        self.covered_error_cents += other.covered_error_cents
        self.theo_millionths += other.theo_millionths
        self.play_cents += other.play_cents
        self.variance += other.variance
        self.unspread_cents += other.unspread_cents

    @property
    def theo_cents(self) -> int | None:
        """Theoretical win of the covered wagers; None where no wager is covered.

        Stakes of void rounds are no handle, but what was settled of them is in the win: of them alone it is nought.
        """
        if self.stated_theo_cents is not None:
            return self.stated_theo_cents
        return rounded(self.theo_millionths, _MICRO) if self.covered_stakes else None

    @property
    def difference_cents(self) -> int | None:
        """Win of the covered wagers less their theoretical win."""
        theo = self.theo_cents
        return None if theo is None else self.covered_win_cents - theo

    @property
    def band_cents(self) -> int | None:
        """How far, either way, luck strays in 95 of 100 cases; None where it is not known."""
        if not self.covered_handle_cents or self.unspread_cents:
            return None
        return round(CONFIDENCE * math.sqrt(self.variance))

    @property
    def z(self) -> float | None:
        """The luck in standard deviations."""
        luck = self.luck_cents
        if luck is None or self.unspread_cents or not self.variance:
            return None
        return luck / math.sqrt(self.variance)

    @property
    def outside(self) -> bool:
        """Whether luck strayed further than it does in 95 of 100 cases: something else may be at work."""
        band, luck = self.band_cents, self.luck_cents
        return band is not None and luck is not None and abs(luck) > band

    @property
    def luck_cents(self) -> int | None:
        """The difference less errors and play of the same wagers; None where there is no figure."""
        difference = self.difference_cents
        return None if difference is None else difference - self.covered_error_cents - self.play_cents


@dataclass(slots=True)
class Figures(WinCompared):
    """Sums over stakes and rounds: what a line of a statement says.

    `covered_unseen` counts stakes of covered wagers whose outcome was not seen. Their cents, `covered_handle_cents` and
    `uncovered` make up the handle. `uncovered` names the wagers without a theoretical figure, with their handle.
    `play_handle_cents` is the part of `covered_handle_cents` of which play is worked out: what decisions gave at the
    other stakes is in the luck. `marked` says that luck strayed further than chance brings at any of the lines that
    were held together (`mark`).
    """

    rounds: int = 0
    hands: int = 0
    void: int = 0
    indeterminate: int = 0
    stakes: int = 0
    seen_cents: int = 0
    side_handle_cents: int = 0
    side_win_cents: int = 0
    lammer_cents: int = 0
    error_cents: int = 0
    for_house_cents: int = 0
    for_patron_cents: int = 0
    judged: int = 0
    unknown: int = 0
    unknown_cents: int = 0
    covered_unseen: int = 0
    covered_for_house_cents: int = 0
    covered_for_patron_cents: int = 0
    play_handle_cents: int = 0
    uncovered: dict[tuple[str, str], int] = field(default_factory=dict)
    marked: bool = False

    def deal(self, row: TakingRow) -> None:
        """Add the rounds and hands of a row."""
        self.rounds += row.rounds
        self.hands += row.hands
        self.void += row.void
        self.indeterminate += row.indeterminate

    def settle(self, row: TakingRow, edge: Edge | None) -> None:
        """Add the stakes of a row, of one kind; `edge` is the figure of their wager."""
        if not row.kind:
            return  # of a round without stakes
        self.compare(row, edge)
        self.seen_cents += row.seen_cents
        self.error_cents += row.error_cents
        self.for_house_cents += row.for_house_cents
        self.for_patron_cents += row.for_patron_cents
        self.judged += row.judged
        self.unknown += row.unknown
        self.unknown_cents += row.unknown_cents
        lammers = row.kind == "lammer"
        if lammers:
            self.lammer_cents += row.paid_cents
        else:
            self.stakes += row.stakes
        if row.kind in SIDE_WAGERS:
            self.side_handle_cents += row.handle_cents
            self.side_win_cents += row.win_cents
        if edge is None:
            wager = (row.ruleset or "", wager_of(row.kind))
            self.uncovered[wager] = self.uncovered.get(wager, 0) + row.handle_cents
            return
        self.covered_unseen += 0 if lammers else row.unknown
        self.covered_for_house_cents += row.for_house_cents
        self.covered_for_patron_cents += row.for_patron_cents
        self.play_handle_cents += row.played_cents

    @property
    def payout_cents(self) -> int:
        """What went back to the patrons, their stakes and what they won: handle less win.

        A stake whose outcome was not seen is taken to lie there still: it is in the handle and in the payout.
        """
        return self.handle_cents - self.win_cents


def state(figures: Sequence[Figures]) -> None:
    """Round theoretical wins of lines to whole cents so that they add up to their total's."""
    covered = [one for one in figures if one.covered_stakes]
    cents = apportioned([one.theo_millionths for one in covered], _MICRO)
    for one, stated in zip(covered, cents, strict=True):
        one.stated_theo_cents = stated


def mark(figures: Iterable[Figures]) -> None:
    """Mark the lines whose luck is beyond chance, of all lines together: in 95 of 100 cases chance marks none.

    The step-down procedure of Holm (1979, Scandinavian Journal of Statistics 6), which holds however lines hang
    together. One line alone is marked where its luck is outside its band.
    """
    chances = [(math.erfc(abs(one.z) / math.sqrt(2)), one) for one in figures if one.z is not None]
    chances.sort(key=lambda chance: chance[0])
    for left, (chance, one) in zip(range(len(chances), 0, -1), chances, strict=True):
        if chance * left > _BY_CHANCE:
            return
        one.marked = True


def wager_of(kind: str) -> str:
    """The wager that a kind of stake belongs to: doubles, splits and lammers are the main wager's."""
    return "main" if kind in WITH_MAIN else kind


def edge_at(row: TakingRow, terms: Terms, day: dt.date) -> Edge | None:
    """The figure of a row's wager at its table on this day."""
    return edge_of(row.ruleset, wager_of(row.kind), terms(row.subject, row.terms), day)
