"""Scenarios of blackjack tables: exactly one thing is wrong, and the chain tells nothing of it."""

from __future__ import annotations

import copy
import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import schemas
from producers.simulator.floor.setup import BLACKJACK, usual_setup
from producers.simulator.scenarios.blackjack import SCENARIOS, IrregularScenario, WrongScenario
from producers.simulator.session import Session, simulate_table
from schemas.values import Ruleset
from tests.sampling import one_in
from tests.simulator.blackjack_reader import owed, read
from tests.simulator.streams import contract_faults, events, named, rounds_of

ROUNDS = 14
WRONGS = {name: scenario for name, scenario in SCENARIOS.items() if isinstance(scenario, WrongScenario)}
CASES = [(name, ruleset) for name, scenario in WRONGS.items() for ruleset in scenario.rulesets]
EACH = pytest.mark.parametrize(("name", "ruleset"), one_in(2, CASES))
CHAPTERS = {"free_bet_590": "590", "free_bet_672a": "672a", "down_under_685a": "685a"}
INTEGRITY = {"chain", "gap", "order", "seal", "witness", "shoe", "schema", "clock", "signature"}


def played(
    name: str, ruleset: Ruleset, *, whole: bool = True, **house: Any
) -> tuple[WrongScenario, list[bytes]]:
    """A session of the scenario, or its part up to the wrong: the scenario's own copy, and the lines."""
    scenario = copy.deepcopy(WRONGS[name])
    session = Session(scenario.prepare(usual_setup(ruleset, "T-1", **house)), seed=3)

    def lines() -> Iterator[bytes]:
        scenario.begin(session)
        for _ in range(ROUNDS):
            session.play(scenario.irregularity(session))
            scenario.after_round(session)
            yield from session.writer.take()
            if scenario.happened and not whole:
                break
        session.close()
        yield from session.writer.take()

    return scenario, list(scenario.transform(lines()))


@EACH
def test_the_wrong_happens_once_and_the_record_keeps_the_contract(name: str, ruleset: Ruleset) -> None:
    scenario, lines = played(name, ruleset, whole=False)
    assert scenario.happened
    assert list(contract_faults(lines)) == []


@pytest.mark.parametrize("name", one_in(3, WRONGS))
def test_the_wrong_happens_at_a_house_that_chose_otherwise(name: str) -> None:
    ruleset = WRONGS[name].rulesets[-1]
    scenario, lines = played(
        name,
        ruleset,
        whole=False,
        chip_cents=500,
        min_cents=1000,
        decks=8,
        settle_order="seat_by_seat",
        pickup_order="losers_first",
        dealer_cards="first",
        bust_collection="at_settlement",
        boxes_per_player=1,
    )
    assert scenario.happened
    assert list(contract_faults(lines)) == []


def test_there_are_scenarios_enough_of_every_kind() -> None:
    assert len(WRONGS) >= 40
    for ruleset in BLACKJACK:
        assert sum(ruleset in scenario.rulesets for scenario in WRONGS.values()) >= 40


def test_every_scenario_names_provisions_that_exist() -> None:
    register = Path(schemas.__file__).parent / "provisions.csv"
    with register.open(encoding="utf-8", newline="") as file:
        known = {row["provision_id"] for row in csv.DictReader(file)}
    for name, scenario in WRONGS.items():
        assert scenario.breaks, name
        for cited in scenario.breaks:
            chapter, rest = cited.split(".", 1)
            assert cited in known or (chapter == "integrity" and rest in INTEGRITY), f"{name}: {cited}"
        for ruleset in scenario.rulesets:
            assert any(c.startswith((f"{CHAPTERS[ruleset]}.", "integrity.")) for c in scenario.breaks), name


def test_every_scenario_says_in_a_sentence_what_is_wrong() -> None:
    for name, scenario in SCENARIOS.items():
        assert scenario.name == name
        assert scenario.summary[0].isupper(), name


def test_the_session_is_lawful_up_to_the_wrong_and_after_it() -> None:
    for name in ("overpay", "push_collected", "lammer_unpaid", "insurance_paid_3_to_1"):
        _, lines = played(name, "free_bet_672a")
        stream = events(lines)
        wrong = [
            number
            for number, found in enumerate(rounds_of(stream))
            if (seen := read("free_bet_672a", stream[0].data, found)).moved != owed(seen)
        ]
        assert len(wrong) == 1, name


def test_overpaid_and_underpaid_hands_are_off_by_the_same_chips() -> None:
    for name, sign in (("overpay", 1), ("underpay", -1)):
        _, lines = played(name, "down_under_685a")
        stream = events(lines)
        off = []
        for found in rounds_of(stream):
            seen = read("down_under_685a", stream[0].data, found)
            due = owed(seen)
            off += [(cents - due[key]) / due[key] for key, cents in seen.moved.items() if cents != due[key]]
        assert off == [sign * 0.1]


def test_a_dropped_event_leaves_no_gap_in_the_chain() -> None:
    _, lines = played("no_burn", "free_bet_672a")
    stream = events(lines)
    assert [event.sequence for event in stream] == list(range(1, len(stream) + 1))
    assert len(named(stream, "card_burned")) == len(named(stream, "shoe_loaded")) - 1


def test_without_a_burn_the_first_card_of_the_load_is_dealt() -> None:
    _, lines = played("no_burn", "free_bet_672a")
    drawn = burned = 0
    sizes = []
    for event in events(lines):
        if event.name == "shoe_loaded":
            drawn = burned = 0
        drawn += event.name == "card_drawn"
        burned += event.name == "card_burned"
        if event.name == "shoe_emptied":
            sizes.append(drawn + burned + len(event["cards"]))
    assert set(sizes) == {312}


def test_a_tampered_shoe_gives_up_a_card_too_many_or_too_few() -> None:
    for name, off in (("card_added", 1), ("card_missing", -1)):
        _, lines = played(name, "free_bet_672a")
        drawn = 0
        sizes = []
        for event in events(lines):
            drawn = (
                0 if event.name == "shoe_loaded" else drawn + (event.name in ("card_drawn", "card_burned"))
            )
            if event.name == "shoe_emptied":
                sizes.append(drawn + len(event["cards"]) - 312)
        assert off in sizes
        assert set(sizes) <= {0, off}


def test_a_scenario_is_played_through_the_session_as_any_other() -> None:
    lines = list(simulate_table(usual_setup("free_bet_672a", "T-1"), ROUNDS, 3, WRONGS["shallow_cut"]))
    assert list(contract_faults(lines)) == []
    cuts = [
        min(event["cards_on_top"], event["stack"] - event["cards_on_top"])
        for event in named(events(lines), "cut_made")
    ]
    assert sum(cut < 10 for cut in cuts) == 1


def test_an_irregular_session_meets_the_irregularity_once() -> None:
    found = SCENARIOS["irregular_hand_without_cards"]
    assert isinstance(found, IrregularScenario)
    stream = events(simulate_table(usual_setup("free_bet_590", "T-1"), ROUNDS, 3, found))
    assert len(named(stream, "hand_voided")) == 1
