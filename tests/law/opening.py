"""The lawful opening of a table of each ruleset: rules submission, staff, decks, shuffle, cut, shoe, burn."""

from __future__ import annotations

import datetime as dt
from typing import Any

from schemas.events.envelope import utc_text
from tests.law.felt import Felt

FLOORPERSON, DEALER_STAFF, SECOND_DEALER = "F-12", "D-301", "D-302"
_COMMON: dict[str, Any] = {
    "property": "Parkside", "pit": "2", "seats": 6, "batches": 1, "shuffler_counts": False, "even_money": False,
    "pickup_order": "seats_descending", "dealer_cards": "last", "max_cents": 100000,
    "gaming_day_start": "06:00", "timezone": "America/New_York", "cameras": ["C-0217", "C-0218"],
}  # fmt: skip
_BLACKJACK: dict[str, Any] = {
    "decks": 6, "shuffler": "none", "settle_order": "collect_then_pay", "bust_collection": "immediate",
    "boxes_per_player": 2, "min_cents": 1500, "chip_cents": 50,
}  # fmt: skip
_STACKS: dict[str, Any] = {
    "decks": 1, "shuffler": "batch", "settle_order": "seat_by_seat", "bust_collection": "at_settlement",
    "boxes_per_player": 1, "min_cents": 1000, "chip_cents": 100, "paytables": {}, "layout": ["name"],
}  # fmt: skip
_LAYOUT = (
    "name", "wager_area", "blackjack_3_2", "insurance_2_1", "draw_16_stand_17", "payouts", "drop_and_tip_boxes",
    "discard_rack",
)  # fmt: skip
_OWN: dict[str, dict[str, Any]] = {
    "free_bet_590": {
        "side_wagers": ["push22"],
        "paytables": {"push22": "A"},
        "layout": [*_LAYOUT, "card_reader", "push_22", "side_area"],
    },
    "free_bet_672a": {
        "side_wagers": ["push22"],
        "paytables": {"push22": "A"},
        "layout": [*_LAYOUT, "card_reader", "push_22", "no_surrender", "side_area"],
    },
    "down_under_685a": {
        "side_wagers": ["match_dealer"],
        "paytables": {"match_dealer": "6"},
        "layout": [
            *_LAYOUT, "masque_reader", "range_areas", "range_small", "range_medium", "range_large",
            "no_surrender", "side_area",
        ],
    },
    "fortune_670a10": {"side_wagers": ["fortune_bonus", "progressive"]},
    "manual_shoe_657a8": {"side_wagers": ["progressive", "five_card_hand", "six_card_bonus"]},
}  # fmt: skip
DAYS = {
    "free_bet_590": dt.date(2015, 6, 1),
    "free_bet_672a": dt.date(2026, 3, 2),
    "down_under_685a": dt.date(2026, 3, 2),
    "fortune_670a10": dt.date(2026, 3, 2),
    "manual_shoe_657a8": dt.date(2026, 3, 2),
}
MATTERS = ("layout", "rules_submission", "shoe_location", "box_location")


def configuration(ruleset: str, overrides: dict[str, Any]) -> dict[str, Any]:
    """The standard rules submission of a ruleset, with what a case wants otherwise."""
    family = _STACKS if ruleset in ("fortune_670a10", "manual_shoe_657a8") else _BLACKJACK
    return {"ruleset": ruleset, **_COMMON, **family, **_OWN[ruleset], **overrides}


def new_felt(ruleset: str, overrides: dict[str, Any], players: tuple[int, ...], day: dt.date | None) -> Felt:
    """An empty record at three in the afternoon UTC of the gaming day."""
    start = dt.datetime.combine(day or DAYS[ruleset], dt.time(15), dt.UTC)
    return Felt(start, configuration(ruleset, overrides), players)


def play_opening(felt: Felt) -> None:
    """Everything from the rules submission to the first burn; the first of the players cuts."""
    config = felt.config
    felt.event("table_configured", **config)
    itself = config["shuffler"] in ("continuous", "self_shuffling")
    matters = [*MATTERS, *(["shuffler"] if config["shuffler"] != "none" else [])]
    for matter in [*matters, *(["self_shuffling_device"] if itself else [])]:
        felt.event("approval_recorded", matter=matter, reference=f"BGO-{matter}-77", approved_on="2013-06-03")
    felt.event("gaming_day_started", gaming_day=felt.now.date())
    felt.event("dealer_arrived", staff=DEALER_STAFF)
    felt.event("floorperson_assigned", staff=FLOORPERSON)
    if not felt.stacks:
        felt.event("device_inspected", device=felt.reader, staff=FLOORPERSON, working=True, tampered=False)
    staff = (DEALER_STAFF, FLOORPERSON)
    felt.event("inventory_counted", moment="opening", slip="TI-1001", staff=staff, cents=5_000_000)
    names = ("B1", "B2") if config["batches"] == 2 else ("B1",)
    for name, colour in zip(names, ("red", "blue"), strict=False):
        receive(felt, name, colour)
    felt.event("table_opened")
    first, *others = felt.players or (1,)
    arrive(felt, first)
    for name in names:
        open_batch(felt, name, first)
    for seat in others:
        arrive(felt, seat)
    if config["shuffler"] != "batch" or felt.stacks:
        shuffle(felt, felt.batch)
    load(felt, first)


def receive(felt: Felt, name: str, colour: str) -> None:
    """A batch reaches the table and is inspected."""
    decks = felt.config["decks"]
    felt.event(
        "decks_received",
        batch=name,
        decks=decks,
        cards=52 * decks + (1 if felt.ruleset == "fortune_670a10" else 0),
        back_colour=colour,
        design="bee-92",
        opened_at=utc_text(felt.now - dt.timedelta(minutes=5)),
        preinspected=False,
        preshuffled=False,
    )
    felt.event("cards_inspected", batch=name, staff=DEALER_STAFF, defects=0)
    felt.event("inspection_verified", batch=name, staff=FLOORPERSON)


def arrive(felt: Felt, seat: int) -> None:
    """A player sits down and buys chips."""
    felt.event("player_arrived", seat=seat, player=f"P-{seat}")
    felt.event("chips_bought", seat=seat, player=f"P-{seat}", cents=50_000, tender="cash")


def open_batch(felt: Felt, name: str, seat: int) -> None:
    """Spread, view, wash, stack; with a batch shuffler also its first shuffle."""
    cards = felt.batches.get(name, 52 * felt.config["decks"])
    felt.event("cards_spread", batch=name, face_up=True, in_sequence=True)
    felt.event("player_viewing_given", batch=name, seat=seat)
    felt.event("cards_washed", batch=name)
    felt.event("cards_stacked", batch=name, cards=cards)
    if felt.config["shuffler"] == "batch" and not felt.stacks:
        felt.event("shuffler_loaded", batch=name)
        felt.event("shuffle_started", batch=name, method="device")
        felt.event("shuffle_completed", batch=name, method="device", **_counted(felt, cards))
        if name == "B1":
            felt.event("shuffler_unloaded", batch=name)
            felt.event("cards_stacked", batch=name, cards=cards)


def _counted(felt: Felt, cards: int) -> dict[str, int]:
    return {"counted": cards} if felt.config["shuffler_counts"] else {}


def shuffle(felt: Felt, batch: str) -> None:
    """One shuffle of a whole batch, by hand or by the table's device, into one stack."""
    method = "manual" if felt.config["shuffler"] == "none" else "device"
    cards = felt.batches.get(batch, 52 * felt.config["decks"])
    felt.event("shuffle_started", batch=batch, method=method)
    felt.event("shuffle_completed", batch=batch, method=method, **_counted(felt, cards))
    felt.event("cards_stacked", batch=batch, cards=cards)


def load(felt: Felt, cutter: int, batch: str | None = None) -> None:
    """Cut, cover card, shoe, burn; no cut where the device shuffles itself, the dealer's cut in stack games."""
    batch = batch or felt.batch
    cards = felt.batches.get(batch, 52 * felt.config["decks"])
    if felt.stacks:
        felt.event("cut_made", by="D", cards_on_top=22, stack=cards)
    elif felt.config["shuffler"] not in ("continuous", "self_shuffling"):
        felt.event("cut_offered", seat=cutter)
        felt.event("cut_made", by=str(cutter), cards_on_top=min(60, cards // 3), stack=cards)
        felt.event("cover_card_inserted", cards_below=-(-cards // 3), stack=cards)
    felt.event("shoe_loaded", shoe=felt.shoes + 1, batch=batch, cards=cards)
    if not felt.stacks:
        felt.event("card_burned", card="??", reason="load")
