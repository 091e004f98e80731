"""What layout and table must carry (2(b)-(e), reading A50), judged when the first round begins with them."""

from __future__ import annotations

from collections.abc import Iterator

from processors.law.check import UPHELD, Breach, Indeterminate, Judgment, Moment, check
from processors.law.duties.submission.configuration import newly_configured
from schemas.events import RoundStarted

_WORDS = {
    "name": "the name or logo of the certificate holder",
    "wager_area": "a wagering area for each position",
    "side_area": "an area for the side wager at each position",
    "payouts": "the payout odds of the wagers offered",
    "blackjack_3_2": "that Blackjack pays 3 to 2",
    "insurance_2_1": "that insurance pays 2 to 1",
    "draw_16_stand_17": "that the dealer draws to 16 and stands on all 17s",
    "push_22": "that main wagers push against a dealer 22",
    "no_surrender": "that surrender is not available",
    "range_areas": "the three areas for the dealer's hand",
    "range_small": "the area Small, 2-3-4-5",
    "range_medium": "the area Medium, 6-7-8-9",
    "range_large": "the area Large, 10-J-Q-K-A",
    "drop_and_tip_boxes": "a drop box and a tip box",
    "card_reader": "a card reader",
    "masque_reader": "a Masque reader",
    "discard_rack": "a discard rack",
}
_FREE_BET = {
    "name": "2(b)(1)",
    "wager_area": "2(b)(2)",
    "blackjack_3_2": "2(b)(3)(i)",
    "insurance_2_1": "2(b)(3)(ii)",
    "draw_16_stand_17": "2(b)(3)(iii)",
    "push_22": "2(b)(3)(iv)",
    "side_area": "2(b)(4)",
    "payouts": "2(b)(5)",
    "drop_and_tip_boxes": "2(c)#1",
    "card_reader": "2(d)#1",
    "discard_rack": "2(e)",
}
_DOWN_UNDER = {
    "name": "2(b)(1)",
    "wager_area": "2(b)(2)",
    "range_areas": "2(b)(3)",
    "range_small": "2(b)(3)(i)",
    "range_medium": "2(b)(3)(ii)",
    "range_large": "2(b)(3)(iii)",
    "blackjack_3_2": "2(b)(4)(i)",
    "insurance_2_1": "2(b)(4)(ii)",
    "draw_16_stand_17": "2(b)(4)(iii)",
    "no_surrender": "2(b)(4)(iv)",
    "side_area": "2(b)(5)",
    "payouts": "2(b)(6)",
    "drop_and_tip_boxes": "2(c)#1",
    "masque_reader": "2(d)#1",
    "discard_rack": "2(e)",
}
_CLAUSES = {
    "free_bet_590": {code: f"590.{clause}" for code, clause in _FREE_BET.items()},
    "free_bet_672a": {
        **{code: f"672a.{clause}" for code, clause in _FREE_BET.items()},
        "no_surrender": "672a.2(b)(3)(v)",
    },
    "down_under_685a": {code: f"685a.{clause}" for code, clause in _DOWN_UNDER.items()},
}
_ON_A_SIGN = ("payouts", "no_surrender")


@check(
    "equipment.layout_complete",
    decides=(
        "equipment.layout_name", "equipment.layout_wager_areas", "equipment.layout_blackjack_pays",
        "equipment.layout_insurance_pays", "equipment.layout_dealer_draws", "equipment.layout_dealer_22",
        "equipment.layout_no_surrender", "equipment.layout_side_areas", "equipment.layout_odds_shown",
        "equipment.boxes_attached", "equipment.reader_fixed", "equipment.rack_fixed", "equipment.layout_ranges",
        "equipment.layout_range_small", "equipment.layout_range_medium", "equipment.layout_range_large",
    ),
    formerly="layout.complete",
    reads=(RoundStarted,),
    scope="day",
    in_round=False,
)  # fmt: skip
def the_layout_carries_what_it_must(moment: Moment, data: RoundStarted) -> Iterator[Judgment]:
    """Layout and table carry every area, inscription and device of section 2; two texts may stand on approved signs."""
    config = newly_configured(moment)
    if config is None:
        return
    needed = _CLAUSES[config.ruleset]
    if not config.layout and not isinstance(config.layout, tuple):
        yield Indeterminate(
            clauses=tuple(needed.values()),
            message="What the layout carries is not recorded.",
            missing=("the recorded layout",),
            sequences=(moment.table.configured_at,),
        )
        return
    signs = moment.table.equipment.on_file("signage", moment.table.gaming_day)
    lacking = [
        code
        for code in needed
        if code not in config.layout
        and not (code in _ON_A_SIGN and signs)
        and not (code == "side_area" and not config.side_wagers)
    ]
    if not lacking:
        yield UPHELD
    for code in lacking:
        sign = ", and no approved sign is on file" if code in _ON_A_SIGN else ""
        yield Breach(
            clauses=(needed[code],),
            message=f"Layout and table lack {_WORDS[code]}{sign}.",
            expected={"layout": code},
            observed={"layout": list(config.layout)},
            sequences=(moment.table.configured_at,),
            discriminator=code,
        )
