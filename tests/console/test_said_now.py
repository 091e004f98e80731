"""An alert whose finding the record, folded anew, gives in other words or not at all says so, beside its own words."""

import html
from collections.abc import Callable

import msgspec
import pytest

from dashboards.ledger.acts import Raised
from dashboards.web.console import Console
from processors.runtime.store.warehouse import Warehouse
from schemas.findings import Finding, finding_id
from tests.console.conftest import Browser
from tests.console.desk_building import T0
from tests.console.hands_building import console, store

__all__ = ["console", "store"]
SignedIn = Callable[[str], Browser]
ANEW = "The record, read anew,"
SAID = "Hand 6.1 was paid $200.00; $100.00 was due (the dealer is over 22)."
FULL = "For the main wager of hand 6.1, $100.00 is to be paid (the dealer is over 22), but $200.00 was paid."
AS_RAISED = "The alert stands in the words in which it was raised."


@pytest.fixture(scope="module")
def overpaid(store: Warehouse) -> Finding:
    """The finding that the store holds of a hand that was paid too much."""
    [(record,)] = store.query(
        "SELECT record FROM findings WHERE check_id = 'settlement.stake' AND subject = 'BJ-12' LIMIT 1"
    )
    return msgspec.json.decode(record, type=Finding)


def panel(browser: Browser, console: Console, finding: Finding) -> str:
    console.desk.raise_alerts([Raised(finding=finding, decided_at=T0)])
    told = browser.get(f"/alerts/{finding.finding_id}/panel")
    assert told.status_code == 200
    return html.unescape(told.text)


def test_an_alert_whose_finding_stands_says_nothing_more(
    signed_in: SignedIn, console: Console, overpaid: Finding
) -> None:
    assert ANEW not in panel(signed_in("hale"), console, overpaid)


@pytest.mark.parametrize(
    "changes",
    [
        {"message": "Hand 6.1 was paid $200.00; $150.00 was due.", "money_cents": -5_000},
        {"expected": {}, "observed": {}, "message": "Hand 6.1 was paid too much."},
        {"verdict": "indeterminate"},
        {"finding_id": finding_id("BJ-12", "settlement.stake", 1, "by another release")},
    ],
)
def test_other_words_stand_beside_those_of_the_alert(
    signed_in: SignedIn, console: Console, overpaid: Finding, changes: dict[str, object]
) -> None:
    raised = msgspec.structs.replace(overpaid, **changes)
    told = panel(signed_in("hale"), console, raised)
    assert f"{ANEW} says: {SAID} Breached, overpaid $100.00. {AS_RAISED}" in told


def test_a_finding_that_is_made_no_more_is_said_to_be_gone(
    signed_in: SignedIn, console: Console, overpaid: Finding
) -> None:
    gone = msgspec.structs.replace(
        overpaid, check="pay.blackjack", finding_id=finding_id("BJ-12", "x", 1, "")
    )
    assert f"{ANEW} gives no such finding. {AS_RAISED}" in panel(signed_in("hale"), console, gone)


def test_a_finding_with_an_alert_of_its_own_stands_for_no_other(
    signed_in: SignedIn, console: Console, overpaid: Finding
) -> None:
    browser = signed_in("hale")
    panel(browser, console, overpaid)
    other = msgspec.structs.replace(overpaid, finding_id=finding_id("BJ-12", "x", 1, ""), message="Another.")
    assert f"{ANEW} gives no such finding." in panel(browser, console, other)


@pytest.mark.parametrize(
    "changes",
    [
        {"verdict": "suspected"},
        {"check": "integrity.store"},
        {"sequence": 1_000_000},  # of a round that is not stored yet
        {"round": None},
    ],
)
def test_nothing_is_said_where_the_store_does_not_tell(
    signed_in: SignedIn, console: Console, overpaid: Finding, changes: dict[str, object]
) -> None:
    told = msgspec.structs.replace(overpaid, finding_id=finding_id("BJ-12", "y", 1, ""), **changes)
    assert ANEW not in panel(signed_in("hale"), console, told)


def test_who_sees_no_cards_reads_the_duty(signed_in: SignedIn, console: Console, overpaid: Finding) -> None:
    told = panel(signed_in("rex"), console, msgspec.structs.replace(overpaid, money_cents=-5_000))
    assert f"{ANEW} says: " in told
    assert SAID not in told
