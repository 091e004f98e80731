"""The page of a suspicion: plain words, a picture, the evidence up to now, acts, and rounds by the money they moved."""

from __future__ import annotations

import dataclasses
import html
import importlib
import io
import re
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from dashboards.accounts.accounts import Accounts
from dashboards.ledger.acts import Raised, Withheld
from dashboards.suspected.since import AWAITED, FAMILY_UNREAD, NOT_HELD, UNREADABLE
from dashboards.suspicions.curve import STEPS, draw_evidence, odds, unit_of
from dashboards.suspicions.evidence import Evidence, EvidenceAwaited, EvidenceHeld, nothing_held
from dashboards.suspicions.suspicions import course_of, figures_of
from dashboards.web.console import Console
from deploy.configured.desk_ledger import SqliteDeskLog
from processors.detectors.family import FAMILIES
from processors.runtime.embedded.fold import EmbeddedFold
from processors.runtime.store.chdb_warehouse import ChdbWarehouse
from schemas.amounts import amount
from schemas.findings import Finding
from tests.console.apps import browser_of
from tests.console.conftest import PASSWORD, Browser
from tests.console.desk_building import T0
from tests.console.test_people import text_of
from tests.console.test_people_evidence import DEALER, Visit, fold, shown, signing_in, visit
from tests.console.test_sign_in import accesses
from tests.detectors.test_later_messages import TOLD

__all__ = ["fold", "shown", "visit"]  # fixtures

WORDS = re.compile(
    r"\b(streams?|nulls?|ville|markov|e-values?|(?:super)?martingales?|likelihoods?|bounds?|bounded)\b",
    re.IGNORECASE,
)
PAGES = ("/patterns", "/patterns/calibration", f"/dealers/{DEALER}", "/tables/S-1/history", "/watch")
WORKED_OUT = re.compile(r'<details class="panel worked-out">.*?</details>', re.DOTALL)


@pytest.fixture
def suspicion(fold: tuple[EmbeddedFold, ChdbWarehouse]) -> Finding:
    """The suspicion about the dealer who overpays, and goes on to."""
    rows = fold[1].query(
        "SELECT record FROM findings FINAL WHERE check_id = 'pattern.dealer_mispay.for_patrons'"
    )
    return msgspec.json.decode(rows[0][0], type=Finding)


def page_of(visit: Visit, finding: Finding, user: str = "hale") -> str:
    answer = visit(user).get(f"/patterns/{finding.finding_id}")
    assert answer.status_code == 200
    return html.unescape(answer.text)


def print_of(visit: Visit, finding: str) -> str:
    """The words of a suspicion's PDF."""
    report = visit("hale").get(f"/patterns/{finding}/report.pdf").content
    reader = importlib.import_module("pypdf").PdfReader(io.BytesIO(report))
    return " ".join(" ".join(page.extract_text() for page in reader.pages).split())


def test_terms_of_the_trade_stand_only_under_how_it_is_worked_out(visit: Visit, suspicion: Finding) -> None:
    page = page_of(visit, suspicion)
    [folded] = WORKED_OUT.findall(page)
    assert {one.lower() for one in WORDS.findall(text_of(folded))} >= {"null", "stream"}
    assert "<summary>How it is worked out</summary>" in folded
    assert WORDS.findall(text_of(WORKED_OUT.sub("", page))) == []
    before, heading, behind = print_of(visit, suspicion.finding_id).rpartition("How it is worked out")
    assert heading
    assert WORDS.findall(before) == []
    assert "Null hypothesis" in behind


@pytest.mark.parametrize("path", PAGES)
def test_pages_about_patterns_have_terms_of_the_trade_only_under_how_it_is_worked_out(
    visit: Visit, suspicion: Finding, path: str
) -> None:
    answer = visit("hale").get(path)
    assert answer.status_code == 200
    assert WORDS.findall(text_of(WORKED_OUT.sub("", html.unescape(answer.text)))) == []


def test_each_look_at_suspicions_is_kept(visit: Visit, log: SqliteDeskLog, suspicion: Finding) -> None:
    page = f"/patterns/{suspicion.finding_id}"
    for path in (page, "/patterns", "/patterns/calibration", "/patterns/nothing"):
        visit("hale").get(path)
    assert visit("fay").get(page).status_code == 403
    named = f"pattern {suspicion.finding_id}"
    assert {(who, one.object, one.granted) for who, one in accesses(log)} >= {
        ("hale", named, True), ("hale", "patterns", True), ("hale", "calibration of patterns", True),
        ("hale", "pattern nothing", False), ("fay", named, False),
    }  # fmt: skip


def test_no_family_explains_or_excuses_itself_in_terms_of_the_trade() -> None:
    said = [one for family in FAMILIES.values() for one in (*family.innocent, *family.blind)]
    assert [one for one in (*said, *TOLD.values()) if WORDS.search(one)] == []


def test_one_sentence_and_one_picture_say_what_was_seen_against_what_chance_allows(
    visit: Visit, suspicion: Finding
) -> None:
    page = page_of(visit, suspicion)
    assert suspicion.message in WORKED_OUT.sub("", page)
    [picture] = re.findall(r'<figure class="seen-against">(.*?)</figure>', page, re.DOTALL)
    assert isinstance(suspicion.observed, dict)
    assert isinstance(suspicion.expected, dict)
    seen, allowed = suspicion.observed["for_patrons"], suspicion.expected["by_chance"]
    assert f"Seen {seen:,}; chance allows {allowed:,.3g}" in picture
    wide = {
        kind: float(width) for width, kind in re.findall(r'width="([\d.]+)"[^>]*class="(\S+-bar)"', picture)
    }
    assert wide["chance-bar"] / wide["seen-bar"] == pytest.approx(allowed / seen, abs=0.01)
    assert f"of {suspicion.observed['hands']:,} in all" in text_of(picture)


def test_a_suspicion_without_two_figures_to_compare_shows_those_it_has(
    visit: Visit, shown: Console, suspicion: Finding
) -> None:
    """As a suspicion about a tray has none."""
    tray = replace(
        suspicion,
        finding_id="d" * 32,
        check="pattern.inventory_drift.loss",
        about={"table": suspicion.subject},
        expected={"counts_off_of_10": 1},
        observed={"off_cents": -12500},
    )
    shown.desk.raise_alerts([Raised(finding=tray, decided_at=T0)])
    page = page_of(visit, tray)
    assert "seen-against" not in page
    assert "By chance counts off of 10 1 Seen off −$125.00" in text_of(WORKED_OUT.sub("", page))
    assert "Since the alarm: the evidence is now" in text_of(page), (
        "no course says how much was weighed since"
    )


def test_evidence_goes_on_after_the_alarm_and_the_page_says_how_far(
    visit: Visit, fold: tuple[EmbeddedFold, ChdbWarehouse], suspicion: Finding
) -> None:
    [now] = [
        one
        for one in fold[0].people.standings()
        if (one.check, one.about) == (suspicion.check, suspicion.about)
    ]
    assert now.e_value != suspicion.e_value, "the dealer dealt on after the alarm"
    page = page_of(visit, suspicion)
    told = text_of(page)
    assert f"At the alarm: {odds(float(str(suspicion.e_value)))} to 1" in told
    assert f"the evidence is now {odds(now.e_value)} to 1 , and was {odds(now.highest)} to 1" in told
    alarm = course_of(suspicion)[-1][0]
    further, last = re.findall(r"Since the alarm: ([\d,]+) further|After ([\d,]+) stretches of rounds", told)
    assert int(further[0].replace(",", "")) == int(last[1].replace(",", "")) - alarm > 0
    assert 'class="alarm-after"' in page


@pytest.mark.parametrize(
    ("e_value", "words"),
    [
        (0.0, "0"), (1e-9, "under 0.000001"), (1.23e-5, "0.000012"), (9.96e-5, "0.0001"),
        (0.0213, "0.021"), (1.0, "1"), (9.96, "10"), (40_320.4, "40,320"), (999_999.0, "999,999"),
        (1_234_567.0, "1.2 million"), (2.6e8, "260 million"), (9.99e8, "1 billion"), (4.44e13, "44 trillion"),
        (1e15, "10¹⁵"), (1.42e20, "1.4 × 10²⁰"), (1e290, "10²⁹⁰"),
    ],
)  # fmt: skip
def test_odds_are_told_in_figures_and_names_that_people_use(e_value: float, words: str) -> None:
    assert odds(e_value) == words


def test_figures_of_a_suspicion_are_told_without_exponents() -> None:
    told = figures_of({"mean": 999.7, "usual": 999.2, "part": 0.5, "rare": 6.8e-07, "rarer": 2.3e-16})
    assert [value for _, value in told] == ["1,000", "999", "0.5", "1 in 1.5 million", "1 in 4.3 × 10¹⁵"]


def test_a_course_of_one_step_agrees_with_one() -> None:
    drawn = draw_evidence([(1, 20_000.0)], 1e4, None, unit_of("dealer_mispay", {"dealer": "D"}, 1))
    assert "After 1 stretch of rounds the evidence is 20,000 to 1" in drawn
    assert ">1 stretch of rounds<" in drawn


@pytest.mark.parametrize(
    ("number", "noun", "words"),
    [
        (1, "round with errors", "1 round with errors"),
        (2, "count of the tray", "2 counts of the tray"),
        (1_200, "round", "1,200 rounds"),
        (0, "shoe", "0 shoes"),
        (2, "cut or cover card", "2 cuts or cover cards"),
        (2, "round called void", "2 rounds called void"),
    ],
)
def test_a_noun_agrees_with_its_number(number: int, noun: str, words: str) -> None:
    assert amount(number, noun) == words


def test_every_family_joined_over_tables_has_a_unit_for_its_course() -> None:
    joined = {name for name, family in FAMILIES.items() if family.entity is not None}
    assert joined == STEPS.keys()
    assert unit_of("dealer_mispay", {"dealer": "D"}, 1) == "stretch of rounds"
    assert unit_of("cut_steering", {"dealer": "D", "table": "T"}, 5) == "rounds"


@pytest.mark.parametrize("why", [AWAITED, UNREADABLE, NOT_HELD, FAMILY_UNREAD])
def test_a_console_that_does_not_know_the_evidence_now_says_so_and_shows_the_course_to_the_alarm(
    shown: Console, accounts: Accounts, suspicion: Finding, why: str
) -> None:
    def broken(*_asked: object) -> EvidenceHeld:
        raise ValueError("of another release")

    def awaited(*_asked: object) -> EvidenceHeld:
        raise EvidenceAwaited

    def unread(*_asked: object) -> EvidenceHeld:
        return EvidenceHeld(unread=frozenset({"dealer_mispay"}))

    told: dict[str, Evidence] = {
        AWAITED: awaited,
        UNREADABLE: broken,
        NOT_HELD: nothing_held,
        FAMILY_UNREAD: unread,
    }
    with browser_of(dataclasses.replace(shown, evidence=told[why])) as browser:
        page = page_of(signing_in(browser, accounts), suspicion)
        assert why in page
        assert "Since the alarm:" not in page
        assert 'class="evidence"' in page
        assert 'class="alarm-after"' not in page


def fields_of(page: str, act: str) -> dict[str, str]:
    [form] = re.findall(rf'<form [^>]*data-act="{act}">(.*?)</form>', page, re.DOTALL)
    return dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', form))


def send(browser: Browser, finding: Finding, fields: dict[str, str]) -> Any:
    return browser.post(f"/alerts/{finding.finding_id}", data=fields, follow_redirects=False)


def test_a_suspicion_that_paged_is_taken_noted_and_closed_on_its_own_page(
    visit: Visit, shown: Console, suspicion: Finding
) -> None:
    shown.desk.raise_alerts([Raised(finding=suspicion, decided_at=T0)])
    here = f"/patterns/{suspicion.finding_id}"
    given: list[tuple[str, dict[str, str]]] = [
        ("acknowledged", {}),
        ("noted", {"note": "asked the floor"}),
        ("disposed", {"disposition": "dealer error", "note": "looked at the rounds"}),
    ]
    for act, words in given:
        answer = send(visit("hale"), suspicion, fields_of(page_of(visit, suspicion), act) | words)
        assert (answer.status_code, answer.headers["location"]) == (303, here), act
    alert = shown.desk.alert(suspicion.finding_id)
    assert alert is not None
    assert (alert.disposition, alert.closed_by) == ("dealer error", "hale")
    browser = visit("hale")
    again = browser.get(here).text
    assert "Open again" in again
    stale = {**fields_of(again, "noted"), "version": "1", "note": "too late"}
    refused = send(browser, suspicion, stale)
    assert refused.status_code == 409
    assert "too late" in refused.text, "what was typed is not lost"


def test_how_the_alert_stands_and_what_was_noted_is_said_in_the_words_of_its_own_page(
    visit: Visit, shown: Console, accounts: Accounts, suspicion: Finding
) -> None:
    shown.desk.raise_alerts([Raised(finding=suspicion, decided_at=T0)])
    told: list[str] = []

    def same(words: str) -> None:
        own = text_of(html.unescape(visit("hale").get(f"/alerts/{suspicion.finding_id}").text))
        here = text_of(page_of(visit, suspicion))
        assert words in own
        assert words in here
        told.append(here)

    same("New")
    given: list[tuple[str, dict[str, str], str]] = [
        ("acknowledged", {}, "Acknowledged, hale"),
        ("shelved", {"reason": "the floor asks", "minutes": "30"}, "Shelved, hale until"),
        ("disposed", {"disposition": "dealer error", "note": "looked at the rounds"}, "Closed by hale"),
    ]
    for act, words, state in given:
        send(visit("hale"), suspicion, fields_of(page_of(visit, suspicion), act) | words)
        same(state)
    same("Closed as dealer error by hale")
    same("Note looked at the rounds")
    assert "looked at the rounds" not in "".join(told[:-3])


def test_who_does_nothing_to_alerts_is_offered_no_acts_and_neither_is_a_suspicion_that_called_nobody(
    visit: Visit, shown: Console, accounts: Accounts, suspicion: Finding
) -> None:
    page = page_of(visit, suspicion)
    assert "data-act=" not in page
    assert "It has called nobody: its family pages at 10,000 to 1. There is no alert to take" in text_of(page)
    shown.desk.raise_alerts([Raised(finding=suspicion, decided_at=T0)])
    assert "data-act=" in page_of(visit, suspicion)
    accounts.add("aud", "auditor", PASSWORD)
    assert "data-act=" not in page_of(visit, suspicion, "aud")
    shown.desk.note(Withheld(user="hale", kind="alert", value=suspicion.finding_id), "ann")
    assert visit("hale").get(f"/patterns/{suspicion.finding_id}").status_code == 404


def test_the_page_and_the_paper_name_seat_and_money_of_each_round_and_why_it_weighs(
    visit: Visit, suspicion: Finding
) -> None:
    assert isinstance(suspicion.observed, dict)
    rows = suspicion.observed["rounds"]
    page, paper = text_of(page_of(visit, suspicion)), print_of(visit, suspicion.finding_id)
    assert rows
    for row in rows:
        seats = ", ".join(map(str, row["seats"]))
        words = f"seat{'' if len(row['seats']) == 1 else 's'} {seats}, ${row['cents'] / 100:,.2f} too much"
        why = f"raised the evidence {odds(row['factor'])} times"
        assert f"{row['table']} round {row['round']} {words}, {why}" in page
        assert f"{words}, {why}" in paper
