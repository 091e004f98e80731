"""`catwalk report shift`: the desk's figures of a shift as text, JSON and PDF, out of a real ledger."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from dashboards.desk.casework import open_case
from dashboards.desk.desk import Desk
from dashboards.ledger.acts import Disposed
from deploy.configured.desk_ledger import SqliteDeskLog
from tests.commands.run import Catwalk, catwalk
from tests.console.desk_building import a_finding, a_raise
from tests.embedded.ledgers import lines_of

__all__ = ["catwalk"]  # a fixture
BEGAN = dt.datetime(2026, 3, 2, 6, tzinfo=dt.UTC)
SPAN = ("--since", "2026-03-02T06:00Z", "--until", "2026-03-02T14:00:00")


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A desk with an alert of the shift before, two of this one of which one is closed, and a case."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CATWALK_DATA", str(tmp_path))
    now = BEGAN - dt.timedelta(hours=1)
    clock: Callable[[], dt.datetime] = lambda: now  # noqa: E731 - it reads the name anew each time
    with closing(SqliteDeskLog(tmp_path / "desk.db")) as log:
        work = Desk(log, clock)
        work.raise_alerts([a_raise(a_finding(1, severity="critical"))])
        now = BEGAN + dt.timedelta(hours=1)
        work.raise_alerts([a_raise(a_finding(2)), a_raise(a_finding(3, subject="BJ-19"))])
        closed = Disposed(alert=a_finding(2).finding_id, version=1, disposition="no error", note="seen")
        work.act(closed, "hale")
        open_case(work, "Payouts of one dealer", "", [], "hale", "hale")
    return tmp_path / "desk.db"


def test_a_shift_is_told_as_text_json_and_pdf(desk: Path, catwalk: Catwalk, tmp_path: Path) -> None:
    before = desk.read_bytes()
    told = catwalk("report", "shift", *SPAN, "--format", "json")
    assert told.status == 0
    figures = told.json["figures"]
    assert (figures["raised"], figures["closed"]) == ({"major": 2}, {"no error": 1})
    assert figures["open"] == {"critical": 1, "major": 1}
    assert (figures["since"], figures["until"]) == ("2026-03-02T06:00:00Z", "2026-03-02T14:00:00Z")
    text = catwalk("report", "shift", *SPAN).out
    assert "Alerts raised             2: major 2" in text
    assert "Payouts of one dealer" in text
    assert text.index("critical") < text.index("BJ-19")
    out = tmp_path / "shift.pdf"
    assert catwalk("report", "shift", *SPAN, "--format", "pdf", "--out", out).status == 0
    assert out.read_bytes().startswith(b"%PDF-1.7")
    plain = tmp_path / "plain"
    plain.touch()
    assert out.stat().st_mode == plain.stat().st_mode, "the file is as the user's umask has it"
    assert desk.read_bytes() == before


@pytest.mark.parametrize(
    ("given", "why"),
    [
        (("--format", "pdf"), "name a file: --out shift.pdf"),
        (("--shift", "2"), "give both: --shift 2 --day 2026-03-02"),
        (("--day", "2026-03-02"), "give both: --shift 2 --day 2026-03-02"),
        (
            ("--shift", "1", "--day", "2026-03-02", "--until", "2026-03-02T14:00Z"),
            "leave out --since and --until",
        ),
        (("--shift", "1", "--day", "2199-01-01"), "which is still to come"),
        (("--since", "noon"), "expected a time in ISO 8601"),
        (("--since", "2026-03-02T06:00Z", "--until", "2026-03-01T06:00Z"), "is no time of up to 31 days"),
        (("--since", "2025-03-02T06:00Z", "--until", "2026-03-01T06:00Z"), "is no time of up to 31 days"),
    ],
)
@pytest.mark.usefixtures("desk")
def test_what_cannot_be_reported_says_why(catwalk: Catwalk, given: tuple[str, ...], why: str) -> None:
    told = catwalk("report", "shift", *given)
    assert (told.status, why in told.err) == (2, True), told.err


@pytest.mark.usefixtures("desk")
def test_a_shift_is_a_third_of_its_gaming_day_by_the_clock_of_the_tables(
    catwalk: Catwalk, tmp_path: Path
) -> None:
    told = catwalk("report", "shift", "--shift", "2", "--day", "2026-03-02", "--format", "json").json[
        "figures"
    ]
    assert (told["since"], told["until"]) == ("2026-03-02T08:00:00Z", "2026-03-02T16:00:00Z"), (
        "no table yet: UTC"
    )
    stream = tmp_path / "FB90-1.ndjson"
    stream.write_bytes(b"".join(line + b"\n" for line in lines_of("lawful_free_bet_590")))
    assert catwalk("record", stream).status == 0
    told = catwalk("report", "shift", "--shift", "3", "--day", "2026-03-02", "--format", "json").json[
        "figures"
    ]
    assert (told["since"], told["until"]) == ("2026-03-03T03:00:00Z", "2026-03-03T11:00:00Z")


def test_without_a_desk_there_is_nothing_to_report(
    catwalk: Catwalk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CATWALK_DATA", str(tmp_path))
    told = catwalk("report", "shift")
    assert (told.status, "there is no desk yet" in told.err) == (2, True)
    assert not (tmp_path / "desk.db").exists()


@pytest.mark.parametrize("name", ["shift", "revenue", "month", "restitution", "readings"])
def test_the_help_of_each_report_names_the_forms_that_it_writes(catwalk: Catwalk, name: str) -> None:
    told = catwalk("report", name, "--help").out
    forms = told.split("--format [")[1].split("]")[0].split("|")
    out = " ".join(told.split("--out FILE")[1].split("-h, --help")[0].split())
    for form in ("xlsx", "pdf"):
        assert (form in out.lower()) == (form in forms), form
    assert name in catwalk("report", "--help").out
