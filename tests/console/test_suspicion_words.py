"""What a suspicion's page, its PDF and the pages beside it say in words: counts, money, courses, fields, the watch."""

from __future__ import annotations

import datetime as dt
import html
import re

import msgspec
import pytest
from msgspec.structs import replace

from dashboards.ledger.acts import Raised
from dashboards.ledger.watch_acts import WatchPut
from dashboards.reader.patterns import SuspicionRow
from dashboards.reports.suspicion_proof import SuspicionProof
from dashboards.reports.suspicion_report import Printing, suspicion_content
from dashboards.suspicions.curve import odds, odds_of_course
from dashboards.suspicions.evidence import EvidenceSince
from dashboards.suspicions.suspicions import course_of, figures_of, suspicion_of
from dashboards.watching.watching import act_on_list
from dashboards.web.console import Console
from deploy.console.paging import Paging
from processors.detectors.curve import Curve
from processors.detectors.paging import ONE_PAGE
from processors.detectors.shapes import EvidenceStanding
from processors.runtime.embedded.fold import EmbeddedFold
from processors.runtime.store.chdb_warehouse import ChdbWarehouse
from schemas.events.codec import record_hash
from schemas.findings import Finding
from tests.console.desk_building import T0
from tests.console.test_people import text_of
from tests.console.test_people_evidence import DEALER, Visit, fold, shown, visit
from tests.console.test_suspicion_page import WORKED_OUT, fields_of, page_of, print_of, send, suspicion

__all__ = ["fold", "shown", "suspicion", "visit"]  # fixtures


def test_a_printed_suspicion_tells_what_came_after_the_alarm(
    visit: Visit, fold: tuple[EmbeddedFold, ChdbWarehouse], suspicion: Finding
) -> None:
    now = fold[0].standing(suspicion)
    assert now is not None
    printed = print_of(visit, suspicion.finding_id)
    for told in (
        f"Evidence now: {odds(now.e_value)} to 1",
        f"Evidence at its highest: {odds(now.highest)} to 1",
        "Up to now; a line marks the alarm.",
    ):
        assert told in printed, told
    assert re.search(r"Since the alarm: [\d,]+ further stretch", printed)
    last = _course_in(visit, suspicion)[-1]
    assert f"{last[0]} {last[1]}" in printed, "the course goes on as on the page"


def test_the_paper_says_how_far_its_course_goes(suspicion: Finding) -> None:
    families, told = Paging(ONE_PAGE, lambda: 2).families(), course_of(suspicion)
    assert told
    later = (told[-1][0] + 1, 1e9)

    def up_to(finding: Finding, further: int | None, *course: tuple[int, float]) -> str:
        row = SuspicionRow(finding.finding_id, T0, msgspec.json.encode(finding).decode())
        since = EvidenceSince(now=None, further=further, course=course)
        proof = SuspicionProof(rounds=(), ranges=())
        printing = Printing(suspicion_of(row, families), proof, since, None, dt.UTC, "hale", T0)
        return suspicion_content(printing).up_to

    assert up_to(suspicion, 1, *told, later) == "Up to now; a line marks the alarm."
    assert up_to(suspicion, 0, *told) == "Up to the alarm, behind which nothing came."
    assert up_to(suspicion, None, *told) == "Up to the alarm."
    assert up_to(replace(suspicion, observed={}), None, later) == "Up to now."


def _course_in(visit: Visit, finding: Finding) -> list[tuple[str, str]]:
    """The points of the course, as the page has them."""
    [folded] = WORKED_OUT.findall(page_of(visit, finding))
    return re.findall(r'<td class="number">(\d+)</td><td class="number">([^<]*)</td>', folded)


@pytest.fixture
def tray(shown: Console, suspicion: Finding) -> Finding:
    """A suspicion about a tray whose first counts came before any round."""
    counts = [
        {"round": 0, "event": 10, "off_cents": -12500},
        {"round": 0, "event": 11, "off_cents": -12500},
        {"round": 3, "event": 60, "off_cents": -5000},
    ]
    found = replace(
        suspicion,
        finding_id="d" * 32,
        check="pattern.inventory_drift.loss",
        about={"table": suspicion.subject},
        expected={"counts_off_of_10": 1},
        observed={"off_cents": -12500, "counts": counts},
    )
    shown.desk.raise_alerts([Raised(finding=found, decided_at=T0)])
    return found


def test_a_printed_count_before_the_first_round_is_proven_by_its_event(
    visit: Visit, fold: tuple[EmbeddedFold, ChdbWarehouse], tray: Finding
) -> None:
    printed = "".join(print_of(visit, tray.finding_id).split())
    rows = fold[1].query(
        "SELECT line FROM events FINAL WHERE subject = {subject:String} AND sequence IN (10, 11)",
        {"subject": tray.subject},
    )
    assert len(rows) == 2
    for (line,) in rows:
        assert record_hash(line.encode()) in printed
    assert f"{tray.subject}beforethefirstround" in printed
    assert "notinthestore" not in printed
    assert f"Events10to{max(tray.sequence, *tray.sequences)}of{tray.subject}" in printed


def test_a_printed_act_between_rounds_is_proven_by_its_own_event(
    visit: Visit, shown: Console, fold: tuple[EmbeddedFold, ChdbWarehouse], tray: Finding
) -> None:
    here = {"subject": tray.subject}
    [(last,)] = fold[1].query(
        "SELECT last_sequence FROM rounds FINAL WHERE subject = {subject:String} AND round = 3", here
    )
    counts = [{"round": 3, "event": last + 1, "off_cents": -5000}]
    found = replace(tray, finding_id="e" * 32, observed={"off_cents": -5000, "counts": counts})
    shown.desk.raise_alerts([Raised(finding=found, decided_at=T0)])
    [(line,)] = fold[1].query(
        f"SELECT line FROM events FINAL WHERE subject = {{subject:String}} AND sequence = {last + 1}", here
    )
    printed = "".join(print_of(visit, found.finding_id).split())
    assert f"{tray.subject}round3,orafterit" in printed
    assert record_hash(line.encode()) in printed


def test_a_count_before_the_first_round_is_no_hand_and_leads_to_none(visit: Visit, tray: Finding) -> None:
    named = page_of(visit, tray).partition('id="named"')[2].partition("</section>")[0]
    assert re.findall(r'href="([^"]*)"', named) == [f"/hands/{tray.subject}/3"]
    told = text_of(named)
    for event in (10, 11):
        assert f"{tray.subject} before the first round event {event}, $125.00 short of the record" in told


def test_money_among_the_figures_is_told_in_dollars_wherever_its_name_says_cents() -> None:
    told = figures_of({"mean_cents_at_any_count": 6_495, "off_cents": -250, "by": {"cents": 1_250.4}})
    assert told == (("mean at any count", "$64.95"), ("off", "−$2.50"), ("by", "money $12.50"))


def test_a_point_of_a_course_is_told_alike_while_it_is_the_last_and_afterwards() -> None:
    curve = Curve()
    for e_value in (12_491.0, 3.0):
        curve.due()
        curve.take([EvidenceStanding(variant="v", about={}, e_value=e_value, highest=e_value, rounds=1)])
    later = curve.of("v", 3.0)
    assert later[0][1] != 12_491.0
    assert odds_of_course(later[0][1]) == odds_of_course(12_491.0) == "12,600"
    assert [odds_of_course(one) for one in (0.0, 1e-9, 1.0, 2.6e8)] == ["0", "0.000001", "1", "260 million"]


def test_a_field_that_cannot_be_read_is_named(visit: Visit, shown: Console, suspicion: Finding) -> None:
    shown.desk.raise_alerts([Raised(finding=suspicion, decided_at=T0)])
    browser = visit("hale")
    fields = fields_of(browser.get(f"/patterns/{suspicion.finding_id}").text, "disposed")
    answer = send(browser, suspicion, fields | {"disposition": "bad luck", "note": "looked"})
    assert answer.status_code == 422
    assert "isposition does not hold what it asks for: “bad luck”" in html.unescape(answer.text)


def test_who_is_watched_is_marked_on_every_page_and_is_not_offered_again(
    visit: Visit, shown: Console, suspicion: Finding
) -> None:
    paths = (f"/dealers/{DEALER}", "/patterns", f"/patterns/{suspicion.finding_id}")
    offer = f'href="/watch?kind=dealer&amp;value={DEALER}"'
    before = [visit("hale").get(path).text for path in paths]
    assert offer in before[2]
    assert not any("▲" in page for page in before)
    put = WatchPut(
        kind="dealer", value=DEALER, reason="tips", address="", until=shown.clock() + dt.timedelta(days=9)
    )
    act_on_list(shown.desk, put, "hale")
    after = [visit("hale").get(path).text for path in paths]
    for page in (after[0], after[2]):
        assert f"On the watch list</a>: dealer {DEALER}, until" in page
    row = next(row for row in after[1].split("<tr>") if f'/patterns/{suspicion.finding_id}"' in row)
    assert "▲ watched" in row
    assert offer not in after[2]
    assert not any("▲" in visit("fay").get(path).text for path in paths[:1]), "it is not the floor's"
