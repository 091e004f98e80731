"""Cards that leave the layout, or are tucked, in mid-round (7(h)(1), 8(e), 10(c), 11(c), 7(s))."""

from __future__ import annotations

from collections.abc import Iterator

from processors.core.state import Hand, Round
from processors.games.blackjack.action import open_hands, waits_for_card
from processors.games.blackjack.hands import box_has_lammer, busted_at, has_blackjack, is_split, player_hands
from processors.games.blackjack.rack import goes_otherwise
from processors.games.blackjack.rules import BlackjackRules
from processors.law.check import UPHELD, Breach, Judgment, Moment, check
from schemas.events import (
    BlackjackAnnounced,
    CardDrawn,
    CardsRacked,
    CardsTucked,
    EvenMoneyTaken,
    HoleCardRead,
    HoleCardRevealed,
    PlayerDecision,
    WagerSettled,
)

NEXT_STEP = (PlayerDecision, BlackjackAnnounced, HoleCardRevealed, CardDrawn, HoleCardRead)
_TURN = {"free_bet_590": "590.7(h)(1)", "free_bet_672a": "672a.7(h)(1)", "down_under_685a": "685a.7(i)(1)"}
_SPLIT_BUST = {
    "free_bet_590": ("590.11(c)#2",),
    "free_bet_672a": ("672a.10(c)(1)", "672a.10(c)(2)"),
}


@check(
    "rack.blackjack",
    decides=(
        "rack.blackjack_removed",
        "rack.blackjack_tucked",
    ),
    rests_on=(
        "console",
        "placements",
        "shoe",
        "wagers",
        "rack",
    ),
    turns_on=("cards",),
    reads=(*NEXT_STEP, WagerSettled, CardsRacked),
    alters=True,
    follows=True,
    after=(WagerSettled,),
)
def a_paid_blackjack_leaves_the_layout(moment: Moment, data: object) -> Iterator[Judgment]:
    """The cards of a paid Blackjack are racked, or tucked under an open Push 22 wager, before the next step.

    Where the hole card showed before the action the next step may be another wager settled, or another hand racked.
    """
    round_, rules = moment.play
    own = ""
    if isinstance(data, WagerSettled | CardsRacked):
        if round_.hole_revealed is None or not rules.down_under or moment.dealer.blackjack:
            return
        own = (data.hand or f"{data.seat}.1") if isinstance(data, WagerSettled) else data.hand
    for stake in round_.stakes.values():
        if not stake.moves or stake.kind != "main":
            continue
        hand = round_.hands.get(stake.hand or "")
        if hand is None or hand.even_money or hand.name == own or f"turn:{hand.name}" in round_.reported:
            continue
        if not has_blackjack(hand) or not any(move.outcome == "pay" for move in stake.moves):
            continue
        if hand.racked or hand.tucked:
            yield UPHELD
            continue
        tucks = rules.free_bets and _push22_open(round_, hand)
        yield Breach(
            clauses=(f"{_TURN[rules.name]}#{3 if tucks else 2}",),
            message=f"The Blackjack of hand {hand.name} was paid, but its cards were not "
            + ("tucked under the Push 22 wager." if tucks else "taken off the layout."),
            expected={"cards": "tucked under push22" if tucks else "racked"},
            observed={"cards": "on the layout"},
            sequences=(stake.moves[-1].sequence,),
            seat=hand.seat,
            hand=hand.name,
            discriminator=f"turn:{hand.name}",
        )


def _push22_open(round_: Round, hand: Hand) -> bool:
    stake = round_.stakes.get(f"{hand.seat}:push22")
    return stake is not None and not stake.moves


@check(
    "rack.even_money",
    decides=(
        "rack.even_money_removed",
        "rack.even_money_tucked",
    ),
    rests_on=(
        "console",
        "placements",
        "shoe",
        "wagers",
        "rack",
    ),
    turns_on=("cards",),
    reads=(HoleCardRead, HoleCardRevealed, PlayerDecision),
    alters=True,
    follows=True,
    after=(EvenMoneyTaken,),
)
def cards_paid_even_money_leave_the_layout(moment: Moment, data: object) -> Iterator[Judgment]:
    """The cards of a hand paid even money are racked, or tucked under an open Push 22 wager, on payment."""
    round_, _ = moment.play
    for hand in player_hands(round_):
        if hand.even_money is None or f"turn:{hand.name}" in round_.reported:
            continue
        stake = round_.stakes.get(f"{hand.seat}:main:{hand.name}")
        if stake is None or not stake.moves:
            continue
        if hand.racked or hand.tucked:
            yield UPHELD
            continue
        tucks = _push22_open(round_, hand)
        yield Breach(
            clauses=("672a.8(e)#4" if tucks else "672a.8(e)#3",),
            message=f"Hand {hand.name} was paid even money, but its cards were not "
            + ("tucked under the Push 22 wager." if tucks else "taken off the layout."),
            expected={"cards": "tucked under push22" if tucks else "racked"},
            observed={"cards": "on the layout"},
            sequences=(stake.moves[-1].sequence,),
            seat=hand.seat,
            hand=hand.name,
            discriminator=f"turn:{hand.name}",
        )


@check(
    "rack.tuck",
    decides=(
        "rack.blackjack_tucked", "rack.even_money_tucked", "rack.split_bust_at_once", "rack.split_bust_lammer",
    ),
    rests_on=(
        "console",
        "placements",
        "shoe",
        "wagers",
        "rack",
    ),
    turns_on=("cards",),
    reads=(CardsTucked, CardsRacked),
    alters=True,
    follows=True,
    readings=("A6", "A7"),
)  # fmt: skip
def cards_are_tucked_only_as_ordered(moment: Moment, data: CardsTucked | CardsRacked) -> Iterator[Judgment]:
    """Only a paid Blackjack with an open Push 22 wager, or a busted split hand, is tucked and not racked early."""
    round_, rules = moment.play
    hand = round_.hands.get(data.hand)
    if hand is None or not hand.seat:
        return
    if isinstance(data, CardsTucked):
        yield from _judge_tuck(moment, hand, data)
    elif data.reason == "blackjack" and round_.hole_revealed is None and _push22_open(round_, hand):
        yield Breach(
            clauses=(_tucks(hand, rules),),
            message=f"The cards of hand {hand.name} were racked although its Push 22 wager is still open.",
            expected={"cards": "tucked under push22"},
            observed={"cards": "racked"},
            seat=hand.seat,
            hand=hand.name,
            discriminator=f"turn:{hand.name}",
        )
    elif (
        data.reason == "bust"
        and round_.hole_revealed is None
        and (_first_of_split_waits(round_, hand, rules) or goes_otherwise(round_, hand, rules, "tucked"))
    ):
        yield Breach(
            clauses=_SPLIT_BUST[rules.name][-1:],
            message=f"The busted split hand {hand.name} was racked while another hand of seat {hand.seat} plays.",
            expected={"cards": "tucked under main"},
            observed={"cards": "racked"},
            seat=hand.seat,
            hand=hand.name,
            discriminator=f"tuck:{hand.name}",
        )


def _tucks(hand: Hand, rules: BlackjackRules) -> str:
    """The clause that lets the cards of a paid Blackjack be tucked under an open Push 22 wager."""
    if hand.even_money is not None and rules.chapter == "672a":
        return "672a.8(e)#4"
    return f"{_TURN[rules.name]}#3"


def _judge_tuck(moment: Moment, hand: Hand, data: CardsTucked) -> Iterator[Judgment]:
    round_, rules = moment.play
    if waits_for_card(hand) is not None:
        return  # the card it asked for is missing: that is told on its own
    if data.under == "push22":
        if f"{hand.seat}:push22" in round_.stakes:
            yield UPHELD
            return
        clause: tuple[str, ...] = (_tucks(hand, rules),)
        why = f"seat {hand.seat} has no Push 22 wager"
    else:
        busted = busted_at(hand) is not None
        if busted and is_split(hand) and goes_otherwise(round_, hand, rules, "at_once"):
            clause, why = _SPLIT_BUST[rules.name][-1:], "a later split hand that busts is racked at once"
        elif busted and is_split(hand):
            if (
                rules.chapter != "672a"
                or not hand.name.endswith(".1")
                or box_has_lammer(round_, hand.seat, rules)
            ):
                yield UPHELD
                return
            clause, why = (
                ("672a.10(c)(1)",),
                "no lammer lies by this box, so it is collected and racked at once",
            )
        elif has_blackjack(hand) and _push22_open(round_, hand):
            clause, why = (_tucks(hand, rules),), "a paid Blackjack is tucked under the Push 22 wager"
        else:
            clause, why = _SPLIT_BUST[rules.name], "it is no busted split hand"
    yield Breach(
        clauses=clause,
        message=f"The cards of hand {hand.name} were tucked under the {data.under} wager, but {why}.",
        expected={"cards": "not tucked"},
        observed={"under": data.under},
        seat=hand.seat,
        hand=hand.name,
        discriminator=f"tuck:{hand.name}",
    )


def _first_of_split_waits(round_: Round, hand: Hand, rules: BlackjackRules) -> bool:
    """Whether the hand is a busted first split hand that waits while another hand of its box plays (10(c), 11(c))."""
    if not rules.free_bets or not is_split(hand) or not hand.name.endswith(".1") or busted_at(hand) is None:
        return False
    if rules.chapter == "672a" and not box_has_lammer(round_, hand.seat, rules):
        return False
    return any(other.seat == hand.seat and busted_at(other) is None for other in player_hands(round_))


@check(
    "rack.split_bust",
    decides=(
        "rack.split_bust_at_once",
        "rack.split_bust_lammer",
    ),
    rests_on=(
        "console",
        "placements",
        "shoe",
        "wagers",
        "rack",
    ),
    turns_on=("cards",),
    reads=(CardDrawn, PlayerDecision, HoleCardRevealed, WagerSettled),
    alters=True,
    follows=True,
    readings=("A6",),
    after=("split",),
)
def the_first_split_bust_is_handled_at_once(
    moment: Moment, data: CardDrawn | PlayerDecision | HoleCardRevealed | WagerSettled
) -> Iterator[Judgment]:
    """A busted first split hand is tucked, or without a lammer (672a) collected and racked, before the next step."""
    round_, rules = moment.play
    if round_.hole_revealed is not None:
        return
    for hand in round_.hands.values():
        if hand.split_at is None or not hand.name.endswith(".1") or f"tuck:{hand.name}" in round_.reported:
            continue
        if busted_at(hand) is None:
            continue
        if rules.chapter == "672a" and not box_has_lammer(round_, hand.seat, rules):
            yield from _lammer_free(round_, hand, data)
        else:
            yield from _tucked_first(round_, hand, rules, data)


def _lammer_free(round_: Round, hand: Hand, data: object) -> Iterator[Judgment]:
    if isinstance(data, WagerSettled):
        return
    stake = round_.stakes.get(f"{hand.seat}:main:{hand.name}")
    collected = stake is not None and bool(stake.moves)
    if hand.racked and collected:
        yield UPHELD
        return
    yield Breach(
        clauses=("672a.10(c)(1)",),
        message=f"The first split hand {hand.name} busted with no lammer at its box, but "
        + ("its cards were not racked at once." if collected else "its wager was not collected at once."),
        expected={"wager": "collected", "cards": "racked"},
        observed={
            "wager": "collected" if collected else "open",
            "cards": "racked" if hand.racked else "left",
        },
        sequences=tuple(hand.sequences[-1:]),
        seat=hand.seat,
        hand=hand.name,
        discriminator=f"tuck:{hand.name}",
    )


def _tucked_first(round_: Round, hand: Hand, rules: BlackjackRules, data: object) -> Iterator[Judgment]:
    if not _first_of_split_waits(round_, hand, rules):
        return
    clause = _SPLIT_BUST[rules.name][-1:]
    if isinstance(data, WagerSettled):
        # When all have played, the settlement may have begun with the hole card unshown: the reveal decides.
        if _settles(data, hand) and open_hands(round_, rules):
            yield _settled_too_soon(hand, clause)
    elif isinstance(data, HoleCardRevealed) and _settled(round_, hand):
        yield _settled_too_soon(hand, clause)
    elif hand.tucked is None:
        yield Breach(
            clauses=clause,
            message=f"The busted first split hand {hand.name} was not tucked under its wager.",
            expected={"cards": "tucked under main"},
            observed={"cards": "racked" if hand.racked else "left on the layout"},
            sequences=tuple(hand.sequences[-1:]),
            seat=hand.seat,
            hand=hand.name,
            discriminator=f"tuck:{hand.name}",
        )
    else:
        yield UPHELD


def _settles(data: WagerSettled, hand: Hand) -> bool:
    return data.kind in ("main", "double") and (data.hand or f"{data.seat}.1") == hand.name


def _settled(round_: Round, hand: Hand) -> bool:
    stake = round_.stakes.get(f"{hand.seat}:main:{hand.name}")
    return stake is not None and bool(stake.moves)


def _settled_too_soon(hand: Hand, clause: tuple[str, ...]) -> Breach:
    return Breach(
        clauses=clause,
        message=f"The wager of the busted first split hand {hand.name} was settled while another hand of "
        f"seat {hand.seat} still plays.",
        expected={"wager": "kept until the box is settled"},
        observed={"wager": "settled"},
        sequences=tuple(hand.sequences[-1:]),
        seat=hand.seat,
        hand=hand.name,
        discriminator=f"tuck:{hand.name}",
    )
