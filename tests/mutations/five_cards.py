"""One event of a manual shoe's stream is broken, and the clause of 657a.8 that it breaks is cited alone."""

from __future__ import annotations

from schemas.values import Ruleset
from tests.mutations.rechain import Event, altered, inserted, kind, like, moved
from tests.mutations.stack_mutations import (
    after,
    all_of,
    before,
    change,
    drop,
    drop_pair,
    flip,
    insert,
    not_misdealt,
    proper,
    void,
)
from tests.mutations.stack_streams import (
    Case,
    Mutation,
    Wanted,
    at_of,
    in_round,
    named,
    put_right,
    rows,
    streams,
)

RULESET: Ruleset = "manual_shoe_657a8"
A, B, C, D, E, F, G, H = (f"657a.8({letter})" for letter in "abcdefgh")
WITNESS = ("integrity.witness", "integrity.shoe")
DRAWN, PLACED = named("card_drawn"), named("card_placed")
STUB = all_of(named("cards_racked", reason="stub"), proper)


def counted(events: list[Event], index: int) -> bool:
    """Whether the stub of the round around an index is counted."""
    return any(kind(event) == "stub_counted" for event in in_round(events, index))


def count_is_off(events: list[Event], index: int) -> bool:
    """Whether the stub's count does not leave 52 cards with a proper deal."""
    round_ = in_round(events, index)
    seats = {event["data"]["seat"] for event in round_ if event["data"].get("kind") == "main"}
    proper_stub = 52 - 5 * (len(seats) + 1) - (not no_bonus(events, index))
    counts = [event["data"]["cards"] for event in round_ if kind(event) == "stub_counted"]
    return bool(counts) and counts != [proper_stub]


def uncounted(events: list[Event], index: int) -> bool:
    return not counted(events, index)


def to(hand: str) -> Wanted:
    return lambda events, index: (
        kind(events[index + 1]) == "card_placed" and events[index + 1]["data"]["hand"] == hand
    )


def not_to(*hands: str) -> Wanted:
    return lambda events, index: events[index]["data"]["hand"] not in hands


def swap_hands(events: list[Event], index: int) -> list[Event]:
    """Two cards change places."""
    here, there = events[index]["data"]["hand"], events[index + 2]["data"]["hand"]
    return altered(altered(events, index, hand=there), index + 2, hand=here)


def extra_card(events: list[Event], index: int) -> list[Event]:
    return inserted(
        events,
        index + 1,
        *(like(event, kind(event), **event["data"]) for event in events[index - 1 : index + 1]),
    )


def bonus_first(events: list[Event], index: int) -> list[Event]:
    """A bonus card that nobody wagered on."""
    first = at_of(events, index, "card_drawn")
    pair = [
        like(events[first], "card_drawn", card="??", from_hand="shoe_side"),
        like(events[first + 1], "card_placed", hand="bonus", card="??", face_up=False, by_hand="other"),
    ]
    return inserted(events, first, *pair)


def no_bonus(events: list[Event], index: int) -> bool:
    return not any(event["data"].get("kind") == "six_card_bonus" for event in in_round(events, index))


def next_is_another_hand(events: list[Event], index: int) -> bool:
    return (
        kind(events[index + 2]) == "card_placed"
        and events[index + 2]["data"]["hand"] != events[index]["data"]["hand"]
    )


def fewer(events: list[Event], index: int) -> list[Event]:
    return altered(events, index, cards=events[index]["data"]["cards"][1:])


def one_off(by: int) -> Mutation:
    return lambda events, index: altered(events, index, cards=events[index]["data"]["cards"] + by)


def after_lock(events: list[Event], index: int, system: str) -> list[Event]:
    return moved(events, index, at_of(events, index, "system_wagers_locked", system=system) + 1)


CASES: dict[str, Case] = {
    "loaded without a shuffle": (named("shuffle_completed"), drop, (f"{A}#2",), ()),
    "loaded without a cut": (named("cut_made"), drop, (f"{A}#2",), ()),
    "loaded before the cut": (named("cut_made"), after("shoe_loaded"), (f"{A}#2",), ()),
    "not loaded": (named("shoe_loaded"), drop, (f"{A}#2",), ()),
    "not announced": (named("betting_closed"), drop, (f"{B}#1",), ()),
    "closed without announcing": (named("betting_closed"), change(announced=False), (f"{B}#1",), ()),
    "announced after the first card": (named("betting_closed"), after("card_placed"), (f"{B}#1",), ()),
    "a wager after the announcement": (named("wager_placed"), after("betting_closed"), (f"{B}#1",), ()),
    "a wager after the deal": (named("wager_placed", kind="main"), before("stub_removed"), (f"{B}#1",), ()),
    "a system not locked": (named("system_wagers_locked"), drop, (f"{B}#2",), ()),
    "a system locked after the first card": (named("system_wagers_locked"), after("card_drawn"), (f"{B}#2",), ()),
    "a wager after the lock": (
        named("wager_placed", kind="five_card_hand"),
        lambda events, index: after_lock(events, index, "five_card_hand"), (f"{B}#2",), (),
    ),
    "chips not counted": (named("system_wagers_counted"), drop, (f"{B}#3",), ()),
    "too few chips": (named("system_wagers_counted"), change(chips=0), (f"{B}#3",), ()),
    "chips counted after the first card": (named("system_wagers_counted"), after("card_placed"), (f"{B}#3",), ()),
    "chips not stored": (named("chips_to_inventory"), drop, (f"{B}#4",), ()),
    "chips stored before the count": (
        named("chips_to_inventory"), before("system_wagers_counted", last=True), (f"{B}#4",), (),
    ),
    "less money stored": (named("chips_to_inventory"), change(cents=50), (f"{B}#4",), ()),
    "drawn with the wrong hand": (DRAWN, change(from_hand="other"), (f"{C}#1",), ()),
    "placed with the wrong hand": (PLACED, change(by_hand="shoe_side"), (f"{C}#1",), ()),
    "a card face up": (PLACED, change(face_up=True), (f"{C}#2",), ()),
    "a card exposed": (PLACED, insert("card_exposed", 0, card="??", where="drawn_in_error"), (f"{C}#2",), ()),
    "the bonus card face up": (named("card_placed", hand="bonus"), change(face_up=True), (f"{D}#1",), ()),
    "no bonus card": (all_of(DRAWN, to("bonus"), proper), drop_pair, (f"{D}#1",), ()),
    "the bonus card second": (all_of(named("card_placed", hand="bonus"), proper), swap_hands, (f"{D}#1",), ()),
    "a bonus card without a wager": (all_of(named("betting_closed"), proper, no_bonus), bonus_first, (f"{D}#1",), ()),
    "two cards out of turn": (
        all_of(PLACED, not_to("bonus"), next_is_another_hand, proper), swap_hands, (f"{D}#2",), (),
    ),
    "a hand of four": (all_of(DRAWN, to("D"), proper), drop_pair, (f"{D}#3",), ()),
    "a hand passed over": (all_of(DRAWN, to("1.1"), proper), drop_pair, (f"{D}#3",), ()),
    "a hand of six": (all_of(PLACED, not_to("bonus"), proper), extra_card, (f"{D}#3",), ()),
    "a card to another hand": (all_of(PLACED, not_to("bonus", "D"), proper), change(hand="D"), (f"{D}#3",), ()),
    "a card to an empty seat": (all_of(PLACED, not_to("bonus"), proper), change(hand="6.1"), (f"{D}#3",), WITNESS),
    "the stub taken out early": (named("stub_removed"), before("card_drawn", last=True), (f"{E}#1",), ()),
    "the stub left in the shoe": (named("stub_removed"), drop, (f"{E}#1",), ()),
    "an uncounted stub not racked": (all_of(STUB, uncounted), drop, (f"{E}#2",), ()),
    "an uncounted stub racked in part": (all_of(STUB, uncounted), fewer, (f"{E}#2",), ()),
    "an uncounted stub seen": (
        all_of(STUB, uncounted), insert("card_exposed", 0, card="As", where="stub"), (f"{E}#2",), (),
    ),
    "the stub counted face up": (named("stub_counted"), change(face_down=False), (f"{F}#3",), ()),
    "a stub card seen before the count": (
        named("stub_counted"), insert("card_exposed", 0, card="As", where="stub"), (f"{F}#3",), (),
    ),
    "a stub card seen after the count": (
        named("stub_counted"), insert("card_exposed", 1, card="As", where="stub"), (G,), (),
    ),
    "a counted stub not racked": (all_of(STUB, counted), drop, (G,), ()),
    "a counted stub racked in part": (all_of(STUB, counted), fewer, (G,), ()),
    "a stub one short played on": (all_of(named("stub_counted"), proper), one_off(-1), (f"{H}#3",), ()),
    "a stub one long played on": (all_of(named("stub_counted"), proper), one_off(1), (f"{H}#3",), ()),
}  # fmt: skip
RETURNED = named("wager_settled", outcome="return")
VOID: dict[str, Case] = {
    "no determination": (all_of(named("misdeal_determined"), count_is_off), drop, (f"{H}#1",), ()),
    "a wrong determination": (named("misdeal_determined"), flip("misdealt"), (f"{H}#1",), ()),
    "determined after the round was void": (
        all_of(named("misdeal_determined"), count_is_off), after("round_voided"), (f"{H}#1",), (),
    ),
    "not declared void": (
        all_of(named("round_voided"), count_is_off), drop, (f"{H}#2", f"{H}#3"), (f"{D}#1", f"{D}#3"),
    ),
    "a wager not returned": (all_of(RETURNED, void), drop, (f"{H}#2", f"{H}#3"), ()),
    "a wager collected": (all_of(RETURNED, void), change(outcome="collect"), (f"{H}#2", f"{H}#3"), ()),
    "a wager returned in part": (all_of(RETURNED, void), change(cents=1), (f"{H}#2", f"{H}#3"), ()),
    "a deck that is not whole stays": (all_of(named("decks_removed"), not_misdealt), drop, (f"{H}#4",), ()),
}  # fmt: skip
MUTATIONS = [
    *rows(RULESET, lambda: (*streams(RULESET), *put_right(RULESET)[:2]), CASES),
    *rows(RULESET, lambda: put_right(RULESET), VOID),
]
