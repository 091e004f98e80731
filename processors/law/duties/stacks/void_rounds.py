"""A bad count in the stack games: misdeal or not, the round is void (670a.10(e), 657a.8(h); A30, A31, A33)."""

from __future__ import annotations

from collections.abc import Iterator

from processors.core.state import Round
from processors.games.settled import observed
from processors.games.stacks.deal import (
    DECK,
    FORTUNE,
    MANUAL,
    Deal,
    circuit,
    count_is_wrong,
    deal_of,
    deal_of_void,
    is_played_on,
)
from processors.law.check import UPHELD, Breach, Judgment, Moment, check
from processors.law.duties.settlement.stake import WORDS, dollars, effect, named
from schemas.events import (
    HandRevealed,
    MisdealDetermined,
    RoundEnded,
    RoundStarted,
    RoundVoided,
    StackDelivered,
    TableConfigured,
    WagerSettled,
)
from schemas.payload import Payload
from schemas.rounds import Settlement

_DETERMINED = {FORTUNE: ("670a.10(e)#1",), MANUAL: ("657a.8(h)#1",)}
_DECIDES = {FORTUNE: ("670a.10(e)#2", "670a.10(e)#3"), MANUAL: ("657a.8(h)#2", "657a.8(h)#3")}
_DECK = {FORTUNE: ("670a.10(e)#4",), MANUAL: ("657a.8(h)#4",)}


def played_on_clauses(round_: Round, config: TableConfigured) -> tuple[str, ...]:
    """The clauses broken when a round whose stub was counted wrong goes on; none where the count is right."""
    deal = deal_of(round_, config)
    if not count_is_wrong(round_, deal):
        return ()
    misdeal, no_misdeal = _DECIDES[config.ruleset]
    undetermined = _DETERMINED[config.ruleset] if round_.misdealt is None else ()
    return (misdeal if deal.off else no_misdeal, *undetermined)


def _shows_in_the_order(round_: Round, config: TableConfigured) -> bool:
    """Whether the misdeal is one that the order of the deal shows too: a spot left out, served again or too often."""
    if config.ruleset == MANUAL:
        return bool(deal_of(round_, config).off)
    served = [entry.data.position for entry in round_.told(StackDelivered)]
    return sorted(served) != sorted(circuit(config))


@check(
    "stacks.void_round_played_on",
    decides=(
        "stub.removed", "stacks.misdeal_determined", "stacks.misdeal_voids", "stacks.bad_count_voids",
    ),
    formerly="void_round.played_on",
    rests_on=(
        "console",
        "placements",
        "shoe",
        "wagers",
        "rack",
    ),
    reads=(HandRevealed, WagerSettled, RoundEnded),
)  # fmt: skip
def a_bad_count_voids_the_round(moment: Moment, data: Payload) -> Iterator[Judgment]:
    """A stub that was counted wrong has the round declared void, whether it was misdealt or the deck is not whole."""
    round_, config = moment.round, moment.table.config
    if round_ is None or config is None or round_.stub_counted is None or not is_played_on(round_, data):
        return
    deal = deal_of(round_, config)
    counted, sequence = round_.stub_counted
    if not count_is_wrong(round_, deal):
        yield UPHELD
        return
    if _shows_in_the_order(round_, config):
        yield UPHELD  # the check of the deal's order tells it, and cites these clauses
        return
    clauses = [*played_on_clauses(round_, config)]
    if deal.off and config.ruleset == FORTUNE:
        clauses.append("670a.10(d)#1")
    why = f"{_spot(deal)}" if deal.off else "every hand had its cards, so the deck is not whole"
    yield Breach(
        clauses=tuple(clauses),
        message=f"The stub was counted as {counted} cards instead of {deal.stub} ({why}), and the round was not "
        "declared void.",
        expected={"stub": deal.stub, "otherwise": "void"},
        observed={"stub": counted, "misdealt": deal.off},
        sequences=(sequence,),
        discriminator="played_on",
    )


def _spot(deal: Deal) -> str:
    spot, cards = next(iter(deal.off.items()))
    return f"{spot} had {cards} of {deal.due.get(spot, 0)} cards"


@check(
    "stacks.void_round_determined",
    decides=("stacks.misdeal_determined",),
    formerly="void_round.determined",
    rests_on=(
        "console",
        "placements",
        "shoe",
        "wagers",
        "rack",
    ),
    reads=(RoundVoided, MisdealDetermined),
)
def it_is_determined_whether_the_cards_were_misdealt(
    moment: Moment, data: RoundVoided | MisdealDetermined
) -> Iterator[Judgment]:
    """After a bad count it is found out, rightly and before the round is declared void, whether a hand is off."""
    round_, config = moment.round, moment.table.config
    if round_ is None or config is None or round_.first_card is None:
        return
    deal = deal_of(round_, config)
    if isinstance(data, RoundVoided):
        if round_.misdealt is not None or not count_is_wrong(round_, deal):
            return
        message = "The round was declared void after a bad count without finding out whether it was misdealt."
        seen = None
    elif data.misdealt == bool(deal.off):
        yield UPHELD
        return
    else:
        seen = data.misdealt
        message = "It was found that every hand had its cards; " if not seen else "A misdeal was found; "
        message += _spot(deal) + "." if deal.off else "every hand had its cards."
    yield Breach(
        clauses=_DETERMINED[config.ruleset],
        message=message,
        expected={"misdealt": bool(deal.off)},
        observed={"misdealt": seen, "off": deal.off},
        sequences=(round_.stub_counted[1],) if round_.stub_counted is not None else (),
    )


@check(
    "stacks.void_round_returns",
    decides=(
        "stacks.misdeal_voids",
        "stacks.misdeal_with_52",
        "stacks.bad_count_voids",
    ),
    formerly="void_round.returns",
    rests_on=(
        "console",
        "placements",
        "shoe",
        "wagers",
        "rack",
    ),
    reads=(RoundEnded,),
)
def a_void_round_returns_all_wagers(moment: Moment, data: RoundEnded) -> Iterator[Judgment]:
    """When a misdeal or a bad count made a round void, every wager has come back when it ends, in any order."""
    round_, config = moment.round, moment.table.config
    if round_ is None or config is None or round_.voided is None:
        return
    deal = deal_of(round_, config)
    if round_.misdealt is None and not deal.off and not count_is_wrong(round_, deal):
        return  # void for a reason that is none of this section's
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


@check(
    "stacks.void_round_deck",
    decides=("stacks.deck_removed",),
    formerly="void_round.deck",
    rests_on=(
        "console",
        "placements",
        "shoe",
        "wagers",
        "rack",
    ),
    reads=(RoundStarted,),
    scope="day",
    in_round=False,
)
def a_deck_that_is_not_whole_leaves_the_table(moment: Moment, data: RoundStarted) -> Iterator[Judgment]:
    """No round begins while a deck is at the table that a bad count, and no misdeal, proved not to be whole (A30)."""
    void, config = moment.table.stacks.void, moment.table.config
    if void is None or config is None or void.counted is None:
        return
    deal = deal_of_void(void, config)
    if void.counted == deal.stub and (config.ruleset == FORTUNE or not deal.off):
        return
    total = deal.total(void.counted)
    if deal.off and (config.ruleset == FORTUNE or total == DECK):
        yield UPHELD  # misdealt from a deck that may stay
        return
    yield Breach(
        clauses=_DECK[config.ruleset],
        message=f"Batch {void.batch} was counted as {total} cards in round {void.number} and is still at the table "
        f"as round {data.round} begins.",
        expected={"removed": void.batch},
        observed={"removed": None, "cards": total},
        sequences=(void.sequence,),
        reading="A30" if deal.off else None,
    )
