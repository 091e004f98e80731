"""Whatever the contract allows, in whatever order: findings, never a crash."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import msgspec
import pytest

from processors.law.check import REGISTRY, Judgment, Moment
from processors.pipeline import TablePipeline
from schemas.payload import Payload
from tests.law.harness import broken_down
from tests.pipeline.soup import soup
from tests.pipeline.streams import lines_of, run
from tests.sampling import one_in


def _assert_told(seed: int) -> None:
    subject, lines = soup(seed)
    seen = run(subject, lines, detect=True)
    assert seen.dead == []
    table = seen.tables[subject]
    assert (table.table.chain.records, table.table.chain.broken) == (len(lines), False)
    assert broken_down(seen.findings) == []
    twice = [found for found, count in Counter(f.finding_id for f in seen.findings).items() if count > 1]
    assert [(f.check, f.sequence, f.message) for f in seen.findings if f.finding_id in twice] == []
    for outcome in (*seen.rounds, *seen.findings):
        assert msgspec.json.decode(msgspec.json.encode(outcome))
    state = table.snapshot()
    assert TablePipeline.restore(state).snapshot() == state


def test_a_check_that_breaks_down_is_told_and_the_audit_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = lines_of("breach_overpay")

    def breaks(moment: Moment, data: Payload) -> Iterator[Judgment]:
        raise ZeroDivisionError

    entry = next(entry for entry in REGISTRY.values() if entry.id == "settlement.stake")
    broken = msgspec.structs.replace(entry, function=breaks)
    monkeypatch.setitem(REGISTRY, "settlement.stake", broken)
    seen = run("FB-12", lines)
    told = [finding for finding in seen.findings if finding.check == "settlement.stake"]
    assert {(finding.verdict, "a defect of the check" in finding.message) for finding in told} == {
        ("indeterminate", True)
    }
    assert len(seen.rounds) == len(run("FB-12", lines_of("breach_overpay")).rounds) > 5


# The last ones: a stack racked as another, insurance of a seat whose cards nobody saw, another game within a round, a
# joker in the rack of a shoe, a hand of a stack game that is named as in Blackjack.
@pytest.mark.parametrize("seed", one_in(3, [*range(15), 1_003, 1_068, 1_895, 315, 359, 5_969]))
def test_a_stream_that_makes_no_sense_is_told_and_not_choked_on(seed: int) -> None:
    _assert_told(seed)


@pytest.mark.soak
@pytest.mark.parametrize("hundred", range(60))
def test_thousands_of_streams_that_make_no_sense(hundred: int) -> None:
    for seed in range(hundred * 100, (hundred + 1) * 100):
        _assert_told(seed)
