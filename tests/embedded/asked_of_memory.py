"""What every engine must answer about hands that fit what was told, reckoned from the ledger's own lines."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from dashboards.reader.likeliest import about, likeliest, told_things
from dashboards.reader.newest import WantedRounds, seats_of
from dashboards.reader.played import FindingAsked, Played
from processors.runtime.store.warehouse import Warehouse
from tests.embedded.asked import EARLY, LATE, facts

_WIDE = dt.timedelta(minutes=3)


def _hands(since: dt.datetime, until: dt.datetime) -> Iterator[tuple[dict[str, Any], int, int | None]]:
    """Each hand of a seat that staked, in the rounds that ended in this time: its round, its seat and its total."""
    for one in facts().rounds:
        if not since <= dt.datetime.fromisoformat(one["at"]) <= until:
            continue
        for seat in sorted({stake["seat"] for stake in one["stakes"]}):
            mine = [hand for name, hand in one["hands"].items() if name.startswith(str(seat))] or [{}]
            for hand in mine:
                yield one, seat, hand.get("total")


def _moved(one: dict[str, Any], seat: int) -> set[str]:
    wagers = (s for s in one["stakes"] if s["seat"] == seat and s["kind"] in ("main", "split"))
    return {wager["observed"]["outcome"] for wager in wagers if wager["observed"]}


def hands_are_ordered_by_how_many_told_things_are_true_of_them(store: Warehouse) -> None:
    seen: Counter[str] = Counter()
    for place in facts().rounds[5::25]:
        ended = dt.datetime.fromisoformat(place["at"])
        wanted = WantedRounds(
            since=EARLY,
            until=LATE,
            moments=((ended - _WIDE, ended + _WIDE),),
            seat=3,
            dealer=place["dealer"],
            status="breached",
            played=Played(total=20, dealer_total=20, moved="collect"),
        )
        since, until = about(wanted)
        due: Counter[tuple[int, ...]] = Counter()
        for one, seat, total in _hands(since, until):
            at = dt.datetime.fromisoformat(one["at"])
            fits = (
                wanted.moments[0][0] <= at < wanted.moments[0][1], seat == 3, total == 20,
                one["hands"].get("D", {}).get("total") == 20, "collect" in _moved(one, seat),
                one["dealer"] == wanted.dealer, one["status"] == "breached",
            )  # fmt: skip
            due[tuple(map(int, fits))] += 1
        rows = likeliest(wanted, (), cards=True, most=10_000).ask(store)
        assert Counter(tuple(row.fits) for row in rows) == due
        assert {row.looked for row in rows} == {due.total()}
        assert {tuple(row.each) for row in rows} == {
            tuple(sum(count for fits, count in due.items() if fits[at]) for at in range(7))
        }
        assert {tuple(row.but_one) for row in rows} == {
            tuple(due[tuple(int(other != at) for other in range(7))] for at in range(7))
        }
        order = [(-sum(row.fits), row.far) for row in rows]
        assert order == sorted(order)
        seen.update(
            name for row in rows for name, fit in zip(told_things(wanted), row.fits, strict=True) if fit
        )
    assert seen.keys() >= {"time", "seat", "total", "against", "result", "dealer"}, seen


def a_told_patron_and_a_told_finding_are_asked_of_the_same_hands(store: Warehouse) -> None:
    found = next(one for one in facts().rounds if one["findings"] and one["status"] == "breached")
    ended = dt.datetime.fromisoformat(found["at"])
    [(patron, *_)] = store.query(
        "SELECT patron, count() AS often FROM patrons WHERE subject = {s:String} AND seat != 0 GROUP BY patron"
        " ORDER BY often DESC, patron LIMIT 1",
        {"s": found["subject"]},
    )
    wanted = WantedRounds(
        since=ended - dt.timedelta(hours=1),
        until=ended + dt.timedelta(hours=1),
        moments=((ended - _WIDE, ended + _WIDE),),
        patron=str(patron),
        table=found["subject"],
        noted=FindingAsked(verdicts=("breached",)),
    )
    rows = likeliest(wanted, seats_of(wanted).ask(store), cards=True).ask(store)
    assert told_things(wanted) == ("time", "patron", "findings")
    assert {row.round for row in rows if row.fits[2]} >= {found["round"]}
    assert any(row.fits[1] for row in rows)
    bare = likeliest(wanted, (), cards=False).ask(store)
    assert not any(row.fits[1] or row.cards or row.hand for row in bare)
    hidden = WantedRounds(since=EARLY, until=LATE, moments=wanted.moments, without_tables=(found["subject"],))
    assert found["subject"] not in {row.subject for row in likeliest(hidden, (), cards=True).ask(store)}


CASES_OF_MEMORY: tuple[Callable[[Warehouse], None], ...] = (
    hands_are_ordered_by_how_many_told_things_are_true_of_them,
    a_told_patron_and_a_told_finding_are_asked_of_the_same_hands,
)
