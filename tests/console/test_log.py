"""The audit log: what auditors read of it, what it proves, and who may not."""

import re
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from dashboards.accounts.accounts import Accounts, User
from dashboards.desk.desk import Desk
from dashboards.ledger.acts import Accessed, Acknowledged, DeskRecord, Withheld
from dashboards.ledger.proof import prove
from dashboards.log.search import WantedRecords, search
from dashboards.web.console import Console
from deploy.configured.desk_ledger import SqliteDeskLog
from schemas.events.envelope import GENESIS
from tests.console.conftest import ORIGIN, PASSWORD, Browser, Clock
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
    assert "new → acknowledged" in page
    assert "version 1 → 2" in page
    assert "→ new" in page
    assert alert in page
    assert "sign-in" in page


def test_the_look_at_the_log_is_in_the_log(auditor: Browser, console: Console) -> None:
    auditor.get("/log")
    assert "audit log, " in auditor.get("/log", params={"who": "aud", "what": "page"}).text


def test_what_the_reader_asked_for_is_in_the_record_of_their_look(auditor: Browser, console: Console) -> None:
    asked = {
        "who": "ito",
        "what": "disposed",
        "about": "BJ-12",
        "day": "2026-11-20",
        "from": "19:30",
        "to": "20:10",
    }
    auditor.get("/log", params={**asked, "before": 9_000})
    words = "day 2026-11-20, from 19:30, to 20:10, before record 9000, who ito, what disposed, about BJ-12"
    assert last_access(console).object.endswith(f"; asked for: {words}")
    longest = {"who": "w" * 64, "what": "d" * 40, "about": "a" * 64}
    auditor.get("/log", params=asked | longest | {"before": 4_000_000})
    assert last_access(console).object.endswith("a" * 64), "nothing of it is cut off"


def last_access(console: Console) -> Accessed:
    record = msgspec.json.decode(console.desk.lines(console.desk.records, 1)[0], type=DeskRecord)
    assert isinstance(record.data, Accessed)
    return record.data


def test_the_head_of_the_log_claims_no_check_that_nobody_made(
    auditor: Browser, console: Console, log: SqliteDeskLog, clock: Clock, alert: str
) -> None:
    page = auditor.get("/log").text
    assert "Nobody has verified them yet" in page
    assert "✓" not in page.partition("</section>")[0]
    auditor.get("/log/verify", params={"first": 1, "last": 3})
    told = "Last verified <time"
    for desk in (console.desk, Desk(log, clock)):
        proof = desk.last_proof
        assert proof is not None, "it outlives a restart"
        assert (proof.by, proof.at, proof.act.last, proof.act.bad) == ("aud", clock.now, 3, None)
    page = auditor.get("/log").text
    assert told in page
    assert "by aud: records 1 to 3 intact" in page
    assert "chain verified" in page


DAYS = 5


@pytest.fixture
def week(console: Console, clock: Clock) -> dict[str, list[int]]:
    """An access every ten minutes for days, from 20:00 on: their records by day."""
    told: dict[str, list[int]] = {}
    for number in range(DAYS * 24 * 6):
        console.note("hale", "page", f"look {number}")
        told.setdefault(f"{clock.now:%Y-%m-%d}", []).append(console.desk.records)
        clock.forward(600)
    return told


def shown(page: str) -> list[int]:
    """Numbers of the records on a page."""
    return [int(part.split("</td>")[0]) for part in page.split('<td class="number" role="cell">')[1:]]


def test_a_day_is_found_by_its_place_and_no_record_of_another_is_read(
    week: dict[str, list[int]], auditor: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[int] = []
    usual = Desk.lines

    def counted(self: Desk, first: int, most: int) -> tuple[bytes, ...]:
        lines = usual(self, first, most)
        read.append(len(lines))
        return lines

    monkeypatch.setattr(Desk, "lines", counted)
    for day, records in list(week.items())[:-1]:  # on the last one there are the looks of this test too
        read.clear()
        page = auditor.get("/log", params={"day": day}).text
        theirs = shown(page)
        assert theirs == records[::-1][: len(theirs)], day
        assert len(theirs) == min(100, len(records))
        assert sum(read) <= 100 + 2 * 12, "a page, and what a search by halves looks at"
    assert "There is no record of 2031-01-01" in auditor.get("/log", params={"day": "2031-01-01"}).text
    assert "There is no record of 1999-12-31" in auditor.get("/log", params={"day": "1999-12-31"}).text


@pytest.mark.parametrize(
    ("since", "until", "hours"),
    [
        ("09:30", "10:00", ["09:30", "09:40", "09:50", "10:00"]),
        ("23:40", "00:10", ["23:40", "23:50", "00:00", "00:10"]),
        ("23:50", "", ["23:50"]),
        ("", "00:10", ["00:00", "00:10"]),
    ],
)
def test_a_time_of_day_is_a_range_of_one_day_or_of_every_day(
    week: dict[str, list[int]], auditor: Browser, since: str, until: str, hours: list[str]
) -> None:
    asked = {"from": since, "to": until}
    page = auditor.get("/log", params={"day": "2026-11-22", "who": "hale", **asked}).text
    times = re.findall(r"<td class=\"at\" role=\"cell\"><time[^>]*>2\d Nov 2026 (\d\d:\d\d):00</time>", page)
    assert times == hours[::-1]
    every = auditor.get("/log", params={"who": "hale", **asked}).text
    times = re.findall(r"<td class=\"at\" role=\"cell\"><time[^>]*>2\d Nov 2026 (\d\d:\d\d):00</time>", every)
    assert set(times) == set(hours)
    assert len(times) >= (DAYS - 1) * len(hours)


def test_a_time_that_is_none_is_said_and_not_taken(auditor: Browser, alert: str) -> None:
    page = auditor.get("/log", params={"from": "25:00", "to": "tea"}).text
    assert "25:00 is no time of day" in page
    assert "tea is no time of day" in page
    assert alert in page


def test_where_the_recording_is_stands_with_what_it_shows(
    log: SqliteDeskLog, accounts: Accounts, clock: Clock
) -> None:
    class Store:
        def query(self, sql: str, parameters: object = None) -> list[tuple[Any, ...]]:
            if "table_configured" not in sql:
                return []
            return [("BJ-12", 400, ["C-9"]), ("BJ-12", 1, ["C-1", "C-2"])]

    link = "https://video.example/{camera}?t={time}"
    console = Console(Desk(log, clock), accounts, clock, (ORIGIN,), records=Store(), video=link)
    first, other = a_finding(7), a_finding(8, subject="BJ-40")
    console.desk.raise_alerts([a_raise(first), a_raise(other)])
    accounts.add("aud", "auditor", PASSWORD)
    found = search(console, User("aud", "auditor", ""), WantedRecords())
    by_alert = {row.entry.about: row.recording for row in found.rows if row.entry is not None}
    assert by_alert[other.finding_id] is None, "nothing is known of its table"
    filmed = by_alert[first.finding_id]
    assert filmed is not None
    assert filmed.cameras == tuple(
        (name, f"https://video.example/{name}?t=2026-11-20T20%3A00%3A00.000000Z") for name in ("C-1", "C-2")
    )


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
        rows = [part.split("</td>")[0] for part in page.split('<td class="number" role="cell">')[1:]]
        seen += map(int, rows)
        before = min(map(int, rows)) if rows and min(map(int, rows)) > 1 else None
    assert seen == sorted(set(seen), reverse=True)
    assert seen[-1] == 1
    assert len(seen) == seen[0]


def test_who_is_a_whole_name_and_no_other_that_holds_its_letters(
    auditor: Browser, console: Console, accounts: Accounts
) -> None:
    console.note("auditor", "page", "look of the auditor")
    for who in ("ito", "AUDITO"):
        page = auditor.get("/log", params={"who": who}).text
        assert "look of the auditor" not in page
        assert f"Nobody of the name {who} is on record" in page
        assert '<a href="/log?who=auditor">auditor</a>' in page
        answer = auditor.get("/api/log", params={"who": who}).json()
        assert (answer["rows"], answer["names"][0]) == ([], "auditor")
        assert who in answer["hint"]
    console.note("ito", "page", "look of ito")
    for who in ("ito", "ITO"):
        page = auditor.get("/log", params={"who": who}).text
        assert "look of ito" in page
        assert "look of the auditor" not in page
        rows = auditor.get("/api/log", params={"who": who}).json()["rows"]
        assert {row["entry"]["actor"] for row in rows} == {"ito"}


def test_a_table_is_a_whole_name_and_an_id_may_be_begun(auditor: Browser, console: Console) -> None:
    findings = [a_finding(1, subject="BJ-1"), a_finding(2, subject="BJ-12")]
    console.desk.raise_alerts([a_raise(one) for one in findings])

    def raised(about: str) -> list[str]:
        rows = auditor.get("/api/log", params={"about": about, "what": "raised"}).json()["rows"]
        return [row["entry"]["about"] for row in rows]

    assert raised("BJ-1") == raised("table bj-1") == [findings[0].finding_id]
    assert raised("BJ-12") == [findings[1].finding_id]
    assert raised("BJ") == []
    assert raised(findings[1].finding_id[:12]) == [findings[1].finding_id]


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        ({"what": "dispos"}, "dispos is nothing that is done; there are: "),
        (
            {"dealer": "D-301"},
            "dealer is no field of this search; there are: q, who, what, about, day, from, to",
        ),
    ],
)
def test_what_is_no_act_and_no_field_is_named_with_what_there_is(
    auditor: Browser, asked: dict[str, str], why: str
) -> None:
    assert why in auditor.get("/log", params=asked).text
    answer = auditor.get("/api/log", params=asked)
    assert answer.status_code == 400
    assert why in answer.json()["detail"]


def test_nothing_found_and_a_day_that_is_none_are_said(auditor: Browser) -> None:
    assert "is what you ask for" in auditor.get("/log", params={"about": "nothing of this name"}).text
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
    console.note(
        "aud", "page", "one record more"
    )  # the last one the desk holds against the file at every look
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
    head = auditor.get("/log", params={"who": "aud"}).text.partition("</section>")[0]
    assert f"broken at record {number}" in head
    assert "✓" not in head


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
