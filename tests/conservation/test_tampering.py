"""A card taken, added or exchanged at any time is named, once, with a bracket that holds the round it happened in."""

from __future__ import annotations

import hashlib
import json
import random
from typing import Any

import pytest

from producers.simulator.floor.setup import TableSetup
from schemas.findings import Finding
from schemas.values import Ruleset
from tests.conservation.tables import Heard, add, close, exposed, play, sit_down, swap, take
from tests.pipeline.simulated import setup_of

SEEDS = [*range(3), *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(3, 12))]
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
    at_stake = exposed(finding)
    first, last = at_stake["rounds"]
    assert first <= truth, (at_stake, truth)
    assert last >= truth - 1, (at_stake, truth)
    assert at_stake["round_count"] <= last - first + 1
    patrons = at_stake["patrons"].values()
    assert at_stake["handle_cents"] == sum(patron["staked_cents"] for patron in patrons)
    assert at_stake["restitution_cents"] == -sum(min(0, patron["net_cents"]) for patron in patrons)


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


@pytest.mark.parametrize("ruleset", ["fortune_670a10", "manual_shoe_657a8"])
@pytest.mark.parametrize("seed", range(4))
def test_a_deck_that_lost_a_card_is_named_at_its_first_count_or_load_and_not_at_every_later_one(
    ruleset: Ruleset, seed: int
) -> None:
    heard = sit_down(setup_of(ruleset, seed), seed)
    play(heard, 5)
    heard.session.shoe.rack.pop()
    play(heard, 12)
    close(heard)
    [finding] = heard.breached
    assert [*finding.observed.values()] == [finding.expected["cards"] - 1]
    first, last = exposed(finding)["rounds"]
    assert first <= 5 <= last


def test_a_card_that_does_not_reach_the_rack_is_named_when_the_round_ends() -> None:
    heard = sit_down(setup_of("free_bet_672a", 2, shuffler="none"), 2)
    play(heard, 4)
    heard.session.play()
    head, lost = heard.pipeline.table.chain.head, ""
    found: list[Finding] = []
    for line in heard.session.writer.take():
        event = json.loads(line) | {"prevhash": head}
        racked = event["data"].get("cards", ())
        if not lost and event["type"].endswith("cards_racked") and len(racked) > 1:
            lost = racked.pop()
        changed = json.dumps(event, separators=(",", ":")).encode()
        head = hashlib.sha256(changed).hexdigest()
        found += heard.pipeline.advance(changed).findings
    [finding] = [one for one in found if one.check == "integrity.shoe"]
    assert lost in finding.observed["missing"]
    assert exposed(finding)["rounds"] == [5, 5]
    assert finding.because_of == next(one.finding_id for one in found if one.verdict == "breached")
