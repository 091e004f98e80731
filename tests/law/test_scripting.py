"""The language of the cases: what a step writes, and how a case that says something wrong is told so."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest

from processors.law.cases import BadCase, Case, CaseRun, read_cases, runs_of
from processors.law.check import REGISTRY
from schemas.events import CardPlaced, CutMade
from schemas.events.codec import decode
from tests.law.felt import Felt
from tests.law.harness import all_runs, complaints, listen
from tests.law.record import ScriptError
from tests.law.script import VERBS, play

README = re.sub(r"```.*?```", "", Path(__file__).with_name("README.md").read_text("utf-8"), flags=re.S)
TOLD = set(re.findall(r"[a-z_]+", " ".join(re.findall(r"`([^`]+)`", README))))
CASE = """
check = "insurance.size"
before = ["wager 3 2500", "deal 3:Ts9d D:Ac9h"]
[[case]]
name = "one"
rulesets = ["free_bet_672a"]
"""


def _events(felt: Felt) -> list[object]:
    return [decode(line).data for line in felt.lines]


def _kinds(*steps: str, ruleset: str = "free_bet_672a") -> list[str]:
    """Types of the events after the opening."""
    whole = play(steps, ruleset).kinds
    return whole[len(play(["opening"], ruleset, players=(1,)).kinds) :]


def _run(text: str) -> CaseRun:
    (run,) = runs_of(read_cases("a.toml", text), REGISTRY)
    return run


def test_lines_are_chained_without_gap_and_decode() -> None:
    felt = play(["wager 3", "deal 3:Ts9d D:7cKh", "finish"], "free_bet_672a")
    events = [decode(line) for line in felt.lines]
    assert [event.sequence for event in events] == list(range(1, len(events) + 1))
    assert len({event.prevhash for event in events}) == len(events)


def test_the_first_deal_goes_round_twice_and_hides_the_second_card_of_the_dealer() -> None:
    felt = play(["wager 1", "wager 3", "deal 3:Ts9d 1:2c3c D:7cKh"], "free_bet_672a")
    placed = [event for event in _events(felt) if isinstance(event, CardPlaced)]
    assert [event.hand for event in placed] == ["1.1", "3.1", "D", "1.1", "3.1", "D"]
    assert [event.card for event in placed] == ["2c", "Ts", "7c", "3c", "9d", "??"]


def test_a_script_begins_with_the_opening_unless_it_says_otherwise() -> None:
    assert _kinds("wager 1") == ["round_started", "wager_placed"]
    assert play(["nothing", "round"], "free_bet_672a").kinds == ["round_started"]
    assert "cards_washed" not in play(["opening without cards_washed"], "free_bet_672a").kinds


def test_edits_cut_change_and_leave_out() -> None:
    long = ["opening until cut_made", "cut_made by=1 cards_on_top=9", "opening from cover_card_inserted"]
    one = play(long, "free_bet_672a", players=(1,))
    other = play(["opening with cut_made.cards_on_top=9"], "free_bet_672a", players=(1,))
    assert _events(one) == _events(other)
    assert [event.cards_on_top for event in _events(one) if isinstance(event, CutMade)] == [9]
    whole = play(["wager 1", "deal 1:2c3c D:7cKh"], "free_bet_672a").kinds
    fewer = play(["wager 1", "deal 1:2c3c D:7cKh without card_drawn#3"], "free_bet_672a").kinds
    assert (whole.count("card_drawn"), fewer.count("card_drawn")) == (4, 3)


def test_a_lost_step_happens_but_leaves_a_hole_in_the_record() -> None:
    felt = play(["wager 3", "lost wager 3 push22", "close"], "free_bet_672a")
    sequences = [decode(line).sequence for line in felt.lines]
    assert sequences[-1] - sequences[-2] == 2
    assert felt.round.stakes == {(3, "main", "3.1"): 2500, (3, "push22", ""): 500}


@pytest.mark.parametrize(
    ("step", "says"),
    [
        ("jump 3", "no step is called 'jump'"),
        ("deal 3 Kx", "'Kx' in 'Kx' is no card"),
        ("deal 3:Ts9d D:7cKh without card_burned", "no event of this step is"),
        ("wager 3 with wager_placed.cents=lots", "wager_placed: Expected `int`"),
        ("wager 3 500 700", "'700' means nothing here"),
        ("opening without washing", "'washing' is no event type"),
        ("wait long", "wait takes a span"),
        ("card_drawn Ks", "card_drawn takes only key=value"),
        ("hit", "a hand is missing"),
    ],
)
def test_a_step_that_cannot_be_played_is_named_with_its_reason(step: str, says: str) -> None:
    with pytest.raises(ScriptError, match=re.escape(f"step 2 {step!r}: ")) as caught:
        play(["opening", "wager 3", step], "free_bet_672a")
    assert says in str(caught.value)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (CASE + 'expect = "upheld"\nseats = 3\n', "unknown field `seats`"),
        (CASE + 'expect = "fine"\n', "Invalid enum value 'fine'"),
        (CASE, "needs either `expect` or the steps of at least one verdict"),
        (CASE + 'expect = "upheld"\nbreached = ["end"]\n', "needs either `expect` or the steps"),
        (
            CASE + 'expect = "upheld"\n[[case]]\nname = "one"\nexpect = "upheld"\n',
            "two cases are called 'one'",
        ),
        (
            CASE.replace("insurance.size", "insurance.weight") + 'expect = "upheld"\n',
            "no check insurance.weight",
        ),
        (
            CASE + 'expect = "breached"\ncites = ["rack.order_after_settling"]\n',
            "which insurance.size does not decide",
        ),
        (CASE + "expect = ", "a.toml: "),
    ],
)
def test_a_case_file_that_says_something_wrong_is_refused(text: str, says: str) -> None:
    with pytest.raises(BadCase, match=re.escape(says)):
        runs_of(read_cases("a.toml", text), REGISTRY)


@pytest.mark.parametrize(
    ("rest", "says"),
    [
        ('upheld = ["insure 3 1300", "peek"]', "breached: Seat 3 has $13.00"),
        ('breached = ["insure 3 1250", "peek"]', "0 findings of insurance.size instead of 1"),
        ('indeterminate = ["insure 3 1300", "peek"]', "verdict is 'breached' instead of 'indeterminate'"),
        ('not_applicable = ["insure 3 1250", "peek"]', "1 judgments were upheld"),
        ('breached = ["insure 3 1300", "peek"]\nseat = 4', "seat is 3 instead of 4"),
        ('breached = ["insure 3 1300", "peek"]\nmoney_cents = 50', "money_cents is 0 instead of 50"),
        (
            'breached = ["insure 3 1300", "peek"]\nsays = "too little"',
            "the message does not say 'too little'",
        ),
        (
            'breached = ["insure 3 1300"]\nobserved = { cents = 1 }',
            "observed is {'cents': 1300} instead of {'cents': 1}",
        ),
        (
            'breached = ["insure 3 1300"]\nbecause_of = "reader.used"',
            "it follows from [], not from 'reader.used'",
        ),
        ('upheld = ["insure 3 1250", "card_drawn card=Ks", "deal 3 Ts"]\nlawful = true', "not lawful: "),
        ('upheld = ["insure 3 1250", "peek", "reveal Kc"]', "integrity.seal: The revealed hole card"),
    ],
)
def test_a_case_with_another_outcome_is_complained_of(rest: str, says: str) -> None:
    run = _run(CASE + rest)
    assert any(says in complaint for complaint in complaints(run, listen(run)))


def test_a_script_without_an_event_that_the_check_reads_is_complained_of() -> None:
    run = _run(CASE.replace('"wager 3 2500", "deal 3:Ts9d D:Ac9h"', '"round"') + 'expect = "not_applicable"')
    assert complaints(run, listen(run)) == ["the script holds no event the check reads"]


def test_hearing_a_check_leaves_the_registry_as_it_was() -> None:
    before = list(REGISTRY.items())
    run = all_runs()[0]
    assert listen(run).judgments == listen(run).judgments
    assert before == list(REGISTRY.items())


def test_a_check_is_heard_alone_unless_its_case_names_others() -> None:
    late = CASE + 'given = ["peek"]\nbreached = ["insure 3 1300"]\n'
    assert {finding.check for finding in listen(_run(late)).findings} == {"insurance.size"}
    both = listen(_run(late + 'beside = ["insurance.*"]'))
    assert {finding.check for finding in both.findings} >= {"insurance.size", "insurance.when"}


def test_every_step_stands_in_the_readme() -> None:
    assert sorted(set(VERBS) - TOLD) == []


def test_every_key_of_a_case_stands_in_the_readme() -> None:
    assert sorted({field.name for field in msgspec.structs.fields(Case)} - TOLD) == []
