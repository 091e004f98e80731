"""The pages of a suspicion that rose again name the alert before; who may not see the alert before sees neither."""

from __future__ import annotations

import csv
import html
import io
import re

import pytest
from msgspec.structs import replace

from dashboards.ledger.acts import Disposed, Raised, Withheld
from dashboards.suspicions.curve import odds
from dashboards.web.console import Console
from deploy.console.again import RisingAgain
from processors.detectors.shapes import CheckedStanding
from processors.runtime.embedded.fold import EmbeddedFold
from processors.runtime.store.chdb_warehouse import ChdbWarehouse
from schemas.findings import Finding
from tests.console.conftest import Clock
from tests.console.desk_building import T0
from tests.console.test_people import text_of
from tests.console.test_people_evidence import Visit, fold, shown, visit
from tests.console.test_suspicion_page import print_of, suspicion

__all__ = ["fold", "shown", "suspicion", "visit"]  # fixtures


@pytest.fixture
def risen(shown: Console, suspicion: Finding, fold: tuple[EmbeddedFold, ChdbWarehouse], clock: Clock) -> str:
    """The alert that rose after the suspicion's own was cleared, once its evidence had grown by far."""
    desk = shown.desk
    desk.raise_alerts([Raised(finding=suspicion, decided_at=T0, dealer="D-011")])
    desk.act(Disposed(alert=suspicion.finding_id, version=1, disposition="no error", note="training"), "ito")
    again, now = RisingAgain(desk, lambda _: 1e4), fold[0].standing(suspicion)
    assert now is not None
    later = replace(now, highest=2e4 * (1 + now.highest))
    cleared = replace(
        now, mark=now.weighty[-3].at
    )  # as if it had been cleared before the last two rounds kept
    assert again.look(lambda _finding, _since: cleared)
    clock.forward(86_400)
    assert again.look(lambda _finding, _since: later)
    [alert] = desk.snapshot().alerts
    return alert.id


def test_alert_suspicion_and_list_say_from_what_it_rose_and_the_earlier_one_leads_to_it(
    visit: Visit, suspicion: Finding, risen: str, fold: tuple[EmbeddedFold, ChdbWarehouse]
) -> None:
    user, now = visit("hale"), fold[0].evidence(suspicion)
    for path in (f"/alerts/{risen}", f"/alerts/{risen}/panel", f"/patterns/{risen}"):
        page = html.unescape(user.get(path).text)
        told = text_of(page)
        assert "Risen again. The alert before was closed as no error by ito on 20 Nov 2026" in told
        assert (
            f"to rise again it had to reach {odds(1e4 * (1 + now))} to 1 at least. This alert rose on 21 Nov 2026"
            in told
        )
        assert "Chance alone lets evidence grow so far after a closing at most once in 20,000." in told
        assert f'href="/alerts/{suspicion.finding_id}"' in page
        assert "The record, read anew" not in page
    for path in (f"/alerts/{suspicion.finding_id}", f"/patterns/{suspicion.finding_id}"):
        assert (
            f'later evidence raised this suspicion again: <a href="/alerts/{risen}">' in user.get(path).text
        )
    [_, row] = user.get("/patterns").text.split(f'<a href="/patterns/{risen}">Again: ')
    [rose, alarm] = re.findall(r'<time datetime="(2026-11-2\dT)', row.partition("</tr>")[0])
    assert (rose, alarm) == ("2026-11-21T", "2026-11-20T"), "when it rose, then the first alarm"
    assert "Again: " in user.get("/").text
    first = suspicion.e_value
    assert isinstance(first, float)
    both = f"At the first alarm: {odds(first)} to 1 . As it rose again: {odds(2e4 * (1 + now))} to 1"
    assert both in text_of(html.unescape(user.get(f"/patterns/{risen}").text))
    printed = print_of(visit, risen)
    for told in (
        f"Evidence at the first alarm: {odds(first)} to 1 Evidence as it rose again: 5",
        f"Alert before: {suspicion.finding_id} It was closed as: no error It was closed by: ito It was closed at:",
        f"Evidence by then: {odds(now)} to 1 at most Evidence needed to rise: {odds(1e4 * (1 + now))} to 1",
        "grow so far after a closing at most once in 20,000.",
    ):
        assert told in printed, told


def test_page_and_paper_name_the_rounds_after_the_clearing(
    visit: Visit, suspicion: Finding, risen: str, fold: tuple[EmbeddedFold, ChdbWarehouse]
) -> None:
    now = fold[0].standing(suspicion)
    assert now is not None
    page, paper = html.unescape(visit("hale").get(f"/patterns/{risen}").text), print_of(visit, risen)
    assert "Weighed since it was cleared" in page
    assert "Weighed since it was cleared" in paper
    _, _, told = page.partition('<h2 id="named">')
    named = re.findall(r'<li><a href="/hands/[^"]*">(\S+) round (\d+)</a>', told)
    assert sorted(named) == sorted((one.subject, str(one.round)) for one in now.weighty[-2:])
    earlier = visit("hale").get(f"/patterns/{suspicion.finding_id}").text
    assert '<h2 id="named">What it names' in earlier


def test_what_is_withheld_of_the_earlier_alert_is_withheld_of_the_one_that_rose(
    visit: Visit, shown: Console, suspicion: Finding, risen: str
) -> None:
    shown.desk.note(Withheld(user="hale", kind="alert", value=suspicion.finding_id), "ann")
    assert visit("hale").get(f"/alerts/{risen}").status_code == 404
    assert visit("hale").get(f"/patterns/{risen}").status_code == 404
    assert risen not in visit("hale").get("/patterns").text
    assert visit("ito").get(f"/alerts/{risen}").status_code == 200
    earlier = f"/alerts/{suspicion.finding_id}"
    assert "alert risen again" in visit("ito").get(earlier).text
    shown.desk.note(Withheld(user="ito", kind="alert", value=risen), "ann")
    page = visit("ito").get(earlier).text
    assert "History" in page
    assert "later evidence raised" not in page
    assert "alert risen again" not in page


def test_the_calibration_says_how_many_rose_again_and_what_chance_adds(visit: Visit, risen: str) -> None:
    del risen
    rows = csv.DictReader(io.StringIO(visit("hale").get("/patterns/calibration.csv").text))
    [line] = [row for row in rows if (row["month"], row["family"]) == ("all", "dealer_mispay")]
    assert (line["raised"], line["dismissed"], line["open"], line["risen_again"]) == ("2", "1", "1", "1")
    assert float(line["promised_again"]) == pytest.approx(1e-4 + 2e-8), "one dismissal, two tables"
    page = text_of(html.unescape(visit("hale").get("/patterns/calibration").text))
    assert "Of suspicions that people dismissed, 1 rose again from later evidence." in page
    assert "at most 0.0001 suspicions would be expected to" in page


def test_a_month_counts_what_rose_by_when_it_rose_and_it_keeps_the_time_of_the_first_alarm(
    visit: Visit, shown: Console, suspicion: Finding, risen: str, clock: Clock
) -> None:
    first = shown.desk.alert(risen)
    assert first is not None
    assert first.again is not None
    shown.desk.act(Disposed(alert=risen, version=1, disposition="no error", note="training"), "ito")
    clock.forward(30 * 86_400)
    desk, now = shown.desk, _standing_of(first.finding)
    again = RisingAgain(desk, lambda _: 1e4)
    assert again.look(lambda _finding, _since: now)
    assert again.look(lambda _finding, _since: replace(now, highest=2e4 * (1 + now.highest)))
    [third] = desk.snapshot().alerts
    assert (third.decided_at, third.raised_at) == (T0, clock())
    rows = csv.DictReader(io.StringIO(visit("hale").get("/patterns/calibration.csv").text))
    risen_in = {row["month"]: row["risen_again"] for row in rows if row["family"] == "dealer_mispay"}
    assert (risen_in["2026-11"], risen_in["2026-12"], risen_in["all"]) == ("1", "1", "2")
    page = text_of(html.unescape(visit("hale").get("/patterns/calibration?month=2026-12").text))
    assert "One that rose again counts in the month in which it did" in page


def _standing_of(finding: Finding) -> CheckedStanding:
    assert isinstance(finding.about, dict)
    assert isinstance(finding.e_value, float)
    return CheckedStanding(
        check=finding.check,
        about=finding.about,
        e_value=finding.e_value,
        highest=finding.e_value,
        alarm_at=1e4,
        rounds=9,
        raised=True,
    )
