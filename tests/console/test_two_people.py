"""A critical alert is closed by two: one proposes it, another person confirms it from a sign-in of their own."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from dashboards.desk.decisions import Refused
from dashboards.desk.desk import Desk
from dashboards.desk.state import DeskState
from dashboards.ledger.acts import ClosingConfirmed, ClosingProposed, Reopened, write
from dashboards.web.console import Console
from deploy.configured.desk_ledger import SqliteDeskLog
from schemas.events.codec import record_hash
from tests.console.conftest import Browser, Clock
from tests.console.desk_building import a_finding, a_raise
from tests.console.test_feed import told, watch

SignedIn = Callable[[str], Browser]
ONE = a_finding(severity="critical").finding_id
SMALL = a_finding(2, check="pace", severity="minor", money_cents=0).finding_id
PROPOSED = {"act": "disposed", "disposition": "dealer error", "note": "Underpaid, seen on camera 4."}
MONEY = {"dollars": "30.00", "side": "loss"}


@pytest.fixture(autouse=True)
def _alerts(console: Console) -> None:
    console.desk.raise_alerts(
        [
            a_raise(a_finding(severity="critical")),
            a_raise(a_finding(2, check="pace", severity="minor", money_cents=0), dealer=None),
        ]
    )


def act(browser: Browser, version: int, alert: str = ONE, **wish: Any) -> tuple[int, Any]:
    answer = browser.post(f"/api/alerts/{alert}/acts", json={"version": version, **wish})
    return answer.status_code, answer.json()


def proposed(hale: Browser, version: int = 1) -> Any:
    status, answer = act(hale, version, **PROPOSED, **MONEY)
    assert status == 200, answer
    return answer["alert"]


def state(browser: Browser) -> tuple[str, int]:
    alert = browser.get(f"/api/alerts/{ONE}").json()
    return alert["status"], alert["version"]


def records(console: Console) -> list[Any]:
    return [
        one
        for line in console.desk.lines(1, 1_000)
        if (one := msgspec.json.decode(line))["data"]["act"] not in ("accessed", "raised")
    ]


def test_one_person_proposes_and_it_stays_open_until_another_confirms(
    signed_in: SignedIn, console: Console
) -> None:
    hale, ito = signed_in("hale"), signed_in("ito")
    alert = proposed(hale)
    assert (alert["status"], alert["proposal"]["by"]) == ("awaiting", "hale")
    assert "disposition" not in alert, "nothing is settled yet"
    assert [one["id"] for one in hale.get("/api/alerts").json()["alerts"]] == [ONE, SMALL]
    status, answer = act(hale, 2, act="closing_confirmed")
    assert (status, answer["detail"]) == (422, "the second person is someone else")
    status, answer = act(ito, 2, act="closing_confirmed")
    closed = answer["alert"]
    assert (status, closed["status"], closed["disposition"]) == (200, "disposed", "dealer error")
    assert (closed["closed_by"], closed["second_auditor"]) == ("hale", "ito")
    assert (closed["note"], closed["settled_cents"]) == (PROPOSED["note"], 3000)
    assert "confirmed_at" in closed
    assert [(one["data"]["act"], one["actor"]) for one in records(console)] == [
        ("closing_proposed", "hale"),
        ("closing_confirmed", "ito"),
    ]
    page = hale.get("/?tab=closed").text
    assert "hale, confirmed by ito" in page


def test_nobody_names_the_second_person(signed_in: SignedIn) -> None:
    hale = signed_in("hale")
    for alert in (ONE, SMALL):
        assert act(hale, 1, alert, **PROPOSED, second_auditor="ito")[0] == 400
    assert 'name="second_auditor"' not in hale.get(f"/alerts/{ONE}").text + hale.get("/").text
    assert act(hale, 1, SMALL, **PROPOSED)[1]["alert"]["closed_by"] == "hale", "a lesser one is closed by one"


def test_a_refusal_gives_a_reason_and_the_alert_is_what_it_was(signed_in: SignedIn, console: Console) -> None:
    hale, ito = signed_in("hale"), signed_in("ito")
    assert act(hale, 1, act="shelved", reason="break", minutes=60)[0] == 200
    shelved = hale.get(f"/api/alerts/{ONE}").json()
    proposed(hale, 2)
    assert act(ito, 3, act="closing_declined")[0] == 400
    assert act(ito, 3, act="closing_declined", reason="")[0] == 400
    status, answer = act(ito, 3, act="closing_declined", reason="the recording shows seat 4")
    alert = answer["alert"]
    assert (status, alert["status"], alert["version"]) == (200, "shelved", 4)
    assert (alert["shelved_until"], alert["shelved_for"]) == (shelved["shelved_until"], "break")
    assert "proposal" not in alert
    assert (alert["refusal"]["by"], alert["refusal"]["reason"]) == ("ito", "the recording shows seat 4")
    page = hale.get(f"/alerts/{ONE}").text
    assert "the recording shows seat 4" in page
    assert records(console)[-1]["data"]["reason"] == "the recording shows seat 4"
    assert proposed(hale, 4)["status"] == "awaiting", "it can be proposed again"


def test_who_proposed_withdraws_and_nobody_else_does(signed_in: SignedIn) -> None:
    hale, ito = signed_in("hale"), signed_in("ito")
    act(hale, 1, act="acknowledged")
    proposed(hale, 2)
    assert act(ito, 3, act="closing_withdrawn")[0] == 422
    status, answer = act(hale, 3, act="closing_withdrawn")
    assert (status, answer["alert"]["status"], answer["alert"]["owner"]) == (200, "acknowledged", "hale")
    status, answer = act(ito, 3, act="closing_confirmed")
    assert (status, answer["detail"].rpartition(" ")[0]) == (409, "Closing withdrawn by hale 0 s")
    assert act(ito, 4, act="closing_confirmed")[0] == 422


def test_what_happens_meanwhile_the_second_person_has_to_see(signed_in: SignedIn, clock: Clock) -> None:
    hale, ito = signed_in("hale"), signed_in("ito")
    proposed(hale)
    for wish in (
        {"act": "acknowledged"},
        {"act": "shelved", "reason": "x", "minutes": 5},
        PROPOSED,
        {"act": "reopened", "reason": "x"},
    ):
        assert act(hale, 2, **wish)[0] == 422, wish
        assert act(ito, 2, **wish)[0] == 422, wish
    assert act(hale, 2, act="assigned", to="ito")[1]["alert"]["status"] == "awaiting"
    assert act(hale, 3, act="noted", note="The shift manager agrees.")[0] == 200
    clock.forward(3)
    status, answer = act(ito, 2, act="closing_confirmed")
    assert (status, answer["detail"]) == (409, "Noted by hale 3 s ago")
    assert act(ito, 4, act="closing_confirmed")[1]["alert"]["status"] == "disposed"
    assert act(ito, 5, act="closing_confirmed")[0] == 422, "what was proposed before is over"


def closed_by_two(hale: Browser, ito: Browser) -> None:
    proposed(hale)
    assert act(ito, 2, act="closing_confirmed")[0] == 200


def test_law_15_what_two_have_closed_two_open_again(signed_in: SignedIn, console: Console) -> None:
    hale, ito = signed_in("hale"), signed_in("ito")
    closed_by_two(hale, ito)
    status, answer = act(ito, 3, act="reopened", reason="another seat was paid")
    waiting = answer["alert"]
    assert (status, waiting["status"], waiting["proposal"]["by"]) == (200, "awaiting", "ito")
    assert (waiting["disposition"], waiting["closed_by"]) == ("dealer error", "hale"), "it stands until then"
    page, panel = hale.get(f"/alerts/{ONE}").text, hale.get(f"/alerts/{ONE}/panel").text
    assert "ito proposes</strong>" not in page
    assert "ito proposes to open it again</strong>" in page
    assert "another seat was paid" in page
    assert 'data-do="reopening_confirmed"' in panel
    assert f'href="/alerts/{ONE}"' in hale.get("/?tab=second").text
    assert act(ito, 4, act="reopening_confirmed")[1]["detail"] == "the second person is someone else"
    for refused in ("closing_confirmed", "closing_withdrawn", "acknowledged"):
        assert act(hale, 4, act=refused)[0] == 422, refused
    status, answer = act(hale, 4, act="reopening_confirmed")
    opened = answer["alert"]
    assert (status, opened["status"], opened["note"]) == (200, "new", "another seat was paid")
    assert not {"disposition", "closed_by", "second_auditor", "confirmed_at", "settled_cents"} & set(opened)
    assert [(one["data"]["act"], one["actor"]) for one in records(console)[2:]] == [
        ("reopening_proposed", "ito"),
        ("reopening_confirmed", "hale"),
    ]
    history = hale.get(f"/alerts/{ONE}").text
    for kept in ("dealer error", PROPOSED["note"], "another seat was paid"):
        assert kept in history
    assert act(ito, 5, act="reopened", reason="x")[1]["detail"] == "it is open"


@pytest.mark.parametrize("how", ["declined", "withdrawn"])
def test_who_does_not_agree_leaves_it_closed_as_it_was(signed_in: SignedIn, how: str) -> None:
    hale, ito = signed_in("hale"), signed_in("ito")
    closed_by_two(hale, ito)
    before = hale.get(f"/api/alerts/{ONE}").json()
    act(hale, 3, act="reopened", reason="another seat")
    one, wish = (ito, {"reason": "it was seat 4"}) if how == "declined" else (hale, {})
    other = hale if how == "declined" else ito
    assert act(other, 4, act=f"reopening_{how}", **wish)[0] == 422
    status, answer = act(one, 4, act=f"reopening_{how}", **wish)
    again = answer["alert"]
    kept = ("status", "disposition", "note", "closed_by", "second_auditor", "confirmed_at", "settled_cents")
    assert (status, {name: again[name] for name in kept}) == (200, {name: before[name] for name in kept})
    assert "proposal" not in again
    page = hale.get(f"/alerts/{ONE}").text
    assert ("Not opened again:</strong> ito declined it" in page) == (how == "declined")
    assert f'href="/alerts/{ONE}"' not in hale.get("/").text
    assert act(ito, 5, act="reopened", reason="once more")[1]["alert"]["status"] == "awaiting"


def test_what_one_person_closed_one_person_opens_again(signed_in: SignedIn) -> None:
    hale, ito = signed_in("hale"), signed_in("ito")
    act(hale, 1, SMALL, **PROPOSED)
    status, answer = act(ito, 2, SMALL, act="reopened", reason="x")
    assert (status, answer["alert"]["status"]) == (200, "new")
    assert act(hale, 3, SMALL, act="reopening_confirmed")[0] == 422


def test_law_15_a_record_of_one_person_who_opened_what_two_had_closed_is_still_read(
    console: Console, log: SqliteDeskLog, clock: Clock
) -> None:
    at = console.clock()
    console.desk.act(ClosingProposed(alert=ONE, version=1, disposition="no error", note="x"), "hale")
    console.desk.act(ClosingConfirmed(alert=ONE, version=2), "ito")
    line = write(
        Reopened(alert=ONE, version=3, reason="y"), "ito", at, console.desk.records + 1, console.desk.head
    )
    state = DeskState()
    for one in (*console.desk.lines(1, 1_000), line):
        state.take(one)
    assert (state.alerts[ONE].status, state.alerts[ONE].note) == ("new", "y")
    with pytest.raises(Refused, match="two have closed it"):
        console.desk.act(Reopened(alert=ONE, version=3, reason="y"), "ito")


@pytest.mark.parametrize("first", ["hale", "ito"])
def test_an_undo_takes_back_ones_own_half_alone(signed_in: SignedIn, first: str) -> None:
    one, other = signed_in(first), signed_in({"hale": "ito", "ito": "hale"}[first])
    proposed(one)
    assert act(other, 2, act="undone")[0] == 422
    assert act(one, 2, act="undone")[1]["alert"]["status"] == "new"
    proposed(one, 3)
    act(other, 4, act="closing_confirmed")
    assert act(one, 5, act="undone")[0] == 422
    undone = act(other, 5, act="undone")[1]["alert"]
    assert (undone["status"], undone["proposal"]["by"]) == ("awaiting", first)
    assert act(one, 6, act="closing_confirmed")[0] == 422


def test_who_may_not_close_alerts_reads_of_no_proposal(signed_in: SignedIn, console: Console) -> None:
    proposed(signed_in("hale"))
    fay = signed_in("fay")
    seen = fay.get(f"/api/alerts/{ONE}").json()
    assert seen["status"] == "awaiting"
    assert not {"proposal", "disposition", "note"} & set(seen), "a review is not for the floor"
    page = fay.get(f"/alerts/{ONE}").text
    assert "second person" in page
    assert PROPOSED["note"] not in page


def test_each_sees_what_waits_for_them_and_everybody_that_it_waits(signed_in: SignedIn) -> None:
    hale, ito, fay = signed_in("hale"), signed_in("ito"), signed_in("fay")
    with watch(ito) as feed:
        assert told(feed, 2)[-1]["kind"] == "snapshot"
        proposed(hale)
        (change,) = told(feed, 3)
    assert (change["act"], change["alert"]["status"], change["alert"]["proposed_by"]) == (
        "closing_proposed",
        "awaiting",
        "hale",
    )
    here = f'href="/alerts/{ONE}"'
    assert here in ito.get("/?tab=second").text
    assert here not in hale.get("/?tab=second").text, "one's own is for another to confirm"
    assert "tab=second" not in fay.get("/").text
    for browser in (hale, ito):
        assert ">Waits for second; hale proposes</span>" in browser.get("/").text
        assert "hale proposes, waits for a second person</b>" in browser.get(f"/alerts/{ONE}/panel").text
    assert ">Waits for second</span>" in fay.get("/").text
    assert "Waits for a second person</b>" in fay.get(f"/alerts/{ONE}/panel").text
    row = next(one for one in fay.get("/api/alerts").json()["alerts"] if one["id"] == ONE)
    assert "proposed_by" not in row, "who proposes is a part of the review"
    page = ito.get(f"/alerts/{ONE}").text
    assert 'value="closing_confirmed"' in page
    assert 'value="closing_withdrawn"' not in page
    own = hale.get(f"/alerts/{ONE}").text
    assert 'value="closing_confirmed"' not in own
    assert 'value="closing_withdrawn"' in own
    for browser, has, lacks in ((ito, "confirmed", "withdrawn"), (hale, "withdrawn", "confirmed")):
        panel = browser.get(f"/alerts/{ONE}/panel").text
        assert PROPOSED["note"] in panel
        assert f'data-do="closing_{has}"' in panel
        assert f'data-do="closing_{lacks}"' not in panel


def test_without_a_script_the_second_person_confirms_on_the_alerts_page(signed_in: SignedIn) -> None:
    hale, ito = signed_in("hale"), signed_in("ito")
    sent = {"csrf": hale.headers["x-csrf-token"], "version": "1", **PROPOSED}
    assert hale.post(f"/alerts/{ONE}", data=sent, follow_redirects=False).status_code == 303
    own = {"csrf": hale.headers["x-csrf-token"], "version": "2", "act": "closing_confirmed"}
    refused = hale.post(f"/alerts/{ONE}", data=own)
    assert (refused.status_code, "the second person is someone else" in refused.text) == (422, True)
    done = {"csrf": ito.headers["x-csrf-token"], "version": "2", "act": "closing_confirmed"}
    assert ito.post(f"/alerts/{ONE}", data=done, follow_redirects=False).status_code == 303
    page = hale.get(f"/alerts/{ONE}").text
    assert "closing proposed" in page
    assert "closing confirmed" in page
    assert state(hale) == ("disposed", 3)


def test_of_several_the_grave_ones_wait_and_the_others_are_closed(signed_in: SignedIn) -> None:
    hale = signed_in("hale")
    seen = [{"id": ONE, "version": 1}, {"id": SMALL, "version": 1}]
    done = hale.post("/api/acts", json={"wish": PROPOSED, "alerts": seen}).json()["done"]
    assert [row["status"] for row in done] == ["awaiting", "disposed"]


def test_the_record_proves_both_persons_and_a_changed_name_is_found(
    signed_in: SignedIn, console: Console, log: SqliteDeskLog, clock: Clock, tmp_path: Path
) -> None:
    proposed(signed_in("hale"))
    act(signed_in("ito"), 2, act="closing_confirmed")
    assert Desk(log, clock).alert(ONE) == console.desk.alert(ONE), "read anew it is the same"
    lines = list(console.desk.lines(1, 1_000))
    path = tmp_path / "desk.ndjson"
    path.write_bytes(b"\n".join(lines) + b"\n")
    assert _verify(path).returncode == 0
    [at] = [n for n, line in enumerate(lines) if b'"closing_confirmed"' in line]
    assert b'"actor":"ito"' in lines[at]
    lines[at] = lines[at].replace(b'"actor":"ito"', b'"actor":"ivo"')
    path.write_bytes(b"\n".join([*lines[: at + 1], *lines[at + 1 :], lines[-1]]) + b"\n")
    broken = _verify(path)
    assert (broken.returncode, f"{at + 1}" in broken.stdout) == (1, True)


def _verify(path: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "deploy.cli", "verify", str(path)], capture_output=True, text=True, check=False
    )


OLD = (
    b'{"specversion":"1.0","id":"desk-%d","source":"catwalk/desk","type":"catwalk.desk.v1","subject":"desk",'
    b'"time":"2026-11-20T20:00:01Z","sequence":%d,"prevhash":"%s","actor":"hale","data":{"act":"disposed",'
    b'"alert":"%s","version":1,"disposition":"dealer error","note":"paid","second_auditor":"ito",'
    b'"money_cents":3000}}'
)


def test_a_record_of_before_that_names_its_second_auditor_is_read_and_claims_no_more(
    signed_in: SignedIn, console: Console, log: SqliteDeskLog
) -> None:
    number, head = console.desk.records, console.desk.head
    line = OLD % (number + 1, number + 1, head.encode(), ONE.encode())
    log.append([line], number, head)
    assert record_hash(line)
    ito = signed_in("ito")
    alert = ito.get(f"/api/alerts/{ONE}").json()
    assert (alert["status"], alert["closed_by"], alert["second_auditor"]) == ("disposed", "hale", "ito")
    assert "confirmed_at" not in alert
    assert "hale, who named ito as second auditor" in " ".join(ito.get(f"/alerts/{ONE}").text.split())


def test_a_record_in_which_one_person_is_both_is_no_record_of_this_desk(
    signed_in: SignedIn, console: Console, log: SqliteDeskLog, tmp_path: Path, clock: Clock
) -> None:
    from dashboards.ledger.acts import ClosingConfirmed, write

    proposed(signed_in("hale"))
    number, head = console.desk.records, console.desk.head
    log.append(
        [write(ClosingConfirmed(alert=ONE, version=2), "hale", clock.now, number + 1, head)], number, head
    )
    with closing(SqliteDeskLog(tmp_path / "desk.db")) as again:
        alarm = Desk(again, clock).alarm
    assert alarm is not None
    assert "second person is someone else" in alarm.why
