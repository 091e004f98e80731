"""The warehouse's relations, declared once as data: DDL, inserts, queries and drift tests read this."""

from schemas.warehouse.ddl import Topology
from schemas.warehouse.migrations import DERIVED, MIGRATIONS, PROJECTIONS, RELATIONS, Migration
from schemas.warehouse.relation import Column, Relation
from schemas.warehouse.relations import APPLIED

__all__ = [
    "APPLIED",
    "DERIVED",
    "MIGRATIONS",
    "PROJECTIONS",
    "RELATIONS",
    "Column",
    "Migration",
    "Relation",
    "Topology",
]
