"""The pages of dealers, patrons and tables: what they say, who reads them, and what is kept of each look."""

from __future__ import annotations

import dataclasses
import datetime as dt
import html
import re
from collections.abc import Callable

import msgspec
import pytest

from dashboards.accounts.accounts import Accounts
from dashboards.ledger.acts import Raised, Withheld
from dashboards.reader.search import SpanRow
from dashboards.web.console import Console, NoRecords
from dashboards.wording.short_titles.title import short_title
from deploy.configured.desk_ledger import SqliteDeskLog
from processors.runtime.store.warehouse import Warehouse
from schemas.findings import Finding
from tests.console.apps import browser_of
from tests.console.conftest import Browser
from tests.console.desk_building import T0
from tests.console.disputing import open_one
from tests.console.hands_building import console, kept, listed, store

__all__ = ["console", "store"]
SignedIn = Callable[[str], Browser]


def dealer_of(store: Warehouse, table: str) -> str:
    [(dealer,)] = store.query("SELECT any(dealer) FROM rounds WHERE subject = {s:String}", {"s": table})
    return str(dealer)


def patrons_of(store: Warehouse, table: str) -> list[str]:
    asked = "SELECT DISTINCT patron FROM patrons WHERE subject = {s:String} ORDER BY patron"
    return [patron for (patron,) in store.query(asked, {"s": table})]


def text_of(page: str) -> str:
    return " ".join(re.sub(r"<[^>]*>", " ", page).split())


def test_a_dealers_page_tells_rounds_errors_and_findings_and_leads_to_the_hands(
    signed_in: SignedIn, store: Warehouse
) -> None:
    answer = signed_in("hale").get(f"/dealers/{dealer_of(store, 'BJ-12')}")
    assert answer.status_code == 200
    told = text_of(answer.text)
    assert "Rounds 38 , 1 breached" in told
    assert "Owed to patrons 0 $0.00 0.00 Overpaid 2 $125.00" in told
    assert "Findings: 2" in told
    assert "Hand 6.1 was paid $200.00; $100.00 was due" in told
    assert "overpaid $100.00" in told
    assert re.search(r'href="/hands/BJ-12/1\?first=\d+&amp;at=\d+">round 1</a>, seat 6', answer.text)
    assert 'href="/hands?dealer=D-301"' in answer.text
    assert '<a href="/tables/BJ-19">BJ-19</a>' in answer.text


def test_a_patrons_page_tells_of_the_patrons_own_hands_alone(signed_in: SignedIn, store: Warehouse) -> None:
    browser = signed_in("hale")
    pages = {patron: browser.get(f"/players/{patron}").text for patron in patrons_of(store, "BJ-12")}
    overpaid = [patron for patron, page in pages.items() if "$100.00 was due" in page]
    assert len(overpaid) == 1, "seat 6 is one patron's"
    for patron, page in pages.items():
        errors = "Overpaid 1 $100.00" if patron in overpaid else "Overpaid 0 $0.00"
        assert errors in text_of(page), patron
        assert len(re.findall(r'<a href="/hands/[^"]*first=\d+">', page)) == min(
            10, len(_hands(browser, patron))
        )


def _hands(browser: Browser, patron: str) -> list[dict[str, object]]:
    return listed(browser, patron=patron)


def test_a_tables_history_has_findings_between_rounds_too_and_is_found_from_its_page(
    signed_in: SignedIn,
) -> None:
    browser = signed_in("hale")
    assert 'href="/tables/BJ-12/history"' in browser.get("/tables/BJ-12").text
    told = text_of(browser.get("/tables/BJ-12/history").text)
    assert "Overpaid 1 $100.00" in told
    assert "Findings: 1" in told


def test_findings_come_page_by_page(signed_in: SignedIn, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dashboards.people.facts.PAGE", 1)
    browser = signed_in("hale")
    first = browser.get("/dealers/D-301").text
    older = html.unescape(re.findall(r'rel="next" href="([^"]*)"', first)[0])
    second = browser.get(older).text
    paid, returned = "was paid $200.00", "$25.00 returned"
    assert (paid in first, returned in first) == (True, False)
    assert (paid in second, returned in second) == (False, True)
    assert 'rel="next"' not in second
    assert 'href="/dealers/D-301?days=30#findings">Newest findings' in second
    assert browser.get("/dealers/D-301?after=cut-short").status_code == 200


def test_alerts_and_disputes_about_somebody_stand_on_the_page(
    signed_in: SignedIn, console: Console, store: Warehouse
) -> None:
    [(record, at)] = store.query("SELECT record, decided_at FROM findings FINAL WHERE subject = 'BJ-12'")
    finding = msgspec.json.decode(record, type=Finding)
    console.desk.raise_alerts([Raised(finding=finding, decided_at=at, dealer="D-301")])
    browser = signed_in("hale")
    patron = next(p for p in patrons_of(store, "BJ-12") if "$100.00" in browser.get(f"/players/{p}").text)
    of_dispute = {"subject": "BJ-12", "round": 1, "seat": 6, "claimed_cents": 100}
    dispute = open_one(browser, **of_dispute, patron=patron)
    for path in ("/dealers/D-301", f"/players/{patron}", "/tables/BJ-12/history"):
        page = browser.get(path).text
        assert page.count(f'href="/alerts/{finding.finding_id}"') == 2, (
            "among the findings and the open alerts"
        )
        assert f'href="/disputes/{dispute.id}"' in page
        waiting = page.partition('id="of-alerts"')[2].partition("</section>")[0]
        assert short_title(finding) in waiting
        assert finding.check not in waiting
    others = [browser.get(path).text for path in ("/dealers/D-411", "/players/P-3", "/tables/BJ-19/history")]
    assert not any("/alerts/" in page or dispute.id in page for page in others)


def test_each_look_is_kept_with_whom_it_was_at(signed_in: SignedIn, log: SqliteDeskLog) -> None:
    paths = ("/dealers/D-301", "/players/P-0098", "/tables/BJ-12/history")
    for path in paths:
        signed_in("hale").get(path)
    for path in paths[:2]:
        signed_in("rex").get(path)
    looked = [("dealer D-301", True), ("patron P-0098", True), ("table BJ-12, its rounds", True)]
    assert kept(log, "hale") == looked
    assert kept(log, "rex") == [("dealer D-301", True), ("patron P-0098", False)]
    page = signed_in("rex").get("/dealers/D-301").text
    assert "$100.00 was due" not in page, "who sees no cards is told the check, the clauses and the money"
    assert "overpaid $100.00" in page
    assert "seat 6" not in page


def test_what_is_withheld_is_on_no_page(signed_in: SignedIn, console: Console, log: SqliteDeskLog) -> None:
    browser = signed_in("hale")
    whole = browser.get("/dealers/D-301").text
    assert "BJ-12" in whole
    console.desk.note(Withheld(user="hale", kind="table", value="BJ-12"), "ann")
    assert "BJ-12" not in browser.get("/dealers/D-301").text
    assert "Findings: 1" in text_of(browser.get("/dealers/D-301").text)
    assert browser.get("/tables/BJ-12/history").status_code == 404
    console.desk.note(Withheld(user="hale", kind="dealer", value="D-301"), "ann")
    assert "D-301" not in browser.get("/players/P-0098").text
    console.desk.note(Withheld(user="hale", kind="patron", value="P-0098"), "ann")
    for path in ("/dealers/D-301", "/players/P-0098", "/dealers/nobody", "/players/nobody"):
        answer = browser.get(path)
        assert (answer.status_code, "or it is not for you to see" in answer.text) == (404, True), path
    assert [granted for about, granted in kept(log, "hale") if about == "patron P-0098"] == [True, False]
    assert listed(browser, patron="P-0098") == []
    assert listed(signed_in("ito"), patron="P-0098")


def test_a_patron_is_withheld_by_an_admin_who_must_know_the_pseudonym(signed_in: SignedIn) -> None:
    admin = signed_in("ann")
    wish = {"user": "hale", "kind": "patron", "withheld": True, "reason": "a relative of hers"}
    assert admin.post("/api/restrictions", json={**wish, "value": "P-0097"}).status_code == 422
    assert admin.post("/api/restrictions", json={**wish, "value": "P-0098"}).status_code == 204
    assert signed_in("hale").get("/players/P-0098").status_code == 404


def test_a_store_that_is_away_and_one_without_a_round_are_said(
    console: Console, accounts: Accounts, store: Warehouse
) -> None:
    class Away:
        def query(self, *_asked: object) -> list[tuple[object, ...]]:
            raise ConnectionError("no store")

    paths = ("/dealers/D-301", "/players/P-0098")
    for records, status, said in ((Away(), 503, "does not answer"), (NoRecords(), 404, "not for you to see")):
        with browser_of(dataclasses.replace(console, records=records)) as browser:
            browser.cookies.set("__Host-catwalk", accounts.sign_ins.begin("hale"))
            for path in paths:
                answer = browser.get(path)
                assert (answer.status_code, said in answer.text) == (status, True), path


def test_names_lead_to_their_pages_wherever_they_stand(
    signed_in: SignedIn, console: Console, store: Warehouse
) -> None:
    [(record,)] = store.query("SELECT record FROM findings FINAL WHERE subject = 'BJ-12'")
    finding = msgspec.json.decode(record, type=Finding)
    console.desk.raise_alerts([Raised(finding=finding, decided_at=T0, dealer="D-301")])
    browser = signed_in("hale")
    dispute = open_one(browser, subject="BJ-12", round=1, seat=6, claimed_cents=100, patron="P-0098")
    pages = (
        "/hands",
        "/hands/BJ-12/1",
        "/tables?view=list",
        "/tables/BJ-12",
        f"/alerts/{finding.finding_id}",
        "/disputes",
    )
    for path in pages:
        assert '<a href="/dealers/D-301">D-301</a>' in browser.get(path).text, path
    for path in ("/disputes", f"/disputes/{dispute.id}"):
        assert '<a href="/players/P-0098">P-0098</a>' in browser.get(path).text, path
    assert '<a href="/dealers/D-301">' in signed_in("rex").get("/hands/BJ-12/1").text


def test_a_whole_name_is_found_and_one_that_is_withheld_is_not(signed_in: SignedIn, console: Console) -> None:
    def place(user: str, text: str) -> object:
        answer = signed_in(user).get("/api/find", params={"q": text})
        return answer.json().get("place") if answer.status_code == 200 else answer.status_code

    assert place("hale", "D-301") == "/dealers/D-301"
    assert place("hale", "P-0098") == "/players/P-0098"
    assert place("rex", "D-301") == "/dealers/D-301"
    assert place("rex", "P-0098") != "/players/P-0098", "it looks up no patrons"
    console.desk.note(Withheld(user="hale", kind="dealer", value="D-301"), "ann")
    console.desk.note(Withheld(user="hale", kind="patron", value="P-0098"), "ann")
    # What is left is the search for hands by the name, which tells of no hand.
    assert not any(
        str(place("hale", name)).startswith(("/dealers", "/players")) for name in ("D-301", "P-0098")
    )


def test_others_stand_beside_with_the_trend_by_day(signed_in: SignedIn) -> None:
    browser = signed_in("hale")
    for path, own, other in (
        ("/dealers/D-301", "D-301 (this page)", None),
        ("/tables/BJ-12/history", "BJ-12 (this page)", '<a href="/tables/T-1">T-1</a>'),
        ("/players/P-0098", "P-0098", "All other seats"),
    ):
        page = browser.get(path).text
        section = page.partition('id="of-peers"')[2].partition("</section>")[0]
        assert own in section, path
        assert other is None or other in section, path
        assert "Errors in 1,000 stakes by gaming day" in section
        assert section.count("<svg") == (1 if "players" in path else 2)
    told = re.findall(r"<desc>([^<]*)<", browser.get("/tables/BJ-12/history").text)
    # One of two stakes was settled wrong at the only other table of these rules, which dealt one round.
    assert told[0].endswith("the median of the others is 500.0.")
    assert told[1].startswith("1 gaming day, the last ")
    assert "nobody to compare with" in browser.get("/tables/BJ-19/history").text


def test_an_open_alert_of_a_patrons_hand_stands_on_the_page_whatever_days_are_chosen(
    signed_in: SignedIn, console: Console, store: Warehouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    [(record, at)] = store.query("SELECT record, decided_at FROM findings FINAL WHERE subject = 'BJ-12'")
    finding = msgspec.json.decode(record, type=Finding)
    console.desk.raise_alerts([Raised(finding=finding, decided_at=at, dealer="D-301")])
    browser = signed_in("hale")
    patron = next(p for p in patrons_of(store, "BJ-12") if "$100.00" in browser.get(f"/players/{p}").text)
    newest = at + dt.timedelta(days=400)

    class Later:
        def ask(self, _reader: object) -> list[SpanRow]:
            return [SpanRow(at, newest, 1)]

    monkeypatch.setattr("dashboards.people.whose.span_of_rounds", Later)
    page = browser.get(f"/players/{patron}").text
    assert "No round in these 30 days" in page
    assert f'href="/alerts/{finding.finding_id}"' in page
    others = [p for p in patrons_of(store, "BJ-12") if p != patron]
    assert others
    assert not any(finding.finding_id in browser.get(f"/players/{p}").text for p in others)
