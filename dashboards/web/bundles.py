"""How the console is handed what is made of a ledger and its checkpoints, which it does not read itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from dashboards.reports.vouching import Vouch


class NoBundle(Exception):
    """Why there is no bundle of a round, and what to do."""


class Bundles(Protocol):
    """Evidence bundles, and what checkpoints say of records."""

    def make(self, subject: str, number: int, first: int) -> bytes:
        """The bundle of a table's round that begins with event `first`.

        Raises:
            NoBundle: there is none.
        """

    def vouch(self, subject: str, number: int, hashes: Mapping[int, str]) -> Vouch:
        """Whether the ledger has the round's records, of these SHA-256 (hex), as a checkpoint signs them."""
