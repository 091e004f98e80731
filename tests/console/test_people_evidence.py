"""Evidence on the pages of dealers, patrons and tables: all families, also below an alarm, as the fold holds it."""

from __future__ import annotations

import base64
import dataclasses
import datetime as dt
import html
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from dashboards.accounts.accounts import Accounts
from dashboards.ledger.acts import Raised, Withheld
from dashboards.people.page import AWAITED, UNREADABLE
from dashboards.reader.search import SpanRow
from dashboards.suspicions.evidence import NOT_DUE, CourseOfEvidence, EvidenceAwaited, EvidenceHeld
from dashboards.web.console import Console
from deploy.console.paging import Paging
from deploy.evidence.followed import FollowedPeople, KnownState
from deploy.evidence.stored import StoredEvidence
from processors.detectors.family import FAMILIES
from processors.detectors.paging import ONE_PAGE
from processors.runtime.embedded.fold import EmbeddedFold
from processors.runtime.store.chdb_warehouse import ChdbWarehouse
from schemas.answers import FOLD_VERSION
from schemas.findings import Finding
from tests.console.apps import browser_of
from tests.console.conftest import ORIGIN, Browser
from tests.console.desk_building import T0, a_finding
from tests.console.test_people import text_of
from tests.embedded.test_people import in_order_of_time, ledger_of

Visit = Callable[[str], Browser]
DEALER = "D-011"


@pytest.fixture(scope="module")
def fold(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[EmbeddedFold, ChdbWarehouse]]:
    store = ChdbWarehouse(tmp_path_factory.mktemp("evidence") / Path("warehouse"))
    store.migrate()
    fold = EmbeddedFold(ledger_of(list(in_order_of_time())), store)
    fold.catch_up()
    yield fold, store
    store.close()


@pytest.fixture
def shown(console: Console, fold: tuple[EmbeddedFold, ChdbWarehouse]) -> Console:
    store = fold[1]
    families = Paging(ONE_PAGE, lambda: 2).families
    return dataclasses.replace(console, records=store, patterns=families, evidence=StoredEvidence(store))


@pytest.fixture
def visit(shown: Console, accounts: Accounts) -> Iterator[Visit]:
    with browser_of(shown) as browser:
        yield signing_in(browser, accounts)


def signing_in(browser: Browser, accounts: Accounts) -> Visit:
    def sign_in(name: str) -> Browser:
        browser.cookies.set("__Host-catwalk", accounts.sign_ins.begin(name))
        browser.headers["origin"] = ORIGIN
        return browser

    return sign_in


def evidence_in(page: str) -> str:
    return _section(page, "evidence")


def test_what_the_store_tells_is_what_the_fold_holds(fold: tuple[EmbeddedFold, ChdbWarehouse]) -> None:
    live, store = fold
    people = [one for one in live.people.standings() if one.about.get("dealer") == DEALER]
    tables = [
        one
        for subject, pipeline in live.tables.items()
        if pipeline.detectors is not None
        for one in pipeline.detectors.standings(subject)
    ]
    held = [*people, *(one for one in tables if one.about.get("dealer") == DEALER)]
    told = StoredEvidence(store)("dealer", DEALER, tuple(live.tables)).standings
    assert sorted((str(one.about), one.e_value, one.highest, one.rounds) for one in told) == sorted(
        (str(one.about), one.e_value, one.highest, one.rounds) for one in held
    )
    assert any(one.raised for one in told)
    assert any(not one.raised and one.highest < one.alarm_at for one in told)
    for one in told:
        assert not one.course or one.course[-1][1] == one.e_value
    assert any(len(one.course) > 3 for one in told)
    at_table = StoredEvidence(store)("table", "S-1", ("S-1",)).standings
    assert {str(one.about["table"]) for one in at_table} == {"S-1"}
    assert StoredEvidence(store)("patron", "nobody", ()) == EvidenceHeld()


def test_a_page_has_a_row_for_each_family_and_says_where_nothing_is_known(visit: Visit) -> None:
    paths = (f"/dealers/{DEALER}", "/tables/S-1/history")
    for path in paths:
        told = evidence_in(visit("hale").get(path).text)
        titles = set(re.findall(r'<th scope="row">([^<]*)</th>', told))
        assert len(titles) == len(FAMILIES) == 16
        assert "due at 10,000 to 1" in told
    dealer = text_of(evidence_in(visit("hale").get(paths[0]).text))
    assert "Dealer mispay For patrons" in dealer
    assert "raised" in dealer
    assert "Counting says nothing of a dealer: it is about patron" in dealer
    assert "Inventory drift says nothing of a dealer" in dealer
    assert "Dealer mispay says nothing of a table" in text_of(evidence_in(visit("hale").get(paths[1]).text))


def test_who_reads_no_suspicions_and_who_may_not_know_of_somebody_see_no_evidence(
    visit: Visit, shown: Console, fold: tuple[EmbeddedFold, ChdbWarehouse]
) -> None:
    assert "Evidence of patterns" not in visit("fay").get(f"/dealers/{DEALER}").text
    pairs = [one for one in fold[0].people.standings() if {"dealer", "player"} == one.about.keys()]
    with_patron = next((str(one.about["player"]) for one in pairs if one.about["dealer"] == DEALER), "")
    told = evidence_in(visit("hale").get(f"/dealers/{DEALER}").text)
    assert with_patron, "somebody was held against the dealer"
    shown.desk.note(Withheld(user="hale", kind="patron", value=with_patron), "ann")
    assert f"patron {with_patron}<" not in evidence_in(visit("hale").get(f"/dealers/{DEALER}").text)
    assert "Dealer mispay" in told


def test_a_console_that_cannot_read_the_detectors_state_says_so(shown: Console, accounts: Accounts) -> None:
    def broken(*_asked: object) -> EvidenceHeld:
        raise ValueError("of another release")

    def awaited(*_asked: object) -> EvidenceHeld:
        raise EvidenceAwaited

    for evidence, why in ((awaited, AWAITED), (broken, UNREADABLE)):
        with browser_of(dataclasses.replace(shown, evidence=evidence)) as browser:
            page = signing_in(browser, accounts)("hale").get(f"/dealers/{DEALER}")
            assert page.status_code == 200
            assert why.replace("'", "&#39;") in page.text


@pytest.mark.parametrize(
    ("family", "said"),
    [
        ("dealer_mispay", "Dealer mispay could not be read : whether there is any evidence is not known"),
        ("past_posting", "Past posting says nothing of a dealer"),
        ("collusion", "Collusion could not be read : whether"),
    ],
)
def test_a_page_says_of_which_family_the_evidence_could_not_be_read(
    visit: Visit, monkeypatch: pytest.MonkeyPatch, family: str, said: str
) -> None:
    of = FAMILIES[family]
    assert of.entity is not None
    whole = text_of(evidence_in(visit("hale").get(f"/dealers/{DEALER}").text))
    assert "could not be read" not in whole
    monkeypatch.setitem(FAMILIES, family, replace(of, entity=replace(of.entity, standing=_broken)))
    told = text_of(evidence_in(visit("hale").get(f"/dealers/{DEALER}").text))
    assert said in told
    assert told.count("could not be read") == ("could not" in said)
    assert ("Dealer mispay For patrons" in told) == (family != "dealer_mispay")


def test_a_state_that_cannot_be_read_hides_no_other(shown: Console, accounts: Accounts) -> None:
    key, at = f"dealer:{DEALER}", dt.datetime(2026, 11, 30, 9, tzinfo=dt.UTC)
    rows = shown.records.query(
        "SELECT snapshot_base64 FROM progress FINAL WHERE subject = {key:String}", {"key": key}
    )
    whole = KnownState(key, FOLD_VERSION, base64.b64decode(rows[0][0]))
    torn = KnownState(f"{key}|player:P-1", FOLD_VERSION, whole.state[:-9])
    garbled = torn._replace(state=whole.state.replace(DEALER.encode(), b"\xff" * len(DEALER)))
    none = KnownState(f"{key}|player:P-2", 0, b"")
    for broken in (torn, garbled, none):
        evidence = StoredEvidence(shown.records, _Following([whole, broken], at))
        with browser_of(dataclasses.replace(shown, evidence=evidence)) as browser:
            page = signing_in(browser, accounts)("hale").get(f"/dealers/{DEALER}").text
        told = text_of(evidence_in(page))
        assert "Dealer mispay For patrons" in told
        assert "Dealer mispay not all" not in told
        assert "Collusion could not be read : whether there is any evidence is not known" in told
    with pytest.raises(ValueError, match="fold 1 wrote the state"):
        StoredEvidence(shown.records, _Following([whole._replace(fold=1)], at))("dealer", DEALER, ())


def test_a_tables_state_that_cannot_be_read_is_said_of_the_families_that_judge_at_the_table(
    shown: Console, accounts: Accounts
) -> None:
    class Torn:
        def query(self, sql: str, parameters: Any = None) -> list[tuple[Any, ...]]:
            rows = shown.records.query(sql, parameters)
            torn = base64.b64encode(b"no state").decode()
            return [(*row[:-1], torn) for row in rows] if "snapshot_base64" in sql else rows

    evidence = StoredEvidence(Torn())
    with browser_of(dataclasses.replace(shown, evidence=evidence)) as browser:
        told = text_of(evidence_in(signing_in(browser, accounts)("hale").get("/tables/S-1/history").text))
    judged = {
        one.title
        for one in Paging(ONE_PAGE, lambda: 2).families().values()
        if evidence("table", "S-1", ("S-1",)).unread >= {one.name} and "table" in one.about
    }
    assert {"Sensor health", "Inventory drift"} <= judged
    for title in judged:
        assert f"{title} could not be read" in told
    assert "Dealer mispay says nothing of a table" in told


class _Following(FollowedPeople):
    """States of people as they were followed."""

    def __init__(self, known: list[KnownState], read_at: dt.datetime) -> None:
        self._told = known, read_at

    def of(self, _name: str, _most: int) -> tuple[list[KnownState], dt.datetime | None]:
        return self._told


def _broken(*_asked: object) -> Any:
    raise ZeroDivisionError


def test_a_page_says_up_to_when_people_were_read_and_behind_which_event_a_table_stands(
    shown: Console, accounts: Accounts
) -> None:
    at = dt.datetime(2026, 11, 30, 9, 4, 11, tzinfo=dt.UTC)

    def read(*asked: Any) -> EvidenceHeld:
        return replace(shown.evidence(*asked), read_at=at)

    with browser_of(dataclasses.replace(shown, evidence=read)) as browser:
        visit = signing_in(browser, accounts)
        dealer = evidence_in(visit("hale").get(f"/dealers/{DEALER}").text)
        assert 'read up to <time datetime="2026-11-30T09:04:11' in dealer
    with browser_of(shown) as browser:
        visit = signing_in(browser, accounts)
        assert "read up to" not in evidence_in(visit("hale").get(f"/dealers/{DEALER}").text)
        table = evidence_in(visit("hale").get("/tables/S-1/history").text)
        [last, *_] = sorted(
            {one.up_to for one in shown.evidence("table", "S-1", ("S-1",)).standings if one.up_to}
        )
        assert "is that behind the table’s event of" in table
        assert f"{last:%Y-%m-%dT%H:%M:%S}" in table


def test_a_page_of_somebody_leads_to_the_suspicions_that_name_them(
    visit: Visit, shown: Console, fold: tuple[EmbeddedFold, ChdbWarehouse]
) -> None:
    [one] = _suspected(fold)
    shown.desk.raise_alerts([Raised(finding=one, decided_at=T0, dealer=DEALER)])
    link = f'<a href="/patterns/{one.finding_id}">'
    for path in (f"/dealers/{DEALER}", f"/tables/{one.subject}/history"):
        page = html.unescape(visit("hale").get(path).text)
        told = _section(page, "suspicions")
        assert f"{link}Dealer mispay: for patrons</a>" in told, path
        assert "Suspicions: 1" in told
        assert f'<a href="/alerts/{one.finding_id}">New</a>' in told
        assert one.message in told
    evidence = evidence_in(visit("hale").get(f"/dealers/{DEALER}").text)
    assert f"{link}<strong>raised</strong></a>" in evidence
    assert evidence.count("<strong>raised") == 1


def test_who_may_not_see_a_suspicion_is_led_to_none(
    visit: Visit, shown: Console, fold: tuple[EmbeddedFold, ChdbWarehouse]
) -> None:
    [one] = _suspected(fold)
    path = f"/dealers/{DEALER}"
    assert "/patterns/" not in visit("fay").get(path).text
    shown.desk.raise_alerts([Raised(finding=one, decided_at=T0, dealer=DEALER)])
    shown.desk.note(Withheld(user="hale", kind="alert", value=one.finding_id), "ann")
    page = visit("hale").get(path).text
    assert one.finding_id not in page
    assert "<strong>raised</strong>" in evidence_in(page)


def test_open_alerts_have_suspicions_before_newer_ones(
    visit: Visit, shown: Console, fold: tuple[EmbeddedFold, ChdbWarehouse]
) -> None:
    [one] = _suspected(fold)
    newer = [
        Raised(
            finding=replace(a_finding(number + 1, subject=one.subject), finding_id=f"{number:032x}"),
            decided_at=T0 + dt.timedelta(minutes=number),
            dealer=DEALER,
        )
        for number in range(30)
    ]
    shown.desk.raise_alerts([Raised(finding=one, decided_at=T0, dealer=DEALER), *newer])
    told = _section(visit("hale").get(f"/dealers/{DEALER}").text, "alerts")
    assert re.findall(r'href="/alerts/(\w+)"', told)[0] == one.finding_id
    assert "Suspicions first, then the newest: 25 of 31" in told


@pytest.mark.parametrize(("highest", "said"), [(1.1e88, True), (9e3, False)])
def test_a_page_says_why_high_evidence_raises_no_suspicion(
    shown: Console, accounts: Accounts, highest: float, said: bool
) -> None:
    one_way = CourseOfEvidence(
        family="dealer_mispay", variant="careless", about={"dealer": DEALER}, e_value=highest, highest=highest,
        alarm_at=1e4, rounds=900, raised=False, due=False,
    )  # fmt: skip
    for standing, told in ((one_way, said), (replace(one_way, due=True), False)):
        held = EvidenceHeld(standings=(standing,))
        with browser_of(dataclasses.replace(shown, evidence=lambda *_, held=held: held)) as browser:
            page = signing_in(browser, accounts)("hale").get(f"/dealers/{DEALER}").text
        words = text_of(evidence_in(page))
        assert ("raises none: fewer than a quarter of the errors go the other way" in words) == told
        assert ("due at 10,000 to 1" in words) != told


def test_what_the_detectors_keep_from_rising_is_kept_so_on_the_page(
    fold: tuple[EmbeddedFold, ChdbWarehouse],
) -> None:
    """The dealer overpays and never underpays."""
    told = StoredEvidence(fold[1])("dealer", DEALER, ()).standings
    due = {one.variant: one.due for one in told if one.family == "dealer_mispay"}
    assert due == {"for patrons": True, "for house": True, "careless": False}


def test_words_why_nothing_is_raised_are_of_checks_that_there_are() -> None:
    checks = {f"{name}.{variant}" for name, family in FAMILIES.items() for variant in family.variants}
    assert NOT_DUE.keys() <= checks


@pytest.fixture
def long_ago(monkeypatch: pytest.MonkeyPatch) -> None:
    """The newest round of the store ended a year after all that anybody here played."""
    newest = dt.datetime(2028, 1, 1, tzinfo=dt.UTC)
    row = SpanRow(newest - dt.timedelta(days=900), newest, 1)

    class Later:
        def ask(self, _reader: object) -> list[SpanRow]:
            return [row]

    monkeypatch.setattr("dashboards.people.whose.span_of_rounds", Later)


@pytest.mark.usefixtures("long_ago")
def test_evidence_suspicions_and_open_alerts_are_of_the_person_and_not_of_the_days(
    visit: Visit, shown: Console, fold: tuple[EmbeddedFold, ChdbWarehouse]
) -> None:
    [one] = _suspected(fold)
    shown.desk.raise_alerts([Raised(finding=one, decided_at=T0, dealer=DEALER)])
    page = visit("hale").get(f"/dealers/{DEALER}").text
    assert "No round in these 30 days" in page
    assert f'<a href="/patterns/{one.finding_id}">Dealer mispay' in _section(page, "suspicions")
    assert "due at 10,000 to 1" in evidence_in(page)
    assert f"/alerts/{one.finding_id}" in _section(page, "alerts")
    assert 'id="of-disputes"' in page
    assert not any(f'id="of-{name}"' in page for name in ("errors", "findings", "hands", "days"))
    at_tables = {one.family for one in shown.evidence("dealer", DEALER, ("S-1",)).standings if one.up_to}
    told = text_of(evidence_in(page))
    assert at_tables, "of a dealer a table holds evidence, too"
    for family in at_tables:
        assert f"{family.replace('_', ' ').capitalize()} says nothing" not in told
        assert f"{family.replace('_', ' ').capitalize()} nothing known yet" not in told


def _suspected(fold: tuple[EmbeddedFold, ChdbWarehouse]) -> list[Finding]:
    """The suspicions that name the dealer who overpays."""
    rows = fold[1].query("SELECT record FROM findings FINAL WHERE check_id LIKE 'pattern.%'")
    found = [msgspec.json.decode(record, type=Finding) for (record,) in rows]
    return [one for one in found if isinstance(one.about, dict) and one.about.get("dealer") == DEALER]


def _section(page: str, name: str) -> str:
    return page.partition(f'id="of-{name}"')[2].partition("</section>")[0]
