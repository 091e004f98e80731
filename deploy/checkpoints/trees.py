"""The trees of a property in one folder: each table of the ledger, and the desk beside it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

from dashboards.ledger.acts import SUBJECT as DESK
from deploy.errors import UserError
from producers.log import Head, Record
from producers.sqlite_log import SqliteLog


class Trees:
    """Records of the ledger and of the desk, read only; a file that is not there yet has none."""

    def __init__(self, ledger: Path, desk: Path) -> None:
        """Open what there is.

        Raises:
            LedgerError: a file cannot be read.
            UserError: a table bears the desk's name.
        """
        self._logs: dict[str, SqliteLog] = {}
        with ExitStack() as stack:
            for path in (ledger, desk):
                if path.exists():
                    self._logs["desk" if path == desk else "tables"] = stack.enter_context(
                        closing(SqliteLog(path, read_only=True))
                    )
            if "tables" in self._logs and DESK in self._logs["tables"].subjects():
                why = f"a table bears the name {DESK}, which is that of the desk's record"
                raise UserError(f"checkpoints of {ledger}", why, "give the table another name")
            self._stack = stack.pop_all()

    def heads(self) -> dict[str, Head]:
        """The last record of each tree that has any, in order of name."""
        found = {name: log.head(name) for log in self._logs.values() for name in log.subjects()}
        return dict(sorted(found.items()))

    def read_from(self, subject: str, sequence: int) -> Iterator[Record]:
        """Records of a tree from this sequence on."""
        log = self._logs.get("desk" if subject == DESK else "tables")
        if log is not None:
            yield from log.read_from(subject, sequence)

    def close(self) -> None:
        """Let go of the files."""
        self._stack.close()
