"""How far long work is, its rate and the time left: on stderr, and only when a person sits there."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Advance = Callable[[int], None]


def rate_text(per_second: float | None, unit: str) -> str:
    """A rate with its unit: `12,300 events/s`, `41.5 MB/s` where the unit is `bytes`."""
    if per_second is None:
        return f"- {unit}/s"
    if unit == "bytes":
        return f"{per_second / 1e6:,.1f} MB/s"
    return f"{per_second:,.0f} {unit}/s"


@contextmanager
def progress(what: str, total: int | None, unit: str) -> Iterator[Advance]:
    """Show progress while the block runs; call what it gives with the units done since the last call.

    Args:
        what: what is being done, in a word or two.
        total: units there are, or None if nobody knows.
        unit: `events`, `rounds`, `bytes` ...
    """
    if not sys.stderr.isatty():
        yield lambda _done: None
        return
    # rich costs a tenth of a second to import, which only a terminal needs to pay.
    from rich.console import Console
    from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
    from rich.text import Text

    class Rate(ProgressColumn):
        def render(self, task: Task) -> Text:
            return Text(rate_text(task.speed or task.finished_speed, unit))

    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.percentage:>3.0f} %"))
    console = Console(stderr=True)
    with Progress(*columns, Rate(), TimeRemainingColumn(), console=console, transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda done: bar.advance(task, done)
