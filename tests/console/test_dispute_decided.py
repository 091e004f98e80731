"""After a decision the dispute says what it settled; an alert has one dispute, and the form says what it found."""

from __future__ import annotations

import datetime as dt
import html

import pytest

from dashboards.accounts.accounts import Accounts
from dashboards.desk.disputes import Decision
from dashboards.ledger.dispute_acts import Ruling
from dashboards.replayer.stakes import PayoutRow
from dashboards.reports.claims import ClaimedStakes
from dashboards.reports.dispute_report import dispute_content
from dashboards.web.console import Console
from dashboards.wording.titles import title_of
from schemas.rounds import Settlement
from tests.console.desk_building import a_raise
from tests.console.disputing import ROUND, SEAT, act, found, open_one, with_records
from tests.console.hands_building import SignedIn

__all__: list[str] = []


@pytest.fixture
def console(console: Console, accounts: Accounts) -> Console:
    return with_records(console, accounts)


def claimed(owed: int) -> ClaimedStakes:
    due = Settlement("pay" if owed > 0 else "collect", abs(owed))
    row = PayoutRow(SEAT, None, "main", 10_000, due, None, -owed, "not settled")
    return ClaimedStakes(rows=(row,), staked_cents=10_000, due_cents=owed, moved_cents=0, owed_cents=owed)


def decision(ruling: Ruling, cents: int) -> Decision:
    at = dt.datetime(2026, 3, 2, tzinfo=dt.UTC)
    return Decision(ruling=ruling, amount_cents=cents, reason="seen", by="ann", at=at)


@pytest.mark.parametrize(
    ("owed", "ruling", "cents", "said"),
    [
        (5_000, "for the patron", 5_000, "By the record $50.00 was owed; the decision settled it."),
        (
            5_000,
            "for the house",
            0,
            "By the record $50.00 was owed; the ruling was for the house, and no money moves.",
        ),
        (
            5_000,
            "settled between",
            2_000,
            "By the record $50.00 was owed; it was settled between the two, $20.00 to the patron: $30.00 of it is "
            "not settled.",
        ),
        (
            -5_000,
            "for the house",
            -5_000,
            "By the record the patron was paid $50.00 more than was due; the decision settled it.",
        ),
        (
            5_000,
            "withdrawn",
            0,
            "By the record $50.00 was owed; the claim was withdrawn, and no money moves.",
        ),
        (
            5_000,
            "for the patron",
            12_000,
            "By the record $50.00 was owed; the ruling was for the patron, $120.00 to the patron, which is another "
            "amount.",
        ),
    ],
)
def test_the_sentence_says_what_the_decision_settled(
    owed: int, ruling: Ruling, cents: int, said: str
) -> None:
    held = claimed(owed)
    assert held.sentence_after(decision(ruling, cents)) == said
    assert held.sentence_after(None) == held.sentence


def test_a_decided_dispute_says_nothing_is_still_owed_and_an_open_one_does(
    signed_in: SignedIn, console: Console
) -> None:
    hale = signed_in("hale")
    one = open_one(hale)
    assert "<dt>Still owed</dt>" in hale.get(f"/disputes/{one.id}").text
    said = {
        "act": "decided",
        "version": 1,
        "ruling": "for the house",
        "amount_cents": -10_000,
        "reason": "A 22.",
    }
    assert act(hale, one.id, **said)[0] == 200
    page = hale.get(f"/disputes/{one.id}").text
    assert "more than was due; the decision settled it." in page
    assert "<dt>Owed by the record</dt>" in page
    assert "<dt>By the decision</dt><dd>$100.00 back from the patron</dd>" in page
    assert "Still owed" not in page
    dispute = console.desk.dispute(one.id)
    assert dispute is not None
    assert dispute_content(dispute, None, None).owed_head == "Owed by the record"
    again = open_one(hale)
    page = hale.get(f"/disputes/{again.id}").text
    assert (
        f"{one.id}</a> is about the same stakes: decided for the house, $100.00 back from the patron." in page
    )


def test_a_decision_that_waits_for_a_second_person_settles_nothing_yet(signed_in: SignedIn) -> None:
    hale = signed_in("hale")
    one = open_one(hale)
    said = {
        "act": "decided",
        "version": 1,
        "ruling": "for the house",
        "amount_cents": -60_000,
        "reason": "A 22.",
    }
    assert act(hale, one.id, **said)[0] == 200
    page = hale.get(f"/disputes/{one.id}").text
    assert "<dt>Still owed</dt>" in page
    assert "the decision settled it" not in page


def test_an_alert_that_has_a_dispute_links_it_and_the_form_says_what_the_alert_found(
    signed_in: SignedIn, console: Console
) -> None:
    hale, finding = signed_in("hale"), found()
    console.desk.raise_alerts([a_raise(finding)])
    new = f"/disputes/new?subject={finding.subject}&amp;round={ROUND}"
    page = hale.get(f"/alerts/{finding.finding_id}").text
    assert new in page
    form = hale.get(html.unescape(new) + f"&seat={SEAT}&alert={finding.finding_id}").text
    assert f"“{html.escape(title_of(finding).removesuffix('.'))}”, seat {SEAT}, " in form
    assert f"From alert {finding.finding_id}" not in form
    one = open_one(hale, alert=finding.finding_id)
    page = hale.get(f"/alerts/{finding.finding_id}").text
    assert new not in page
    assert f'href="/disputes/{one.id}">Its dispute {one.id}</a>' in page
    form = hale.get(html.unescape(new) + f"&seat={SEAT}&alert={finding.finding_id}").text
    assert f'It has <a href="/disputes/{one.id}">{one.id}</a> already.' in form
    assert "is none that you may see" in hale.get(html.unescape(new) + "&alert=nothing").text
