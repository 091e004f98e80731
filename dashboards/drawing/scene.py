"""What is on a table at one moment, as a drawing needs it: nothing that may not be shown is in it."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct, field

from schemas.amounts import amount


class Card(Struct, frozen=True):
    """One card; one that lies face down for the viewer has no name.

    `hidden`: this viewer sees a face that does not lie open. `inferred` says in a word what was not seen of it, `why`
    how it is known all the same that it lies there.
    """

    name: str
    face_up: bool = True
    across: bool = False
    inferred: str = ""
    why: str = ""
    hidden: bool = False


FACE_DOWN = Card("", face_up=False)


class Bet(Struct, frozen=True):
    """One stake or lammer beside a hand or in front of a seat; cents.

    `moved` is what was seen to move (+ to the patron), `due` what should have moved where that can be said. A
    stake given back moved 0. `inferred` says what was not seen of it.
    """

    kind: str
    cents: int
    moved: int | None = None
    due: int | None = None
    word: str = ""
    lammer: bool = False
    inferred: str = ""

    @property
    def wrong(self) -> bool:
        """Whether something else moved than was due."""
        return self.moved is not None and self.due is not None and self.moved != self.due


class DrawnHand(Struct, frozen=True):
    """One hand: its cards, its total as words, what befell it, its stakes, and whether the step is about it."""

    name: str
    cards: tuple[Card, ...] = ()
    total: str = ""
    state: str = ""
    bets: tuple[Bet, ...] = ()
    now: bool = False
    fault: str = ""


class DrawnSeat(Struct, frozen=True):
    """One seat or position with its hands, first to last, and its other wagers."""

    number: int
    player: str = ""
    hands: tuple[DrawnHand, ...] = ()
    bets: tuple[Bet, ...] = ()
    note: str = ""
    now: bool = False
    fault: str = ""


class DrawnDealer(Struct, frozen=True):
    """The dealer's hand, and the words about it: total, what the reader showed, the area it lies in."""

    name: str = ""
    hand: DrawnHand = DrawnHand("D")
    words: tuple[str, ...] = ()


class DrawnShoe(Struct, frozen=True):
    """The shoe: cards left of those loaded, and how many lie behind the cover card; None where not known."""

    number: int = 0
    left: int = 0
    loaded: int = 0
    cover_below: int | None = None
    cover_out: bool = False
    loose: tuple[Card, ...] = ()


class CardCount(Struct, frozen=True):
    """Where the cards are: discard rack, table, burnt, shoe; together they are `total`.

    `burnt` is None where the burn cards were not counted apart: they are among `discard` then. A number that agrees is
    no whole shoe: `short` cards of its batch were found to be gone before, and `unseen` is what the record lacks where
    some may have moved without one. Then a number that is off is the record's fault, and no card is missing for it.
    """

    discard: int
    table: int
    burnt: int | None
    shoe: int
    total: int
    short: int = 0
    unseen: str = ""

    @property
    def sign(self) -> Literal["✓", "✕", "?"]:
        """How the count stands: ✕ cards are missing or too many, ? they may be, ✓ the number agrees."""
        if self.short or not (self.agrees or self.unseen):
            return "✕"
        return "?" if self.unseen else "✓"

    @property
    def agrees(self) -> bool:
        """Whether in number no card is missing and none too many."""
        parts = (self.discard, self.table, self.burnt or 0, self.shoe)
        return min(parts) >= 0 and sum(parts) == self.total

    def __str__(self) -> str:
        parts = f"discard {self.discard} + table {self.table}"
        parts += f" + burn {self.burnt}" if self.burnt is not None else ""
        found = self.discard + self.table + (self.burnt or 0) + self.shoe
        off = f"{found} reported, of {self.total}" if self.unseen else f"{found}, should be {self.total}"
        end = str(self.total) if self.agrees else off
        cards = amount(self.short, "card")
        doubt = f"; the batch was {cards} short before" if self.short else ""
        doubt += f"; cards may have moved unseen: {self.unseen}" if self.unseen else ""
        return f"{parts} + shoe {self.shoe} = {end} {self.sign}{doubt}"


class Felt(Struct, frozen=True):
    """A whole table at one moment; `rack` holds the round's cards in the discard rack, bottom first."""

    title: str
    phase: str
    caption: str
    seats: tuple[DrawnSeat, ...]
    dealer: DrawnDealer = field(default_factory=DrawnDealer)
    shoe: DrawnShoe = field(default_factory=DrawnShoe)
    rack: tuple[Card, ...] = ()
    count: CardCount | None = None
    bonus: DrawnHand | None = None
    print: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
