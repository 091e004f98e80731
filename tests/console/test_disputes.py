"""Disputes: opened out of a round, decided by one or two, due in time, with everything that was done kept."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboards.accounts.accounts import Accounts
from dashboards.desk.decisions import Refused
from dashboards.desk.desk import Desk
from dashboards.desk.disputes import Dispute, DisputeTerms
from dashboards.desk.state import DeskState
from dashboards.disputes.forms import cents_of
from dashboards.ledger.acts import DeskBroken
from dashboards.ledger.dispute_acts import (
    DisputeConfirmed,
    DisputeDecided,
    DisputeNoted,
    DisputeOpened,
    DisputeReviewed,
    Review,
)
from dashboards.web.console import Console
from deploy.configured.desk_ledger import SqliteDeskLog
from tests.console.conftest import Browser, Clock
from tests.console.desk_building import T0, a_raise, take
from tests.console.disputing import (
    CLAIM,
    FIRST,
    ROUND,
    SEAT,
    SETTLED,
    act,
    fields_of,
    found,
    held,
    open_one,
    wish,
    with_records,
)

SignedIn = Callable[[str], Browser]


@pytest.fixture
def console(console: Console) -> Console:
    return with_records(console)


def test_the_form_holds_what_the_record_says_already_and_opens_the_dispute_without_a_script(
    signed_in: SignedIn, console: Console
) -> None:
    hale = signed_in("hale")
    page = hale.get(f"/disputes/new?subject={held().subject}&round={ROUND}&seat={SEAT}").text
    assert (
        "By the record the patron was paid $100.00 more than was due; $100.00 is still to come back." in page
    )
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
    decided = GREAT
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
    assert shown["counts"] == {"open": 3, "second": 0, "soon": 1, "overdue": 1, "decided": 0}
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
    left, late = dispute.days_left(at), dispute.due_at(at, DisputeTerms()) == "overdue"
    assert late == (days > 30)
    assert left == -(-(30 - days) // 1) if days <= 30 else left == -((days - 30) // 1)


def test_law_22_an_alert_names_its_dispute_and_the_dispute_the_alert(
    signed_in: SignedIn, console: Console
) -> None:
    finding = found()
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


def test_a_desk_that_reads_the_ledger_anew_has_the_same_disputes(
    signed_in: SignedIn, console: Console, log: SqliteDeskLog, clock: Clock
) -> None:
    hale, ito = signed_in("hale"), signed_in("ito")
    for number in range(3):
        name = open_one(hale).id
        act(hale, name, act="noted", version=1, note=f"note {number}")
        cents = 40_000 * number
        decided = {"ruling": "for the patron", "amount_cents": cents, "beyond_cents": cents, "reason": "r"}
        act(hale, name, act="decided", version=2, **decided)
        act(ito, name, act="confirmed", version=3)
        hale.get(f"/disputes/{name}.pdf")
    assert Desk(log, clock).disputes() == console.desk.disputes()
    assert len({entry.hash for one in console.desk.disputes() for entry in one.history}) == 3 * 3 + 1


def test_a_ledger_that_acts_upon_a_dispute_that_is_not_so_is_broken() -> None:
    state = DeskState()
    noted = DisputeNoted(dispute="DIS-0001", version=1, note="x")
    with pytest.raises(DeskBroken, match="version 1 of DIS-0001"):
        take(state, noted)
    opening = DisputeOpened(
        dispute="DIS-0001",
        subject="BJ-1",
        round=1,
        first_sequence=1,
        claim="c",
        claimed_cents=0,
        review=Review(),
        due=T0,
        two_from_cents=0,
    )
    take(state, opening)
    with pytest.raises(DeskBroken, match="a second time"):
        take(state, opening)
    take(state, noted)
    with pytest.raises(DeskBroken, match="version 1 of DIS-0001"):
        take(state, noted)
    with pytest.raises(DeskBroken, match="no decision that waits"):
        take(state, DisputeConfirmed(dispute="DIS-0001", version=2))
    decided = DisputeDecided(
        dispute="DIS-0001", version=2, ruling="for the patron", amount_cents=1, reason="r"
    )
    take(state, decided)
    with pytest.raises(DeskBroken, match="second person is someone else"):
        take(state, DisputeConfirmed(dispute="DIS-0001", version=3))
    take(state, DisputeConfirmed(dispute="DIS-0001", version=3), "ito")


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


GREAT: dict[str, Any] = {
    "act": "decided", "ruling": "for the patron", "amount_cents": 50_001, "beyond_cents": 50_001, "reason": "late call",
}  # fmt: skip


def test_nobody_names_the_second_auditor_of_a_dispute(signed_in: SignedIn) -> None:
    hale = signed_in("hale")
    for named in ("ito", "rex", "nobody"):
        answer = hale.post("/api/disputes", json=wish(review={"second_auditor": named}))
        assert (answer.status_code, "signed in under a name of their own" in answer.text) == (422, True)
    name = open_one(hale).id
    status, told = act(hale, name, act="reviewed", version=1, review={"second_auditor": "ito"})
    assert (status, "signed in under a name of their own" in told["detail"]) == (422, True)
    for page in (f"/disputes/{name}", "/disputes/new?subject=FB-12&round=12"):
        assert 'name="second_auditor"' not in hale.get(page).text


def test_a_second_auditor_whom_an_older_record_names_stands_as_named_and_not_as_confirming(
    signed_in: SignedIn, console: Console
) -> None:
    hale = signed_in("hale")
    dispute = open_one(hale)
    old = Review(requested_by="fay", second_auditor="ito")
    console.desk.act_on_dispute(DisputeReviewed(dispute=dispute.id, version=1, review=old), "hale")
    assert "Second auditor, as named then" in hale.get(f"/disputes/{dispute.id}").text
    assert act(hale, dispute.id, act="reviewed", version=2, review={"camera": "C-0217"})[0] == 200
    seen = hale.get(f"/api/disputes/{dispute.id}").json()["dispute"]
    assert (seen["review"]["second_auditor"], seen["review"]["camera"]) == ("ito", "C-0217"), "it is not lost"


def test_a_decision_waits_for_each_but_the_person_who_made_it_and_they_may_withdraw_it(
    signed_in: SignedIn, accounts: Accounts
) -> None:
    hale, ito = signed_in("hale"), signed_in("ito")
    name = open_one(hale).id
    act(hale, name, version=1, **GREAT)
    for person, waits in ((ito, 1), (hale, 0)):
        told = person.get("/api/disputes", params={"show": "second"}).json()
        assert (len(told["shown"]), told["counts"]["second"], told["counts"]["open"]) == (waits, waits, 1)
        assert (f'href="/disputes/{name}"' in person.get("/disputes?show=second").text) == bool(waits)
        assert "waits for a second person" in person.get("/disputes").text
    assert 'value="withdrawn"' in hale.get(f"/disputes/{name}").text
    assert 'value="confirmed"' not in hale.get(f"/disputes/{name}").text
    assert 'value="withdrawn"' not in ito.get(f"/disputes/{name}").text
    assert act(ito, name, act="withdrawn", version=2)[0] == 422
    form = {"csrf": hale.headers["x-csrf-token"], "act": "withdrawn", "version": "2"}
    assert hale.post(f"/disputes/{name}/acts", data=form, follow_redirects=False).status_code == 303
    seen = ito.get(f"/api/disputes/{name}").json()["dispute"]
    assert (seen["status"], seen["decision"]) == ("open", None)
    assert [one["act"]["act"] for one in seen["history"]][-1] == "dispute_withdrawn"
    assert act(ito, name, act="confirmed", version=2)[0] == 409
    assert act(ito, name, act="confirmed", version=3)[0] == 422
