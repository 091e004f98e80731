"""Whose word an event is: the one table of the devices that say the events of the contract."""

from __future__ import annotations

from typing import Final, NamedTuple

from processors.core.witnesses import Witness
from schemas import events as e
from schemas.payload import Payload


class Spoken(NamedTuple):
    """The device that says an event.

    A device that says any event is not dead: findings that wait for the device wait no longer.
    `counts` tells whether the event is also one of the words that are counted for the device, and end its silence.
    The console is silent when starts and ends of rounds are missing: its other steps do not end the silence.
    """

    device: Witness
    counts: bool = False


def _said_by(device: Witness, *kinds: type[Payload], counts: bool = False) -> dict[type[Payload], Spoken]:
    return dict.fromkeys(kinds, Spoken(device, counts))


WORDS: Final[dict[type[Payload], Spoken]] = {
    **_said_by("shoe", e.CardDrawn, e.StackDispensed, counts=True),
    **_said_by("shoe", e.StubRemoved, e.ShoeEmptied),
    **_said_by("placements", e.CardPlaced, e.StackDelivered, counts=True),
    **_said_by("wagers", e.WagerPlaced, counts=True),
    **_said_by("rack", e.CardsRacked, counts=True),
    **_said_by("reader", e.HoleCardRead, counts=True),
    **_said_by("console", e.RoundStarted, e.BettingClosed, e.PlayerDecision, e.RoundEnded, counts=True),
    **_said_by(
        "console",
        e.SystemWagersLocked, e.SystemWagersCounted, e.ChipsToInventory, e.StartingPositionSet, e.InsuranceOffered,
        e.EvenMoneyOffered, e.EvenMoneyTaken, e.DealerHandPositioned, e.PlayerRequest, e.BlackjackAnnounced,
        e.LammerPlaced, e.LammerCollected, e.CardExposed, e.CardRefused, e.CardsTucked, e.HandVoided, e.HandContinued,
        e.DealerTotalAnnounced, e.HandRevealed, e.WagerSettled, e.WinningsTakenBack, e.StubCounted,
        e.MisdealDetermined, e.RoundVoided, e.TableClosed,
    ),
}  # fmt: skip
"""By type of event. An event that is not here is no device's of these: nobody is alive by it."""

SPEAKS: Final[dict[type[Payload], Witness]] = {kind: word.device for kind, word in WORDS.items()}
"""The device that is not dead if an event of this type comes."""
