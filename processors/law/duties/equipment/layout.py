"""What layout and table must carry (reading A50), judged when the first round begins with them."""

from __future__ import annotations

from collections.abc import Iterator

from processors.games.blackjack.profile import BLACKJACK_PROFILES
from processors.law.check import UPHELD, Breach, Indeterminate, Judgment, Moment
from processors.law.duties.submission.configuration import submission_check
from schemas.events import TableConfigured

_CARRIED = {
    "name": ("equipment.layout_name", "the name or logo of the certificate holder"),
    "wager_area": ("equipment.layout_wager_areas", "a wagering area for each position"),
    "side_area": ("equipment.layout_side_areas", "an area for the side wager at each position"),
    "payouts": ("equipment.layout_odds_shown", "the payout odds of the wagers offered"),
    "blackjack_3_2": ("equipment.layout_blackjack_pays", "the words that Blackjack pays 3 to 2"),
    "insurance_2_1": ("equipment.layout_insurance_pays", "the words that insurance pays 2 to 1"),
    "draw_16_stand_17": (
        "equipment.layout_dealer_draws",
        "the words that the dealer draws to 16 and stands on all 17s",
    ),
    "push_22": ("equipment.layout_dealer_22", "the words that main wagers push against a dealer 22"),
    "no_surrender": ("equipment.layout_no_surrender", "the words that surrender is not available"),
    "range_areas": ("equipment.layout_ranges", "the three areas for the dealer's hand"),
    "range_small": ("equipment.layout_range_small", "the area Small, 2-3-4-5"),
    "range_medium": ("equipment.layout_range_medium", "the area Medium, 6-7-8-9"),
    "range_large": ("equipment.layout_range_large", "the area Large, 10-J-Q-K-A"),
    "drop_and_tip_boxes": ("equipment.boxes_attached", "a drop box and a tip box"),
    "card_reader": ("equipment.reader_fixed", "a card reader"),
    "masque_reader": ("equipment.reader_fixed", "a Masque reader"),
    "discard_rack": ("equipment.rack_fixed", "a discard rack"),
}
_ON_A_SIGN = ("payouts", "no_surrender")


@submission_check(
    "equipment.layout_complete", decides=(
        "equipment.layout_name", "equipment.layout_wager_areas", "equipment.layout_blackjack_pays",
        "equipment.layout_insurance_pays", "equipment.layout_dealer_draws", "equipment.layout_dealer_22",
        "equipment.layout_no_surrender", "equipment.layout_side_areas", "equipment.layout_odds_shown",
        "equipment.boxes_attached", "equipment.reader_fixed", "equipment.rack_fixed", "equipment.layout_ranges",
        "equipment.layout_range_small", "equipment.layout_range_medium", "equipment.layout_range_large",
    ),
)  # fmt: skip
def the_layout_carries_what_it_must(moment: Moment, config: TableConfigured) -> Iterator[Judgment]:
    """Layout and table carry every area, inscription and device of section 2; two texts may stand on approved signs."""
    needed = BLACKJACK_PROFILES[config.ruleset].layout
    if not isinstance(config.layout, tuple):
        yield Indeterminate(
            roles=tuple(_CARRIED[code][0] for code in needed),
            message="What the layout carries is not recorded.",
            missing=("the recorded layout",),
            sequences=(moment.table.configured_at,),
        )
        return
    has = {*config.layout}
    if moment.table.equipment.on_file("signage", moment.table.gaming_day):
        has.update(_ON_A_SIGN)
    if not config.side_wagers:
        has.add("side_area")
    lacking = [code for code in needed if code not in has]
    if not lacking:
        yield UPHELD
    for code in lacking:
        role, words = _CARRIED[code]
        sign = ", and no approved sign is on file" if code in _ON_A_SIGN else ""
        yield Breach(
            roles=(role,),
            message=f"Layout and table lack {words}{sign}.",
            expected={"layout": code},
            observed={"layout": list(config.layout)},
            sequences=(moment.table.configured_at,),
            discriminator=code,
        )
