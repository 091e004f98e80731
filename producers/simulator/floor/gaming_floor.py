"""A gaming floor: tables of all five rulesets with the differences that rules submissions show."""

from __future__ import annotations

import datetime as dt
import hashlib
import random
from collections.abc import Sequence

from producers.simulator.floor.setup import BLACKJACK, RULESETS, TableSetup, usual_setup
from schemas.values import Ruleset

PROPERTIES = ("Parkside", "Riverbend", "Lakeview")
TABLES_A_PIT = 8
_CODES: dict[Ruleset, str] = {
    "free_bet_590": "FB90",
    "free_bet_672a": "FB",
    "down_under_685a": "DU",
    "fortune_670a10": "FP",
    "manual_shoe_657a8": "C4",
}
_DECKS: dict[Ruleset, tuple[int, ...]] = {
    "free_bet_590": (1, 2, 6, 8),
    "free_bet_672a": (6, 8),
    "down_under_685a": (4, 5, 6, 8),
}


def gaming_floor(tables: int, seed: int, rulesets: Sequence[Ruleset] = RULESETS) -> list[TableSetup]:
    """So many tables, the rulesets in turn, spread over properties and pits; the same for the same seed."""
    return [_table(number, seed, rulesets[(number - 1) % len(rulesets)]) for number in range(1, tables + 1)]


def seed_of(seed: int, subject: str) -> int:
    """The seed of one table of a floor."""
    return int.from_bytes(hashlib.sha256(f"{seed}|{subject}".encode()).digest()[:8], "big")


def _table(number: int, seed: int, ruleset: Ruleset) -> TableSetup:
    subject = f"{_CODES[ruleset]}-{100 + number}"
    rng = random.Random(seed_of(seed, f"setup {subject}"))
    place = (number - 1) // TABLES_A_PIT
    cameras = (f"C-{number:03d}1", f"C-{number:03d}2")
    changes: dict[str, object] = {
        "number": number,
        "property_name": PROPERTIES[place % len(PROPERTIES)],
        "pit": str(1 + place // len(PROPERTIES)),
        "cameras": cameras,
        "opens": dt.time(rng.randint(9, 12), rng.choice((0, 30))),
        "counts_chips": rng.random() < 0.5,
        "shuffler_counts": rng.random() < 0.5,
        "settle_order": rng.choice(("collect_then_pay", "seat_by_seat")),
        "pickup_order": rng.choice(
            ("seats_descending", "seats_descending", "seats_ascending", "losers_first")
        ),
        "dealer_cards": rng.choice(("last", "last", "first")),
    }
    if ruleset in BLACKJACK:
        changes |= _blackjack(ruleset, rng)
    else:
        changes["shuffler"] = rng.choice(("batch", "batch", "none"))
        changes["seats"] = 6
    return usual_setup(ruleset, subject, **changes)


def _blackjack(ruleset: Ruleset, rng: random.Random) -> dict[str, object]:
    decks = rng.choice(_DECKS[ruleset])
    changes: dict[str, object] = {
        "decks": decks,
        "seats": rng.choice((5, 6, 6)),
        "shuffler": rng.choice(("none", "none", "batch", "batch", "continuous", "self_shuffling")),
        "bust_collection": rng.choice(("immediate", "at_settlement")),
        "boxes_per_player": rng.choice((1, 2, 2)),
        "mid_shoe_entry": rng.random() < 0.7,
        "min_cents": rng.choice((1000, 1500, 2500)),
        "chip_cents": rng.choice((50, 100, 500)),
    }
    if ruleset == "down_under_685a":
        offered = decks in (6, 8) and rng.random() < 0.7  # 685a.6(e)
        changes["side_wagers"] = ("match_dealer",) if offered else ()
        changes["paytables"] = {"match_dealer": str(decks)} if offered else {}
    else:
        offered = rng.random() < 0.8
        changes["side_wagers"] = ("push22",) if offered else ()
        changes["paytables"] = {"push22": rng.choice("AB")} if offered else {}
    if ruleset == "free_bet_672a":
        changes["even_money"] = rng.random() < 0.5
    if decks < 4:  # a round of a full table can use up a deck
        changes["patrons"] = (1, 3)
        changes["seats"] = 5
    signs = ("payouts",) if ruleset == "free_bet_590" else ("payouts", "no_surrender")
    changes["signs"] = tuple(sign for sign in signs if rng.random() < 0.2)
    return changes
