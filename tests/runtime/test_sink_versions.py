"""Results of two folds on the same topics: each row bears the number of the fold that made it, not of who stored it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest

from processors.runtime.brokers.records import Taken
from processors.runtime.sink.intake import NewerFold
from schemas.answers import FOLD_VERSION
from schemas.topics import DEADLETTER, EVENTS, FINDINGS, ROUNDS
from tests.embedded.ledgers import contents, new_store
from tests.runtime.test_sink import live, run
from tests.runtime.topics import FakeGroup, folded_topics, ledger_of

MADE = (ROUNDS.name, FINDINGS.name, DEADLETTER.name)
BY_A_FOLD = ("rounds", "hands", "stakes", "takings", "racks", "findings")


@pytest.fixture(scope="module")
def records() -> list[Taken]:
    return [
        one
        for one in folded_topics(ledger_of(("breach_surrender_after_hit",), 500))
        if one.place[0] in (*MADE, EVENTS.name)
    ]


def made_by(records: Sequence[Taken], fold: int | None, **changes: Any) -> list[Taken]:
    """The results as another fold, or one that does not say which it is, writes them; rounds differ by `changes`."""
    found = []
    for one in records:
        if one.place[0] in MADE:
            told = msgspec.json.decode(one.value or b"")
            del told["fold"]
            if fold is not None:
                told["fold"] = fold
            if one.place[0] == ROUNDS.name:
                told["round"] |= changes
            found.append(one._replace(value=msgspec.json.encode(told)))
        else:
            found.append(one)
    return found


def versions(store: Any) -> set[int]:
    return {
        version for name in BY_A_FOLD for (version,) in store.query(f"SELECT fold_version FROM {name} FINAL")
    }


def test_what_an_older_fold_made_keeps_its_number_and_gives_way_to_what_a_newer_one_makes(
    records: list[Taken],
) -> None:
    clean, store = new_store(), new_store()
    run(FakeGroup(records), clean)
    assert versions(clean) == {FOLD_VERSION}
    run(FakeGroup(made_by(records, FOLD_VERSION - 1, net_cents=7)), store)
    assert versions(store) == {FOLD_VERSION - 1}
    assert {cents for (cents,) in store.query("SELECT net_cents FROM rounds FINAL")} == {7}
    run(FakeGroup(records), store)
    assert contents(store) == contents(clean), "the newer fold's, and no finding that the store was altered"
    run(FakeGroup(made_by(records, FOLD_VERSION - 1, net_cents=8)), store)
    assert contents(store) == contents(clean), "what comes late from the older fold changes nothing"


def test_what_a_fold_made_that_does_not_say_which_it_is_gives_way_too(records: list[Taken]) -> None:
    clean, store = new_store(), new_store()
    run(FakeGroup(records), clean)
    run(FakeGroup(made_by(records, None, net_cents=7)), store)
    assert versions(store) == {0}
    run(FakeGroup(records), store)
    assert contents(store) == contents(clean)


@pytest.mark.parametrize("topic", [ROUNDS.name, FINDINGS.name])
def test_a_sink_takes_nothing_of_a_newer_fold_and_says_which_sinks_do(
    records: list[Taken], topic: str
) -> None:
    newer = made_by([one for one in records if one.place[0] == topic], FOLD_VERSION + 1)
    group, store = FakeGroup(newer), new_store()
    with pytest.raises(
        NewerFold, match=f"fold {FOLD_VERSION + 1} writes .* start the sinks of the newer release"
    ):
        asyncio.run(live(group, store))
    assert group.committed == {}
    assert not any(contents(store).values())
