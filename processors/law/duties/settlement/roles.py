"""The roles that a settlement rests on, by its cause; where rulesets differ, a cause has the roles of all of them."""

from __future__ import annotations

from collections.abc import Mapping

from processors.core.state import Hand, Round, Stake, hand_named
from processors.games.blackjack.hands import has_blackjack, initial_cards, total_of, two_original_large
from processors.games.blackjack.rules import BlackjackRules
from processors.games.blackjack.rulings import Ruling
from processors.games.totals import POINTS
from processors.law.check import Moment
from processors.law.citations import CITATIONS, cite
from schemas.rounds import Settlement
from schemas.values import UNKNOWN

CAUSES: dict[str, tuple[str, ...]] = {
    "blackjack": ("action.blackjack_paid_on_turn", "settlement.blackjack_odds"),
    "both_blackjack": ("settlement.both_blackjack_main",),
    "dealer_blackjack": ("settlement.dealer_blackjack_main",),
    "push22_against_blackjack": ("settlement.dealer_blackjack_push22",),
    "push22_both_blackjack": ("settlement.both_blackjack_push22",),
    "double_against_blackjack": ("settlement.blackjack_after_double",),
    "split_against_blackjack": ("settlement.split_stake_returned", "settlement.blackjack_after_split"),
    "bust": ("settlement.loser_collected", "settlement.bust_loses"),
    "dealer_22": ("settlement.dealer_22_returns", "settlement.dealer_22_excepted"),
    "dealer_22_paid": ("settlement.dealer_22_pays_21",),
    "dealer_22_two_large": ("settlement.dealer_22_two_large",),
    "dealer_over": ("settlement.winner_paid", "settlement.dealer_over_pays", "settlement.other_total"),
    "higher": ("settlement.winner_paid", "settlement.higher_pays", "settlement.other_total"),
    "tie": ("settlement.tie_returns", "settlement.other_total"),
    "lower": ("settlement.loser_collected", "settlement.lower_loses", "settlement.other_total"),
    "odds": ("settlement.even_odds",),
    "even_money": ("insurance.even_money_paid",),
    "even_money_by_reading": ("settlement.blackjack_odds",),
    "insurance_wins": ("settlement.dealer_blackjack_insurance", "settlement.insurance_paid"),
    "insurance_wins_both_blackjack": ("settlement.both_blackjack_insurance", "settlement.insurance_paid"),
    "insurance_odds": ("settlement.insurance_odds", "settlement.insurance_paid"),
    "insurance_loses": ("insurance.lost_collected",),
    "insurance_of_surrender": ("settlement.surrender_and_insurance",),
    "push22_loses": ("settlement.other_total_push22",),
    "push22_same_suit": ("settlement.dealer_22_push22", "settlement.push22_same_suit"),
    "push22_same_colour": ("settlement.dealer_22_push22", "settlement.push22_same_colour"),
    "push22_other": ("settlement.dealer_22_push22", "settlement.push22_other"),
    "match_wins": ("settlement.match_condition",),
    "match_loses": ("settlement.match_condition",),
    "match_other_ten": ("settlement.match_tens",),
    "match_open": ("settlement.match_when",),
    "dead": ("settlement.missed_card_returned",),
    "dead_without_cards": ("deal.hand_without_cards",),
    "dead_with_one_card": ("deal.hand_with_one_card",),
    "dead_after_light": ("reader.wrong_range_choice",),
    "dead_bust_after_light": ("reader.wrong_range_busts", "reader.wrong_range_choice"),
    "surrender": ("settlement.surrender_at_once",),
    "surrender_after_reader": ("settlement.surrender_after_reader",),
    "surrender_to_blackjack": ("settlement.surrender_to_blackjack",),
    "undecided": ("settlement.after_dealer_stands",),
    "undecided_double": ("settlement.after_double",),
}
MATCH_LINES: dict[tuple[str, str], str] = {
    ("6", "suited"): "settlement.match_six_decks_suited",
    ("6", "unsuited"): "settlement.match_six_decks",
    ("8", "suited"): "settlement.match_eight_decks_suited",
    ("8", "unsuited"): "settlement.match_eight_decks",
}
"""The role of each line of the Match-the-Dealer paytables, by the number of decks."""
UNPLACED: dict[str, tuple[str, ...]] = {
    "main": ("wagers.main_required", "settlement.even_odds"),
    "double": ("added_stakes.paid_double", "settlement.even_odds"),
    "split": ("added_stakes.paid_split", "settlement.even_odds"),
    "push22": ("wagers.side_with_main", "settlement.dealer_22_push22", "settlement.other_total_push22"),
    "match_dealer": ("settlement.match_when", "settlement.match_condition"),
    "insurance": ("insurance.under_ace", "settlement.insurance_paid", "insurance.lost_collected"),
}
"""What a wager may be placed and settled by: the roles that money moved for one that nobody placed breaks."""
LAMMERS: dict[str, tuple[str, ...]] = {
    "dealer_22": ("settlement.dealer_22_lammers", "settlement.dealer_22_excepted"),
    "tie": ("settlement.tie_lammers", "settlement.other_total"),
    "lower": ("settlement.loser_collected", "settlement.other_total"),
    "lost": ("settlement.loser_collected",),
    "won": ("settlement.winner_paid", "settlement.even_odds", "settlement.other_total"),
    "undecided": CAUSES["undecided"],
    "undecided_double": CAUSES["undecided_double"],
}
"""What the settlement of a lammer rests on: a dealer 22, a tie, a hand that lost or won, one not decided yet."""


def decided(*tables: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """Every role of these tables, in the order of the citations."""
    named = {role for table in tables for roles in table.values() for role in roles}
    return tuple(role for role in CITATIONS if role in named)


STAKES = decided(CAUSES, UNPLACED, {"match": tuple(MATCH_LINES.values())})
"""Every role that the settlement of a stake can break."""


def broken(moment: Moment, stake: Stake, ruling: Ruling, seen: Settlement | None) -> tuple[str, ...]:
    """The roles that a settlement other than the ruling breaks, the most telling first; `seen` is None for none."""
    wrong_amount = seen is not None and seen.outcome == "pay" and ruling.settlement.outcome == "pay"
    roles = _told_apart(moment, stake, ruling.cause, wrong_amount)
    return roles if cite(moment.play[1].name, roles) else CAUSES["undecided"]


def _of(*causes: str) -> tuple[str, ...]:
    return tuple(role for cause in causes for role in CAUSES[cause])


def _told_apart(moment: Moment, stake: Stake, cause: str, wrong_amount: bool) -> tuple[str, ...]:
    """The roles of a cause, told apart further by the cards and by whether only the amount is wrong."""
    round_, rules = moment.play
    own = round_.hands.get(hand_named(stake.seat, stake.hand))
    match cause:
        case "higher" | "dealer_over" | "dealer_22_paid" if wrong_amount:
            return _of("odds", cause)
        case "dealer_22_paid" if own is not None and two_original_large(own, rules):
            two_large = "dealer_22_two_large"
            return _of(cause, two_large) if total_of(own, rules) == 21 else _of(two_large)
        case "even_money" if rules.profile.even_money_by_reading:
            return _of("even_money_by_reading")
        case "push22_against_blackjack" if own is not None and has_blackjack(own):
            return _of("push22_both_blackjack")
        case "surrender" if POINTS.get(moment.dealer.up or "", 0) >= 10:
            return _of("surrender_after_reader")
        case "insurance_wins" | "insurance_loses":
            return _insurance(round_, stake, own, cause, wrong_amount)
        case "match_wins" | "match_loses":
            return _match(moment, stake, cause, wrong_amount)
        case "dead":
            return _dead(round_, own, rules)
    return _of(cause)


def _insurance(
    round_: Round, stake: Stake, own: Hand | None, cause: str, wrong_amount: bool
) -> tuple[str, ...]:
    if cause == "insurance_wins":
        if wrong_amount:
            cause = "insurance_odds"
        elif own is not None and has_blackjack(own):
            cause = "insurance_wins_both_blackjack"
    first = round_.hands.get(f"{stake.seat}.1")
    surrendered = first is not None and first.surrendered is not None
    return _of(cause, "insurance_of_surrender") if surrendered else _of(cause)


def _match(moment: Moment, stake: Stake, cause: str, wrong_amount: bool) -> tuple[str, ...]:
    round_, rules = moment.play
    up, own = moment.dealer.up or UNKNOWN, initial_cards(round_, stake.seat)
    if cause == "match_loses":
        tens = POINTS.get(up) == 10 and any(POINTS.get(card) == 10 for card in own)
        return _of(cause, "match_other_ten") if tens else _of(cause)
    lines = tuple(
        MATCH_LINES[rules.match_decks, "suited" if card == up else "unsuited"]
        for card in own
        if rules.match_dealer and card[0] == up[0]
    )
    return (*lines, *_of(cause)) if wrong_amount else (*_of(cause), *lines)


def _dead(round_: Round, own: Hand | None, rules: BlackjackRules) -> tuple[str, ...]:
    if own is None or not own.cards:
        return _of("dead_without_cards")
    if len(own.cards) == 1:
        return _of("dead_with_one_card")
    shown = round_.hole_revealed
    if rules.profile.masque and shown is not None and (own.voided or 0) > shown:
        return _of("dead_bust_after_light" if (total_of(own, rules) or 0) > 21 else "dead_after_light")
    return _of("dead")
