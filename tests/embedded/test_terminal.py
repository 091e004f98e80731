"""What the live view puts on a screen."""

from __future__ import annotations

import datetime as dt
import io
from zoneinfo import ZoneInfo

import pytest
from rich.console import Console

from dashboards.terminal.floor import Floor, alert_line, dollars, money, place, totals_line
from dashboards.terminal.view import TerminalView, screen
from processors.pipeline import TablePipeline
from schemas.findings import Finding
from tests.embedded.ledgers import lines_of, subject_of

NAME = "irregular_two_gaming_days"
AT = dt.datetime(2026, 3, 2, 20, 15, 7, tzinfo=dt.UTC)


def finding(number: int = 1, **changes: object) -> Finding:
    """A finding; `changes` are its fields."""
    fields: dict[str, object] = {
        "finding_id": f"{number:032x}",
        "check": "settlement.main",
        "cites": ("672a.11(a)#1",),
        "verdict": "breached",
        "severity": "critical",
        "subject": "FB-12",
        "round": 7,
        "hand": "3.1",
        "sequence": 100 + number,
        "sequences": (100 + number,),
        "expected": None,
        "observed": None,
        "money_cents": -750,
        "message": f"Hand 3.1 was paid $22.50 instead of $15.00, case {number}.",
    }
    return Finding(**{**fields, **changes})  # type: ignore[arg-type]  # fields of the default or the test


@pytest.fixture
def floor() -> Floor:
    floor = Floor(title="A floor", hint="Ctrl-C ends it")
    pipeline = TablePipeline(subject_of(NAME))
    for line in lines_of(NAME)[:300]:
        pipeline.advance(line)
    table = floor.table(subject_of(NAME))
    table.state, table.last_event = pipeline.state, "card placed"
    floor.events, floor.rounds = 12_345, 67
    return floor


def drawn(floor: Floor, width: int = 160, height: int = 40) -> str:
    """The view as text."""
    console = Console(width=width, height=height, file=io.StringIO(), record=True)
    console.print(screen(floor, height))
    return console.export_text()


def test_a_table_shows_its_game_round_seats_and_the_propertys_time(floor: Floor) -> None:
    state = floor.tables["FB-12"].state
    assert state is not None
    assert state.time is not None
    [line] = [line for line in drawn(floor).splitlines() if line.strip().startswith("FB-12")]
    for shown in ("Free Bet Blackjack", "open", "card placed", f"{len(state.players)}/6"):
        assert shown in line
    assert f"{state.time.astimezone(ZoneInfo('America/New_York')):%H:%M:%S}" in line


def test_alerts_stand_newest_first_with_place_clause_and_money(floor: Floor) -> None:
    floor.raise_alert(finding(1), AT)
    floor.raise_alert(finding(2, money_cents=1500, hand="D"), AT + dt.timedelta(seconds=1))
    text = drawn(floor, width=80)
    newer, older = text.split("Alerts, newest first")[1].split("case 2")
    for shown in ("15:15:08", "dealer", "owed to patron $15.00"):
        assert shown in newer
    for shown in ("15:15:07", "round 7", "hand 3.1", "critical", "672a.11(a)#1", "overpaid $7.50", "case 1"):
        assert shown in older
    assert floor.tables["FB-12"].findings == 2


@pytest.mark.parametrize(("width", "height"), [(80, 24), (100, 30), (200, 60), (40, 24)])
def test_the_view_never_outgrows_its_terminal_however_much_there_is_to_show(
    floor: Floor, width: int, height: int
) -> None:
    for number in range(300):
        floor.table(f"T-{number:03d}")
        floor.raise_alert(finding(number), AT)
    console = Console(width=width, height=height, file=io.StringIO())
    view = screen(floor, height)
    assert len(console.render_lines(view)) <= height


def test_what_a_record_says_is_shown_and_never_obeyed(floor: Floor) -> None:
    evil = "[/red]\x1b]0;owned\x07\x1b[2J [bold]A\nB"
    alert = floor.raise_alert(finding(subject="FB-12", message=evil), AT)
    floor.table("\x1b[31mT").findings = 1
    for text in (drawn(floor), alert_line(alert)):
        assert "\x1b" not in text
        assert "\x07" not in text
    assert "\n" not in alert_line(alert)
    assert "[/red]" in alert_line(alert)


def test_a_zone_that_is_none_leaves_the_time_in_utc(floor: Floor) -> None:
    state = floor.tables["FB-12"].state
    assert state is not None
    assert state.config is not None
    for name in ("Nowhere/Land", "../../etc/passwd", ""):
        state.config = type(state.config)(
            **{f: getattr(state.config, f) for f in state.config.__struct_fields__} | {"timezone": name}
        )
        assert floor.raise_alert(finding(), AT).at == AT


def test_an_alert_in_one_line_says_when_where_what_and_how_much(floor: Floor) -> None:
    alert = floor.raise_alert(finding(), AT)
    assert alert_line(alert) == (
        "2026-03-02 15:15:07  critical  breached  FB-12 round 7 hand 3.1  672a.11(a)#1  overpaid $7.50"
        "  Hand 3.1 was paid $22.50 instead of $15.00, case 1."
    )
    between = floor.raise_alert(finding(round=None, hand=None, cites=(), money_cents=0, seat=4), AT)
    assert "FB-12 between rounds seat 4  settlement.main  Hand" in alert_line(between)


def test_totals_and_money_have_units_and_separators(floor: Floor) -> None:
    assert totals_line(floor).startswith("1 table, 12,345 events (0/s), 67 rounds, 0 findings")
    assert dollars(-123_456) == "-$1,234.56"
    assert money(finding(money_cents=0)) == ""
    assert place(finding(hand=None, seat=2)) == "seat 2"


def test_the_view_takes_the_second_screen_and_gives_the_first_back(floor: Floor) -> None:
    file = io.StringIO()
    console = Console(file=file, force_terminal=True, width=120, height=30)
    view = TerminalView(console)
    view.start()
    view.show(floor)
    view.stop()
    written = file.getvalue()
    assert written.index("\x1b[?1049h") < written.index("FB-12") < written.index("\x1b[?1049l")
    assert "\x1b[?25h" in written, "the cursor is back"
