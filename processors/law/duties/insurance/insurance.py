"""Insurance and even money (7(f), 8, 685a.7(g); readings A13, A28, A37, A57)."""

from __future__ import annotations

from collections.abc import Iterator

from processors.core.state import Round
from processors.games.blackjack.hands import has_blackjack
from processors.games.blackjack.rulings import half_up
from processors.games.totals import POINTS
from processors.law.check import UPHELD, Breach, Judgment, Moment, check
from processors.law.clauses import clauses_of
from processors.law.duties.reader.reader import ACTION, OFFER, early_surrender
from processors.law.duties.settlement.stake import dollars
from schemas.events import (
    BlackjackAnnounced,
    CardDrawn,
    EvenMoneyOffered,
    EvenMoneyTaken,
    HoleCardRead,
    InsuranceOffered,
    PlayerDecision,
    WagerAltered,
    WagerPlaced,
    WagerSettled,
)
from schemas.values import DEALER

_EVEN_MONEY = {
    "free_bet_672a": ("672a.8(e)#1", "672a.8(e)#2", "672a.7(f)#2"),
    "down_under_685a": ("685a.7(g)#2",),
}


@check(
    "insurance.size",
    decides=(
        "insurance.at_most_half",
        "insurance.rounded_up",
    ),
    rests_on=(
        "console",
        "placements",
        "shoe",
        "wagers",
        "reader",
    ),
    turns_on=("cards",),
    reads=(WagerPlaced, WagerAltered),
    alters=True,
    readings=("A28",),
)
def insurance_is_at_most_half(moment: Moment, data: WagerPlaced | WagerAltered) -> Iterator[Judgment]:
    """Insurance is at most half of the initial wager, or the next chip above it where chips cannot make the half."""
    if data.kind != "insurance":
        return
    round_, rules = moment.play
    main = round_.stakes.get(f"{data.seat}:main:{data.seat}.1")
    before = round_.stakes.get(f"{data.seat}:insurance")
    if main is None:
        return
    if isinstance(data, WagerAltered):
        staked = data.to_cents
    else:
        staked = data.cents + (before.cents if before is not None else 0)
    limit = half_up(main.cents, rules.chip_cents)
    if rules.readings["A28"] == "down":
        limit = main.cents // (2 * rules.chip_cents) * rules.chip_cents
    if staked <= limit:
        yield UPHELD
        return
    yield Breach(
        clauses=(*clauses_of(rules.name, "insurance_size"), f"{rules.chapter}.8(b)#2"),
        message=f"Seat {data.seat} has {dollars(staked)} on insurance; its wager of {dollars(main.cents)} "
        f"allows {dollars(limit)}.",
        expected={"at_most_cents": limit},
        observed={"cents": staked},
        sequences=(main.placed,),
        seat=data.seat,
    )


@check(
    "insurance.offered",
    decides=(
        "insurance.offered",
        "insurance.under_ace",
    ),
    rests_on=(
        "console",
        "placements",
        "shoe",
        "wagers",
        "reader",
    ),
    turns_on=("cards",),
    reads=(InsuranceOffered, HoleCardRead, *ACTION),
)
def insurance_is_offered_under_an_ace(moment: Moment, data: object) -> Iterator[Judgment]:
    """Insurance is offered when and only when the dealer shows an ace, after the deal and before the reader."""
    round_, rules = moment.play
    up = moment.dealer.up
    if up is None or up not in POINTS or "insurance:offer" in round_.reported:
        return
    ace = up[0] == "A"
    if isinstance(data, InsuranceOffered):
        early = [stake.seat for stake in round_.stakes.values() if stake.kind == "insurance"]
        if ace and round_.reader is None and len(round_.hands[DEALER].cards) >= 2 and not early:
            yield UPHELD
            return
        why = "the dealer shows no ace" if not ace else "it comes too late or before the deal is over"
        if early and ace and round_.reader is None:
            why = f"seat {early[0]} had taken it already"
        taken = (f"{rules.chapter}.8(a)#1",) if early else ()
        yield Breach(
            clauses=(OFFER[rules.name], *taken),
            message=f"Insurance was offered although {why}.",
            expected={"up_card": "ace"},
            observed={"up_card": up},
            hand=DEALER,
            discriminator="insurance:offer",
        )
    elif ace and round_.insurance_offered is None and not (early_surrender(moment, data)):
        yield Breach(
            clauses=(OFFER[rules.name],),
            message=f"The dealer shows {up}, but insurance was not offered.",
            expected={"insurance_offered": True},
            observed={"insurance_offered": False},
            hand=DEALER,
            discriminator="insurance:offer",
        )


@check(
    "insurance.when",
    decides=(
        "insurance.under_ace",
        "insurance.before_reader",
        "insurance.even_money_selected",
    ),
    rests_on=(
        "console",
        "placements",
        "shoe",
        "wagers",
        "reader",
    ),
    turns_on=("cards",),
    reads=(WagerPlaced,),
    alters=True,
    follows=True,
)
def insurance_is_placed_under_an_ace_before_the_reader(
    moment: Moment, data: WagerPlaced
) -> Iterator[Judgment]:
    """Insurance is taken by players in the round, under a dealer ace, before the hole card is read."""
    round_, rules = moment.play
    if data.kind != "insurance":
        return
    up = moment.dealer.up
    eight = f"{rules.chapter}.8"
    if f"{data.seat}:main:{data.seat}.1" not in round_.stakes:
        clause, why = f"{eight}(a)#1", f"seat {data.seat} has no wager in the round"
    elif up is None or up[0] != "A":
        clause, why = f"{eight}(a)#1", "the dealer shows no ace"
    elif round_.reader is not None or round_.hole_revealed is not None:
        clause, why = f"{eight}(b)#3", "the hole card had already been read"
    elif round_.hands[f"{data.seat}.1"].even_money is not None and rules.name in _EVEN_MONEY:
        clause, why = _EVEN_MONEY[rules.name][0], "it was paid even money, which stands instead"
    else:
        yield UPHELD
        return
    yield Breach(
        clauses=(clause,),
        message=f"Seat {data.seat} placed insurance although {why}.",
        expected={"insurance": "under an ace, before the reader"},
        observed={"up_card": up, "read": round_.reader is not None},
        sequences=(round_.reader[2],) if round_.reader is not None else (),
        seat=data.seat,
    )


@check(
    "insurance.collected",
    decides=("insurance.lost_collected",),
    rests_on=(
        "console",
        "placements",
        "shoe",
        "wagers",
        "reader",
    ),
    turns_on=("cards",),
    reads=(CardDrawn, PlayerDecision),
    follows=True,
    after=(HoleCardRead,),
)
def lost_insurance_is_collected_at_once(
    moment: Moment, data: CardDrawn | PlayerDecision
) -> Iterator[Judgment]:
    """Losing insurance is collected right after the reader excludes Blackjack, before the next card."""
    round_, rules = moment.play
    if round_.reader is None or moment.dealer.blackjack is not False:
        return
    if isinstance(data, PlayerDecision) and rules.chapter == "590" and data.kind == "surrender":
        return
    for key, stake in round_.stakes.items():
        if stake.kind != "insurance" or f"late:{key}" in round_.reported:
            continue
        if stake.moves:
            yield UPHELD
            continue
        if isinstance(data, PlayerDecision) and data.kind != "stand":
            continue  # the card that follows decides it
        yield Breach(
            clauses=(f"{rules.chapter}.8(d)",),
            message=f"Seat {stake.seat} lost its insurance, but it was not collected before play went on.",
            expected={"collected": True},
            observed={"collected": False},
            sequences=(stake.placed, round_.reader[2]),
            seat=stake.seat,
            discriminator=f"late:{key}",
        )


@check(
    "insurance.even_money_when",
    decides=(
        "insurance.even_money_alternative",
        "insurance.even_money_selected",
        "insurance.even_money_paid",
    ),
    formerly="even_money.when",
    rests_on=(
        "console",
        "placements",
        "shoe",
        "wagers",
        "reader",
    ),
    turns_on=("cards",),
    reads=(EvenMoneyOffered, EvenMoneyTaken, WagerSettled),
    alters=True,
    follows=True,
    readings=("A13",),
    after=(EvenMoneyOffered, EvenMoneyTaken),
)
def even_money_is_offered_as_selected(
    moment: Moment, data: EvenMoneyOffered | EvenMoneyTaken | WagerSettled
) -> Iterator[Judgment]:
    """Even money is offered only where selected, to a Blackjack under a dealer ace, before the hole card is read."""
    round_, rules = moment.play
    hand = round_.hands.get(f"{data.seat}.1")
    up = moment.dealer.up
    done = "took" if isinstance(data, EvenMoneyTaken) else "was offered"
    if isinstance(data, EvenMoneyTaken) and f"even:{data.seat}" in round_.reported:
        return
    if isinstance(data, WagerSettled):
        if _paid_after_the_reader(round_, data):
            yield _paid_late(moment, data)
            return
        if not _offered(round_, data.seat) or not _paid_before_the_reader(round_, data):
            return
        done, why = "was paid", "the player had not taken it"
    elif not rules.even_money:
        why = "the rules submission does not select it"
    elif up is None or up[0] != "A":
        why = "the dealer shows no ace"
    elif hand is None or not has_blackjack(hand):
        why = "the hand is no Blackjack"
    elif round_.reader is not None:
        why = "the hole card had already been read"
    elif isinstance(data, EvenMoneyTaken) and _insured(round_, data.seat):
        why = "the player has insurance, which even money takes the place of"
    elif isinstance(data, EvenMoneyTaken) and not _offered(round_, data.seat):
        why = "no offer is on record"
    else:
        yield UPHELD
        return
    paid = ("672a.8(e)#2",) if isinstance(data, WagerSettled) else ()
    yield Breach(
        clauses=("685a.7(g)#2",) if rules.down_under else ("672a.8(e)#1", "672a.7(f)#2", *paid),
        message=f"Seat {data.seat} {done} even money although {why}.",
        expected={"even_money": False},
        observed={"even_money": True},
        seat=data.seat,
        hand=f"{data.seat}.1",
        discriminator=f"even:{data.seat}" if isinstance(data, EvenMoneyOffered) else "",
    )


def _insured(round_: Round, seat: int) -> bool:
    stake = round_.stakes.get(f"{seat}:insurance")
    return stake is not None and stake.cents > 0


def _offered(round_: Round, seat: int) -> bool:
    return any(entry.data.seat == seat for entry in round_.told(EvenMoneyOffered))


def _paid_after_the_reader(round_: Round, data: WagerSettled) -> bool:
    """Whether a Blackjack that took even money in time is paid only when the hole card has been read (A57)."""
    hand = round_.hands.get(f"{data.seat}.1")
    if hand is None or hand.even_money is None or round_.reader is None:
        return False
    stake = round_.stakes.get(f"{data.seat}:main:{hand.name}")
    first = stake is not None and not stake.moves
    return first and data.kind == "main" and data.outcome == "pay" and hand.even_money < round_.reader[2]


def _paid_late(moment: Moment, data: WagerSettled) -> Breach:
    round_, rules = moment.play
    return Breach(
        clauses=("685a.7(g)#2",) if rules.down_under else ("672a.8(e)#2",),
        message=f"Seat {data.seat} took even money and was paid only after the hole card had been read.",
        expected={"paid": "before the hole card is read"},
        observed={"paid": "after the reading"},
        sequences=(round_.reader[2],) if round_.reader is not None else (),
        seat=data.seat,
        hand=f"{data.seat}.1",
    )


def _paid_before_the_reader(round_: Round, data: WagerSettled) -> bool:
    hand = round_.hands.get(f"{data.seat}.1")
    paid = data.kind == "main" and data.outcome == "pay"
    return paid and round_.reader is None and hand is not None and hand.even_money is None


@check(
    "insurance.even_money_unknown",
    decides=("settlement.blackjack_odds",),
    formerly="even_money.unknown",
    rests_on=(
        "console",
        "placements",
        "shoe",
        "wagers",
        "reader",
    ),
    turns_on=("cards",),
    where="pays_no_even_money",
    reads=(EvenMoneyTaken, BlackjackAnnounced),
    alters=True,
)
def free_bet_590_has_no_even_money(
    moment: Moment, data: EvenMoneyTaken | BlackjackAnnounced
) -> Iterator[Judgment]:
    """Chapter 590 knows no even money: a Blackjack waits for its turn and is paid 3 to 2."""
    if isinstance(data, BlackjackAnnounced):
        round_, _ = moment.play
        hand = round_.hands.get(data.hand)
        if hand is not None and hand.even_money is None:
            yield UPHELD
        return
    yield Breach(
        clauses=("590.12(a)#2",),
        message=f"Seat {data.seat} took even money, which chapter 590 does not know.",
        expected={"even_money": False},
        observed={"even_money": True},
        seat=data.seat,
        hand=f"{data.seat}.1",
    )
