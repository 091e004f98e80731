"""Words lost in two ways: of one card both, or of two neighbours one each; and breaches in the same places."""

from __future__ import annotations

import msgspec
import pytest

from schemas.findings import Finding
from schemas.rounds import RoundResult
from tests.mutations.rechain import (
    Event,
    Heard,
    altered,
    dropped,
    heard,
    inserted,
    kind,
    left_out,
    load,
    moved,
    rechained,
    rounds_of,
)
from tests.noise.judged import Judged
from tests.noise.tables import MIXED, lawful, noisy
from tests.pipeline.streams import RULESETS
from tests.pipeline.test_rehearing import _run
from tests.sampling import one_in

BLACKJACK = ["down_under_685a", "free_bet_590", "free_bet_672a"]
SINGLY = [*BLACKJACK, "manual_shoe_657a8"]  # cards are laid one by one
NUMBER = 4  # of the rounds, the one that lacks words
EACH = 3  # of its cards, one in so many is tried
_LEAVES = ("card_drawn", "stack_dispensed")


def _said(events: list[Event]) -> Heard:
    return heard(list(rechained(events)), proofs=False)


def _accused(said: Heard) -> list[str]:
    return [
        f"{one.round}: {one.check}"
        for one in said.findings
        if one.verdict == "breached" and not one.check.startswith("integrity.")
    ]


def _of_the_shoe(events: list[Event]) -> list[Finding]:
    return [one for one in _said(events).findings if one.check == "integrity.shoe"]


def _round(events: list[Event], said: Heard) -> RoundResult:
    number = events[rounds_of(events)[NUMBER][0]]["data"]["round"]
    [found] = [one for one in said.rounds if one.round == number]
    return found


def _cards(events: list[Event]) -> list[int]:
    """The draws of the round, but for that of a hole card, whose seal goes with it, and of stacks never laid open."""
    start, end = rounds_of(events)[NUMBER]
    laid = [at for at in range(start, end) if kind(events[at]) in _LEAVES]
    shown = {
        events[at]["data"]["position"] for at in range(start, end) if kind(events[at]) == "hand_revealed"
    }
    spots = [events[at + 1]["data"].get("position") for at in laid]
    return [
        at for at, spot in zip(laid, spots, strict=True)
        if not events[at]["data"].get("seal") and (spot is None or spot in shown)
    ]  # fmt: skip


@pytest.mark.parametrize("ruleset", RULESETS)
def test_both_words_of_a_card_are_lost_and_the_rack_shows_the_card(ruleset: str) -> None:
    events = load(RULESETS[ruleset])
    for drawn in _cards(events)[::EACH]:
        said = _said(dropped(events, drawn, drawn + 1))
        assert _accused(said) == [], events[drawn + 1]
        assert _round(events, said).status != "indeterminate", events[drawn + 1]


@pytest.mark.parametrize("ruleset", one_in(2, RULESETS))
def test_the_round_names_both_words_of_the_card(ruleset: str) -> None:
    events = load(RULESETS[ruleset])
    drawn = _cards(events)[0]
    words = _round(events, _said(dropped(events, drawn, drawn + 1))).words_missing
    assert isinstance(words, tuple)
    assert [word.split()[1] for word in words] == ["draw", "placement"]


@pytest.mark.parametrize("ruleset", one_in(2, SINGLY, 1))
def test_the_draw_of_one_card_is_lost_and_the_placement_of_the_next(ruleset: str) -> None:
    events = load(RULESETS[ruleset])
    neighbours = [at for at in _cards(events)[:-1:EACH] if kind(events[at + 2]) in _LEAVES]
    assert neighbours
    for drawn in neighbours:
        for lost in ((drawn, drawn + 3), (drawn + 1, drawn + 2)):
            assert _accused(_said(dropped(events, *lost))) == [], (events[drawn + 1], lost)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_card_that_the_dealer_left_out_is_a_breach(ruleset: str) -> None:
    events = load(RULESETS[ruleset])
    for drawn in _cards(events)[:2]:
        assert _accused(_said(left_out(events, drawn))), events[drawn + 1]


@pytest.mark.parametrize("ruleset", BLACKJACK)
def test_who_was_passed_over_in_the_deal_was_so_although_the_placement_of_the_late_card_is_lost(
    ruleset: str,
) -> None:
    events = load(RULESETS[ruleset])
    start, end = rounds_of(events)[NUMBER]
    dealt = next(at for at in range(start, end) if kind(events[at]) == "player_decision")
    drawn = _cards(events)[0]
    late = moved(dropped(events, drawn + 1), drawn, dealt - 1)
    assert _accused(_said(late))


@pytest.mark.parametrize("ruleset", BLACKJACK)
def test_a_wrong_payment_is_found_although_both_words_of_a_card_are_lost(ruleset: str) -> None:
    events = load(RULESETS[ruleset])
    start, end = rounds_of(events)[NUMBER]
    paid = next(
        at for at in range(start, end)
        if kind(events[at]) == "wager_settled" and events[at]["data"]["outcome"] == "pay"
        and events[at]["data"]["kind"] == "main"
    )  # fmt: skip
    wrong = altered(events, paid, cents=events[paid]["data"]["cents"] + 2500)
    before = _accused(_said(wrong))
    assert before
    for drawn in _cards(events)[:2]:
        assert _accused(_said(dropped(wrong, drawn, drawn + 1))) == before, events[drawn + 1]


@pytest.mark.parametrize("ruleset", BLACKJACK)
def test_the_shoe_counts_a_card_of_which_both_words_are_lost(ruleset: str) -> None:
    events = load(RULESETS[ruleset])
    for drawn in _cards(events)[::EACH]:
        assert _of_the_shoe(dropped(events, drawn, drawn + 1)) == [], events[drawn + 1]


@pytest.mark.parametrize("ruleset", BLACKJACK)
def test_a_card_from_elsewhere_leaves_the_shoe_a_card_too_many(ruleset: str) -> None:
    events = load(RULESETS[ruleset])
    for drawn in _cards(events)[:2]:
        stayed = events[drawn + 1]["data"]["card"]
        racked = dropped(events, drawn, drawn + 1)
        [rest] = [at for at, one in enumerate(racked) if kind(one) == "shoe_emptied"]
        told = _of_the_shoe(altered(racked, rest, cards=[*racked[rest]["data"]["cards"], stayed]))
        assert [one.sequence for one in told if one.verdict == "breached"] == [rest + 1], stayed


@pytest.mark.thorough
def test_at_forty_tables_nobody_is_accused_where_all_kinds_of_noise_meet() -> None:
    accused = [one for dealt in lawful(40) for one in Judged(dealt, noisy(dealt, MIXED, 0.01)).accusations()]
    assert accused == []


@pytest.mark.parametrize("ruleset", BLACKJACK)
def test_a_round_that_stays_open_for_a_late_draw_is_asked_of_its_cards_when_it_is_closed(
    ruleset: str,
) -> None:
    events = load(RULESETS[ruleset])
    start, end = rounds_of(events)[NUMBER]
    drawn, *_, last = _cards(events)
    dealt = next(at for at in range(start, end) if kind(events[at]) == "player_decision")
    ended = next(at for at in range(start, end + 1) if kind(events[at]) == "round_ended")
    late = dropped(inserted(events, ended + 1, events[last]), last)
    passed_over = moved(dropped(late, drawn + 1), drawn, dealt - 1)
    told = _run(passed_over)
    assert "deal.order" in [one.check for one in told if one.verdict == "breached"]
    assert [one.message for one in told if "shows a card more than came to it" in one.message] == []


@pytest.mark.parametrize("ruleset", BLACKJACK)
def test_a_round_that_stays_open_for_a_hand_in_the_rack_has_its_cards_when_it_is_closed(ruleset: str) -> None:
    events = load(RULESETS[ruleset])
    start, end = rounds_of(events)[NUMBER]
    ended = next(at for at in range(start, end + 1) if kind(events[at]) == "round_ended")
    assert kind(events[ended - 1]) == "cards_racked"
    for drawn in _cards(events)[::EACH]:
        lost = dropped(moved(events, ended - 1, ended + 1), drawn, drawn + 1)
        told = _run(lost)
        assert [one.check for one in told if one.verdict == "breached"] == ["integrity.witness"] * 2, drawn
        restored = _run(lost, restarting=True, between=range(ended - 3, ended + 20))
        assert msgspec.json.encode(restored) == msgspec.json.encode(told)


def test_a_card_that_the_showdown_alone_has_was_dealt() -> None:
    events = load(RULESETS["manual_shoe_657a8"])
    start, end = rounds_of(events)[NUMBER]
    of_players = [at for at in _cards(events) if events[at + 1]["data"].get("hand") not in (None, "D")]
    assert of_players
    for drawn in of_players[::EACH]:
        spot = events[drawn + 1]["data"]["hand"]
        [racked] = [
            at for at in range(start, end) if kind(events[at]) == "cards_racked"
            and events[at]["data"]["hand"] == spot
        ]  # fmt: skip
        assert _accused(_said(dropped(events, drawn, drawn + 1, racked))) == [], spot
