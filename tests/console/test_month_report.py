"""The month's report: its money is the revenue's, its findings the store's, its alerts and disputes the desk's."""

import dataclasses
import datetime as dt
import io
import re
from collections import Counter
from collections.abc import Callable, Iterator

import msgspec
import pypdf
import pytest
from httpx import Response
from msgspec.structs import replace

from dashboards.desk.disputes import Decision, Dispute
from dashboards.ledger.acts import DeskBroken, Disposed, Withheld
from dashboards.ledger.dispute_acts import Review
from dashboards.ledger.seal_acts import FiguresSealed
from dashboards.monthly.figures import (
    DeskShown,
    MonthFigures,
    MonthReport,
    all_seals,
    month_report,
    sealed_months,
)
from dashboards.monthly.found import DEVICES, Irregularity
from dashboards.monthly.workbook import as_workbook
from dashboards.revenue.books import places_of, statement
from dashboards.revenue.filing.line import report_of
from dashboards.revenue.wanted import WantedRevenue
from dashboards.web.console import Console
from deploy.audit.duties import duty_of
from processors.runtime.store.rows import finding_row
from processors.runtime.store.warehouse import Warehouse
from schemas.check_names import current
from schemas.findings import Finding
from schemas.warehouse import RELATIONS
from tests.console.books import store_of
from tests.console.conftest import Browser, Clock
from tests.console.desk_building import a_finding, a_raise
from tests.console.disputing import wish
from tests.console.month_workbook import require_told
from tests.embedded.ledgers import lines_of, subject_of
from tests.hands.stored import renamed

SignedIn = Callable[[str], Browser]
BREACHES = ("breach_dealer22_paid", "breach_mtd_wrong_pay", "breach_c4_stub_short", "breach_fp_seat_skipped")
FIRST = dt.date(2026, 3, 1)
# The tables' gaming days begin at 06:00 in New York, whose clocks change within the month.
SINCE = dt.datetime(2026, 3, 1, 11, tzinfo=dt.UTC)
UNTIL = dt.datetime(2026, 4, 1, 10, tzinfo=dt.UTC)
SECOND = dt.timedelta(seconds=1)
WITHHELD = subject_of("breach_dealer22_paid")
DEALER = "D-301"  # who dealt at it


def beside() -> Iterator[tuple[Finding, dt.datetime]]:
    """Findings at the edges of the month, of a device and of its end, of a fault, and one about a dealer."""
    edge = a_finding(1, check="action.dealer_draws", subject="EDGE-1", money_cents=500)
    yield edge, SINCE - SECOND
    yield replace(edge, finding_id="e2", sequence=2), SINCE
    yield replace(edge, finding_id="e3", sequence=3, check="dealer.draws"), UNTIL - SECOND  # its former id
    yield replace(edge, finding_id="e4", sequence=4), UNTIL
    device = a_finding(5, check=DEVICES, subject="EDGE-1", money_cents=0)
    yield device, SINCE + SECOND
    yield replace(device, finding_id="e6", sequence=6, severity="info"), SINCE + 2 * SECOND
    yield a_finding(7, check="integrity.clock", subject="EDGE-1", severity="minor", money_cents=0), SINCE
    pattern = a_finding(8, check="pattern.dealer_mispay.for_patrons", subject="EDGE-1", verdict="suspected")
    yield replace(pattern, about={"dealer": DEALER}), SINCE


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Warehouse]:
    held = {subject_of(name): lines_of(name) for name in BREACHES}
    whole = renamed("lawful_free_bet_672a", "BJ-33")
    held["BJ-33"] = [*whole[:300], *whole[340:]]  # a hole in the record leaves a round undecided
    with store_of(tmp_path_factory.mktemp("month"), held) as made:
        made.insert(RELATIONS["findings"], [finding_row(one, at) for one, at in beside()])
        yield made


@pytest.fixture
def console(console: Console) -> Console:
    return dataclasses.replace(console, duty_of=duty_of)


def told(store: Warehouse, *withheld: tuple[str, str], first: dt.date = FIRST) -> MonthReport:
    known = DeskShown(alerts=None, disputes=None, withheld=frozenset(withheld))
    return month_report(store, places_of(store), first, known, duty_of)


def everything(month: MonthFigures) -> dict[str, Irregularity]:
    return {one.check: one for one in (*month.irregularities, *month.faults)}


def test_the_money_of_a_month_is_the_revenue_of_its_days(store: Warehouse) -> None:
    made = told(store)
    last = made.month.revenue.last
    revenue = report_of(statement(store, WantedRevenue(day=last, period="month", by="day")))
    assert made.month.revenue == revenue
    assert last == dt.date(2026, 3, 31)
    assert revenue.total.rounds == sum(one.rounds for one in revenue.lines) > 0
    assert (made.before.revenue.total.rounds, made.before.revenue.last) == (0, dt.date(2026, 2, 28))


def test_what_was_found_is_counted_once_by_check_and_verdict(store: Warehouse) -> None:
    rows = store.query(
        "SELECT check_id, verdict, subject, money_cents FROM findings FINAL"
        " WHERE decided_at >= {a:DateTime64(6, 'UTC')} AND decided_at < {b:DateTime64(6, 'UTC')}",
        {"a": SINCE, "b": UNTIL},
    )
    found = [(current(check), *rest) for check, *rest in rows if check != DEVICES]
    made = everything(told(store).month)
    assert set(made) == {check for check, *_ in found}
    for check, one in made.items():
        of_it = [(verdict, subject, cents) for name, verdict, subject, cents in found if name == check]
        counts = Counter(verdict for verdict, *_ in of_it)
        told_of = (one.proven, one.by_one_reading, one.not_proven, one.suspected)
        assert told_of == tuple(
            counts[verdict] for verdict in ("breached", "interpretation", "indeterminate", "suspected")
        )
        money = [cents for verdict, _, cents in of_it if verdict == "breached"]
        assert one.owed == sum(cents for cents in money if cents > 0), check
        assert one.overpaid == -sum(cents for cents in money if cents < 0), check
        assert one.tables == len({subject for _, subject, _ in of_it})
        assert one.clauses
        assert "#" not in "".join(one.clauses)
        assert one.duty not in ("", check)
    assert sum(one.overpaid for one in made.values()) > 0
    assert made["action.dealer_draws"].proven == 2, "one of them under its former id"


def test_faults_of_the_record_stand_apart_from_what_tables_did(store: Warehouse) -> None:
    month = told(store).month
    assert [one.check for one in month.faults if one.check == "integrity.clock"]
    assert not [one.check for one in month.irregularities if one.check.startswith("integrity.")]


def test_a_month_begins_with_its_first_gaming_day_by_the_clock_of_the_tables(store: Warehouse) -> None:
    made = told(store)
    assert (made.month.since, made.month.until) == (SINCE, UNTIL)
    assert made.before.until == SINCE
    assert everything(made.before)["action.dealer_draws"].proven == 1
    after = told(store, first=dt.date(2026, 4, 1))
    assert after.before == made.month
    assert everything(after.month)["action.dealer_draws"].proven == 1


def test_a_device_that_failed_once_and_came_back_failed_once(store: Warehouse) -> None:
    counted = "SELECT subject, count(), countIf(status = 'indeterminate') FROM rounds FINAL GROUP BY subject"
    undecided = {subject: (rounds, lost) for subject, rounds, lost in store.query(counted) if lost}
    assert undecided
    made = {one.table: one for one in told(store).month.devices}
    assert made["EDGE-1"].failures == 1
    assert {table: (one.rounds, one.undecided) for table, one in made.items() if one.undecided} == undecided


def test_what_is_withheld_is_in_no_count(store: Warehouse) -> None:
    whole = told(store).month
    without = told(store, ("table", WITHHELD)).month
    assert without.revenue.total.rounds < whole.revenue.total.rounds
    assert proven(without) == proven(whole) - proven_of(store, f"subject = '{WITHHELD}'")
    dealer = told(store, ("dealer", DEALER)).month
    dealt = f"(subject, round) IN (SELECT subject, toNullable(round) FROM rounds WHERE dealer = '{DEALER}')"
    assert proven(dealer) == proven(whole) - proven_of(store, dealt) < proven(whole)
    assert "pattern.dealer_mispay.for_patrons" in everything(whole)
    assert "pattern.dealer_mispay.for_patrons" not in everything(dealer), "it names the dealer"
    assert proven(told(store, ("alert", "e2")).month) == proven(whole) - 1
    assert everything(told(store, ("patron", "P-1")).month) == everything(whole)


def proven(month: MonthFigures) -> int:
    return sum(one.proven for one in everything(month).values())


def proven_of(store: Warehouse, where: str) -> int:
    sql = f"SELECT count() FROM findings FINAL WHERE verdict = 'breached' AND {where} AND check_id != '{DEVICES}'"
    return int(store.query(sql)[0][0])


def test_alerts_and_disputes_of_the_month_are_on_the_auditors_paper_alone(
    console: Console, signed_in: SignedIn, clock: Clock
) -> None:
    clock.now = SINCE + dt.timedelta(days=2)
    raised, closed = a_finding(1, severity="critical"), a_finding(2)
    console.desk.raise_alerts([a_raise(raised, at=clock.now), a_raise(closed, at=clock.now)])
    console.desk.raise_alerts([a_raise(a_finding(3), at=clock.now - dt.timedelta(days=20))])
    console.desk.act(
        Disposed(alert=closed.finding_id, version=1, disposition="no error", note="seen"), "hale"
    )
    hale = signed_in("hale")
    opened = hale.post("/api/disputes", json=wish(claim="The dealer had 22."))
    assert opened.status_code == 201, opened.text
    whole = text_of(signed_in("otto").get("/revenue/month.pdf?month=2026-03"))
    assert "Raised 2: critical 1, major 1 1: major 1" in whole
    assert "Closed 1: no error 1 none" in whole
    assert "Opened 1 0" in whole
    assert "Month’s report" in signed_in("otto").get("/revenue?day=2026-03-02").text
    rex = signed_in("rex")
    for browser in (rex, hale):
        assert browser.get("/revenue/month.pdf?month=2026-03").status_code == 403
    assert "Month’s report" not in rex.get("/revenue?day=2026-03-02").text


def test_every_figure_of_the_workbook_is_the_reports_and_every_total_its_sum(
    console: Console, store: Warehouse, signed_in: SignedIn, clock: Clock
) -> None:
    clock.now = SINCE + dt.timedelta(days=2)
    raised, closed = a_finding(1, severity="critical"), a_finding(2)
    console.desk.raise_alerts([a_raise(one, at=clock.now) for one in (raised, closed)])
    closing = Disposed(alert=closed.finding_id, version=1, disposition="no error", note="seen")
    console.desk.act(closing, "hale")
    hale, otto = signed_in("hale"), signed_in("otto")
    for cents in (5_000, -700):
        dispute = hale.post("/api/disputes", json=wish(claim="The dealer had 22.")).json()["dispute"]["id"]
        ruling = "for the patron" if cents > 0 else "for the house"
        decision = {"act": "decided", "version": 1, "ruling": ruling, "reason": "seen", "amount_cents": cents}
        meant = {"beyond_cents": max(cents, 0)}
        assert hale.post(f"/api/disputes/{dispute}/acts", json=decision | meant).status_code == 200
    desk = console.desk
    alerts = desk.look(lambda state: tuple(state.alerts.values()))
    known = DeskShown(alerts=alerts, disputes=desk.disputes(), sealed={})
    report = month_report(store, places_of(store), FIRST, known, duty_of)
    disputes = report.month.disputes
    assert disputes is not None
    assert (disputes.paid, disputes.returned, report.month.alerts is not None) == (5_000, 700, True)
    answer = otto.get("/revenue/month.xlsx?month=2026-03")
    assert answer.headers["content-disposition"] == 'attachment; filename="month-2026-03.xlsx"'
    require_told(answer.content, msgspec.to_builtins(report))
    assert otto.get("/revenue/month.xlsx?month=2026-03").content == answer.content
    # Also of a month with nothing, and of rounds of no gaming day.
    lost = replace(report.before, dayless={"BJ-33": 2, "EDGE-1": 1}, devices=report.month.devices)
    other = replace(report, month=lost, before=report.month)
    require_told(as_workbook(other), msgspec.to_builtins(other))


def _broken(*_of: object) -> FiguresSealed:
    raise DeskBroken(7, "is not the record that was sealed")


def test_a_sealed_month_says_what_is_no_longer_as_it_was_sealed(
    console: Console, store: Warehouse, signed_in: SignedIn
) -> None:
    rex, otto = signed_in("rex"), signed_in("otto")
    assert text_of(otto.get("/revenue/month.pdf?month=2026-03")).count("Sealed: no") == 1
    day = {"day": "2026-03-02", "period": "day", "note": "tables without a count"}
    assert rex.post("/api/revenue/sealed", json=day).status_code == 201
    text = text_of(otto.get("/revenue/month.pdf?month=2026-03"))
    assert "Sealed: no" in text
    assert "Gaming days sealed: 2026-03-02 by rex" in text
    assert "Made by otto, signature and date Reviewed by, signature and date" in text
    wish = {"day": "2026-03-31", "period": "month", "note": "tables without a count"}
    assert rex.post("/api/revenue/sealed", json=wish).status_code == 201
    text = text_of(otto.get("/revenue/month.pdf?month=2026-03"))
    assert "Sealed: by rex" in text
    assert "All of them are as they were sealed." in text
    [(seal, act)] = sealed_months(console.desk, FIRST).values()
    place = act.columns.index("win")
    values = (*act.total.values[:place], (act.total.values[place] or 0) + 700, *act.total.values[place + 1 :])
    other = replace(act, total=replace(act.total, values=values))
    console.desk.note(Withheld(user="otto", kind="table", value=WITHHELD, reason="x"), "ann")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("dashboards.monthly.figures.sealed_of", _broken)
        assert "Sealed: not told" in text_of(otto.get("/revenue/month.pdf?month=2026-03")), "nor is it read"
    seals = console.desk.look(all_seals)
    known = DeskShown(alerts=(), disputes=(), sealed={FIRST: (seal, other)}, seals=seals)
    report = month_report(store, places_of(store), FIRST, known, duty_of)
    sealed = report.month.sealed
    assert sealed is not None
    win = report.month.revenue.total.win
    assert [(one.by, one.figure, one.sealed, one.now) for one in sealed.changed] == [
        ("", "win", win + 700, win)
    ]
    assert report.before.sealed is None
    require_told(as_workbook(report), msgspec.to_builtins(report))


def test_the_page_of_the_revenue_names_the_months_workbook_to_who_may_have_it(
    console: Console, signed_in: SignedIn
) -> None:
    link = 'href="/revenue/month.xlsx?month=2026-03"'
    assert link in signed_in("otto").get("/revenue?day=2026-03-02").text
    assert link not in signed_in("rex").get("/revenue?day=2026-03-02").text
    for who in ("rex", "hale"):
        assert signed_in(who).get("/revenue/month.xlsx?month=2026-03").status_code == 403
    kept = [one for one in console.desk.lines(1, 1_000) if b"month 2026-03" in one]
    assert len(kept) == 2, "both refusals"


def test_a_decision_of_two_is_of_the_month_in_which_the_second_confirms(store: Warehouse) -> None:
    decided = Decision(
        ruling="for the patron", amount_cents=5_000, reason="seen", by="hale", at=UNTIL - SECOND,
        confirmed_by="ito", confirmed_at=UNTIL,
    )  # fmt: skip
    dispute = Dispute(
        id="DIS-0001", version=1, status="decided", subject=WITHHELD, round=1, first_sequence=1, seat=1, hand=None,
        sequence=None, claim="", claimed_cents=5_000, patron=None, review=Review(), opened_at=SINCE, opened_by="hale",
        due=UNTIL, two_from_cents=1, decision=decided, history=(),
    )  # fmt: skip
    known = DeskShown(alerts=(), disputes=(dispute,))
    march, april = (
        month_report(store, places_of(store), day, known, duty_of).month.disputes
        for day in (FIRST, dt.date(2026, 4, 1))
    )
    assert march is not None
    assert april is not None
    assert (march.opened, march.decided, march.paid) == (1, {}, 0)
    assert (april.opened, april.decided, april.paid) == (0, {"for the patron": 1}, 5_000)


def text_of(answer: Response) -> str:
    assert answer.status_code == 200, answer.text
    pages = pypdf.PdfReader(io.BytesIO(answer.content)).pages
    return re.sub(r"\s+", " ", " ".join(page.extract_text() for page in pages))


def test_a_table_that_is_withheld_from_its_reader_is_on_no_page(
    console: Console, signed_in: SignedIn
) -> None:
    otto = signed_in("otto")
    assert "BJ-33" in text_of(otto.get("/revenue/month.pdf?month=2026-03"))
    console.desk.note(Withheld(user="otto", kind="table", value="BJ-33", reason="related"), "ann")
    assert "BJ-33" not in text_of(otto.get("/revenue/month.pdf?month=2026-03"))


@pytest.mark.usefixtures("console")
@pytest.mark.parametrize("month", ["", "2026-13", "March", "2026-03-02", "0001-01", "1900-01", "2299-12"])
def test_what_is_no_month_is_named(signed_in: SignedIn, month: str) -> None:
    answer = signed_in("otto").get("/revenue/month.pdf", params={"month": month})
    assert answer.status_code == 400
    assert "month" in answer.text or "books" in answer.text
