"""Sealed figures: who seals them, for which days, and how later events stand beside them."""

from __future__ import annotations

import datetime as dt
import hashlib
import html
import io
import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import msgspec
import openpyxl
import pypdf
import pytest
from msgspec.structs import replace

from dashboards.desk.desk import Desk
from dashboards.ledger.acts import DeskBroken, Withheld, read_again
from dashboards.ledger.seal_acts import FiguresSealed, SealedDivision, SealedLine
from dashboards.revenue.sealing.figures import NAMES
from dashboards.web.console import Console
from deploy.configured.desk_ledger import SqliteDeskLog
from processors.runtime.store.warehouse import Warehouse
from schemas.topics import DESK
from schemas.warehouse import RELATIONS
from tests.console.books import store_of, streams
from tests.console.conftest import Browser, Clock
from tests.drawing.streams import Event, changed, kind

OPEN, DAY = "2026-03-02", "2026-03-03"  # on the first a table was never closed, on the second all were
TABLE = "DU-2"
SignedIn = Callable[[str], Browser]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Warehouse]:
    later = {name: list(lines) for name, lines in streams().items()}
    later["C4-3"] = list(changed(tuple(later["C4-3"]), begin_at_eight))
    with store_of(tmp_path_factory.mktemp("sealed"), later) as held:
        yield held


def begin_at_eight(event: Event) -> None:
    """Gaming days of this table begin two hours after those of the others."""
    if kind(event) == "table_configured":
        event["data"]["gaming_day_start"] = "08:00"


@contextmanager
def counted_again(store: Warehouse) -> Iterator[None]:
    """A box of the day is counted again, with $100 more, behind all other events."""
    day, box = "", {}
    counted: dict[str, Any] = {}
    raw = [json.loads(line) for line in streams()[TABLE]]
    for event in raw:
        match event["type"].removeprefix("catwalk.v1."), event["data"]:
            case "gaming_day_started", data:
                day = data["gaming_day"]
            case "drop_box_removed", data:
                box[data["box"]] = day
            case "drop_counted", data if box[data["box"]] == DAY:
                counted = event
    names, last = RELATIONS["account_events"].column_names, raw[-1]["sequence"] + 1
    chosen = f"subject = '{TABLE}' AND sequence = {{n:UInt32}}"
    (row,) = store.query(
        f"SELECT {', '.join(names)} FROM account_events FINAL WHERE {chosen}", {"n": counted["sequence"]}
    )
    counted["data"]["currency_cents"] += 100_00
    again = dict(zip(names, row, strict=True)) | {"sequence": last, "line": json.dumps(counted)}
    store.insert(RELATIONS["account_events"], [tuple(again[name] for name in names)])
    try:
        yield
    finally:
        store.query(f"DELETE FROM account_events WHERE {chosen}", {"n": last})


def sealed(browser: Browser, **wish: Any) -> dict[str, Any]:
    answer = browser.post("/api/revenue/sealed", json={"day": DAY} | wish)
    assert answer.status_code == 201, answer.text
    told: dict[str, Any] = answer.json()
    return told


def test_sealed_figures_are_those_of_the_report_and_are_sealed_once(signed_in: SignedIn) -> None:
    rex = signed_in("rex")
    report = rex.get(f"/api/revenue?day={DAY}").json()
    told = sealed(rex, note="signed for")
    assert (told["seal"]["by"], told["seal"]["note"]) == ("rex", "signed for")
    [kept] = told["sealed"]
    assert {name: kept[name] for name in kept} == {name: report[name] for name in kept}
    assert (told["changed"], told["since"], told["later"]) == ([], [], 0)
    again = rex.post("/api/revenue/sealed", json={"day": DAY})
    assert again.status_code == 422
    assert "rex has sealed these figures already" in again.text


def test_a_later_count_stands_beside_the_sealed_figure_and_does_not_change_it(
    signed_in: SignedIn, store: Warehouse
) -> None:
    rex = signed_in("rex")
    before = sealed(rex)
    with counted_again(store):
        told = rex.get(f"/api/revenue/sealed?day={DAY}").json()
        page = rex.get(f"/revenue/sealed?day={DAY}").text
        assert "are no longer as sealed by rex" in rex.get(f"/revenue?day={DAY}").text
    assert told["sealed"] == before["sealed"]
    by_name = {(one["key"], one["figure"]): one for one in told["changed"]}
    for key in ("", TABLE):
        for name in ("drop", "net_win", "unexplained"):
            one = by_name[key, name]
            assert one["now"] - one["sealed"] == 100_00
        assert by_name[key, "corrections"]["now"] == 1
    assert {key for key, _ in by_name} == {"", TABLE}  # no other table has changed
    [event] = told["since"]
    assert (event["table"], event["what"], told["later"]) == (TABLE, "Box counted", 1)
    assert "1 event of these days’ accounts came after the seal." in page


@pytest.mark.parametrize(
    "address",
    [
        *(f"/revenue/sealed.{form}?day={DAY}" for form in ("csv", "xlsx", "pdf")),
        *(f"/revenue/owed/{form}?day={DAY}" for form in ("csv", "xlsx", "pdf")),
        *(f"/revenue/export.{form}?day={DAY}" for form in ("csv", "xlsx", "pdf", "zip")),
        f"/revenue/export.csv?day={DAY}&unread={'x' * 400}",
        *(f"/revenue/month.{form}?month={DAY[:7]}" for form in ("pdf", "xlsx")),
        "/patterns/calibration.csv",
        "/log/export",
    ],
)
def test_the_log_has_the_form_and_the_digest_of_each_file_that_leaves(
    address: str, signed_in: SignedIn, console: Console
) -> None:
    sealed(signed_in("rex"))
    answer = signed_in("otto").get(address)
    assert answer.status_code == 200, answer.text
    digest = hashlib.sha256(answer.content).hexdigest()
    form = answer.headers["content-disposition"].rpartition(".")[2].strip('"')
    kept = console.desk.lines(console.desk.records, 1)[0].decode()
    assert f' as {form}, sha256 {digest}"' in kept
    assert answer.headers["x-content-sha256"] == digest


def test_files_of_a_seal_are_the_same_bytes_after_a_correction(signed_in: SignedIn, store: Warehouse) -> None:
    rex = signed_in("rex")
    now = rex.get(f"/revenue/export.csv?day={DAY}").content
    sealed(rex)
    first = {form: rex.get(f"/revenue/sealed.{form}?day={DAY}").content for form in ("csv", "xlsx", "pdf")}
    assert first["csv"] == now
    printed = " ".join(page.extract_text() for page in pypdf.PdfReader(io.BytesIO(first["pdf"])).pages)
    assert "Sealed figures: " in printed
    assert "Sealed by rex, signature and date" in printed
    book = openpyxl.load_workbook(io.BytesIO(first["xlsx"]), data_only=True)
    assert book.sheetnames == ["by table"]
    with counted_again(store):
        later = {form: rex.get(f"/revenue/sealed.{form}?day={DAY}").content for form in first}
        assert rex.get(f"/revenue/export.csv?day={DAY}").content != now
    assert later == first


def test_a_month_is_sealed_by_day_and_by_table_when_it_is_over(signed_in: SignedIn, clock: Clock) -> None:
    rex, wish = signed_in("rex"), {"day": DAY, "period": "month", "note": "a table was never closed"}
    clock.now = dt.datetime(2026, 4, 1, 11, tzinfo=dt.UTC)
    early = rex.post("/api/revenue/sealed", json=wish)
    assert early.status_code == 422
    assert "2026-03-31 is not over: the next gaming day begins on 1 Apr 2026 08:00:00 EDT" in early.text
    clock.forward(3_600)
    told = sealed(rex, **wish)
    by_day, by_table = told["sealed"]
    assert (by_day["by"], by_table["by"]) == ("day", "table")
    assert by_day["total"] == by_table["total"]
    assert (by_day["from"], by_day["to"]) == ("2026-03-01", "2026-03-31")
    page = rex.get("/revenue?day=2026-03-31&period=month&by=day").text
    assert "Sealed by rex, and as sealed" in page
    assert (
        "Sealed by rex; its total is as sealed" in rex.get("/revenue?day=2026-03-31&period=month&by=pit").text
    )
    assert 'id="sealing"' not in rex.get(f"/revenue?day={DAY}&period=month").text  # a part of the month


def test_a_day_is_sealed_when_the_next_has_begun_by_the_clock_of_every_table(
    signed_in: SignedIn, clock: Clock
) -> None:
    rex = signed_in("rex")
    clock.now = dt.datetime(2026, 3, 4, 12, 59, tzinfo=dt.UTC)  # most tables' days begin at 6:00, 11:00 UTC
    answer = rex.post("/api/revenue/sealed", json={"day": DAY})
    assert answer.status_code == 422
    assert "2026-03-03 is not over: the next gaming day begins on 4 Mar 2026 08:00:00 EST" in answer.text
    assert "2026-03-03 is not over" in rex.get(f"/revenue/sealed?day={DAY}").text
    assert "Not over, and not sealed" in rex.get(f"/revenue?day={DAY}").text
    clock.forward(60)
    sealed(rex)
    nothing = rex.post("/api/revenue/sealed", json={"day": "2026-02-01"})
    assert nothing.status_code == 422
    assert "nothing happened in these gaming days" in nothing.text


def test_who_seals_figures_that_have_changed_since_they_were_shown_is_told(
    signed_in: SignedIn, store: Warehouse
) -> None:
    rex = signed_in("rex")
    page = rex.get(f"/revenue/sealed?day={DAY}").text
    [seen] = re.findall(r'name="seen" value="(\w{64})"', page)
    form = {"csrf": rex.headers["x-csrf-token"], "day": DAY, "period": "day", "note": "", "seen": seen}
    with counted_again(store):
        changed = rex.post("/revenue/sealed", data=form)
        assert changed.status_code == 422
        assert "The figures have changed since they were shown: look at them again." in changed.text
    assert rex.post("/revenue/sealed", data=form, follow_redirects=False).status_code == 303


def test_a_seal_of_another_release_is_read_by_the_figures_that_both_know(
    signed_in: SignedIn, console: Console, log: SqliteDeskLog, clock: Clock
) -> None:
    rex = signed_in("rex")
    sealed(rex)
    [act] = console.desk.look(lambda state: tuple(state.seals.held.values()))
    values = tuple(replace(line, values=(*line.values[1:], 7)) for line in act.divisions[0].lines)
    other = replace(
        act,
        first=dt.date.fromisoformat(OPEN),
        last=dt.date.fromisoformat(OPEN),
        columns=(*act.columns[1:], "smiles"),
        total=replace(act.total, values=(*act.total.values[1:], 7)),
        divisions=(replace(act.divisions[0], lines=values),),
    )
    console.desk.decide("rex", lambda _state, _at: [other])
    told = rex.get(f"/api/revenue/sealed?day={OPEN}").json()
    assert told["sealed"][0]["total"]["handle"] is None
    assert told["sealed"][0]["total"]["win"] == act.total.values[act.columns.index("win")]
    assert {one["figure"] for one in told["changed"]} & {"handle", "smiles"} == set()
    assert rex.get(f"/revenue/sealed.csv?day={OPEN}").status_code == 200
    assert rex.get(f"/revenue/sealed.pdf?day={OPEN}").status_code == 200


def test_figures_without_a_net_win_are_sealed_with_a_reason_alone(signed_in: SignedIn) -> None:
    rex = signed_in("rex")
    form = {"csrf": rex.headers["x-csrf-token"], "day": OPEN, "period": "day"}
    refused = rex.post("/revenue/sealed", data=form | {"note": " "})
    assert refused.status_code == 422
    assert "The net win is not known: say in the note why the figures are sealed without it." in refused.text
    done = rex.post("/revenue/sealed", data=form | {"note": "FB-12 stays open"}, follow_redirects=False)
    assert (done.status_code, done.headers["location"]) == (303, f"/revenue/sealed?day={OPEN}")
    page = rex.get(done.headers["location"]).text
    assert "Every figure is as it was sealed." in page
    assert "FB-12 stays open" in page


def test_revenue_staff_seal_and_auditors_read(signed_in: SignedIn) -> None:
    otto = signed_in("otto")
    for day in (DAY, "1800-01-01"):
        assert otto.post("/api/revenue/sealed", json={"day": day}).status_code == 403
    assert "Revenue staff seal them." in otto.get(f"/revenue/sealed?day={DAY}").text
    assert otto.get(f"/api/revenue/sealed?day={DAY}").status_code == 404
    assert signed_in("hale").get(f"/revenue/sealed?day={DAY}").status_code == 403
    sealed(signed_in("rex"))
    assert "Every figure is as it was sealed." in otto.get(f"/revenue/sealed?day={DAY}").text
    assert otto.get(f"/revenue/sealed.csv?day={DAY}").status_code == 200
    assert "figures sealed" in otto.get("/log").text
    assert f"revenue of {DAY}" in otto.get("/log").text


def test_sealed_figures_tell_nothing_of_a_withheld_table(signed_in: SignedIn, console: Console) -> None:
    rex = signed_in("rex")
    sealed(rex)
    console.desk.note(Withheld(user="rex", kind="table", value=TABLE, reason="own table"), "ann")
    page = rex.get(f"/revenue/sealed?day={DAY}").text
    assert "Some tables or dealers are withheld from you" in page
    assert "Sealed so far" not in page
    assert rex.get(f"/api/revenue/sealed?day={DAY}").status_code == 404
    assert rex.get(f"/revenue/sealed.csv?day={DAY}").status_code == 404
    assert rex.post("/api/revenue/sealed", json={"day": OPEN}).status_code == 422
    assert 'id="sealing"' not in rex.get(f"/revenue?day={DAY}").text


def test_a_seal_outlives_the_console_and_its_record_is_the_one_that_was_written(
    signed_in: SignedIn, log: SqliteDeskLog, clock: Clock
) -> None:
    sealed(signed_in("rex"))
    opened = Desk(log, clock)
    [seal] = opened.look(lambda state: tuple(state.seals.made.values()))
    [line] = opened.lines(seal.sequence, 1)
    act = read_again(line, seal.sequence, seal.hash).data
    assert isinstance(act, FiguresSealed)
    assert str(act.first) == DAY
    with pytest.raises(DeskBroken, match="not the record"):
        read_again(line.replace(b"C4-3", b"C4-4"), seal.sequence, seal.hash)
    cut = replace(act, first=act.first.replace(day=1), columns=act.columns[1:])
    assert opened.look(lambda state: state.seals.why_not(cut)) == "a line has not one value for each column"
    assert opened.look(lambda state: state.seals.why_not(act)) == "rex has sealed these figures already"


def test_the_log_leads_to_the_sealed_figures_which_have_the_names_of_the_revenue_page(
    signed_in: SignedIn,
) -> None:
    rex, otto = signed_in("rex"), signed_in("otto")
    sealed(rex)
    sealed(rex, period="month", note="a table was never closed")
    log = html.unescape(otto.get("/log").text)
    for href, name in ((f"day={DAY}", DAY), ("day=2026-03-31&period=month", "2026-03")):
        assert f'<a href="/revenue/sealed?{href}">Sealed figures of {name}</a>' in log
        page = otto.get(f"/revenue/sealed?{href}").text
        assert "Sealed by</dt><dd>rex" in page
        for title in ("Opening inventory", "Net win by count", "Errors for patrons, all wagers"):
            assert f"<dt>{title}</dt>" in page


def test_what_cannot_be_sealed_is_said(signed_in: SignedIn) -> None:
    rex = signed_in("rex")
    assert "A week is not sealed: the day is shown." in rex.get(f"/revenue/sealed?day={DAY}&period=week").text
    assert rex.get(f"/api/revenue/sealed?day={DAY}&period=year").status_code == 422
    assert rex.post("/api/revenue/sealed", json={"day": "1800-01-01"}).status_code == 422
    assert rex.post("/api/revenue/sealed", json={"day": "yesterday"}).status_code == 400


def test_a_month_of_a_thousand_tables_is_below_the_largest_record_of_the_desk() -> None:
    line = SealedLine(
        key="BLACKJACK-1000", values=(-100_000_00,) * len(NAMES), lacks=("no closing count yet",)
    )
    act = FiguresSealed(
        first=dt.date(2026, 3, 1),
        last=dt.date(2026, 3, 31),
        property="Parkside",
        columns=NAMES,
        total=line,
        divisions=(
            SealedDivision(by="day", lines=(line,) * 31),
            SealedDivision(by="table", lines=(line,) * 1_000),
        ),
        records={f"BLACKJACK-{number}": 1_000_000 for number in range(1_000)},
    )
    assert len(msgspec.json.encode(act)) < DESK.max_message_bytes
