"""The newest rounds among rows of which the store still has older versions that say something else."""

import datetime as dt
import random
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

import pytest
from msgspec.structs import astuple, replace

from dashboards.reader import newest
from dashboards.reader.newest import After, WantedRounds, how_many, newest_rounds
from dashboards.reader.played import Played
from dashboards.reader.question import Parameter
from dashboards.reader.search import FoundRow
from processors.runtime.store.chdb_warehouse import ChdbWarehouse
from processors.runtime.store.warehouse import Row
from schemas.warehouse import RELATIONS
from tests.sampling import one_in

T0 = dt.datetime(2026, 3, 30, 22, tzinfo=dt.UTC)
TABLES, DEALERS, ROUNDS = ("BJ-1", "BJ-2"), ("D-1", "D-2", None), 60
_COLUMNS, _OF_HANDS = RELATIONS["rounds"].column_names, RELATIONS["hands"].column_names
SPAN = WantedRounds(since=T0 - dt.timedelta(days=40), until=T0 + dt.timedelta(days=1))


def a_round(chance: random.Random, subject: str, number: int, version: int) -> Row:
    """A version of a round: another one may name another dealer and status, and a time some rounds away."""
    moment = T0 + dt.timedelta(minutes=2 * number + chance.choice((0, 0, 1, 7, -9)))
    given: dict[str, Any] = {
        "subject": subject, "round": number, "first_sequence": 10 * number, "last_sequence": 10 * number + 9,
        "decided_at": moment, "shoe": 1, "ruleset": "free_bet_672a", "gaming_day": None,
        "status": chance.choice(("consistent", "breached")), "missing": (), "net_cents": version, "findings": (),
        "head": "", "record": "{}", "fold_version": version, "row_hash": 0, "property": None,
        "dealer": chance.choice(DEALERS),
    }  # fmt: skip
    return tuple(given[name] for name in _COLUMNS)


@pytest.fixture(scope="module")
def rows() -> list[Row]:
    """Every version, in the order in which they were written."""
    chance = random.Random(11)
    keys = [(subject, number) for subject in TABLES for number in range(1, ROUNDS + 1)]
    return [
        a_round(chance, *key, version)
        for version in (1, 2, 3)
        for key in keys
        if version == 1 or chance.random() < 0.6
    ]


def a_hand(chance: random.Random, row: Row, hand: str) -> Row:
    """A hand of a version of a round: another version may have another total."""
    of = dict(zip(_COLUMNS, row, strict=True))
    given = of | {
        "hand": hand, "cards": (), "total": chance.choice((20, 22)), "soft": False, "result": "stand",
        "came_from": None, "sequences": (),
    }  # fmt: skip
    return tuple(given[name] for name in _OF_HANDS)


@pytest.fixture(scope="module")
def hands(rows: list[Row]) -> list[Row]:
    """The hands of every version, in the order in which they were written."""
    chance = random.Random(5)
    return [a_hand(chance, row, hand) for row in rows for hand in ("3.1", "D")]


@pytest.fixture(scope="module")
def store(
    tmp_path_factory: pytest.TempPathFactory, rows: list[Row], hands: list[Row]
) -> Iterator[ChdbWarehouse]:
    held = ChdbWarehouse(tmp_path_factory.mktemp("newest") / "warehouse")
    held.migrate()
    for relation, written in (("rounds", rows), ("hands", hands)):
        for begin in range(0, len(written), 40):
            held.insert(RELATIONS[relation], written[begin : begin + 40])
    yield held
    held.close()


def standing(rows: list[Row]) -> list[FoundRow]:
    """The newest version of each round, newest round first."""
    last = {row[:3]: row for row in rows}
    named = [dict(zip(_COLUMNS, row, strict=True)) for row in last.values()]
    found = [FoundRow(**{name: one[name] for name in FoundRow.__struct_fields__}) for one in named]
    return sorted(found, key=lambda one: (one.decided_at, *one.key), reverse=True)


@pytest.mark.parametrize("spare", one_in(2, [0.1, 4.0]))
@pytest.mark.parametrize(
    "terms",
    [{}, {"dealer": "D-1"}, {"status": "breached", "table": "BJ-2"}, {"without_dealers": ("D-1",)}],
    ids=str,
)
def test_pages_of_any_size_together_are_the_rounds_as_they_stand(
    store: ChdbWarehouse,
    rows: list[Row],
    terms: dict[str, Any],
    spare: float,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # With few candidates most pages need a second look.
    monkeypatch.setattr(newest, "_SPARE", spare)
    since, until = T0 - dt.timedelta(days=1), T0 + dt.timedelta(days=1)
    due = [
        one
        for one in standing(rows)
        if terms.get("dealer") in (None, one.dealer)
        and terms.get("status") in (None, one.status)
        and terms.get("table") in (None, one.subject)
        and (one.dealer is None or one.dealer not in terms.get("without_dealers", ()))
    ]
    for most in (3, 50):
        told: list[FoundRow] = []
        after: After | None = None
        while page := newest_rounds(store, WantedRounds(since=since, until=until, **terms), after, most):
            assert len(page) <= most
            told += page
            after = (page[-1].decided_at, *page[-1].key)
        assert [astuple(one) for one in told] == [astuple(one) for one in due]


def test_nothing_of_what_is_wanted_is_an_empty_list(store: ChdbWarehouse) -> None:
    wanted = WantedRounds(since=T0, until=T0 + dt.timedelta(days=1), dealer="D-9")
    assert newest_rounds(store, wanted) == []


def test_a_hand_counts_as_it_stands_whatever_its_older_versions_were(
    store: ChdbWarehouse, rows: list[Row], hands: list[Row]
) -> None:
    last = {(row[:3], dict(zip(_OF_HANDS, row, strict=True))["hand"]): row for row in hands}
    totals = {key: dict(zip(_OF_HANDS, row, strict=True))["total"] for key, row in last.items()}
    meant = [one for one in standing(rows) if (totals[one.key, "3.1"], totals[one.key, "D"]) == (20, 22)]
    assert 10 < len(meant) < len(TABLES) * ROUNDS
    for seat, expected in ((None, meant), (3, meant), (4, [])):
        wanted = replace(SPAN, seat=seat, played=Played(total=20, dealer_total=22))
        assert newest_rounds(store, wanted, most=200) == expected


class Counted:
    """A store in which a round was decided each minute, and that keeps what was counted of it."""

    def __init__(self) -> None:
        self.days: list[float] = []

    def query(
        self, sql: str, parameters: Mapping[str, Parameter] = MappingProxyType({})
    ) -> list[tuple[Any, ...]]:
        assert sql.startswith("SELECT count()")
        since, until, most = (parameters[name] for name in ("since", "until", "most"))
        assert isinstance(since, dt.datetime)
        assert isinstance(until, dt.datetime)
        assert isinstance(most, int)
        self.days.append((until - since) / dt.timedelta(days=1))
        return [(min(most, round((until - since) / dt.timedelta(minutes=1))),)]


@pytest.mark.parametrize(
    ("most", "looked_through"),
    [(1_000, [1.0]), (5_000, [6.0]), (50_000, [41.0]), (100_000, [41.0])],
)
def test_an_end_of_the_span_that_has_too_few_by_what_is_shown_is_not_counted_by_itself(
    rows: list[Row], most: int, looked_through: list[float]
) -> None:
    shown = [
        replace(one, decided_at=T0 - dt.timedelta(minutes=n)) for n, one in enumerate(standing(rows)[:51])
    ]
    wanted = replace(SPAN, played=Played(total=20))
    store, unknowing = Counted(), Counted()
    assert (
        how_many(store, wanted, most, shown) == how_many(unknowing, wanted, most) == min(most, 41 * 24 * 60)
    )
    assert store.days == looked_through
    assert unknowing.days == [days for days in (1.0, 6.0, 41.0) if days <= looked_through[0]]
    alone = Counted()
    assert how_many(alone, wanted, most, shown[:1]) == how_many(unknowing, wanted, most)
