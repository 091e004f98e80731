"""Which cards go to the rack unseen, after a load or a reload and for a new dealer, and the round that goes on."""

from __future__ import annotations

from processors.core.facts_decks import DeckFacts
from processors.core.folding.decks import burned_again
from processors.law.check import UPHELD, Breach, Judged, Moment, check
from schemas.events import CardBurned, CardDrawn, RoundEnded, RoundVoided
from schemas.values import UNKNOWN


@check(
    "shoe.burn_due", decides=("shoe.burn_after_load", "shoe.burn_by_new_dealer", "shoe.burn_after_reload"),
    reads=(CardDrawn,), scope="shoe", readings=("A15",), after=("undrawn", "burn"),
)  # fmt: skip
def a_card_is_burned_before_the_deal(moment: Moment, data: CardDrawn) -> Judged:
    """The first card after a load, and one for each new dealer, goes to the rack before any card is dealt (A15)."""
    facts, shoe = moment.table.decks, moment.table.shoe
    if shoe.emptied:
        return None
    if facts.burn_due or facts.dealer_due:
        return _not_burned(facts, shoe.loaded_at)
    if moment.readings["A15"] == "two" and _one_for_two(facts):
        return Breach(
            roles=("shoe.burn_by_new_dealer",),
            message=f"One card was burned for the load and the new dealer {facts.dealer} together.",
            expected={"cards_burned": 2},
            observed={"cards_burned": 1},
            sequences=(shoe.loaded_at,),
        )
    return UPHELD if len(facts.drawn) == 1 or moment.play[0].first_card is None else None


def _one_for_two(facts: DeckFacts) -> bool:
    """Whether the one card burned since the load had to serve for a new dealer as well."""
    return facts.dealer_fresh and len(facts.drawn) == 1


def _not_burned(facts: DeckFacts, loaded: int) -> Breach:
    roles: tuple[str, ...] = ("shoe.burn_after_load",)
    sequences: tuple[int, ...] = (loaded, facts.dealer_due)
    if facts.burn_due == "reload":
        roles, why = ("shoe.burn_after_reload",), "after the shoe was loaded again in the round"
    elif not facts.burn_due:
        roles, why = ("shoe.burn_by_new_dealer",), f"for the new dealer {facts.dealer}"
    elif facts.dealer_due > loaded:
        roles = (*roles, "shoe.burn_by_new_dealer")
        why = f"after the shoe was loaded or for the new dealer {facts.dealer}"
    else:
        sequences, why = (loaded,), "after the shoe was loaded"
    return Breach(
        roles=roles,
        message=f"Cards were dealt without burning one {why}.",
        expected={"card_burned": facts.burn_due or "new_dealer"},
        observed={"card_burned": None},
        sequences=sequences,
    )


@check(
    "shoe.burn_manner", decides=("shoe.burn_after_load", "shoe.burn_by_new_dealer", "shoe.burn_after_reload"),
    reads=(CardBurned,), scope="shoe", in_round=False, readings=("A15",),
)  # fmt: skip
def one_card_is_burned(moment: Moment, data: CardBurned) -> Judged:
    """No second card is burned for one load or one dealer, and that of a mid-round reload is drawn face down (A62)."""
    facts, shoe = moment.table.decks, moment.table.shoe
    if shoe.emptied:
        return None
    expected: dict[str, object] = {"cards_burned": 1}
    roles: tuple[str, ...] = ("shoe.burn_by_new_dealer",)
    by_new_dealer = data.reason == "new_dealer"
    again = burned_again(facts, data.reason)
    if again and by_new_dealer:
        problem = "A card was burned for a new dealer, but no new dealer still owed one."
    elif again:
        roles = ("shoe.burn_after_load", *(("shoe.burn_after_reload",) if data.reason == "reload" else ()))
        problem = "A second card was burned for one load of the shoe."
    elif facts.burn_due == "reload" and data.card != UNKNOWN:
        roles, expected = ("shoe.burn_after_reload",), {"face_up": False}
        problem = f"The card burned after the reload, {data.card}, was drawn face up."
    elif moment.readings["A15"] == "one" and by_new_dealer and _one_for_two(facts):
        problem = "A second card was burned for the new dealer, who came with the new batch."
    else:
        return UPHELD
    return Breach(
        roles=roles,
        message=problem,
        expected=expected,
        observed={"card": data.card, "reason": data.reason},
        sequences=(shoe.loaded_at,),
    )


@check(
    "shoe.round_completed", decides=("shoe.last_round", "shoe.round_completed_after_reload"),
    reads=(RoundVoided, RoundEnded), scope="shoe",
)  # fmt: skip
def a_round_goes_on_after_a_reload(moment: Moment, data: RoundVoided | RoundEnded) -> Judged:
    """A round in which the cover card came out or the shoe ran out is completed, not called void."""
    round_, facts = moment.round, moment.table.decks
    if round_ is None:
        return None
    ran_out = bool(round_.reloads or facts.ran_out)
    if not ran_out and round_.cover_card is None:
        return None
    if isinstance(data, RoundEnded):
        return UPHELD if round_.voided is None else None
    return Breach(
        roles=("shoe.round_completed_after_reload" if ran_out else "shoe.last_round",),
        message="The round was called void although it was to be finished "
        + ("once the shoe was loaded again." if ran_out else "when the cover card came out."),
        expected={"round": "completed"},
        observed={"round": "void"},
        sequences=tuple(round_.reloads) or (facts.ran_out or facts.ends.cover_at,),
    )
