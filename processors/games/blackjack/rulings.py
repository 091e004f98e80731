"""What every stake of a Blackjack round is due, and by which cause.

A ruling follows from the cards and facts of the record alone; what was really paid plays no part in it.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from processors.core.state import Hand, Lammer, Round, Stake, seat_of
from processors.core.witnesses import Witness
from processors.games.blackjack.dealer import Dealer, insurance_wins, push22_line
from processors.games.blackjack.hands import (
    has_blackjack,
    initial_cards,
    is_dead,
    total_of,
    two_original_large,
)
from processors.games.blackjack.rules import BlackjackRules
from processors.games.totals import POINTS
from schemas.rounds import Settlement
from schemas.values import UNKNOWN

DEALERS_HAND = "the dealer's hand"


class Ruling(Struct, frozen=True):
    """What a stake is due: the money that moves and the cause that decides it."""

    settlement: Settlement
    cause: str


class UndecidedStake(Struct, frozen=True):
    """A stake that is not decided yet: what it waits for."""

    waits_for: str


class UndecidableStake(Struct, frozen=True):
    """A stake that cannot be decided: what the record does not show, and the device `of` which it is a word."""

    missing: str
    of: Witness | None = None


Decision = Ruling | UndecidedStake | UndecidableStake


def _due(outcome: str, cents: int, cause: str) -> Ruling:
    return Ruling(Settlement(outcome, cents), cause)  # type: ignore[arg-type]  # callers pass the three literals


def odds_of(cents: int, odds: tuple[int, int]) -> int:
    """Winnings at odds, exact to the cent (A37)."""
    return cents * odds[0] // odds[1]


def half_up(cents: int, chip: int) -> int:
    """Half a stake, the next chip up where chips cannot make it (8(b), A37)."""
    units = -(-cents // (2 * chip))
    return units * chip


def rule_stake(round_: Round, stake: Stake, dealer: Dealer, rules: BlackjackRules) -> Decision:
    """Decide one stake by its kind; a round that is called void is decided as if nobody had called it (A70)."""
    dealer = _as_called(round_, dealer, rules)
    if stake.kind == "insurance":
        return _insurance(round_, stake, dealer, rules)
    if stake.kind == "push22":
        return _push22(stake, dealer, rules)
    if stake.kind == "match_dealer":
        return _match_dealer(round_, stake, dealer, rules)
    hand = round_.hands.get(stake.hand or "")
    if hand is None or not (hand.cards or is_dead(hand)):
        return UndecidedStake("cards")
    if is_dead(hand):
        return _dead(round_, hand, stake, rules)
    return _on_a_hand(hand, stake, dealer, rules)


def _as_called(round_: Round, dealer: Dealer, rules: BlackjackRules) -> Dealer:
    """The dealer's hand as it decides stakes: one that was still to be drawn when the round was called decides none."""
    unfinished = round_.voided is not None and dealer.total is not None and dealer.total < rules.stands_from
    return replace(dealer, shown=False, total=None) if unfinished else dealer


def _on_a_hand(hand: Hand, stake: Stake, dealer: Dealer, rules: BlackjackRules) -> Decision:
    if hand.even_money is not None and rules.even_money:
        return _due("pay", stake.cents, "even_money")
    if hand.surrendered is not None and rules.surrender:
        return _surrendered(stake, dealer, rules)
    total = total_of(hand, rules)
    if total is None:
        return UndecidableStake(f"a card of hand {hand.name}")
    if dealer.blackjack:
        return _against_blackjack(hand, stake, rules)
    if total > 21:
        return _busted(hand, stake, dealer, rules)
    if dealer.blackjack is None:
        return _not_known_yet(dealer)
    if has_blackjack(hand):
        return _due("pay", odds_of(stake.cents, rules.odds_blackjack), "blackjack")
    if not dealer.shown:
        return UndecidedStake(DEALERS_HAND)
    if dealer.total is None:
        return UndecidableStake("a card of the dealer's hand")
    return _compare(hand, total, stake.cents, dealer.total, rules)


def _dead(round_: Round, hand: Hand, stake: Stake, rules: BlackjackRules) -> Ruling:
    """All cash of a dead hand comes back, or only its main wager where the text is taken by the word (A24, A25)."""
    shown = round_.hole_revealed
    after_light = rules.profile.masque and shown is not None and (hand.voided or 0) > shown
    main_only = (
        rules.readings["A25"] == "initial_only" if after_light else rules.readings["A24"] == "main_only"
    )
    return _due("collect" if main_only and stake.kind != "main" else "return", stake.cents, "dead")


def _busted(hand: Hand, stake: Stake, dealer: Dealer, rules: BlackjackRules) -> Decision:
    """A bust has lost; if A5 is read so, one tucked under its chips comes back when the dealer has 22."""
    if hand.tucked is not None and rules.readings["A5"] == "return":
        if not dealer.shown:
            return UndecidedStake(DEALERS_HAND)
        if dealer.total == rules.push_total:
            return _due("return", stake.cents, "dealer_22")
    return _due("collect", stake.cents, "bust")


def _not_known_yet(dealer: Dealer) -> Decision:
    """The decision that waits for the reader's result, or that no reading on record can settle."""
    if dealer.shown:
        return UndecidableStake("the dealer's hole card")
    return (
        UndecidableStake("the dealer's up card")
        if dealer.up == UNKNOWN
        else UndecidedStake("whether the dealer has Blackjack")
    )


def _surrendered(stake: Stake, dealer: Dealer, rules: BlackjackRules) -> Decision:
    if dealer.blackjack is None:
        return _not_known_yet(dealer)
    if dealer.blackjack:
        return _due("collect", stake.cents, "surrender_to_blackjack")
    return _due("collect", min(half_up(stake.cents, rules.chip_cents), stake.cents), "surrender")


def _against_blackjack(hand: Hand, stake: Stake, rules: BlackjackRules) -> Decision:
    if stake.kind != "main":
        if rules.profile.blackjack_spares_added_stakes:
            return _due("return", stake.cents, f"{stake.kind}_against_blackjack")
        return UndecidableStake("a rule for a double or split against a dealer Blackjack")
    if has_blackjack(hand):
        return _due("return", stake.cents, "both_blackjack")
    return _due("collect", stake.cents, "dealer_blackjack")


def _compare(hand: Hand, total: int, cents: int, dealer_total: int, rules: BlackjackRules) -> Ruling:
    if dealer_total == rules.push_total:
        if rules.profile.pays_against_push and (total == 21 or two_original_large(hand, rules)):
            return _due("pay", odds_of(cents, rules.odds_main), "dealer_22_paid")
        return _due("return", cents, "dealer_22")
    if dealer_total > rules.stands_to:
        return _due("pay", odds_of(cents, rules.odds_main), "dealer_over")
    if total > dealer_total:
        return _due("pay", odds_of(cents, rules.odds_main), "higher")
    if total == dealer_total:
        return _due("return", cents, "tie")
    return _due("collect", cents, "lower")


def _insurance(round_: Round, stake: Stake, dealer: Dealer, rules: BlackjackRules) -> Decision:
    wins = insurance_wins(round_, dealer)
    if wins is None:
        return (
            UndecidableStake("the dealer's hole card")
            if dealer.shown
            else UndecidedStake("the reader's result")
        )
    if wins:
        return _due("pay", odds_of(stake.cents, rules.odds_insurance), "insurance_wins")
    return _due("collect", stake.cents, "insurance_loses")


def _push22(stake: Stake, dealer: Dealer, rules: BlackjackRules) -> Decision:
    if dealer.blackjack:
        return _due("collect", stake.cents, "push22_against_blackjack")
    if not dealer.shown:
        return UndecidedStake(DEALERS_HAND)
    if dealer.total is None:
        return UndecidableStake("a card of the dealer's hand")
    if dealer.total != rules.push_total:
        return _due("collect", stake.cents, "push22_loses")
    line = push22_line(dealer.cards)
    if line not in rules.push22:
        return UndecidableStake("the Push 22 paytable in force")
    return _due("pay", stake.cents * rules.push22[line], f"push22_{line}")


def _match_dealer(round_: Round, stake: Stake, dealer: Dealer, rules: BlackjackRules) -> Decision:
    own = initial_cards(round_, stake.seat)
    hand = round_.hands.get(f"{stake.seat}.1")
    if len(own) < 2 or dealer.up is None:
        if hand is not None and is_dead(hand):
            return _due("return", stake.cents, "dead")
        return UndecidedStake("the two first cards")
    if any(POINTS.get(card) is None for card in (*own, dealer.up)):
        return UndecidableStake("a card of the first deal")
    if not rules.match_dealer:
        return UndecidableStake("the Match-the-Dealer paytable in force")
    lines = [
        rules.match_dealer["suited" if card == dealer.up else "unsuited"]
        for card in own
        if card[0] == dealer.up[0]
    ]
    if not lines:
        return _due("collect", stake.cents, "match_loses")
    odds = sum(lines) if rules.readings["A12"] == "each" else max(lines)
    return _due("pay", stake.cents * odds, "match_wins")


def rule_lammer(round_: Round, lammer: Lammer, dealer: Dealer, rules: BlackjackRules) -> Decision:
    """Decide one Free Bet lammer: a winning hand is paid its unit, else it leaves the table unpaid (7(n)-(q))."""
    hand = round_.hands.get(lammer.hand)
    main = round_.main_stake(seat_of(lammer.hand))
    if hand is None or main is None:
        return UndecidableStake(f"the main wager of seat {lammer.hand[0]}", of="wagers")
    if is_dead(hand):
        return _due("collect", 0, "dead")
    unit = Stake(seat=hand.seat, kind="lammer", hand=hand.name, cents=main.cents, placed=lammer.placed)
    decision = _on_a_hand(hand, unit, _as_called(round_, dealer, rules), rules)
    if isinstance(decision, UndecidedStake) and round_.voided is not None:
        return _due("collect", 0, "dead")
    if isinstance(decision, Ruling) and decision.settlement.outcome != "pay":
        return _due("collect", 0, decision.cause)
    return decision
