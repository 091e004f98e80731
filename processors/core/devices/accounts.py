"""What is said of each witness that falls silent, and what its rounds lack."""

from __future__ import annotations

from typing import NamedTuple

from processors.core.witnesses import Witness

_SINCE = " since event "


class SilenceAccount(NamedTuple):
    """The finding's words for a witness: the claim, the event it owes, the proof of that, what a round lacks by it."""

    name: str
    word: str
    shown: str
    lacks: str


ACCOUNTS: dict[Witness, SilenceAccount] = {
    "placements": SilenceAccount(
        "The layout has named no card",
        "card_placed",
        "{count} cards in a row left the shoe and none was placed",
        "cards on the layout",
    ),
    "wagers": SilenceAccount(
        "The layout has named no wager",
        "wager_placed",
        "a round was played for which no wager is on record",
        "wagers on the layout",
    ),
    "rack": SilenceAccount(
        "The discard rack has named no card",
        "cards_racked",
        "a whole round was dealt and nothing entered the rack",
        "cards of the discard rack",
    ),
    "shoe": SilenceAccount(
        "The shoe has named no card",
        "card_drawn",
        "{count} times in a row cards were placed that it had not given up",
        "cards that left the shoe",
    ),
    "reader": SilenceAccount(
        "The card reader has said nothing",
        "hole_card_read",
        "in {count} rounds in a row the dealer showed an ace or a ten-value card and no reading is on record",
        "readings of the hole card",
    ),
    "console": SilenceAccount(
        "The console has named no start or end of a round",
        "round_started, round_ended",
        "the other devices show play of a round that is not on record",
        "starts and ends of rounds",
    ),
}


def unheard_by(reason: str) -> Witness | None:
    """The witness whose silence is this reason to doubt; None if it is another one."""
    lacks = reason.partition(_SINCE)[0]
    return next((witness for witness, account in ACCOUNTS.items() if account.lacks == lacks), None)


def reason_for(witness: Witness, since: int) -> str:
    """What a round lacks by the silence of a witness since that event."""
    return f"{ACCOUNTS[witness].lacks}{_SINCE}{since}"
