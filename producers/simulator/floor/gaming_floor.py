"""A gaming floor: tables of all five rulesets with the differences that rules submissions show."""

from __future__ import annotations

import datetime as dt
import hashlib
import random
from collections.abc import Sequence

from producers.simulator.floor.rulesets import GAMES, Game
from producers.simulator.floor.setup import RULESETS, TableSetup, usual_setup
from schemas.values import Ruleset

PROPERTIES = ("Parkside", "Riverbend", "Lakeview")
TABLES_A_PIT = 8


def gaming_floor(tables: int, seed: int, rulesets: Sequence[Ruleset] = RULESETS) -> list[TableSetup]:
    """So many tables, the rulesets in turn, spread over properties and pits; the same for the same seed."""
    return [_table(number, seed, rulesets[(number - 1) % len(rulesets)]) for number in range(1, tables + 1)]


def seed_of(seed: int, subject: str) -> int:
    """The seed of one table of a floor."""
    return int.from_bytes(hashlib.sha256(f"{seed}|{subject}".encode()).digest()[:8], "big")


def _table(number: int, seed: int, ruleset: Ruleset) -> TableSetup:
    subject = f"{GAMES[ruleset].code}-{100 + number}"
    rng = random.Random(seed_of(seed, f"setup {subject}"))
    place = (number - 1) // TABLES_A_PIT
    changes: dict[str, object] = {
        "number": number,
        "property_name": PROPERTIES[place % len(PROPERTIES)],
        "pit": str(1 + place // len(PROPERTIES)),
        "cameras": (f"C-{number:03d}1", f"C-{number:03d}2"),
        "opens": dt.time(rng.randint(9, 12), rng.choice((0, 30))),
        "counts_chips": rng.random() < 0.5,
        "shuffler_counts": rng.random() < 0.5,
        "settle_order": rng.choice(("collect_then_pay", "seat_by_seat")),
        "pickup_order": rng.choice(
            ("seats_descending", "seats_descending", "seats_ascending", "losers_first")
        ),
        "dealer_cards": rng.choice(("last", "last", "first")),
    }
    if GAMES[ruleset].is_blackjack:
        changes |= _blackjack(GAMES[ruleset], rng)
    else:
        changes["shuffler"] = rng.choice(("batch", "batch", "none"))
        changes["seats"] = 6
    return usual_setup(ruleset, subject, **changes)


def _blackjack(game: Game, rng: random.Random) -> dict[str, object]:
    decks = rng.choice(game.decks)
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
    [side] = game.side_wagers
    offered = decks in game.side_decks and rng.random() < game.side_chance
    changes["side_wagers"] = (side,) if offered else ()
    changes["paytables"] = {}
    if offered:
        changes["paytables"] = {side: rng.choice(game.paytables) if game.paytables else str(decks)}
    if game.even_money:
        changes["even_money"] = rng.random() < 0.5
    if decks < 4:  # a round of a full table can use up a deck
        changes["patrons"] = (1, 3)
        changes["seats"] = 5
    changes["signs"] = tuple(sign for sign in game.signs if rng.random() < 0.2)
    return changes
