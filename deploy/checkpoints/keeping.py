"""Checkpoints kept while a command holds the ledger: every so many seconds, and at its end."""

from __future__ import annotations

import datetime as dt
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from dashboards.web.vitals import Vital
from deploy.checkpoints.keys import read_signing
from deploy.checkpoints.writing import CheckpointWriter
from deploy.configured.desk_ledger import FILE as DESK_FILE
from deploy.errors import UserError, from_system
from deploy.settings import Settings
from producers.log import LedgerError

NAME: Final = "Checkpoints"


class Unsigned(UserError):
    """What was recorded is kept, but not signed: status 1 where it does not fit what was signed before, else 2."""

    def __init__(self, trouble: UserError) -> None:
        super().__init__(f"the last records are not signed: {trouble.what}", trouble.why, trouble.remedy)
        self.exit_code = trouble.exit_code


class Keeping:
    """Writes the checkpoints of one property; a trouble is told once, and tried again."""

    def __init__(self, writer: CheckpointWriter, told: Callable[[UserError], None]) -> None:
        self._writer = writer
        self._told = told
        self._guard = threading.Lock()
        self._last: int | None = None
        self._at: dt.datetime | None = None
        self.trouble: UserError | None = None

    def write(self) -> None:
        """Write a checkpoint if anything has grown; what hinders it is `trouble` until it succeeds."""
        with self._guard:
            try:
                self._last = self._writer.write()
            except UserError as error:
                self._failed(error)
            except LedgerError as error:
                self._failed(UserError(error.what, error.why, error.remedy))
            except OSError as error:
                found = from_system(error)
                self._failed(UserError(f"checkpoints: {found.what}", found.why, found.remedy))
            else:
                self.trouble = None
                self._at = dt.datetime.now(dt.UTC)

    def follow(self, ended: threading.Event, seconds: float) -> None:
        """Write every so many seconds until `ended`."""
        due = time.monotonic() + seconds
        while not ended.wait(max(due - time.monotonic(), 0.0)):
            due = time.monotonic() + seconds
            self.write()

    def vital(self) -> Vital:
        """How it is, for the health page."""
        trouble, at = self.trouble, self._at
        if trouble is not None:
            return Vital(NAME, "failed", f"{trouble.what}: {trouble.why}", trouble.remedy)
        if at is None:
            return Vital(NAME, "well", "none was due yet")
        size = f"checkpoint {self._last}" if self._last else "nothing is recorded yet"
        return Vital(NAME, "well", f"{size}; looked at {at:%H:%M:%S} UTC")

    def _failed(self, error: UserError) -> None:
        before, self.trouble = self.trouble, error
        if before is None or str(before) != str(error):
            self._told(error)


@contextmanager
def checkpoints_kept(settings: Settings, ledger: Path) -> Iterator[Keeping | None]:
    """Within, checkpoints are written of the ledger and of the desk beside it; None where the settings name none.

    The last one is written when all that was opened within is closed.

    Raises:
        Unsigned: the last checkpoint could not be written.
        UserError: the key cannot be read.
    """
    if not settings.signing_key:
        yield None
        return
    signing = read_signing(Path(settings.signing_key))
    writer = CheckpointWriter(Path(settings.checkpoints), signing, ledger, ledger.parent / DESK_FILE)
    keeping = Keeping(writer, lambda error: error.show())
    ended = threading.Event()
    thread = threading.Thread(
        target=keeping.follow, args=(ended, settings.checkpoint_seconds), name="checkpoints", daemon=True
    )
    thread.start()
    try:
        yield keeping
    finally:
        ended.set()
        thread.join()
        keeping.write()
    if keeping.trouble is not None:
        raise Unsigned(keeping.trouble)
