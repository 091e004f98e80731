"""Lawful rounds of the three blackjack chapters, read back from their events: money, lammers, the rack."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from tests.simulator.blackjack_reader import Round, count, laid_out, owed
from tests.simulator.blackjack_tables import TABLES, rounds
from tests.simulator.streams import Event, named


@TABLES
def test_every_stake_moves_as_the_outcome_says(table: str) -> None:
    for _, seen in rounds(table):
        assert seen.moved == owed(seen)


@TABLES
def test_every_lammer_leaves_the_table_once(table: str) -> None:
    for _, seen in rounds(table):
        placed = [(lay.name, kind) for lay in seen.hands.values() for kind in lay.lammers]
        assert Counter(seen.collected_lammers) == Counter(placed)


@TABLES
def test_insurance_is_offered_on_an_ace_only_and_is_at_most_half(table: str) -> None:
    for found, seen in rounds(table):
        assert bool(named(found, "insurance_offered")) is (seen.dealer[0][0] == "A")
        chip = seen.config["chip_cents"]
        for seat, cents in seen.insurance.items():
            assert 0 < cents <= -(-seen.units[seat] // (2 * chip)) * chip
            assert cents % chip == 0
        names = [event.name for event in found]
        if "insurance_offered" in names:
            assert names.index("insurance_offered") < names.index("hole_card_read")


@TABLES
def test_losing_insurance_is_in_before_the_next_card(table: str) -> None:
    for found, seen in rounds(table):
        if seen.insurance and not seen.dealer_natural:
            at = [event.name for event in found].index("hole_card_read")
            following = [event for event in found[at:] if event.name in ("wager_settled", "card_drawn")]
            first = following[: len(seen.insurance)]
            assert [event["kind"] for event in first] == ["insurance"] * len(seen.insurance)


@TABLES
def test_match_the_dealer_is_settled_at_once_from_the_dealers_right(table: str) -> None:
    for found, seen in rounds(table):
        if not seen.free_bets:
            settled = [n for n, event in enumerate(found) if event.data.get("kind") == "match_dealer"]
            settled = [n for n in settled if found[n].name == "wager_settled"]
            assert [found[n]["seat"] for n in settled] == sorted(seen.sides, reverse=True)
            names = [event.name for event in found]
            assert all(n < names.index("hole_card_read") for n in settled)


@TABLES
def test_the_rack_holds_every_hand_whole_and_in_deal_order(table: str) -> None:
    for _, seen in rounds(table):
        dealt = {lay.name: lay.cards for lay in seen.hands.values()} | {"D": seen.dealer}
        assert {hand: cards for hand, cards, _ in seen.racked} == dealt
        assert len(seen.racked) == len(dealt)
        assert sorted(card for _, cards, _ in seen.racked for card in cards) == laid_out(seen)


def early(seen: Round) -> Iterator[str]:
    """Hands that leave the table before the last wager is settled, in their order."""
    if seen.dealer_natural:
        yield from (
            lay.name for lay in seen.hands.values() if lay.fate == "even money" and not tucked(seen, lay.seat)
        )
        return
    ordered = [hand for hand, _, _ in seen.racked]
    immediate = seen.config["bust_collection"] == "immediate"
    for name in ordered:
        lay = seen.hands.get(name)
        if lay is None:
            continue
        box = [other for other in seen.hands.values() if other.seat == lay.seat]
        lammers = any(other.lammers for other in box)
        bust = count(lay.cards) > 21
        all_bust = all(count(other.cards) > 21 for other in box)
        first_of_split = len(box) > 1 and name.endswith(".1") and seen.free_bets
        if lay.natural or lay.fate == "even money":
            gone = not tucked(seen, lay.seat)
        elif lay.fate == "surrendered":
            gone = True
        elif bust and first_of_split:
            at_once = seen.ruleset == "free_bet_672a" and not lammers
            gone = at_once or (immediate and all_bust)
        else:
            gone = bust and immediate
        if gone:
            yield name


def tucked(seen: Round, seat: int) -> bool:
    """Whether a paid Blackjack lies under an open Push 22 wager."""
    return seen.free_bets and seat in seen.sides


@TABLES
def test_the_pickup_follows_the_rules_submission(table: str) -> None:
    for _, seen in rounds(table):
        gone = list(early(seen))
        order = [hand for hand, _, _ in seen.racked]
        assert order[: len(gone)] == gone
        assert [int(name[0]) for name in gone if seen.hands[name].fate != "surrendered"] == sorted(
            int(name[0]) for name in gone if seen.hands[name].fate != "surrendered"
        )
        final = order[len(gone) :]
        assert final.index("D") == (0 if seen.config["dealer_cards"] == "first" else len(final) - 1)
        players = [hand for hand in final if hand != "D"]
        way = seen.config["pickup_order"]
        if way == "losers_first":
            losing = [hand for hand in players if lost(seen, hand)]
            assert players == sorted(losing, reverse=True) + sorted(set(players) - set(losing), reverse=True)
        else:
            assert players == sorted(players, reverse=way == "seats_descending")


def lost(seen: Round, hand: str) -> bool:
    """Whether the dealer's or its own count has beaten a hand."""
    lay = seen.hands[hand]
    if lay.fate in ("even money", "dead"):
        return False
    if seen.dealer_natural:
        return not lay.natural
    if lay.natural:
        return False
    mine = count(lay.cards)
    return mine > 21 or (seen.total <= 21 and mine < seen.total)


def last_settlements(found: list[Event]) -> list[Event]:
    """What moves after the last card, the last decision and the last early pickup."""
    money = max(n for n, event in enumerate(found) if event.name == "wager_settled")
    acts = ("card_placed", "hole_card_revealed", "player_decision", "blackjack_announced", "cards_tucked")
    before = [
        n
        for n, event in enumerate(found)
        if event.name in acts or (event.name == "cards_racked" and n < money)
    ]
    return [event for event in found[max(before) :] if event.name == "wager_settled"]


@TABLES
def test_money_is_settled_by_the_chosen_procedure(table: str) -> None:
    for found, seen in rounds(table):
        final = last_settlements(found)
        if seen.dealer_natural:
            final = [event for event in final if event["kind"] != "match_dealer"]
        if seen.config["settle_order"] == "collect_then_pay":
            taken = [event for event in final if event["outcome"] == "collect"]
            assert final[: len(taken)] == taken
            assert [event["seat"] for event in taken] == sorted((e["seat"] for e in taken), reverse=True)
        else:
            assert [event["seat"] for event in final] == sorted((e["seat"] for e in final), reverse=True)
