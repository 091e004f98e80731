"""Stacks from an automated dealing shoe: where dealing starts, who is served, and how many cards each gets."""

from __future__ import annotations

from collections.abc import Sequence

from processors.core.state import spot_named
from processors.games.stacks.deal import circuit, count_is_wrong, deal_of, is_played_on
from processors.games.stacks.turns import orders, servings, starting_position
from processors.law.check import UPHELD, Breach, Judged, Moment, check
from processors.law.duties.stacks.void_rounds import played_on_roles
from schemas import events as e
from schemas.amounts import amount
from schemas.payload import Payload
from schemas.rulesets.numbers import StacksNumbers
from schemas.values import DEALER

METHODS = ("rng", "dice")
GOES_ON = (e.HandRevealed, e.WagerSettled, e.RoundEnded)


@check("stacks.start", decides=("stacks.starting_position",), reads=(e.StackDispensed,))
def a_starting_position_is_determined(moment: Moment, data: e.StackDispensed) -> Judged:
    """Between the close of betting and the first stack a starting position is set, by a listed method (A48)."""
    round_, config = moment.round, moment.table.config
    if round_ is None or config is None or round_.first_card is not None:
        return None
    entry = starting_position(round_)
    if entry is None:
        message, observed = "The first stack was dispensed with no starting position determined.", None
    else:
        position, method = entry.data.position, entry.data.method
        observed = {"position": position, "method": method, "sequence": entry.sequence}
        if position not in circuit(config):
            message = f"The starting position was set to {position}, which is no position of this table."
        elif method not in METHODS:
            message = f"The starting position was determined by {method}, which is no listed method."
        elif round_.betting_closed is not None and entry.sequence < round_.betting_closed:
            message = f"The starting position {position} was determined before betting was closed."
        else:
            return UPHELD
    return Breach(
        message=message,
        expected={"method": list(METHODS), "after_sequence": round_.betting_closed},
        observed=observed,
        sequences=(entry.sequence,) if entry is not None else (),
        reading="A48",
        unheard="console" if entry is None else None,
    )


@check(
    "stacks.face_down", decides=("stacks.first_stack", "stacks.stacks_clockwise"), reads=(e.StackDelivered,)
)
def stacks_are_delivered_face_down(moment: Moment, data: e.StackDelivered) -> Judged:
    """Every stack is delivered face down."""
    round_ = moment.round
    if round_ is None:
        return None
    if not data.face_up:
        return UPHELD
    first = not any(hand.cards for hand in round_.hands.values())
    return Breach(
        roles=("stacks.first_stack" if first else "stacks.stacks_clockwise",),
        message=f"The stack of {spot_named(data.position)} was delivered face up.",
        expected={"face_up": False},
        observed={"face_up": True},
        seat=int(data.position) if data.position.isdigit() else None,
    )


@check(
    "stacks.order", decides=(
        "stub.removed", "stacks.first_stack", "stacks.stacks_clockwise", "stacks.misdeal_determined",
        "stacks.misdeal_voids",
    ),
    reads=GOES_ON, where="deals_stacks", readings=("A29",), before=(e.HandRevealed,),
)  # fmt: skip
def every_position_is_served_clockwise_from_the_start(moment: Moment, data: Payload) -> Judged:
    """The first stack goes to the start, the others clockwise, one to each position and the dealer (A29)."""
    round_, config = moment.round, moment.table.config
    if round_ is None or config is None or not is_played_on(round_, data):
        return None
    came = servings(round_)
    spots = [spot for _, spot in came]
    setting = starting_position(round_)
    around, last = circuit(config), moment.readings["A29"] == "dealer_last"
    start = spots[0] if spots else DEALER
    wrong_start = False
    if setting is not None and setting.data.position in around:
        start = setting.data.position
        wrong_start = spots[:1] != [start]
    lawful, other = orders(config, start, last=last)
    if spots == lawful:
        return UPHELD
    roles = ["stacks.first_stack"] if wrong_start else []
    if not wrong_start or not spots or spots not in orders(config, spots[0], last=last):
        roles.append("stacks.stacks_clockwise")
    if sorted(spots) != sorted(around) and (bad := played_on_roles(round_, config)):
        roles += [*bad, "stub.removed"]
    place = departs(spots, lawful or ())
    shown = (() if setting is None else (setting.sequence,)) + (() if place is None else (came[place][0],))
    return Breach(
        roles=("stacks.stacks_clockwise",) if spots == other else tuple(roles),
        message=_departure(spots, lawful, start if wrong_start else ""),
        expected={"order": lawful},
        observed={"order": spots},
        sequences=shown,
    )


def _departure(spots: list[str], lawful: list[str] | None, start: str) -> str:
    if lawful is None:
        return "Dealing started at the dealer, who is served last at this table."
    if start:
        went = spot_named(spots[0]) if spots else "nobody"
        return f"Dealing was to start at {spot_named(start)}; the first stack went to {went}."
    for spot in lawful:
        if spot not in spots:
            return f"{spot_named(spot).capitalize()} got no stack."
    for spot in lawful:
        if spots.count(spot) > 1:
            return f"{spot_named(spot).capitalize()} got {amount(spots.count(spot), 'stack')}."
    return out_of_turn("A stack", spots, lawful)


@check(
    "stacks.six_cards", decides=("stub.removed", "stacks.misdeal_voids"),
    reads=GOES_ON, readings=("A31",), before=(e.HandRevealed,),
)  # fmt: skip
def every_stack_has_six_cards(moment: Moment, data: Payload) -> Judged:
    """A round in which a stack is not of six cards is void, also when the stub is right (reading A31)."""
    round_, config = moment.round, moment.table.config
    if round_ is None or config is None or not is_played_on(round_, data):
        return None
    if count_is_wrong(round_, deal_of(round_, config)):
        return None  # the check of bad counts says it
    if moment.readings["A31"] == "stub_only" and round_.stub_counted is not None:
        return None
    due = moment.numbers(StacksNumbers).cards_in_hand
    off = [entry for entry in round_.told(e.StackDelivered) if len(entry.data.cards) != due]
    if not off:
        return UPHELD
    spot, cards = off[0].data.position, len(off[0].data.cards)
    return Breach(
        message=f"{spot_named(spot).capitalize()} was dealt {amount(cards, 'card')} instead of {due}, "
        "and the round went on.",
        expected={"cards": due, "round": "void"},
        observed={"cards": {entry.data.position: len(entry.data.cards) for entry in off}},
        sequences=tuple(entry.sequence for entry in off),
        seat=int(spot) if spot.isdigit() else None,
        reading="A31",
    )


def departs(spots: Sequence[str], lawful: Sequence[str]) -> int | None:
    """Place of the first spot that was served out of turn; None where none was, though some may be missing."""
    for place, spot in enumerate(spots):
        if place >= len(lawful) or spot != lawful[place]:
            return place
    return None


def out_of_turn(what: str, spots: Sequence[str], lawful: Sequence[str]) -> str:
    """The first spot that was served out of turn, as a sentence about a card or a stack."""
    place = departs(spots, lawful)
    if place is None or place >= len(lawful):
        return f"{what} went to {spot_named(spots[-1])} when it was nobody's turn."
    return f"{what} went to {spot_named(spots[place])} when it was the turn of {spot_named(lawful[place])}."
