"""`catwalk demo`: everything in one process, to look at."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

import click

from deploy.cli.options import FOLDER
from deploy.private_files import keep_private
from deploy.settings import load
from schemas.amounts import amount

if TYPE_CHECKING:
    from dashboards.terminal.floor import Floor
    from dashboards.terminal.floor import TerminalAlert as Alert
    from deploy.demo.demo import DemoView
    from deploy.demo.results import Recorded

EPILOG = """\b
Example:
  catwalk demo
  catwalk demo --data /tmp/floor --tables 12 --speed 60 --for 30

\b
What is there when it opens: a short day behind the tables, its drop counted; its
alerts, most of them minor or major, wrong payouts with what is owed; of these two
are acknowledged, one shelved, one closed; a dispute under review, one that is new,
one decided. With --history 0 there is none of it: the tables open now.

\b
Everything is kept in the folder: the ledger in ledger.db; rounds, hands, stakes,
takings, findings and racks in warehouse/; the desk in desk.db. Started again it goes on
where it stopped, however it was stopped.
"""
STATUS_EVERY = 10.0  # seconds between two lines of totals where there is no terminal
POSITIVE = click.FloatRange(min=0, min_open=True)


@click.command("demo", epilog=EPILOG)
@click.option("--data", type=FOLDER, metavar="DIR", help="Folder to keep it in  [default: ./data/demo]")
@click.option("--seed", type=click.IntRange(0), metavar="N", help="What is dealt  [default: as begun, or 1]")
@click.option("--tables", type=click.IntRange(1, 500), metavar="N", help="Tables  [default: as begun, or 6]")
@click.option("--speed", type=POSITIVE, default=10, metavar="X", help="Times a real table's pace.")
@click.option("--for", "seconds", type=POSITIVE, metavar="SECONDS", help="Stop after so long.")
@click.option(
    "--port", type=click.IntRange(1, 65535), metavar="P",
    help="Of the web console  [default: 8080, or a free one]",
)  # fmt: skip
@click.option(
    "--history", type=click.FloatRange(0, 17), metavar="HOURS",
    help="Dealt the day before  [default: as begun, or 2]",
)  # fmt: skip
def command(
    data: Path | None,
    seed: int | None,
    tables: int | None,
    speed: float,
    seconds: float | None,
    port: int | None,
    history: float | None,
) -> None:
    """Simulated tables into the ledger, folded live, stored, and shown with their alerts.

    Lawful play, irregularities put right, and a few breaches among it; a web console with a sign-in for each role. On
    a terminal tables and alerts are shown live; elsewhere each alert is a line.
    """
    # The store's engine takes a quarter of a second to load.
    from deploy.configured.embedded import LEDGER
    from deploy.demo.demo import STORE, DemoWanted, opened

    settings = load().values
    folder = data if data is not None else Path(settings.data) / "demo"
    keep_private(folder)
    with (
        opened(folder, DemoWanted(seed, tables, history, port), speed, settings) as demo,
        _asked_to_stop() as stop,
    ):
        click.echo(demo.console.told())
        with _view() as view:
            demo.run(view, _ended(stop, seconds))
        click.echo(summary(demo.recorded(), folder, folder / LEDGER, folder / STORE))


def summary(recorded: Recorded, folder: Path, ledger: Path, store: Path) -> str:
    """What was recorded and where, and how to look further."""
    found = ", ".join(f"{count:,} {verdict}" for verdict, count in recorded.verdicts.items())
    rows = ", ".join(f"{count:,} {name.replace('_', ' ')}" for name, count in recorded.rows.items())
    return "\n".join(
        (
            f"Recorded  {amount(recorded.events, 'event')} of {amount(recorded.tables, 'table')}"
            f" ({recorded.new_events:,} in this run) in {ledger}",
            f"Stored    {rows} in {store}",
            f"Findings  {found or 'none'}",
            f"Further   catwalk demo --data {folder}",
            f"          catwalk verify {ledger}",
            f"          catwalk replay {ledger} --out {folder / 'out'}",
        )
    )


def _ended(stop: threading.Event, seconds: float | None) -> Callable[[float], bool]:
    """A wait of so many seconds that is cut short, and says so, when it is time to stop."""
    until = time.monotonic() + seconds if seconds is not None else None

    def ended(wait: float) -> bool:
        left = wait if until is None else min(wait, max(until - time.monotonic(), 0.0))
        return stop.wait(left) or (until is not None and time.monotonic() >= until)

    return ended


@contextmanager
def _asked_to_stop() -> Iterator[threading.Event]:
    """An event that the first Ctrl-C or SIGTERM sets; a second one ends the process as it does elsewhere."""
    stop = threading.Event()

    def ask(number: int, _frame: FrameType | None) -> None:
        if stop.is_set() and number == signal.SIGINT:
            raise KeyboardInterrupt
        stop.set()

    before = {number: signal.signal(number, ask) for number in (signal.SIGINT, signal.SIGTERM)}
    # The store's engine takes Ctrl-Z for itself; without this the process could not be suspended.
    before[signal.SIGTSTP] = signal.signal(signal.SIGTSTP, signal.SIG_DFL)
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def _view() -> Iterator[DemoView]:
    """The live view on a terminal, lines elsewhere."""
    if not sys.stdout.isatty() or os.environ.get("TERM", "dumb") == "dumb":
        yield _Lines()
        return
    from rich.console import Console

    from dashboards.terminal.view import TerminalView

    view = TerminalView(Console())
    view.start()
    try:
        yield view
    finally:
        view.stop()


class _Lines:
    """Each alert as a line on stdout, the totals now and then on stderr."""

    def __init__(self) -> None:
        self._said = time.monotonic()

    def alert(self, alert: Alert) -> None:
        """Write it."""
        from dashboards.terminal.floor import alert_line

        click.echo(alert_line(alert))

    def show(self, floor: Floor) -> None:
        """Write the totals, if it is time."""
        from dashboards.terminal.floor import totals_line

        if time.monotonic() - self._said >= STATUS_EVERY:
            self._said = time.monotonic()
            click.echo(totals_line(floor), err=True)
