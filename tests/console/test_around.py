"""What the panel of an alert says lies around it: the rest of its round, the cameras, the suspicions it weighs in."""

from __future__ import annotations

import html
import re

import msgspec
import pytest

from dashboards.accounts.roles import ROLES
from dashboards.alerts.around import Around, around, stakes_said
from dashboards.desk.alerts import Alert
from dashboards.ledger.acts import Raised, Withheld
from dashboards.suspicions.suspicions import rests_on
from dashboards.web.console import Console
from deploy.console.alerting import Raising
from processors.runtime.store.warehouse import Warehouse
from schemas.findings import Finding, finding_id
from tests.console.desk_building import T0, a_finding
from tests.console.hands_building import SignedIn, console, store

__all__ = ["console", "store"]


@pytest.fixture(autouse=True)
def _alerts(console: Console, store: Warehouse) -> None:
    Raising(console.desk).of_store(store)


def overpaid(console: Console) -> Alert:
    (found,) = [one for one in console.desk.snapshot().alerts if one.finding.subject == "BJ-12"]
    return found


def panel(signed_in: SignedIn, alert: Alert, user: str = "hale") -> str:
    """Words of the panel, without its tags."""
    page = signed_in(user).get(f"/alerts/{alert.id}/panel").text
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]*>", "", page)))


def test_the_panel_tells_what_became_of_the_other_stakes_of_the_round(
    signed_in: SignedIn, console: Console
) -> None:
    told = panel(signed_in, overpaid(console))
    assert re.search(r"The round: the other (\d+ stakes|stake) as due; nothing else was found in it\.", told)


def test_the_other_findings_of_the_round_are_named_and_lead_on(
    signed_in: SignedIn, console: Console, store: Warehouse
) -> None:
    several = [
        one
        for one in console.desk.snapshot().alerts
        if sum(a.finding.subject == one.finding.subject for a in console.desk.snapshot().alerts) > 1
    ]
    one = several[0]
    others = [
        other
        for other in several
        if (other.finding.subject, other.finding.round) == (one.finding.subject, one.finding.round)
        and other.id != one.id
    ]
    page = signed_in("hale").get(f"/alerts/{one.id}/panel").text
    near = page[page.index("The round: ") : page.index('aria-label="Expected')]
    assert "also found: " in near
    for other in others:
        assert f'href="/alerts/{other.id}"' in near
    console.desk.note(Withheld(user="ito", kind="alert", value=others[0].id), "ann")
    assert others[0].id not in signed_in("ito").get(f"/alerts/{one.id}/panel").text


def test_the_cameras_are_linked_to_the_seconds_before_the_event_with_the_times_of_the_round(
    signed_in: SignedIn, console: Console
) -> None:
    alert = overpaid(console)
    page = signed_in("hale").get(f"/alerts/{alert.id}/panel").text
    assert re.search(r'<a href="https://video\.example/C-0217\?t=[^"]+" rel="noreferrer">C-0217</a>', page)
    assert re.search(r"C-0218, the round from \d+ \w+ [\d:]{8} to [\d:]{8} E[SD]T", panel(signed_in, alert))
    object.__setattr__(console, "video", "")
    assert "video.example" not in signed_in("hale").get(f"/alerts/{alert.id}/panel").text
    assert "Cameras C-0217, C-0218, the round from" in panel(signed_in, alert)


def test_law_22_an_alert_names_the_suspicion_that_its_round_weighs_in(
    signed_in: SignedIn, console: Console
) -> None:
    alert = overpaid(console)
    weighs = {"rounds": [{"table": "BJ-12", "round": alert.finding.round, "cents": 100}]}
    suspicion = msgspec.structs.replace(
        a_finding(900, check="pattern.dealer_mispay.patron", verdict="suspected", severity="major"),
        finding_id=finding_id("BJ-19", "pattern.dealer_mispay.patron", 900, ""),
        subject="BJ-19",
        round=None,
        observed=weighs,
        message="D-011 pays one patron too much",
    )
    console.desk.raise_alerts([Raised(finding=suspicion, decided_at=T0, dealer="D-011")])
    link = f'href="/patterns/{suspicion.finding_id}"'
    assert link in signed_in("hale").get(f"/alerts/{alert.id}/panel").text
    assert "The round weighs in a pattern: Pattern:" in panel(signed_in, alert)
    assert "suspected" not in ROLES["floor"].verdicts
    assert link not in signed_in("fay").get(f"/alerts/{alert.id}/panel").text


@pytest.mark.parametrize(
    ("table", "number", "stretch", "rests"),
    [
        ("BJ-1", 4, (90, 120), True),  # the detector names it
        ("BJ-2", 7, (1, 20), True),  # of another table than the finding
        ("BJ-1", 9, (300, 320), True),  # an event of it
        ("BJ-1", 7, (1, 20), False),
        ("BJ-2", 9, (300, 320), False),
    ],
)
def test_a_suspicion_rests_on_the_rounds_and_the_events_that_it_names(
    table: str, number: int, stretch: tuple[int, int], rests: bool
) -> None:
    named = {"rounds": [{"round": 4}, {"table": "BJ-2", "round": 7}]}
    suspicion: Finding = msgspec.structs.replace(
        a_finding(310, subject="BJ-1", verdict="suspected"), sequences=(310,), observed=named
    )
    assert rests_on(suspicion, table, number, stretch) is rests


def test_an_alert_whose_store_does_not_answer_is_shown_without_what_lies_around(
    signed_in: SignedIn, console: Console, monkeypatch: pytest.MonkeyPatch
) -> None:
    alert = overpaid(console)

    def away(*_: object) -> None:
        raise ConnectionError("the store is away")

    monkeypatch.setattr("dashboards.alerts.around.cameras", away)
    user = console.accounts.sign_ins.user(console.accounts.sign_ins.begin("hale"))
    assert user is not None
    assert around(console, user, alert, None) == Around()
    assert "The round: " not in panel(signed_in, alert)


@pytest.mark.parametrize(
    ("stakes", "as_due", "unsaid", "said"),
    [
        (0, 0, 0, "no stake"),
        (1, 1, 0, "its stake as due"),
        (1, 0, 0, "its stake not as due"),
        (1, 0, 1, "its stake cannot be judged"),
        (2, 1, 0, "the other stake as due"),
        (6, 5, 0, "the other 5 stakes as due"),
        (6, 5, 1, "5 of 6 stakes as due, 1 cannot be judged"),
        (6, 6, 0, "all 6 stakes as due"),
        (6, 3, 0, "3 of 6 stakes as due"),
        (4, 0, 4, "none of its 4 stakes can be judged"),
    ],
)
def test_stakes_of_which_nobody_can_say_it_are_not_said_to_be_wrong(
    stakes: int, as_due: int, unsaid: int, said: str
) -> None:
    assert stakes_said(stakes, as_due, unsaid) == said
