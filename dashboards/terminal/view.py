"""The gaming floor live in a terminal: tables above, alerts below, newest first."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import Final, Literal

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.table import Table as Grid
from rich.text import Text

from dashboards.terminal.floor import (
    Floor,
    TerminalAlert,
    TerminalLine,
    clause,
    money,
    place,
    printable,
    totals_line,
)
from dashboards.wording.short_titles.title import short_title
from dashboards.wording.times import in_zone
from schemas.amounts import amount
from schemas.rulesets import RULESETS

_STYLES = {"critical": "bold white on red", "major": "bold red", "minor": "yellow", "info": "dim"}
_FRAME = 9  # lines of the screen that are neither a table's nor an alert's
_MOST_NOTE = 2  # lines: where the console is, and how to come in
_LEAST_ALERTS = 6  # lines: three alerts


def screen(floor: Floor, height: int) -> RenderableType:
    """The whole view for a terminal of so many lines."""
    lines = sorted(floor.tables.values(), key=lambda line: line.subject)
    note = floor.note.splitlines()[:_MOST_NOTE]
    room = max(height - _FRAME - len(note), _LEAST_ALERTS + 1)
    shown = lines[: room - _LEAST_ALERTS]
    hidden = len(lines) - len(shown)
    more = f"and {amount(hidden, 'table')} more, for which the terminal is too low" if hidden else ""
    return Group(
        _cell(floor.title, "bold reverse"),
        _cell(totals_line(floor), "bold"),
        *(Text(line, overflow="fold") for line in note),
        Text(),
        _cell("Tables", "bold cyan"),
        _tables(shown),
        _cell(more, "dim"),
        _cell("Alerts, newest first", "bold cyan"),
        *(_alert(alert) for alert in islice(floor.alerts, max((room - len(shown)) // 2, 1))),
        _cell(floor.hint, "dim"),
    )


class TerminalView:
    """The live view on the terminal's second screen; the first is left as it was."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._live = Live(console=console, screen=True, auto_refresh=False)

    def start(self) -> None:
        """Take the screen."""
        self._live.start()

    def alert(self, alert: TerminalAlert) -> None:
        """Nothing: the next drawing has it on top."""

    def show(self, floor: Floor) -> None:
        """Draw the floor as it is."""
        self._live.update(screen(floor, self._console.size.height), refresh=True)

    def stop(self) -> None:
        """Give the screen back."""
        self._live.stop()


def _cell(text: str | Text, style: str = "") -> Text:
    """One line that is neither markup nor control: it may come from a record."""
    if isinstance(text, str):
        return Text(printable(text), style, no_wrap=True, overflow="ellipsis")
    cell = Text(printable(text.plain), no_wrap=True, overflow="ellipsis")
    cell.spans = text.spans  # a replaced character is as long as the one it replaces
    return cell


# Each with its heading, its width, or None for a share of what is left, and its adjustment.
_COLUMNS: Final[tuple[tuple[str, int | None, Literal["left", "right"]], ...]] = (
    ("Table", 8, "left"),
    ("Game", None, "left"),
    ("State", 6, "left"),
    ("Shoe", 4, "right"),
    ("Round", 5, "right"),
    ("Seats", 5, "right"),
    ("Last event", None, "left"),
    ("Clock", 8, "right"),
    ("Behind", 6, "right"),
    ("Found", 5, "right"),
)


def _tables(lines: Iterable[TerminalLine]) -> Grid:
    grid = Grid(box=None, expand=True, pad_edge=False, padding=(0, 1, 0, 0), header_style="dim")
    for heading, width, adjustment in _COLUMNS:
        ratio = 1 if width is None else None
        grid.add_column(heading, width=width, ratio=ratio, justify=adjustment, no_wrap=True)
    for line in lines:
        state = line.state
        if state is None:
            grid.add_row(_cell(line.subject))
            continue
        config, time = state.config, state.time
        grid.add_row(
            _cell(line.subject),
            _cell(RULESETS[config.ruleset].title if config is not None else "not configured"),
            "open" if state.open else "closed",
            str(state.shoe.number),
            str(state.last_round),
            f"{len(state.players)}/{config.seats}" if config is not None else str(len(state.players)),
            _cell(line.last_event),
            f"{in_zone(time, state):%H:%M:%S}" if time is not None else "",
            _cell(str(line.behind), "yellow" if line.behind else "dim"),
            _cell(str(line.findings), "bold red" if line.findings else "dim"),
        )
    return grid


def _alert(alert: TerminalAlert) -> Group:
    finding = alert.finding
    more = f" and {len(finding.cites) - 1} more" if len(finding.cites) > 1 else ""
    facts = Text.assemble(
        f"{alert.at:%H:%M:%S}  ",
        (f"{finding.severity:<8}", _STYLES[finding.severity]),
        f"  {finding.subject:<8} ",
        f"{'no round' if finding.round is None else f'round {finding.round}':<10} ",
        f"{place(finding):<8}  ",
        (f"{money(finding)}  " if finding.money_cents else "", "bold"),
        (clause(finding).split(", ", 1)[0] + more, "cyan"),
    )
    return Group(_cell(facts), _cell(f"          {short_title(finding)}"))
