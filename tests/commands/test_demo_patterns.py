"""What the demonstration suspects of people: the dealer who overpays a patron, on the first day, and nobody else."""

from __future__ import annotations

import datetime as dt

from deploy.demo.tables import FAVOURED, HISTORY, Begun, played
from processors.detectors.shapes import Observation
from processors.pipeline import TablePipeline
from schemas.findings import Finding
from tests.detectors.worlds import weighed

DAY = dt.date(2026, 3, 3)


def suspected(begun: Begun, number: int, rounds: int) -> list[Finding]:
    """Suspicions about people from the first live rounds of one table."""
    table = next(one for one in played(begun) if one.setup.number == number)
    pipeline, over = TablePipeline(table.setup.subject, proofs=False), 0
    observations: list[Observation] = []
    for line in table.lines:
        outcome = pipeline.advance(line)
        observations += outcome.observations
        day = pipeline.state.gaming_day
        over += len(outcome.rounds) if day is not None and day >= table.live_from else 0
        if over >= rounds:
            break
    return weighed(observations)


def test_a_dealer_who_favours_a_patron_is_suspected_on_the_first_live_day() -> None:
    found = suspected(Begun(1, 6, DAY, HISTORY), FAVOURED, 60)
    assert [one.check for one in found] == ["pattern.dealer_mispay.for_patrons"]
    (suspicion,) = found
    assert isinstance(suspicion.about, dict)
    assert suspicion.about.keys() == {"dealer"}
    assert len(suspicion.observed["evidence"]) > 1


def test_nobody_is_suspected_at_a_table_where_only_single_things_go_wrong() -> None:
    assert suspected(Begun(1, 6, DAY), 1, 100) == []
