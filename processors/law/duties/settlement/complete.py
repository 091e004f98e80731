"""What stands when a round ends: every stake has been settled as it is finally due."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from processors.core.state import Round, Stake, hand_named
from processors.games.blackjack.rulings import Ruling, UndecidableStake, UndecidedStake
from processors.games.settled import observed
from processors.law.check import UPHELD, Breach, Indeterminate, Judgment, Moment, check
from processors.law.duties.settlement.roles import CAUSES, STAKES
from processors.law.duties.settlement.stake import READINGS, settled_otherwise
from processors.law.marks import LATE, MISSETTLED
from processors.law.wording import WORDS, dollars, named
from schemas.events import RoundEnded


@check("settlement.complete", decides=STAKES, reads=(RoundEnded,), follows=True, readings=(*READINGS, "A23"))
def nothing_is_left_unsettled(moment: Moment, data: RoundEnded) -> Iterator[Judgment]:
    """When the round ends, every stake has been settled as it finally stands (only then can it be known)."""
    round_, rules = moment.play
    for key, stake in round_.stakes.items():
        if MISSETTLED.on(round_, key) or LATE.on(round_, key):
            continue
        decision = moment.due(stake)
        if not isinstance(decision, Ruling):
            yield from _undecided(key, stake, decision)
            continue
        seen = observed(stake.cents, stake.moves)
        may_stay = rules.readings["A23"] == "either" and _stays_for_the_next_deal(round_, stake)
        if seen == decision.settlement or may_stay:
            yield UPHELD
            continue
        had = f"{dollars(seen.cents)} had been {WORDS[seen.outcome]}" if seen else "it had not been settled"
        ended = f"; when the round ended {had}"
        breach = settled_otherwise(moment, MISSETTLED.of(key), stake, decision, seen, ended)
        yield replace(breach, wager=stake.kind)


def _undecided(key: str, stake: Stake, decision: UndecidedStake | UndecidableStake) -> Iterator[Judgment]:
    if isinstance(decision, UndecidableStake):
        yield Indeterminate(
            roles=CAUSES["odds"],
            message=f"What the {named(stake)} is due cannot be said.",
            missing=(decision.missing,),
            seat=stake.seat,
            hand=stake.hand,
            discriminator=MISSETTLED.of(key),
        )
    elif stake.cents and not stake.moves:
        yield Breach(
            roles=CAUSES["undecided"],
            message=f"The round ended with the {named(stake)} undecided: it depends on {decision.waits_for}.",
            expected={"wait_for": decision.waits_for},
            observed=None,
            sequences=(stake.placed,),
            seat=stake.seat,
            hand=stake.hand,
            discriminator=MISSETTLED.of(key),
        )


def _stays_for_the_next_deal(round_: Round, stake: Stake) -> bool:
    """A hand that got no cards is dead and its wager may wait for the next deal (12(g), reading A23)."""
    hand = round_.hands.get(hand_named(stake.seat, stake.hand))
    return hand is not None and hand.voided is not None and not hand.cards and not stake.moves
