"""The desk's ledger of the mode that is set, as reports read it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

from dashboards.desk.alerts import Alert
from dashboards.desk.desk import Desk
from dashboards.desk.disputes import Dispute
from dashboards.desk.state import DeskState
from dashboards.ledger.acts import DeskBroken
from dashboards.ledger.ledger import DeskLog, DeskUnavailable
from deploy.configured.desk_ledger import FILE, SqliteDeskLog
from deploy.console.server import utc_now
from deploy.errors import UserError
from deploy.settings import Settings


def has_desk(settings: Settings) -> bool:
    """Whether there is a desk: on an embedded ledger the first console makes it; on the brokers it is a topic."""
    return settings.mode == "distributed" or (Path(settings.data) / FILE).is_file()


def desk_ledger(settings: Settings, stack: ExitStack) -> tuple[DeskLog, float]:
    """The ledger, and how long it settles.

    Raises:
        UserError: there is none.
    """
    if settings.mode == "distributed":
        # Imported here: an embedded desk needs no client of the brokers.
        from deploy.console.desk_topic import SETTLE, desk_topic

        return stack.enter_context(closing(desk_topic(settings))), SETTLE
    path = Path(settings.data) / FILE
    if not path.is_file():
        remedy = "start the console once, or check the setting data"
        raise UserError(str(path), "there is no desk yet", remedy)
    return stack.enter_context(closing(SqliteDeskLog(path))), 0.0


@contextmanager
def whole_desk(settings: Settings) -> Iterator[Desk]:
    """The desk, folded from a ledger whose chain is whole.

    Raises:
        UserError: there is no ledger, it was altered, or it cannot be read.
    """
    try:
        with ExitStack() as stack:
            log, settle = desk_ledger(settings, stack)
            desk = Desk(log, utc_now, settle=settle)
            if desk.alarm is not None:
                remedy = "restore it from a copy: deploy/runbooks/restore.md"
                raise UserError("desk's ledger", desk.alarm.why, remedy)
            yield desk
    except (DeskUnavailable, DeskBroken) as error:
        raise UserError("desk's ledger", str(error), "see that the disk, or the brokers, are well") from error


def settled_on_record(settings: Settings) -> tuple[tuple[Dispute, ...], tuple[Alert, ...]]:
    """Every dispute of the desk, and every alert whose closing holds; none where no console was ever started.

    Raises:
        UserError: the desk cannot be read, so nobody can say what it settled.
    """
    if not has_desk(settings):
        return (), ()
    with whole_desk(settings) as desk:
        return desk.disputes(), desk.look(DeskState.settled)
