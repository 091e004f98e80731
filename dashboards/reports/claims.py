"""A claim held against the record: what the disputed stakes were due, what moved, and what is owed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from dashboards.desk.disputes import Decision
from dashboards.ledger.dispute_acts import Ruling
from dashboards.replayer.replay import Replay, ReplayStep
from dashboards.replayer.stakes import PayoutRow
from dashboards.reports.wording import dollars
from dashboards.wording.money import settled_for
from schemas.rounds import Settlement

_RULED: Final[dict[Ruling, str]] = {
    "for the patron": "the ruling was for the patron",
    "for the house": "the ruling was for the house",
    "settled between": "it was settled between the two",
    "withdrawn": "the claim was withdrawn",
}
SETTLING = ("wager_settled", "winnings_taken_back", "lammer_collected")


@dataclass(frozen=True, slots=True)
class ClaimedStakes:
    """What the record says of the stakes of a seat or of one hand; money in cents, patron's view.

    `due_cents` and `owed_cents` are None where some stake's due cannot be said; `owed_cents` is due less moved.
    """

    rows: tuple[PayoutRow, ...]
    staked_cents: int
    due_cents: int | None
    moved_cents: int
    owed_cents: int | None

    @property
    def sentence(self) -> str:
        """The record's answer in one sentence."""
        if not self.rows:
            return "The record holds no stake of this seat in this round."
        if self.owed_cents is None:
            return "The record does not show all that decides what was due."
        if self.owed_cents == 0:
            return "By the record every stake was settled as due; nothing is owed."
        if self.owed_cents > 0:
            return f"By the record {dollars(self.owed_cents)} is still owed to the patron."
        return f"By the record the patron was paid {dollars(-self.owed_cents)} more than was due."

    def sentence_after(self, decision: Decision | None) -> str:
        """The record's answer behind a decision that holds, if there is one: what it settled, and what it did not."""
        if decision is None or not self.rows or not self.owed_cents:
            return self.sentence
        owed, moves, back = self.owed_cents, decision.amount_cents, self.owed_cents < 0
        was = (
            f"the patron was paid {dollars(-owed)} more than was due" if back else f"{dollars(owed)} was owed"
        )
        ruling = _RULED[decision.ruling]
        rest = owed - moves
        if not rest:
            said = "the decision settled it"
        elif not moves:
            said = f"{ruling}, and no money moves"
        elif abs(rest) < abs(owed):
            said = f"{ruling}, {settled_for(moves)}: {dollars(abs(rest))} of it is not settled"
        else:
            said = f"{ruling}, {settled_for(moves)}, which is another amount"
        return f"By the record {was}; {said}."


def held_against(replay: Replay, seat: int | None, hand: str | None = None) -> ClaimedStakes:
    """The stakes of a hand, else of a seat, else of the whole round; side wagers belong to the seat."""
    rows = tuple(
        row
        for row in replay.payouts
        if (seat is None or row.seat == seat) and (hand is None or row.hand in (None, hand))
    )
    dues = [_cents(row.expected) for row in rows]
    moved = sum(_cents(row.observed) or 0 for row in rows)
    known = [cents for cents in dues if cents is not None]
    due = sum(known) if len(known) == len(dues) else None
    return ClaimedStakes(
        rows=rows,
        staked_cents=sum(row.staked_cents for row in rows),
        due_cents=due,
        moved_cents=moved,
        owed_cents=None if due is None else due - moved,
    )


def _cents(settlement: Settlement | None) -> int | None:
    return None if settlement is None else settlement.patron_cents


def step_in_dispute(
    replay: Replay, seat: int | None, hand: str | None, sequence: int | None
) -> ReplayStep | None:
    """The event a dispute is about: the one named, else the first wrong one of the seat, else its last settlement."""
    steps = replay.steps
    named = next((step for step in steps if step.sequence == sequence), None)
    if named is not None:
        return named
    mine = [step for step in steps if seat is None or step.seat == seat]
    if hand is not None:
        mine = [step for step in mine if step.hand in (None, hand)] or mine
    wrong = next((step for step in mine if step.wrong), None)
    settled = [step for step in mine if step.event in SETTLING]
    return wrong or (settled[-1] if settled else None) or (steps[-1] if steps else None)


def steps_of_seat(replay: Replay, seat: int | None) -> tuple[ReplayStep, ...]:
    """The events of a seat, the dealer's, and those about nobody in particular but the shoe's own."""
    return tuple(
        step
        for step in replay.steps
        if seat is None
        or step.seat == seat
        or (step.seat is None and step.event != "card_drawn")
        or step.wrong
    )
