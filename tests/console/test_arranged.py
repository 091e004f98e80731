"""What people keep for their own lists: saved searches and columns, as records of the desk, each person's alone."""

import html
import re

import msgspec
import pytest

from dashboards.accounts.accounts import Accounts
from dashboards.desk.personal_fold import MOST_SEARCHES
from dashboards.ledger.acts import DeskRecord
from dashboards.web.console import Console
from tests.console.conftest import PASSWORD, Browser
from tests.console.desk_building import a_finding, a_raise
from tests.console.test_alert_pages import SignedIn

LISTS = {"alerts": "/", "hands": "/hands", "log": "/log"}


@pytest.fixture(autouse=True)
def _alerts(console: Console, accounts: Accounts) -> None:
    accounts.add("aud", "auditor", PASSWORD)
    console.desk.raise_alerts([a_raise(a_finding()), a_raise(a_finding(2, subject="BJ-19"))])


def kept(console: Console) -> list[tuple[str, str]]:
    records = [
        msgspec.json.decode(line, type=DeskRecord) for line in console.desk.lines(1, console.desk.records)
    ]
    acts = ((one.actor, str(one.data.__struct_config__.tag)) for one in records)
    return [
        one for one in acts if one[1] in ("search_saved", "search_deleted", "columns_chosen", "start_chosen")
    ]


def test_a_search_is_saved_by_name_for_one_person_found_again_and_deleted(
    signed_in: SignedIn, console: Console
) -> None:
    aud, hale = signed_in("aud"), signed_in("hale")
    csrf = aud.headers["x-csrf-token"]
    for name, path in LISTS.items():
        form = {
            "csrf": csrf,
            "name": "  Night   shift ",
            "query": "q=BJ-19+last+2+h&before=7&alert=9&nonsense=1",
        }
        done = aud.post(f"/searches/{name}", data=form, follow_redirects=False)
        assert (done.status_code, done.headers["location"]) == (303, f"{path}?q=BJ-19+last+2+h")
        page = html.unescape(aud.get(path).text)
        assert f'<a href="{path}?q=BJ-19+last+2+h">Night shift</a>' in page
    assert "Night shift" not in hale.get("/").text, "a search is its person's alone"
    again = aud.post("/searches/log", data={"csrf": csrf, "name": "Night shift", "query": "who=hale"})
    assert again.text.count(">Night shift</a>") == 1, "saved again it stands in its own place"
    aud.post("/searches/alerts", data={"csrf": csrf, "act": "delete", "name": "Night shift"})
    assert aud.get("/api/arranged/alerts").json()["searches"] == []
    assert [one["query"] for one in aud.get("/api/arranged/log").json()["searches"]] == ["who=hale"]
    tags = [tag for who, tag in kept(console) if who == "aud"]
    assert tags == ["search_saved"] * 4 + ["search_deleted"]
    listed = html.unescape(aud.get("/log?what=search+saved").text)
    assert "search Night shift of alerts" in listed
    assert "q=BJ-19 last 2 h" in listed


def test_the_queue_opens_with_the_search_that_its_person_chose_and_with_all_again(
    signed_in: SignedIn, console: Console
) -> None:
    aud, hale = signed_in("aud"), signed_in("hale")
    csrf = aud.headers["x-csrf-token"]

    def press(name: str, act: str, query: str = "") -> str:
        form = {"csrf": csrf, "name": name, "act": act, "query": query}
        answer = aud.post("/searches/alerts", data=form, follow_redirects=False)
        assert answer.status_code in (303, 422), answer.text
        return str(answer.headers.get("location", html.unescape(answer.text)))

    def opened(browser: Browser, path: str = "/") -> tuple[int, str]:
        answer = browser.get(path, follow_redirects=False)
        return answer.status_code, answer.headers.get("location", "")

    press("Nineteen", "save", "q=table:BJ-19&severity=major")
    press("All of mine", "save", "tab=mine")
    assert opened(aud) == (200, "")
    assert press("Nineteen", "start", "tab=mine") == "/?tab=mine"
    assert opened(aud) == (303, "/?q=table%3ABJ-19&severity=major")
    assert opened(hale) == (200, ""), "it is its person's alone"
    page = html.unescape(aud.get("/").text)
    assert "1 of 2 alerts fit the filter" in page
    assert 'value="no_start" aria-pressed="true" aria-label="Start with Nineteen"' in page
    assert 'value="start" aria-pressed="false" aria-label="Start with All of mine"' in page
    # All open alerts have an address of their own, to which every link out of the filter leads.
    assert opened(aud, "/?tab=open") == (200, "")
    assert 'data-home="/?tab=open"' in page
    assert 'href="/?tab=open" title="Take it out of the filter"' in aud.get("/?q=BJ-19").text
    assert opened(aud, "/?alert=1")[0] == 200
    press("All of mine", "start")
    assert opened(aud) == (303, "/?tab=mine")
    press("Nineteen", "delete")
    assert opened(aud) == (303, "/?tab=mine")
    press("All of mine", "no_start")
    assert opened(aud) == (200, "")
    press("All of mine", "start")
    press("All of mine", "delete")
    assert opened(aud) == (200, ""), "a start that was deleted is none"
    assert "no search All of mine is saved" in press("All of mine", "start")
    press("Everything", "save")
    press("Everything", "start")
    assert opened(aud) == (200, ""), "nothing leads in a circle"
    told = aud.post("/api/arranged", json={"act": "start_chosen", "of": "log", "name": ""})
    assert (told.status_code, told.json()["detail"]) == (422, "the list of alerts alone has a start")
    assert [one["starts"] for one in aud.get("/api/arranged/alerts").json()["searches"]] == [True]
    assert kept(console).count(("aud", "start_chosen")) == 5
    listed = html.unescape(aud.get("/log?what=start+chosen").text)
    for said in ("start of alerts", "Nineteen", "as it comes"):
        assert said in listed


def test_columns_are_each_persons_own_in_their_order_and_come_back(signed_in: SignedIn) -> None:
    aud, hale = signed_in("aud"), signed_in("hale")
    csrf = aud.headers["x-csrf-token"]

    def headings(browser: object, path: str) -> list[str]:
        page = html.unescape(aud.get(path).text if browser is aud else hale.get(path).text)
        return [
            re.sub(r"<[^>]+>|, UTC| \(UTC\)", "", one)
            for one in re.findall(r"<th[^>]*scope=\"col\".*?</th>", page)
        ]

    before = {path: headings(aud, path) for path in ("/", "/log")}
    columns = ["Severity", "Time", "Age", "What happened", "Table", "Seat", "Dealer", "Money", "State"]
    assert before["/"] == columns
    for name, places in (
        ("alerts", {"table": "1", "owed": "2", "alert": "3"}),
        ("log", {"who": "1", "record": "2"}),
    ):
        form = {"csrf": csrf, "query": ""} | {f"place-{column}": place for column, place in places.items()}
        assert aud.post(f"/columns/{name}", data=form, follow_redirects=False).status_code == 303
    assert headings(aud, "/") == ["Table", "Money", "What happened"]
    assert headings(aud, "/log") == ["Who", "Record"]
    assert headings(hale, "/") == before["/"], "nobody else's list changes"
    # What names the line is never hidden, and an unknown column is none.
    told = aud.post(
        "/api/arranged", json={"act": "columns_chosen", "of": "alerts", "columns": ["age"]}
    ).json()
    assert told["columns"] == ["alert", "age"]
    wrong = aud.post("/api/arranged", json={"act": "columns_chosen", "of": "alerts", "columns": ["luck"]})
    assert wrong.status_code == 422
    assert "the columns of alerts are severity, event, age" in wrong.json()["detail"]
    for name in ("alerts", "log"):
        aud.post(f"/columns/{name}", data={"csrf": csrf, "act": "reset"})
    assert {path: headings(aud, path) for path in before} == before


def test_what_cannot_be_kept_is_said(signed_in: SignedIn, console: Console) -> None:
    hale = signed_in("hale")
    csrf = hale.headers["x-csrf-token"]
    for which, form, said in (
        ("alerts", {"name": " "}, "at least 1|length"),
        ("alerts", {"name": "x" * 61}, "<= 60"),
        ("alerts", {"act": "delete", "name": "nothing"}, "no search nothing is saved"),
    ):
        answer = hale.post(f"/searches/{which}", data={"csrf": csrf, **form})
        assert answer.status_code == 422, form
        assert re.search(said, html.unescape(answer.text)), answer.text
    assert hale.post("/searches/tables", data={"csrf": csrf, "name": "x"}).status_code == 400
    saved = {"act": "search_saved", "of": "log", "name": "x", "query": ""}
    for number in range(MOST_SEARCHES):
        mine = {**saved, "of": "alerts", "name": f"s{number}"}
        assert hale.post("/api/arranged", json=mine).status_code == 200
    over = hale.post("/api/arranged", json={**saved, "of": "alerts"})
    assert over.status_code == 422
    assert "delete one first" in over.json()["detail"]
    assert len(kept(console)) == MOST_SEARCHES
