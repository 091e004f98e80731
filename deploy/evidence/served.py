"""Evidence bundles for the console: made beside its work, one at a time, of tables that are folded in a minute."""

from __future__ import annotations

import base64
import threading
from collections.abc import Mapping
from contextlib import closing
from importlib.metadata import version
from pathlib import Path
from typing import Final

from dashboards.reports.vouching import Vouch
from dashboards.web.bundles import NoBundle
from deploy.checkpoints.keeping import Keeping
from deploy.checkpoints.keys import read_signing
from deploy.errors import UserError
from deploy.evidence.bundle import make_bundle
from deploy.evidence.proofs import ProofPlaces, paths_of, signed_note, statement_of
from deploy.settings import Settings
from producers.log import LedgerError
from producers.sqlite_log import SqliteLog
from schemas.amounts import amount
from schemas.events.codec import record_hash
from schemas.tlog.checkpoints import read_checkpoint
from schemas.tlog.notes import read_note
from schemas.tlog.statements import read_statement

MOST_RECORDS: Final = 200_000  # of a table: it is folded from its first record, some thousands a second


class LedgerBundles:
    """`Bundles` out of a ledger whose checkpoints this process keeps."""

    def __init__(self, settings: Settings, ledger: Path, keeping: Keeping) -> None:
        """Read whose checkpoints they are.

        Raises:
            UserError: the signing key cannot be read.
        """
        keys = read_signing(Path(settings.signing_key)).verifiers
        self._places = ProofPlaces(ledger, Path(settings.checkpoints), keys)
        self._keeping = keeping
        self._one = threading.Lock()

    def make(self, subject: str, number: int, first: int) -> bytes:
        """The bundle, of the records as they are signed now.

        Raises:
            NoBundle: there is none, for a reason that a person may put right.
        """
        with self._one:
            self._keeping.write()
            try:
                self._require_few(subject)
                return make_bundle(
                    self._places, subject, number, version("catwalk"), lambda _done: None, first
                )
            except (UserError, LedgerError) as error:
                raise NoBundle(f"{error.why}; {error.remedy}") from error

    def vouch(self, subject: str, number: int, hashes: Mapping[int, str]) -> Vouch:
        """Whether the ledger has the round's records as a checkpoint signs them."""
        with self._one:
            self._keeping.write()
            try:
                self._require_few(subject)
                return self._vouched(subject, number, hashes)
            except (UserError, LedgerError) as error:
                return Vouch(differs=error.why)
            except NoBundle as error:
                return Vouch(differs=str(error))

    def _vouched(self, subject: str, number: int, hashes: Mapping[int, str]) -> Vouch:
        places, wanted = self._places, sorted(hashes)
        if not wanted:
            return Vouch(differs="no record of the round was read")
        entry, statement = statement_of(places, subject, wanted[-1], number)
        said = read_statement(statement)
        with closing(SqliteLog(places.ledger, read_only=True)) as log:
            lines, _ = paths_of(log, said, wanted, places)
        others = [one for one in wanted if record_hash(lines[one]) != hashes[one]]
        if others:
            told = f"the store gave other records than the ledger has, from event {others[0]} on"
            return Vouch(differs=told)
        content, _ = signed_note(places, said, entry)
        checkpoint = read_checkpoint(read_note(content))
        return Vouch(
            origin=checkpoint.origin,
            size=checkpoint.size,
            root=base64.b64encode(checkpoint.root).decode(),
            key=places.keys[0].text,
            records=said.size,
        )

    def _require_few(self, subject: str) -> None:
        with closing(SqliteLog(self._places.ledger, read_only=True)) as log:
            records = log.head(subject).sequence
        if records > MOST_RECORDS:
            why = f"the table has {amount(records, 'record')}, too many to read here; use `catwalk evidence`"
            raise NoBundle(why)


def bundles_of(settings: Settings, ledger: Path, keeping: Keeping | None) -> LedgerBundles | None:
    """Bundles of a house that keeps checkpoints; None of another, for nothing could be proved."""
    return LedgerBundles(settings, ledger, keeping) if keeping is not None else None
