"""Rows of the store as a list of hands shows them to one user: cards, totals, stakes, results, findings."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from dashboards.accounts.roles import Role
from dashboards.accounts.visibility import DenyList, may_know
from dashboards.folding.states import Now, States
from dashboards.hands.found import FoundHand, HandLine, SeatLine
from dashboards.reader import search
from dashboards.reader.question import Reader
from dashboards.reader.search import FoundRow, Key
from dashboards.wording.money import figures, gained
from dashboards.wording.times import local_time, zone_called
from schemas.values import DEALER, UNKNOWN


class HandRows:
    """Makes lines of a list for one user."""

    def __init__(self, reader: Reader, states: States, role: Role, withheld: DenyList) -> None:
        self._reader = reader
        self._states = states
        self._role = role
        self._withheld = withheld

    def theirs(self, rows: Iterable[FoundRow]) -> list[FoundRow]:
        """Without rounds of tables and dealers that are withheld from the user."""
        hidden = self._withheld
        return [r for r in rows if hidden.isdisjoint({("table", r.subject), ("dealer", r.dealer or "")})]

    def lines(self, rows: Sequence[FoundRow]) -> list[FoundHand]:
        """Rows that the user may see, each with what stands beside it."""
        if not rows:
            return []
        staked: dict[Key, list[search.StakedRow]] = defaultdict(list)
        for one in search.staked_in(rows).ask(self._reader):
            staked[one.key].append(one)
        hands: dict[tuple[Key, str], list[HandLine]] = defaultdict(list)
        if self._role.sees_cards:
            for hand in search.hands_in(rows).ask(self._reader):
                whose = hand.hand if hand.hand == DEALER else hand.hand[:1]
                hands[hand.key, whose].append(
                    HandLine(hand.cards, hand.total, _result(hand.cards, hand.total, hand.result or ""))
                )
        known = self.marks(rows)
        self._states.zones({row.subject for row in rows})
        return [self._line(row, staked[row.key], hands, known) for row in rows]

    def going_on(self, now: Now, began: dt.datetime) -> FoundHand:
        """The line of the round that is under way at a table."""
        round_ = now.table.round
        if round_ is None:
            raise ValueError(f"no round is under way at {now.table.subject}")
        zone = zone_called(self._states.zone(now.table.subject))
        seats = sorted({stake.seat for stake in round_.stakes.values()})
        return FoundHand(
            subject=now.table.subject,
            round=round_.number,
            first_sequence=round_.first_sequence,
            ended_at=None,
            local=f"began {local_time(began, zone)}",
            seats=tuple(SeatLine(seat, "", "", open=True) for seat in seats),
            net="–",
            net_cents=0,
            status="going on",
            findings=0,
            worst="",
            dealer=now.table.dealer,
            shoe=round_.shoe,
        )

    def marks(self, rows: Sequence[FoundRow]) -> dict[str, str]:
        """Severity by id of the rows' findings that the user may know of."""
        ids = [name for row in rows for name in row.findings]
        if not ids:
            return {}
        found = search.marks(sorted({row.subject for row in rows}), ids).ask(self._reader)
        return {
            one.finding_id: one.severity
            for one in found
            if may_know(self._role, self._withheld, one.finding_id, one.verdict, one.money_cents)
        }

    def _line(
        self,
        row: FoundRow,
        staked: Sequence[search.StakedRow],
        hands: Mapping[tuple[Key, str], Sequence[HandLine]],
        known: Mapping[str, str],
    ) -> FoundHand:
        mine = [known[name] for name in row.findings if name in known]
        order = ("critical", "major", "minor", "info")
        zone = zone_called(self._states.zone(row.subject))
        return FoundHand(
            subject=row.subject,
            round=row.round,
            first_sequence=row.first_sequence,
            ended_at=row.decided_at,
            local=local_time(row.decided_at, zone),
            seats=tuple(_seat(one, hands.get((row.key, str(one.seat)), ())) for one in staked),
            net=gained(row.net_cents),
            net_cents=row.net_cents,
            status=row.status,
            findings=len(mine),
            worst=min(mine, key=order.index, default=""),
            dealer=row.dealer or "",
            shoe=row.shoe,
            dealt=next(iter(hands.get((row.key, DEALER), ())), None),
        )


def _result(cards: Sequence[str], total: int | None, result: str) -> str:
    """What came of a hand; in games whose hands have no total nobody stands."""
    return "" if result == "stand" and total is None and UNKNOWN not in cards else result


def _seat(one: search.StakedRow, hands: Sequence[HandLine]) -> SeatLine:
    return SeatLine(
        seat=one.seat,
        results=" / ".join(hand.result for hand in hands if hand.result),
        won=gained(one.won_cents),
        open=bool(one.unsettled),
        staked=figures(one.staked_cents, "$"),
        hands=tuple(hands),
    )
