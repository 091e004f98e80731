"""Each family fires where its pattern is, names whom it is about, and is silent where things only look like it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from processors.detectors.families import inventory_drift
from processors.detectors.shapes import Alarm
from processors.detectors.suspicion import rounded
from processors.pipeline import TablePipeline
from producers.simulator.floor.setup import RULESETS
from schemas.findings import Finding
from schemas.values import Ruleset
from tests.detectors.worlds import (
    STEADY,
    Change,
    booked_late,
    called_void,
    changed,
    dropped,
    mispaid,
    misread,
    named,
    short,
    silent,
    skewed,
    slowed,
    suspected,
    table,
)
from tests.pipeline.simulated import PutRight, lines_of_table
from tests.sampling import one_in

LONG = 450
mark = pytest.mark


PATTERNS: dict[str, tuple[int, Change, str]] = {
    "overpaid": (150, mispaid(0.05, 1, way="patrons"), "dealer_mispay.for_patrons D-011"),
    "overpaid where much is staked": (
        60,
        mispaid(0.05, 1, way="patrons", least=5000),
        "dealer_mispay.for_patrons D-011",
    ),
    "underpaid": (300, mispaid(0.1, 1, way="house"), "dealer_mispay.for_house D-011"),
    "uncollected": (200, mispaid(0.1, 1, way="uncollected"), "dealer_mispay.for_patrons D-011"),
    "careless": (300, mispaid(0.1, 1, way="both"), "dealer_mispay.careless D-011"),
    "overpaid now and then": (LONG, mispaid(0.02, 3, way="patrons"), "dealer_mispay.for_patrons D-011"),
    "lost rounds called void": (150, called_void(1.0, 1, side="patrons"), "called_void.for_patrons D-011"),
    "every second lost round called void": (
        300,
        called_void(0.5, 1, side="patrons"),
        "called_void.for_patrons D-011",
    ),
    "won rounds called void": (140, called_void(1.0, 1, side="house"), "called_void.for_house D-011"),
    "every second won round called void": (
        300,
        called_void(0.5, 1, side="house"),
        "called_void.for_house D-011",
    ),
    "slows": (240, slowed(1.5, nth=1), "pace.slower D-012"),
    "hurries": (240, slowed(0.6, nth=1), "pace.faster D-012"),
    "short at every count": (LONG, short(7500, 4), "inventory_drift.loss S-1"),
    "short at every second count": (LONG, short(7500, 3, every=2), "inventory_drift.loss S-1"),
    "short at every third count": (LONG, short(7500, 3, every=3), "inventory_drift.loss S-1"),
    "over at every count": (LONG, short(-7500, 4), "inventory_drift.gain S-1"),
    "short once by much": (LONG, short(50_000, 4, every=1000), "inventory_drift.loss S-1"),
    "over once by much": (LONG, short(-50_000, 4, every=1000), "inventory_drift.gain S-1"),
    "draws lost": (160, dropped("card_drawn", 0.04, 1, 80), "sensor_health.gaps S-1"),
    "placements lost": (160, dropped("card_placed", 0.04, 1, 80), "sensor_health.gaps S-1"),
    "racked hands lost": (120, dropped("cards_racked", 0.04, 1, 80), "sensor_health.gaps S-1"),
    "readings lost": (160, dropped("hole_card_read", 0.3, 1, 60), "sensor_health.gaps S-1"),
    "faces not read": (160, misread(0.04, 1, 80), "sensor_health.unreadable S-1"),
    "a clock ahead": (120, skewed("layout", 3.0, 80), "sensor_health.skew S-1"),
    "a clock behind": (120, skewed("shoe", -3.0, 80), "sensor_health.skew S-1"),
    "the reader's clock ahead": (160, skewed("reader", 3.0, 60), "sensor_health.skew S-1"),
    "the layout silent for good": (160, silent("layout", lambda n: n >= 80), "sensor_health.silence S-1"),
    "the shoe silent again and again": (
        200,
        silent("shoe", lambda n: n >= 80 and n % 12 < 2),
        "sensor_health.silence S-1",
    ),
    "the rack silent again and again": (
        200,
        silent("cards_racked", lambda n: n >= 80 and n % 12 < 2),
        "sensor_health.silence S-1",
    ),
}
LOOK_ALIKES: dict[str, tuple[int, Change]] = {
    "honest errors of all dealers": (300, mispaid(0.001, 2, way="both", nth=-1)),
    "one large error": (300, mispaid(0.001, 1, way="patrons", least=20_000)),
    "rounds called void whoever lost": (300, called_void(0.6, 1, side="any")),
    "rounds called void by all dealers": (300, called_void(0.3, 2, side="any", nth=-1)),
    "a little slower": (300, slowed(1.1, nth=1)),
    "the whole table slower": (300, slowed(1.5, nth=-1)),
    "one great miscount": (LONG, short(500_000, 4, every=1000, back=True)),
    "one small loss": (LONG, short(7500, 4, every=1000)),
    "off and right again": (LONG, short(10_000, 4, every=4, back=True)),
    "fills booked late": (LONG, booked_late("fill_received", 1)),
    "few draws lost": (300, dropped("card_drawn", 0.003, 1)),
    "few faces not read": (300, misread(0.003, 1)),
    "the layout silent for a dozen rounds": (160, silent("layout", lambda n: 80 <= n < 92)),
    "the shoe silent twice": (200, silent("shoe", lambda n: n in (90, 91, 150))),
    "a clock a fifth of a second off": (300, skewed("shoe", -0.2)),
}


# One for each check that a family has, and what looks like each family's pattern once; the others are in `make soak`.
QUICK = ("overpaid", "lost rounds called void", "slows", "short at every count", "draws lost", "faces not read",
         "a clock ahead", "the whole table slower", "off and right again")  # fmt: skip
THOROUGH = ("overpaid where much is staked", "underpaid", "careless", "hurries",
            "rounds called void whoever lost", "over at every count", "short at every third count",
            "short once by much", "one great miscount",
            "the layout silent for good", "honest errors of all dealers", "few draws lost",
            "the layout silent for a dozen rounds", "a clock a fifth of a second off")  # fmt: skip


def _cases(names: Iterable[str]) -> list[Any]:
    return [
        one if one in QUICK else pytest.param(one, marks=mark.thorough if one in THOROUGH else mark.soak)
        for one in names
    ]


def test_evidence_of_a_drift_rests_on_the_counts_that_were_weighed() -> None:
    lines = changed(table(1, 150), short(7500, 4))
    pipeline = TablePipeline("S-1", proofs=False)
    for line in lines:
        pipeline.advance(line)
    assert sum(b".inventory_counted" in line for line in lines) == 6
    stands = [] if pipeline.detectors is None else pipeline.detectors.standings("S-1")
    rests = {one.check: one.rounds for one in stands if one.check.startswith("pattern.inventory_drift")}
    assert rests == {f"pattern.inventory_drift.{way}": 4 for way in ("loss", "gain")}, (
        "the first two say what there is"
    )


@pytest.mark.parametrize("name", _cases(PATTERNS))
def test_a_pattern_is_found_and_named_and_nobody_else_is(name: str) -> None:
    rounds, change, wanted = PATTERNS[name]
    found = suspected(changed(table(1, rounds), change))
    families = {one.check.split(".")[1] for one in found}
    assert wanted in list(named(found))
    assert families == {wanted.partition(".")[0]}
    assert {tuple(one.about.values()) for one in found if isinstance(one.about, dict)} == {
        (wanted.partition(" ")[2],)
    }
    for one in found:
        _assert_contract(one)


def _assert_contract(finding: Finding) -> None:
    """What INTERFACE says of a finding of a detector, and that nothing of its message was lost."""
    assert finding.verdict == "suspected"
    assert finding.cites == ()
    assert isinstance(finding.e_value, float)
    assert finding.e_value >= 1 / 1e-4
    assert finding.e_value == rounded(finding.e_value)
    bound = finding.bound
    assert isinstance(bound, dict)
    assert (bound["false_alarm"], bound["per"]) == (1e-4, "stream")
    assert bound["null"]
    assert finding.round is not None
    assert finding.sequence in finding.sequences
    assert finding.sequences == tuple(sorted(set(finding.sequences)))
    assert finding.expected
    assert finding.observed
    assert finding.message.endswith(".")
    assert "  " not in finding.message


@pytest.mark.parametrize("name", _cases(LOOK_ALIKES))
def test_what_only_looks_like_a_pattern_raises_nothing(name: str) -> None:
    rounds, change = LOOK_ALIKES[name]
    assert list(named(suspected(changed(table(1, rounds), change)))) == []


@pytest.mark.parametrize(
    "ruleset", one_in(2, ["free_bet_590", "down_under_685a", "fortune_670a10", "manual_shoe_657a8"], 1)
)
def test_lawful_tables_of_other_rulesets_raise_nothing(ruleset: Ruleset) -> None:
    assert suspected(table(4, 60, ruleset)) == []


def test_the_message_of_a_suspicion_says_who_did_what_and_what_chance_allows() -> None:
    found = [
        *suspected(changed(table(1, LONG), short(7500, 4))),
        *suspected(changed(table(1, 210), slowed(1.5, nth=1))),
        *suspected(changed(table(1, 60), mispaid(0.05, 1, way="patrons"))),
        *suspected(changed(table(1, 60), dropped("card_drawn", 0.06, 1))),
    ]
    assert [one.message for one in found] == [
        "The tray is $225.00 short of the record, and has not been right since round 110: a count that is off by "
        "chance is hardly ever off by more than $100, and right again the next time.",
        "Dealer D-012 is slower than the table by 49 % (1.77 seconds an act, the table 1.19), over more rounds than "
        "chance allows.",
        "Of 28 hands that dealer D-011 settled, 4 were paid too much, or not collected ($130.00 to patrons); "
        "at 1 in 1,000, chance allows 0.028.",
        "6 of 42 cards drawn were missing from the shoe's report, lately far more than 1 in 200 (chance allows 0.2 in "
        "all): a device of the table needs attention.",
    ]
    assert [one.money_cents for one in found] == [0] * 4, "what a wrong payment cost, the breach says"
    counts = sorted(found[0].observed["rounds"], key=lambda one: one["event"])
    assert [(one["round"], one["off_cents"]) for one in counts] == [
        (110, -7500),
        (147, -15000),
        (184, -22500),
    ]
    assert tuple(one["event"] for one in counts) == found[0].sequences, "right counts are not named"
    assert found[2].observed["for_patrons_cents"] == 13_000
    assert [one["round"] for one in found[3].observed["rounds"]] == [2, 4, 1, 3]


def test_a_tray_that_was_never_right_says_so_without_a_round_that_was_none() -> None:
    tray = inventory_drift.State(expected=0, settled=True)
    alarms: list[Alarm] = []
    for number in range(12):
        off = -700 * (number + 1)
        alarms += inventory_drift._weigh(tray, off, ("T", number, 10 + number))
        inventory_drift.note(tray, off)
    told = alarms[0]
    assert "has not been right since before the first round: " in told.message
    first = min(told.observed["rounds"], key=lambda one: one["event"])
    assert first.pop("factor") > 1
    assert first == {"table": "T", "round": 0, "event": 10, "off_cents": -700}


@pytest.mark.thorough
@pytest.mark.parametrize("ruleset", one_in(3, RULESETS))
@pytest.mark.parametrize("put_right", [False, True])
def test_every_count_of_a_lawful_tray_is_what_the_record_makes_it(ruleset: Ruleset, put_right: bool) -> None:
    """Also where wagers go back, are reversed, or chips of a system enter the tray."""
    scenario = PutRight() if put_right else None
    pipeline = TablePipeline("S-21", proofs=False)
    seen, off = [0], {0}
    for line in lines_of_table(ruleset, 21, 150, scenario, habits=STEADY):
        pipeline.advance(line)
        assert pipeline.detectors is not None
        tray = pipeline.detectors._places["inventory_drift"].state
        seen.append(tray.seen)
        off.add(tray.off)
    assert max(seen) > 4
    assert off == {0}
