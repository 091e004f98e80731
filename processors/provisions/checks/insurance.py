"""The size of an insurance wager (8(b); readings A28, A37)."""

from __future__ import annotations

from collections.abc import Iterator

from processors.games.blackjack.rulings import half_up
from processors.provisions.check import UPHELD, Breach, Judgment, Moment, check
from processors.provisions.checks.settlement import dollars
from processors.provisions.clauses import BLACKJACK, clauses_of
from schemas.events import WagerAltered, WagerPlaced


@check(
    "insurance.size",
    provisions={ruleset: clauses_of(ruleset, "insurance_size") for ruleset in BLACKJACK},
    reads=(WagerPlaced, WagerAltered),
    alters=True,
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
    if staked <= limit:
        yield UPHELD
        return
    yield Breach(
        clauses=clauses_of(rules.name, "insurance_size"),
        message=f"Seat {data.seat} has {dollars(staked)} on insurance; its wager of {dollars(main.cents)} "
        f"allows {dollars(limit)}.",
        expected={"at_most_cents": limit},
        observed={"cents": staked},
        sequences=(main.placed,),
        seat=data.seat,
    )
