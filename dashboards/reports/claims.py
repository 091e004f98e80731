"""A claim held against the record: what the disputed stakes were due, what moved, and what is owed."""

from __future__ import annotations

from dataclasses import dataclass

from dashboards.replayer.replay import Replay, ReplayStep
from dashboards.replayer.stakes import UNSEEN, PayoutRow

SETTLING = ("wager_settled", "winnings_taken_back", "lammer_collected")


@dataclass(frozen=True, slots=True)
class ClaimedStakes:
    """What the record says of the stakes of a seat or of one hand; money in cents, patron's view.

    `due_cents`, `moved_cents` and `owed_cents` are None where that cannot be said of some stake.
    """

    rows: tuple[PayoutRow, ...]
    staked_cents: int
    due_cents: int | None
    moved_cents: int | None
    owed_cents: int | None


def seated_at(replay: Replay | None, seat: int | None) -> str:
    """The patron whom the record names at a seat at the end of the round; empty where it names none."""
    seats = replay.steps[-1].felt.seats if replay is not None and replay.steps else ()
    return next((one.player for one in seats if one.number == seat), "")


def held_against(
    replay: Replay, seat: int | None, hand: str | None = None, patron: str | None = None
) -> ClaimedStakes:
    """The stakes of a hand, else of a seat, else of a patron, else of the whole round; side wagers are the seat's.

    A patron whom nobody saw at the table has no stakes of their own: those of the whole round are told.
    """
    seats = replay.steps[-1].felt.seats if seat is None and patron and replay.steps else ()
    theirs = {one.number for one in seats if one.player == patron}
    rows = tuple(
        row
        for row in replay.payouts
        if (row.seat in theirs if theirs else seat in (None, row.seat))
        and (hand is None or row.hand in (None, hand))
    )
    dues = [row.due_cents for row in rows]
    unseen = any(row.word == UNSEEN for row in rows)
    owed = [row.owed_cents for row in rows]
    known = [cents for cents in dues if cents is not None]
    due = sum(known) if len(known) == len(dues) else None
    return ClaimedStakes(
        rows=rows,
        staked_cents=sum(row.staked_cents for row in rows),
        due_cents=due,
        moved_cents=None if unseen else sum(row.seen_cents or 0 for row in rows),
        owed_cents=None if None in owed else sum(one or 0 for one in owed),
    )


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
