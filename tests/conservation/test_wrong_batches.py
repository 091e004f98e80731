"""A batch found wrong stays wrong until it is put right (A73); a count that contradicts it is said at once (A72)."""

from __future__ import annotations

import json
import random
from itertools import pairwise
from typing import Any

import pytest

from processors.pipeline import TablePipeline
from producers.simulator.session import Session, simulate_table
from schemas.findings import Finding
from schemas.rounds import RoundResult
from schemas.values import Ruleset
from tests.conservation.tables import Heard, add, exposed, swap, take
from tests.mutations.rechain import Event, altered, heard, kind, parse, rechained
from tests.pipeline.simulated import setup_of
from tests.sampling import one_in

CHECK = "integrity.shoe"
ROUNDS = 110
TABLES: list[tuple[Ruleset, str, Any]] = [
    ("free_bet_590", "none", swap),
    ("free_bet_672a", "none", take),
    ("down_under_685a", "batch", swap),
    ("free_bet_672a", "batch", add),
    ("down_under_685a", "none", add),
    ("free_bet_590", "batch", take),
]


def _dealt(
    ruleset: Ruleset, shuffler: str, how: Any
) -> tuple[list[Finding], list[RoundResult], dict[int, str]]:
    """Findings about cards, rounds, and the batch of each shoe, of a table whose cards were tampered with once."""
    fixed: dict[str, Any] = {"shuffler": shuffler, "open_hours": 12} | (
        {"decks": 2} if ruleset == "free_bet_590" else {}
    )
    setup = setup_of(ruleset, 5, **fixed)
    at = Heard(Session(setup, 5))
    pipeline = TablePipeline(setup.subject, proofs=False, detect=False)
    findings: list[Finding] = []
    rounds: list[RoundResult] = []
    batches: dict[int, str] = {}
    for number in range(ROUNDS):
        if number == 6:
            how(at, random.Random(5))
        at.session.play(None)
        for line in at.session.writer.take():
            outcome = pipeline.advance(line)
            findings += [one for one in outcome.findings if one.check == CHECK]
            rounds += outcome.rounds
            event = json.loads(line)
            if kind(event) == "shoe_loaded":
                batches[event["data"]["shoe"]] = event["data"]["batch"]
    return findings, rounds, batches


@pytest.mark.parametrize(("ruleset", "shuffler", "how"), one_in(2, TABLES))
def test_every_load_and_round_of_a_wrong_batch_says_so(ruleset: Ruleset, shuffler: str, how: Any) -> None:
    findings, rounds, batches = _dealt(ruleset, shuffler, how)
    [first] = [one for one in findings if one.verdict == "breached"]
    of_shoe = {one.shoe for one in rounds if one.first_sequence <= first.sequence}
    wrong = batches[max(of_shoe)]
    later = [shoe for shoe, batch in batches.items() if batch == wrong and shoe > max(of_shoe)]
    assert len(later) >= 2
    told = [one for one in findings if " is loaded though " in one.message]
    assert [one.verdict for one in told] == ["indeterminate"] * len(later)
    assert {one.because_of for one in told} == {first.finding_id}
    for before, after in pairwise([first, *told]):
        one, other = exposed(before), exposed(after)
        assert other["round_count"] >= one["round_count"]
        assert other["handle_cents"] >= one["handle_cents"]
        assert other["hands"] >= one["hands"]
    assert exposed(told[-1])["round_count"] > exposed(told[0])["round_count"]
    for result in rounds:
        says = bool(result.wrong_batch) and first.finding_id in result.findings
        if result.shoe in later:
            assert says, result.round
            assert str(result.wrong_batch).startswith(f"batch {wrong} is not whole: ")
        elif batches[result.shoe] != wrong or result.shoe < max(of_shoe):
            assert not result.wrong_batch, result.round


def _counting(ruleset: Ruleset, seed: int) -> list[Event]:
    setup = setup_of(ruleset, seed, shuffler="batch", shuffler_counts=True, open_hours=12)
    return parse(simulate_table(setup, 60, seed))


@pytest.mark.parametrize("ruleset", ["free_bet_672a", "down_under_685a", "manual_shoe_657a8"])
@pytest.mark.parametrize("off", one_in(2, [-1, 1, -16, -52]))
def test_a_count_that_contradicts_the_batch_is_said_before_a_card_is_dealt(
    ruleset: Ruleset, off: int
) -> None:
    events = _counting(ruleset, 3)
    counts = [
        at
        for at, event in enumerate(events)
        if kind(event) == "shuffle_completed" and "counted" in event["data"]
    ]
    at = counts[len(counts) // 2]
    data = events[at]["data"]
    lines = list(rechained(altered(events, at, counted=data["counted"] + off)))
    found = [one for one in heard(lines, proofs=False).findings if one.check == CHECK]
    assert found[0].sequence == at + 1
    batch, counted = data["batch"], data["counted"] + off
    assert (
        found[0].message
        == f"The shuffler counted {counted} cards in batch {batch}; it has {data['counted']}."
    )
    assert (found[0].observed, found[0].expected) == ({"counted": counted}, {"cards": data["counted"]})
    assert all(one.because_of == found[0].finding_id for one in found[1:])
    lawful = [one for one in heard(list(rechained(events)), proofs=False).findings if one.check == CHECK]
    assert lawful == []
