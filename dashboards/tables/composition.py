"""Where the cards of a shoe are, by count; and, for who may know it, by rank and suit."""

from __future__ import annotations

from dataclasses import dataclass

from dashboards.replayer.faces import Faces
from dashboards.replayer.picture import card_count
from processors.core.conservation import nominal
from processors.core.state import Batch, Table
from schemas.values import JOKER, RANKS, SUITS

ORDER = "A" + RANKS[:-1]  # as people write them: ace first


@dataclass(frozen=True, slots=True)
class Count:
    """The cards of a shoe by place; `burnt` None where nobody watched, `missing` did not reach the rack.

    `batch` is how many cards the batch was received with; None where the batch is not at the table.
    """

    shoe: int
    table: int
    discard: int
    burnt: int | None
    missing: int
    batch: int | None

    @property
    def total(self) -> int:
        """All of them."""
        return self.shoe + self.table + self.discard + (self.burnt or 0) + self.missing

    @property
    def differs(self) -> int:
        """How many cards there are more than the batch has."""
        return 0 if self.batch is None else self.total - self.batch

    @property
    def whole(self) -> bool:
        """Whether every card of the batch is accounted for."""
        return self.batch is not None and not self.differs and not self.missing and self.shoe >= 0


@dataclass(frozen=True, slots=True)
class Cell:
    """One card: how often the batch holds it, how often it was seen to leave the shoe; `mark` says what is wrong."""

    card: str
    expected: int
    seen: int
    mark: str = ""

    @property
    def left(self) -> int:
        """How often it is in the shoe, or lies face down."""
        return self.expected - self.seen


@dataclass(frozen=True, slots=True)
class Composition:
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
        cells = [cell for _, row in self.rows for cell in row]
        return tuple(cell for cell in (*cells, *([self.joker] if self.joker else [])) if cell.mark)


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
    )


def is_over(table: Table) -> bool:
    """Whether nothing is dealt from the shoe any more: what was in it is no secret then."""
    return table.shoe.emptied


def composition_of(table: Table) -> Composition | None:
    """What is left of each card, cards that lie face down not told apart from those in the shoe.

    None where no shoe is loaded, or its batch is not known.
    """
    shoe = table.shoe
    batch = table.batches.get(shoe.batch)
    if batch is None or not shoe.loaded:
        return None
    faces = Faces()
    for entry in table.round.log if table.round is not None else ():
        faces.note(entry.sequence, entry.data)
    hidden = faces.hidden(table, table.round)
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
