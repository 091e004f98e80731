"""From the facts of a round to the round as it is reported: hands, stakes, rack, status, what is missing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import UNSET

from processors.core.cards import all_fit
from processors.core.folding.wrong_batches import found_wrong, wrong_batch
from processors.core.moved import moved
from processors.core.state import Hand, Round, Stake, Table, seat_of
from processors.games.blackjack.dealer import dealer_of
from processors.games.blackjack.hands import hands_in_part, has_blackjack, is_dead, is_doubled
from processors.games.blackjack.rack import Placement, cards_agree, cards_of, expected_rack
from processors.games.blackjack.rules import BlackjackRules, rules_of
from processors.games.blackjack.rulings import Decision, Ruling, UndecidableStake, rule_lammer, rule_stake
from processors.games.settled import observed
from processors.games.stacks import hands as stacks
from processors.games.totals import count
from processors.games.witnessed import inferred_cards, words_missing
from schemas import rounds
from schemas.rounds import HandResultLine, RackDivergence, RackResult, RoundResult, Settlement, StakeResult
from schemas.rulesets import RULESETS
from schemas.values import DEALER, UNKNOWN

_END = "the end of the round"  # it may come yet: no device's word is lost with it


def reconstruct(
    table: Table, round_: Round, last_sequence: int, ended: bool, chosen: Mapping[str, str]
) -> RoundResult:
    """The round as its facts show it; `ended` is False when the stream broke off within it."""
    config = table.config
    missing = [*table.blind.round, *round_.unheard.values(), *sum(round_.missing.values(), ())]
    if config is None:
        missing.append("the table's configuration")
    if not ended:
        missing.append(_END)
    parts: dict[str, Any]
    if config is not None and RULESETS[config.ruleset].family == "blackjack":
        parts = _blackjack(round_, rules_of(config, round_.day, chosen), missing)
    else:
        parts = _stacks(table, round_)
    return RoundResult(
        subject=table.subject,
        round=round_.number,
        shoe=round_.shoe,
        ruleset=config.ruleset if config is not None else None,
        gaming_day=table.gaming_day,
        first_sequence=round_.first_sequence,
        last_sequence=last_sequence,
        status=_status(round_, missing),
        missing=tuple(dict.fromkeys(missing)),
        net_cents=_net(round_),
        findings=tuple(dict.fromkeys((*round_.findings, *found_wrong(table, round_)))),
        head=table.chain.head,
        configured=round_.configured or UNSET,
        voided=UNSET if round_.voided is None else round_.voided,
        inferred=inferred_cards(round_) or UNSET,
        words_missing=words_missing(table, round_) or UNSET,
        wrong_batch=wrong_batch(table, round_) or UNSET,
        **parts,
    )


def _status(round_: Round, missing: list[str]) -> Any:
    if round_.breached:
        return "breached"
    if missing:
        return "indeterminate"
    return "void" if round_.voided is not None else "consistent"


def _net(round_: Round) -> int:
    stakes = sum(moved(stake.cents, stake.moves).patron_cents for stake in round_.stakes.values())
    return stakes + sum(moved(0, lammer.moves).patron_cents for lammer in round_.lammers)


def _blackjack(round_: Round, rules: BlackjackRules, missing: list[str]) -> dict[str, Any]:
    dealer = dealer_of(round_, rules)
    untold = _untold(round_) if any(one != _END for one in missing) else None

    def due(stake: Stake) -> Settlement | None:
        doubt = _doubt(stake.hand, stake.cents, stake.seat, untold)
        if untold is not None:
            doubt = doubt or _surrender_untold(round_, stake, rules)
        return _decided(doubt or rule_stake(round_, stake, dealer, rules), missing)

    stakes = _stakes(round_, due)
    for lammer in round_.lammers:
        seen = observed(0, lammer.moves)
        if seen is None and lammer.collected is not None:
            seen = Settlement("collect", 0)
        main = round_.main_stake(seat_of(lammer.hand))
        doubt = _doubt(lammer.hand, 0 if main is None else main.cents, seat_of(lammer.hand), untold)
        stakes.append(
            StakeResult(
                seat=seat_of(lammer.hand),
                hand=lammer.hand,
                kind="lammer",
                staked_cents=0,
                expected=_decided(doubt or rule_lammer(round_, lammer, dealer, rules), missing),
                observed=seen,
            )
        )
    lines = {
        name: _line(round_.hands[name], rules, dealer.blackjack)
        for name in sorted(round_.hands)
        if round_.hands[name].cards or is_dead(round_.hands[name])
    }
    return {"hands": lines, "stakes": tuple(stakes), "rack": _rack(round_, rules, missing)}


def _untold(round_: Round) -> dict[str, str]:
    """What no device told of the cards of a round in which words are missing, by hand."""
    cards = {name: f"a card of hand {name}" for name in hands_in_part(round_)}
    return cards | ({DEALER: "a card of the dealer's hand"} if DEALER in cards else {})


def _doubt(
    hand: str | None, cents: int, seat: int, untold: Mapping[str, str] | None
) -> UndecidableStake | None:
    """Why what lies there decides no stake, where a device did not tell all of it; None where it does.

    A stake that is on no hand rests on the dealer's cards alone. A lammer is worth the main wager of its seat, `cents`.
    """
    if untold is None:
        return None
    if not cents:
        return UndecidableStake(f"what was wagered at seat {seat}")
    return next((UndecidableStake(untold[one]) for one in (hand or "", DEALER) if one in untold), None)


def _surrender_untold(round_: Round, stake: Stake, rules: BlackjackRules) -> UndecidableStake | None:
    """Half of a main wager was taken as of a hand that is surrendered, and nobody heard of that decision."""
    hand = round_.hands.get(stake.hand or "")
    if hand is None or hand.surrendered is not None or stake.kind != "main" or not rules.surrender:
        return None
    halved = observed(stake.cents, stake.moves) == Settlement("collect", stake.cents // 2)
    return UndecidableStake(f"whether hand {hand.name} was surrendered") if halved else None


def _stakes(
    round_: Round, due: Callable[[Stake], Settlement | None], *, on_hands: bool = True
) -> list[StakeResult]:
    return [
        StakeResult(
            seat=stake.seat,
            hand=stake.hand if on_hands else None,
            kind=stake.kind,
            staked_cents=stake.cents,
            expected=due(stake),
            observed=observed(stake.cents, stake.moves),
        )
        for stake in sorted(round_.stakes.values(), key=lambda s: (s.seat, s.placed, s.kind))
    ]


def _decided(decision: Decision, missing: list[str]) -> Settlement | None:
    if isinstance(decision, Ruling):
        return decision.settlement
    missing.append(decision.missing if isinstance(decision, UndecidableStake) else decision.waits_for)
    return None


def _line(hand: Hand, rules: BlackjackRules, dealer_blackjack: bool | None) -> HandResultLine:
    own = hand.name == DEALER
    counted = count(hand.cards, rules.dealer_limit if own else rules.player_limit)
    over = rules.stands_to if own else 21
    return HandResultLine(
        cards=tuple(hand.cards),
        total=counted[0] if counted else UNSET,
        soft=counted[1] if counted else UNSET,
        result=_result(hand, counted[0] if counted else None, over, own, dealer_blackjack, rules),
        came_from=hand.parent,
        sequences=tuple(hand.sequences),
    )


def _result(
    hand: Hand, total: int | None, over: int, own: bool, dealer_blackjack: bool | None, rules: BlackjackRules
) -> rounds.HandResult:
    if is_dead(hand):
        return "dead"
    if hand.surrendered is not None and rules.surrender:
        return "surrender"
    if own:
        return "blackjack" if dealer_blackjack else "bust" if total is not None and total > over else "stand"
    if has_blackjack(hand):
        return "blackjack"
    if total is not None and total > 21:
        return "bust"
    return "double" if is_doubled(hand) else "stand"


def _rack(round_: Round, rules: BlackjackRules, missing: list[str]) -> RackResult:
    seen = tuple(card for entry in round_.racked for card in entry.cards)
    if missing or round_.voided is not None:
        return RackResult(expected=None, observed=seen, agrees=None)
    placements = expected_rack(round_, rules)
    expected = cards_of(placements)
    agrees = cards_agree(expected, seen)
    first = _first_divergence(placements, seen) if agrees is False else None
    return RackResult(expected=expected, observed=seen, agrees=agrees, divergence=first)


def _first_divergence(placements: tuple[Placement, ...], seen: tuple[str, ...]) -> RackDivergence | None:
    """The first place at which the rack holds another card than it should, or none, or one too many."""
    index = 0
    for placement in placements:
        for number, card in enumerate(placement.cards, start=1):
            lies = seen[index] if index < len(seen) else None
            if lies is None or (lies != card and UNKNOWN not in (lies, card)):
                return RackDivergence(
                    index=index, hand=placement.spot, card=number, expected=card, observed=lies
                )
            index += 1
    if index == len(seen):
        return None
    return RackDivergence(index=index, hand=None, card=None, expected=None, observed=seen[index])


def _stacks(table: Table, round_: Round) -> dict[str, Any]:
    stakes = _stakes(round_, lambda stake: stacks.due(round_, stake.cents), on_hands=False)
    lines = {
        name: HandResultLine(
            cards=tuple(hand.cards),
            result="dead" if round_.voided is not None else "stand",
            came_from=None,
            sequences=tuple(hand.sequences),
        )
        for name, hand in sorted(round_.hands.items())
        if hand.cards
    }
    seen = tuple(card for entry in round_.racked for card in entry.cards)
    config = table.config
    expected = (
        stacks.expected_rack(round_, config.dealer_cards == "first", config.pickup_order)
        if config is not None and not table.blind.round and not round_.unheard
        else None
    )
    agrees = all_fit(expected, seen) if expected is not None else None
    return {
        "hands": lines,
        "stakes": tuple(stakes),
        "rack": RackResult(expected=expected, observed=seen, agrees=agrees),
    }
