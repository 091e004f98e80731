"""What the discard rack alone can prove of a round: asked of a solver that is handed in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from msgspec import Struct

from dashboards.hands.hand import StoredRound
from dashboards.replayer.replay import Replay
from schemas import events as e
from schemas.rulesets import RULESETS
from schemas.values import DEALER, UNKNOWN


class RackAsked(Struct, frozen=True, kw_only=True):
    """A round's cards in the rack, bottom first, with the house's order and the seats that staked, if known.

    `upcard` is the dealer's first card. `seconds` is the time the solver may take.
    """

    config: e.TableConfigured
    rack: tuple[str, ...]
    seats: tuple[int, ...] | None
    upcard: str | None
    seconds: float


class Deviation(Struct, frozen=True):
    """A departure from the rules: the provision, the hand, and what was found."""

    provision: str
    hand: str | None
    message: str


class RackTold(Struct, frozen=True, kw_only=True):
    """What the solver answers.

    `hands` are the first of the lawful reconstructions, cards by hand in deal order. Hands of `agree_on` are the
    same in all. Where none is lawful, `nearest` breaks the least, which `deviations` name.
    """

    message: str
    count: int
    complete: bool
    hands: tuple[dict[str, tuple[str, ...]], ...] = ()
    agree_on: tuple[str, ...] = ()
    differ_on: tuple[str, ...] = ()
    nearest: dict[str, tuple[str, ...]] | None = None
    deviations: tuple[Deviation, ...] = ()


SolveRack = Callable[[RackAsked], RackTold]
Why = Literal["going on", "hidden", "stacks", "no rules", "no cards", ""]

WHY_NOT: dict[str, str] = {
    "going on": "The round still goes on: its cards are not all in the rack yet.",
    "hidden": "Cards lie in the rack that were never shown: the solver is not asked about them.",
    "stacks": "The solver knows Blackjack alone; in this game the stacks lie as they were dealt.",
    "no rules": "No configuration of the table was recorded before the round.",
    "no cards": "No card of the round lies in the rack.",
}


def rack_question(stored: StoredRound, replay: Replay, seconds: float) -> tuple[RackAsked | None, Why]:
    """What to ask of a round that is over, or why nothing can be asked."""
    result = replay.result
    config = stored.table().config
    if stored.is_going_on or result is None:
        return None, "going on"
    if config is None:
        return None, "no rules"
    if RULESETS[config.ruleset].family != "blackjack":
        return None, "stacks"
    if not result.rack.observed:
        return None, "no cards"
    if any(row.observed is not None and not row.observed.face_up for row in replay.rack):
        return None, "hidden"
    seats = tuple(sorted({one.seat for one in result.stakes if one.kind == "main"}))
    # Where events are missing, a seat may have staked unseen: then the solver is to find the seats as well.
    known = seats if seats and not result.missing else None
    dealer = result.hands.get(DEALER)
    upcard = dealer.cards[0] if dealer is not None and dealer.cards else None
    asked = RackAsked(
        config=config,
        rack=result.rack.observed,
        seats=known,
        upcard=None if upcard == UNKNOWN or result.missing else upcard,
        seconds=seconds,
    )
    return asked, ""
