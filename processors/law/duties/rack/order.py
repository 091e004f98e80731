"""The discard rack after a Blackjack round (7(h)(1), 7(s), 10(c); readings A3, A7, A19, A35, A36, A40, A45, A58)."""

from __future__ import annotations

from collections.abc import Iterator

from processors.games.blackjack.rack import Placement, cards_agree, expected_rack, observed_rack
from processors.games.totals import POINTS
from processors.law.check import UPHELD, Breach, Indeterminate, Judgment, Moment, check
from processors.law.clauses import BLACKJACK, clauses_of
from schemas.events import RoundEnded

_DECIDES = {ruleset: clauses_of(ruleset, "rack") for ruleset in BLACKJACK}


@check(
    "rack.order",
    decides=("rack.order_after_settling",),
    rests_on=(
        "console",
        "placements",
        "shoe",
        "wagers",
        "rack",
    ),
    turns_on=("cards",),
    reads=(RoundEnded,),
    follows=True,
    readings=("A6", "A40", "A45", "A3", "A58", "A19"),
)
def the_rack_permits_every_hand_to_be_rebuilt(moment: Moment, data: RoundEnded) -> Iterator[Judgment]:
    """All cards of the round lie in the rack, each hand in deal order, the hands as the table's pickup has them.

    It is decided when the round ends, because only then has every card been racked that will be.
    """
    round_, rules = moment.play
    if round_.voided is not None or "rack:order" in round_.reported:
        return
    expected, seen = expected_rack(round_, rules), observed_rack(round_)
    agrees = cards_agree(_cards(expected), _cards(seen))
    if agrees:
        yield UPHELD
        return
    unknown = any(card not in POINTS for hand in round_.hands.values() for card in hand.cards)
    if agrees is None or unknown:
        yield _cannot_say(rules.name, round_.first_sequence)
        return
    yield _first_divergence(moment, expected, seen)


def _cards(placements: tuple[Placement, ...]) -> tuple[str, ...]:
    return tuple(card for placement in placements for card in placement.cards)


def _cannot_say(ruleset: str, first: int) -> Indeterminate:
    return Indeterminate(
        clauses=clauses_of(ruleset, "rack"),
        message="Whether the rack keeps the round as it was dealt cannot be said: some of its cards are unknown.",
        missing=("cards of the rack",),
        sequences=(first,),
    )


def _first_divergence(moment: Moment, expected: tuple[Placement, ...], seen: tuple[Placement, ...]) -> Breach:
    rules = moment.play[1]
    missing = [one.spot for one in expected if not any(other.spot == one.spot for other in seen)]
    place = 0
    for place, (one, other) in enumerate(zip(expected, seen, strict=False)):  # noqa: B007 - used after the loop
        if one.spot != other.spot or one.cards != other.cards:
            break
    else:
        place = min(len(expected), len(seen))
    due = expected[place] if place < len(expected) else None
    got = seen[place] if place < len(seen) else None
    if missing:
        message = f"The cards of {_named(missing[0])} never reached the discard rack."
    elif due is not None and got is not None and due.spot == got.spot:
        message = (
            f"The cards of {_named(due.spot)} lie in the rack as {' '.join(got.cards)}, not in deal order."
        )
    else:
        message = (
            f"At place {place + 1} of the pickup the rack holds {_named(got.spot) if got else 'nothing'} "
            f"instead of {_named(due.spot) if due else 'nothing'}."
        )
    return Breach(
        clauses=clauses_of(rules.name, "rack"),
        message=message,
        expected={"rack": _cards(expected)},
        observed={"rack": _cards(seen)},
        sequences=tuple(one.at[0] for one in seen[place : place + 1]),
        hand=(missing[0] if missing else due.spot if due is not None else None),
    )


def _named(spot: str) -> str:
    return "the dealer" if spot == "D" else f"hand {spot}"
