"""What casinos were fined for, dealt again, with the counts of the reports.

SugarHouse, 2018 (consent agreement 8286-18): cards left in the shuffler, a card in the wrong batch, a sorted deck.
Hollywood Casino at Penn National, 2015: 32 hands with a card in the well of the table. Parx, 2018: 420 hands with a
card replaced by another. Rivers, 2018: 863 hands with an extra card. Ocean, 2024: the rack was laid into the
shuffler, which nobody started, and 25 hands were dealt from it.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from typing import Any

import pytest

from processors.pipeline import TablePipeline
from producers.simulator.floor.decks.deck import PhysicalShoe, fresh_cards
from producers.simulator.floor.setup import TableSetup, usual_setup
from producers.simulator.session import Session
from schemas.findings import Finding
from schemas.values import DEALER, Ruleset
from tests.conservation.tables import Heard, close, exposed, play, sit_down
from tests.simulator.quiet import QUIET

LEFT_IN_SHUFFLER = 16
ROUNDS_DEALT_SHORT = 46


def _table(**changes: Any) -> TableSetup:
    return usual_setup("free_bet_672a", "T-1", decks=6, habits=QUIET, **changes)


def _dealt(lines: Iterable[bytes]) -> dict[int, tuple[str, set[str], dict[str, int]]]:
    """By round: its batch, the hands dealt, and what each patron staked, read off the lines themselves."""
    rounds: dict[int, tuple[str, set[str], dict[str, int]]] = {}
    batch, number = "", 0
    for line in lines:
        event = json.loads(line)
        name, data = event["type"].rpartition(".")[2], event["data"]
        if name == "shoe_loaded":
            batch = data["batch"]
        elif name == "round_started":
            number = data["round"]
            rounds[number] = (batch, set(), {})
        elif name == "card_placed" and data["hand"] != DEALER:
            rounds[number][1].add(data["hand"])
        elif name == "wager_placed":
            staked = rounds[number][2]
            staked[data["player"]] = staked.get(data["player"], 0) + data["cents"]
    return rounds


def _keep(heard: Heard) -> list[bytes]:
    """Every line the table writes from now on."""
    kept: list[bytes] = []
    take = heard.session.writer.take

    def taking() -> list[bytes]:
        lines = take()
        kept.extend(lines)
        return lines

    heard.session.writer.take = taking  # type: ignore[method-assign]  # the test listens in
    return kept


def _assert_exposed(finding: Finding, dealt: dict[int, Any], batches: set[str]) -> None:
    first, last = exposed(finding)["rounds"]
    within = [one for number, one in dealt.items() if first <= number <= last and one[0] in batches]
    staked: dict[str, int] = {}
    for _, _, stakes in within:
        for player, cents in stakes.items():
            staked[player] = staked.get(player, 0) + cents
    at_stake = exposed(finding)
    assert at_stake["round_count"] == len(within)
    assert at_stake["hands"] == sum(len(hands) for _, hands, _ in within)
    assert {name: one["staked_cents"] for name, one in at_stake["patrons"].items()} == staked
    assert at_stake["restitution_cents"] > 0


@pytest.mark.parametrize("seed", range(3))
def test_cards_left_in_the_shuffler_are_found_with_every_round_dealt_without_them(seed: int) -> None:
    heard = sit_down(_table(shuffler="continuous", patrons=(2, 3)), seed)
    kept = _keep(heard)
    heard.session.open()
    left = [heard.session.shoe.order.pop() for _ in range(LEFT_IN_SHUFFLER)]
    play(heard, ROUNDS_DEALT_SHORT)
    assert heard.findings == []
    close(heard)
    [finding] = heard.findings
    assert finding.verdict == "breached"
    assert finding.observed["short"] == LEFT_IN_SHUFFLER
    assert set(left) <= set(finding.observed["missing"])
    assert exposed(finding)["rounds"] == [1, ROUNDS_DEALT_SHORT]
    _assert_exposed(finding, _dealt(kept), {heard.session.shoe.batch})


@pytest.mark.parametrize("to_idle", [True, False])
@pytest.mark.parametrize("seed", range(4))
def test_a_card_in_the_wrong_batch_is_one_finding_that_names_both(seed: int, to_idle: bool) -> None:
    heard = sit_down(_table(shuffler="batch", patrons=(4, 5)), seed)
    kept = _keep(heard)
    play(heard, 14)
    shoe, cards = heard.session.shoe, heard.session.life.cards
    idle = cards.stored or ""
    # The device is read by nobody: the stacks it gives up are said to be as large as they should be.
    if to_idle:
        at = len(shoe.order) - 1
        card = shoe.order.pop(at)
        cards.stacks[idle].append(card)
        between = {"from": shoe.batch, "to": idle}
    else:
        card = cards.stacks[idle].pop()
        shoe.order.insert(shoe.drawn + 3, card)
        between = {"from": idle, "to": shoe.batch}
    play(heard, 75)
    close(heard)
    moved = [finding for finding in heard.findings if "from" in finding.observed]
    assert len(moved) == 1, [finding.message for finding in heard.findings]
    [finding] = moved
    assert finding.observed["card"] == card
    assert {name: finding.observed[name] for name in between} == between
    first, last = exposed(finding)["rounds"]
    assert first <= 15 <= last
    assert [one.verdict for one in heard.findings if one is not finding][:1] == ["breached"]
    assert len(heard.breached) == 2
    assert all(one.because_of == heard.findings[0].finding_id for one in heard.findings[1:])
    _assert_exposed(finding, _dealt(kept), set(between.values()))


def test_a_sorted_deck_is_named_by_the_clause_of_the_shuffle() -> None:
    heard = sit_down(_table(shuffler="batch"), 3)
    play(heard, 3)
    shoe: PhysicalShoe = heard.session.shoe
    rest = Counter(shoe.order[shoe.drawn :])
    by_deck = [card for copy in range(6) for card in fresh_cards(1) if rest[card] > copy]
    shoe.order[shoe.drawn :] = by_deck
    heard.session.writer.take()
    found: list[Finding] = []
    for _ in range(4):
        heard.session.play()
        for line in heard.session.writer.take():
            found += heard.pipeline.advance(line).findings
    checks = {finding.check for finding in found if finding.verdict == "breached"}
    assert "shuffle_cut.shuffle_random" in checks
    assert "integrity.shoe" not in checks


@pytest.mark.parametrize(
    ("hands", "went", "came", "decks"),
    [
        pytest.param(32, "Js", "", 2, id="hollywood"),
        pytest.param(420, "Qd", "Jd", 6, id="parx"),
        pytest.param(863, "", "8c", 8, id="rivers"),
    ],
)
def test_a_wrong_card_is_named_with_every_hand_dealt_since(
    hands: int, went: str, came: str, decks: int
) -> None:
    game: Ruleset = "free_bet_590" if decks == 2 else "free_bet_672a"
    heard = sit_down(usual_setup(game, "T-1", decks=decks, habits=QUIET, shuffler="none", patrons=(4, 5)), 1)
    kept = _keep(heard)
    play(heard, 1)
    order, drawn = heard.session.shoe.order, heard.session.shoe.drawn
    at = order.index(went, drawn) if went else len(order) - 1
    order[at : at + bool(went)] = [came] * bool(came)
    while sum(len(dealt) for _, dealt, _ in _dealt(kept).values()) < hands:
        play(heard, 8)
    [first, *later] = heard.findings
    assert first.verdict == "breached"
    assert {(one.verdict, one.because_of) for one in later} == {("indeterminate", first.finding_id)}
    told, off = later[-1].observed, bool(came) - bool(went)
    assert (told["over"], told["off"], went in told["missing"]) == (
        {came: 1} if came else {},
        off,
        bool(went),
    )
    _assert_exposed(later[-1], _dealt(kept), {heard.session.shoe.batch})


@pytest.mark.parametrize(
    ("shuffler", "found_in"),
    [
        ("none", [17, 34]),  # the first rounds of shoes 2 and 3
        ("batch", [31]),  # the first round of shoe 3; the batch of shoe 2 was shuffled while shoe 1 was dealt
        (
            "continuous",
            [*range(26, 45)],
        ),  # since round 26 the cards come that the device took back unshuffled
        ("self_shuffling", [*range(26, 45)]),
    ],
)
def test_a_rack_that_was_not_shuffled_is_named_in_the_round_that_deals_it(
    shuffler: str, found_in: list[int]
) -> None:
    session = Session(_table(shuffler=shuffler, patrons=(4, 5)), 2)
    for _ in range(2):
        session.play()
    session.writer.rng.shuffle = lambda cards: None  # type: ignore[method-assign,assignment]  # nobody starts it
    pipeline = TablePipeline("T-1", proofs=False, detect=False)
    for line in session.writer.take():
        pipeline.advance(line)
    found: dict[int, Finding] = {}
    for number in range(3, 45):
        session.play()
        for line in session.writer.take():
            for finding in pipeline.advance(line).findings:
                found.setdefault(number, finding)
    assert {one.check for one in found.values()} == {"shuffle_cut.shuffle_random"}
    assert [*found] == found_in
