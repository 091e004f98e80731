"""Cards that wait under a wager, and the first hand of a split that busts (7(h)(1), 8(e), 10(c), 11(c); A6, A7)."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from processors.core.state import Hand, Round, hand_named
from processors.games.blackjack.action import open_hands, waits_for_card
from processors.games.blackjack.hands import box_has_lammer, busted_at, has_blackjack, is_split, player_hands
from processors.games.blackjack.rack import goes_otherwise
from processors.games.blackjack.rules import BlackjackRules
from processors.law.check import UPHELD, Breach, Judged, Judgment, Moment, check, of
from processors.law.duties.rack.paid_hands import push22_open
from processors.law.marks import PAID_HAND_MISPLACED, SPLIT_BUST_MISPLACED
from processors.law.wording import wager
from schemas.events import CardDrawn, CardsRacked, CardsTucked, HoleCardRevealed, PlayerDecision, WagerSettled

AT_ONCE = ("rack.split_bust_at_once",)
WITH_LAMMER = ("rack.split_bust_lammer",)


@check(
    "rack.tuck", decides=("rack.blackjack_tucked", "rack.even_money_tucked", *AT_ONCE, *WITH_LAMMER),
    reads=(CardsTucked, of(CardsRacked, "blackjack", "bust")), alters=True, follows=True, readings=("A6", "A7"),
)  # fmt: skip
def cards_are_tucked_only_as_ordered(moment: Moment, data: CardsTucked | CardsRacked) -> Judged:
    """Only a paid Blackjack with an open Push 22 wager, or a busted split hand, is tucked and not racked early."""
    round_, rules = moment.play
    hand = round_.hands.get(data.hand)
    if hand is None or not hand.seat:
        return None
    if isinstance(data, CardsTucked):
        return _judge_tuck(round_, hand, rules, data)
    if round_.hole_revealed is not None:
        return None
    if data.reason == "blackjack" and push22_open(round_, hand):
        return Breach(
            roles=_under_push22(hand, rules),
            message=f"The cards of hand {hand.name} were racked although its Push 22 wager is still open.",
            expected={"cards": "tucked under push22"},
            observed={"cards": "racked"},
            seat=hand.seat,
            hand=hand.name,
            discriminator=PAID_HAND_MISPLACED.of(hand.name),
        )
    waits = _waits_for_its_box(round_, hand, rules) or goes_otherwise(round_, hand, rules, "tucked")
    if data.reason == "bust" and waits:
        another = f"while another hand of seat {hand.seat} plays"
        message = f"The busted split hand {hand.name} was racked {another}."
        return _misplaced(hand, WITH_LAMMER, message, {"cards": "tucked under main"}, {"cards": "racked"})
    return None


def _under_push22(hand: Hand, rules: BlackjackRules) -> tuple[str, ...]:
    """The role by which the cards of a hand paid in its turn wait under an open Push 22 wager."""
    even_money = hand.even_money is not None and not rules.profile.pays_no_even_money
    return ("rack.even_money_tucked" if even_money else "rack.blackjack_tucked",)


def _judge_tuck(round_: Round, hand: Hand, rules: BlackjackRules, data: CardsTucked) -> Judged:
    if waits_for_card(hand) is not None:
        return None  # another check finds that the card it asked for is missing
    wrong = _why_not(round_, hand, rules, data.under)
    if wrong is None:
        return UPHELD
    roles, why = wrong
    message = f"The cards of hand {hand.name} were tucked under the {wager(data.under)}, but {why}."
    return _misplaced(hand, roles, message, {"cards": "not tucked"}, {"under": data.under})


def _misplaced(
    hand: Hand, roles: tuple[str, ...], message: str, due: dict[str, str], seen: dict[str, str], *at: int
) -> Breach:
    return Breach(
        roles=roles,
        message=message,
        expected=due,
        observed=seen,
        sequences=at,
        seat=hand.seat,
        hand=hand.name,
        discriminator=SPLIT_BUST_MISPLACED.of(hand.name),
    )


def _why_not(
    round_: Round, hand: Hand, rules: BlackjackRules, under: str
) -> tuple[tuple[str, ...], str] | None:
    """The roles by which the cards are not to wait under that wager, and the reason; None where they are."""
    if under == "push22":
        if f"{hand.seat}:push22" in round_.stakes:
            return None
        return _under_push22(hand, rules), f"seat {hand.seat} has no Push 22 wager"
    if busted_at(hand, rules) is not None and is_split(hand):
        if goes_otherwise(round_, hand, rules, "at_once"):
            return WITH_LAMMER, "a later split hand that busts is racked at once"
        if hand.name.endswith(".1") and _goes_at_once(round_, hand, rules):
            collected = "the wager is collected and the cards are racked at once"
            return AT_ONCE, f"no lammer lies by this box, so {collected}"
        return None
    if has_blackjack(hand) and push22_open(round_, hand):
        return _under_push22(hand, rules), "a paid Blackjack is tucked under the Push 22 wager"
    return (*AT_ONCE, *WITH_LAMMER), "the hand is no busted split hand"


def _goes_at_once(round_: Round, hand: Hand, rules: BlackjackRules) -> bool:
    """Whether no lammer keeps the busted first hand of the box on the layout."""
    return rules.profile.split_bust_at_once and not box_has_lammer(round_, hand.seat, rules)


def _waits_for_its_box(round_: Round, hand: Hand, rules: BlackjackRules) -> bool:
    """Whether the hand is a busted first split hand that waits while another hand of its box plays (10(c), 11(c))."""
    if not (rules.profile.free_bets and is_split(hand) and hand.name.endswith(".1")):
        return False
    if busted_at(hand, rules) is None or _goes_at_once(round_, hand, rules):
        return False
    return any(other.seat == hand.seat and busted_at(other, rules) is None for other in player_hands(round_))


@check(
    "rack.split_bust", decides=(*AT_ONCE, *WITH_LAMMER),
    reads=(CardDrawn, PlayerDecision, HoleCardRevealed, WagerSettled), alters=True, follows=True,
    readings=("A6",), after=("split",),
)  # fmt: skip
def the_first_split_bust_is_handled_at_once(
    moment: Moment, data: CardDrawn | PlayerDecision | HoleCardRevealed | WagerSettled
) -> Iterator[Judgment]:
    """A busted first split hand is tucked, or without a lammer (672a) collected and racked, before the next step."""
    round_, rules = moment.play
    if round_.hole_revealed is not None:
        return
    for hand in round_.hands.values():
        if hand.split_at is None or not hand.name.endswith(".1") or busted_at(hand, rules) is None:
            continue
        if SPLIT_BUST_MISPLACED.on(round_, hand.name):
            continue
        if _goes_at_once(round_, hand, rules):
            judgment = _taken_at_once(round_, hand, data)
        else:
            judgment = _tucked_first(round_, hand, rules, data)
        if judgment is not None:
            yield judgment


def _taken_at_once(round_: Round, hand: Hand, data: object) -> Judged:
    if isinstance(data, WagerSettled):
        return None
    collected = _settled(round_, hand)
    if hand.racked and collected:
        return UPHELD
    late = "its cards were not racked at once" if collected else "its wager was not collected at once"
    message = f"The first split hand {hand.name} busted with no lammer at its box, but {late}."
    due = {"wager": "collected", "cards": "racked"}
    seen = {"wager": "collected" if collected else "open", "cards": "racked" if hand.racked else "left"}
    breach = _misplaced(hand, AT_ONCE, message, due, seen, *hand.sequences[-1:])
    return replace(breach, unheard="rack") if collected else breach


def _tucked_first(round_: Round, hand: Hand, rules: BlackjackRules, data: object) -> Judged:
    if not _waits_for_its_box(round_, hand, rules):
        return None
    if isinstance(data, WagerSettled):
        # When all have played, the settlement may have begun with the hole card unshown: the reveal decides.
        too_soon = _settles(data, hand) and bool(open_hands(round_, rules))
        return _settled_too_soon(hand) if too_soon else None
    if isinstance(data, HoleCardRevealed) and _settled(round_, hand):
        return _settled_too_soon(hand)
    if hand.tucked is not None:
        return UPHELD
    message = f"The busted first split hand {hand.name} was not tucked under its wager."
    left = {"cards": "racked" if hand.racked else "left on the layout"}
    return _misplaced(hand, WITH_LAMMER, message, {"cards": "tucked under main"}, left, *hand.sequences[-1:])


def _settles(data: WagerSettled, hand: Hand) -> bool:
    return data.kind in ("main", "double") and hand_named(data.seat, data.hand) == hand.name


def _settled(round_: Round, hand: Hand) -> bool:
    stake = round_.main_stake(hand.seat, hand.name)
    return stake is not None and bool(stake.moves)


def _settled_too_soon(hand: Hand) -> Breach:
    soon = f"was settled while another hand of seat {hand.seat} still plays"
    message = f"The wager of the busted first split hand {hand.name} {soon}."
    kept = {"wager": "kept until the box is settled"}
    return _misplaced(hand, WITH_LAMMER, message, kept, {"wager": "settled"}, *hand.sequences[-1:])
