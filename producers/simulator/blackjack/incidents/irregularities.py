"""What goes wrong at a table and is put right as the regulation orders (590.13, 672a.12, 685a.12)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from producers.simulator.blackjack.incidents import deal, devices, play
from producers.simulator.blackjack.incidents.incident import Incident
from producers.simulator.floor.setup import BLACKJACK
from schemas.values import Ruleset

FREE_BET: tuple[Ruleset, ...] = ("free_bet_590", "free_bet_672a")
DOWN_UNDER: tuple[Ruleset, ...] = ("down_under_685a",)


@dataclass(frozen=True, slots=True)
class Irregularity:
    """An irregularity: where it can happen, how it is made, and the fields of the table that it needs."""

    rulesets: tuple[Ruleset, ...]
    how: Callable[[], Incident]
    setup: Mapping[str, Any] = field(default_factory=dict)


_ONE_FULL_DECK = {"decks": 1, "patrons": (6, 6), "shuffler": "none"}
_SHUFFLER = {"shuffler": "batch"}
CATALOGUED: dict[str, Irregularity] = {
    "face_up_card": Irregularity(BLACKJACK, deal.FaceUpCard),
    "drawn_unseen": Irregularity(BLACKJACK, play.DrawnUnseen),
    "drawn_seen": Irregularity(BLACKJACK, lambda: play.DrawnSeen(0)),
    "drawn_seen_refused_by_one": Irregularity(BLACKJACK, lambda: play.DrawnSeen(1)),
    "drawn_seen_to_dealer": Irregularity(BLACKJACK, lambda: play.DrawnSeen(99, dealer_stands=False)),
    "drawn_seen_racked": Irregularity(BLACKJACK, lambda: play.DrawnSeen(99, dealer_stands=True)),
    "dealer_draws_standing": Irregularity(BLACKJACK, play.DealerDrawsStanding),
    "dealer_skips_first_card": Irregularity(FREE_BET, lambda: deal.DealerSkipsCard(1)),
    "dealer_skips_second_card": Irregularity(FREE_BET, lambda: deal.DealerSkipsCard(2)),
    "shoe_runs_out": Irregularity(FREE_BET[:1], play.ShoeRunsOut, _ONE_FULL_DECK),
    "hand_without_cards": Irregularity(BLACKJACK, deal.HandWithoutCards),
    "one_card_second_taken": Irregularity(BLACKJACK, lambda: deal.OneCardHand(True)),
    "one_card_declined": Irregularity(BLACKJACK, lambda: deal.OneCardHand(False)),
    "missed_card_late": Irregularity(BLACKJACK, lambda: play.MissedCard(True)),
    "missed_card_dead": Irregularity(BLACKJACK, lambda: play.MissedCard(False)),
    "needless_peek": Irregularity(FREE_BET, play.NeedlessPeek),
    "wrong_light_continued": Irregularity(DOWN_UNDER, lambda: devices.WrongRange("light", "continue")),
    "wrong_light_dead": Irregularity(DOWN_UNDER, lambda: devices.WrongRange("light", "dead")),
    "wrong_light_mixed": Irregularity(DOWN_UNDER, lambda: devices.WrongRange("light", "mixed")),
    "wrong_area_continued": Irregularity(DOWN_UNDER, lambda: devices.WrongRange("area", "continue")),
    "wrong_area_mixed": Irregularity(DOWN_UNDER, lambda: devices.WrongRange("area", "mixed")),
    "reader_fault": Irregularity(BLACKJACK, devices.ReaderFault),
    "shuffler_jam": Irregularity(BLACKJACK, lambda: devices.ShufflerTrouble("jam"), _SHUFFLER),
    "shuffler_out_of_use": Irregularity(BLACKJACK, lambda: devices.ShufflerTrouble("breaks"), _SHUFFLER),
}
IRREGULARITIES: dict[str, tuple[str, ...]] = {
    ruleset: tuple(name for name, found in CATALOGUED.items() if ruleset in found.rulesets)
    for ruleset in BLACKJACK
}
