"""A stub that was counted wrong: misdeal or not, the round is void, and a deck that is not whole leaves the table."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from processors.core.folding.in_force import numbers_on
from processors.core.state import Round, spot_named
from processors.games.settled import observed
from processors.games.stacks.deal import Deal, circuit, count_is_wrong, deal_of, deal_of_void, is_played_on
from processors.games.stacks.profile import STACKS_PROFILES
from processors.games.stacks.turns import served
from processors.law.check import UPHELD, Breach, Judged, Judgment, Moment, check
from processors.law.duties.settlement.stake import effect
from processors.law.wording import WORDS, dollars, named
from schemas import events as e
from schemas.amounts import amount
from schemas.payload import Payload
from schemas.rounds import Settlement
from schemas.rulesets.numbers import FiveCardsNumbers

MISDEAL = ("stacks.misdeal_voids", "stacks.misdeal_with_52")
BAD_COUNT = ("stacks.bad_count_voids",)
void_check = partial(check, turns_on=("steps", "decisions", "draws", "places", "stakes", "rack"))
"""Registers a duty that needs the discard rack too."""


def played_on_roles(round_: Round, config: e.TableConfigured) -> tuple[str, ...]:
    """The roles broken when a round whose stub was counted wrong goes on; none where the count is right."""
    deal = deal_of(round_, config)
    if not count_is_wrong(round_, deal):
        return ()
    undetermined = ("stacks.misdeal_determined",) if round_.misdealt is None else ()
    return (*(MISDEAL if deal.off else BAD_COUNT), *undetermined)


def _shows_in_the_order(round_: Round, config: e.TableConfigured) -> bool:
    """Whether the misdeal is one that the order of the deal shows too: a spot left out, served again or too often."""
    if STACKS_PROFILES[config.ruleset].deals_single_cards:
        return bool(deal_of(round_, config).off)
    return sorted(served(round_)) != sorted(circuit(config))


@void_check(
    "stacks.void_round_played_on",
    decides=("stub.removed", "stacks.misdeal_determined", "stacks.misdeal_voids", "stacks.bad_count_voids"),
    reads=(e.HandRevealed, e.WagerSettled, e.RoundEnded),
)
def a_bad_count_voids_the_round(moment: Moment, data: Payload) -> Judged:
    """A stub that was counted wrong has the round declared void, whether it was misdealt or the deck is not whole."""
    round_, config = moment.round, moment.table.config
    if round_ is None or config is None or round_.stub_counted is None or not is_played_on(round_, data):
        return None
    deal = deal_of(round_, config)
    counted, sequence = round_.stub_counted
    if not count_is_wrong(round_, deal) or _shows_in_the_order(round_, config):
        return UPHELD  # the check of the deal's order says what shows there, and cites these roles
    why = _first_off(deal) if deal.off else "every hand had its cards, so the deck is not whole"
    return Breach(
        roles=(*played_on_roles(round_, config), *(("stub.removed",) if deal.off else ())),
        message=f"The stub was counted as {amount(counted, 'card')} instead of {deal.stub} ({why}), "
        "and the round was not declared void.",
        expected={"stub": deal.stub, "otherwise": "void"},
        observed={"stub": counted, "misdealt": deal.off},
        sequences=(sequence,),
        discriminator="played_on",
    )


def _first_off(deal: Deal) -> str:
    spot, cards = next(iter(deal.off.items()))
    return f"{spot_named(spot)} had {amount(cards, 'card')} instead of {deal.due.get(spot, 0)}"


@void_check(
    "stacks.void_round_determined", decides=("stacks.misdeal_determined",),
    reads=(e.RoundVoided, e.MisdealDetermined),
)  # fmt: skip
def it_is_determined_whether_the_cards_were_misdealt(
    moment: Moment, data: e.RoundVoided | e.MisdealDetermined
) -> Judged:
    """After a bad count it is found out, rightly and before the round is declared void, whether a hand is off."""
    round_, config = moment.round, moment.table.config
    if round_ is None or config is None or round_.first_card is None:
        return None
    deal = deal_of(round_, config)
    seen = None
    if isinstance(data, e.RoundVoided):
        if round_.misdealt is not None or not count_is_wrong(round_, deal):
            return None
        message = "The round was declared void after a bad count without finding out whether it was misdealt."
    elif data.misdealt == bool(deal.off):
        return UPHELD
    else:
        seen = data.misdealt
        found = "A misdeal was found" if seen else "It was found that every hand had its cards"
        message = f"{found}, but {_first_off(deal) if deal.off else 'every hand had its cards'}."
    return Breach(
        message=message,
        expected={"misdealt": bool(deal.off)},
        observed={"misdealt": seen, "off": deal.off},
        sequences=(round_.stub_counted[1],) if round_.stub_counted is not None else (),
    )


@void_check(
    "stacks.void_round_returns",
    decides=("stacks.misdeal_voids", "stacks.misdeal_with_52", "stacks.bad_count_voids"),
    reads=(e.RoundEnded,),
)
def a_void_round_returns_all_wagers(moment: Moment, data: e.RoundEnded) -> Iterator[Judgment]:
    """When a misdeal or a bad count made a round void, every wager has come back when it ends, in any order."""
    round_, config = moment.round, moment.table.config
    if round_ is None or config is None or round_.voided is None:
        return
    deal = deal_of(round_, config)
    if round_.misdealt is None and not deal.off and not count_is_wrong(round_, deal):
        return  # void for a reason that is none of this section's
    which = {True: MISDEAL, False: BAD_COUNT, None: (*MISDEAL, *BAD_COUNT)}[round_.misdealt]
    for key, stake in round_.stakes.items():
        due = Settlement("return", stake.cents)
        seen = observed(stake.cents, stake.moves)
        if seen == due:
            yield UPHELD
            continue
        was = f"{dollars(seen.cents)} was {WORDS[seen.outcome]}" if seen is not None else "it was not"
        yield Breach(
            roles=which,
            message=f"The round is void: the {named(stake)} is returned in full; {was}.",
            expected=due,
            observed=seen,
            money_cents=stake.cents if seen is None else -effect(seen, stake.cents),
            sequences=(stake.placed, round_.voided),
            seat=stake.seat,
            discriminator=key,
        )


@void_check(
    "stacks.void_round_deck", decides=("stacks.deck_removed",),
    reads=(e.RoundStarted,), scope="day", in_round=False,
)  # fmt: skip
def a_deck_that_is_not_whole_leaves_the_table(moment: Moment, data: e.RoundStarted) -> Judged:
    """No round begins while a deck is at the table that a bad count, and no misdeal, proved not to be whole (A30)."""
    void, config = moment.table.stacks.void, moment.table.config
    if void is None or config is None or void.counted is None:
        return None
    deal, stays = deal_of_void(void, config), STACKS_PROFILES[config.ruleset].misdealt_deck_stays
    if void.counted == deal.stub and (stays or not deal.off):
        return None
    total = deal.total(void.counted)
    if deal.off and (stays or total == numbers_on(config.ruleset, FiveCardsNumbers, void.day).deck):
        return UPHELD  # misdealt from a deck that may stay
    return Breach(
        message=f"Batch {void.batch} was counted as {amount(total, 'card')} in round {void.number} "
        f"and is still at the table as round {data.round} begins.",
        expected={"removed": void.batch},
        observed={"removed": None, "cards": total},
        sequences=(void.sequence,),
        reading="A30" if deal.off else None,
    )
