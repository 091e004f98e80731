"""The month's report: its money is the revenue's, its findings the store's, its alerts and disputes the desk's."""

import datetime as dt
import io
import re
from collections import Counter
from collections.abc import Callable, Iterator

import pypdf
import pytest

from dashboards.accounts.accounts import Accounts
from dashboards.desk.desk import Desk
from dashboards.ledger.acts import Disposed, Withheld
from dashboards.monthly.figures import MonthReport, Told, month_report
from dashboards.monthly.found import DEVICES
from dashboards.revenue.books import statement
from dashboards.revenue.filing.line import report_of
from dashboards.revenue.wanted import WantedRevenue
from dashboards.web.console import Console
from deploy.audit.duties import duty_of
from deploy.configured.desk_ledger import SqliteDeskLog
from processors.runtime.store.warehouse import Warehouse
from tests.console.books import store_of
from tests.console.conftest import ORIGIN, PASSWORD, Browser, Clock
from tests.console.desk_building import a_finding, a_raise
from tests.console.disputing import wish
from tests.embedded.ledgers import lines_of, subject_of
from tests.hands.stored import renamed

SignedIn = Callable[[str], Browser]
BREACHES = ("breach_dealer22_paid", "breach_mtd_wrong_pay", "breach_c4_stub_short", "breach_fp_seat_skipped")
NOTHING = Told(alerts=None, disputes=None)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Warehouse]:
    held = {subject_of(name): lines_of(name) for name in BREACHES}
    whole = renamed("lawful_free_bet_672a", "BJ-33")
    held["BJ-33"] = [*whole[:300], *whole[340:]]  # a hole in the record leaves a round undecided
    with store_of(tmp_path_factory.mktemp("month"), held) as made:
        yield made


@pytest.fixture
def console(log: SqliteDeskLog, accounts: Accounts, clock: Clock, store: Warehouse) -> Console:
    accounts.add("otto", "auditor", PASSWORD)
    return Console(Desk(log, clock), accounts, clock, (ORIGIN,), records=store)


def first_of(store: Warehouse) -> dt.date:
    """The first day of the month in which the store has its rounds."""
    (((day,),)) = store.query("SELECT max(gaming_day) FROM rounds")
    first: dt.date = day.replace(day=1)
    return first


def told(store: Warehouse, **given: object) -> MonthReport:
    known = Told(**{"alerts": None, "disputes": None, **given})  # type: ignore[arg-type]  # fields by name
    return month_report(store, first_of(store), known, duty_of)


def test_the_money_of_a_month_is_the_revenue_of_its_days(store: Warehouse) -> None:
    made = told(store)
    last = made.month.revenue.last
    revenue = report_of(statement(store, WantedRevenue(day=last, period="month", by="day")))
    assert made.month.revenue == revenue
    assert (last + dt.timedelta(days=1)).day == 1
    assert revenue.total.rounds == sum(one.rounds for one in revenue.lines) > 0
    assert made.before.revenue.total.rounds == 0
    assert made.before.revenue.last == first_of(store) - dt.timedelta(days=1)


def test_what_was_found_is_counted_once_by_check_and_verdict(store: Warehouse) -> None:
    rows = store.query("SELECT check_id, verdict, subject, money_cents FROM findings FINAL")
    by_check = Counter((check, verdict) for check, verdict, _, _ in rows if check != DEVICES)
    made = told(store).month.irregularities
    assert {(one.check, "breached"): one.proven for one in made if one.proven} == {
        key: count for key, count in by_check.items() if key[1] == "breached"
    }
    assert sum(one.not_proven for one in made) == sum(
        count for (_, verdict), count in by_check.items() if verdict == "indeterminate"
    )
    for one in made:
        money = [cents for check, verdict, _, cents in rows if (check, verdict) == (one.check, "breached")]
        assert one.owed == sum(cents for cents in money if cents > 0), one.check
        assert one.overpaid == -sum(cents for cents in money if cents < 0), one.check
        assert one.tables == len({subject for check, _, subject, _ in rows if check == one.check})
        assert one.clauses
        assert "#" not in "".join(one.clauses)
        assert one.duty not in ("", one.check)
    assert sum(one.overpaid for one in made) > 0
    assert told(store).before.irregularities == ()


def test_a_finding_belongs_to_the_month_in_which_its_gaming_day_begins_by_the_clock_of_the_tables(
    store: Warehouse,
) -> None:
    made = told(store).month
    (((zone_start,),)) = store.query("SELECT min(decided_at) FROM rounds")
    assert made.since <= zone_start < made.until
    next_month = month_report(store, made.revenue.last + dt.timedelta(days=1), NOTHING, duty_of)
    assert (next_month.month.irregularities, next_month.before.irregularities) == ((), made.irregularities)
    assert next_month.month.since == made.until


def test_a_withheld_table_and_a_verdict_that_is_not_theirs_are_in_no_count(store: Warehouse) -> None:
    table = subject_of("breach_dealer22_paid")
    made = told(store, withheld=frozenset({("table", table)}))
    sql = "SELECT count() FROM findings FINAL WHERE verdict = 'breached' AND subject != {s:String}"
    assert sum(one.proven for one in made.month.irregularities) == store.query(sql, {"s": table})[0][0]
    assert table not in {one.table for one in made.month.devices}
    assert made.month.revenue.total.rounds < told(store).month.revenue.total.rounds
    proven = told(store, verdicts=frozenset({"breached"})).month.irregularities
    assert proven
    assert all(one.not_proven == one.by_one_reading == one.suspected == 0 for one in proven)


def test_tables_whose_rounds_cannot_be_decided_are_named_with_how_many(store: Warehouse) -> None:
    counted = "SELECT subject, count(), countIf(status = 'indeterminate') FROM rounds FINAL GROUP BY subject"
    undecided = {subject: (rounds, lost) for subject, rounds, lost in store.query(counted) if lost}
    of_devices = f"SELECT subject, count() FROM findings FINAL WHERE check_id = '{DEVICES}' GROUP BY subject"
    failed: dict[str, int] = dict(store.query(of_devices))
    made = told(store).month.devices
    assert undecided
    assert {one.table for one in made} == {*undecided, *failed}
    assert {one.table: (one.rounds, one.undecided) for one in made if one.undecided} == undecided


def test_alerts_and_disputes_of_the_month_are_on_the_paper_as_far_as_a_role_reads_them(
    console: Console, signed_in: SignedIn, store: Warehouse, clock: Clock
) -> None:
    first = first_of(store)
    clock.now = dt.datetime.combine(first, dt.time(20), dt.UTC) + dt.timedelta(days=2)
    raised, beside = a_finding(1, severity="critical"), a_finding(2)
    console.desk.raise_alerts([a_raise(raised, at=clock.now), a_raise(beside, at=clock.now)])
    console.desk.raise_alerts([a_raise(a_finding(3), at=clock.now - dt.timedelta(days=20))])
    console.desk.act(
        Disposed(alert=beside.finding_id, version=1, disposition="no error", note="seen"), "hale"
    )
    hale = signed_in("hale")
    opened = hale.post("/api/disputes", json=wish(claim="The dealer had 22."))
    assert opened.status_code == 201, opened.text
    address = f"/revenue/month.pdf?month={first:%Y-%m}"
    whole = text_of(signed_in("otto").get(address))
    assert "Raised 2: critical 1, major 1 1: major 1" in whole
    assert "Closed 1: no error 1 none" in whole
    assert "Opened 1 0" in whole
    theirs = text_of(signed_in("rex").get(address))
    assert "Opened - -" in theirs, "revenue staff decide no disputes and read none"
    assert "Not read by whoever made this report" in theirs
    assert hale.get(address).status_code == 403


def text_of(answer: object) -> str:
    assert answer.status_code == 200, answer.text  # type: ignore[attr-defined]  # a response
    pages = pypdf.PdfReader(io.BytesIO(answer.content)).pages  # type: ignore[attr-defined]
    return re.sub(r"\s+", " ", " ".join(page.extract_text() for page in pages))


def test_a_table_that_is_withheld_from_its_reader_is_on_no_page(
    console: Console, signed_in: SignedIn, store: Warehouse
) -> None:
    table = subject_of("breach_dealer22_paid")
    console.desk.note(Withheld(user="otto", kind="table", value=table, reason="related"), "ann")
    made = text_of(signed_in("otto").get(f"/revenue/month.pdf?month={first_of(store):%Y-%m}"))
    assert table not in made


@pytest.mark.parametrize("month", ["", "2026-13", "March", "2026-03-02", "0001-01"])
def test_what_is_no_month_is_named(signed_in: SignedIn, month: str) -> None:
    answer = signed_in("rex").get("/revenue/month.pdf", params={"month": month})
    assert answer.status_code == 400
    assert "month" in answer.text or "books" in answer.text
