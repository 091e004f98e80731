"""What can go otherwise than usual in a round of 670a.10 or 657a.8, put right lawfully or not."""

from __future__ import annotations

from dataclasses import dataclass

from schemas import events
from schemas.payload import Payload
from schemas.values import Ruleset


@dataclass(frozen=True, slots=True, kw_only=True)
class StackDeviation:
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


_IN_BOTH = {
    "not_announced": StackDeviation(unseen=(events.BettingClosed,)),
    "not_locked": StackDeviation(unseen=(events.SystemWagersLocked,)),
    "chips_not_counted": StackDeviation(unseen=(events.SystemWagersCounted,)),
    "late_wager": StackDeviation(late_wager=True),
    "stub_not_counted": StackDeviation(unseen=(events.StubCounted,)),
    "stub_exposed": StackDeviation(exposes_stub=True),
    "stub_short_played_on": StackDeviation(deck=-1, plays_on=True),
    "misdeal_played_on": StackDeviation(hands=(1,), plays_on=True),
    "bad_deck_kept": StackDeviation(deck=-1, keeps_deck=True),
    "void_wager_kept": StackDeviation(hands=(1,), keeps_wager=True),
}
BREACHES: dict[Ruleset, dict[str, StackDeviation]] = {
    "fortune_670a10": _IN_BOTH
    | {
        "no_envy_lammer": StackDeviation(unseen=(events.LammerPlaced, events.LammerCollected)),
        "no_starting_position": StackDeviation(unseen=(events.StartingPositionSet,)),
        "wrong_start": StackDeviation(wrong_start=True),
        "position_skipped": StackDeviation(skips_position=True, plays_on=True),
        "stack_face_up": StackDeviation(face_up=True),
    },
    "manual_shoe_657a8": _IN_BOTH
    | {
        "wrong_hand": StackDeviation(wrong_hand=True),
        "card_face_up": StackDeviation(face_up=True),
        "bonus_card_forgotten_played_on": StackDeviation(bonus_missing=True, plays_on=True),
    },
}
_DECK = {"card_missing": StackDeviation(deck=-1), "card_too_many": StackDeviation(deck=1)}
IRREGULARITIES: dict[Ruleset, dict[str, StackDeviation]] = {
    "fortune_670a10": {
        "stack_short": StackDeviation(hands=(-1,)),
        "stack_long": StackDeviation(hands=(1,)),
        "stacks_uneven": StackDeviation(hands=(1, -1)),
        **_DECK,
        "misdeal_and_card_missing": StackDeviation(hands=(1,), deck=-1),
    },
    "manual_shoe_657a8": {
        "hand_short": StackDeviation(hands=(-1,)),
        "hand_long": StackDeviation(hands=(1,)),
        "bonus_card_forgotten": StackDeviation(bonus_missing=True),
        **_DECK,
        "misdeal_and_card_missing": StackDeviation(hands=(-1,), deck=-1),
    },
}
DEVIATIONS = {ruleset: IRREGULARITIES[ruleset] | BREACHES[ruleset] for ruleset in BREACHES}
