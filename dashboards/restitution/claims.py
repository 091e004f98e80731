"""The claims of a cause: for each stake what the patron had of it, what was due, and what is owed either way."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Mapping

from msgspec import Struct

from dashboards.reader.restitution import ClaimRow

UNDATED = dt.datetime(2000, 1, 1, tzinfo=dt.UTC)  # the time that files bear which name no round
UNSEEN = "the outcome of the stake"
UNDUE = "what the stake is due"
Due = Callable[[ClaimRow], int | None]


class Claim(Struct, frozen=True, kw_only=True):
    """One stake, in cents, the patron's view: + is what the patron won (`paid`), was to win (`due`) or is `owed`.

    A stake given back is neither won nor lost. `owed` is due less paid: - is what was paid too much. `player` is None
    where nobody was seen at the seat. `owed_if_void` is what is owed if the round is called off and every stake of it
    given back.
    """

    subject: str
    round: int
    time: dt.datetime
    seat: int
    player: str | None
    stake: int
    paid: int
    due: int
    owed: int
    hand: str | None
    kind: str
    first_sequence: int
    owed_if_void: int


class Undecided(Struct, frozen=True, kw_only=True):
    """A stake of which nobody can say what is owed, and what is missing to say it."""

    subject: str
    round: int
    time: dt.datetime
    seat: int
    player: str | None
    stake: int
    hand: str | None
    kind: str
    first_sequence: int
    missing: tuple[str, ...]


class Restitution(Struct, frozen=True, kw_only=True):
    """What a cause comes to; `rounds` and `patrons` are those of its lines, totals are amounts without sign.

    `patrons` counts seats without a name by table and seat. `readings` are the policies that were asked for.
    """

    cause: str
    readings: dict[str, str]
    rounds: int
    patrons: int
    lines: tuple[Claim, ...]
    owed_total: int
    overpaid_total: int
    undecided: tuple[Undecided, ...]


def restitution(
    cause: str,
    rows: Iterable[ClaimRow],
    due: Due | None = None,
    *,
    every_stake: bool = False,
    readings: Mapping[str, str] | None = None,
) -> Restitution:
    """The claims of these stakes: those that are owed something, or with `every_stake` all that can be decided.

    `due` says what a stake is due to its patron, None where that cannot be said; without it, what the store has.
    """
    due = due or expected
    lines: list[Claim] = []
    undecided: list[Undecided] = []
    for row in rows:
        paid, owing = net(row.observed_outcome, row.observed_cents), due(row)
        if paid is None or owing is None:
            undecided.append(_undecided(row, paid is None, owing is None))
        elif every_stake or owing != paid:
            lines.append(_claim(row, paid, owing))
    lines.sort(key=lambda one: (one.time, one.subject, one.first_sequence, one.seat))
    undecided.sort(key=lambda one: (one.time, one.subject, one.first_sequence, one.seat))
    return Restitution(
        cause=cause,
        readings=dict(readings or {}),
        rounds=len({(one.subject, one.round, one.first_sequence) for one in lines}),
        patrons=len({one.player or (one.subject, one.seat) for one in lines}),
        lines=tuple(lines),
        owed_total=sum(max(one.owed, 0) for one in lines),
        overpaid_total=sum(max(-one.owed, 0) for one in lines),
        undecided=tuple(undecided),
    )


def last_time(made: Restitution) -> dt.datetime | None:
    """When the last round ended that it names; None where it names none: the time that its files bear."""
    times = [one.time for one in made.lines] + [one.time for one in made.undecided]
    return max(times, default=None)


def expected(row: ClaimRow) -> int | None:
    """What the stake is due to its patron as the store has it."""
    return net(row.expected_outcome, row.expected_cents)


def net(outcome: str | None, cents: int | None) -> int | None:
    """What an outcome brings the patron, cents; None where there is none."""
    if outcome is None:
        return None
    return {"pay": 1, "collect": -1}.get(outcome, 0) * (cents or 0)


def _claim(row: ClaimRow, paid: int, due: int) -> Claim:
    return Claim(
        subject=row.subject,
        round=row.round,
        time=row.time,
        seat=row.seat,
        player=row.patron or None,
        stake=row.staked_cents,
        paid=paid,
        due=due,
        owed=due - paid,
        hand=row.hand,
        kind=row.kind,
        first_sequence=row.first_sequence,
        owed_if_void=-paid,
    )


def _undecided(row: ClaimRow, unseen: bool, undue: bool) -> Undecided:
    own = [UNSEEN] if unseen else []
    return Undecided(
        subject=row.subject,
        round=row.round,
        time=row.time,
        seat=row.seat,
        player=row.patron or None,
        stake=row.staked_cents,
        hand=row.hand,
        kind=row.kind,
        first_sequence=row.first_sequence,
        missing=(*own, *(row.missing or ((UNDUE,) if undue else ()))),
    )
