"""Insurance: offered under an ace, placed in time, of the right size, collected when it is lost (reading A37)."""

from __future__ import annotations

from collections.abc import Iterator

from processors.games.blackjack.rulings import half_up
from processors.games.totals import POINTS
from processors.law.check import UPHELD, Breach, Judged, Judgment, Moment, check, of
from processors.law.duties.reader.reader import ACTION, early_surrender
from processors.law.marks import LATE, OFFER_AMISS
from processors.law.wording import dollars
from schemas import events as e
from schemas.values import DEALER


@check(
    "insurance.size", decides=("insurance.at_most_half", "insurance.rounded_up"),
    reads=(of(e.WagerPlaced, "insurance"), of(e.WagerAltered, "insurance")), alters=True, readings=("A28",),
)  # fmt: skip
def insurance_is_at_most_half(moment: Moment, data: e.WagerPlaced | e.WagerAltered) -> Judged:
    """Insurance is at most half of the initial wager, or the next chip above it where chips cannot make the half."""
    round_, rules = moment.play
    main = round_.main_stake(data.seat)
    before = round_.stakes.get(f"{data.seat}:insurance")
    if main is None:
        return None
    if isinstance(data, e.WagerAltered):
        staked = data.to_cents
    else:
        staked = data.cents + (before.cents if before is not None else 0)
    limit = half_up(main.cents, rules.chip_cents)
    if rules.readings["A28"] == "down":
        limit = main.cents // (2 * rules.chip_cents) * rules.chip_cents
    if staked <= limit:
        return UPHELD
    return Breach(
        message=f"Seat {data.seat} has {dollars(staked)} on insurance; its wager of {dollars(main.cents)} "
        f"allows {dollars(limit)}.",
        expected={"at_most_cents": limit},
        observed={"cents": staked},
        sequences=(main.placed,),
        seat=data.seat,
    )


@check(
    "insurance.offered", decides=("insurance.offered", "insurance.under_ace"),
    reads=(e.InsuranceOffered, e.HoleCardRead, *ACTION), unheard="console",
)  # fmt: skip
def insurance_is_offered_under_an_ace(moment: Moment, data: object) -> Judged:
    """Insurance is offered when and only when the dealer shows an ace, after the deal and before the reader."""
    round_, _ = moment.play
    up = moment.dealer.up
    if up is None or up not in POINTS or OFFER_AMISS.on(round_):
        return None
    if isinstance(data, e.InsuranceOffered):
        return _offer(moment, up)
    if up[0] != "A" or round_.insurance_offered is not None or early_surrender(moment, data):
        return None
    return Breach(
        roles=("insurance.offered",),
        message=f"The dealer shows {up}, but insurance was not offered.",
        expected={"insurance_offered": True},
        observed={"insurance_offered": False},
        hand=DEALER,
        discriminator=OFFER_AMISS.of(),
    )


def _offer(moment: Moment, up: str) -> Judgment:
    round_, _ = moment.play
    taken = [stake.seat for stake in round_.stakes.values() if stake.kind == "insurance"]
    if up[0] != "A":
        amiss = "although the dealer shows no ace"
    elif round_.reader is not None:
        amiss = "only after the hole card had been read"
    elif taken:
        amiss = f"only after seat {taken[0]} had taken it"
    elif len(round_.hands[DEALER].cards) < 2:
        amiss = "before the deal was over"
    else:
        return UPHELD
    return Breach(
        roles=("insurance.offered", *(("insurance.under_ace",) if taken else ())),
        message=f"Insurance was offered {amiss}.",
        expected={"up_card": "ace"},
        observed={"up_card": up},
        hand=DEALER,
        discriminator=OFFER_AMISS.of(),
    )


@check(
    "insurance.when",
    decides=("insurance.under_ace", "insurance.before_reader", "insurance.even_money_selected"),
    reads=(of(e.WagerPlaced, "insurance"),), alters=True, follows=True,
)  # fmt: skip
def insurance_is_placed_under_an_ace_before_the_reader(moment: Moment, data: e.WagerPlaced) -> Judged:
    """Insurance is taken by players in the round, under a dealer ace, before the hole card is read."""
    round_, rules = moment.play
    up, hand = moment.dealer.up, round_.hands.get(f"{data.seat}.1")
    if round_.main_stake(data.seat) is None:
        role, why = "insurance.under_ace", "it has no wager in the round"
    elif up is None or up[0] != "A":
        role, why = "insurance.under_ace", "the dealer shows no ace"
    elif round_.reader is not None:
        role, why = "insurance.before_reader", "the hole card had already been read"
    elif round_.hole_revealed is not None:
        role, why = "insurance.before_reader", "the hole card had already been shown"
    elif hand is not None and hand.even_money is not None and not rules.profile.pays_no_even_money:
        role, why = "insurance.even_money_selected", "it had taken even money, which stands instead"
    else:
        return UPHELD
    return Breach(
        roles=(role,),
        message=f"Seat {data.seat} placed insurance although {why}.",
        expected={"insurance": "under an ace, before the reader"},
        observed={"up_card": up, "read": round_.reader is not None},
        sequences=(round_.reader[2],) if round_.reader is not None else (),
        seat=data.seat,
    )


@check(
    "insurance.collected", decides=("insurance.lost_collected",),
    reads=(e.CardDrawn, e.PlayerDecision), follows=True, unheard="console", after=(e.HoleCardRead,),
)  # fmt: skip
def lost_insurance_is_collected_at_once(
    moment: Moment, data: e.CardDrawn | e.PlayerDecision
) -> Iterator[Judgment]:
    """Losing insurance is collected right after the reader excludes Blackjack, before the next card.

    Of the decisions only a hand that stands decides it; after every other one the card that follows does.
    """
    round_, _ = moment.play
    if round_.reader is None or moment.dealer.blackjack is not False or early_surrender(moment, data):
        return
    for key, stake in round_.stakes.items():
        if stake.kind != "insurance" or LATE.on(round_, key):
            continue
        if stake.moves:
            yield UPHELD
        elif isinstance(data, e.CardDrawn) or data.kind == "stand":
            yield Breach(
                message=f"Seat {stake.seat} lost its insurance, but it was not collected before play went on.",
                expected={"collected": True},
                observed={"collected": False},
                sequences=(stake.placed, round_.reader[2]),
                seat=stake.seat,
                discriminator=LATE.of(key),
            )
