"""The warehouse's relations, declared once as data: DDL, inserts, queries and drift tests read this."""

from schemas.warehouse.ddl import Topology
from schemas.warehouse.migrations import DERIVED, MIGRATIONS, PROJECTIONS, RELATIONS, VIEWS, Migration
from schemas.warehouse.relation import Column, Relation
from schemas.warehouse.relations import APPLIED
from schemas.warehouse.views import View

__all__ = [
    "APPLIED",
    "DERIVED",
    "MIGRATIONS",
    "PROJECTIONS",
    "RELATIONS",
    "VIEWS",
    "Column",
    "Migration",
    "Relation",
    "Topology",
    "View",
]
