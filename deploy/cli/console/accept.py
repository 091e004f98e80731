"""`catwalk console accept`: take the desk's ledger as it stands, where it is not the one the console remembers."""

from __future__ import annotations

import os
import pwd
from contextlib import ExitStack, closing
from pathlib import Path

import click

from dashboards.desk.desk import Desk
from dashboards.ledger.acts import DESK, LedgerAccepted
from dashboards.ledger.ledger import DeskLog, DeskUnavailable, LedgerHead, MemoryFailed
from deploy.configured.desk_ledger import FILE, SqliteDeskLog
from deploy.console.desk_memory import memory_failed, memory_of, users_folder
from deploy.console.server import utc_now
from deploy.errors import UserError
from deploy.private_files import keep_private
from deploy.settings import Settings, load

LEAST_REASON = 10  # characters

EPILOG = """\b
Example:
  catwalk verify data/desk.db
  catwalk console accept --reason "restored the copy of 3 March 04:00 after the disk failed"

\b
For a ledger that was restored from an older copy, or begun anew because there
is no copy. That it was accepted, by whom and why is its next record. A ledger
whose chain is broken is not accepted: restore it from a copy, or move desk.db
(with desk.db-wal and desk.db-shm) away, keep it as evidence, and accept the
empty one that takes its place. Then start the console again.
"""


@click.command("accept", epilog=EPILOG)
@click.option("--reason", required=True, help="Why it is right to go on with it, for who audits this.")
def accept(reason: str) -> None:
    """Take the desk's ledger as it stands, in place of the one that the console remembers."""
    if len(reason.strip()) < LEAST_REASON:
        raise UserError("console accept", "that is no reason", f"write {LEAST_REASON} characters or more")
    settings = load().values
    keep_private(Path(settings.data), users_folder(settings))
    try:
        with ExitStack() as stack:
            memory = stack.enter_context(closing(memory_of(settings)))
            log, settle = _ledger(settings, stack)
            known = Desk(log, utc_now, memory=memory, settle=settle)
            remembered = memory.recall()
            if known.alarm is None or remembered is None:
                click.echo("catwalk: nothing to accept: the desk's ledger holds what is remembered", err=True)
                return
            desk = Desk(log, utc_now)
            if desk.alarm is not None:
                remedy = "restore it from a copy, or see `catwalk console accept --help`"
                raise UserError("desk's ledger", desk.alarm.why, remedy)
            ended = desk.records
            desk.note(
                LedgerAccepted(
                    remembered=remembered.sequence,
                    remembered_head=remembered.hash,
                    reason=reason.strip(),
                    by=_who(),
                ),
                DESK,
            )
            memory.replace(LedgerHead(desk.records, desk.head))
    except MemoryFailed as error:
        raise memory_failed(error) from error
    except DeskUnavailable as error:
        raise UserError("desk's ledger", str(error), "see that the disk, or the brokers, are well") from error
    told = f"accepted as it ended, at record {ended}; {remembered.sequence} were remembered"
    told += f". Record {desk.records} says so; start the console again"
    click.echo(f"catwalk: desk's ledger: {told}", err=True)


def _ledger(settings: Settings, stack: ExitStack) -> tuple[DeskLog, float]:
    if settings.mode == "distributed":
        # Imported here: the embedded console needs no client of the brokers.
        from deploy.console.desk_topic import SETTLE, desk_topic

        return stack.enter_context(closing(desk_topic(settings))), SETTLE
    return stack.enter_context(closing(SqliteDeskLog(Path(settings.data) / FILE))), 0.0


def _who() -> str:
    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:  # in a container a user need have no name
        return f"uid {os.getuid()}"
