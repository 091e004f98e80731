"""Alerts of one line: of which the line speaks, and an act upon several, which touches what its person saw."""

import html
import re
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from dashboards.desk.desk import Desk
from dashboards.web.console import Console
from deploy.configured.desk_ledger import SqliteDeskLog
from schemas.findings import Finding
from tests.console.conftest import Browser, Clock
from tests.console.desk_building import a_finding, a_raise
from tests.console.test_feed import told, watch

SignedIn = Callable[[str], Browser]
ACTS: dict[str, dict[str, Any]] = {
    "acknowledged": {"act": "acknowledged"},
    "assigned": {"act": "assigned", "to": "hale"},
    "shelved": {"act": "shelved", "reason": "shift change", "minutes": 15},
    "closed": {"act": "disposed", "disposition": "no error", "note": "seen on camera 12"},
    "put into a case": {"act": "added_to_case", "case": "2026-117"},
}


def paid(number: int, cents: int) -> Finding:
    """A finding of the group, with its money in its words."""
    found = a_finding(number, money_cents=cents)
    return msgspec.structs.replace(found, message=f"Payout {number} was wrong by {cents} cents")


def raised(console: Console, clock: Clock, *findings: Finding) -> list[str]:
    """Raise them a minute apart; their ids."""
    for finding in findings:
        console.desk.raise_alerts([a_raise(finding)])
        clock.forward(60)
    return [finding.finding_id for finding in findings]


def seen(browser: Browser) -> dict[str, int]:
    """Ids and versions of the alerts as this browser is shown them now."""
    return {one["id"]: one.get("version", 1) for one in browser.get("/api/alerts").json()["alerts"]}


def act(browser: Browser, alerts: dict[str, int], wish: dict[str, Any]) -> Any:
    several = [{"id": alert, "version": version} for alert, version in alerts.items()]
    answer = browser.post("/api/acts", json={"wish": wish, "alerts": several})
    assert answer.status_code == 200, answer.text
    return answer.json()


def history(browser: Browser, alert: str) -> str:
    """The history on the alert's own page, as it is read."""
    page = browser.get(f"/alerts/{alert}").text
    found = re.search(r'<ol class="history">(.*?)</ol>', page, re.DOTALL)
    assert found is not None
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", found[1])).split())


def test_law_12_an_act_touches_what_its_person_saw_and_nothing_that_joined_since(
    signed_in: SignedIn, console: Console, clock: Clock
) -> None:
    first, second = raised(console, clock, paid(1, 2_500), paid(2, 100_000))
    hale, ito = signed_in("hale"), signed_in("ito")
    as_seen = seen(hale)
    (joined,) = raised(console, clock, paid(3, 500))
    act(ito, {first: 1}, {"act": "acknowledged"})
    clock.forward(3)
    answer = act(hale, as_seen, ACTS["closed"])
    assert [one["id"] for one in answer["done"]] == [second]
    assert answer["refused"] == [{"id": first, "why": "Taken by ito 3 s ago"}]
    standing = {one: console.desk.alert(one) for one in (first, second, joined)}
    assert {one: (a.version, a.status, a.note) for one, a in standing.items() if a is not None} == {
        first: (2, "acknowledged", None),
        second: (2, "disposed", "seen on camera 12"),
        joined: (1, "new", None),
    }


@pytest.mark.parametrize("name", ACTS)
def test_each_member_of_a_group_act_says_so_in_its_history_and_so_does_its_undo(
    signed_in: SignedIn, console: Console, clock: Clock, log: SqliteDeskLog, name: str
) -> None:
    group = raised(console, clock, paid(1, 2_500), paid(2, 100_000), paid(3, -700))
    hale = signed_in("hale")
    done = act(hale, dict.fromkeys(group, 1), ACTS[name])["done"]
    for alert in group:
        assert re.search(rf"hale {name} .*group act, asked for 3 alerts at once", history(hale, alert)), alert
    undone = {one["id"]: one["version"] for one in done[:2]}
    assert len(act(hale, undone, {"act": "undone"})["done"]) == 2
    assert "hale undone group act, asked for 2 alerts at once" in history(hale, group[0])
    assert "undone" not in history(hale, group[2])
    again = Desk(log, clock)
    assert again.history(group[0], 100) == console.desk.history(group[0], 100)


def test_an_act_upon_one_alert_is_no_group_act(signed_in: SignedIn, console: Console, clock: Clock) -> None:
    one, other = raised(console, clock, paid(1, 2_500), paid(2, 100_000))
    hale = signed_in("hale")
    act(hale, {one: 1}, {"act": "acknowledged"})
    twice = {"wish": {"act": "acknowledged"}, "alerts": [{"id": other, "version": 1}] * 2}
    assert [a["why"] for a in hale.post("/api/acts", json=twice).json()["refused"]] == ["it is named twice"]
    wish = {"act": "noted", "note": "camera 12", "version": 2}
    assert hale.post(f"/api/alerts/{one}/acts", json=wish).status_code == 200
    for alert in (one, other):
        assert "acknowledged" in history(hale, alert)
        assert "group act" not in history(hale, alert)


def line(browser: Browser) -> tuple[str, str, str, str]:
    """Title, age, money and state of the one line of the first page."""
    page = html.unescape(browser.get("/").text)
    (found,) = re.findall(
        r'c-age number"[^>]*>([^<]*)</td>.*?<a href="[^"]*"[^>]*>([^<]*)</a>.*?c-owed number"[^>]*>([^<]*)</td>\s*'
        r'<td class="c-status"><span[^>]*>([^<]*)<',
        page,
        re.DOTALL,
    )
    age, title, money, state = found
    return title, age, money, state


def test_a_line_speaks_of_its_newest_unacknowledged_alert_and_of_its_largest_money(
    signed_in: SignedIn, console: Console, clock: Clock
) -> None:
    large, small, over = raised(console, clock, paid(1, 100_000), paid(2, 2_500), paid(3, -60_000))
    hale, rex = signed_in("hale"), signed_in("rex")
    money = "owed up to 1,000.00, overpaid up to 600.00"
    assert line(hale) == ("Payout 3 was wrong by -60000 cents", "3:00", money, "New")
    act(hale, {over: 1}, {"act": "acknowledged"})
    assert line(hale) == ("Payout 2 was wrong by 2500 cents", "3:00", money, "2 of 3 new")
    (group,) = rex.get("/api/alerts").json()["groups"]
    assert (group["lead"], group["unacknowledged"], group["largest"]) == (small, 2, [100_000, 60_000])
    act(hale, {small: 1}, {"act": "acknowledged"})
    assert line(hale)[:2] == ("Payout 1 was wrong by 100000 cents", "3:00")
    act(hale, {large: 1}, {"act": "acknowledged"})
    assert line(hale) == ("Payout 3 was wrong by -60000 cents", "3:00", money, "Ack hale")
    (newest,) = raised(console, clock, paid(4, 0))
    assert line(hale) == ("Payout 4 was wrong by 0 cents", "4:00", money, "1 of 4 new")
    (group,) = hale.get("/api/alerts").json()["groups"]
    assert (group["lead"], len(group["alerts"])) == (newest, 4)


def test_an_acknowledged_alert_lends_a_line_no_severity(
    signed_in: SignedIn, console: Console, clock: Clock
) -> None:
    grave = msgspec.structs.replace(paid(1, 100), severity="critical")
    slight = msgspec.structs.replace(paid(2, 100), severity="minor")
    critical, _ = raised(console, clock, grave, slight)
    hale = signed_in("hale")
    assert hale.get("/api/alerts").json()["groups"][0]["severity"] == "critical"
    act(hale, {critical: 1}, {"act": "acknowledged"})
    assert hale.get("/api/alerts").json()["groups"][0]["severity"] == "minor"
    assert 'c-severity severity minor"><span>Minor' in hale.get("/").text


def test_a_panel_tells_the_largest_money_of_its_group_and_how_many_wait(
    signed_in: SignedIn, console: Console, clock: Clock
) -> None:
    _, small, _ = raised(console, clock, paid(1, 100_000), paid(2, 2_500), paid(3, -60_000))
    panel = signed_in("hale").get(f"/alerts/{small}/panel").text
    assert (
        "<dt>Of its group</dt><dd>3 alerts wait: owed to patron up to $1,000.00, overpaid up to $600.00</dd>"
        in panel
    )


def test_the_feed_tells_of_each_alert_how_much_it_is_to_the_cent(
    signed_in: SignedIn, console: Console, clock: Clock
) -> None:
    with watch(signed_in("hale"), 0) as feed:
        raised(console, clock, paid(1, 100_000), paid(2, 0), paid(3, -60_000))
        rows = [change["alert"] for change in told(feed, 3)]
    assert [(row.get("cents", 0), row.get("owed", "")) for row in rows] == [
        (100_000, "owed to patron $1,000.00"),
        (0, ""),
        (-60_000, "overpaid $600.00"),
    ]


def test_law_1_alerts_are_one_line_only_where_they_are_one_thing(
    signed_in: SignedIn, console: Console, clock: Clock
) -> None:
    here = msgspec.structs.replace
    same = paid(1, 2_500), paid(2, 100_000)
    other_round = here(paid(3, 500), round=8)
    between_rounds = here(paid(4, 500), round=None), here(paid(5, 500), round=None)
    dealer = [
        here(paid(n, 0), round=None, verdict="suspected", check="pattern.pace", about={"dealer": name})
        for n, name in ((6, "D105"), (7, "D105"), (8, "D106"))
    ]
    ids = raised(console, clock, *same, other_round, *between_rounds, *dealer)
    groups = {frozenset(one["alerts"]) for one in signed_in("hale").get("/api/alerts").json()["groups"]}
    assert groups == {
        frozenset(ids[:2]), frozenset({ids[2]}), frozenset({ids[3]}), frozenset({ids[4]}),
        frozenset(ids[5:7]), frozenset({ids[7]}),
    }  # fmt: skip
    page = signed_in("hale").get("/").text
    assert page.count("<summary>×2</summary>") == 2
    rows = {one["id"]: one["group"] for one in signed_in("hale").get("/api/alerts").json()["alerts"]}
    assert {frozenset(one for one in rows if rows[one] == group) for group in rows.values()} == groups
