"""What can go otherwise than usual in a round of 670a.10 or 657a.8, put right lawfully or not."""

from __future__ import annotations

from dataclasses import dataclass

from schemas.events import (
    BettingClosed,
    LammerCollected,
    LammerPlaced,
    StartingPositionSet,
    StubCounted,
    SystemWagersCounted,
    SystemWagersLocked,
)
from schemas.payload import Payload
from schemas.values import Ruleset


@dataclass(frozen=True, slots=True, kw_only=True)
class Deviation:
    """One round's deviation; the default is none.

    `hands` are changes in the number of cards of so many hands, `deck` the change in the deck's. `unseen`
    events are left out of the stream. `plays_on` settles a round that has to be void, `keeps_deck` deals on
    from a deck that has to leave, `keeps_wager` takes one wager of a void round.
    """

    hands: tuple[int, ...] = ()
    deck: int = 0
    bonus_missing: bool = False
    skips_position: bool = False
    wrong_start: bool = False
    face_up: bool = False
    late_wager: bool = False
    wrong_hand: bool = False
    exposes_stub: bool = False
    unseen: tuple[type[Payload], ...] = ()
    plays_on: bool = False
    keeps_deck: bool = False
    keeps_wager: bool = False

    @property
    def misdeals(self) -> bool:
        """Whether some hand has a wrong number of cards."""
        return bool(self.hands) or self.bonus_missing or self.skips_position


IRREGULARITIES: dict[Ruleset, dict[str, Deviation]] = {
    "fortune_670a10": {
        "stack_short": Deviation(hands=(-1,)),
        "stack_long": Deviation(hands=(1,)),
        "stacks_uneven": Deviation(hands=(1, -1)),
        "card_missing": Deviation(deck=-1),
        "card_too_many": Deviation(deck=1),
        "misdeal_and_card_missing": Deviation(hands=(1,), deck=-1),
    },
    "manual_shoe_657a8": {
        "hand_short": Deviation(hands=(-1,)),
        "hand_long": Deviation(hands=(1,)),
        "bonus_card_forgotten": Deviation(bonus_missing=True),
        "card_missing": Deviation(deck=-1),
        "card_too_many": Deviation(deck=1),
        "misdeal_and_card_missing": Deviation(hands=(-1,), deck=-1),
    },
}

BREACHES: dict[Ruleset, dict[str, Deviation]] = {
    "fortune_670a10": {
        "not_announced": Deviation(unseen=(BettingClosed,)),
        "no_envy_lammer": Deviation(unseen=(LammerPlaced, LammerCollected)),
        "not_locked": Deviation(unseen=(SystemWagersLocked,)),
        "chips_not_counted": Deviation(unseen=(SystemWagersCounted,)),
        "no_starting_position": Deviation(unseen=(StartingPositionSet,)),
        "wrong_start": Deviation(wrong_start=True),
        "position_skipped": Deviation(skips_position=True, plays_on=True),
        "stack_face_up": Deviation(face_up=True),
        "late_wager": Deviation(late_wager=True),
        "stub_not_counted": Deviation(unseen=(StubCounted,)),
        "stub_exposed": Deviation(exposes_stub=True),
        "stub_short_played_on": Deviation(deck=-1, plays_on=True),
        "misdeal_played_on": Deviation(hands=(1,), plays_on=True),
        "bad_deck_kept": Deviation(deck=-1, keeps_deck=True),
        "void_wager_kept": Deviation(hands=(1,), keeps_wager=True),
    },
    "manual_shoe_657a8": {
        "not_announced": Deviation(unseen=(BettingClosed,)),
        "not_locked": Deviation(unseen=(SystemWagersLocked,)),
        "chips_not_counted": Deviation(unseen=(SystemWagersCounted,)),
        "stub_not_counted": Deviation(unseen=(StubCounted,)),
        "wrong_hand": Deviation(wrong_hand=True),
        "card_face_up": Deviation(face_up=True),
        "late_wager": Deviation(late_wager=True),
        "stub_exposed": Deviation(exposes_stub=True),
        "stub_short_played_on": Deviation(deck=-1, plays_on=True),
        "misdeal_played_on": Deviation(hands=(1,), plays_on=True),
        "bonus_card_forgotten_played_on": Deviation(bonus_missing=True, plays_on=True),
        "bad_deck_kept": Deviation(deck=-1, keeps_deck=True),
        "void_wager_kept": Deviation(hands=(1,), keeps_wager=True),
    },
}


DOCS: dict[str, str] = {
    "stack_short": "A stack has five cards; the round is void.",
    "stack_long": "A stack has seven cards; the round is void.",
    "stacks_uneven": "Two stacks of five and seven leave a stub of 11; the round is void.",
    "card_missing": "The deck lacks a card; the round is void and the deck leaves the table.",
    "card_too_many": "The deck has a card too many; the round is void and the deck leaves the table.",
    "misdeal_and_card_missing": "A misdeal from a deck that lacks a card; void, and the deck leaves the table.",
    "hand_short": "A hand has four cards; the round is void.",
    "hand_long": "A hand has six cards; the round is void.",
    "bonus_card_forgotten": "No card goes to the Six Card Bonus area; the round is void.",
    "not_announced": "Betting is not announced closed.",
    "no_envy_lammer": "No Envy lammer is laid by a Fortune Bonus wager.",
    "not_locked": "The system's wagers are not locked before the deal.",
    "chips_not_counted": "Progressive chips go to the inventory uncounted.",
    "no_starting_position": "Stacks are dealt with no starting position set.",
    "wrong_start": "The first stack goes one position too far.",
    "position_skipped": "A position gets no stack, and the round goes on.",
    "stack_face_up": "The first stack is delivered face up.",
    "late_wager": "A wager is taken after betting was closed.",
    "stub_not_counted": "The stub is not counted when it has to be.",
    "stub_exposed": "A card of the stub is seen.",
    "stub_short_played_on": "The stub is short, and the round goes on.",
    "misdeal_played_on": "A hand has a card too many, and the round goes on.",
    "bad_deck_kept": "A deck that lacks a card stays in play after the void round.",
    "void_wager_kept": "One wager of a void round is collected.",
    "wrong_hand": "Cards leave the shoe by the dealer's other hand.",
    "card_face_up": "The first card is dealt face up.",
    "bonus_card_forgotten_played_on": "No card goes to the Six Card Bonus area, and the round goes on.",
}

# Provisions that a breach violates; the first is the plainest.
CITES: dict[Ruleset, dict[str, tuple[str, ...]]] = {
    "fortune_670a10": {
        "not_announced": ("670a.10(a)(2)",),
        "no_envy_lammer": ("670a.10(a)(2)(i)",),
        "not_locked": ("670a.10(a)(2)(ii)#1",),
        "chips_not_counted": ("670a.10(a)(2)(ii)#2", "670a.10(a)(2)(ii)#3"),
        "no_starting_position": ("670a.10(b)", "670a.10(c)#1"),
        "wrong_start": ("670a.10(c)#1",),
        "position_skipped": ("670a.10(c)#2",),
        "stack_face_up": ("670a.10(c)#1", "670a.10(c)#2"),
        "late_wager": ("670a.10(a)(2)",),
        "stub_not_counted": ("670a.10(d)#2",),
        "stub_exposed": ("670a.10(d)#3",),
        "stub_short_played_on": ("670a.10(e)#3", "670a.10(e)#1"),
        "misdeal_played_on": ("670a.10(e)#2", "670a.10(e)#1"),
        "bad_deck_kept": ("670a.10(e)#4",),
        "void_wager_kept": ("670a.10(e)#2",),
    },
    "manual_shoe_657a8": {
        "not_announced": ("657a.8(b)#1",),
        "not_locked": ("657a.8(b)#2",),
        "chips_not_counted": ("657a.8(b)#3", "657a.8(b)#4"),
        "stub_not_counted": ("657a.8(f)#1",),
        "wrong_hand": ("657a.8(c)#1",),
        "card_face_up": ("657a.8(c)#2",),
        "late_wager": ("657a.8(b)#1",),
        "stub_exposed": ("657a.8(e)#2", "657a.8(f)#3", "657a.8(g)"),
        "stub_short_played_on": ("657a.8(h)#3", "657a.8(h)#1"),
        "misdeal_played_on": ("657a.8(h)#2", "657a.8(h)#1"),
        "bonus_card_forgotten_played_on": ("657a.8(d)#1",),
        "bad_deck_kept": ("657a.8(h)#4",),
        "void_wager_kept": ("657a.8(h)#2",),
    },
}


def deviation(ruleset: Ruleset, name: str) -> Deviation:
    """The irregularity or breach of that name.

    Raises:
        KeyError: the ruleset has none of that name.
    """
    known = IRREGULARITIES.get(ruleset, {}) | BREACHES.get(ruleset, {})
    return known[name]
