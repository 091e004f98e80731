"""What is meant beyond a debt: it is kept as it was found, told to who confirms it, and no undo pays more."""

from __future__ import annotations

import re

from msgspec.structs import replace as changed_to

from dashboards.debts.settling import Debt, Scope, SettledBy, beyond_debt, settle
from dashboards.desk.alerts import Alert
from dashboards.reports.letter import LetterContent
from dashboards.web.console import Console
from tests.console.desk_building import T0, a_raise
from tests.console.disputing import act, fields_of, open_one
from tests.console.hands_building import SignedIn
from tests.console.test_closed_once import CLOSED, closed_for, console, done_to_all, of_one_stake, store
from tests.console.test_debt_once import OWED, PAY, owed
from tests.console.test_dispute_letter import written

__all__ = ["console", "store", "written"]  # fixtures


def stands(console: Console, alert: str) -> Alert:
    found = console.desk.alert(alert)
    assert found is not None
    return found


def test_a_form_that_is_refused_keeps_the_amount_that_was_ticked(
    signed_in: SignedIn, console: Console
) -> None:
    hale, finding = signed_in("hale"), owed()
    console.desk.raise_alerts([a_raise(finding)])
    path = f"/alerts/{finding.finding_id}"
    page = hale.get(path).text
    assert '<input type="checkbox" name="money_cents" value="10000">' in page
    assert act(hale, open_one(hale).id, **PAY, amount_cents=6_000)[0] == 200
    fields = {name: fields_of(page, path)[name] for name in ("csrf", "version")}
    fields |= {"act": "disposed", "disposition": "dealer error", "note": "Paid.", "money_cents": "10000"}
    refused = hale.post(path, data=fields)
    assert refused.status_code == 422
    assert '<input type="checkbox" name="money_cents" value="10000" checked>' in refused.text
    assert "<b>$100.00</b>, as it was sent; by the record $40.00 is still to be paid</span>" in refused.text
    (meant,) = re.findall(r'name="beyond_cents" value="(\d+)"', refused.text)
    assert hale.post(path, data=fields | {"beyond_cents": meant}, follow_redirects=False).status_code == 303
    alert = stands(console, finding.finding_id)
    assert (alert.money_cents, alert.beyond_cents) == (OWED, 6_000)


def test_nothing_is_kept_as_beyond_the_debt_where_nothing_is_paid(
    signed_in: SignedIn, console: Console
) -> None:
    hale = signed_in("hale")
    unpaid, saved, lost = of_one_stake(console, 3)
    assert closed_for(hale, unpaid, beyond_cents=OWED).status_code == 200
    assert closed_for(hale, saved, money_cents=-500, beyond_cents=OWED).status_code == 200
    assert closed_for(hale, lost, money_cents=OWED, beyond_cents=10 * OWED).status_code == 200
    assert [stands(console, one).beyond_cents for one in (unpaid, saved, lost)] == [None, None, None]
    elsewhere = changed_to(owed(), finding_id="f" * 32, round=None)
    console.desk.raise_alerts([a_raise(elsewhere)])
    assert closed_for(hale, "f" * 32, money_cents=500, beyond_cents=OWED).status_code == 200
    assert stands(console, "f" * 32).beyond_cents is None


def test_an_undo_pays_no_debt_that_was_paid_since(signed_in: SignedIn, console: Console) -> None:
    hale, ito = signed_in("hale"), signed_in("ito")
    first, second = of_one_stake(console, 2)
    assert closed_for(hale, first, money_cents=OWED).status_code == 200
    path = f"/api/alerts/{first}/acts"
    assert hale.post(path, json={"act": "reopened", "reason": "Not it.", "version": 2}).status_code == 200
    assert closed_for(ito, second, money_cents=OWED).status_code == 200
    refused = hale.post(path, json={"act": "undone", "version": 3})
    assert (refused.status_code, refused.json()["detail"]) == (
        422,
        "this pays $100.00 beyond the debt: the record owes the patron $100.00, and for the same stakes alert "
        f"{second[:12]} settled $100.00 to the patron; if that is meant, close it again",
    )
    assert stands(console, first).open
    told = done_to_all(hale, {"act": "undone"}, [first], version=3)
    assert ("beyond" in told, len(told["refused"])) == (False, 1), "nobody can say that it is meant"
    path = f"/api/alerts/{second}/acts"
    assert ito.post(path, json={"act": "reopened", "reason": "Not it.", "version": 2}).status_code == 200
    told = done_to_all(hale, {"act": "undone"}, [first], version=3)
    assert (len(told["done"]), stands(console, first).money_cents) == (1, OWED)


def test_who_confirms_is_told_what_is_meant_beyond_the_debt(signed_in: SignedIn, console: Console) -> None:
    hale, ito = signed_in("hale"), signed_in("ito")
    (one,) = of_one_stake(console, 1, "critical")
    assert closed_for(hale, one, money_cents=OWED + 5_000, beyond_cents=5_000).status_code == 200
    said = "lost $150.00, $50.00 of it beyond the debt, as meant"
    for path in (f"/alerts/{one}", f"/alerts/{one}/panel"):
        assert said in ito.get(path).text
    path = f"/api/alerts/{one}/acts"
    assert ito.post(path, json={"act": "closing_confirmed", "version": 2}).status_code == 200
    assert said in ito.get(f"/alerts/{one}").text
    assert ito.get(f"/api/alerts/{one}").json()["beyond_cents"] == 5_000


def test_a_confirmation_that_finds_nothing_beyond_the_debt_keeps_nothing_of_the_proposal(
    signed_in: SignedIn, console: Console
) -> None:
    hale, ito = signed_in("hale"), signed_in("ito")
    (one,) = of_one_stake(console, 1, "critical")
    dispute = open_one(hale)
    assert act(hale, dispute.id, **PAY, amount_cents=4_000)[0] == 200
    assert closed_for(hale, one, money_cents=OWED, beyond_cents=4_000).status_code == 200
    proposal = stands(console, one).proposal
    assert proposal is not None
    assert proposal.beyond_cents == 4_000
    opened = {"act": "reopened", "version": 2, "reason": "Another hand."}
    assert act(hale, dispute.id, **opened)[0] == 200
    path = f"/api/alerts/{one}/acts"
    assert ito.post(path, json={"act": "closing_confirmed", "version": 2}).status_code == 200
    assert (stands(console, one).money_cents, stands(console, one).beyond_cents) == (OWED, None)


def test_the_words_for_several_say_what_all_of_them_pay(signed_in: SignedIn, console: Console) -> None:
    hale = signed_in("hale")
    told = done_to_all(hale, CLOSED, of_one_stake(console, 4))
    assert told["beyond"] == {"cents": "10000", "text": "up to $100.00 each, at most $300.00 in all,"}


def test_a_loss_of_a_stake_that_was_paid_too_much_is_no_payment() -> None:
    finding = owed()
    seat = 6
    assert isinstance(finding.sequence, int)
    scope = Scope(subject=finding.subject, first_sequence=1, seat=seat)

    def beyond(*owes: int | None, amount: int = 20_000) -> int:
        stakes = [Debt(seat=seat, hand=None, player="P-1", owed=one) for one in owes]
        return beyond_debt(stakes, scope, (), amount, finding)

    assert (beyond(-20_000), beyond(-15_000, -5_000), beyond(-30_000)) == (0, 0, 0)
    assert (beyond(-19_999), beyond(0), beyond(-30_000, 100)) == (20_000, 20_000, 19_900)
    back = SettledBy(
        source="DIS-0001", scope=scope, ruling="for the house", said="for the house", amount=-20_000,
        at=T0, by="ann", withheld_with=frozenset(),
    )  # fmt: skip
    stake = [Debt(seat=seat, hand=None, player="P-1", owed=-20_000)]
    assert beyond_debt(stake, scope, [back], 20_000, finding) == 20_000, "the patron has paid it back"
    note = changed_to(back, source="a", ruling=None, said="alert closed", amount=20_000)
    assert settle(stake, [note])[0].beyond == 0


def test_the_letter_tells_what_its_own_decision_pays_beyond_the_debt(
    signed_in: SignedIn, console: Console, written: list[LetterContent]
) -> None:
    hale = signed_in("hale")
    one, other = open_one(hale), open_one(hale)
    (alert,) = of_one_stake(console, 1)
    assert act(hale, one.id, **PAY, amount_cents=OWED)[0] == 200
    assert closed_for(hale, alert, money_cents=5_000, beyond_cents=5_000).status_code == 200
    assert "$50.00 was paid beyond the debt" in hale.get(f"/disputes/{one.id}").text
    assert hale.get(f"/disputes/{one.id}/letter.pdf").status_code == 200
    assert written[-1].debt == "Of the $100.00 that the record owes you, this decision pays $100.00."
    assert act(hale, other.id, **PAY, amount_cents=2_000, beyond_cents=2_000)[0] == 200
    assert hale.get(f"/disputes/{other.id}/letter.pdf").status_code == 200
    assert written[-1].debt.endswith("$20.00 is paid beyond what the record owes.")
