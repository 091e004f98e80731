"""An alert that is closed with more than the record owes is refused once, and closed where that is meant."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace as changed_to

from dashboards.debts.settling import Debt, Scope, SettledBy, settle
from dashboards.web.console import Console
from tests.console.conftest import Browser
from tests.console.desk_building import T0, a_raise
from tests.console.disputing import act, fields_of, open_one
from tests.console.hands_building import SignedIn
from tests.console.test_debt_once import OWED, PAY, console, owed, store

__all__ = ["console", "store"]  # fixtures


def closed_for(browser: Browser, alert: str, **said: Any) -> Any:
    """The answer of closing one alert with an amount."""
    version = browser.get(f"/api/alerts/{alert}").json()["version"]
    wish = {
        "act": "disposed",
        "disposition": "dealer error",
        "note": "Paid at the table.",
        "version": version,
    }
    return browser.post(f"/api/alerts/{alert}/acts", json=wish | said)


def test_an_alert_that_is_closed_beyond_the_debt_is_refused_once_and_kept_where_it_is_meant(
    signed_in: SignedIn, console: Console
) -> None:
    hale, finding = signed_in("hale"), owed()
    console.desk.raise_alerts([a_raise(finding)])
    refused = closed_for(hale, finding.finding_id, money_cents=OWED + 500)
    assert refused.status_code == 422
    assert refused.json()["detail"] == (
        "this pays $5.00 beyond the debt: the record owes the patron $100.00; if that is meant, say so and do it again"
    )
    several = {
        "wish": {"act": "disposed", "disposition": "dealer error", "note": "Paid.", "money_cents": OWED + 500}
    }
    told = hale.post(
        "/api/acts", json=several | {"alerts": [{"id": finding.finding_id, "version": 1}]}
    ).json()
    assert [(one["id"], one["beyond_cents"]) for one in told["refused"]] == [(finding.finding_id, 500)]
    path = f"/alerts/{finding.finding_id}"
    fields = fields_of(hale.get(path).text, path)
    fields = {"csrf": fields["csrf"], "version": fields["version"], "note": "Goodwill"}
    fields |= {"act": "disposed", "disposition": "dealer error"}
    page = hale.post(path, data=fields | {"dollars": "105.00", "side": "loss"})
    assert (page.status_code, "Pay $5.00 beyond the debt: it is meant" in page.text) == (422, True)
    assert 'name="beyond_cents" value="500"' in page.text
    meant = {"dollars": "105.00", "side": "loss", "beyond_cents": "500"}
    assert hale.post(path, data=fields | meant, follow_redirects=False).status_code == 303
    alert = console.desk.alert(finding.finding_id)
    assert alert is not None
    assert (alert.status, alert.money_cents, alert.beyond_cents) == ("disposed", OWED + 500, 500)


def test_an_alert_pays_no_debt_that_a_dispute_paid_unless_it_tells_of_the_same_money(
    signed_in: SignedIn, console: Console
) -> None:
    hale, finding = signed_in("hale"), owed()
    console.desk.raise_alerts([a_raise(finding)])
    one = open_one(hale)
    assert act(hale, one.id, **PAY, amount_cents=6_000)[0] == 200
    refused = closed_for(hale, finding.finding_id, money_cents=OWED)
    assert (refused.status_code, f"{one.id} settled $60.00 to the patron" in refused.text) == (422, True)
    assert closed_for(hale, finding.finding_id, money_cents=6_000).status_code == 200


def test_the_second_person_of_a_closing_is_told_that_the_debt_was_paid_meanwhile(
    signed_in: SignedIn, console: Console
) -> None:
    hale, ito, finding = signed_in("hale"), signed_in("ito"), changed_to(owed(), severity="critical")
    console.desk.raise_alerts([a_raise(finding)])
    assert closed_for(hale, finding.finding_id, money_cents=OWED).json()["alert"]["status"] == "awaiting"
    one = open_one(hale)
    assert act(hale, one.id, **PAY, amount_cents=4_000)[0] == 200
    confirm = {"act": "closing_confirmed", "version": 2}
    path = f"/api/alerts/{finding.finding_id}/acts"
    refused = ito.post(path, json=confirm)
    assert (refused.status_code, "pays $40.00 beyond the debt" in refused.text) == (422, True)
    assert ito.post(path, json=confirm | {"beyond_cents": 3_999}).status_code == 422
    assert ito.post(path, json=confirm | {"beyond_cents": 4_000}).status_code == 200
    alert = console.desk.alert(finding.finding_id)
    assert alert is not None
    assert (alert.money_cents, alert.beyond_cents) == (OWED, 4_000)


def of_one_stake(console: Console, many: int, severity: str = "major") -> list[str]:
    """Ids of alerts that were raised of one stake, which is owed once."""
    finding = changed_to(owed(), severity=severity)
    ids = [f"{at}{finding.finding_id[1:]}" for at in range(many)]
    console.desk.raise_alerts(a_raise(changed_to(finding, finding_id=one)) for one in ids)
    return ids


def done_to_all(browser: Browser, wish: dict[str, Any], alerts: Sequence[str], version: int = 1) -> Any:
    """The answer of doing one thing to several alerts."""
    named = [{"id": one, "version": version} for one in alerts]
    answer = browser.post("/api/acts", json={"wish": wish, "alerts": named})
    assert answer.status_code == 200, answer.text
    return answer.json()


CLOSED = {"act": "disposed", "disposition": "dealer error", "note": "Paid.", "money_cents": OWED}


def test_several_alerts_of_one_stake_that_are_closed_together_pay_its_debt_once(
    signed_in: SignedIn, console: Console
) -> None:
    hale = signed_in("hale")
    ids = of_one_stake(console, 3)
    told = done_to_all(hale, CLOSED, ids[::-1])
    assert [one["id"] for one in told["done"]] == ids[2:]
    assert [(one["id"], one["beyond_cents"]) for one in told["refused"]] == [(ids[1], OWED), (ids[0], OWED)]
    assert f"alert {ids[2][:12]} settled $100.00 to the patron" in told["refused"][0]["why"]
    assert told["beyond"]["cents"] == str(OWED)
    told = done_to_all(hale, CLOSED | {"beyond_cents": OWED}, ids[:2])
    assert len(told["done"]) == 2
    closed = [console.desk.alert(one) for one in ids]
    assert [one and (one.money_cents, one.beyond_cents) for one in closed] == [
        (OWED, OWED), (OWED, OWED), (OWED, None)
    ]  # fmt: skip


def test_several_closings_that_are_confirmed_together_pay_the_debt_of_one_stake_once(
    signed_in: SignedIn, console: Console
) -> None:
    hale, ito = signed_in("hale"), signed_in("ito")
    ids = of_one_stake(console, 2, "critical")
    assert len(done_to_all(hale, CLOSED, ids)["done"]) == 2
    told = done_to_all(ito, {"act": "closing_confirmed"}, ids, version=2)
    assert [one["id"] for one in told["done"]] == ids[:1]
    assert [(one["id"], one["beyond_cents"]) for one in told["refused"]] == [(ids[1], OWED)]


def test_what_was_closed_together_stands_in_the_list_as_it_was_found() -> None:
    stake = [Debt(seat=1, hand=None, player="P-1", owed=OWED)]
    first = SettledBy(
        source="b", scope=Scope(subject="BJ-12", first_sequence=70, seat=1), ruling=None, said="alert closed",
        amount=OWED, at=T0, by="ann", withheld_with=frozenset(),
    )  # fmt: skip
    (left,) = settle(stake, [first, changed_to(first, source="a", meant=OWED)])
    assert (left.rest, left.part, left.beyond) == (0, OWED, OWED)
