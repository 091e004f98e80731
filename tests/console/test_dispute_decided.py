"""After a decision the dispute says what it settled; an alert has one dispute, and the form says what it found."""

from __future__ import annotations

import html
from typing import Any

import pytest

from dashboards.reports.dispute_report import dispute_content
from dashboards.web.console import Console
from dashboards.wording.standing import Standing
from dashboards.wording.titles import title_of
from tests.console.desk_building import a_raise
from tests.console.disputing import ROUND, SEAT, act, found, open_one, with_records
from tests.console.hands_building import SignedIn

__all__: list[str] = []


@pytest.fixture
def console(console: Console) -> Console:
    return with_records(console)


@pytest.mark.parametrize(
    ("standing", "said"),
    [
        ({"owed": 5_000}, "$50.00 is owed to the patron by the record; $50.00 is still to be paid."),
        (
            {"owed": 5_000, "here": 5_000},
            "$50.00 is owed to the patron by the record; $50.00 is settled; nothing is still to be paid.",
        ),
        (
            {"owed": 5_000, "ruled_out": 5_000, "ruled_out_by": ("DIS-0001",)},
            "$50.00 is owed to the patron by the record; $50.00 is not to be paid by the ruling of DIS-0001.",
        ),
        (
            {
                "owed": 5_000,
                "here": 1_000,
                "elsewhere": 1_000,
                "ruled_out": 3_000,
                "ruled_out_by": ("DIS-0002",),
            },
            "$50.00 is owed to the patron by the record; $20.00 is settled; $30.00 is not to be paid by the ruling of "
            "DIS-0002.",
        ),
        (
            {"owed": -5_000, "here": -2_000},
            "By the record the patron was paid $50.00 more than was due; $20.00 is settled; $30.00 is still to come "
            "back.",
        ),
        (
            {"owed": 5_000, "here": 5_000, "beyond": 7_000},
            "$50.00 is owed to the patron by the record; $50.00 is settled; nothing is still to be paid; $70.00 was "
            "paid beyond the debt.",
        ),
        ({"owed": 0}, "By the record every stake was settled as due; nothing is owed."),
        ({"owed": None}, "The record does not show all that decides what was due."),
    ],
)
def test_the_sentence_says_how_the_debt_stands(standing: dict[str, Any], said: str) -> None:
    assert Standing(**standing).sentence == said


def test_a_decided_dispute_says_what_is_settled_and_an_open_one_what_is_still_to_be_paid(
    signed_in: SignedIn, console: Console
) -> None:
    hale = signed_in("hale")
    one = open_one(hale)
    assert "<dt>Still to come back</dt><dd>overpaid $100.00</dd>" in hale.get(f"/disputes/{one.id}").text
    said = {
        "act": "decided",
        "version": 1,
        "ruling": "for the house",
        "amount_cents": -10_000,
        "reason": "A 22.",
    }
    assert act(hale, one.id, **said)[0] == 200
    page = hale.get(f"/disputes/{one.id}").text
    assert "more than was due; $100.00 is settled; nothing is still to be paid." in page
    assert "<dt>Owed by the record</dt><dd>overpaid $100.00</dd>" in page
    assert "<dt>Settled</dt><dd>$100.00 back from the patron</dd>" in page
    assert "<dt>Still to be paid</dt><dd>nothing</dd>" in page
    dispute = console.desk.dispute(one.id)
    assert dispute is not None
    content = dispute_content(dispute, None, None, standing=Standing(owed=-10_000, here=-10_000))
    assert (content.owed, content.to_pay) == ("overpaid $100.00", "nothing")
    assert content.settled == "$100.00 back from the patron"
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
    assert "<dt>Settled</dt><dd>nothing</dd>" in page
    assert "<dt>Still to come back</dt><dd>overpaid $100.00</dd>" in page


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
