"""Which clauses a wrong settlement breaks, by its cause and the cards that make it."""

from __future__ import annotations

from processors.core.state import Round, Stake
from processors.games.blackjack.hands import has_blackjack, initial_cards, total_of, two_original_large
from processors.games.blackjack.rulings import Ruling
from processors.games.totals import POINTS
from processors.law.check import Moment
from processors.law.clauses import BLACKJACK, clauses_of
from schemas.rounds import Settlement

STAKE_CAUSES = (
    "blackjack", "both_blackjack", "dealer_blackjack", "push22_against_blackjack", "push22_both_blackjack",
    "double_against_blackjack", "split_against_blackjack", "bust", "dealer_22", "dealer_22_paid",
    "dealer_22_two_large", "dealer_over", "higher", "tie", "lower", "insurance_wins",
    "insurance_wins_both_blackjack", "insurance_odds", "insurance_loses", "insurance_of_surrender",
    "push22_loses", "push22_same_suit", "push22_same_colour", "push22_other", "match_wins", "match_11", "match_4",
    "match_14", "match_3", "match_loses", "match_other_ten", "match_open", "odds", "dead", "dead_without_cards",
    "dead_with_one_card", "dead_after_light", "dead_bust_after_light", "undecided", "undecided_double", "surrender",
    "surrender_after_peek", "surrender_to_blackjack", "even_money", "no_main", "no_double", "no_split", "no_push22",
    "no_insurance", "no_match_dealer",
)  # fmt: skip
DECIDES = {ruleset: clauses_of(ruleset, *STAKE_CAUSES) for ruleset in BLACKJACK}


def broken(moment: Moment, round_: Round, stake: Stake, ruling: Ruling, seen: Settlement) -> tuple[str, ...]:
    """The clauses that a settlement other than the ruling breaks, the most telling first."""
    rules = moment.play[1]
    amount_only = seen.outcome == ruling.settlement.outcome == "pay"
    causes = _causes(moment, round_, stake, ruling, amount_only)
    return clauses_of(rules.name, *causes) or clauses_of(rules.name, "undecided")


def _causes(
    moment: Moment, round_: Round, stake: Stake, ruling: Ruling, amount_only: bool
) -> tuple[str, ...]:
    cause = ruling.cause
    own = round_.hands.get(stake.hand or f"{stake.seat}.1")
    if cause in ("higher", "dealer_over", "dealer_22_paid") and amount_only:
        return ("odds", cause)
    if cause == "dealer_22_paid" and own is not None:
        large = two_original_large(own, moment.play[1])
        return (
            ("dealer_22_two_large",)
            if large and total_of(own) != 21
            else (cause, *(("dealer_22_two_large",) if large else ()))
        )
    if cause == "insurance_wins":
        both = own is not None and bool(has_blackjack(own))
        first = "insurance_wins_both_blackjack" if both else "insurance_wins"
        return (
            ("insurance_odds", *_surrendered(round_, stake))
            if amount_only
            else (first, *_surrendered(round_, stake))
        )
    if cause == "insurance_loses":
        return (cause, *_surrendered(round_, stake))
    if cause == "push22_against_blackjack" and own is not None and has_blackjack(own):
        return ("push22_both_blackjack",)
    if cause == "surrender":
        up = moment.dealer.up
        return ("surrender_after_peek",) if up is not None and POINTS.get(up, 0) >= 10 else ("surrender",)
    if cause in ("match_wins", "match_loses"):
        return _match(moment, round_, stake, cause, amount_only)
    if cause == "dead":
        return _dead(moment, round_, stake)
    return (cause,)


def _surrendered(round_: Round, stake: Stake) -> tuple[str, ...]:
    hand = round_.hands.get(f"{stake.seat}.1")
    return ("insurance_of_surrender",) if hand is not None and hand.surrendered is not None else ()


def _match(moment: Moment, round_: Round, stake: Stake, cause: str, amount_only: bool) -> tuple[str, ...]:
    up = moment.dealer.up or "??"
    own = initial_cards(round_, stake.seat)
    table = moment.play[1].match_dealer
    if cause == "match_loses":
        tens = POINTS.get(up) == 10 and any(POINTS.get(card) == 10 for card in own)
        return (cause, *(("match_other_ten",) if tens else ()))
    lines = [
        f"match_{table['suited' if card == up else 'unsuited']}" for card in own if card[0] == up[0] and table
    ]
    return (*lines, "match_wins") if amount_only else ("match_wins", *lines)


def _dead(moment: Moment, round_: Round, stake: Stake) -> tuple[str, ...]:
    hand = round_.hands.get(stake.hand or f"{stake.seat}.1")
    if hand is None or not hand.cards:
        return ("dead_without_cards",)
    if len(hand.cards) == 1:
        return ("dead_with_one_card",)
    if (
        moment.play[1].down_under
        and round_.hole_revealed is not None
        and (hand.voided or 0) > round_.hole_revealed
    ):
        return ("dead_bust_after_light",) if (total_of(hand) or 0) > 21 else ("dead_after_light",)
    return ("dead",)
