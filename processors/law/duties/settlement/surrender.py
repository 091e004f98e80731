"""The two halves of a surrendered wager (9(a); readings A26, A38)."""

from __future__ import annotations

from collections.abc import Iterator

from processors.core.state import Stake, hand_named
from processors.games.blackjack.rulings import half_up
from processors.games.totals import POINTS
from processors.law.check import UPHELD, Breach, Judgment, Moment, check, of
from processors.law.marks import HALVES_APART
from schemas.events import BlackjackAnnounced, HoleCardRevealed, PlayerDecision, RoundEnded, WagerSettled


@check(
    "settlement.surrender_halves",
    decides=("settlement.surrender_at_once", "settlement.surrender_after_reader"),
    reads=(PlayerDecision, BlackjackAnnounced, HoleCardRevealed, RoundEnded, of(WagerSettled, "main")),
    alters=True, follows=True, after=("surrender",),
)  # fmt: skip
def both_halves_of_a_surrendered_wager_move_at_once(moment: Moment, data: object) -> Iterator[Judgment]:
    """Unless the dealer has Blackjack, half of a surrendered wager is taken and half returned, before play goes on."""
    round_, rules = moment.play
    dealer = moment.dealer
    if dealer.blackjack is not False:
        return
    for hand in round_.hands.values():
        stake = round_.main_stake(hand.seat, hand.name)
        if hand.surrendered is None or stake is None or HALVES_APART.on(round_, hand.name):
            continue
        if isinstance(data, WagerSettled) and not _moves_late(
            data, stake, hand.surrendered, round_.hole_revealed
        ):
            continue
        due = stake.cents - half_up(stake.cents, rules.chip_cents)
        taken = any(move.outcome == "collect" for move in stake.moves)
        returned = any(move.outcome == "return" for move in stake.moves)
        if taken and (returned or due <= 0):
            yield UPHELD
            continue
        if not stake.moves and isinstance(data, HoleCardRevealed | RoundEnded):
            continue  # what was never settled at all is judged with the settlement
        after_reader = POINTS.get(dealer.up or "", 0) >= 10
        yield Breach(
            roles=("settlement.surrender_after_reader" if after_reader else "settlement.surrender_at_once",),
            message=f"The surrendered wager of hand {hand.name} was settled only after the hole card was shown."
            if isinstance(data, WagerSettled)
            else f"Of the surrendered wager of hand {hand.name} one half was not "
            + ("returned" if taken else "collected")
            + " before play went on.",
            expected={"collected": stake.cents - due, "returned": due},
            observed={"collected": taken, "returned": returned},
            money_cents=due if taken else 0,
            sequences=(hand.surrendered,),
            seat=hand.seat,
            hand=hand.name,
            discriminator=HALVES_APART.of(hand.name),
            unheard=None if isinstance(data, WagerSettled) else "console",
        )


def _moves_late(data: WagerSettled, stake: Stake, surrendered: int, shown: int | None) -> bool:
    """Whether a wager surrendered while the hole card was hidden is settled for the first time once the card shows."""
    mine = hand_named(data.seat, data.hand) == stake.hand
    return mine and not stake.moves and shown is not None and shown > surrendered
