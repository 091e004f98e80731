"""A void round of the stack games gives every wager back (670a.10(e), 657a.8(h); readings A30, A31, A33)."""

from __future__ import annotations

from collections.abc import Iterator

from processors.games.settled import observed
from processors.provisions.check import UPHELD, Breach, Judgment, Moment, check
from processors.provisions.checks.settlement import WORDS, dollars, effect, named
from schemas.events import RoundEnded
from schemas.rounds import Settlement

_DECIDES = {
    "fortune_670a10": ("670a.10(e)#2", "670a.10(e)#3"),
    "manual_shoe_657a8": ("657a.8(h)#2", "657a.8(h)#3"),
}


@check("void_round.returns", provisions=_DECIDES, reads=(RoundEnded,))
def a_void_round_returns_all_wagers(moment: Moment, data: RoundEnded) -> Iterator[Judgment]:
    """When a round was void, every wager has come back when it ends (wagers may be returned in any order)."""
    round_, config = moment.round, moment.table.config
    if round_ is None or config is None or round_.voided is None:
        return
    clauses = _DECIDES[config.ruleset]
    which = clauses[:1] if round_.misdealt else clauses[1:] if round_.misdealt is False else clauses
    for key, stake in round_.stakes.items():
        due = Settlement("return", stake.cents)
        seen = observed(stake.cents, stake.moves)
        if seen == due:
            yield UPHELD
            continue
        was = f"{dollars(seen.cents)} was {WORDS[seen.outcome]}" if seen is not None else "it was not"
        yield Breach(
            clauses=which,
            message=f"The round is void: the {named(stake)} is returned in full; {was}.",
            expected=due,
            observed=seen,
            money_cents=stake.cents if seen is None else -effect(seen),
            sequences=(stake.placed, round_.voided),
            seat=stake.seat,
            discriminator=key,
        )
