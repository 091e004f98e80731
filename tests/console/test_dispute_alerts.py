"""The report of a dispute names the alerts of its hand, linked or not."""

from __future__ import annotations

import datetime as dt

import pytest

from dashboards.reports import dispute_report
from dashboards.reports.dispute_report import DisputeContent
from dashboards.web.console import Console
from tests.console.desk_building import a_raise
from tests.console.disputing import SEAT, found, open_one, with_records
from tests.console.hands_building import SignedIn

__all__: list[str] = []


@pytest.fixture
def console(console: Console) -> Console:
    return with_records(console)


def test_the_report_says_none_only_where_the_hand_has_no_alert(
    signed_in: SignedIn, console: Console, monkeypatch: pytest.MonkeyPatch
) -> None:
    printed: list[DisputeContent] = []

    def keeping(_: str, content: DisputeContent, at: dt.datetime) -> bytes:
        printed.append(content)
        return f"{at}".encode()

    monkeypatch.setattr(dispute_report, "typeset", keeping)
    hale, finding = signed_in("hale"), found()
    mine, other = open_one(hale), open_one(hale, seat=SEAT - 1)
    console.desk.raise_alerts([a_raise(finding)])
    for one in (mine, other):
        assert hale.get(f"/disputes/{one.id}.pdf").status_code == 200
    for content, alerts in zip(printed, (finding.finding_id, "none"), strict=True):
        facts = dict(content.facts)
        assert facts["Alerts of the hand"] == alerts
        assert facts["Alerts linked to the dispute"] == "none"


def test_law_22_an_alert_that_is_linked_to_a_dispute_names_it_and_offers_no_second(
    signed_in: SignedIn, console: Console
) -> None:
    hale, finding = signed_in("hale"), found()
    console.desk.raise_alerts([a_raise(finding)])
    dispute = open_one(hale)
    page = f"/alerts/{finding.finding_id}"
    assert "Open a dispute" in hale.get(page).text
    linked = {"act": "linked", "version": dispute.version, "kind": "alert", "value": finding.finding_id}
    assert hale.post(f"/api/disputes/{dispute.id}/acts", json=linked).status_code == 200
    alert = console.desk.alert(finding.finding_id)
    assert alert is not None
    assert alert.cases == (dispute.id,)
    told = hale.get(page).text
    assert "Open a dispute" not in told
    assert f'href="/disputes/{dispute.id}"' in told
    again = console.desk.dispute(dispute.id)
    assert again is not None
    assert again.alerts == (finding.finding_id,)
