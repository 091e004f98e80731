"""The audit log: what auditors read of it, what it proves, and who may not."""

import sqlite3
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from dashboards.desk.acts import Acknowledged, Record, Withheld
from dashboards.desk.proof import prove
from dashboards.server.accounts import Accounts
from dashboards.server.console import Console
from schemas.envelope import GENESIS
from tests.console.conftest import PASSWORD, Browser
from tests.console.desk_building import a_finding, a_raise

SignedIn = Callable[[str], Browser]


@pytest.fixture
def alert(console: Console) -> str:
    """An alert that was raised and acknowledged."""
    finding = a_finding()
    console.desk.raise_alerts([a_raise(finding)])
    console.desk.act(Acknowledged(alert=finding.finding_id, version=1), "hale")
    return finding.finding_id


@pytest.fixture
def auditor(signed_in: SignedIn, accounts: Accounts) -> Browser:
    accounts.add("aud", "auditor", PASSWORD)
    return signed_in("aud")


def test_the_newest_records_stand_first_with_who_what_and_what_changed(auditor: Browser, alert: str) -> None:
    page = auditor.get("/log").text
    assert page.index("acknowledged") < page.index("alert raised")
    assert "version 1 → 2" in page
    assert alert in page
    assert "sign-in" in page


def test_the_look_at_the_log_is_in_the_log(auditor: Browser, console: Console) -> None:
    auditor.get("/log")
    assert "audit log, " in auditor.get("/log", params={"who": "aud", "what": "page"}).text


@pytest.mark.parametrize("name", ["hale", "fay", "rex", "ann"])
@pytest.mark.parametrize("path", ["/log", "/log/verify", "/log/export"])
def test_who_is_no_auditor_is_refused_and_that_is_kept(
    signed_in: SignedIn, console: Console, name: str, path: str
) -> None:
    assert signed_in(name).get(path).status_code == 403
    last = msgspec.json.decode(console.desk.lines(console.desk.records, 1)[0], type=Record)
    assert (last.actor, getattr(last.data, "granted", None)) == (name, False)


def test_a_filter_finds_records_far_back_and_pages_go_on_without_a_gap(
    auditor: Browser, console: Console, alert: str
) -> None:
    for number in range(450):
        console.note("hale", "page", f"hand {number}")
    assert "alert raised" not in auditor.get("/log").text
    assert "alert raised" in auditor.get("/log", params={"what": "raised"}).text
    seen: list[int] = []
    before: int | None = console.desk.records + 1
    while before is not None and len(seen) < 2_000:
        page = auditor.get("/log", params={"before": before}).text
        rows = [part.split("</td>")[0] for part in page.split('<td class="number">')[1:]]
        seen += map(int, rows)
        before = min(map(int, rows)) if rows and min(map(int, rows)) > 1 else None
    assert seen == sorted(set(seen), reverse=True)
    assert seen[-1] == 1
    assert len(seen) == seen[0]


def test_nothing_found_and_a_day_that_is_none_are_said(auditor: Browser) -> None:
    assert "is what you ask for" in auditor.get("/log", params={"who": "nobody-of-this-name"}).text
    page = auditor.get("/log", params={"day": "yesterday"}).text
    assert "is no day" in page


def test_a_range_that_stands_as_written_is_proven_and_an_export_proves_itself(
    auditor: Browser, console: Console, alert: str
) -> None:
    page = auditor.get("/log/verify", params={"first": 2, "last": 3}).text
    assert "Intact" in page
    exported = auditor.get("/log/export", params={"first": 1, "last": 3})
    assert exported.headers["content-disposition"] == 'attachment; filename="desk-1-3.ndjson"'
    lines = exported.content.splitlines()
    assert lines == list(console.desk.lines(1, 3))
    assert prove(lines).bad is None
    assert prove([lines[0], lines[2]]).bad == 2


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_record_changed_in_the_file_is_named_with_both_hashes(
    auditor: Browser, console: Console, alert: str, tmp_path: Path, number: int
) -> None:
    with sqlite3.connect(tmp_path / "desk.db") as file:
        names = [row[0] for row in file.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")]
        for name in names:
            file.execute(f"DROP TRIGGER {name}")
        relation, column = _line_column(file)
        changed = file.execute(
            f"UPDATE {relation} SET {column} = CAST(replace(CAST({column} AS TEXT), '2026', '2025') AS BLOB)"
            " WHERE sequence = ?",
            (number,),
        ).rowcount
    file.close()
    assert changed == 1
    page = auditor.get("/log/verify", params={"last": 3}).text
    assert f"Broken at record {number}" in page
    assert f"Record {number + 1} should carry" in page


def _line_column(file: sqlite3.Connection) -> tuple[str, str]:
    """Where the ledger keeps its lines."""
    for (relation,) in file.execute("SELECT name FROM sqlite_master WHERE type = 'table'"):
        columns = {row[1] for row in file.execute(f"PRAGMA table_info({relation})")}
        for column in ("line", "content"):
            if {"sequence", column} <= columns:
                return relation, column
    raise AssertionError("the ledger keeps its lines elsewhere")


def test_what_is_withheld_is_a_hash_without_words_and_stops_an_export(
    auditor: Browser, console: Console, alert: str
) -> None:
    console.desk.note(Withheld(user="aud", kind="table", value="BJ-12"), "ann")
    page = auditor.get("/log", params={"before": 3}).text
    assert "withheld from you" in page
    assert "Blackjack paid" not in page
    assert auditor.get("/log/export").status_code == 403
    assert "Intact" in auditor.get("/log/verify").text


def test_a_range_proves_nothing_beyond_its_own_records() -> None:
    assert prove([]).records == 0
    assert prove([b"no record"], 1, GENESIS).bad == 1
