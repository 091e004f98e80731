"""What each patron of a restitution is owed and was paid too much, for its page and its paper."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from msgspec import Struct

from dashboards.restitution.claims import Claim, whose


class OwedPatron(Struct, frozen=True, kw_only=True):
    """What one patron is owed and was paid too much, in cents, all without sign.

    `player` is None where nobody was seen at the seat: then `subject` and `seat` name it, which are None otherwise.
    `to_pay_cents` and `to_return_cents` are the parts that no dispute settled or ruled out.
    """

    player: str | None
    subject: str | None
    seat: int | None
    rounds: int
    stakes: int
    owed_cents: int
    overpaid_cents: int
    to_pay_cents: int
    to_return_cents: int


def by_patron(claims: Iterable[Claim]) -> list[OwedPatron]:
    """The patrons of these stakes, those to whom most is still to be paid first."""
    lines: dict[str | tuple[str, int], list[Claim]] = defaultdict(list)
    for one in claims:
        lines[whose(one)].append(one)
    return sorted(map(_owed, lines.values()), key=_in_order)


def _owed(lines: list[Claim]) -> OwedPatron:
    first = lines[0]
    return OwedPatron(
        player=first.player,
        subject=None if first.player else first.subject,
        seat=None if first.player else first.seat,
        rounds=len({(one.subject, one.first_sequence) for one in lines}),
        stakes=len(lines),
        owed_cents=sum(max(one.owed, 0) for one in lines),
        overpaid_cents=sum(max(-one.owed, 0) for one in lines),
        to_pay_cents=sum(max(one.to_pay, 0) for one in lines),
        to_return_cents=sum(max(-one.to_pay, 0) for one in lines),
    )


def _in_order(one: OwedPatron) -> tuple[int, int, int, str, str, int]:
    money = (-one.to_pay_cents, -one.owed_cents, -one.overpaid_cents)
    return (*money, one.player or "", one.subject or "", one.seat or 0)
