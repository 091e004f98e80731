"""Disputes as the console keeps them: opened out of a round, decided by one or two, due in time, theirs to read."""

from __future__ import annotations

import datetime as dt
import hashlib
import re
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from litestar.testing import TestClient

from dashboards.desk.acts import Withheld
from dashboards.desk.decisions import Refused
from dashboards.desk.desk import Desk
from dashboards.desk.disputes import Dispute, Terms
from dashboards.server.accounts import Accounts
from dashboards.server.app import console_app
from dashboards.server.console import Console, NoRecords
from dashboards.server.dispute_forms import cents_of
from deploy.desk_ledger import SqliteDeskLog
from schemas.findings import Finding
from tests.console.conftest import ORIGIN, PASSWORD, Browser, Clock
from tests.console.desk_building import a_raise
from tests.hands.stored import Recorded, recorded

ROUND, SEAT, FIRST, SETTLED = 12, 6, 641, 682  # the dealer had 22, and paid seat 6
CLAIM = "The dealer had 22, but <b>they</b> paid the others."
SignedIn = Callable[[str], Browser]


@lru_cache(maxsize=1)
def held() -> Recorded:
    return recorded("breach_dealer22_paid")


@pytest.fixture
def console(console: Console, accounts: Accounts) -> Console:
    accounts.add("otto", "auditor", PASSWORD)
    return replace(console, records=held().store, dispute_terms=Terms(two_from_cents=50_000))


@pytest.fixture
def finding() -> Finding:
    return found()


def found() -> Finding:
    rows = held().store.query(
        "SELECT record FROM findings FINAL WHERE subject = {s:String} AND round = 12", {"s": held().subject}
    )
    return msgspec.json.decode(rows[0][0], type=Finding)


def wish(**changed: Any) -> dict[str, Any]:
    asked = {"requested_by": "fay", "dealer": "D-301", "supervisor": "F-12"}
    given = {"subject": held().subject, "round": ROUND, "seat": SEAT, "claim": CLAIM, "claimed_cents": 10_000}
    return given | {"review": asked} | changed


def open_one(browser: Browser, **changed: Any) -> Dispute:
    answer = browser.post("/api/disputes", json=wish(**changed))
    assert answer.status_code == 201, answer.text
    return msgspec.convert(answer.json()["dispute"], Dispute)


def act(browser: Browser, dispute: str, **done: Any) -> tuple[int, Any]:
    answer = browser.post(f"/api/disputes/{dispute}/acts", json=done)
    return answer.status_code, answer.json()


def kept(console: Console) -> list[str]:
    """What the desk keeps, as text."""
    return [line.decode() for line in console.desk.lines(1, 10_000)]


def fields_of(page: str, action: str) -> dict[str, str]:
    """The fields of a form as a browser without a script would send them."""
    form = page[page.index(f'action="{action}"') :]
    form = form[: form.index("</form>")]
    fields = dict(re.findall(r'<input [^>]*name="(\w+)"[^>]*value="([^"]*)"', form))
    return fields | dict(re.findall(r'<textarea [^>]*name="(\w+)"[^>]*>([^<]*)<', form))


def test_the_form_holds_what_the_record_says_already_and_opens_the_dispute_without_a_script(
    signed_in: SignedIn, console: Console
) -> None:
    hale = signed_in("hale")
    page = hale.get(f"/disputes/new?subject={held().subject}&round={ROUND}&seat={SEAT}").text
    assert "By the record the patron was paid $100.00 more than was due." in page
    fields = fields_of(page, "/disputes")
    assert (fields["dealer"], fields["supervisor"], fields["patron"]) == ("D-301", "F-12", "P-0098")
    assert (fields["first"], fields["sequence"]) == (str(FIRST), str(SETTLED))
    filled = fields | {"claim": CLAIM, "claimed": "$1,250.50", "requested_by": "fay"}
    answer = hale.post("/disputes", data=filled, follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, "/disputes/DIS-0001")
    dispute = console.desk.dispute("DIS-0001")
    assert dispute is not None
    assert (dispute.claimed_cents, dispute.sequence, dispute.review.dealer) == (125_050, SETTLED, "D-301")
    assert dispute.due == dispute.opened_at + dt.timedelta(days=30)
    shown = hale.get("/disputes/DIS-0001").text
    assert CLAIM not in shown
    assert "&lt;b&gt;they&lt;/b&gt;" in shown


@pytest.mark.parametrize(
    "asked", ["", "subject=&round=&seat=", "subject=FB-12&round=x", "subject=XX&round=1&seat=9"]
)
def test_without_a_round_the_form_asks_which_hand(signed_in: SignedIn, asked: str) -> None:
    answer = signed_in("hale").get(f"/disputes/new?{asked}")
    assert answer.status_code == 200
    assert 'name="claim"' not in answer.text
    assert ("The store holds no round" in answer.text) == ("-12" in asked or "XX" in asked)


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"claimed": "a lot"}, "The amount claimed: a lot is no amount"),
        ({"claim": "  "}, "The claim is missing"),
        ({"requested_by": ""}, "Requested by: say who asked"),
        ({"seat": "12"}, "The seat:"),
        ({"begun": "yesterday"}, "The review began: yesterday is no time"),
        ({"error_type": "bad luck"}, "The type of error:"),
        ({"round": "4000"}, "has no round 4000"),
        ({"alert": "0" * 32}, "there is no alert"),
    ],
)
def test_a_form_that_is_not_right_says_what_and_keeps_what_was_written(
    signed_in: SignedIn, console: Console, changed: dict[str, str], why: str
) -> None:
    hale = signed_in("hale")
    page = hale.get(f"/disputes/new?subject={held().subject}&round={ROUND}&seat={SEAT}").text
    filled = fields_of(page, "/disputes") | {"claim": "Kept words", "claimed": "10", "requested_by": "fay"}
    answer = hale.post("/disputes", data=filled | changed)
    assert answer.status_code == 422
    assert why in answer.text
    if "claim" not in changed and "round" not in changed:
        assert "Kept words" in answer.text
    assert console.desk.disputes() == ()


def test_a_decision_beyond_the_limit_holds_when_someone_else_confirms_it(signed_in: SignedIn) -> None:
    hale, ito = signed_in("hale"), signed_in("ito")
    name = open_one(hale).id
    decided = {"act": "decided", "ruling": "for the patron", "amount_cents": 50_001, "reason": "late call"}
    status, told = act(hale, name, version=1, **decided)
    assert (status, told["dispute"]["status"]) == (200, "awaiting a second")
    assert act(hale, name, act="confirmed", version=2)[0] == 422
    assert act(hale, name, act="reviewed", version=2, review={"error_type": "dealer error"})[0] == 422
    status, told = act(ito, name, act="confirmed", version=2)
    assert (status, told["dispute"]["status"]) == (200, "decided")
    decision = told["dispute"]["decision"]
    assert (decision["by"], decision["confirmed_by"]) == ("hale", "ito")


def test_a_decision_within_the_limit_holds_at_once_and_one_that_is_declined_does_not(
    signed_in: SignedIn,
) -> None:
    hale, ito = signed_in("hale"), signed_in("ito")
    small = open_one(hale).id
    decided = {"act": "decided", "ruling": "for the house", "amount_cents": -50_000, "reason": "overpaid"}
    assert act(hale, small, version=1, **decided)[1]["dispute"]["status"] == "decided"
    assert act(hale, small, act="declined", version=2, reason="no")[0] == 422
    great = open_one(hale).id
    act(hale, great, version=1, **(decided | {"amount_cents": -50_001}))
    status, told = act(ito, great, act="declined", version=2, reason="ask the patron first")
    assert (status, told["dispute"]["status"], told["dispute"]["decision"]) == (200, "open", None)
    assert [entry["act"]["act"] for entry in told["dispute"]["history"]][-1] == "dispute_declined"


def test_a_dispute_for_the_house_pays_the_patron_nothing(signed_in: SignedIn) -> None:
    hale = signed_in("hale")
    name = open_one(hale).id
    status, told = act(hale, name, act="decided", version=1, ruling="withdrawn", amount_cents=1, reason="x")
    assert (status, told["detail"]) == (422, "a dispute decided withdrawn pays the patron nothing")


def test_who_was_slower_is_told_who_was_faster_and_keeps_what_they_wrote(signed_in: SignedIn) -> None:
    hale, ito = signed_in("hale"), signed_in("ito")
    name = open_one(hale).id
    seen = fields_of(ito.get(f"/disputes/{name}").text, f"/disputes/{name}/acts")
    assert act(hale, name, act="noted", version=1, note="asked the floor")[0] == 200
    form = {"act": "decided", "ruling": "for the house", "amount": "0", "reason": "a long reason"}
    answer = ito.post(f"/disputes/{name}/acts", data=seen | form)
    assert answer.status_code == 409
    assert "Noted by hale" in answer.text
    assert "a long reason" in answer.text
    again = fields_of(answer.text, f"/disputes/{name}/acts")
    answer = ito.post(f"/disputes/{name}/acts", data=again | form, follow_redirects=False)
    assert answer.status_code == 303


def test_nothing_is_edited_in_place_the_review_that_was_stays_in_the_history(signed_in: SignedIn) -> None:
    hale = signed_in("hale")
    name = open_one(hale).id
    act(hale, name, act="reviewed", version=1, review={"requested_by": "fay", "error_type": "dealer error"})
    act(hale, name, act="reviewed", version=2, review={"requested_by": "fay", "error_type": "no error"})
    page = hale.get(f"/disputes/{name}").text
    assert "Type of error: dealer error" in page
    assert "Type of error: no error" in page


def test_a_decided_one_is_opened_again_with_its_reason_and_its_due_date_stays(
    signed_in: SignedIn, clock: Clock
) -> None:
    hale = signed_in("hale")
    before = open_one(hale)
    act(hale, before.id, act="decided", version=1, ruling="withdrawn", amount_cents=0, reason="left")
    assert act(hale, before.id, act="noted", version=2, note="after it was decided")[0] == 200
    clock.forward(60)
    status, told = act(hale, before.id, act="reopened", version=3, reason="the patron came back")
    assert (status, told["dispute"]["status"]) == (200, "open")
    assert msgspec.convert(told["dispute"], Dispute).due == before.due
    assert act(hale, before.id, act="reopened", version=4, reason="twice")[0] == 422


def test_open_disputes_stand_by_due_date_and_those_late_are_marked(signed_in: SignedIn, clock: Clock) -> None:
    for _ in range(3):
        open_one(signed_in("hale"))
        clock.forward(12 * 86_400)
    # 36, 24 and 12 days ago
    hale = signed_in("hale")
    shown = hale.get("/api/disputes").json()
    assert [(one["id"], one["due_state"], one["days_left"]) for one in shown["shown"]] == [
        ("DIS-0001", "overdue", -6),
        ("DIS-0002", "due soon", 6),
        ("DIS-0003", "in time", 18),
    ]
    assert shown["counts"] == {"open": 3, "soon": 1, "overdue": 1, "decided": 0}
    page = hale.get("/disputes?show=overdue").text
    assert "overdue by 6 days" in page
    assert "DIS-0002" not in page
    assert "Nothing is decided yet" in hale.get("/disputes?show=decided").text
    assert "DIS-0002" in hale.get("/disputes?q=fb-12+d-301").text
    assert "DIS-0002" not in hale.get("/disputes?q=fb-13").text


@pytest.mark.parametrize("days", [0.0, 0.5, 1.0, 29.999, 30.0, 30.001, 31.0, 45.5])
def test_days_left_end_when_the_dispute_is_due(signed_in: SignedIn, days: float) -> None:
    dispute = open_one(signed_in("hale"))
    at = dispute.opened_at + dt.timedelta(days=days)
    left, late = dispute.days_left(at), dispute.due_at(at, Terms()) == "overdue"
    assert late == (days > 30)
    assert left == -(-(30 - days) // 1) if days <= 30 else left == -((days - 30) // 1)


def test_the_floor_reads_what_it_asked_for_without_what_the_review_says_of_people(
    signed_in: SignedIn, console: Console
) -> None:
    hale, fay = signed_in("hale"), signed_in("fay")
    theirs = open_one(hale).id
    others = open_one(hale, review={"requested_by": "ito"}).id
    act(hale, theirs, act="noted", version=1, note="watch the dealer's friend")
    assert [one["id"] for one in fay.get("/api/disputes").json()["shown"]] == [theirs]
    page = fay.get(f"/disputes/{theirs}")
    assert page.status_code == 200
    for body in (page.text, fay.get(f"/api/disputes/{theirs}").text):
        assert "friend" not in body
    assert 'name="ruling"' not in page.text
    assert fay.get(f"/disputes/{others}").status_code == 404
    assert act(fay, theirs, act="noted", version=2, note="mine")[0] == 403
    assert fay.get(f"/disputes/{theirs}.pdf").status_code == 403
    assert len(console.desk.dispute(theirs).prints) == 0  # type: ignore[union-attr]  # it is there


def test_auditors_read_and_print_and_nobody_else_does_anything(signed_in: SignedIn, console: Console) -> None:
    name = open_one(signed_in("hale")).id
    otto = signed_in("otto")
    assert otto.get(f"/disputes/{name}").status_code == 200
    assert otto.get(f"/disputes/{name}.pdf").status_code == 200
    assert act(otto, name, act="confirmed", version=1)[0] == 403
    assert otto.post("/api/disputes", json=wish()).status_code == 403
    for who in ("rex", "ann"):
        browser = signed_in(who)
        for path in ("/disputes", f"/disputes/{name}", f"/api/disputes/{name}", f"/disputes/{name}.pdf"):
            assert browser.get(path).status_code == 403, (who, path)
        assert browser.get(f"/hands/{held().subject}/{ROUND}/evidence.pdf").status_code == 403
        assert browser.get("/disputes/new").status_code == 403
    refused = [line for line in kept(console) if '"granted":false' in line and '"rex"' in line]
    assert len(refused) == 6


@pytest.mark.parametrize("kind", ["table", "dealer", "alert"])
def test_what_is_withheld_is_a_dispute_that_does_not_exist(
    signed_in: SignedIn, console: Console, finding: Finding, kind: Any
) -> None:
    console.desk.raise_alerts([a_raise(finding, "D-301")])
    name = open_one(signed_in("hale"), alert=finding.finding_id).id
    value = {"table": held().subject, "dealer": "D-301", "alert": finding.finding_id}[kind]
    console.desk.note(Withheld(user="ito", kind=kind, value=value), "ann")
    ito = signed_in("ito")
    assert ito.get("/api/disputes").json()["shown"] == []
    for path in (f"/disputes/{name}", f"/api/disputes/{name}", f"/disputes/{name}.pdf"):
        assert ito.get(path).status_code == 404, path
        assert ito.get(path.replace(name, "DIS-0099")).status_code == 404
    assert act(ito, name, act="noted", version=1, note="x")[0] == 404
    if kind != "alert":
        assert ito.get(f"/hands/{held().subject}/{ROUND}/evidence.pdf").status_code == 404
        assert ito.post("/api/disputes", json=wish()).status_code == 422


def test_a_look_is_kept_before_anything_is_shown_and_without_that_nothing_is(
    signed_in: SignedIn, console: Console, log: SqliteDeskLog
) -> None:
    hale = signed_in("hale")
    name = open_one(hale).id
    hale.get(f"/disputes/{name}")
    assert any(f'"object":"dispute {name}"' in line and '"hale"' in line for line in kept(console))
    log.close()
    for path in (
        "/disputes",
        f"/disputes/{name}",
        f"/disputes/{name}.pdf",
        f"/hands/{held().subject}/{ROUND}/evidence.pdf",
    ):
        answer = hale.get(path)
        assert answer.status_code == 503, path
        assert "D-301" not in answer.text


def test_a_form_without_its_token_does_nothing(signed_in: SignedIn, console: Console) -> None:
    hale = signed_in("hale")
    name = open_one(hale).id
    form = {"act": "noted", "version": "1", "note": "x"}
    assert hale.post(f"/disputes/{name}/acts", data=form | {"csrf": "0" * 43}).status_code == 403
    assert hale.post(f"/disputes/{name}/acts", data=form).status_code == 403
    assert hale.post("/disputes", data={"claim": "x"}).status_code == 403
    hale.headers.pop("x-csrf-token")
    assert act(hale, name, act="noted", version=1, note="x")[0] == 403
    assert len(console.desk.dispute(name).history) == 1  # type: ignore[union-attr]  # it is there


def test_an_alert_has_the_dispute_among_its_cases_and_the_dispute_the_alert(
    signed_in: SignedIn, console: Console, finding: Finding
) -> None:
    console.desk.raise_alerts([a_raise(finding, "D-301")])
    hale = signed_in("hale")
    page = hale.get(
        f"/disputes/new?subject={held().subject}&round={ROUND}&seat={SEAT}&alert={finding.finding_id}"
    )
    assert f'name="alert" value="{finding.finding_id}"' in page.text
    name = open_one(hale, alert=finding.finding_id).id
    alert = console.desk.alert(finding.finding_id)
    assert alert is not None
    assert alert.cases == (name,)
    assert f'href="/alerts/{finding.finding_id}"' in hale.get(f"/disputes/{name}").text
    assert f'href="/disputes/{name}"' in hale.get(f"/alerts/{finding.finding_id}").text
    assert act(hale, name, act="linked", version=1, kind="alert", value=finding.finding_id)[0] == 422
    assert act(hale, name, act="linked", version=1, kind="alert", value="f" * 32)[0] == 422
    assert act(hale, name, act="linked", version=1, kind="case", value="C-7")[1]["dispute"]["cases"] == [
        "C-7"
    ]


def test_what_is_printed_is_kept_by_its_digest_and_the_same_version_prints_the_same_bytes(
    signed_in: SignedIn, console: Console, clock: Clock
) -> None:
    hale = signed_in("hale")
    name = open_one(hale).id
    first = hale.get(f"/disputes/{name}.pdf")
    clock.forward(600)
    second = hale.get(f"/disputes/{name}.pdf")
    assert first.content == second.content
    assert first.content.startswith(b"%PDF-1.7")
    digest = hashlib.sha256(first.content).hexdigest()
    dispute = console.desk.dispute(name)
    assert dispute is not None
    assert [entry.act.sha256 for entry in dispute.prints] == [digest, digest]  # type: ignore[union-attr]  # prints alone
    assert (dispute.version, first.headers["x-content-sha256"]) == (1, digest)
    exports = [line for line in kept(console) if '"what":"export"' in line]
    assert len(exports) == 2
    assert all(digest in line for line in exports)
    act(hale, name, act="noted", version=1, note="more")
    assert hale.get(f"/disputes/{name}.pdf").content != first.content


def test_the_evidence_of_a_round_is_an_export_kept_by_its_digest(
    signed_in: SignedIn, console: Console
) -> None:
    hale = signed_in("hale")
    answer = hale.get(f"/hands/{held().subject}/{ROUND}/evidence.pdf")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/pdf")
    digest = hashlib.sha256(answer.content).hexdigest()
    assert any(digest in line and '"what":"export"' in line for line in kept(console))
    assert hale.get(f"/hands/{held().subject}/4000/evidence.pdf").status_code == 404
    assert hale.get(f"/hands/{held().subject}/{ROUND}/evidence.pdf?first=7").status_code == 404


def test_a_desk_that_reads_the_ledger_anew_has_the_same_disputes(
    signed_in: SignedIn, console: Console, log: SqliteDeskLog, clock: Clock
) -> None:
    hale, ito = signed_in("hale"), signed_in("ito")
    for number in range(3):
        name = open_one(hale).id
        act(hale, name, act="noted", version=1, note=f"note {number}")
        decided = {"ruling": "for the patron", "amount_cents": 40_000 * number, "reason": "r"}
        act(hale, name, act="decided", version=2, **decided)
        act(ito, name, act="confirmed", version=3)
        hale.get(f"/disputes/{name}.pdf")
    assert Desk(log, clock).disputes() == console.desk.disputes()
    assert len({entry.hash for one in console.desk.disputes() for entry in one.history}) == 3 * 3 + 1


def test_a_dispute_whose_round_the_store_has_lost_is_still_read_and_printed(
    signed_in: SignedIn, console: Console, accounts: Accounts
) -> None:
    name = open_one(signed_in("hale")).id
    bare = replace(console, records=NoRecords())
    with TestClient(console_app(bare), base_url=ORIGIN) as browser:
        browser.cookies.set(console.cookie, accounts.sign_in("hale"))
        page = browser.get(f"/disputes/{name}")
        assert page.status_code == 200
        assert "The store holds no round 12" in page.text
        assert browser.get(f"/disputes/{name}.pdf").content.startswith(b"%PDF")


@given(st.integers(-(10**11) + 1, 10**11 - 1))
def test_money_is_read_as_it_is_written(cents: int) -> None:
    sign = "-" if cents < 0 else ""
    whole, part = divmod(abs(cents), 100)
    for written in (
        f"{sign}{whole}.{part:02d}",
        f"{sign}${whole:,}.{part:02d}",
        f" {sign} {whole:,}.{part:02d} ",
    ):
        assert cents_of(written, "It") == cents


@pytest.mark.parametrize("text", ["", "1,00", "1.234", "12.", "١٢", "1e3", "--1", "$", "9" * 12])
def test_what_is_no_amount_is_refused(text: str) -> None:
    with pytest.raises(Refused):
        cents_of(text, "It")
