"""Rounds of 670a.10 and 657a.8: side wagers, the deal, the stub, void rounds, breaches on request."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from producers.simulator.floor.decks.deck import fresh_cards
from producers.simulator.floor.setup import Habits, TableSetup, usual_setup
from producers.simulator.session import Session
from producers.simulator.stacks.deviations import BREACHES, DEVIATIONS, IRREGULARITIES
from producers.simulator.stacks.settlement import pattern, side_odds, strength
from schemas.values import Ruleset
from tests.simulator.quiet import QUIET
from tests.simulator.streams import Event, contract_faults, events, named, played, rounds_of

FORTUNE: Ruleset = "fortune_670a10"
MANUAL: Ruleset = "manual_shoe_657a8"
GAMES = pytest.mark.parametrize("ruleset", [FORTUNE, MANUAL])


def table(ruleset: Ruleset, **changes: object) -> TableSetup:
    return usual_setup(ruleset, "S-1", **{"habits": Habits(arrives=0.1, leaves=0.05), **changes})


def one_round(ruleset: Ruleset, irregularity: str, seed: int = 1) -> tuple[Session, list[Event]]:
    """A round in which something goes wrong, after three that went well, and what it wrote."""
    session = Session(table(ruleset, habits=QUIET), seed)
    for _ in range(3):
        session.play()
    session.writer.take()
    session.play(irregularity)
    return session, rounds_of(events(session.writer.take()))[0]


def first(stream: list[Event], *names: str) -> int:
    """Where the first of these events stands."""
    return next(n for n, event in enumerate(stream) if event.name in names)


def test_stacks_go_clockwise_from_the_start_to_every_position_and_the_dealer() -> None:
    starts = set()
    circuit = ["1", "2", "3", "4", "5", "6", "D"]
    for round_ in rounds_of(played(table(FORTUNE), 60, 1)):
        [start] = named(round_, "starting_position_set")
        starts.add(start["position"])
        delivered = named(round_, "stack_delivered")
        at = circuit.index(start["position"])
        assert [event["position"] for event in delivered] == circuit[at:] + circuit[:at]
        assert all(event["cards"] == ["??"] * 6 and not event["face_up"] for event in delivered)
        assert [event.name for event in named(round_, "stack_dispensed", "stack_delivered")] == [
            "stack_dispensed",
            "stack_delivered",
        ] * 7
        assert start["method"] in ("rng", "dice")
    assert starts == set(circuit)


def test_a_house_may_have_the_dealer_served_last() -> None:
    for round_ in rounds_of(played(table(FORTUNE, dealer_stop="last"), 30, 1)):
        [start] = named(round_, "starting_position_set")
        positions = [event["position"] for event in named(round_, "stack_delivered")]
        assert (positions[0], positions[-1]) == (start["position"], "D")


def test_single_cards_go_to_the_bonus_area_then_five_times_round_the_wagered_seats() -> None:
    bonuses = set()
    for round_ in rounds_of(played(table(MANUAL), 60, 1)):
        seats = [f"{e['seat']}.1" for e in named(round_, "wager_placed") if e["kind"] == "main"]
        bonus = any(e["kind"] == "six_card_bonus" for e in named(round_, "wager_placed"))
        bonuses.add(bonus)
        assert [e["hand"] for e in named(round_, "card_placed")] == ["bonus"] * bonus + [
            *sorted(seats),
            "D",
        ] * 5
        for event in named(round_, "card_drawn", "card_placed"):
            assert event["card"] == "??"
            assert event.data.get("from_hand", "shoe_side") == "shoe_side"
            assert event.data.get("by_hand", "other") == "other"
    assert bonuses == {True, False}


@GAMES
def test_betting_is_closed_and_systems_are_locked_before_the_first_card(ruleset: Ruleset) -> None:
    systems = ["progressive"] if ruleset == FORTUNE else ["progressive", "five_card_hand"]
    for round_ in rounds_of(played(table(ruleset), 40, 1)):
        dealt = first(round_, "stack_dispensed", "card_drawn")
        closed = first(round_, "betting_closed")
        assert {event.name for event in round_[1:closed]} == {"wager_placed"}
        assert all(event.name != "wager_placed" for event in round_[closed:])
        before = round_[closed:dealt]
        assert [event["system"] for event in named(before, "system_wagers_locked")] == systems
        chips = sum(e["kind"] == "progressive" for e in named(round_, "wager_placed"))
        counted = [(e["accepted"], e["chips"]) for e in named(before, "system_wagers_counted")]
        assert counted == ([(chips, chips)] if chips else [])
        moved = [(e["chips"], e["cents"]) for e in named(before, "chips_to_inventory")]
        assert moved == ([(chips, 100 * chips)] if chips else [])


def test_an_envy_lammer_lies_by_every_fortune_bonus_of_five_dollars_and_no_other() -> None:
    lammers = 0
    small = False
    for round_ in rounds_of(played(table(FORTUNE), 60, 2)):
        bonuses = [e for e in named(round_, "wager_placed") if e["kind"] == "fortune_bonus"]
        qualified = [f"{e['seat']}.1" for e in bonuses if e["cents"] >= 500]
        small = small or len(qualified) < len(bonuses)
        assert [e["hand"] for e in named(round_, "lammer_placed")] == qualified
        assert [e["hand"] for e in named(round_, "lammer_collected")] == qualified
        lammers += len(qualified)
        assert all(e["kind"] == "envy" for e in named(round_, "lammer_placed"))
    assert lammers > 20
    assert small


def test_eleven_cards_are_counted_and_racked_unseen_before_the_unwagered_stacks() -> None:
    for round_ in rounds_of(played(table(FORTUNE), 30, 3)):
        assert [e["cards"] for e in named(round_, "stub_counted")] == [11]
        racked = named(round_, "cards_racked")
        assert (racked[0]["reason"], racked[0]["cards"]) == ("stub", ["??"] * 11)
        wagered = {str(e["seat"]) for e in named(round_, "wager_placed")}
        unwagered = [e["hand"] for e in racked if e["reason"] == "unwagered"]
        assert [e["reason"] for e in racked[1 : len(unwagered) + 1]] == ["unwagered"] * len(unwagered)
        assert set(unwagered) == {"1", "2", "3", "4", "5", "6"} - wagered
        assert all(e["cards"] == ["??"] * 6 for e in racked if e["reason"] == "unwagered")
        assert {e["position"] for e in named(round_, "hand_revealed")} == wagered | {"D"}


def windows_without_count(stream: list[Event]) -> int:
    """How many windows of five rounds have no stub count."""
    counted = [bool(named(round_, "stub_counted")) for round_ in rounds_of(stream)]
    return sum(not any(counted[n : n + 5]) for n in range(len(counted) - 4))


@pytest.mark.parametrize("shuffler", ["batch", "none"])
def test_the_stub_is_counted_within_any_five_rounds(shuffler: str) -> None:
    stream = played(table(MANUAL, shuffler=shuffler), 120, 4)
    assert windows_without_count(stream) == 0
    counts = named(stream, "stub_counted")
    assert 24 <= len(counts) < 80
    for round_ in rounds_of(stream):
        dealt = len(named(round_, "card_drawn"))
        assert [e["cards"] for e in named(round_, "stub_counted")] in ([], [52 - dealt])
        [stub] = [e for e in named(round_, "cards_racked") if e["reason"] == "stub"]
        assert stub["cards"] == ["??"] * (52 - dealt)


def test_a_counting_shuffler_lifts_the_count() -> None:
    stream = played(table(MANUAL, shuffler_counts=True, habits=QUIET), 120, 4)
    assert windows_without_count(stream) > 20
    assert {e["counted"] for e in named(stream, "shuffle_completed")} == {52}


def test_a_deck_shuffled_by_hand_beside_a_broken_counting_shuffler_is_counted() -> None:
    setup = table(MANUAL, shuffler_counts=True, habits=Habits(breaks=0.2, idles=0.0))
    by_hand, checked = False, 0
    for event in played(setup, 60, 4):
        if event.name == "shuffle_completed":
            by_hand = "counted" not in event.data
        elif event.name == "stub_counted":
            by_hand = False
        elif event.name == "round_ended":
            assert not by_hand
            checked += 1
    assert checked == 60


@GAMES
@pytest.mark.parametrize("dealer_cards", ["last", "first"])
@pytest.mark.parametrize("pickup", ["seats_descending", "seats_ascending", "losers_first"])
def test_cards_are_picked_up_and_stakes_settled_in_the_configured_order(
    ruleset: Ruleset, dealer_cards: str, pickup: str
) -> None:
    setup = table(ruleset, dealer_cards=dealer_cards, pickup_order=pickup, settle_order="collect_then_pay")
    for round_ in rounds_of(played(setup, 30, 5)):
        settled = named(round_, "wager_settled")
        lost = [e["outcome"] == "collect" for e in settled]
        assert lost == sorted(lost, reverse=True)
        losers = {e["seat"] for e in settled if (e["kind"], e["outcome"]) == ("main", "collect")}
        seats = sorted({e["seat"] for e in settled}, reverse=True)
        if pickup == "seats_ascending":
            seats.reverse()
        elif pickup == "losers_first":
            seats = [s for s in seats if s in losers] + [s for s in seats if s not in losers]
        spots = [e["hand"] for e in named(round_, "cards_racked") if e["reason"] == "settled"]
        dealers = [spot for spot in spots if spot in ("D", "bonus")]
        hands = [str(seat) if ruleset == FORTUNE else f"{seat}.1" for seat in seats]
        assert spots == ([*dealers, *hands] if dealer_cards == "first" else [*hands, *dealers])
        assert dealers[0 if dealer_cards == "first" else -1] == "D"


@GAMES
def test_every_stake_is_settled_once_and_a_seat_s_losses_come_first(ruleset: Ruleset) -> None:
    paid = 0
    for round_ in rounds_of(played(table(ruleset), 80, 6)):
        staked = {(e["seat"], e["kind"]): e["cents"] for e in named(round_, "wager_placed")}
        settled = named(round_, "wager_settled")
        assert sorted((e["seat"], e["kind"]) for e in settled) == sorted(staked)
        seats = [e["seat"] for e in settled]
        assert seats == sorted(seats, reverse=True)
        for event in settled:
            stake = staked[event["seat"], event["kind"]]
            odds = int(event.data.get("odds", "1:1").split(":")[0])
            assert event["cents"] == stake * odds
            paid += odds > 1
    assert paid > 3


@GAMES
def test_a_round_shows_and_racks_every_card_of_the_deck_once(ruleset: Ruleset) -> None:
    for round_ in rounds_of(played(table(ruleset), 20, 7)):
        racked = [card for e in named(round_, "cards_racked") for card in e["cards"]]
        shown = [card for e in named(round_, "hand_revealed") for card in e["cards"]]
        assert len(racked) == (53 if ruleset == FORTUNE else 52)
        assert sorted(card for card in racked if card != "??") == sorted(shown)
        assert len(shown) == len(set(shown))


VOID = [(ruleset, name) for ruleset in (FORTUNE, MANUAL) for name in IRREGULARITIES[ruleset]]


@pytest.mark.parametrize(("ruleset", "name"), VOID)
def test_a_wrong_count_voids_the_round_and_gives_every_wager_back(ruleset: Ruleset, name: str) -> None:
    session, round_ = one_round(ruleset, name)
    misdealt = name not in ("card_missing", "card_too_many")
    order = ["stub_removed", "stub_counted", "floorperson_notified", "misdeal_determined", "round_voided"]
    after = first(round_, "stub_removed")
    assert [event.name for event in round_[after : after + 5]] == order
    assert round_[after + 3]["misdealt"] is misdealt
    staked = sorted((e["seat"], e["kind"], e["cents"]) for e in named(round_, "wager_placed"))
    settled = named(round_, "wager_settled")
    assert sorted((e["seat"], e["kind"], e["cents"]) for e in settled) == staked
    assert {e["outcome"] for e in settled} == {"return"}
    assert named(round_, "hand_revealed") == []
    assert {card for e in named(round_, "cards_racked") for card in e["cards"]} == {"??"}
    assert len(named(round_, "lammer_placed")) == len(named(round_, "lammer_collected"))
    deck = session.setup.batch_cards
    cards = sum(len(e["cards"]) for e in named(round_, "cards_racked"))
    assert (cards != deck) == (DEVIATIONS[ruleset][name].deck != 0)

    session.play()
    following = events(session.writer.take())
    assert [e["cards"] for e in named(following, "decks_removed")] == ([cards] if cards != deck else [])
    assert [e["cards"] for e in named(following, "decks_received")] == ([deck] if cards != deck else [])
    assert named(following, "round_voided") == []
    assert sorted(session.shoe.rack) == sorted(fresh_cards(1, joker=ruleset == FORTUNE))


def test_a_misdeal_shows_in_the_stub_unless_two_stacks_make_up_for_each_other() -> None:
    expected = {
        "stack_short": 12,
        "stack_long": 10,
        "stacks_uneven": 11,
        "card_missing": 10,
        "card_too_many": 12,
    }
    for name, stub in expected.items():
        _, round_ = one_round(FORTUNE, name)
        assert [e["cards"] for e in named(round_, "stub_counted")] == [stub]
        sizes = sorted(len(e["cards"]) for e in named(round_, "stack_delivered"))
        assert sizes == {"stack_short": [5, *[6] * 6], "stack_long": [*[6] * 6, 7]}.get(
            name, [5, *[6] * 5, 7] if name == "stacks_uneven" else [6] * 7
        )


def test_a_forgotten_bonus_card_leaves_one_card_too_many_in_the_stub() -> None:
    _, round_ = one_round(MANUAL, "bonus_card_forgotten")
    assert any(e["kind"] == "six_card_bonus" for e in named(round_, "wager_placed"))
    assert all(e["hand"] != "bonus" for e in named(round_, "card_placed"))


FAULTY = [(ruleset, name) for ruleset in (FORTUNE, MANUAL) for name in BREACHES[ruleset]]


def _traces(ruleset: Ruleset, round_: list[Event]) -> Iterator[str]:
    """What an auditor could hold against a round, by name of the breach."""
    names = [event.name for event in round_]
    for name, event in [
        ("not_announced", "betting_closed"),
        ("no_starting_position", "starting_position_set"),
        ("stub_not_counted", "stub_counted"),
        ("not_locked", "system_wagers_locked"),
        ("chips_not_counted", "system_wagers_counted"),
        ("no_envy_lammer", "lammer_placed"),
    ]:
        if event not in names:
            yield name
    if "card_exposed" in names:
        yield "stub_exposed"
    dealt = named(round_, "stack_delivered", "card_placed")
    if any(event["face_up"] for event in dealt):
        yield "stack_face_up" if ruleset == FORTUNE else "card_face_up"
    if any(event["from_hand"] == "other" for event in named(round_, "card_drawn")):
        yield "wrong_hand"
    if "betting_closed" in names and "wager_placed" in names[names.index("betting_closed") :]:
        yield "late_wager"
    if ruleset == FORTUNE:
        positions = [event["position"] for event in dealt]
        yield from ["position_skipped"] * (len(positions) < 7)
        start = [event["position"] for event in named(round_, "starting_position_set")]
        yield from ["wrong_start"] * (start not in ([], positions[:1]) and len(positions) == 7)
    wrong_stub = [e["cards"] for e in named(round_, "stub_counted")] != [_expected_stub(ruleset, round_)]
    sizes = {len(e["cards"]) for e in named(round_, "stack_delivered")} | {
        sum(e["hand"] == spot for e in named(round_, "card_placed"))
        for spot in {e["hand"] for e in named(round_, "card_placed")} - {"bonus"}
    }
    if wrong_stub and "round_voided" not in names and "stub_counted" in names:
        yield "misdeal_played_on" if len(sizes) > 1 else "stub_short_played_on"
        if "bonus" not in {e.data.get("hand") for e in dealt}:
            yield "bonus_card_forgotten_played_on"
    if "round_voided" in names and any(e["outcome"] != "return" for e in named(round_, "wager_settled")):
        yield "void_wager_kept"


def _expected_stub(ruleset: Ruleset, round_: list[Event]) -> int:
    if ruleset == FORTUNE:
        return 11
    mains = len({e["seat"] for e in named(round_, "wager_placed")})
    bonus = any(e["kind"] == "six_card_bonus" for e in named(round_, "wager_placed"))
    return 52 - 5 * (mains + 1) - bonus


@pytest.mark.parametrize(("ruleset", "name"), FAULTY)
def test_a_breach_leaves_its_trace_in_the_stream(ruleset: Ruleset, name: str) -> None:
    session, round_ = one_round(ruleset, name)
    if name == "bad_deck_kept":
        for _ in range(5):
            session.play()
        following = events(session.writer.take())
        voided = following.index(named(following, "round_voided")[0])
        assert named(following[:voided], "decks_removed") == []
    else:
        assert name in set(_traces(ruleset, round_))


@GAMES
def test_an_ordinary_round_has_no_trace_of_a_breach(ruleset: Ruleset) -> None:
    _, round_ = one_round(ruleset, "card_missing" if ruleset == FORTUNE else "hand_long")
    assert set(_traces(ruleset, round_)) & set(BREACHES[ruleset]) == set()


@GAMES
def test_streams_with_everything_that_can_go_wrong_keep_the_contract(ruleset: Ruleset) -> None:
    session = Session(table(ruleset), 9)
    for name in [*IRREGULARITIES[ruleset], *BREACHES[ruleset]]:
        session.play()
        session.play(name)
    session.close()
    assert list(contract_faults(session.writer.take())) == []


def test_an_unknown_irregularity_is_refused() -> None:
    with pytest.raises(KeyError):
        Session(table(MANUAL), 1).play("stack_short")


def test_hands_compare_by_pattern_then_height() -> None:
    pair, higher = ["2c", "2d", "4h", "6s", "8c"], ["3c", "3d", "4h", "6s", "8c"]
    assert strength(pair) < strength(higher) < strength(["2c", "2d", "4h", "4s", "8c"])
    assert pattern(["Jo", "Ac", "4h", "6s", "8c"]) == "pair"
    assert pattern(["2c", "3d", "4h", "5s", "6c"]) == "straight"
    assert pattern(["2c", "4c", "6c", "8c", "Tc", "Td"]) == "flush"
    assert pattern(["2c", "2d", "2h", "3s", "3c"]) == "full house"
    assert pattern(["2c", "2d", "2h", "2s", "3c"]) == "four"
    assert (side_odds("fortune_bonus", pair), side_odds("fortune_bonus", ["2c", "2d", "2h", "2s", "3c"])) == (
        0,
        40,
    )
