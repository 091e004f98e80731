"""The pages of patterns and the budget of pages: who sees what, what pages, and what waits until it has grown."""

from __future__ import annotations

import csv
import dataclasses
import datetime as dt
import hashlib
import html
import importlib
import io
import json
import re
from collections.abc import Callable, Iterator

import msgspec
import pytest
from msgspec.structs import replace

from dashboards.accounts.accounts import Accounts
from dashboards.alerts import said_now
from dashboards.desk.desk import Desk
from dashboards.ledger.acts import Disposed, Disposition, Raised, Reopened, Withheld
from dashboards.reader.patterns import SuspicionRow
from dashboards.reports.suspicion_proof import SuspicionProof
from dashboards.reports.suspicion_report import Printing, suspicion_content, suspicion_report
from dashboards.suspicions.evidence import EvidenceSince
from dashboards.suspicions.suspicions import course_of, suspicion_of, weighty_rounds
from dashboards.web.console import Console, NoRecords
from deploy.cli.main import COMMANDS
from deploy.configured.desk_ledger import SqliteDeskLog
from deploy.console.alerting import Raising
from deploy.console.paging import Paging, budget_in
from deploy.errors import UserError
from deploy.settings import Settings
from processors.detectors.family import FAMILIES
from processors.detectors.paging import ONE_PAGE, Budget
from processors.runtime.embedded.fold import EmbeddedFold
from processors.runtime.store.chdb_warehouse import ChdbWarehouse
from processors.runtime.store.warehouse import Warehouse
from schemas.events.codec import record_hash
from schemas.findings import Finding
from tests.console.apps import browser_of
from tests.console.conftest import ORIGIN, Browser, Clock
from tests.console.desk_building import T0
from tests.embedded.test_people import in_order_of_time, ledger_of

_read = msgspec.json.Decoder(Finding).decode
Visit = Callable[[str], Browser]


@pytest.fixture(scope="module")
def fold(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[EmbeddedFold, Warehouse]]:
    store = ChdbWarehouse(tmp_path_factory.mktemp("patterns") / "warehouse")
    store.migrate()
    fold = EmbeddedFold(ledger_of(list(in_order_of_time())), store)
    fold.catch_up()
    yield fold, store
    store.close()


@pytest.fixture
def suspicion(fold: tuple[EmbeddedFold, Warehouse]) -> Finding:
    """The suspicion about the dealer who overpays."""
    rows = fold[1].query(
        "SELECT record FROM findings FINAL WHERE check_id = 'pattern.dealer_mispay.for_patrons'"
    )
    return _read(rows[0][0])


@pytest.fixture
def visit(console: Console, accounts: Accounts, fold: tuple[EmbeddedFold, Warehouse]) -> Iterator[Visit]:
    """A browser in which somebody is signed in, at a console over the store."""
    paging = Paging(ONE_PAGE, lambda: 2)
    shown = dataclasses.replace(console, records=fold[1], patterns=paging.families, page_budget=paging.asked)
    with browser_of(shown) as browser:

        def sign_in(name: str) -> Browser:
            browser.cookies.set("__Host-catwalk", accounts.sign_ins.begin(name))
            browser.headers["origin"] = ORIGIN
            return browser

        yield sign_in


def test_suspicions_that_there_are_and_only_those_are_shown(
    visit: Visit, console: Console, suspicion: Finding
) -> None:
    assert visit("hale").get(f"/patterns/{suspicion.finding_id}").status_code == 200
    assert visit("hale").get("/patterns/unheard-of").status_code == 404
    page = visit("hale").get("/patterns").text
    assert suspicion.message.replace("'", "&#39;") in page
    assert "waits here: pages at 10,000 to 1" in page, "nobody has raised it in this console"


def test_who_is_not_to_know_of_a_dealer_is_told_of_no_suspicion_about_her(
    visit: Visit, console: Console, suspicion: Finding
) -> None:
    console.desk.note(Withheld(user="hale", kind="dealer", value="D-011"), "ann")
    assert "D-011" not in visit("hale").get("/patterns").text
    assert visit("hale").get(f"/patterns/{suspicion.finding_id}").status_code == 404
    assert "D-011" in visit("ito").get("/patterns").text


def test_an_alert_says_where_the_suspicion_stands_now_and_that_one_is_made_no_more(
    visit: Visit, console: Console, suspicion: Finding, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Evidence that was weighed in another order is enough at another event."""
    elsewhere = replace(suspicion, finding_id="b" * 32, sequence=suspicion.sequence + 7)
    of_another = replace(suspicion, finding_id="c" * 32, about={"dealer": "D-9"})
    console.desk.raise_alerts([Raised(finding=one, decided_at=T0) for one in (elsewhere, of_another)])
    stands = f"Table {suspicion.subject}, event {suspicion.sequence:,}."
    told = visit("hale").get(f"/api/alerts/{elsewhere.finding_id}").json()["said_now"]
    assert [one.endswith(f" Suspected, no money. {stands}") for one in told] == [True]
    page = html.unescape(visit("hale").get(f"/alerts/{elsewhere.finding_id}/panel").text)
    assert f"The record, read anew, says: {told[0]} The alert stands in the words" in page
    assert "said_now" not in visit("hale").get(f"/api/alerts/{of_another.finding_id}").json()
    console.desk.raise_alerts([Raised(finding=suspicion, decided_at=T0)])
    assert "said_now" not in visit("hale").get(f"/api/alerts/{suspicion.finding_id}").json()
    assert visit("hale").get(f"/api/alerts/{elsewhere.finding_id}").json()["said_now"] == []
    monkeypatch.setattr(said_now, "_WEIGHED", dt.timedelta(seconds=-1))
    assert visit("hale").get(f"/api/alerts/{of_another.finding_id}").json()["said_now"] == []
    page = visit("hale").get(f"/alerts/{of_another.finding_id}/panel").text
    assert "The record, read anew, gives no such finding. The alert stands in the words" in page


def test_a_store_that_is_away_or_empty_is_said(console: Console, accounts: Accounts) -> None:
    class Away:
        def query(self, *_asked: object) -> list[tuple[object, ...]]:
            raise ConnectionError("no store")

    for records, status, said in ((Away(), 503, "does not answer"), (NoRecords(), 200, "No suspicion")):
        with browser_of(dataclasses.replace(console, records=records)) as browser:
            browser.cookies.set("__Host-catwalk", accounts.sign_ins.begin("hale"))
            answer = browser.get("/patterns")
            assert (answer.status_code, said in answer.text) == (status, True)
            assert browser.get("/patterns/x").status_code == (503 if status == 503 else 404)


def test_rounds_that_weigh_most_are_those_the_detector_names_or_those_of_its_events(
    fold: tuple[EmbeddedFold, Warehouse], suspicion: Finding
) -> None:
    named = weighty_rounds(fold[1], suspicion)
    assert {one.table for one in named} == {"S-1", "S-2"}
    assert all(one.path == f"/hands/{one.table}/{one.round}" for one in named)
    bare = replace(suspicion, observed={"hands": 9})
    of_events = weighty_rounds(fold[1], bare)
    assert of_events[-1].round == suspicion.round
    assert all("first=" in one.path for one in of_events)
    assert course_of(suspicion)[-1][1] == suspicion.e_value
    assert course_of(bare) == course_of(replace(suspicion, observed={"evidence": [["x", 1]]})) == ()


def test_a_budget_is_divided_among_the_families_and_its_promise_is_what_it_says() -> None:
    for tables, shifts in ((1, 1), (40, 1), (5_000, 1), (5_000, 30)):
        for budget in (ONE_PAGE, Budget(0.01), Budget(1.0, {"pace": 0.5, "counting": 0.0})):
            prices = [budget.price(family, tables, shifts) for family in FAMILIES.values()]
            assert sum(one.pages for one in prices) <= shifts * budget.pages * (1 + 1e-9)
            for one in prices:
                assert one.page_at is None or one.page_at >= one.raised_at == 1e4
                assert one.page_at is None or one.pages * one.page_at == pytest.approx(tables)
            never = [one.family for one in prices if one.page_at is None]
            assert never == (["counting"] if budget.families else [])
    assert ONE_PAGE.price(FAMILIES["pace"], 600).page_at == 1e4, "with one page a shift a property pages all"


@pytest.mark.parametrize(
    "words", ["pace", "pace=much", "pace=-1", "nobody=1", "pace=0.7,counting=0.7", "pace=nan", "pace=inf"]
)
def test_a_budget_that_cannot_be_divided_is_refused_in_one_line(words: str) -> None:
    with pytest.raises(UserError, match="pattern_pages_of"):
        budget_in(Settings(pattern_pages_of=words))
    assert budget_in(Settings(pattern_pages=2, pattern_pages_of="pace=0.5, counting=0")).families == {
        "pace": 0.5, "counting": 0.0
    }  # fmt: skip


def test_what_does_not_page_waits_and_is_raised_once_when_its_evidence_has_grown(
    console: Console, fold: tuple[EmbeddedFold, Warehouse], suspicion: Finding
) -> None:
    desk = console.desk
    e_value = suspicion.e_value
    assert isinstance(e_value, float)
    paging = Paging(Budget(1 / e_value, {"dealer_mispay": 0.5 / e_value}), lambda: 2)
    raising = Raising(desk, paging)
    breach = replace(suspicion, finding_id="f" * 32, check="settlement.stake", verdict="breached")
    raising.raise_alerts([Raised(finding=one, decided_at=T0) for one in (suspicion, breach)])
    assert [one.id for one in desk.snapshot().alerts] == [breach.finding_id]
    raising.raise_grown(lambda _: 3 * e_value)
    assert [one.id for one in desk.snapshot().alerts] == [breach.finding_id]
    raising.raise_grown(lambda _: 5 * e_value)
    assert {one.id for one in desk.snapshot().alerts} == {breach.finding_id, suspicion.finding_id}
    assert not paging.waits
    assert paging.shifts == 1
    grown = fold[0].evidence(suspicion)
    assert grown >= e_value
    assert fold[0].evidence(breach) == 0.0


def _close(console: Console, suspicion: Finding, disposition: Disposition) -> None:
    alert = console.desk.alert(suspicion.finding_id)
    assert alert is not None
    if not alert.open:
        console.desk.act(Reopened(alert=alert.id, version=alert.version, reason="look again"), "hale")
        alert = console.desk.alert(alert.id)
        assert alert is not None
    act = Disposed(alert=alert.id, version=alert.version, disposition=disposition, note="looked at")
    console.desk.act(act, "hale")


def _calibration(visit: Visit, month: str = "all", family: str = "dealer_mispay") -> dict[str, str]:
    rows = csv.DictReader(io.StringIO(visit("hale").get("/patterns/calibration.csv").text))
    [line] = [row for row in rows if (row["month"], row["family"]) == (month, family)]
    return line


OUTCOMES = ("waiting", "open", "confirmed", "dismissed")


def test_the_calibration_counts_what_people_made_of_suspicions_beside_what_was_promised(
    visit: Visit, console: Console, suspicion: Finding, fold: tuple[EmbeddedFold, Warehouse]
) -> None:
    def stands() -> list[str]:
        line = _calibration(visit)
        assert (line["tables"], line["promised_false"], line["raised"]) == ("2", "0.0002", "1")
        return [name for name in OUTCOMES if line[name] == "1"]

    assert stands() == ["waiting"]
    console.desk.raise_alerts([Raised(finding=suspicion, decided_at=T0)])
    assert stands() == ["open"]
    _close(console, suspicion, "dealer error")
    assert stands() == ["confirmed"]
    _close(console, suspicion, "sensor fault")
    assert stands() == ["dismissed"], "the dealer was not to blame"
    _close(console, suspicion, "no error")
    assert stands() == ["dismissed"]
    assert _calibration(visit)["chance_of_dismissed"] == "0.0002"
    page = visit("hale").get("/patterns/calibration").text
    assert "<b>1</b> was raised: people confirmed 0 and dismissed 1; 0 are open" in page
    assert "So far 2 tables played, each watched by 16 families. Were all honest" in page
    assert "at most <b>0.0032</b> suspicions" in page, "32 streams at a level of 1 in 10,000"
    assert (
        "Averaged over the one day from the first round to the last, this is no more than one in 312 days."
        in page
    )
    assert "at most <b>0.0032</b> false ones would be expected in the one shift so far" in page, (
        "all may page"
    )
    assert 'the <a href="/patterns/budget">budget</a> allows 1 a shift' in page
    assert "1 of the suspicions came to the desk, and 1 of these was dismissed" in page
    [(decided,)] = fold[1].query(
        "SELECT decided_at FROM findings FINAL WHERE finding_id = {id:String}", {"id": suspicion.finding_id}
    )
    month = f"{decided:%Y-%m}"
    assert _calibration(visit, month)["dismissed"] == "1"
    assert f'"/patterns/calibration?month={month}"' in page
    asked = f"/patterns?family=dealer_mispay&month={month}&outcome="
    opened = visit("hale").get("/patterns/calibration", params={"month": month}).text
    assert f"By the end of {decided:%B %Y} 2 tables had played" in opened
    assert html.escape(asked + "dismissed") in opened, "a figure opens what it counts"
    assert "1 suspicion, the highest" in visit("hale").get(asked + "dismissed").text
    assert "No such suspicion" in visit("hale").get(asked + "confirmed").text
    assert "No such suspicion" in visit("hale").get("/patterns?family=dealer_mispay&month=2001-01").text
    for odd in ("/patterns?month=May", "/patterns?outcome=odd", "/patterns/calibration?month=2026-13"):
        assert visit("hale").get(odd).status_code == 400


def test_the_calibration_counts_what_its_reader_may_see(
    visit: Visit, console: Console, suspicion: Finding
) -> None:
    console.desk.note(Withheld(user="hale", kind="dealer", value="D-011"), "ann")
    assert (_calibration(visit)["raised"], _calibration(visit)["tables"]) == ("0", "2")
    console.desk.note(Withheld(user="hale", kind="table", value="S-1"), "ann")
    assert _calibration(visit)["tables"] == "1"


def test_a_suspicion_that_the_desk_alone_still_has_is_counted_and_opens(
    console: Console, accounts: Accounts, suspicion: Finding
) -> None:
    """A fold of another version raised it, and the store in force does not hold it."""
    console.desk.raise_alerts([Raised(finding=suspicion, decided_at=T0)])
    with browser_of(dataclasses.replace(console, patterns=Paging(ONE_PAGE, lambda: 2).families)) as browser:
        browser.cookies.set("__Host-catwalk", accounts.sign_ins.begin("hale"))
        page = browser.get("/patterns/calibration").text
        assert "<b>1</b> was raised" in page
        assert browser.get(f"/patterns/{suspicion.finding_id}").status_code == 200


def test_nothing_to_hold_the_promise_against_is_said(console: Console, accounts: Accounts) -> None:
    with browser_of(console) as browser:
        browser.cookies.set("__Host-catwalk", accounts.sign_ins.begin("hale"))
        assert "Nothing to hold the promise against" in browser.get("/patterns/calibration").text


def _words_of(report: bytes) -> str:
    """What a reader of the file reads, in one line."""
    reader = importlib.import_module("pypdf").PdfReader(io.BytesIO(report))
    return " ".join(" ".join(page.extract_text() for page in reader.pages).split())


def test_a_suspicion_is_printed_for_a_file_with_all_it_rests_on_and_its_hash_is_kept(
    visit: Visit, console: Console, suspicion: Finding, fold: tuple[EmbeddedFold, Warehouse]
) -> None:
    path = f"/patterns/{suspicion.finding_id}/report.pdf"
    assert f'href="{path}"' in visit("hale").get(f"/patterns/{suspicion.finding_id}").text
    console.desk.raise_alerts([Raised(finding=suspicion, decided_at=T0)])
    answer = visit("hale").get(path)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/pdf")
    digest = hashlib.sha256(answer.content).hexdigest()
    assert answer.headers["x-content-sha256"] == digest
    [kept] = [line for line in console.desk.lines(1, 100) if b'"export"' in line]
    assert f"report of pattern {suspicion.finding_id} as pdf, sha256 {digest}".encode() in kept
    words = _words_of(answer.content)
    family = FAMILIES["dealer_mispay"]
    told = (suspicion.message, "dealer D-011", suspicion.finding_id, "hale", "20 Nov 2026 20:00:00 UTC")
    for each in (*told, family.null, family.bound, *family.innocent, *family.blind, "0.0001: false on"):
        assert "".join(each.split()) in "".join(words.split()), each
    close = "".join(words.split())
    weighty = weighty_rounds(fold[1], suspicion)
    assert 1 <= len(weighty) <= 10
    for one in weighty:
        [head] = fold[1].query(
            "SELECT head FROM rounds FINAL WHERE subject = {subject:String} AND round = {round:UInt32}",
            {"subject": one.table, "round": one.round},
        )
        assert f"{one.table}round{one.round}" in close
        assert head[0] in close
    for table in {one.table for one in weighty}:
        first, last = re.search(rf"Events(\d+)to(\d+)of{table}", close).groups()  # type: ignore[union-attr]
        lines = fold[1].query(
            "SELECT line FROM events FINAL WHERE subject = {subject:String} AND sequence IN ({a:UInt32}, {b:UInt32})"
            " ORDER BY sequence",
            {"subject": table, "a": int(first), "b": int(last)},
        )
        before = json.loads(lines[0][0])["prevhash"]
        assert f"Headbefore:{before}Headafter:{record_hash(lines[1][0].encode())}" in close
    console.desk.note(Withheld(user="hale", kind="dealer", value="D-011"), "ann")
    assert visit("hale").get(path).status_code == 404


def test_the_commands_that_a_printed_suspicion_names_are_commands_with_these_options(
    suspicion: Finding,
) -> None:
    families = Paging(ONE_PAGE, lambda: 2).families()
    row = SuspicionRow(suspicion.finding_id, T0, msgspec.json.encode(suspicion).decode())
    shown = suspicion_of(row, families)
    since = EvidenceSince(now=None, further=None, course=course_of(suspicion), why="not known")
    printing = Printing(shown, SuspicionProof(rounds=(), ranges=()), since, None, dt.UTC, "hale", T0)
    for command, _ in suspicion_content(printing).commands:
        _, name, *words = command.split()
        known = {option for parameter in COMMANDS[name].load().params for option in parameter.opts}
        assert {word for word in words if word.startswith("--")} <= known, command
    strange = msgspec.structs.replace(shown, family=None)
    bare = dataclasses.replace(printing, shown=strange)
    assert "has no detector of this name" in _words_of(suspicion_report(bare))
    assert "It waits in the list" in _words_of(suspicion_report(bare))


def test_what_waits_pages_once_enough_shifts_have_paid_for_it_whatever_order_they_are_read_in(
    log: SqliteDeskLog, clock: Clock, suspicion: Finding
) -> None:
    e_value = suspicion.e_value
    assert isinstance(e_value, float)
    budget = Budget(1.0, {"dealer_mispay": 2 / e_value / 2.5})  # two tables: paid for in the third shift
    breaches = [
        Raised(
            finding=replace(suspicion, finding_id=f"{n:032x}", check="settlement.stake", verdict="breached"),
            decided_at=T0 + n * dt.timedelta(hours=3),
        )
        for n in range(1, 7)
    ]
    first = Raised(finding=suspicion, decided_at=T0)
    for order in ([first, *breaches], [*reversed(breaches), first]):
        desk = Desk(log, clock)
        paging = Paging(budget, lambda: 2)
        raising = Raising(desk, paging)
        waited = []
        for one in order:
            raising.raise_alerts([one])
            raising.raise_grown(lambda _: 0.0)
            waited.append(paging.waits)
        # 20:00, and then every three hours: spans of eight hours begin at midnight, at 8 and at 16 o'clock of UTC.
        assert waited == ([True] * 4 + [False] * 3 if order[0] is first else [False] * 7)
        assert paging.shifts == 3
        assert desk.alert(suspicion.finding_id) is not None


def test_the_page_of_the_budget_says_what_a_setting_costs_and_what_another_would(visit: Visit) -> None:
    page = visit("hale").get("/patterns/budget").text
    assert "The settings allow <b>1</b> false page a shift" in page
    assert "At 2 tables and after 1 shift it costs at most <b>0.0032</b> expected false pages so far" in page
    tried = visit("hale").get("/patterns/budget?pages=1e-4&own=pace=0").text
    assert "This budget would allow <b>0.0001</b> false pages a shift, of them pace=0" in tried
    assert "at most <b>0.0001</b> expected false pages so far" in tried
    assert "never" in tried
    for odd in ("pages=many", "pages=-1", "pages=inf", "own=nobody=1", "own=pace=2"):
        answer = visit("hale").get(f"/patterns/budget?{odd}")
        assert (answer.status_code, 'class="wrong"' in answer.text) == (400, True), odd
