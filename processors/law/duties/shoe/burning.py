"""Section 7(c) and the burn of a mid-round reload: which cards go to the rack unseen, and the round that goes on."""

from __future__ import annotations

from collections.abc import Iterator

from processors.core.facts_decks import DeckFacts
from processors.core.folding.decks import burned_again
from processors.law.check import UPHELD, Breach, Judgment, Moment, check
from processors.law.deck_clauses import cite
from schemas.events import CardBurned, CardDrawn, RoundEnded, RoundVoided
from schemas.values import UNKNOWN


@check(
    "shoe.burn_due",
    decides=(
        "shoe.burn_after_load",
        "shoe.burn_by_new_dealer",
        "shoe.burn_after_reload",
    ),
    formerly="burn.due",
    rests_on=(
        "console",
        "shoe",
    ),
    reads=(CardDrawn,),
    scope="shoe",
    readings=("A15",),
    after=("undrawn", "burn"),
)
def a_card_is_burned_before_the_deal(moment: Moment, data: CardDrawn) -> Iterator[Judgment]:
    """The first card after a load, and one for each new dealer, goes to the rack before any card is dealt (A15)."""
    table = moment.table
    facts = table.decks
    if table.config is None or table.shoe.emptied:
        return
    if not facts.burn_due and not facts.dealer_due:
        if moment.readings["A15"] == "two" and _one_for_two(facts):
            yield _one_short(table.config.ruleset, facts, table.shoe.loaded_at)
        elif len(facts.drawn) == 1 or moment.play[0].first_card is None:
            yield UPHELD
        return
    forms, words = _owed(facts, table.shoe.loaded_at)
    yield Breach(
        clauses=cite(table.config.ruleset, forms),
        message=f"Cards were dealt without burning one {words}.",
        expected={"card_burned": facts.burn_due or "new_dealer"},
        observed={"card_burned": None},
        sequences=(table.shoe.loaded_at, *((facts.dealer_due,) if "#2" in forms[-1] else ())),
    )


def _one_for_two(facts: DeckFacts) -> bool:
    """Whether the one card burned since the load had to serve for a new dealer as well."""
    return facts.dealer_fresh and len(facts.drawn) == 1


def _one_short(ruleset: str, facts: DeckFacts, loaded: int) -> Breach:
    return Breach(
        clauses=cite(ruleset, ("{ch}.7(c)#2",)),
        message=f"One card was burned for the load and the new dealer {facts.dealer} together.",
        expected={"cards_burned": 2},
        observed={"cards_burned": 1},
        sequences=(loaded,),
    )


def _owed(facts: DeckFacts, loaded: int) -> tuple[tuple[str, ...], str]:
    if facts.burn_due == "reload":
        return ("{out}#2",), "after the shoe was loaded again in the round"
    if not facts.burn_due:
        return ("{ch}.7(c)#2",), f"for the new dealer {facts.dealer}"
    if facts.dealer_due > loaded:
        return ("{ch}.7(c)#1", "{ch}.7(c)#2"), "after the shoe was loaded, nor for the new dealer"
    return ("{ch}.7(c)#1",), "after the shoe was loaded"


@check(
    "shoe.burn_manner",
    decides=(
        "shoe.burn_after_load",
        "shoe.burn_by_new_dealer",
        "shoe.burn_after_reload",
    ),
    formerly="burn.manner",
    rests_on=(
        "console",
        "shoe",
    ),
    reads=(CardBurned,),
    scope="shoe",
    in_round=False,
    readings=("A15",),
)
def one_card_is_burned(moment: Moment, data: CardBurned) -> Iterator[Judgment]:
    """No second card is burned for one load or one dealer, and that of a mid-round reload is drawn face down (A62)."""
    table = moment.table
    facts = table.decks
    if table.config is None or table.shoe.emptied:
        return
    form = _fault(facts, data)
    if (
        form is None
        and moment.readings["A15"] == "one"
        and data.reason == "new_dealer"
        and _one_for_two(facts)
    ):
        form = (("{ch}.7(c)#2",), "A second card was burned for the new dealer, who came with the new batch.")
    if form is None:
        yield UPHELD
        return
    clauses, problem = form
    yield Breach(
        clauses=cite(table.config.ruleset, clauses),
        message=problem,
        expected={"face_up": False} if clauses == ("{out}#2",) else {"cards_burned": 1},
        observed={"card": data.card, "reason": data.reason},
        sequences=(table.shoe.loaded_at,),
    )


def _fault(facts: DeckFacts, data: CardBurned) -> tuple[tuple[str, ...], str] | None:
    if burned_again(facts, data.reason):
        if data.reason == "new_dealer":
            return (
                ("{ch}.7(c)#2",),
                "A card was burned for a new dealer, but none had come or his was burned already.",
            )
        reload = ("{out}#2",) if data.reason == "reload" else ()
        return ("{ch}.7(c)#1", *reload), "A second card was burned for one load of the shoe."
    if facts.burn_due == "reload" and data.card != UNKNOWN:
        return ("{out}#2",), f"The card burned after the reload, {data.card}, was drawn face up."
    return None


@check(
    "shoe.round_completed",
    decides=(
        "shoe.last_round",
        "shoe.round_completed_after_reload",
    ),
    rests_on=(
        "console",
        "shoe",
    ),
    reads=(RoundVoided, RoundEnded),
    scope="shoe",
)
def a_round_goes_on_after_a_reload(moment: Moment, data: RoundVoided | RoundEnded) -> Iterator[Judgment]:
    """A round in which the cover card came out or the shoe ran out is completed, not called void."""
    round_ = moment.round
    table = moment.table
    if round_ is None or table.config is None:
        return
    ran_out = bool(round_.reloads or table.decks.ran_out)
    if not ran_out and round_.cover_card is None:
        return
    if isinstance(data, RoundEnded):
        if round_.voided is None:
            yield UPHELD
        return
    yield Breach(
        clauses=cite(table.config.ruleset, ("{out}#3" if ran_out else "{ch}.7(d)#2",)),
        message="The round was called void although it was to be finished "
        + ("once the shoe was loaded again." if ran_out else "when the cover card came out."),
        expected={"round": "completed"},
        observed={"round": "void"},
        sequences=tuple(round_.reloads) or (table.decks.ran_out or table.decks.ends.cover_at,),
    )
