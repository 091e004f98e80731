"""Shelves: every silence has a reason, a person and an end, is counted, and ends early by whoever may."""

from __future__ import annotations

import datetime as dt
import html
import re
from collections.abc import Callable

import pytest

from dashboards.accounts.accounts import Accounts
from dashboards.ledger.acts import Withheld
from dashboards.web.console import Console
from tests.console.conftest import PASSWORD, Browser, Clock
from tests.console.desk_building import a_finding, a_raise

SignedIn = Callable[[str], Browser]
GRAVE, LATE, PACE = a_finding(severity="critical"), a_finding(2, subject="BJ-19"), a_finding(3, check="pace")


@pytest.fixture(autouse=True)
def _alerts(console: Console, accounts: Accounts) -> None:
    accounts.add("aud", "auditor", PASSWORD)
    console.desk.raise_alerts([a_raise(one) for one in (GRAVE, LATE, PACE)])


def act(browser: Browser, alert: str, **wish: object) -> tuple[int, str]:
    answer = browser.post(f"/api/alerts/{alert}/acts", json=wish)
    return answer.status_code, answer.text


def shelve(
    browser: Browser, alert: str, minutes: int, reason: str = "shift change", version: int = 1
) -> None:
    done = act(browser, alert, act="shelved", reason=reason, minutes=minutes, version=version)
    assert done[0] == 200, done


def test_law_20_the_list_of_shelves_has_reason_person_and_end_the_next_to_end_first(
    signed_in: SignedIn, console: Console, clock: Clock
) -> None:
    hale, ito, aud = signed_in("hale"), signed_in("ito"), signed_in("aud")
    shelve(hale, LATE.finding_id, 120, "camera is mended")
    shelve(ito, GRAVE.finding_id, 30, "floor counts the rack")
    hale.post(f"/api/alerts/{GRAVE.finding_id}/acts", json={"act": "noted", "note": "x", "version": 2})
    told = aud.get("/api/shelves").json()
    shown = [(one["alert"], one["reason"], one["by"], one["soon"]) for one in told["alerts"]]
    assert shown == [
        (GRAVE.finding_id, "floor counts the rack", "ito", False),
        (LATE.finding_id, "camera is mended", "hale", False),
    ]
    ends = [dt.datetime.fromisoformat(one["until"]) - clock.now for one in told["alerts"]]
    assert ends == [dt.timedelta(minutes=30), dt.timedelta(minutes=120)]
    clock.forward(16 * 60)
    page = html.unescape(aud.get("/shelves").text)
    assert page.count("ends soon") == 1, "it warns a quarter of an hour before the end"
    assert "in 14 min" in page
    assert "End it now" not in page, "who may not end one is offered no button"
    console.desk.note(Withheld(user="aud", kind="table", value="BJ-19", reason="his own"), "ann")
    assert [one["table"] for one in aud.get("/api/shelves").json()["alerts"]] == ["BJ-12"]


def test_law_20_a_shelf_ends_early_by_anybody_who_shelves_and_the_end_is_undone(
    signed_in: SignedIn, console: Console
) -> None:
    hale, ito, aud = signed_in("hale"), signed_in("ito"), signed_in("aud")
    shelve(hale, LATE.finding_id, 120)
    form = {"csrf": ito.headers["x-csrf-token"], "alert": LATE.finding_id, "version": "2"}
    page = html.unescape(ito.get("/shelves").text)
    assert re.search(r'name="version" value="2"><button aria-label="End it now: [^"]+, BJ-19"', page)
    assert aud.post("/shelves", data=form | {"csrf": aud.headers["x-csrf-token"]}).status_code == 403
    done = ito.post("/shelves", data=form, follow_redirects=False)
    assert (done.status_code, done.headers["location"]) == (303, "/shelves")
    alert = console.desk.alert(LATE.finding_id)
    assert alert is not None
    assert (alert.status, alert.shelved_until, alert.shelved_for, alert.last_act) == (
        "new", None, None, "unshelved",
    )  # fmt: skip
    again = ito.post("/shelves", data=form)
    assert (again.status_code, "Taken off the shelf by ito" in again.text) == (409, True)
    assert act(ito, LATE.finding_id, act="undone", version=3)[0] == 200
    assert "No alert is on the shelf" not in ito.get("/shelves").text
    code, said = act(ito, PACE.finding_id, act="unshelved", version=1)
    assert (code, "it is not on the shelf" in said) == (422, True)
    assert "taken off the shelf" in aud.get("/log").text


def test_law_20_a_critical_alert_is_never_silent_for_longer_than_a_shift(signed_in: SignedIn) -> None:
    hale = signed_in("hale")
    long = {"act": "shelved", "reason": "x", "minutes": 481, "version": 1}
    code, said = act(hale, GRAVE.finding_id, **long)
    assert (code, "within the next 8 hours, the length of a shift, as it is critical" in said) == (422, True)
    assert act(hale, LATE.finding_id, **long)[0] == 200
    shelve(hale, GRAVE.finding_id, 480)


def tuned(hale: Browser, ito: Browser, way: str, minutes: int | None) -> str:
    asked = {
        "act": "ask",
        "check": "pace",
        "way": way,
        "minutes": minutes,
        "days": 1,
        "reason": "new cameras",
    }
    told = hale.post("/api/tuning", json={name: one for name, one in asked.items() if one is not None})
    tuning = str(told.json()["tunings"][0]["id"])
    assert ito.post("/api/tuning", json={"act": "confirm", "tuning": tuning}).status_code == 200
    return tuning


def test_law_21_what_a_silence_hid_is_counted_on_it_and_comes_back_when_its_cause_is_gone(
    signed_in: SignedIn, console: Console, clock: Clock
) -> None:
    hale, ito = signed_in("hale"), signed_in("ito")
    clock.forward(1)
    tuning = tuned(hale, ito, "wait", 60)
    clock.forward(1)
    found = [
        a_finding(11, check="pace", subject="BJ-30"), a_finding(12, check="pace", subject="BJ-31"),
        a_finding(13, check="pace", subject="BJ-32", severity="critical"), a_finding(14, subject="BJ-33"),
    ]  # fmt: skip
    console.desk.raise_alerts([a_raise(one) for one in found])
    shelve(hale, LATE.finding_id, 120)
    told = hale.get("/api/shelves").json()
    assert len(told["alerts"]) == 3
    (check,) = told["checks"]
    assert (check["check"], check["hid"], check["reason"]) == ("pace", 2, "new cameras")
    assert check["by"] == "hale, confirmed by ito"
    page = html.unescape(hale.get("/shelves").text)
    assert f'aria-label="End it now: {tuning}, pace"' in page
    csrf = hale.headers["x-csrf-token"]
    hale.post("/tuning", data={"csrf": csrf, "act": "end", "tuning": tuning})
    status = {one.id: one.status for one in console.desk.snapshot().alerts}
    assert [status[one.finding_id] for one in found] == ["new"] * 4
    assert status[LATE.finding_id] == "shelved", "what a person shelved stays there"
    assert hale.get("/api/shelves").json()["checks"] == []


def test_law_21_closing_an_alert_ends_its_shelf(signed_in: SignedIn) -> None:
    hale = signed_in("hale")
    shelve(hale, LATE.finding_id, 120)
    closed = {"act": "disposed", "disposition": "no error", "note": "seen on film", "version": 2}
    assert act(hale, LATE.finding_id, **closed)[0] == 200
    assert hale.get("/api/shelves").json()["alerts"] == []


def test_law_19_who_shelves_is_told_what_was_alike_in_seven_days_and_how_much_was_confirmed(
    signed_in: SignedIn, console: Console, clock: Clock
) -> None:
    long_ago, alike = a_finding(20, subject="BJ-19"), [a_finding(n, subject="BJ-19") for n in range(21, 25)]
    console.desk.raise_alerts([a_raise(long_ago)])
    clock.forward(7 * 24 * 3600 + 1)
    hale = signed_in("hale")
    asked = a_finding(30, subject="BJ-19")
    console.desk.raise_alerts([a_raise(one) for one in (*alike, asked, a_finding(31, subject="BJ-20"))])
    for one, what in zip(alike, ("dealer error", "no error", "fraud suspected"), strict=False):
        closed = {"act": "disposed", "disposition": what, "note": "seen on film", "version": 1}
        assert act(hale, one.finding_id, **closed)[0] == 200
    told = hale.get("/api/shelves/preview", params={"alert": [asked.finding_id]}).json()
    assert (told["raised"], told["confirmed"], told["no_error"], told["open"]) == (4, 2, 1, 1)
    assert told["said"] == (
        "The last 7 days had 4 other alerts of the same check and table: 2 confirmed, 1 no error, 1 open. "
        "A shelf hides what is chosen alone."
    )
    both = [asked.finding_id, alike[0].finding_id]
    assert hale.get("/api/shelves/preview", params={"alert": both}).json()["raised"] == 3
    console.desk.note(Withheld(user="hale", kind="alert", value=alike[3].finding_id, reason="his own"), "ann")
    assert hale.get("/api/shelves/preview", params={"alert": both}).json()["raised"] == 2
    assert hale.get("/api/shelves/preview").json()["raised"] == 0


def test_law_19_who_asks_for_a_wait_is_told_what_it_would_have_hidden(
    signed_in: SignedIn, console: Console
) -> None:
    hale = signed_in("hale")
    console.desk.raise_alerts([a_raise(a_finding(40, check="pace", severity="critical"))])
    closed = {"act": "disposed", "disposition": "sensor fault", "note": "mended", "version": 1}
    assert act(hale, PACE.finding_id, **closed)[0] == 200
    row = re.search(r'<th scope="row">pace</th>.*?</tr>', hale.get("/tuning").text, re.S)
    assert row is not None
    assert "<td>1: 1 confirmed, 0 no error, 0 open</td>" in row[0], "critical ones never wait"
