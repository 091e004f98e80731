"""What two versions of the fold make of one ledger, compared: what lasts is told, and what is a moment's is not."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import pytest

from processors.runtime.brokers.records import Taken
from processors.runtime.versions.comparison import STRETCH, Comparison, Count, compared, reading
from schemas.topics import FINDINGS, ROUNDS
from tests.embedded.ledgers import new_store
from tests.runtime.test_sink import run
from tests.runtime.topics import FakeGroup, folded_topics, ledger_of
from tests.warehouse.memory_warehouse import MemoryWarehouse

Change = Callable[[dict[str, Any]], dict[str, Any] | None]


@pytest.fixture(scope="module")
def records() -> list[Taken]:
    made = folded_topics(ledger_of(("breach_surrender_after_hit", "breach_overpay"), 400))
    return [one for one in made if one.place[0] in (ROUNDS.name, FINDINGS.name)]


def store_of(records: Sequence[Taken], finding: Change = dict, round_: Change = dict) -> MemoryWarehouse:
    """A store of these results, each finding and round as the functions change it, or left out."""
    kept = []
    for one in records:
        told = msgspec.json.decode(one.value or b"")
        part, change = ("round", round_) if one.place[0] == ROUNDS.name else ("finding", finding)
        told[part] = change(told[part])
        if told[part] is not None:
            kept.append(one._replace(value=msgspec.json.encode(told)))
    store = new_store()
    functions: dict[str, tuple[int, Callable[..., Any]]] = {
        "toUInt64": (1, int),
        "intDiv": (2, lambda a, b: a // b),
        "reinterpretAsInt64": (1, int),
        "cityHash64": (-1, lambda *said: int.from_bytes(hashlib.sha256(repr(said).encode()).digest()[:5])),
    }
    for name, (arguments, function) in functions.items():
        store._store.create_function(name, arguments, function)
    run(FakeGroup(kept), store)
    return store


def compare(old: MemoryWarehouse, new: MemoryWarehouse) -> Comparison:
    found = reading(old, new)
    return compared((8, 9), found, found, {})


def test_the_same_results_are_the_same_row_by_row(records: list[Taken]) -> None:
    old = store_of(records)
    found = compare(old, store_of(records))
    [[rounds]] = old.query("SELECT count() FROM rounds FINAL")
    [[stakes]] = old.query("SELECT count() FROM stakes FINAL")
    assert not found.total.differs
    assert found.by_rule()["rounds", ""] == Count(same=rounds)
    assert found.by_rule()["settlements", ""] == Count(same=stakes)
    assert found.examples == {}


def test_what_differs_is_told_by_table_and_rule_with_examples(records: list[Taken]) -> None:
    checks = [
        msgspec.json.decode(r.value or b"")["finding"]["check"]
        for r in records
        if r.place[0] == FINDINGS.name
    ]
    assert {"action.decision", "rack.order", "settlement.stake"} <= set(checks)

    def otherwise(finding: dict[str, Any]) -> dict[str, Any] | None:
        match finding["check"]:
            case "rack.order":
                return None
            case "action.decision":
                return finding | {"finding_id": "f" * 32}
            case "settlement.stake":
                return finding | {"message": "In other words."}
        return finding

    def dearer(result: dict[str, Any]) -> dict[str, Any]:
        return result | {"net_cents": result["net_cents"] + (result["round"] == 2)}

    found = compare(store_of(records), store_of(records, otherwise, dearer))
    rules = found.by_rule()
    assert rules["findings", "rack.order"] == Count(gone=checks.count("rack.order"))
    assert rules["findings", "action.decision"] == Count(new=1, gone=1)
    assert rules["findings", "settlement.stake"] == Count(changed=checks.count("settlement.stake"))
    assert rules["rounds", ""].changed == 2
    assert not rules["settlements", ""].differs
    [gone, new] = sorted(found.examples["action.decision"])
    assert (gone.subject, gone.number) == (new.subject, new.number)
    tables = {subject for subject, kind in found.by_table() if kind == "rounds"}
    assert len(tables) == 2
    assert found.digest != compare(store_of(records), store_of(records)).digest


def test_what_one_version_only_has_for_the_moment_is_no_difference(records: list[Taken]) -> None:
    """At the first reading the old one is ahead; at the second the new one has all that, and is ahead itself."""
    some, more, whole = store_of(records[:-3]), store_of(records[:-1]), store_of(records)
    first, second = reading(more, some), reading(more, whole)
    assert set(first.differing.values()) == {"gone"}
    assert set(second.differing.values()) == {"new"}
    assert not compared((8, 9), first, second, {}).total.differs
    assert compared((8, 9), first, first, {}).total.gone == len(first.differing), "what stays is told"


@pytest.mark.parametrize("sequence", [1, STRETCH - 1, STRETCH, 3 * STRETCH + 5])
def test_a_row_far_into_a_table_s_record_is_found_in_its_own_stretch(
    records: list[Taken], sequence: int
) -> None:
    one = next(record for record in records if record.place[0] == FINDINGS.name)
    old, new = store_of([]), store_of([one], lambda finding: finding | {"sequence": sequence})
    [(place, what)] = reading(old, new).differing.items()
    assert (place.kind, place.key[0], what) == ("findings", sequence, "new")
    assert list(reading(new, old).differing.values()) == ["gone"]
