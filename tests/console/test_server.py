"""Alerts over HTTP: what each role may see and do, what binds the browser, and what is kept of every look."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from dashboards.desk.desk import Desk
from dashboards.ledger.acts import Acknowledged
from dashboards.web.console import Console
from deploy.configured.desk_ledger import SqliteDeskLog
from tests.console.conftest import Browser, Clock
from tests.console.desk_building import a_finding, a_raise, after
from tests.console.test_sign_in import accesses

SignedIn = Callable[[str], Browser]
ONE = a_finding().finding_id


@pytest.fixture(autouse=True)
def _alerts(console: Console) -> None:
    console.desk.raise_alerts(
        [
            a_raise(a_finding()),
            a_raise(a_finding(2, subject="BJ-19", verdict="suspected"), dealer="D123"),
            a_raise(a_finding(3, check="pace", severity="minor", money_cents=0), dealer=None),
        ]
    )


def act(browser: Browser, alert: str = ONE, **wish: Any) -> tuple[int, Any]:
    answer = browser.post(f"/api/alerts/{alert}/acts", json=wish)
    return answer.status_code, answer.json()


def test_the_queue_is_told_whole_with_its_groups_in_order(signed_in: SignedIn) -> None:
    queue = signed_in("hale").get("/api/alerts").json()
    assert queue["seq"] == 3
    assert [(group["check"], group["table"]) for group in queue["groups"]] == [
        ("pay.blackjack", "BJ-12"),
        ("pay.blackjack", "BJ-19"),
        ("pace", "BJ-12"),
    ]
    first = queue["alerts"][0]
    assert (first["id"], first["dealer"], first["owed"]) == (ONE, "D105", "owed to patron $30.00")
    assert not {"version", "status", "expected", "by"} & set(first), "what goes without saying is left out"
    whole = signed_in("hale").get(f"/api/alerts/{ONE}").json()
    assert (whole["version"], whole["status"], whole["dealer"]) == (1, "new", "D105")
    assert (whole["expected"], whole["observed"], whole["money_cents"]) == (15000, 12000, 3000)


def test_the_floor_is_not_told_of_suspicions_nor_of_reviews(signed_in: SignedIn) -> None:
    hale, fay = signed_in("hale"), signed_in("fay")
    closed: dict[str, Any] = {
        "act": "disposed",
        "version": 1,
        "disposition": "dealer error",
        "note": "seen on camera",
    }
    assert act(hale, **closed)[0] == 200
    assert [alert["table"] for alert in fay.get("/api/alerts").json()["alerts"]] == ["BJ-12"]
    suspicion = a_finding(2, subject="BJ-19").finding_id
    assert fay.get(f"/api/alerts/{suspicion}").status_code == 404
    assert act(fay, suspicion, act="acknowledged", version=1)[0] == 404
    seen = fay.get(f"/api/alerts/{ONE}").json()
    assert seen["status"] == "disposed"
    assert not {"note", "disposition", "second_auditor"} & set(seen)
    assert hale.get(f"/api/alerts/{ONE}").json()["note"] == "seen on camera"


def test_revenue_is_told_of_money_alone_and_not_of_cards(signed_in: SignedIn) -> None:
    rex = signed_in("rex")
    (line,) = rex.get("/api/alerts").json()["alerts"]
    assert line["owed"] == "owed to patron $30.00"
    assert not {"hand", "seat"} & set(line)
    alert = rex.get(f"/api/alerts/{ONE}").json()
    assert alert["money_cents"] == 3000
    assert not {"expected", "observed", "hand", "seat"} & set(alert)


def test_the_second_to_take_an_alert_reads_who_has_it(signed_in: SignedIn, clock: Clock) -> None:
    hale, ito = signed_in("hale"), signed_in("ito")
    status, done = act(ito, act="acknowledged", version=1)
    assert (status, done["seq"], done["alert"]["owner"], done["alert"]["version"]) == (200, 4, "ito", 2)
    clock.forward(3)
    assert act(hale, act="acknowledged", version=1) == (409, {"detail": "Taken by ito 3 s ago"})
    assert act(hale, act="undone", version=2) == (422, {"detail": "only ito may undo that"})
    assert act(ito, act="undone", version=2)[1]["alert"]["status"] == "new"


def test_an_alert_is_shelved_and_comes_back_by_itself(signed_in: SignedIn, clock: Clock) -> None:
    hale = signed_in("hale")
    until = after(600).isoformat()
    assert act(hale, act="shelved", version=1, reason="drill", until=until)[0] == 200
    queue = hale.get("/api/alerts").json()
    assert len(queue["groups"]) == 2
    assert len(queue["alerts"]) == 3
    clock.forward(600)
    for _ in range(100):
        seen = hale.get(f"/api/alerts/{ONE}").json()
        if seen["status"] == "new":
            break
    assert (seen["status"], seen["version"], seen["last_actor"]) == ("new", 3, "desk")


@pytest.mark.parametrize(
    "wish",
    [
        {"act": "acknowledged"},
        {"act": "acknowledged", "version": 0},
        {"act": "acknowledged", "version": 1, "actor": "ito"},
        {"act": "returned", "version": 1},
        {"act": "shelved", "version": 1, "reason": "", "until": after(60).isoformat()},
        {"act": "shelved", "version": 1, "reason": "x", "until": "2026-11-20T20:10:00"},
        {"act": "disposed", "version": 1, "disposition": "bored", "note": "x"},
        {"act": "disposed", "version": 1, "disposition": "no error", "note": "x" * 2001},
    ],
)
def test_what_is_no_act_is_refused_with_a_reason(
    signed_in: SignedIn, wish: dict[str, Any], console: Console
) -> None:
    status, answer = act(signed_in("hale"), **wish)
    assert status == 400
    assert answer["detail"]
    assert console.desk.seq == 3


@pytest.mark.parametrize("wish", [{"act": "assigned", "to": "nosuch"}, {"act": "assigned", "to": ""}])
def test_an_alert_is_given_to_users_alone(signed_in: SignedIn, wish: dict[str, Any]) -> None:
    assert act(signed_in("hale"), version=1, **wish)[0] in {400, 422}


def test_a_dealer_who_is_withheld_from_a_user_is_nowhere_to_be_seen(signed_in: SignedIn) -> None:
    hale, ito, ann = signed_in("hale"), signed_in("ito"), signed_in("ann")
    rule = {"user": "hale", "kind": "dealer", "value": "D105", "withheld": True, "reason": "related"}
    assert ann.post("/api/restrictions", json=rule | {"user": "nosuch"}).status_code == 422
    assert ann.post("/api/restrictions", json=rule).status_code == 204
    assert len(hale.get("/api/alerts").json()["alerts"]) == 2
    assert hale.get(f"/api/alerts/{ONE}").status_code == 404
    assert act(hale, act="acknowledged", version=1)[0] == 404
    assert "D105" not in hale.get("/").text
    assert len(ito.get("/api/alerts").json()["alerts"]) == 3
    assert ann.post("/api/restrictions", json=rule | {"withheld": False}).status_code == 204
    assert hale.get(f"/api/alerts/{ONE}").status_code == 200


def test_every_look_is_kept_before_it_is_granted(
    signed_in: SignedIn, log: SqliteDeskLog, clock: Clock
) -> None:
    hale = signed_in("hale")
    hale.get(f"/api/alerts/{ONE}")
    hale.get("/api/alerts/unknown")
    hale.get("/api/alerts")
    hale.get("/")
    assert [(a.what, a.object, a.granted) for who, a in accesses(log) if who == "hale"] == [
        ("sign-in", "hale", True),
        ("alert", ONE, True),
        ("alert", "unknown", False),
        ("queue", "3 open alerts at 3", True),
        ("page", "open alerts, 3 open at 3", True),
    ]


def test_nothing_is_shown_when_the_look_cannot_be_kept(
    signed_in: SignedIn, log: SqliteDeskLog, browse: Callable[[], Browser]
) -> None:
    hale = signed_in("hale")
    log.close()
    for path in ("/", "/api/alerts", f"/api/alerts/{ONE}"):
        answer = hale.get(path)
        assert answer.status_code == 503
        assert "BJ-12" not in answer.text
    assert act(hale, act="acknowledged", version=1)[0] == 503


@pytest.mark.parametrize(
    "path", ["/", "/sign-in", "/api/alerts", "/nothing-here", "/health", "/static/console.css"]
)
def test_every_answer_binds_the_browser(signed_in: SignedIn, path: str) -> None:
    headers = signed_in("hale").get(path).headers
    policy = headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"
    assert headers["strict-transport-security"].startswith("max-age=31536000")
    # What is the same for everyone may be kept, and is asked for again.
    assert headers["cache-control"] == ("no-cache" if path.startswith("/static/") else "no-store")
    assert "access-control-allow-origin" not in headers


def test_another_host_name_is_not_answered(signed_in: SignedIn) -> None:
    assert signed_in("hale").get("/api/alerts", headers={"host": "rebound.test"}).status_code == 400


def test_a_page_has_no_script_or_style_of_its_own_and_escapes_what_it_is_given(
    signed_in: SignedIn, console: Console
) -> None:
    evil = a_finding(9, subject="BJ-<script>alert(1)</script>")
    console.desk.raise_alerts([a_raise(evil)])
    page = signed_in("hale").get("/").text
    assert re.findall(r"<script(?![^>]* src=)[^>]*>", page) == []
    assert " style=" not in page
    assert "BJ-&lt;script&gt;" in page
    rows = page[page.index("<tbody>") :]
    assert rows.index("Major") < rows.index("Minor")
    assert "owed 30.00" in page


def test_the_interface_is_described_for_who_is_signed_in(signed_in: SignedIn) -> None:
    described = signed_in("hale").get("/api/schema/openapi.json").json()
    assert {"/api/alerts", "/api/alerts/{alert}", "/api/alerts/{alert}/acts"} <= set(described["paths"])


def test_a_body_beyond_what_an_act_can_be_is_not_read(signed_in: SignedIn) -> None:
    status, _ = act(signed_in("hale"), act="acknowledged", version=1, padding="x" * 100_000)
    assert status == 413


def test_what_fails_inside_is_in_the_log_and_not_in_the_answer(
    signed_in: SignedIn, console: Console, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(_: Desk) -> None:
        raise RuntimeError("inner matter 4711")

    hale = signed_in("hale")
    monkeypatch.setattr(Desk, "snapshot", fail)
    answer = hale.get("/api/alerts")
    assert answer.status_code == 500
    assert "4711" not in answer.text
    assert "inner matter 4711" in caplog.text
    assert answer.headers["content-security-policy"]


def test_health_tells_when_the_desk_cannot_be_read(
    browse: Callable[[], Browser], signed_in: Callable[[str], Browser], log: SqliteDeskLog
) -> None:
    browser = browse()
    assert browser.get("/health").json() == {"status": "ok", "altered": 0}, "no word of what goes on"
    assert signed_in("hale").get("/health").json() == {"status": "ok", "altered": 0, "seq": 3, "viewers": 0}
    log.close()
    for _ in range(200):
        answer = browser.get("/health")
        if answer.status_code == 503:
            break
    assert answer.json()["status"] == "the desk's ledger cannot be read"


def test_another_process_at_the_desk_is_seen(
    signed_in: SignedIn, console: Console, log: SqliteDeskLog
) -> None:
    other = Desk(log, console.clock)
    other.act(Acknowledged(alert=ONE, version=1), "ito")
    hale = signed_in("hale")
    for _ in range(200):
        if hale.get("/health").json()["seq"] == 4:
            break
    assert hale.get(f"/api/alerts/{ONE}").json()["owner"] == "ito"
