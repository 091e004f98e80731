"""What goes wrong at a blackjack table is put right as the chapters order, and written down as the contract asks."""

from __future__ import annotations

from functools import cache

import pytest

from producers.simulator.blackjack.incidents.irregularities import CATALOGUED, IRREGULARITIES
from producers.simulator.floor.setup import BLACKJACK, usual_setup
from producers.simulator.scenarios.blackjack import SCENARIOS, IrregularScenario
from producers.simulator.scenarios.texts import TEXTS
from producers.simulator.session import Session
from schemas.values import Ruleset
from tests.simulator.blackjack_reader import Round, count, owed, read
from tests.simulator.streams import Event, contract_faults, events, named, rounds_of

MOST_ROUNDS = 60
CASES = [(ruleset, name) for ruleset in BLACKJACK for name in IRREGULARITIES[ruleset]]
IRREGULAR = pytest.mark.parametrize(("ruleset", "name"), CASES)


@cache
def happening(ruleset: Ruleset, name: str, seed: int = 1) -> tuple[list[bytes], list[Event], Round]:
    """A session up to the first round in which it happened: its lines, that round's events, and the round."""
    scenario = SCENARIOS[f"irregular_{name}"]
    session = Session(scenario.prepare(usual_setup(ruleset, "T-1")), seed)
    for _ in range(MOST_ROUNDS):
        session.play(name)
        if getattr(session.engine, "happened", False):
            break
    else:
        raise AssertionError(f"{name} found no occasion")
    lines = session.writer.take()
    stream = events(lines)
    found = rounds_of(stream)[-1]
    return lines, found, read(ruleset, stream[0].data, found)


def index(found: list[Event], name: str, **fields: object) -> int:
    """Where the first such event stands."""
    return next(
        n
        for n, event in enumerate(found)
        if event.name == name and all(event.data.get(field) == value for field, value in fields.items())
    )


@IRREGULAR
def test_every_irregularity_finds_an_occasion_and_keeps_the_contract(ruleset: Ruleset, name: str) -> None:
    lines, _, _ = happening(ruleset, name)
    assert list(contract_faults(lines)) == []


@IRREGULAR
def test_money_and_lammers_go_as_the_text_says(ruleset: Ruleset, name: str) -> None:
    _, _, seen = happening(ruleset, name)
    reversed_ = {key for key in seen.moved if (*key[:3], "return") in seen.moved and key[3] == "collect"}
    surrendered = {lay.name for lay in seen.hands.values() if lay.fate == "surrendered"}
    moved = {key: cents for key, cents in seen.moved.items() if key not in reversed_ or key[2] in surrendered}
    assert moved == owed(seen)
    placed = [(lay.name, kind) for lay in seen.hands.values() for kind in lay.lammers]
    assert sorted(seen.collected_lammers) == sorted(placed)


@IRREGULAR
def test_every_card_of_the_round_ends_in_the_rack_once(ruleset: Ruleset, name: str) -> None:
    _, found, seen = happening(ruleset, name)
    drawn = [event["card"] for event in named(found, "card_drawn")]
    opened = [event["card"] for event in named(found, "hole_card_revealed")]
    racked = sorted(card for _, cards, _ in seen.racked for card in cards)
    hidden = drawn.count("??") - 1
    assert hidden == (name == "drawn_unseen")
    known = sorted([card for card in drawn if card != "??"] + opened)
    missing = list(racked)
    for card in known:
        missing.remove(card)
    assert len(missing) == hidden


def test_a_face_up_card_is_racked_before_the_next_and_dealt_to_nobody() -> None:
    for ruleset in BLACKJACK:
        _, found, _ = happening(ruleset, "face_up_card")
        at = index(found, "card_exposed", where="in_shoe")
        assert [event.name for event in found[at - 1 : at + 3]] == [
            "card_drawn",
            "card_exposed",
            "cards_racked",
            "card_drawn",
        ]
        assert found[at + 1].data == {"hand": "D", "cards": [found[at]["card"]], "reason": "boxed"}


def test_a_card_drawn_unseen_becomes_the_next_card() -> None:
    _, found, _ = happening("free_bet_672a", "drawn_unseen")
    at = next(
        n
        for n, event in enumerate(found)
        if event.name == "card_drawn" and "seal" not in event.data and event["card"] == "??"
    )
    following = [event for event in found[at + 1 :] if event.name in ("card_drawn", "card_placed")]
    assert following[0].name == "card_placed"
    assert following[0]["card"] != "??"


def test_an_exposed_card_goes_to_the_first_who_takes_it() -> None:
    for name, refusals in (("drawn_seen", 0), ("drawn_seen_refused_by_one", 1)):
        _, found, _ = happening("down_under_685a", name)
        at = index(found, "card_exposed", where="drawn_in_error")
        following = [
            event for event in found[at:] if event.name in ("card_refused", "card_drawn", "card_placed")
        ]
        assert [event.name for event in following[: refusals + 1]] == ["card_refused"] * refusals + [
            "card_placed"
        ]
        assert following[refusals]["card"] == found[at]["card"]


def test_a_player_who_refuses_gets_no_further_card() -> None:
    for ruleset in BLACKJACK:
        _, found, seen = happening(ruleset, "drawn_seen_refused_by_one")
        [refused] = named(found, "card_refused")
        assert len(seen.hands[f"{refused['seat']}.1"].cards) == 2


def test_a_card_refused_by_all_goes_to_the_dealer_or_to_the_rack() -> None:
    for ruleset in BLACKJACK:
        _, found, seen = happening(ruleset, "drawn_seen_to_dealer")
        card = found[index(found, "card_exposed")]["card"]
        assert card in seen.dealer[2:] or ("D", [card], "refused") in seen.racked
        _, found, seen = happening(ruleset, "drawn_seen_racked")
        card = found[index(found, "card_exposed")]["card"]
        assert ("D", [card], "refused") in seen.racked


def test_a_card_that_the_standing_dealer_draws_does_not_count() -> None:
    for ruleset in BLACKJACK:
        _, found, seen = happening(ruleset, "dealer_draws_standing")
        at = index(found, "cards_racked", reason="accidental")
        assert found[at - 1].name == "card_drawn"
        assert found[at]["cards"] == [found[at - 1]["card"]]
        assert seen.total >= 17


def test_the_dealer_takes_a_forgotten_first_card_after_the_players_have_two() -> None:
    _, found, seen = happening("free_bet_590", "dealer_skips_first_card")
    spots = [event["hand"] for event in named(found, "card_placed")][: 2 * len(seen.units) + 2]
    players = [f"{seat}.1" for seat in sorted(seen.units)]
    assert spots == [*players, *players, "D", "D"]


def test_a_hand_without_cards_is_dead_and_its_wager_goes_back() -> None:
    for ruleset in BLACKJACK:
        _, found, seen = happening(ruleset, "hand_without_cards")
        [dead] = named(found, "hand_voided")
        lay = seen.hands[dead["hand"]]
        assert lay.cards == []
        assert seen.moved[lay.seat, "main", lay.name, "return"] == seen.units[lay.seat]


def test_a_second_card_comes_after_all_others_on_request() -> None:
    for ruleset in BLACKJACK:
        _, found, seen = happening(ruleset, "one_card_second_taken")
        at = index(found, "player_request", wish="second_card")
        seat = found[at]["seat"]
        assert found[at + 2].data["hand"] == f"{seat}.1"
        later = [event["hand"] for event in found[at + 3 :] if event.name == "card_placed"][:1]
        assert later == ["D"]
        assert len(seen.hands[f"{seat}.1"].cards) >= 2


def test_a_declined_second_card_makes_a_dead_hand() -> None:
    for ruleset in BLACKJACK:
        _, found, seen = happening(ruleset, "one_card_declined")
        at = index(found, "player_request", wish="dead_hand")
        assert found[at + 1].name == "hand_voided"
        assert len(seen.hands[found[at + 1]["hand"]].cards) == 1
        assert any(reason == "void" for _, _, reason in seen.racked)


def test_a_missed_card_comes_late_but_before_the_hole_card() -> None:
    for ruleset in BLACKJACK:
        _, found, _ = happening(ruleset, "missed_card_late")
        at = index(found, "player_request", wish="late_card")
        seat = found[at]["seat"]
        assert [event.name for event in found[at + 1 : at + 3]] == ["card_drawn", "card_placed"]
        others = [
            e for e in found[at:] if e.name == "player_decision" and not e["hand"].startswith(f"{seat}.")
        ]
        assert others == []


def test_a_wrong_range_is_decided_hand_by_hand() -> None:
    for name in ("wrong_light_mixed", "wrong_area_mixed", "wrong_light_dead", "wrong_light_continued"):
        _, found, seen = happening("down_under_685a", name)
        at = index(found, "floorperson_notified")
        assert found[at - 1].name == "hole_card_revealed"
        elected = [event["hand"] for event in named(found, "hand_voided", "hand_continued")]
        assert elected == [lay.name for lay in seen.hands.values() if not lay.natural]
        if name.endswith("dead"):
            assert named(found, "hand_continued") == []
        if name.endswith("continued"):
            assert named(found, "hand_voided") == []


def test_collected_busts_come_back_when_the_hand_is_called_dead() -> None:
    for seed in range(1, 40):
        _, _, seen = happening("down_under_685a", "wrong_light_dead", seed)
        busts = [lay for lay in seen.hands.values() if count(lay.cards) > 21]
        if busts:
            lay = busts[0]
            key = (lay.seat, "main", lay.name)
            assert seen.moved[(*key, "collect")] == seen.moved[(*key, "return")]
            return
    raise AssertionError("no hand over 21 in forty sessions")


def test_nothing_is_dealt_while_the_reader_is_out_of_order() -> None:
    for ruleset in BLACKJACK:
        lines, _, _ = happening(ruleset, "reader_fault")
        stream = events(lines)
        at = index(stream, "device_fault", fault="malfunction")
        names = [event.name for event in stream[at : at + 4]]
        assert names == ["device_fault", "floorperson_notified", "device_restored", "device_inspected"]


def test_a_needless_peek_is_reported_before_anything_else() -> None:
    _, found, _ = happening("free_bet_672a", "needless_peek")
    at = index(found, "hole_card_read")
    assert found[at].data == {"device": "card_reader", "result": "no_blackjack"}
    assert found[at + 1].name == "floorperson_notified"


@pytest.mark.parametrize("name", ["shuffler_jam", "shuffler_out_of_use"])
def test_a_failing_shuffler_shuffles_again_or_is_marked_out_of_use(name: str) -> None:
    scenario = SCENARIOS[f"irregular_{name}"]
    setup = scenario.prepare(usual_setup("free_bet_672a", "T-1"))
    session = Session(setup, 3)
    session.play(name)
    session.life.cards.cover_at = "1"  # the next shoe, and with it the next shuffle, is due
    session.play()
    stream = named(events(session.writer.take()), "shuffle_started", "shuffle_completed", "device_fault")
    marked = events(session.writer.take())
    fault = max(n for n, event in enumerate(stream) if event.name == "device_fault")
    assert stream[fault + 1].name == "shuffle_started"
    assert marked == []


def test_an_unknown_irregularity_is_refused() -> None:
    session = Session(usual_setup("free_bet_672a", "T-1"), 3)
    with pytest.raises(KeyError):
        session.play("earthquake")


def test_every_irregularity_is_a_scenario_that_violates_nothing() -> None:
    for name in CATALOGUED:
        scenario = SCENARIOS[f"irregular_{name}"]
        assert isinstance(scenario, IrregularScenario)
        assert scenario.breaks == ()
        assert scenario.summary == TEXTS[f"irregular_{name}"].summary
        assert scenario.summary.endswith(".")
