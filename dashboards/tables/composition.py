"""Where the cards of a shoe are, by count; and, for who may know it, by rank and suit."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from dashboards.replayer.faces import Faces
from dashboards.replayer.picture import card_count
from processors.core.conservation import nominal
from processors.core.facts_decks import Batch
from processors.core.state import Table
from schemas.amounts import amount, verb
from schemas.values import JOKER, RANKS, SUITS

ORDER = "A" + RANKS[:-1]  # as people write them: ace first


class Standing(Struct, frozen=True):
    """How a shoe stands against its batch: ✓ agrees as far as it can be known by now, ✕ does not, ? cannot be known."""

    sign: Literal["✓", "✕", "?"]
    words: str


class Count(Struct, frozen=True):
    """The cards of a shoe by place; `burnt` None where nobody watched, `missing` did not reach the rack.

    `batch` is how many cards the batch `name` was received with; None where the batch is not at the table. The number
    says nothing of which cards they are: `short` and `extra` cards were found when a shoe of the batch was laid open
    (`over`: this one was), `unknown` ones left it unidentified, `doubtful` ones may have, and `unseen` events that may
    have moved cards are not in the record.
    """

    shoe: int
    table: int
    discard: int
    burnt: int | None
    missing: int
    batch: int | None
    name: str = ""
    over: bool = False
    short: int = 0
    extra: int = 0
    unknown: int = 0
    doubtful: int = 0
    unseen: tuple[str, ...] = ()

    @property
    def total(self) -> int:
        """All of them."""
        return self.shoe + self.table + self.discard + (self.burnt or 0) + self.missing

    @property
    def differs(self) -> int:
        """How many cards there are more than the batch has."""
        return 0 if self.batch is None else self.total - self.batch

    @property
    def standing(self) -> Standing:
        """The one sentence about the shoe: whole only when it is over and each card of the batch was seen."""
        if self.batch is None:
            return Standing("?", f"batch {self.name} is not at the table".replace("  ", " "))
        wrong = self._wrong_number()
        if wrong:
            return Standing("✕", wrong)
        agrees = f"in number as many as batch {self.name} has"
        if self.short or self.extra:
            found = [f"{amount(self.short, 'card')} short"] if self.short else []
            found += [f"{self.extra} too many"] if self.extra else []
            when = "" if self.over else " by an earlier shoe" if self.short else ""
            return Standing("✕", f"{agrees}, but {' and '.join(found)}{when}")
        if self.unseen:
            return Standing("?", f"{agrees}, but cards may have moved unseen: {', '.join(self.unseen)}")
        if not self.over:
            return Standing("✓", f"{agrees}; not each card is known while it is dealt from")
        if self.unknown:
            which = f"which card{'' if self.unknown == 1 else 's'} {self.unknown} of them"
            words = f"{agrees}; {which} {verb(self.unknown, 'is')}, nobody saw"
            # Burn cards go face down by the rules: that as many are not known is no doubt about the shoe.
            return Standing("✓" if self.unknown <= (self.burnt or 0) else "?", words)
        if self.doubtful:
            return Standing("?", f"{agrees}; {self.doubtful} may have left the shoe unseen")
        return Standing("✓", f"the whole batch {self.name}, each card of it seen")

    def _wrong_number(self) -> str:
        if self.differs:
            kind = "too many" if self.differs > 0 else "too few"
            return f"batch {self.name} has {self.batch}: {abs(self.differs)} {kind}"
        if self.missing:
            return f"{self.missing} did not reach the rack"
        return "more were drawn than loaded" if self.shoe < 0 else ""


class Cell(Struct, frozen=True):
    """One card: how often the batch holds it, how often it was seen to leave the shoe; `mark` says what is wrong."""

    card: str
    expected: int
    seen: int
    mark: str = ""

    @property
    def left(self) -> int:
        """How often it is in the shoe, or lies face down."""
        return self.expected - self.seen


class Composition(Struct, frozen=True):
    """What is left of each card; `unknown` cards are out of the shoe and nobody saw which they are.

    `suspects` are cards that earlier shoes of the batch showed to be short or extra, in words.
    """

    rows: tuple[tuple[str, tuple[Cell, ...]], ...]
    joker: Cell | None
    unknown: int
    suspects: tuple[str, ...]

    @property
    def faults(self) -> tuple[Cell, ...]:
        """Cards that are short or extra."""
        return tuple(cell for cell in self.cells if cell.mark)

    @property
    def cells(self) -> tuple[Cell, ...]:
        """All cards, the joker last."""
        jokers = () if self.joker is None else (self.joker,)
        return (*(cell for _, row in self.rows for cell in row), *jokers)


def count_of(table: Table) -> Count | None:
    """Where the cards are; None where no shoe is loaded."""
    found = card_count(table)
    if found is None:
        return None
    batch = table.batches.get(table.shoe.batch)
    return Count(
        shoe=found.shoe,
        table=found.table,
        discard=found.discard,
        burnt=found.burnt,
        missing=table.shoe.lost,
        batch=None if batch is None else batch.cards,
        name=table.shoe.batch,
        over=is_over(table),
        short=0 if batch is None else batch.short,
        extra=0 if batch is None else sum(number for number in batch.over.values() if number > 0),
        unknown=table.shoe.out_unknown,
        doubtful=table.shoe.doubtful,
        unseen=tuple(dict.fromkeys((*table.blind.shoe, *table.blind.round))),
    )


def is_over(table: Table) -> bool:
    """Whether nothing is dealt from the shoe any more: what was in it is no secret then."""
    return table.shoe.emptied


def composition_of(table: Table) -> Composition | None:
    """What is left of each card; a card that lies face down counts as if it were in the shoe.

    None where no shoe is loaded, or its batch is not known.
    """
    shoe = table.shoe
    batch = table.batches.get(shoe.batch)
    if batch is None or not shoe.loaded:
        return None
    hidden = Faces.of(table.round).hidden(table, table.round)
    unknown = shoe.out_unknown + hidden.total()
    complete = shoe.emptied and not unknown and not shoe.doubtful

    def cell(card: str) -> Cell:
        expected, seen = nominal(batch, card), shoe.out.get(card, 0) - hidden[card]
        mark = "extra" if seen > expected else "short" if complete and seen < expected else ""
        return Cell(card, expected, seen, mark)

    rows = tuple((suit, tuple(cell(rank + suit) for rank in ORDER)) for suit in reversed(SUITS))
    joker = cell(JOKER) if nominal(batch, JOKER) > 0 else None
    return Composition(rows, joker, unknown, _suspects(batch))


def _suspects(batch: Batch) -> tuple[str, ...]:
    told = [f"{number} too many of {card}" for card, number in batch.over.items() if number > 0]
    if batch.short:
        told.append(f"{batch.short} short, of {', '.join(batch.gone)}")
    return tuple(told)
