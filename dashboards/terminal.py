"""The gaming floor live in a terminal: tables above, alerts below, newest first."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.table import Table as Grid
from rich.text import Text

from dashboards.floor import Alert, Floor, TableLine, clause, in_zone, money, place, printable, totals_line
from schemas.rulesets import RULESETS

_STYLES = {"critical": "bold white on red", "major": "bold red", "minor": "yellow", "info": "dim"}
_FRAME = 10  # lines of the screen that are neither a table's nor an alert's
_LEAST_ALERTS = 4


def screen(floor: Floor, height: int) -> RenderableType:
    """The whole view for a terminal of so many lines."""
    lines = sorted(floor.tables.values(), key=lambda line: line.subject)
    room = max(height - _FRAME, _LEAST_ALERTS + 1)
    shown = lines[: room - _LEAST_ALERTS]
    hidden = len(lines) - len(shown)
    more = f"and {hidden} tables more, for which the terminal is too low" if hidden else ""
    return Group(
        _cell(floor.title, "bold reverse"),
        _cell(totals_line(floor), "bold"),
        Text(),
        _tables(shown),
        _cell(more, "dim"),
        _alerts(list(floor.alerts)[: max(room - len(shown), _LEAST_ALERTS)]),
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

    def alert(self, alert: Alert) -> None:
        """Nothing: the next drawing has it on top."""

    def show(self, floor: Floor) -> None:
        """Draw the floor as it is."""
        self._live.update(screen(floor, self._console.size.height), refresh=True)

    def stop(self) -> None:
        """Give the screen back."""
        self._live.stop()


def _cell(text: str, style: str = "") -> Text:
    """A text that is neither markup nor control: it may come from a record."""
    return Text(printable(text), style, no_wrap=True, overflow="ellipsis")


def _grid(
    title: str, left: Iterable[str], right: Iterable[str], wide: str, after: Iterable[str] = ()
) -> Grid:
    grid = Grid(
        title=title,
        title_justify="left",
        title_style="bold cyan",
        header_style="dim",
        box=None,
        expand=True,
        pad_edge=False,
        padding=(0, 1),
    )
    for name in left:
        grid.add_column(name, no_wrap=True)
    for name in right:
        grid.add_column(name, justify="right", no_wrap=True)
    grid.add_column(wide, no_wrap=True, ratio=1)
    for name in after:
        grid.add_column(name, justify="right", no_wrap=True)
    return grid


def _tables(lines: Iterable[TableLine]) -> Grid:
    counts, after = ("Shoe", "Round", "Seats"), ("Table's clock", "Behind", "Findings")
    grid = _grid("Tables", ("Table", "Game", "State"), counts, "Last event", after)
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
            f"{in_zone(time, state):%a %H:%M:%S}" if time is not None else "",
            _cell(str(line.behind), "yellow" if line.behind else "dim"),
            _cell(str(line.findings), "bold red" if line.findings else "dim"),
        )
    return grid


def _alerts(alerts: Iterable[Alert]) -> Grid:
    grid = _grid(
        "Alerts, newest first",
        ("Time", "Table", "Round", "Where", "Severity", "Clause", "Money"),
        (),
        "What",
    )
    for alert in alerts:
        finding = alert.finding
        grid.add_row(
            f"{alert.at:%H:%M:%S}",
            _cell(finding.subject),
            "" if finding.round is None else str(finding.round),
            _cell(place(finding)),
            _cell(finding.severity, _STYLES[finding.severity]),
            _cell(clause(finding)),
            money(finding),
            _cell(finding.message),
        )
    return grid
