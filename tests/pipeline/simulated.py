"""Simulated tables of every ruleset in many configurations, lively and quiet, lawful and put right."""

from __future__ import annotations

import random
from collections.abc import Iterator

from producers.simulator.floor.setup import Habits, TableSetup, usual_setup
from producers.simulator.scenarios.catalogue import PUT_RIGHT
from producers.simulator.session import Scenario, Session, simulate_table
from schemas.values import Ruleset

DECKS: dict[Ruleset, tuple[int, ...]] = {
    "free_bet_590": (1, 2, 4, 6, 8),
    "free_bet_672a": (6, 8),
    "down_under_685a": (4, 5, 6, 8),
}
CHOICES: dict[str, tuple[object, ...]] = {
    "shuffler": ("none", "batch", "continuous", "self_shuffling"),
    "settle_order": ("collect_then_pay", "seat_by_seat"),
    "pickup_order": ("seats_descending", "seats_ascending", "losers_first"),
    "dealer_cards": ("last", "first"),
    "bust_collection": ("immediate", "at_settlement"),
    "chip_cents": (50, 100, 500),
    "seats": (3, 5, 6),
}
STACK_CHOICES: dict[str, tuple[object, ...]] = {
    "shuffler": ("none", "batch"),
    "shuffler_counts": (False, True),
    "pickup_order": ("seats_descending", "seats_ascending"),
    "dealer_cards": ("last", "first"),
    "dealer_stop": ("circuit", "last"),
}
LIVELY = Habits(
    arrives=0.2, leaves=0.1, idles=0.05, dealer_minutes=10.0, floor_reshuffles=0.05, refuses_cut=0.6,
    recuts=0.3, jams=0.2, breaks=0.1, preshuffled=0.5, boxes_two=0.4,
)  # fmt: skip


class PutRight(Scenario):
    """In two rounds of five something goes wrong and is put right as the chapter orders."""

    def irregularity(self, session: Session) -> str | None:
        """Any irregularity of the ruleset."""
        chance = session.writer.rng
        return chance.choice(PUT_RIGHT[session.setup.ruleset]) if chance.random() < 0.4 else None


def setup_of(ruleset: Ruleset, seed: int, **fixed: object) -> TableSetup:
    """A table of the ruleset, its configuration chosen by the seed but for what is fixed."""
    chance = random.Random(f"{ruleset} {seed}")
    blackjack = ruleset in DECKS
    changes = {
        name: chance.choice(values) for name, values in (CHOICES if blackjack else STACK_CHOICES).items()
    }
    if blackjack:
        decks = changes["decks"] = DECKS[ruleset][seed % len(DECKS[ruleset])]
        changes["even_money"] = ruleset == "free_bet_672a" and chance.random() < 0.6
        if chance.random() < 0.25 or (ruleset == "down_under_685a" and decks not in (6, 8)):
            changes |= {"side_wagers": (), "paytables": {}}
        elif ruleset != "down_under_685a":
            changes["paytables"] = {"push22": chance.choice("AB")}
    if chance.random() < 0.5:
        changes["habits"] = LIVELY
    return usual_setup(ruleset, f"S-{seed}", **{**changes, **fixed})


def lines_of_table(
    ruleset: Ruleset, seed: int, rounds: int, scenario: Scenario | None = None, **fixed: object
) -> Iterator[bytes]:
    """So many rounds of that table."""
    return simulate_table(setup_of(ruleset, seed, **fixed), rounds, seed, scenario)
