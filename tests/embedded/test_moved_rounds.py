"""Rounds of which older versions lie at other times, days and months away: the bounded search finds what all rows say.

What is found is held against a reckoning in Python over every row, which knows no bounds.
"""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from dashboards.reader.newest import After, WantedRounds, how_many, newest_rounds
from dashboards.reader.played import FindingAsked, Played
from dashboards.reader.search import FoundRow, Key, under_way_at
from processors.runtime.store.chdb_warehouse import ChdbWarehouse
from processors.runtime.store.warehouse import Row
from schemas.warehouse import RELATIONS
from tests.sampling import one_in

T0 = dt.datetime(2026, 3, 31, 20, tzinfo=dt.UTC)
TABLES, ROUNDS, VERSIONS = ("BJ-1", "BJ-2", "BJ-3"), 60, (1, 2, 3)
EVERY = dt.timedelta(
    minutes=7
)  # the newest days of a span are looked through first: there are rounds before them
MOVES = [dt.timedelta(days=days, minutes=3) for days in (0, 0, 0, 1, -2, 9, -40, 33)]
Said = dict[str, Any]


def _finding(key: Key) -> str:
    return f"{key[0]}-{key[1]}".encode().hex()


def _versions(seed: int) -> list[Said]:
    """Each version of each round in the order of writing, with its hand, the dealer's and its stake."""
    chance = random.Random(seed)
    said: list[Said] = []
    for version in VERSIONS:
        for subject in TABLES:
            for number in range(1, ROUNDS + 1):
                if version > 1 and chance.random() < 0.5:
                    continue
                began = T0 - dt.timedelta(days=number % 9) + number * EVERY
                said.append({
                    "subject": subject, "round": number, "first_sequence": 10 * number,
                    "last_sequence": 10 * number + 9, "began": began, "fold_version": version,
                    "decided_at": began + dt.timedelta(minutes=2) + chance.choice(MOVES),
                    "dealer": chance.choice(("D-1", "D-2", None)),
                    "status": chance.choice(("consistent", "breached")),
                    "findings": (_finding((subject, number, 10 * number)),) if chance.random() < 0.3 else (),
                    "mine": chance.choice((20, 21)), "dealt": chance.choice((20, 22)),
                    "cents": chance.choice((2_500, 10_000)), "moved": chance.choice(("pay", "collect")),
                })  # fmt: skip
    return said


def _row(relation: str, said: Said, **more: Any) -> Row:
    """A row of what was said; what nobody said is as empty as its column may be."""
    given = said | more
    empty = {"Array": (), "Nullab": None, "String": "", "Bool": False}

    def of(column: str, kind: str) -> Any:
        plain = kind.removeprefix("LowCardinality(")
        known = next((value for start, value in empty.items() if plain.startswith(start)), 0)
        return given.get(column, known)

    return tuple(of(column.name, column.type) for column in RELATIONS[relation].columns)


def _rows(said: list[Said]) -> Iterator[tuple[str, list[Row]]]:
    yield "rounds", [_row("rounds", one) for one in said]
    yield (
        "hands",
        [
            _row("hands", one, hand=hand, total=one[total], result="stand")
            for one in said
            for hand, total in (("3.1", "mine"), ("D", "dealt"))
        ],
    )
    yield "stakes", [
        _row(
            "stakes", one, ordinal=1, seat=3, hand="3.1", kind="main", staked_cents=one["cents"],
            observed_outcome=one["moved"], observed_cents=one["cents"],
        )
        for one in said
    ]  # fmt: skip
    yield "findings", [
        _row(
            "findings", one, sequence=one["first_sequence"], finding_id=one["findings"][0], check_id="a.check",
            verdict="breached", severity="critical", money_cents=100,
        )
        for one in said
        if one["findings"]
    ]  # fmt: skip
    yield (
        "events",
        [
            _row("events", one, sequence=one["first_sequence"], time=one["began"], type="round_started")
            for one in said
        ],
    )


@pytest.fixture(scope="module", params=one_in(2, [3, 4]))
def both(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[ChdbWarehouse, list[Said]]]:
    """A store, and every version that was written into it."""
    said = _versions(request.param)
    held = ChdbWarehouse(tmp_path_factory.mktemp("moved") / "warehouse")
    held.migrate()
    for relation, rows in _rows(said):
        for begin in range(0, len(rows), 90):
            held.insert(RELATIONS[relation], rows[begin : begin + 90])
    yield held, said
    held.close()


def _key(said: Said) -> Key:
    return said["subject"], said["round"], said["first_sequence"]


def _standing(said: list[Said]) -> list[Said]:
    """The newest version of each round, the newest round first."""
    newest = {_key(one): one for one in said}
    return sorted(newest.values(), key=lambda one: (one["decided_at"], *_key(one)), reverse=True)


def _is_wanted(one: Said, wanted: WantedRounds) -> bool:
    played, at = wanted.played, one["decided_at"]
    return (
        wanted.since <= at <= wanted.until
        and wanted.table in (None, one["subject"])
        and wanted.dealer in (None, one["dealer"])
        and wanted.status in (None, one["status"])
        and wanted.seat in (None, 3)
        and played.total in (None, one["mine"])
        and played.dealer_total in (None, one["dealt"])
        and played.moved in (None, one["moved"])
        and (played.stake is None or played.stake[0] <= one["cents"] <= played.stake[1])
        and (wanted.noted is None or bool(one["findings"]))
    )


_SPANS = {
    "all": (T0 - dt.timedelta(days=60), T0 + dt.timedelta(days=60)),
    "a month": (T0 - dt.timedelta(days=30), T0 + dt.timedelta(hours=9)),
    "some hours": (T0, T0 + dt.timedelta(hours=5)),
}
_TERMS: tuple[dict[str, Any], ...] = (
    {},
    {"dealer": "D-1"},
    {"table": "BJ-2", "status": "breached"},
    {"played": Played(total=20, dealer_total=22)},
    {"table": "BJ-1", "seat": 3, "played": Played(total=20, stake=(5_000, 20_000))},
    {"played": Played(stake=(2_500, 2_500), moved="collect")},
    {"noted": FindingAsked(severity="critical", verdicts=("breached",))},
    {"played": Played(total=20), "noted": FindingAsked(verdicts=("breached",))},
)


@pytest.mark.parametrize("span", _SPANS)
@pytest.mark.parametrize("terms", _TERMS, ids=str)
def test_no_round_is_lost_or_found_twice_wherever_its_older_versions_lie(
    both: tuple[ChdbWarehouse, list[Said]], terms: dict[str, Any], span: str
) -> None:
    store, said = both
    since, until = _SPANS[span]
    wanted = WantedRounds(since=since, until=until, **terms)
    due = [_key(one) for one in _standing(said) if _is_wanted(one, wanted)]
    assert span == "some hours" or due
    for most in (7, 200):
        told: list[FoundRow] = []
        after: After | None = None
        while page := newest_rounds(store, wanted, after, most):
            told += page
            after = (page[-1].decided_at, *page[-1].key)
        assert [one.key for one in told] == due
    # A round of which an older version was wanted counts too.
    assert len(due) <= how_many(store, wanted, 1_000) <= len(TABLES) * ROUNDS
    assert how_many(store, wanted, 5, told[:50]) == min(5, how_many(store, wanted, 1_000))


def test_a_round_under_way_is_found_though_its_newest_version_ended_later(
    both: tuple[ChdbWarehouse, list[Said]],
) -> None:
    store, _ = both
    start = dt.datetime(2026, 6, 1, 12, tzinfo=dt.UTC)
    end, hour = start + dt.timedelta(minutes=15), dt.timedelta(hours=1)
    one = {
        "subject": "BJ-9", "round": 1, "first_sequence": 10, "last_sequence": 19, "began": start - hour,
        "dealer": None, "status": "consistent", "findings": (), "mine": 20, "dealt": 22, "cents": 2_500,
        "moved": "pay",
    }  # fmt: skip
    versions = [
        one | {"fold_version": 1, "decided_at": end},
        one | {"fold_version": 2, "decided_at": end + hour},
    ]
    for relation, rows in _rows(versions):
        for row in rows:
            store.insert(RELATIONS[relation], [row])
    [found] = under_way_at(store, end, dt.timedelta(hours=6))
    assert (found.key, found.latest) == (("BJ-9", 1, 10), end + hour)
    wanted = WantedRounds(
        since=start, until=found.latest, moments=((start, end),), edges=(found.key,), played=Played(total=20)
    )
    assert [row.key for row in newest_rounds(store, wanted)] == [found.key]
    assert newest_rounds(store, replace(wanted, edges=())) == []
    assert under_way_at(store, start - hour, dt.timedelta(hours=6), "BJ-9") == []
