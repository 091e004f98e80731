"""An alert that is closed with more than the record owes is refused once, and closed where that is meant."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace as changed_to

from dashboards.web.console import Console
from tests.console.conftest import Browser
from tests.console.desk_building import a_raise
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
