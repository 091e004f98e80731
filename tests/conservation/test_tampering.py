"""A card taken, added or exchanged at any time is named, once, with a bracket that holds the round it happened in."""

from __future__ import annotations

import random
from typing import Any

import pytest

from producers.simulator.setup import TableSetup
from schemas.findings import Finding
from schemas.values import Ruleset
from tests.conservation.tables import Heard, add, close, play, sit_down, swap, take
from tests.pipeline.simulated import setup_of

SEEDS = range(12)
BEFORE = 12
AFTER = 45
KINDS: tuple[tuple[Ruleset, str], ...] = (
    ("free_bet_590", "none"),
    ("free_bet_590", "batch"),
    ("free_bet_672a", "none"),
    ("down_under_685a", "batch"),
    ("free_bet_672a", "continuous"),
    ("down_under_685a", "self_shuffling"),
)


def _table(ruleset: Ruleset, shuffler: str, seed: int) -> TableSetup:
    fixed: dict[str, Any] = {"shuffler": shuffler}
    if ruleset == "free_bet_590":
        fixed["decks"] = 2
    return setup_of(ruleset, seed, **fixed)


def _tampered(ruleset: Ruleset, shuffler: str, seed: int, how: Any) -> tuple[Heard, Any, int]:
    chance = random.Random(f"{ruleset} {shuffler} {seed}")
    heard = sit_down(_table(ruleset, shuffler, seed), seed)
    play(heard, chance.randint(1, BEFORE))
    cards = how(heard, chance)
    truth = heard.session.number + 1
    play(heard, AFTER)
    close(heard)
    return heard, cards, truth


def _assert_bracket(finding: Finding, heard: Heard, truth: int) -> None:
    exposed = finding.exposure
    first, last = exposed["rounds"]
    assert first <= truth, (exposed, truth)
    assert last >= truth - 1, (exposed, truth)
    assert exposed["round_count"] <= last - first + 1
    patrons = exposed["patrons"].values()
    assert exposed["handle_cents"] == sum(patron["staked_cents"] for patron in patrons)
    assert exposed["restitution_cents"] == -sum(min(0, patron["net_cents"]) for patron in patrons)


def _named(findings: list[Finding], card: str) -> list[Finding]:
    """Findings that name the card, alone or among those that it may be."""
    return [
        finding
        for finding in findings
        if finding.observed.get("card") == card or card in finding.observed.get("missing", ())
    ]


@pytest.mark.parametrize(("ruleset", "shuffler"), KINDS)
@pytest.mark.parametrize("seed", SEEDS)
def test_a_missing_card_is_named_once(ruleset: Ruleset, shuffler: str, seed: int) -> None:
    heard, card, truth = _tampered(ruleset, shuffler, seed, take)
    assert len(heard.breached) == 1, [finding.message for finding in heard.findings]
    assert _named(heard.findings, card), [finding.message for finding in heard.findings]
    _assert_bracket(heard.breached[0], heard, truth)


@pytest.mark.parametrize(("ruleset", "shuffler"), KINDS)
@pytest.mark.parametrize("seed", SEEDS)
def test_an_added_card_is_named_once(ruleset: Ruleset, shuffler: str, seed: int) -> None:
    heard, card, truth = _tampered(ruleset, shuffler, seed, add)
    assert len(heard.breached) == 1, [finding.message for finding in heard.findings]
    assert _named(heard.findings, card), [finding.message for finding in heard.findings]
    _assert_bracket(heard.breached[0], heard, truth)


@pytest.mark.parametrize(("ruleset", "shuffler"), KINDS)
@pytest.mark.parametrize("seed", SEEDS)
def test_an_exchanged_card_is_named_with_the_one_that_went(
    ruleset: Ruleset, shuffler: str, seed: int
) -> None:
    heard, (went, came), truth = _tampered(ruleset, shuffler, seed, swap)
    assert len(heard.breached) == 1, [finding.message for finding in heard.findings]
    assert _named(heard.findings, came), [finding.message for finding in heard.findings]
    assert _named(heard.findings, went), [finding.message for finding in heard.findings]
    _assert_bracket(heard.breached[0], heard, truth)
    assert all(finding.because_of == heard.breached[0].finding_id for finding in heard.findings[1:])
