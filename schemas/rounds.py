"""A reconstructed round as it stands in `rounds.ndjson`."""

from __future__ import annotations

import datetime as dt
from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from schemas.values import Ruleset

Outcome = Literal["pay", "collect", "return"]
HandResult = Literal["blackjack", "bust", "stand", "double", "surrender", "dead"]
Proof = Literal["rack alone", "rack and seats", "rack and draw order", "not unique"]
Known = Literal["seen by rack", "inferred by play", "late word"]
RoundStatus = Literal["consistent", "breached", "indeterminate", "void"]


class Settlement(Struct, frozen=True):
    """Money that moves for one stake: winnings paid, stake taken, or stake given back, in cents."""

    outcome: Outcome
    cents: int

    def patron_cents(self, staked_cents: int) -> int:
        """What it brings the patron of a stake of so many cents, 0 for a stake that nobody was seen to place.

        Winnings are gained and a stake taken is lost. A return gains what goes back beyond the stake, and loses what is
        kept of the stake; the return of an unseen stake does neither.
        """
        if self.outcome == "return":
            return self.cents - staked_cents if staked_cents else 0
        return self.cents if self.outcome == "pay" else -self.cents


class StakeResult(Struct, frozen=True, kw_only=True):
    """One stake of a round: what was staked, what is due, what was seen; None where it cannot be said.

    play: of a main wager, what the decisions of its box gave the house against the play that is worth most, in
    cents; absent where play is not worked out.
    """

    seat: int
    hand: str | None
    kind: str
    staked_cents: int
    expected: Settlement | None
    observed: Settlement | None
    play: int | UnsetType = UNSET

    @property
    def due_cents(self) -> int | None:
        """What the stake is due to bring the patron; None where that cannot be said."""
        return None if self.expected is None else self.expected.patron_cents(self.staked_cents)

    @property
    def seen_cents(self) -> int | None:
        """What the stake was seen to bring the patron; None where nothing was seen."""
        return None if self.observed is None else self.observed.patron_cents(self.staked_cents)


class HandResultLine(Struct, frozen=True, kw_only=True, omit_defaults=True, rename={"came_from": "from"}):
    """One hand of a round, cards in deal order; in stack games total and soft are absent."""

    cards: tuple[str, ...]
    total: int | UnsetType = UNSET
    soft: bool | UnsetType = UNSET
    result: HandResult | UnsetType = UNSET
    came_from: str | UnsetType | None = UNSET
    sequences: tuple[int, ...] = ()


class RackDivergence(Struct, frozen=True, kw_only=True):
    """The first card of the rack that is not the log's: its place in the rack and in its hand.

    index: place in `observed`, from 0. hand, card: whose card the log puts there, and which of the hand's, from 1.
    expected, observed: the card by the log and by the rack; None where one of them has none there.
    """

    index: int
    hand: str | None
    card: int | None
    expected: str | None
    observed: str | None


class RackPlace(Struct, frozen=True, kw_only=True, rename={"begins": "from", "ends": "to"}):
    """Where the round's cards lie in the whole rack of their shoe: the place of the first, and that after the last.

    same_cards: whether just the cards that the shoe gave up in the round lie there; None if some were not read.
    """

    begins: int
    ends: int
    same_cards: bool | None


class RackResult(Struct, frozen=True, kw_only=True):
    """The round's cards in the discard rack, bottom first; expected is None where it cannot be said.

    proof: the weakest evidence that leaves one lawful round only; None where the solver does not apply, and
    no_proof says why. money_unique: whether rack and draw order also prove how each main wager ended. divergence:
    where the rack contradicts the log first. in_shoe: None where the rack went back in the round, or always does.
    """

    expected: tuple[str, ...] | None
    observed: tuple[str, ...]
    agrees: bool | None
    proof: Proof | None = None
    no_proof: str | None = None
    money_unique: bool | None = None
    divergence: RackDivergence | None = None
    in_shoe: RackPlace | None = None


class InferredCard(Struct, frozen=True, kw_only=True):
    """A card of a hand whose laying the layout did not report when it happened.

    drawn: event at which it left the shoe. known: how its place is known; shown: event of the rack or of the late word
    that shows it, None where play alone does.
    """

    hand: str
    card: str
    drawn: int
    known: Known
    shown: int | None


class GivingDecision(Struct, frozen=True, kw_only=True):
    """A decision that gave the house something: `cents` against `best`.

    `values` are the cards that the player saw of the hand (11 is an ace), `total` counts them. `up` is the value of the
    dealer's first card, `light` the range of the hole card that the reader showed, empty where the game shows none.
    """

    seat: int
    hand: str
    choice: str
    best: str
    values: tuple[int, ...]
    total: int
    soft: bool
    up: int
    light: str
    cents: int


class RoundResult(Struct, frozen=True, kw_only=True, omit_defaults=False):
    """One reconstructed round.

    configured: the event whose configuration the round began under; absent where no configuration was seen.
    voided: the event that called the round off; absent where no event did.
    wrong_batch: what was known to be wrong with the batch that the round was dealt from; absent where nothing was.
    inferred, words_missing: cards whose place was inferred, and words of devices that never came although another
    device shows that they were due; absent where there are none.
    """

    subject: str
    round: int
    shoe: int
    ruleset: Ruleset | None
    gaming_day: dt.date | None
    first_sequence: int
    last_sequence: int
    status: RoundStatus
    missing: tuple[str, ...]
    hands: dict[str, HandResultLine]
    stakes: tuple[StakeResult, ...]
    rack: RackResult
    net_cents: int
    findings: tuple[str, ...]
    head: str
    configured: int | UnsetType = UNSET
    voided: int | UnsetType = UNSET
    inferred: tuple[InferredCard, ...] | UnsetType = UNSET
    words_missing: tuple[str, ...] | UnsetType = UNSET
    wrong_batch: str | UnsetType = UNSET
    file: str | UnsetType = UNSET
