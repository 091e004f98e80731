"""Lawful rounds of the three blackjack chapters, read back from their events by the text alone: the play."""

from __future__ import annotations

import dataclasses
import hashlib
from collections import Counter
from collections.abc import Iterator

import pytest

from producers.simulator.blackjack.course import Wish
from producers.simulator.blackjack.hands import SimulatedHand
from producers.simulator.blackjack.incidents.incident import Incident
from producers.simulator.blackjack.rules import Choice
from producers.simulator.blackjack_engine import BlackjackEngine
from producers.simulator.floor.gaming_floor import gaming_floor
from producers.simulator.floor.setup import usual_setup
from producers.simulator.session import Session, simulate_table
from schemas.values import Ruleset
from tests.sampling import one_in
from tests.simulator.blackjack_reader import LARGE, POINTS, Round, count, hard, owed, read
from tests.simulator.blackjack_tables import SETUPS, TABLES, lines_of, rounds, seed_of
from tests.simulator.quiet import QUIET
from tests.simulator.streams import Event, contract_faults, events, named, rounds_of


def seats_of(found: list[Event]) -> list[int]:
    return sorted(event["seat"] for event in named(found, "wager_placed") if event["kind"] == "main")


def reloaded(found: list[Event]) -> bool:
    return bool(named(found, "stack_shuffled_from_rack"))


@TABLES
def test_every_line_keeps_the_contract(table: str) -> None:
    assert list(contract_faults(lines_of(table))) == []


@TABLES
def test_the_same_seed_gives_the_same_bytes(table: str) -> None:
    again = simulate_table(SETUPS[table], 5, seed_of(table))
    for line, other in zip(again, lines_of(table), strict=False):
        if b"table_closed" in line or b"player_left" in line or b"shoe_emptied" in line:
            break
        assert line == other


@TABLES
def test_each_box_gets_a_card_then_the_dealer_and_again(table: str) -> None:
    for found, _ in rounds(table):
        spots = [*(f"{seat}.1" for seat in seats_of(found)), "D"] * 2
        placed = named(found, "card_placed")[: len(spots)]
        assert [event["hand"] for event in placed] == spots
        assert [event["face_up"] for event in placed] == [True] * (len(spots) - 1) + [False]


@TABLES
def test_every_card_drawn_is_laid_down_and_no_hidden_card_is_told(table: str) -> None:
    for found, _ in rounds(table):
        drawn, placed = named(found, "card_drawn"), named(found, "card_placed")
        assert [event["card"] for event in drawn] == [event["card"] for event in placed]
        hidden = [event for event in drawn if event["card"] == "??"]
        [opened] = named(found, "hole_card_revealed")
        sealed = hashlib.sha256(f"{opened['card']}|{opened['nonce']}".encode()).hexdigest()
        assert [event["seal"] for event in hidden] == [sealed]


@TABLES
def test_players_draw_below_21_only_and_double_on_two_cards(table: str) -> None:
    for _, seen in rounds(table):
        for lay in seen.hands.values():
            assert all(count(lay.cards[:n]) < 21 for n in range(2, len(lay.cards))), lay
            doubled = lay.decisions[-1:] == ["double"]
            assert lay.sideways == doubled == ("double" in lay.chips or "free_double" in lay.lammers)
            assert not doubled or len(lay.cards) == 3


@TABLES
def test_doubles_and_splits_cost_what_the_chapter_says(table: str) -> None:
    for _, seen in rounds(table):
        for lay in seen.hands.values():
            unit = seen.units[lay.seat]
            if lay.sideways:
                two = lay.cards[:2]
                free = seen.free_bets and hard(two) and 9 <= count(two) <= 11
                assert ("free_double" in lay.lammers) is free
                assert 0 < lay.chips.get("double", 1) <= unit
            if lay.parent:
                assert POINTS[lay.cards[0][0]] == POINTS[seen.hands[lay.parent].cards[0][0]]
                free = seen.free_bets and POINTS[lay.cards[0][0]] != 10
                assert ("free_split" in lay.lammers) is free
                assert lay.chips.get("split", 0) == (0 if free else unit)
        for seat in seen.units:
            hands = [lay for lay in seen.hands.values() if lay.seat == seat]
            assert len(hands) <= (4 if seen.free_bets else 2)
            if not seen.free_bets and len(hands) == 2 and hands[0].cards[0][0] == "A":
                assert [len(lay.cards) for lay in hands] == [2, 2]


@TABLES
def test_the_dealer_draws_to_17_and_only_where_the_count_matters(table: str) -> None:
    for found, seen in rounds(table):
        limit = 21 if seen.free_bets else 22
        said = [event["total"] for event in named(found, "dealer_total_announced")]
        assert said == [count(seen.dealer[:n], limit) for n in range(3, len(seen.dealer) + 1)]
        assert all(count(seen.dealer[:n], limit) < 17 for n in range(2, len(seen.dealer)))
        live = [
            lay
            for lay in seen.hands.values()
            if lay.fate == "played" and not lay.natural and count(lay.cards) <= 21
        ]
        if not seen.dealer_natural and (live or seen.sides or not seen.free_bets):
            assert seen.total >= 17
        else:
            assert len(seen.dealer) == 2


@TABLES
def test_the_round_goes_from_box_to_box(table: str) -> None:
    for found, seen in rounds(table):
        turns = [
            int(event["hand"].split(".")[0])
            for event in named(found, "player_decision", "blackjack_announced")
            if event.data.get("kind") != "surrender"
        ]
        assert turns == sorted(turns)
        announced = {event["hand"] for event in named(found, "blackjack_announced")}
        naturals = {lay.name for lay in seen.hands.values() if lay.natural and lay.fate == "played"}
        assert announced == (set() if seen.dealer_natural else naturals)


@TABLES
def test_the_hole_card_is_read_where_it_must_be(table: str) -> None:
    for found, seen in rounds(table):
        read_ = [event["result"] for event in named(found, "hole_card_read")]
        up, hole = (card[0] for card in seen.dealer[:2])
        if seen.free_bets:
            assert read_ == (["blackjack" if seen.dealer_natural else "no_blackjack"] if up in LARGE else [])
            continue
        value = POINTS[hole]
        lit = "small" if value <= 5 else "medium" if value <= 9 else "large"
        assert read_ == [event["area"] for event in named(found, "dealer_hand_positioned")] == [lit]
        names = [event.name for event in found]
        shown = names.index("hole_card_revealed")
        acted = min(
            (n for n, event in enumerate(found) if event.name in ("player_decision", "blackjack_announced")),
            default=len(names),
        )
        assert (shown < acted) is (up in LARGE and hole in LARGE) or acted == len(names)


def shoes(stream: list[Event]) -> Iterator[tuple[int, list[str]]]:
    """Number of cards loaded, and the cards that came out, of each shoe that was emptied."""
    size, cards = 0, list[str]()
    for event in stream:
        if event.name == "shoe_loaded":
            size, cards = event["cards"], []
        elif event.name == "card_drawn":
            cards.append(event["card"])
        elif event.name == "card_burned":
            cards.append("??")
        elif event.name == "shoe_emptied":
            yield size, cards + event["cards"]


@pytest.mark.parametrize(
    "table", one_in(4, [name for name, setup in SETUPS.items() if not setup.reshuffles_itself])
)
def test_every_emptied_shoe_holds_its_batch(table: str) -> None:
    setup = SETUPS[table]
    whole = Counter({rank + suit: setup.decks for rank in "23456789TJQKA" for suit in "cdhs"})
    stream = events(lines_of(table))
    for size, cards in shoes(stream):
        assert len(cards) == size
        assert not Counter(card for card in cards if card != "??") - whole


def test_boxes_of_one_patron_lie_side_by_side_and_are_no_more_than_allowed() -> None:
    several = 0
    for table, setup in SETUPS.items():
        for found, _ in rounds(table):
            boxes: dict[str, list[int]] = {}
            for event in named(found, "wager_placed"):
                if event["kind"] == "main":
                    boxes.setdefault(event["player"], []).append(event["seat"])
            for seats in boxes.values():
                assert seats == list(range(seats[0], seats[0] + len(seats)))
                assert len(seats) <= setup.boxes_per_player
                several += len(seats) > 1
    assert several > 10


def test_the_tables_show_what_a_house_may_choose() -> None:
    for name in ("settle_order", "pickup_order", "dealer_cards", "bust_collection", "even_money"):
        assert len({getattr(setup, name) for setup in SETUPS.values()}) > 1, name


@pytest.mark.soak  # of all tables
def test_the_rare_things_happen_too() -> None:
    seen = [found for table in SETUPS for _, found in rounds(table)]
    lays = [lay for found in seen for lay in found.hands.values()]
    assert {lay.fate for lay in lays} == {"played", "surrendered", "even money"}
    assert any(lay.name.endswith(".3") for lay in lays)
    assert any(found.dealer_natural and found.insurance for found in seen)
    assert any(found.total == 22 and found.sides for found in seen if found.free_bets)
    assert any(len(found.dealer) == 2 and found.total < 17 for found in seen)
    assert any(
        lay.chips.get("double", found.units[lay.seat]) < found.units[lay.seat]
        for found in seen
        for lay in found.hands.values()
    )


class Arranged(Incident):
    """Seat 1 gets these cards in this order, and decides as told; the dealer gets his."""

    def __init__(self, cards: dict[str, str], choices: list[Choice]) -> None:
        self.cards = {spot: list(ranks) for spot, ranks in cards.items()}
        self.choices = choices

    def wish(self, spot: str, /) -> Wish | None:
        left = self.cards.get(spot)
        rank = left.pop(0) if left else None
        return None if rank is None else (lambda card: card[0] == rank)

    def choice(self, hand: SimulatedHand, choice: Choice, /) -> Choice:
        return self.choices.pop(0) if hand.seat == 1 and self.choices else choice


def arranged(ruleset: Ruleset, cards: dict[str, str], choices: list[Choice]) -> Round:
    """A round of one patron at seat 1 with arranged cards."""
    session = Session(usual_setup(ruleset, "T-1", habits=QUIET), seed=5)
    session.open()
    assert isinstance(session.engine, BlackjackEngine)
    session.engine.install(Arranged(cards, choices))
    patron = session.life.guests.seated[0]
    session.life.guests.seated[:] = [patron]
    patron.seats = (1,)
    session.writer.take()
    session.play()
    config = {"chip_cents": 50, "paytables": session.setup.paytables}
    return read(ruleset, config, rounds_of(events(session.writer.take()))[0])


@pytest.mark.parametrize(("ruleset", "hands"), [("free_bet_672a", 4), ("down_under_685a", 2)])
def test_a_pair_may_become_four_hands_and_under_685a_two(ruleset: Ruleset, hands: int) -> None:
    cards = {"1.1": "88888T", "1.2": "T", "1.3": "T", "1.4": "T", "D": "99"}
    splits: list[Choice] = ["split"] * (hands - 1)
    seen = arranged(ruleset, cards, splits)
    assert [lay.name for lay in seen.hands.values()] == [f"1.{n}" for n in range(1, hands + 1)]
    assert seen.moved == owed(seen)


def test_chips_that_doubled_a_free_hand_come_back_on_a_tie() -> None:
    cards = {"1.1": "88T", "1.2": "48", "D": "TT"}
    seen = arranged("free_bet_672a", cards, ["split", "stand", "double"])
    free = seen.hands["1.2"]
    assert (free.cards[0][0], count(free.cards), seen.total) == ("8", 20, 20)
    assert set(free.chips) == {"double"}
    assert seen.moved[1, "double", "1.2", "return"] == free.chips["double"]
    assert seen.moved == owed(seen)


def test_a_shoe_that_runs_out_is_loaded_from_the_rack_and_the_round_goes_on() -> None:
    setup = dataclasses.replace(
        gaming_floor(1, 1, ("free_bet_590",))[0], decks=1, seats=6, patrons=(6, 6), shuffler="none"
    )
    stream = events(simulate_table(setup, 120, seed=4))
    found = [round_ for round_ in rounds_of(stream) if reloaded(round_)]
    assert found
    for round_ in found:
        assert round_[-1].name == "round_ended"
        names = [event.name for event in round_]
        at = names.index("stack_shuffled_from_rack")
        assert names[at - 1] == "shoe_emptied"
        assert "card_burned" in names[at:]
        seen = read(setup.ruleset, stream[0].data, round_)
        assert seen.moved == owed(seen)
