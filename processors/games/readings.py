"""The readings of places where the regulation is unclear, each a named policy with a default.

A table chooses them in `table_configured.readings`; a replay may choose others to compare. A place without rivals
has one sensible reading, or is about how things are written down; `docs/readings.md` says which and why.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

from msgspec import Struct

Departing = Literal["breached", "interpretation"]


class Reading(Struct, frozen=True):
    """One unclear place: its id, the default policy, the rival ones, and the verdict on conduct that departs (A51)."""

    id: str
    default: str
    rivals: tuple[str, ...]
    about: str
    departing: Departing = "breached"


# A51: the places of which conduct that only another reading allows or forbids is not called a breach.
_INTERPRETED = frozenset(
    {"A3", "A5", "A7", "A9", "A12", "A15", "A17", "A19", "A20", "A21", "A24", "A25", "A29"}
)

_PLACES: dict[str, tuple[str, str]] = {
    "A1": ("literal | conventional", "Down Under dealer: a soft 22 stands, or its ace turns to 1"),
    "A2": ("unsplit | any_hand", "Two original Large against a dealer 22: first two cards, or split too"),
    "A3": ("configured | either", "Busts are collected as the table has it, or at once or at settlement alike"),
    "A4": ("bust_loses", "Player and dealer both over 21"),
    "A5": ("collect | return", "A bust still on the layout when the dealer has 22"),
    "A6": ("any_lammer | own_lammer", "Whose lammer keeps a busted first split hand on the layout"),
    "A7": ("either | at_once | tucked", "Cards of a busted second to fourth split hand"),
    "A8": ("draws | stands", "590: the dealer draws for an open Push 22 alone, or does not"),
    "A9": ("closed | live", "Even-money and dead hands do not make the dealer draw, or do"),
    "A10": ("draws | optional", "Down Under dealer without a live hand draws, or need not"),
    "A11": ("before_both | before_cards", "Match-the-Dealer before the reader and cards, or before cards only"),
    "A12": ("each | best", "Both cards match the dealer: each pays, or the better one"),
    "A13": ("off | offered", "Down Under even money: only as submitted, or always on offer"),
    "A14": ("preshuffled", "685a: \"reshuffled\" decks of the opening"),
    "A15": ("either | one | two", "Burns when a new dealer comes with a new batch"),
    "A16": ("played", "The cover card as the first card of a round"),
    "A17": ("either | rotation | dealer", "Who cuts when the player of 5(c)(1) or (2) refuses"),
    "A18": ("any_standing | seventeen", "Accidental dealer cards: at every standing total, or at 17 only"),
    "A19": ("configured | any_order", "Pickup as the table configures it, or in any order it could configure"),
    "A20": ("any | counterclockwise", "Direction in which winners are paid"),
    "A21": ("barred | allowed", "A double on a split hand of two cards that counts 21"),
    "A22": ("next_due", "Who is offered an exposed card"),
    "A23": ("either | returned", "Wager of a hand without cards: may wait for the next deal, or comes back"),
    "A24": ("all_cash | main_only", "What comes back to a dead hand: all its cash, or the main wager alone"),
    "A25": ("all_cash | initial_only", "What comes back to a hand dead after a wrong light: all, or the initial bet"),
    "A26": ("before_peek", "590.9: details of surrender"),
    "A27": ("both_batches", "590.3: a reference to a subsection that is not there"),
    "A28": ("up | down", "Half of an odd wager as limit of insurance: next chip up, or down"),
    "A29": ("a_stop | dealer_last", "670a.10(c): the dealer is a stop of the circle, or always last"),
    "A30": ("deck_off", "657a.8(h): a misdeal with other than 52 cards"),
    "A31": ("every_stack | stub_only", "670a.10: a wrong stack beside a right stub is a misdeal, or is not"),
    "A32": ("modal_verbs", "Which words bind"),
    "A33": ("all_wagers", "Progressive chips of a void round"),
    "A34": ("escalate", "A dealer Blackjack that was overlooked"),
    "A35": ("either | by_number | beside_parent", "Order in which the hands of a resplit are played"),
    "A36": ("mirrored", "What the pickup orders mean"),
    "A37": ("exact_cents", "What is rounded to chips"),
    "A38": ("wager_moved", "How a wager laid on the cards is written down"),
    "A39": ("by_approval", "Which tables are under 5(h)"),
    "A40": ("last_first | tucked_first", "All hands of a split bust: the last is racked first, or those tucked"),
    "A41": ("every_round | no_blackjack", "7(r) holds in every round, or not against a dealer Blackjack"),
    "A42": ("reverses", "A return after a collection of the same stake"),
    "A43": ("hand_continued", "How a hand that plays on after a wrong light is written down"),
    "A44": ("as_listed", "How cards outside hands are written down"),
    "A45": ("either | pickup | at_once", "When the cards of a dead hand leave the layout"),
    "A46": ("last_round", "The cut at a reload in the middle of a round"),
    "A47": ("shuffled", "A batch that is dealt again"),
    "A48": ("five_dollars", "Qualifying Fortune Bonus wager; the starting position"),
    "A49": ("chips_only", "What `chips_to_inventory` moves"),
    "A50": ("codes", "How the layout is written down"),
    "A51": ("as_listed", "Breach or interpretation"),
    "A52": ("not_done", "A step of which the stream says nothing"),
    "A53": ("before_card", "When a lammer lies there"),
    "A54": ("always_free", "Paying for what the game gives free"),
    "A55": ("chips", "Spoken wagers in Free Bet"),
    "A56": ("off", "Defective decks and tampered readers that stay"),
    "A57": ("before_peek", "When even money is paid"),
    "A58": ("as_configured | rebuildable", "A pickup in another order than configured breaches 7(s), or need not"),
    "A59": ("announces", "What `stack_shuffled_from_rack` says"),
    "A60": ("closed", "Wagers after `betting_closed` in the stack games"),
    "A61": ("started_again", "The end of a shuffle after a fault of the shuffler"),
    "A62": ("face_up", "`card_burned` with a known card"),
    "A63": ("one_in_a_million", "When a shuffle is not random"),
    "A64": ("adjacent", "Boxes of one player that do not adjoin"),
}  # fmt: skip


def _reading(place: str, policies: str, about: str) -> Reading:
    default, *rivals = policies.split(" | ")
    departing: Departing = "interpretation" if place in _INTERPRETED else "breached"
    return Reading(place, default, tuple(rivals), about, departing)


READINGS: dict[str, Reading] = {
    place: _reading(place, policies, about) for place, (policies, about) in _PLACES.items()
}


_DEFAULTS = {reading.id: reading.default for reading in READINGS.values()}

# Names that a rules submission may give to a policy, besides our own.
_OTHER_NAMES = {
    "A29": {
        "last": "dealer_last", "always_last": "dealer_last", "dealer_always_last": "dealer_last",
        "stop": "a_stop", "circuit": "a_stop",
    }
}  # fmt: skip


class UnknownReading(ValueError):
    """A reading that does not exist; the message lists those that do."""


def policy_named(place: str, name: str) -> str | None:
    """The policy that a rules submission names for an unclear place; None where there is no such place or policy."""
    reading = READINGS.get(place)
    policy = _OTHER_NAMES.get(place, {}).get(name, name)
    return policy if reading is not None and policy in (reading.default, *reading.rivals) else None


def resolve(configured: Mapping[str, str], chosen: Mapping[str, str]) -> dict[str, str]:
    """Policy in force for every unclear place: chosen over configured over default.

    A configured name that is not known leaves the default in force (the record is not ours to refuse), and is told.

    Raises:
        UnknownReading: a chosen place or policy does not exist.
    """
    policies = dict(_DEFAULTS)
    for place, name in configured.items():
        policy = policy_named(place, name)
        if policy is not None:
            policies[place] = policy
    for place, policy in chosen.items():
        reading = READINGS.get(place)
        if reading is None:
            raise UnknownReading(f"no reading {place}; there are {', '.join(READINGS)}")
        if policy not in (reading.default, *reading.rivals):
            others = f" or {', '.join(reading.rivals)}" if reading.rivals else " only"
            raise UnknownReading(f"{place} can be read {reading.default}{others}")
        policies[place] = policy
    return policies


def otherwise(policies: Mapping[str, str], places: tuple[str, ...]) -> Iterator[tuple[Reading, str]]:
    """The policies not in force of the named places, each with its place: how else the text could be read."""
    for place in places:
        reading = READINGS[place]
        for policy in (reading.default, *reading.rivals):
            if policy != policies[place]:
                yield reading, policy
