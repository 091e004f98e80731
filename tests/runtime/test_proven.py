"""A store held against the ledger from where it was proven last: what is older is asked for as digests."""

from __future__ import annotations

import asyncio
import datetime as dt
from collections.abc import AsyncIterator, Iterator, Sequence

import msgspec
import pytest

from processors.runtime.brokers.records import LedgerRecord, Taken
from processors.runtime.reconcile.property_ledger import Ends, PropertyComparison, ReconcileWanted
from processors.runtime.reconcile.proven import ProvenStore, decode, encode
from processors.runtime.reconcile.reconciler import Reconciled
from processors.runtime.store.chdb_warehouse import ChdbWarehouse
from processors.runtime.store.shapes import COMPARED, SHAPES
from processors.runtime.store.warehouse import Warehouse
from schemas.topics import DEADLETTER, EVENTS, Topic
from schemas.warehouse import RELATIONS
from tests.runtime.tables import lively
from tests.runtime.test_reconcile import as_record, topics_of
from tests.runtime.test_sink import run
from tests.runtime.topics import FakeGroup

HOME = "a-house"
FAR = 10**9


class Held:
    """Topics in memory; a moment is the offset of the ledger before which records have settled."""

    def __init__(self, records: Sequence[Taken]) -> None:
        topics = (EVENTS, DEADLETTER)
        self.of = {
            topic.name: [as_record(one) for one in records if one.place[0] == topic.name] for topic in topics
        }
        order = [one.place[0] for one in records]
        # How many dead letters the records before each of the ledger's have led to.
        self._letters = [
            order[:at].count(DEADLETTER.name) for at, name in enumerate(order) if name == EVENTS.name
        ]

    def ends(self, most: int = FAR) -> Ends:
        """Where the topics end if the ledger ends before this offset."""
        return {
            (EVENTS.name, 0): min(most, len(self.of[EVENTS.name])),
            (DEADLETTER.name, 0): self._letters_before(most),
        }

    async def records(
        self, partition: int, start: int, until: int, topic: Topic
    ) -> AsyncIterator[list[LedgerRecord]]:
        for at in range(start, until, 50):
            yield self.of[topic.name][at : min(at + 50, until)]

    async def since(self, partition: int, moment: dt.datetime, topic: Topic) -> int:
        at = int(moment.timestamp())
        return at if topic is EVENTS else self._letters_before(at)

    def _letters_before(self, offset: int) -> int:
        return self._letters[offset] if offset < len(self._letters) else len(self.of[DEADLETTER.name])


def hold(
    topics: Held,
    store: Warehouse,
    settled: int,
    proven: ProvenStore | None = None,
    *,
    owed: int = FAR,
    kept_since: dt.datetime | None = None,
) -> tuple[Reconciled, ProvenStore | None]:
    """Compare; what was proven before is read from its bytes."""
    ends = topics.ends(owed)
    if proven is not None:
        proven = decode(encode(proven))
        assert proven is not None
        assert proven.fits(HOME, ends, people=False)
    asked = ReconcileWanted(
        counted=False,
        kept_since=kept_since,
        home=HOME,
        settled=dt.datetime.fromtimestamp(settled, dt.UTC),
        proven=proven,
    )

    async def all_ends() -> Ends:
        return topics.ends()

    return asyncio.run(PropertyComparison(topics, all_ends, store, ends, asked).run())


@pytest.fixture(scope="module")
def topics() -> Held:
    return Held(topics_of(lively(110)))


@pytest.fixture(scope="module")
def store(topics: Held, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Warehouse]:
    made = ChdbWarehouse(tmp_path_factory.mktemp("store") / "warehouse")
    made.migrate()
    run(FakeGroup(topics_of(lively(110))), made)
    yield made
    made.close()


def length(topics: Held) -> int:
    return len(topics.of[EVENTS.name])


def test_a_comparison_goes_on_wherever_the_last_one_has_proven_and_finds_the_same(
    topics: Held, store: Warehouse
) -> None:
    whole, _ = hold(topics, store, 0)
    assert (whole.stretches, whole.rows["dead_letters"] > 3) == ([], True)
    last: ProvenStore | None = None
    for settled in (*range(7, length(topics), 47), length(topics)):
        for known in (last, None):
            found, proves = hold(topics, store, settled, known, owed=min(settled + 40, length(topics)))
            assert (settled, found.stretches) == (settled, [])
            assert proves is not None
            assert proves.read[EVENTS.name, 0] == settled
        last = proves
    found, proves = hold(topics, store, 0, last)
    assert (found.rows, found.subjects) == (whole.rows, whole.subjects)
    assert proves is not None
    assert proves.read[EVENTS.name, 0] == length(topics), "what was proven stays proven"


TEXTS = ("line", "record", "reason", "result", "kind", "observed", "type", "status")
MADE_UP: dict[str, dict[str, object]] = {
    "patrons": {"patron": "P-999"},
    "hands": {"hand": "6.4"},
    "stakes": {"ordinal": 99},
    "takings": {"kind": "lammer"},
    "racks": {"round": 99},
    "findings": {"finding_id": "f" * 64},
    "dead_letters": {"number": 99},
    "rounds": {"round": 99},
}


@pytest.mark.parametrize("name", COMPARED)
def test_an_older_row_that_was_altered_taken_out_or_made_up_is_noticed(
    topics: Held, store: Warehouse, name: str
) -> None:
    relation, key = RELATIONS[name], RELATIONS[name].of(*RELATIONS[name].key)
    _, proves = hold(topics, store, length(topics) - 30)
    rows = sorted(store.query(f"SELECT * FROM {name} FINAL WHERE subject != ''"), key=SHAPES[name].anchor)
    row = rows[0]
    said = dict(zip(relation.column_names, row, strict=True))
    text = next(one for one in TEXTS if one in said)
    forgeries = {
        "altered": said | {text: ("As",) if text == "observed" else "other"},
        "of a fold to come": said | {"fold_version": 4_000_000_000},
        "made up": said | MADE_UP.get(name, {}),
        "taken out": None,
    }
    for what, forged in forgeries.items():
        put = [relation.row(**forged)] if forged is not None and forged != said else []
        if what == "made up":
            if not put:
                continue  # there is an event at each place
        else:
            store.remove(relation, [key(row)])
        store.insert(relation, put)
        try:
            assert hold(topics, store, 0, proves)[0].stretches, what
        finally:
            store.remove(relation, [key(row), *map(key, put)])
            store.insert(relation, [row])
    assert hold(topics, store, 0, proves)[0].stretches == [], "all is as it was"


def test_rows_given_up_by_age_say_nothing(topics: Held, store: Warehouse) -> None:
    _, proves = hold(topics, store, length(topics) - 30)
    key = RELATIONS["events"].of(*RELATIONS["events"].key)
    rows = sorted(store.query("SELECT * FROM events FINAL"), key=SHAPES["events"].anchor)
    store.remove(RELATIONS["events"], [key(rows[0])])
    late = dt.datetime(2999, 1, 1, tzinfo=dt.UTC)
    try:
        assert hold(topics, store, 0, proves)[0].stretches
        assert hold(topics, store, 0, proves, kept_since=late)[0].stretches == []
    finally:
        store.insert(RELATIONS["events"], rows[:1])


def test_what_was_proven_of_another_house_fold_or_ledger_is_not_taken(topics: Held, store: Warehouse) -> None:
    _, proves = hold(topics, store, 60)
    assert proves is not None
    ends = topics.ends()
    assert proves.fits(HOME, ends, people=False)
    assert not proves.fits("another", ends, people=False)
    assert not proves.fits(HOME, ends, people=True)
    assert not proves.fits(HOME, topics.ends(30), people=False)
    assert not proves.fits(HOME, {**ends, (EVENTS.name, 1): 5}, people=False)
    assert not msgspec.structs.replace(proves, fold_version=1).fits(HOME, ends, people=False)
    assert decode(b"\x81") is None
