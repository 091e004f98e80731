"""What another reading of the text would have owed: the stored events folded again, as declared and as asked for."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from dashboards.reader import restitution as asked
from dashboards.reader.question import Reader
from dashboards.reader.restitution import ClaimRow
from dashboards.replayer.stated import StatedMoney
from dashboards.restitution.claims import Restitution, StakePlace, place_of, restitution
from dashboards.restitution.told import said_of
from processors.games.blackjack.rules import BlackjackRules, rules_of
from processors.games.totals import count
from processors.pipeline import Outcome, TablePipeline
from schemas.rounds import RoundResult, Settlement, StakeResult
from schemas.rulesets import RULESETS
from schemas.values import DEALER

AT_ONCE: Final = 20_000  # events asked for at a time
_ON_HANDS: Final = frozenset({"main", "double", "split", "lammer"})
Advance = Callable[[int], object]


def reread(reader: Reader, readings: Mapping[str, str], advance: Advance = lambda _: None) -> Restitution:
    """The stakes that these readings settle otherwise than those in force at their tables.

    What a stake is due is what the readings say; the lines are of stakes whose due they change, also where nothing
    would be owed. A stake that they change and of which they, or the record, cannot say everything is undecided.

    Raises:
        Exception: what the reader raises when it has no answer.
    """
    rows: list[ClaimRow] = []
    said: dict[StakePlace, StatedMoney] = {}
    due: dict[StakePlace, int | None] = {}
    for one in asked.subjects().ask(reader):
        changed = {change.stake: change for change in _changed(reader, one.subject, readings)}
        if changed:
            firsts = sorted({first for _, first, _ in changed})
            every = asked.of_rounds(one.subject, firsts).ask(reader)
            said |= said_of(reader, every)
            told = [row for row in every if place_of(row) in changed]
            rows += (replace(row, missing=changed[place_of(row)].missing or row.missing) for row in told)
            due |= {stake: change.due for stake, change in changed.items()}
        advance(1)
    cause = "reading " + ", ".join(f"{place}={policy}" for place, policy in readings.items())
    return restitution(
        cause, rows, lambda row: due[place_of(row)], every_stake=True, readings=readings, said=said
    )


class _Change(Struct, frozen=True):
    """A stake whose due the readings change: what it is then, or what is missing to say it."""

    stake: StakePlace
    due: int | None
    missing: tuple[str, ...] = ()


class _Table:
    """A table as it was declared and under the readings, side by side."""

    def __init__(self, subject: str, readings: Mapping[str, str]) -> None:
        self.subject, self.readings = subject, readings
        self.pipelines = [
            TablePipeline(subject, chosen, proofs=False, detect=False) for chosen in ({}, readings)
        ]
        self._days: dict[int, dt.date] = {}  # on which a round started, by its first event

    def advance(self, line: bytes) -> Iterator[_Change]:
        made = self._compared([pipeline.advance(line) for pipeline in self.pipelines])
        round_ = self.pipelines[0].table.round
        if round_ is not None:
            self._days[round_.first_sequence] = round_.day
        return made

    def finish(self) -> Iterator[_Change]:
        return self._compared([pipeline.finish() for pipeline in self.pipelines])

    def _compared(self, outcomes: list[Outcome]) -> Iterator[_Change]:
        declared, rival = (outcome.rounds for outcome in outcomes)
        for one, other in zip(declared, rival, strict=True):
            undrawn = self._undrawn(one)
            self._days.pop(one.first_sequence, None)
            for ordinal, (was, now) in enumerate(zip(one.stakes, other.stakes, strict=True), 1):
                stake = (self.subject, one.first_sequence, ordinal)
                if undrawn and _rests_on_dealer(one, was):
                    yield _Change(stake, None, (undrawn,))
                elif _due(was) != _due(now):
                    yield _Change(stake, _due(now))

    def _undrawn(self, told: RoundResult) -> str:
        """What of the dealer's hand the readings leave open: he drew by another reading. Empty: nothing."""
        config, dealer = self.pipelines[0].table.config, told.hands.get(DEALER)
        if config is None or dealer is None or len(dealer.cards) < 2:
            return ""
        if RULESETS[config.ruleset].family != "blackjack":
            return ""
        day = self._days[told.first_sequence]
        was, now = (_drawn_out(dealer.cards, rules_of(config, day, chosen)) for chosen in ({}, self.readings))
        return "" if was == now else _UNDRAWN[now]


_UNDRAWN: Final = {
    "too few": "cards of the dealer, who would have drawn on",
    "too many": "the dealer's hand, for he would have stood earlier",
    "whole": "the dealer's hand as it is due: it was not drawn by the table's own reading",
}


def _drawn_out(cards: Sequence[str], rules: BlackjackRules) -> str:
    """Whether these are all cards that the dealer draws, and no more; empty where one is not known."""
    totals = [count(tuple(cards[:number]), rules.dealer_limit) for number in range(2, len(cards) + 1)]
    if None in totals:
        return ""
    reached = [total is not None and total[0] >= rules.stands_from for total in totals]
    if any(reached[:-1]):
        return "too many"
    return "whole" if reached[-1] else "too few"


def _rests_on_dealer(told: RoundResult, stake: StakeResult) -> bool:
    """Whether the stake lies on a hand that the dealer's total decides."""
    hand = told.hands.get(stake.hand or "")
    return hand is not None and stake.kind in _ON_HANDS and hand.result in ("stand", "double")


def _changed(reader: Reader, subject: str, readings: Mapping[str, str]) -> Iterator[_Change]:
    table = _Table(subject, readings)
    after = 0
    while lines := asked.events(subject, after, AT_ONCE).ask(reader):
        for one in lines:
            yield from table.advance(one.line.encode())
        after = lines[-1].sequence
    yield from table.finish()


def _due(stake: StakeResult) -> int | None:
    settlement: Settlement | None = stake.expected
    return None if settlement is None else settlement.patron_cents
