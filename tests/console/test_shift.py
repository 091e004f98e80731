"""The shift: counted, handed over by one and taken by another, printed, and shown over hours and days."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any
from zoneinfo import ZoneInfo

import msgspec
import pytest

from dashboards.desk.casework import open_case
from dashboards.desk.state import DeskState
from dashboards.ledger.acts import Acknowledged, DeskBroken, Disposed, Withheld
from dashboards.ledger.shift_acts import ShiftHandedOver, ShiftTaken
from dashboards.shift.figures import LISTED
from dashboards.shift.heat import heat_of
from dashboards.web.console import Console
from tests.console.conftest import Browser, Clock
from tests.console.desk_building import T0, a_finding, a_raise, take
from tests.console.disputing import kept

SignedIn = Callable[[str], Browser]


@pytest.fixture
def played(console: Console, clock: Clock) -> Console:
    """An evening: one alert of the shift before, three of this one, of which one is closed, and an open case."""
    desk = console.desk
    desk.raise_alerts([a_raise(a_finding(1, severity="critical"))])
    clock.forward(9 * 3600)
    device = a_finding(3, check="integrity.device", subject="BJ-19", money_cents=0)
    desk.raise_alerts(
        [a_raise(a_finding(2)), a_raise(device, None), a_raise(a_finding(4, subject="FB-1"), "D9")]
    )
    closed = a_finding(2).finding_id
    desk.act(Acknowledged(alert=closed, version=1), "hale")
    desk.act(Disposed(alert=closed, version=2, disposition="dealer error", note="one chip"), "hale")
    open_case(desk, "Payouts of D9", "", [], "hale", "hale")
    clock.forward(600)
    return console


def form(browser: Browser, **given: str) -> Any:
    return browser.post("/shift", data={"csrf": browser.headers["x-csrf-token"]} | given)


def test_a_shift_is_handed_over_by_one_and_taken_by_another(
    signed_in: SignedIn, played: Console, clock: Clock
) -> None:
    """Counted, handed over with a note by who goes, taken by who comes; the next shift begins there."""
    hale, ito = signed_in("hale"), signed_in("ito")
    figures = hale.get("/api/shift").json()["figures"]
    assert figures["raised"] == {"major": 3}
    assert figures["closed"] == {"dealer error": 1}
    assert figures["open"] == {"critical": 1, "major": 2}
    assert (figures["devices_raised"], figures["cases_opened"], len(figures["open_cases"])) == (1, 1, 1)
    assert [one["severity"] for one in figures["open_alerts"]] == ["critical", "major", "major"]
    page = hale.get("/shift").text
    assert "Payouts of D9" in page
    page = form(hale, act="hand_over", note="Watch D9 <b>closely</b>").text
    assert "SHIFT-0001 waits to be taken over" in page
    assert "Watch D9 &lt;b&gt;closely&lt;/b&gt;" in page
    assert "I take over" not in page
    assert form(hale, act="take_over", shift="SHIFT-0001").status_code == 422
    refused = form(ito, act="hand_over", note="mine too")
    assert (refused.status_code, "SHIFT-0001 by hale waits to be taken over" in refused.text) == (422, True)
    clock.forward(300)
    page = form(ito, act="take_over", shift="SHIFT-0001", remark="understood").text
    assert "taken by ito" in page
    assert form(ito, act="take_over", shift="SHIFT-0001").status_code == 422
    told = ito.get("/api/shift").json()
    assert told["handovers"][0] | {"note": ""} == told["handovers"][0] | {
        "note": "",
        "by": "hale",
        "taken_by": "ito",
        "raised": 3,
        "closed": 1,
        "open": 3,
    }
    assert told["figures"]["since"] == told["handovers"][0]["until"]
    assert told["figures"]["raised"] == {}
    acts = [line for line in kept(played) if '"act":"shift_' in line]
    assert len(acts) == 2


def test_trends_of_alerts_are_counted_by_hour_and_name(signed_in: SignedIn, played: Console) -> None:
    """A heat map by hour of the day, drawn with its figures; what was not understood is said."""
    hale = signed_in("hale")
    for by, name in (("table", "BJ-12"), ("dealer", "D105"), ("check", "pay.blackjack")):
        page = hale.get("/shift/trends", params={"by": by}).text
        assert "<svg" in page
        assert name in page
    told = hale.get("/api/shift/trends", params={"by": "dealer", "since": "2026-11-20T00:00:00Z"}).json()
    assert [(row["name"], row["total"]) for row in told["rows"]] == [("D105", 2), ("D9", 1), ("no dealer", 1)]
    assert (told["hours"][20], told["hours"][5], told["total"]) == (1, 3, 4)
    assert hale.get("/shift/trends?since=someday").status_code == 422
    assert "someday is no time" in hale.get("/shift/trends?since=someday").text
    assert hale.get("/api/shift/trends?by=moon").status_code == 400
    assert (
        "No alert was raised in this time"
        in hale.get("/shift/trends?since=2026-11-01T00:00&until=2026-11-02T00:00").text
    )


def test_hours_are_those_of_the_property_also_when_clocks_change(console: Console) -> None:
    console.desk.raise_alerts([a_raise(a_finding(1))])  # 20:00 UTC
    (alert,) = console.desk.snapshot().alerts
    zone, day = ZoneInfo("America/New_York"), dt.timedelta(days=1)
    assert heat_of([alert], "table", zone, T0, T0 + day).hours[15] == 1
    summer = dt.datetime(2026, 7, 1, 3, tzinfo=dt.UTC)
    moved = msgspec.structs.replace(alert, raised_at=summer)
    heat = heat_of([moved], "table", zone, summer - day, summer + day)
    assert heat.hours[23] == 1
    assert heat.days == ((dt.date(2026, 6, 29), 0), (dt.date(2026, 6, 30), 1), (dt.date(2026, 7, 1), 0))


def test_counts_are_of_all_where_lists_are_cut(signed_in: SignedIn, console: Console, clock: Clock) -> None:
    for number in range(LISTED + 2):
        open_case(console.desk, f"Case {number}", "", [], "hale", "hale")
    clock.forward(60)
    figures = signed_in("hale").get("/api/shift").json()["figures"]
    assert (figures["cases_open"], len(figures["open_cases"])) == (LISTED + 2, LISTED)
    assert f"{LISTED + 2} opened, 0 closed, {LISTED + 2} open" in signed_in("hale").get("/shift").text


def test_the_report_is_a_pdf_whose_digest_is_kept(signed_in: SignedIn, played: Console) -> None:
    hale = signed_in("hale")
    form(hale, act="hand_over", note="Watch D9")
    answer = hale.get("/shift.pdf")
    assert (answer.status_code, answer.content[:8]) == (200, b"%PDF-1.7")
    digest = answer.headers["x-content-sha256"]
    assert any(digest in line and '"what":"export"' in line for line in kept(played))
    assert hale.get("/shift.pdf?since=someday").status_code == 422


def test_a_shift_counts_what_is_there_for_who_asks(signed_in: SignedIn, played: Console) -> None:
    played.desk.note(Withheld(user="otto", kind="table", value="BJ-19"), "ann")
    otto = signed_in("otto")
    figures = otto.get("/api/shift").json()["figures"]
    assert (figures["raised"], figures["devices_raised"], figures["open_devices"]) == ({"major": 2}, 0, [])
    assert "BJ-19" not in otto.get("/shift").text
    assert "BJ-19" not in otto.get("/shift/trends").text
    assert "Hand over" not in otto.get("/shift").text


def test_a_handover_is_withdrawn_by_its_maker_alone_and_then_made_anew(
    signed_in: SignedIn, played: Console
) -> None:
    hale, ito = signed_in("hale"), signed_in("ito")
    begun = hale.get("/api/shift").json()["figures"]["since"]
    assert hale.post("/api/shift/handovers", json={"note": "too early"}).status_code == 201
    assert ito.post("/api/shift/withdrawn", json={"shift": "SHIFT-0001"}).status_code == 422
    told = hale.post("/api/shift/withdrawn", json={"shift": "SHIFT-0001"})
    assert told.status_code == 200
    assert told.json()["handovers"][0]["withdrawn"] is True
    assert told.json()["figures"]["since"] == begun
    made = hale.post("/api/shift/handovers", json={"note": "now"}).json()["handovers"][0]
    assert (made["id"], made["since"]) == ("SHIFT-0002", begun)


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"act": "hand_over", "note": "  "}, "the note is missing"),
        ({"act": "hand_over", "note": "kept words", "since": "2026-01-01T00:00"}, "31 days are the most"),
        ({"act": "hand_over", "note": "kept words", "since": "2027-01-01T00:00"}, "To lies before From"),
        ({"act": "take_over", "shift": "SHIFT-0009"}, "no handover SHIFT-0009 waits"),
        ({"act": "dance"}, "the form says nothing"),
    ],
)
def test_what_will_not_do_is_said_and_what_was_written_is_kept(
    signed_in: SignedIn, played: Console, given: dict[str, str], why: str
) -> None:
    answer = form(signed_in("hale"), **given)
    assert (answer.status_code, why in answer.text) == (422, True)
    if "kept" in given.get("note", ""):
        assert "kept words</textarea>" in answer.text


def test_a_record_in_which_one_person_did_both_breaks_the_desk() -> None:
    state = DeskState()
    ended = T0 + dt.timedelta(hours=8)
    handed = ShiftHandedOver(shift="SHIFT-0001", since=T0, until=ended, note="x", raised=0, closed=0, open=0)
    take(state, handed, "hale")
    with pytest.raises(DeskBroken, match="who hands over does not take over"):
        take(state, ShiftTaken(shift="SHIFT-0001"), "hale")
    take(state, ShiftTaken(shift="SHIFT-0001"), "ito")
    with pytest.raises(DeskBroken, match="no handover SHIFT-0001 waits"):
        take(state, ShiftTaken(shift="SHIFT-0001"), "otto")
