"""A table folded once, and each of its rounds reconstructed by the readings in force and by others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from dashboards.replayer.readings_port import RivalDue
from processors.core.state import Round, Table
from processors.games.blackjack.rules import BlackjackRules, rules_of
from processors.games.readings import resolve
from processors.games.totals import count
from processors.games.whichever.reconstruct import reconstruct
from processors.pipeline import TablePipeline
from schemas.rounds import RoundResult, StakeResult
from schemas.rulesets import RULESETS
from schemas.values import DEALER

_ON_HANDS: Final = frozenset({"main", "double", "split", "lammer"})
_UNDRAWN: Final = {
    "too few": "cards of the dealer, who would have drawn on",
    "too many": "the dealer's hand, for he would have stood earlier",
    "whole": "the dealer's hand as it is due: it was not drawn by the table's own reading",
}


class RereadTable(TablePipeline):
    """A table as it was declared; `changes` has for each of the rivals the stakes whose due it changes.

    How a stake is judged moves no event, so that one fold serves all readings.
    """

    __slots__ = ("_rivals", "changes")

    def __init__(self, subject: str, rivals: Sequence[Mapping[str, str]]) -> None:
        """Start a table from nothing."""
        super().__init__(subject, proofs=False, detect=False)
        self._rivals = tuple(rivals)
        self.changes: tuple[list[RivalDue], ...] = tuple([] for _ in self._rivals)

    def go_on(self, table: Table) -> None:
        """Go on from the state of a table before one of its events."""
        self.table = table
        self._judge.adopt(table)

    def _close(self, round_: Round, last: int, *, ended: bool, late: bool = False) -> RoundResult:
        told = super()._close(round_, last, ended=ended, late=late)
        config = self.table.config
        in_force = resolve(config.readings or {}, {}) if config is not None else {}
        drawn = self._drawn(round_, told, {})
        for rival, changes in zip(self._rivals, self.changes, strict=True):
            if all(in_force.get(place) == policy for place, policy in rival.items()):
                continue
            other = reconstruct(self.table, round_, last, ended, rival)
            drawn_by_it = self._drawn(round_, told, rival)
            undrawn = "" if drawn == drawn_by_it else _UNDRAWN[drawn_by_it]
            for ordinal, (was, now) in enumerate(zip(told.stakes, other.stakes, strict=True), 1):
                stake = (told.subject, told.first_sequence, ordinal)
                if undrawn and _rests_on_dealer(told, was):
                    changes.append(RivalDue(stake, was.due_cents, None, (undrawn,)))
                elif was.due_cents != now.due_cents:
                    changes.append(RivalDue(stake, was.due_cents, now.due_cents))
        return told

    def _drawn(self, round_: Round, told: RoundResult, chosen: Mapping[str, str]) -> str:
        """How the dealer's cards stand by these readings, as `_drawn_out` has it; empty where nobody draws by them."""
        config, dealer = self.table.config, told.hands.get(DEALER)
        if config is None or dealer is None or len(dealer.cards) < 2:
            return ""
        if RULESETS[config.ruleset].family != "blackjack":
            return ""
        return _drawn_out(dealer.cards, rules_of(config, round_.day, chosen))


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
