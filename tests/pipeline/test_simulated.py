"""Dealer, auditor and a plain third reading, written apart from each other, agree on simulated tables."""

from __future__ import annotations

import json

import msgspec
import pytest

from processors.games.readings import READINGS
from producers.simulator.floor.setup import RULESETS
from producers.simulator.session import Scenario
from schemas.values import Ruleset
from tests.golden.agreement import assert_round
from tests.golden.facts import plain_rounds
from tests.pipeline.simulated import CHOICES, DECKS, STACK_CHOICES, PutRight, lines_of_table, setup_of
from tests.pipeline.streams import Run, run
from tests.sampling import one_in

TABLES = range(12)
ROUNDS = 14


def _played(
    ruleset: Ruleset, seed: int, rounds: int, scenario: Scenario | None = None
) -> tuple[list[bytes], Run]:
    lines = list(lines_of_table(ruleset, seed, rounds, scenario))
    return lines, run(f"S-{seed}", lines)


def _assert_lawful(ruleset: Ruleset, seed: int, rounds: int) -> None:
    lines, seen = _played(ruleset, seed, rounds)
    assert [(finding.check, finding.message) for finding in seen.findings] == [], seed
    assert len(seen.rounds) == rounds
    _assert_recomputed(lines, seen)


def _assert_put_right(ruleset: Ruleset, seed: int, rounds: int) -> None:
    lines, seen = _played(ruleset, seed, rounds, PutRight())
    breached = [finding for finding in seen.findings if finding.verdict == "breached"]
    assert [(finding.check, finding.round, finding.message) for finding in breached] == [], seed
    assert len(seen.rounds) == rounds
    _assert_recomputed(lines, seen)


def _assert_recomputed(lines: list[bytes], seen: Run) -> None:
    for plain, result in zip(plain_rounds(lines), seen.rounds, strict=True):
        assert_round(plain, json.loads(msgspec.json.encode(result)))


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("seed", one_in(4, TABLES))
def test_a_lawful_table_raises_no_finding_and_every_round_is_as_it_was_dealt(
    ruleset: Ruleset, seed: int
) -> None:
    _assert_lawful(ruleset, seed, ROUNDS)


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("seed", one_in(4, TABLES, 1))
def test_what_went_wrong_and_was_put_right_is_no_breach(ruleset: Ruleset, seed: int) -> None:
    _assert_put_right(ruleset, seed, ROUNDS)


@pytest.mark.parametrize(
    ("ruleset", "seed", "rounds"), [("free_bet_672a", 1043, 10), ("down_under_685a", 1061, 4)]
)
def test_a_card_drawn_in_error_that_nobody_read_may_be_dealt_to_the_hand_that_draws_next(
    ruleset: Ruleset, seed: int, rounds: int
) -> None:
    _, seen = _played(ruleset, seed, rounds, PutRight())
    assert [finding.message for finding in seen.findings if finding.verdict == "breached"] == []


@pytest.mark.parametrize("seed", one_in(6, TABLES))
def test_a_dealer_who_is_always_dealt_last_is_a_matter_of_reading(seed: int) -> None:
    readings = {"A29": READINGS["A29"].default}
    lines = list(lines_of_table("fortune_670a10", seed, ROUNDS, dealer_stop="last", readings=readings))
    seen = run(f"S-{seed}", lines)
    assert {(f.verdict, f.reading) for f in seen.findings} <= {("interpretation", "A29")}
    assert seen.findings
    _assert_recomputed(lines, seen)


@pytest.mark.soak
@pytest.mark.parametrize("ruleset", RULESETS)
def test_hundreds_of_tables_agree(ruleset: Ruleset) -> None:
    for seed in range(1000, 1150):
        _assert_lawful(ruleset, seed, 40)
        _assert_put_right(ruleset, seed, 40)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_tables_differ_in_everything_that_can_be_chosen(ruleset: Ruleset) -> None:
    setups = [setup_of(ruleset, seed) for seed in TABLES]
    for name, values in (CHOICES if ruleset in DECKS else STACK_CHOICES).items():
        assert len({getattr(setup, name) for setup in setups}) > len(values) // 2, name
    assert len({setup.decks for setup in setups}) == len(DECKS.get(ruleset, (1,)))
