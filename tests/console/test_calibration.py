"""What all families promise together, and for a month; over which days, and who counts once."""

from __future__ import annotations

import datetime as dt

import msgspec
import pytest

from dashboards.patterns.calibration import Judged, Outcome, calibrated
from dashboards.reader.patterns import PlayedRow, SuspicionRow
from dashboards.suspicions.suspicions import suspicion_of
from deploy.console.paging import Paging
from processors.detectors.family import FAMILIES
from processors.detectors.paging import ONE_PAGE
from processors.detectors.shapes import About
from schemas.findings import Finding

DEALER: About = {"dealer": "D-11"}


def suspected(number: int, check: str, about: About) -> Finding:
    """A suspicion."""
    return Finding(
        finding_id=f"{number:032x}", check=check, cites=(), verdict="suspected", severity="major", subject="S-1",
        round=7, sequence=70, sequences=(70,), expected=None, observed=None, money_cents=0, message="said",
        about=about, e_value=2e4,
    )  # fmt: skip


def test_what_all_streams_promise_adds_up_and_stays_when_tables_do_not_play() -> None:
    """Three tables of two months; a dealer whom the first pays for may be suspected when it is long closed."""
    may, day = dt.datetime(2026, 5, 30, 23, 59, tzinfo=dt.UTC), dt.timedelta(days=1)
    times = [(0, 0), (5, 40), (9, 9)]
    played = [
        PlayedRow(f"S-{number}", may + first * day, may + last * day)
        for number, (first, last) in enumerate(times)
    ]
    families = Paging(ONE_PAGE, lambda: 3).families()

    def raised(number: int, outcome: Outcome, check: str, about: About) -> Judged:
        record = suspected(number, f"pattern.{check}", about)
        row = SuspicionRow(record.finding_id, may, msgspec.json.encode(record).decode())
        return Judged(suspicion_of(row, families), dt.date(2026, 7, 1), outcome)

    found = [
        raised(1, "dismissed", "dealer_mispay.for_patrons", DEALER),
        raised(2, "dismissed", "dealer_mispay.careless", DEALER),
        raised(3, "confirmed", "dealer_mispay.careless", {"dealer": "D-9"}),
        raised(4, "dismissed", "unheard_of.odd", DEALER),
        raised(5, "dismissed", "shuffle_quality.short", {"table": "S-1", "shoe": 4}),
        raised(6, "dismissed", "shuffle_quality.short", {"table": "S-1", "shoe": 5}),
    ]
    for month, tables in ((4, 0), (5, 1), (6, 3), (7, 3), (8, 3)):
        made = calibrated(found, families, played, dt.date(2026, month, 1))
        assert (made.tables, made.streams) == (tables, tables * len(FAMILIES))
        assert made.total.promised == pytest.approx(made.streams / 1e4)
        assert made.total.promised == pytest.approx(sum(one.promised or 0.0 for one in made.lines[:-1]))
        assert made.total.raised == (6 if month == 7 else 0)
    ever = calibrated(found, families, played, None)
    assert ever.days == 41
    assert ever.patience == pytest.approx(41 / 0.0048)
    [line] = [one for one in ever.lines if one.family == "dealer_mispay"]
    assert (line.raised, line.dismissed, line.cleared) == (3, 2, 1), "one dealer, by two variants"
    assert line.chance == pytest.approx(0.0003)
    [shoes] = [one for one in ever.lines if one.family == "shuffle_quality"]
    assert (shoes.dismissed, shoes.cleared) == (2, 1), "two shoes of a table"
    assert ever.total.cleared == 2, "of a family that this release does not know nothing is promised"
    [odd] = [one for one in ever.lines if one.family == "unheard_of"]
    assert (odd.dismissed, odd.promised, odd.chance) == (1, None, None)
    nobody = calibrated([], families, [], None)
    assert (nobody.streams, nobody.days, nobody.patience, nobody.total.chance) == (0, 0, None, None)
