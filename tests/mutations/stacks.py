"""One event of an automated shoe's stream is broken, and the clause of 670a.10 that it breaks is cited alone."""

from __future__ import annotations

from schemas.values import Ruleset
from tests.mutations.rechain import altered
from tests.mutations.stack_mutations import (
    SIX,
    after,
    all_of,
    before,
    change,
    counted_wrong,
    double_pair,
    drop,
    drop_pair,
    flip,
    insert,
    not_misdealt,
    nth_stack,
    pair_of,
    proper,
    show_stack,
    swap_spots,
    unseen,
    void,
)
from tests.mutations.stack_streams import Case, named, put_right, rows, streams

RULESET: Ruleset = "fortune_670a10"


DISPENSED, DELIVERED = named("stack_dispensed"), named("stack_delivered")
A, B, C, D, E, F = (f"670a.10({letter})" for letter in "abcdef")
WITNESS = ("integrity.witness", "integrity.shoe")

CASES: dict[str, Case] = {
    "loaded without a shuffle": (named("shuffle_completed"), drop, (f"{A}(1)",), ()),
    "loaded without a cut": (named("cut_made"), drop, (f"{A}(1)",), ()),
    "loaded before the cut": (named("cut_made"), after("shoe_loaded"), (f"{A}(1)",), ()),
    "cut before the shuffle": (named("cut_made"), before("shuffle_completed", last=True), (f"{A}(1)",), ()),
    "not loaded": (named("shoe_loaded"), drop, (f"{A}(1)",), ()),
    "not announced": (named("betting_closed"), drop, (f"{A}(2)",), ()),
    "closed without announcing": (named("betting_closed"), change(announced=False), (f"{A}(2)",), ()),
    "announced after the first stack": (named("betting_closed"), after("stack_dispensed"), (f"{A}(2)",), ()),
    "a wager after the announcement": (named("wager_placed"), after("betting_closed"), (f"{A}(2)",), ()),
    "a wager after the deal": (
        named("wager_placed", kind="main"), before("stub_removed"), (f"{A}(2)",), (),
    ),
    "a wager raised after the announcement": (
        all_of(named("betting_closed"), proper),
        insert("wager_altered", 1, seat=1, kind="main", from_cents=1000, to_cents=1500, by="player"),
        (f"{A}(2)",), (),
    ),
    "no Envy lammer": (named("lammer_placed"), drop, (f"{A}(2)(i)",), ()),
    "an Envy lammer too late": (named("lammer_placed"), after("stack_dispensed"), (f"{A}(2)(i)",), ()),
    "an Envy lammer at another seat": (named("lammer_placed"), change(hand="6.1"), (f"{A}(2)(i)",), ()),
    "an Envy lammer for less than $5": (
        all_of(named("wager_placed", kind="fortune_bonus"), lambda ev, at: ev[at]["data"]["cents"] >= 500),
        change(cents=499), (f"{A}(2)(i)",), ("670a.10(e)",),
    ),
    "not locked": (named("system_wagers_locked"), drop, (f"{A}(2)(ii)#1",), ()),
    "locked after the first stack": (named("system_wagers_locked"), after("stack_dispensed"), (f"{A}(2)(ii)#1",), ()),
    "a progressive wager after the lock": (
        named("wager_placed", kind="progressive"), after("system_wagers_locked"), (f"{A}(2)(ii)#1",), (),
    ),
    "chips not counted": (named("system_wagers_counted"), drop, (f"{A}(2)(ii)#2",), ()),
    "too few chips": (named("system_wagers_counted"), change(chips=0), (f"{A}(2)(ii)#2",), ()),
    "chips differ from the system": (named("system_wagers_counted"), change(accepted=6), (f"{A}(2)(ii)#2",), ()),
    "chips counted after the first stack": (
        named("system_wagers_counted"), after("stack_dispensed"), (f"{A}(2)(ii)#2",), (),
    ),
    "chips not stored": (named("chips_to_inventory"), drop, (f"{A}(2)(ii)#3",), ()),
    "chips stored before the count": (
        named("chips_to_inventory"), before("system_wagers_counted", last=True), (f"{A}(2)(ii)#3",), (),
    ),
    "fewer chips stored": (named("chips_to_inventory"), change(chips=0), (f"{A}(2)(ii)#3",), ()),
    "less money stored": (named("chips_to_inventory"), change(cents=50), (f"{A}(2)(ii)#3",), ()),
    "no starting position": (named("starting_position_set"), drop, (B,), ()),
    "a starting position of no listed method": (named("starting_position_set"), change(method="habit"), (B,), ()),
    "a starting position after the first stack": (named("starting_position_set"), after("stack_dispensed"), (B,), ()),
    "a starting position before betting closed": (
        named("starting_position_set"), before("betting_closed", last=True), (B,), (),
    ),
    "another start than was set": (
        all_of(named("starting_position_set"), lambda ev, at: ev[at]["data"]["position"] != "4", proper),
        change(position="4"), (f"{C}#1",), (),
    ),
    "the first stack goes elsewhere": (
        all_of(nth_stack(0), DELIVERED, proper), swap_spots, (f"{C}#1",), (),
    ),
    "the first stack face up": (all_of(nth_stack(0), DELIVERED), change(face_up=True), (f"{C}#1",), ()),
    "a later stack face up": (all_of(nth_stack(1, 3, 6), DELIVERED), change(face_up=True), (f"{C}#2",), ()),
    "the first position skipped": (all_of(nth_stack(0), DISPENSED, proper), drop_pair, (f"{C}#1",), ()),
    "a position skipped": (all_of(nth_stack(1, 2, 4), DISPENSED, proper), drop_pair, (f"{C}#2",), ()),
    "the last position skipped": (all_of(nth_stack(6), DISPENSED, proper), drop_pair, (f"{C}#2",), ()),
    "a position served twice": (all_of(nth_stack(0, 2, 5), DISPENSED, proper), double_pair, (f"{C}#2",), ()),
    "two stacks out of turn": (all_of(nth_stack(1, 2, 3), DELIVERED, proper), swap_spots, (f"{C}#2",), ()),
    "a stack not delivered": (all_of(nth_stack(1, 4), DELIVERED, proper), drop, ("integrity.witness",), WITNESS),
    "a stack of seven": (all_of(nth_stack(0, 2, 6), DISPENSED, proper), pair_of(7), (f"{D}#1",), ()),
    "a stack of five": (all_of(nth_stack(0, 3, 6), DISPENSED, proper), pair_of(5), (f"{D}#1",), ()),
    "the stub taken out early": (named("stub_removed"), before("stack_dispensed", last=True), (f"{D}#1",), ()),
    "the stub left in the shoe": (named("stub_removed"), drop, (f"{D}#1",), ()),
    "the stub taken out after its count": (named("stub_removed"), after("stub_counted"), (f"{D}#1",), ()),
    "the stub not counted": (named("stub_counted"), drop, (f"{D}#2",), ()),
    "the stub counted after the hands": (
        all_of(named("stub_counted"), proper), before("wager_settled"), (f"{D}#2", f"{D}#4"), (f"{D}#4",),
    ),
    "the stub counted face up": (named("stub_counted"), change(face_down=False), (f"{D}#2",), ()),
    "a stub card seen before the count": (
        named("stub_counted"), insert("card_exposed", 0, card="As", where="stub"), (f"{D}#3",), (),
    ),
    "a stub card seen after the count": (
        named("stub_counted"), insert("card_exposed", 1, card="As", where="stub"), (f"{D}#3",), (),
    ),
    "the stub not racked": (all_of(named("cards_racked", reason="stub"), proper), drop, (f"{D}#4",), ()),
    "ten cards of the stub racked": (
        all_of(named("cards_racked", reason="stub"), proper), change(cards=["??"] * 10), (f"{D}#4",), (),
    ),
    "twelve cards racked as the stub": (
        all_of(named("cards_racked", reason="stub"), proper), change(cards=["??"] * 12), (f"{D}#4",), (),
    ),
    "the stub racked before its count": (
        all_of(named("cards_racked", reason="stub"), proper), before("stub_counted", last=True), (f"{D}#4",), (),
    ),
    "a stub of ten played on": (all_of(named("stub_counted"), proper), change(cards=10), (f"{E}#3",), ()),
    "a stub of twelve played on": (all_of(named("stub_counted"), proper), change(cards=12), (f"{E}#3",), ()),
    "an unwagered stack left": (named("cards_racked", reason="unwagered"), drop, (f"{F}#1",), ()),
    "an unwagered stack racked before the count": (
        named("cards_racked", reason="unwagered"), before("stub_counted", last=True), (f"{F}#1",), (),
    ),
    "an unwagered stack racked open": (
        named("cards_racked", reason="unwagered"),
        lambda events, index: altered(events, index, cards=[*SIX[:5], unseen(events, index)]), (f"{F}#2",), (),
    ),
    "an unwagered stack shown": (
        named("cards_racked", reason="unwagered"),
        show_stack, (f"{F}#2",), (),
    ),
}  # fmt: skip
RETURNED = named("wager_settled", outcome="return")
VOID: dict[str, Case] = {
    "no determination": (all_of(named("misdeal_determined"), counted_wrong), drop, (f"{E}#1",), ()),
    "a wrong determination": (named("misdeal_determined"), flip("misdealt"), (f"{E}#1",), ()),
    "determined after the round was void": (
        all_of(named("misdeal_determined"), counted_wrong), after("round_voided"), (f"{E}#1",), (),
    ),
    "not declared void": (
        named("round_voided"), drop, (f"{E}#2", f"{E}#3", f"{D}#1"), (),
    ),
    "a wager not returned": (all_of(RETURNED, void), drop, (f"{E}#2", f"{E}#3"), ()),
    "a wager collected": (all_of(RETURNED, void), change(outcome="collect"), (f"{E}#2", f"{E}#3"), ()),
    "a wager returned in part": (all_of(RETURNED, void), change(cents=1), (f"{E}#2", f"{E}#3"), ()),
    "a progressive wager not returned": (
        all_of(named("wager_settled", kind="progressive"), void), drop, (f"{E}#2", f"{E}#3"), (),
    ),
    "a deck that is not whole stays": (all_of(named("decks_removed"), not_misdealt), drop, (f"{E}#4",), ()),
    "the stub of a void round not counted": (
        all_of(named("stub_counted"), void), drop, (f"{D}#2",), ("integrity.shoe",),
    ),
}  # fmt: skip
MUTATIONS = [
    *rows(RULESET, lambda: streams(RULESET), CASES),
    *rows(RULESET, lambda: put_right(RULESET), VOID),
]
