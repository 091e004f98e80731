"""One thing wrong with the equipment, the approvals or the decks of a lawful table is one breach, citing its clause."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache, partial

from producers.simulator.floor.gaming_floor import gaming_floor, seed_of
from producers.simulator.floor.setup import BLACKJACK
from producers.simulator.session import simulate_table
from tests.mutations.rechain import (
    Event,
    altered,
    breaches,
    dropped,
    inserted,
    kind,
    like,
    load,
    moved,
    parse,
    rounds_of,
)
from tests.mutations.stack_mutations import change, drop
from tests.mutations.table import Broken, Row

Mutation = Callable[[list[Event]], list[Event] | None]
EXAMPLES = (
    "lawful_free_bet_590",
    "lawful_free_bet_672a",
    "lawful_free_bet_672a_batch",
    "lawful_down_under_685a",
    "irregular_two_gaming_days",
    "irregular_reader_fault",
    "irregular_early_surrender",
    "irregular_continuous_shuffler_du",
)
SIMULATED = {setup.subject: setup for setup in gaming_floor(12, seed=31) if setup.ruleset in BLACKJACK}
CHAPTERS = {"free_bet_590": "590", "free_bet_672a": "672a", "down_under_685a": "685a"}


@cache
def stream(name: str) -> list[Event]:
    if name in SIMULATED:
        setup = SIMULATED[name]
        return parse(simulate_table(setup, 6, seed_of(31, name)))
    return load(name)


def first(events: list[Event], wanted: str, **data: object) -> int | None:
    for index, event in enumerate(events):
        if kind(event) == wanted and all(event["data"].get(key) == value for key, value in data.items()):
            return index
    return None


def configured(events: list[Event]) -> dict[str, object]:
    return dict(events[0]["data"])


def config(**data: object) -> Mutation:
    return lambda events: altered(events, 0, **data)


def without_code(code: str) -> Mutation:
    def mutate(events: list[Event]) -> list[Event] | None:
        layout = events[0]["data"]["layout"]
        if code in ("payouts", "no_surrender") and first(events, "approval_recorded", matter="signage"):
            return None  # an approved sign may carry it
        return altered(events, 0, layout=[one for one in layout if one != code]) if code in layout else None

    return mutate


def at_first(wanted: str, how: Callable[[list[Event], int], list[Event]], **data: object) -> Mutation:
    """The mutation of the first event of a type with these data."""

    def mutate(events: list[Event]) -> list[Event] | None:
        index = first(events, wanted, **data)
        return None if index is None else how(events, index)

    return mutate


def approval(matter: str, how: Callable[[list[Event], int], list[Event]]) -> Mutation:
    return at_first("approval_recorded", how, matter=matter)


def belated(events: list[Event], index: int) -> list[Event]:
    """The event comes after the first round began."""
    return moved(events, index, (first(events, "round_started") or 0) + 1)


def no_inspection_on_the_second_day(events: list[Event]) -> list[Event] | None:
    days = [index for index, event in enumerate(events) if kind(event) == "gaming_day_started"]
    if len(days) < 2:
        return None
    index = first(events[days[1] :], "device_inspected")
    return None if index is None else dropped(events, days[1] + index)


def decks(nth: int, **data: object) -> Mutation:
    def mutate(events: list[Event]) -> list[Event] | None:
        indexes = [index for index, event in enumerate(events) if kind(event) == "decks_received"]
        return altered(events, indexes[nth], **data) if len(indexes) > nth else None

    return mutate


def only(mutation: Mutation, **wanted: object) -> Mutation:
    """The mutation, for tables configured so."""

    def mutate(events: list[Event]) -> list[Event] | None:
        data = configured(events)
        return mutation(events) if all(data.get(key) == value for key, value in wanted.items()) else None

    return mutate


def offering(side: str, mutation: Mutation) -> Mutation:
    def mutate(events: list[Event]) -> list[Event] | None:
        return mutation(events) if side in events[0]["data"]["side_wagers"] else None

    return mutate


def stranger(events: list[Event]) -> list[Event] | None:
    """Somebody sits down for a moment where no position is."""
    index = first(events, "player_arrived")
    if index is None:
        return None
    who = {"seat": 9, "player": "P-stranger"}
    arrival = like(events[index], "player_arrived", **who)
    leaving = {**like(events[index], "player_left", **who), "id": f"{arrival['id']}-left"}
    return inserted(events, index + 1, arrival, leaving)


def refused_bettor(events: list[Event]) -> list[Event] | None:
    """A patron who wagered on the round before is turned away."""
    ranges = rounds_of(events)
    for (start, end), (following, _) in itertools.pairwise(ranges):
        between = {kind(event) for event in events[end:following]}
        wagers = [event for event in events[start:end] if kind(event) == "wager_placed"]
        if wagers and not between & {"shoe_loaded", "shuffler_loaded", "player_left", "player_arrived"}:
            seat = wagers[0]["data"]["seat"]
            refusal = like(events[following], "wager_refused", seat=seat, reason="mid_shoe_entry")
            return inserted(events, following + 1, refusal)
    return None


def refused_after_the_shuffle(events: list[Event]) -> list[Event] | None:
    """Before any round since the shuffle a newcomer is turned away."""
    index = first(events, "round_started")
    if index is None:
        return None
    return inserted(events, index + 1, like(events[index], "wager_refused", seat=1, reason="mid_shoe_entry"))


LAYOUT_CLAUSES = {
    "name": "2(b)(1)", "wager_area": "2(b)(2)", "side_area": "2(b)", "payouts": "2(b)", "blackjack_3_2": "2(b)",
    "insurance_2_1": "2(b)", "draw_16_stand_17": "2(b)", "push_22": "2(b)(3)(iv)", "no_surrender": "2(b)",
    "range_areas": "2(b)(3)", "range_small": "2(b)(3)(i)", "range_medium": "2(b)(3)(ii)",
    "range_large": "2(b)(3)(iii)", "drop_and_tip_boxes": "2(c)#1", "card_reader": "2(d)#1",
    "masque_reader": "2(d)#1", "discard_rack": "2(e)",
}  # fmt: skip
APPROVALS = {
    "layout": "2(b)", "rules_submission": "7(r)", "shoe_location": "7(a)#2", "box_location": "2(c)#1",
    "self_shuffling_device": "5(h)#1", "signage": "2(b)",
}  # fmt: skip
CASES: dict[str, tuple[Mutation, str]] = {
    **{f"no {code}": (without_code(code), clause) for code, clause in LAYOUT_CLAUSES.items()},
    **{
        f"{word} approval: {matter}": (approval(matter, how), clause)
        for word, how in (("no", drop), ("late", change(approved_on="2031-01-01")), ("belated", belated))
        for matter, clause in APPROVALS.items()
    },
    "no approval: shuffler": (only(approval("shuffler", drop), shuffler="batch"), "5(a)#4"),
    "seven seats": (config(seats=7), "2(a)"),
    "a player at no position": (stranger, "2(a)"),
    "no limit of boxes": (config(boxes_per_player=0), "6(f)"),
    "no inspection": (at_first("device_inspected", drop), "2(d)#2"),
    "no inspection on the second day": (no_inspection_on_the_second_day, "2(d)#2"),
    "inspection too late": (at_first("device_inspected", belated), "2(d)#2"),
    "inspected by the dealer": (at_first("device_inspected", change(staff="D-301")), "2(d)#2"),
    "another device inspected": (at_first("device_inspected", change(device="shoe")), "2(d)#2"),
    "found not working": (at_first("device_inspected", change(working=False)), "2(d)#2"),
    "found tampered with": (at_first("device_inspected", change(tampered=True)), "2(d)#2"),
    "no floorperson": (at_first("floorperson_assigned", drop), "2(d)#2"),
    "a chapter that has lapsed": (
        only(at_first("gaming_day_started", change(gaming_day="2016-08-27")), ruleset="free_bet_590"), "7(r)",
    ),
    "fewer positions than patrons": (config(seats=2), "2(a)"),
    "not repaired": (at_first("device_restored", drop), "{irr}"),
    "seven decks": (only(config(decks=7), shuffler="none"), "3(a)#1"),
    "seven decks received": (only(decks(0, decks=7), shuffler="none"), "3(a)#1"),
    "no decks": (
        only(lambda events: dropped(events, first(events, "decks_received") or 0), shuffler="none"),
        "3(a)#1",
    ),
    "unequal batches": (only(decks(1, decks=5), shuffler="batch"), "3(b)(1)"),
    "one batch": (only(config(batches=1), shuffler="batch"), "3(b)"),
    "batches of one colour": (only(decks(1, back_colour="red"), shuffler="batch"), "3(b)(2)"),
    "batches of two designs": (only(decks(0, design="other"), shuffler="batch"), "3(b)(2)"),
    "a shuffler the table has not": (only(config(shuffler="none", batches=1), shuffler="batch"), "5(a)#4"),
    "no Push 22 paytable": (offering("push22", config(paytables={})), "{odds}(c)#1"),
    "paytable C": (offering("push22", config(paytables={"push22": "C"})), "{odds}(c)#1"),
    "Match-the-Dealer with five decks": (offering("match_dealer", config(decks=5)), "6(e)#2"),
    "Match-the-Dealer line of other decks": (
        offering("match_dealer", lambda events: altered(
            events, 0, paytables={"match_dealer": "8" if events[0]["data"]["decks"] == 6 else "6"})),
        "11(c)",
    ),
    "a side wager of another game": (config(side_wagers=["progressive"]), "6(e)#1"),
    "even money in 590": (only(config(even_money=True), ruleset="free_bet_590"), "12(a)#2"),
    "not laid on the cards": (
        only(at_first("wager_moved", drop, kind="main"), ruleset="free_bet_590"), "590.9(a)(2)#1",
    ),
    "refused after betting": (refused_bettor, "6(b)"),
    "refused after the shuffle": (refused_after_the_shuffle, "6(b)(2)"),
}  # fmt: skip
# Taking these away also breaks duties of others, which say so in their own findings.
ALSO = {
    "no floorperson": ("4(a)",),
    "fewer positions than patrons": ("2(a)", "5", "7"),
    "no decks": ("3", "4", "5", "7"),
    "seven decks received": ("3(a)#4", "integrity"),
    "no Push 22 paytable": ("7(n)", "{odds}"),
    "paytable C": ("7(n)", "{odds}"),
    "unequal batches": ("3(a)#4",),
    "a shuffler the table has not": ("3", "4", "5"),
    "one batch": ("3",),
    "a side wager of another game": ("6(e)#1", "2(b)"),
    "no approval: self_shuffling_device": ("3", "5"),
    "late approval: self_shuffling_device": ("3", "5"),
    "belated approval: self_shuffling_device": ("3", "5"),
    "Match-the-Dealer line of other decks": ("11(c)", "7(f)"),
}
IRREGULARITIES = {"590": "590.13", "672a": "672a.12", "685a": "685a.12"}
ODDS = {"590": "590.12", "672a": "672a.11", "685a": "685a.11"}


def spelled(clause: str, chapter: str) -> str:
    if clause.startswith("{"):
        return clause.format(irr=IRREGULARITIES[chapter], odds=ODDS[chapter])
    return clause if clause.startswith(("590.", "integrity")) else f"{chapter}.{clause}"


def _tries(name: str, most: int) -> Iterator[Broken]:
    """Of each chapter at half so many tables, the shortest where the mutation can be made."""
    mutate, clause = CASES[name]
    tried = Counter[str]()
    for table in sorted((*EXAMPLES, *SIMULATED), key=lambda table: len(stream(table))):
        events = stream(table)
        chapter = CHAPTERS[str(configured(events)["ruleset"])]
        mutant = mutate(events) if tried[chapter] < -(-most // 2) else None
        if mutant is not None:
            tried[chapter] += 1
            also = tuple(spelled(one, chapter) for one in ALSO.get(name, ()))
            yield Broken(table, breaches(mutant), (spelled(clause, chapter),), also)


MUTATIONS = [[Row(f"equipment: {name}", partial(_tries, name), once=name not in ALSO)] for name in CASES]
