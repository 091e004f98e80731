"""Even money: where it is selected, to whom and when it is offered and paid (readings A13, A57)."""

from __future__ import annotations

from processors.core.state import Hand, Round
from processors.games.blackjack.hands import has_blackjack
from processors.law.check import UPHELD, Breach, Judged, Moment, check
from processors.law.marks import EVEN_MONEY_AMISS
from schemas.events import BlackjackAnnounced, EvenMoneyOffered, EvenMoneyTaken, WagerSettled
from schemas.rulesets import RULESETS


@check(
    "insurance.even_money_when", decides=(
        "insurance.even_money_alternative", "insurance.even_money_selected", "insurance.even_money_paid",
    ),
    reads=(EvenMoneyOffered, EvenMoneyTaken, WagerSettled), alters=True, follows=True, readings=("A13",),
    after=(EvenMoneyOffered, EvenMoneyTaken),
)  # fmt: skip
def even_money_is_offered_as_selected(
    moment: Moment, data: EvenMoneyOffered | EvenMoneyTaken | WagerSettled
) -> Judged:
    """Even money is offered only where selected, to a Blackjack under a dealer ace, before the hole card is read."""
    round_, _ = moment.play
    if isinstance(data, WagerSettled):
        return _paid(moment, data)
    taken = isinstance(data, EvenMoneyTaken)
    if taken and EVEN_MONEY_AMISS.on(round_, data.seat):
        return None
    why = _not_to_be_offered(moment, data.seat) or (taken and _not_to_be_taken(round_, data.seat))
    if not why:
        return UPHELD
    did = f"{'took' if taken else 'was offered'} even money although {why}"
    return _wrongly(data.seat, did, mark="" if taken else EVEN_MONEY_AMISS.of(data.seat))


def _wrongly(seat: int, did: str, *roles: str, mark: str = "") -> Breach:
    return Breach(
        roles=("insurance.even_money_selected", "insurance.even_money_alternative", *roles),
        message=f"Seat {seat} {did}.",
        expected={"even_money": False},
        observed={"even_money": True},
        seat=seat,
        hand=f"{seat}.1",
        discriminator=mark,
    )


def _not_to_be_offered(moment: Moment, seat: int) -> str:
    """Why a seat may not be offered even money; nothing where it may."""
    round_, rules = moment.play
    up, hand = moment.dealer.up, round_.hands.get(f"{seat}.1")
    if not rules.even_money:
        return "the rules submission does not select it"
    if up is None or up[0] != "A":
        return "the dealer shows no ace"
    if hand is None or not has_blackjack(hand):
        return "the hand is no Blackjack"
    return "the hole card had already been read" if round_.reader is not None else ""


def _not_to_be_taken(round_: Round, seat: int) -> str:
    """Why a seat that might be offered even money may not take it; nothing where it may."""
    insurance = round_.stakes.get(f"{seat}:insurance")
    if insurance is not None and insurance.cents > 0:
        return "the player has insurance, which even money takes the place of"
    return "" if _offered(round_, seat) else "no offer is on record"


def _offered(round_: Round, seat: int) -> bool:
    return any(entry.data.seat == seat for entry in round_.told(EvenMoneyOffered))


def _paid(moment: Moment, data: WagerSettled) -> Breach | None:
    """Even money that is paid to a player who did not take it, or only when the hole card has been read (A57)."""
    round_, rules = moment.play
    hand = round_.hands.get(f"{data.seat}.1")
    if hand is None or data.kind != "main" or data.outcome != "pay":
        return None
    if _paid_late(round_, hand):
        own = rules.profile.even_money_has_rule
        return Breach(
            roles=("insurance.even_money_paid" if own else "insurance.even_money_selected",),
            message=f"Seat {data.seat} took even money and was paid only after the hole card had been read.",
            expected={"paid": "before the hole card is read"},
            observed={"paid": "after the reading"},
            sequences=(round_.reader[2],) if round_.reader is not None else (),
            seat=data.seat,
            hand=hand.name,
        )
    if round_.reader is not None or hand.even_money is not None or not _offered(round_, data.seat):
        return None
    did = "was paid even money although the player had not taken it"
    return _wrongly(data.seat, did, "insurance.even_money_paid")


def _paid_late(round_: Round, hand: Hand) -> bool:
    """Whether a hand that took even money in time is paid for the first time, and after the reading."""
    if hand.even_money is None or round_.reader is None or hand.even_money >= round_.reader[2]:
        return False
    stake = round_.main_stake(hand.seat, hand.name)
    return stake is not None and not stake.moves


@check(
    "insurance.even_money_unknown", decides=("settlement.blackjack_odds",),
    reads=(EvenMoneyTaken, BlackjackAnnounced), where="pays_no_even_money", alters=True,
)  # fmt: skip
def a_blackjack_waits_for_its_odds(moment: Moment, data: EvenMoneyTaken | BlackjackAnnounced) -> Judged:
    """Where the chapter knows no even money, a Blackjack waits for its turn and is paid 3 to 2."""
    round_, rules = moment.play
    if isinstance(data, BlackjackAnnounced):
        hand = round_.hands.get(data.hand)
        return UPHELD if hand is not None and hand.even_money is None else None
    return Breach(
        message=f"Seat {data.seat} took even money, which chapter {RULESETS[rules.name].chapter} does not know.",
        expected={"even_money": False},
        observed={"even_money": True},
        seat=data.seat,
        hand=f"{data.seat}.1",
    )
