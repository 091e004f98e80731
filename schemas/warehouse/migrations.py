"""Numbered forward migrations, as data: what a store goes through to hold the relations of this release.

A migration that a release has shipped is never edited: `tests/warehouse` holds each one's digest. The
relations in force are what all migrations together leave.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

import msgspec

from schemas.warehouse.ddl import (
    Topology,
    add_column,
    add_projection,
    create,
    create_view,
    merge_old_months,
)
from schemas.warehouse.relation import Column, Projection, Relation
from schemas.warehouse.relations import (
    ACCOUNT_EVENTS,
    COUNTERS,
    EVENTS,
    FIRST_RELEASE,
    OF_DEAD_LETTERS,
    OF_FINDINGS,
    OF_ROUNDS,
    PATRONS,
    PATRONS_BY_SEAT,
    RECONCILED,
    TAKINGS,
)
from schemas.warehouse.views import FIRST_VIEWS, VIEWS_OF_MONEY, View


@dataclass(frozen=True, slots=True)
class Create:
    """A relation comes into being."""

    relation: Relation

    def statements(self, topology: Topology) -> tuple[str, ...]:
        """SQL that does it, and does nothing the second time."""
        return create(self.relation, topology)

    def after(self, relations: dict[str, Relation]) -> dict[str, Relation]:
        """The relations once it is done."""
        if self.relation.name in relations:
            raise ValueError(f"relation {self.relation.name} is created twice")
        return {**relations, self.relation.name: self.relation}


@dataclass(frozen=True, slots=True)
class AddColumn:
    """A relation gains a column; rows that are there have its type's default."""

    relation: str
    column: Column

    def statements(self, topology: Topology) -> tuple[str, ...]:
        """SQL that does it, and does nothing the second time."""
        return add_column(self.relation, self.column, topology)

    def after(self, relations: dict[str, Relation]) -> dict[str, Relation]:
        """The relations once it is done."""
        return {**relations, self.relation: relations[self.relation].with_column(self.column)}


@dataclass(frozen=True, slots=True)
class AddProjection:
    """A relation keeps some columns in another order too; its rows and what they say stay as they are."""

    relation: str
    projection: Projection

    def statements(self, topology: Topology) -> tuple[str, ...]:
        """SQL that does it, and does nothing the second time."""
        return add_projection(self.relation, self.projection, topology)

    def after(self, relations: dict[str, Relation]) -> dict[str, Relation]:
        """The relations once it is done."""
        missing = {*self.projection.columns, *self.projection.order} - set(
            relations[self.relation].column_names
        )
        if missing:
            raise ValueError(f"{self.relation}: no column of it: {', '.join(sorted(missing))}")
        return relations


@dataclass(frozen=True, slots=True)
class MergeOldMonths:
    """Months of a relation that are no longer written into become one part each; rows and columns stay."""

    relation: str

    def statements(self, topology: Topology) -> tuple[str, ...]:
        """SQL that does it, and does nothing the second time."""
        return merge_old_months(self.relation, topology)

    def after(self, relations: dict[str, Relation]) -> dict[str, Relation]:
        """The relations once it is done."""
        return relations


@dataclass(frozen=True, slots=True)
class CreateView:
    """A view comes into being: no rows of its own."""

    view: View

    def statements(self, topology: Topology) -> tuple[str, ...]:
        """SQL that does it, and does nothing the second time."""
        return (create_view(self.view, topology),)

    def after(self, relations: dict[str, Relation]) -> dict[str, Relation]:
        """The relations once it is done."""
        return relations


@dataclass(frozen=True, slots=True)
class ReplaceView(CreateView):
    """A view of this name, which is there, asks something else."""

    def statements(self, topology: Topology) -> tuple[str, ...]:
        """SQL that does it, and does the same the second time."""
        return (create_view(self.view, topology, replaces=True),)


Operation = Create | AddColumn | AddProjection | MergeOldMonths | CreateView | ReplaceView


@dataclass(frozen=True, slots=True)
class Migration:
    """One step of the store's form."""

    number: int
    name: str
    operations: tuple[Operation, ...]

    @property
    def digest(self) -> str:
        """SHA-256 of what it declares, hex: two stores that saw one digest have one form."""
        declared = [(type(operation).__name__, operation) for operation in self.operations]
        content = msgspec.json.encode((self.number, self.name, declared), order="deterministic")
        return hashlib.sha256(content).hexdigest()


MIGRATIONS: tuple[Migration, ...] = (
    Migration(1, "relations of the first release", tuple(Create(relation) for relation in FIRST_RELEASE)),
    Migration(
        2,
        "events, patrons and counters; whose rounds they are, and where findings and dead letters stand",
        (
            *(Create(relation) for relation in (EVENTS, PATRONS, COUNTERS)),
            *(AddColumn("rounds", column) for column in OF_ROUNDS),
            *(AddColumn("findings", column) for column in OF_FINDINGS),
            *(AddColumn("dead_letters", column) for column in OF_DEAD_LETTERS),
        ),
    ),
    Migration(3, "who sat at a seat, by table and seat", (AddProjection("patrons", PATRONS_BY_SEAT),)),
    Migration(4, "what was found when the store was held against the ledger", (Create(RECONCILED),)),
    Migration(
        5,
        "views for people: rounds, hands, stakes and findings as they stand, revenue by table and day",
        tuple(CreateView(view) for view in FIRST_VIEWS),
    ),
    Migration(6, "what the stakes of a round came to, by kind", (Create(TAKINGS), MergeOldMonths("takings"))),
    Migration(7, "events of tables' accounts by themselves", (Create(ACCOUNT_EVENTS),)),
    Migration(
        8,
        "views count what is returned beyond a stake, and what is kept of one returned in part",
        tuple(ReplaceView(view) for view in VIEWS_OF_MONEY),
    ),
)


def relations_after(migrations: Iterable[Migration]) -> dict[str, Relation]:
    """The relations, by name, that these migrations leave.

    Raises:
        ValueError: they are not numbered 1, 2, 3 ..., or one contradicts another.
    """
    relations: dict[str, Relation] = {}
    for number, migration in enumerate(migrations, 1):
        if migration.number != number:
            raise ValueError(f"migration {migration.number} stands in place {number}")
        for operation in migration.operations:
            relations = operation.after(relations)
    return relations


RELATIONS: dict[str, Relation] = relations_after(MIGRATIONS)

# What follows from the ledger alone: the others say how far that is stored, and how it was found.
DERIVED: tuple[str, ...] = tuple(name for name in RELATIONS if name not in ("progress", "reconciled"))

PROJECTIONS: tuple[tuple[str, Projection], ...] = tuple(
    (operation.relation, operation.projection)
    for migration in MIGRATIONS
    for operation in migration.operations
    if isinstance(operation, AddProjection)
)

VIEWS: tuple[View, ...] = tuple(
    {
        operation.view.name: operation.view
        for migration in MIGRATIONS
        for operation in migration.operations
        if isinstance(operation, CreateView)
    }.values()
)
