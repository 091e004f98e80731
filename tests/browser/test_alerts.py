"""The live alerts as those see them who spend the night with them."""

import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import PageOf
from tests.browser.site import Site, a_finding
from tests.waiting import until

Axe = Callable[[Page], list[str]]
Fits = Callable[[Page], bool]
Shoot = Callable[[Page, str], None]
TRAY, PAID, LATE = "Chip tray is short", "Blackjack paid 6 to 5", "Bet raised after"


def live(page: Page) -> Page:
    """The page when the feed has reached it."""
    expect(page.locator("#live")).to_contain_text("Live")
    expect(page.locator("#rows tbody tr[data-key]").first).to_be_visible()
    return page


def rows(page: Page) -> Locator:
    return page.locator("#rows tbody tr")


def row(page: Page, words: str) -> Locator:
    return rows(page).filter(has_text=words).first


def told(page: Page) -> list[str]:
    """The lines of the list, without what grows."""
    return [re.sub(r"\b\d+:\d\d\b|×\d+|Ack$|\s+", " ", text).strip() for text in rows(page).all_inner_texts()]


@contextmanager
def raising(site: Site, each: float, first: int = 10_000) -> Iterator[list[float]]:
    """Twenty alerts a second or so, graver than what is there, as long as the block lasts; when each was raised."""
    ended = threading.Event()
    raised: list[float] = []

    def run() -> None:
        number = first
        while not ended.wait(each):
            number += 1
            table = f"RT-{number}"
            site.raise_alerts(a_finding(number, f"Alert {number}", subject=table, severity="critical"))
            raised.append(time.monotonic())

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield raised
    finally:
        ended.set()
        thread.join()


def state(site: Site, message: str) -> list[tuple[str, str | None]]:
    """Status and owner of the alerts of this message."""
    return [
        (alert.status, alert.owner)
        for alert in site.desk.snapshot().alerts
        if alert.finding.message.startswith(message)
    ]


WORDS = ("bj-1", "BJ-19", "dealer:D11", "D110", "seat 6", "bet", "round", "cr-35 pace", "tabel:BJ-19",
         "seat:x", 'check:"rack.variance"', "record 411", "41", "table:", "critical", "severity:grave",
         "state:new", "state:open", "over $1", "$1-$1", "money:lots", "672a.11", "clause:672a",
         "player:P-1", "owed", "owed:>$1", "overpaid", "overpaid:lots", "status:new", "device:shoe", "pattern:rank",
         "since:3h", "since:soon", "money:>=1")  # fmt: skip
FEW = ("bj-1", "BJ-19", "dealer:D11", "D110", "seat 6", "bet", "tabel:BJ-19", "41", "table:", "owed:>$1",
       "device:shoe")  # fmt: skip


@pytest.mark.parametrize("asked", [FEW, pytest.param(WORDS, marks=pytest.mark.soak)], ids=["few", "all"])
def test_words_of_the_filter_are_read_with_a_script_as_without(
    served: Site, page_of: PageOf, asked: tuple[str, ...]
) -> None:
    page, plain = live(page_of("hale")), page_of("hale", java_script_enabled=False)
    shown: dict[str, int] = {}
    for words in asked:
        page.get_by_label("Filter by table").fill(words)
        plain.goto(f"/?{urlencode({'q': words})}")
        expect(rows(page)).to_have_count(rows(plain).count())
        expect(page.locator("#unread p")).to_have_text(plain.locator("#unread p").all_inner_texts())
        shown[words] = rows(plain).count()
        assert shown[words] or plain.locator("#unread p").count() or words == "table:", words
    assert {words for words, count in shown.items() if not count} >= {
        "bj-1",
        "dealer:D11",
        "tabel:BJ-19",
        "41",
    }
    assert shown["BJ-19"] == shown["D110"] == shown["seat 6"] == shown["bet"] == 1


def test_without_a_script_the_alerts_are_there_filtered_and_acted_upon(served: Site, page_of: PageOf) -> None:
    page = page_of("hale", java_script_enabled=False)
    assert [text.split("\t")[0] for text in rows(page).all_inner_texts()] == [
        "Critical", "Critical", "Major", "Minor", "Info",
    ]  # fmt: skip
    page.get_by_label("Filter by table").fill("BJ-12")
    page.get_by_role("button", name="Show").click()
    expect(rows(page)).to_have_count(1)
    page.get_by_role("link", name=PAID).click()
    page.get_by_role("button", name="Acknowledge").click()
    assert state(served, PAID) == [("acknowledged", "hale")]
    page.get_by_text("Dispose").first.click()
    form = page.locator('form[data-act="disposed"]')
    form.get_by_label("What it was").select_option("dealer error")
    form.get_by_label("Note").fill("paid again by the floor")
    form.get_by_label("Money").fill("1,600.00")
    form.get_by_label("that is").select_option("loss")
    form.get_by_role("button").click()
    expect(page.locator(".closing")).to_contain_text(
        "You propose to close it as dealer error, lost $1,600.00"
    )
    expect(page.get_by_role("button", name="Confirm")).to_have_count(0)
    second = page_of("ito", "/?tab=second", java_script_enabled=False)
    second.get_by_role("link", name=PAID).click()
    second.get_by_role("button", name="Confirm: close it as dealer error").click()
    expect(second.get_by_text("Closed as")).to_be_visible()
    page.goto("/?tab=closed")
    expect(page.get_by_role("row").filter(has_text=PAID)).to_contain_text("1,600.00")


def test_the_script_says_what_the_server_said(served: Site, page_of: PageOf) -> None:
    before = told(page_of("hale", java_script_enabled=False))
    page = live(page_of("hale"))
    assert told(page) == before
    tabs = page.locator(".tabs").inner_text().split()
    assert tabs == ["Open", "10", "Mine", "0", "To", "confirm", "0", "Acked", "0", "Shelved", "0", "Closed"]


@pytest.mark.soak  # a time: nothing else may be at work on the machine
def test_an_alert_is_on_the_page_within_a_second_of_being_raised(served: Site, page_of: PageOf) -> None:
    page = live(page_of("hale"))
    took = []
    for number in range(900, 905):
        message = f"Alert {number}"
        began = time.monotonic()
        served.raise_alerts(a_finding(number, message, subject=f"RT-{number}"))
        row(page, message).wait_for(timeout=5000)
        took.append(time.monotonic() - began)
    assert sorted(took)[2] < 1.0, took


def test_while_twenty_a_second_arrive_the_key_acknowledges_the_alert_that_has_the_focus(
    served: Site, page_of: PageOf
) -> None:
    page = live(page_of("hale"))
    page.keyboard.press("j")
    page.keyboard.press("j")
    chosen = page.evaluate("document.activeElement.querySelector('a').textContent")
    assert chosen.startswith(PAID)
    before = told(page)
    with raising(served, 0.05) as raised:
        until(lambda: len(raised) > 30)
        expect(page.locator("#release")).to_contain_text(" critical")
        assert told(page) == before, "the order is held"
        page.keyboard.press("a")
        until(lambda: state(served, PAID) == [("acknowledged", "hale")])
        expect(row(page, PAID)).to_contain_text("Ack hale")
    assert page.evaluate("document.activeElement.querySelector('a').textContent") == chosen
    assert sum(one.status != "new" for one in served.desk.snapshot().alerts) == 1, "that one and no other"
    expect(page.locator("#release")).to_contain_text(f"{len(raised)} new")  # all came before the key
    page.keyboard.press("n")
    expect(page.locator("#release")).to_be_hidden()
    expect(row(page, "Alert 10001")).to_be_visible()
    page.keyboard.type("kj")  # its line may be out of view by now, and is drawn again
    assert page.evaluate("document.activeElement.querySelector('a').textContent") == chosen


ROW = "([x, y]) => document.elementFromPoint(x, y).closest('tr')"
BUTTON = """() => {
  const box = document.querySelectorAll('#rows tbody tr.new .quick')[3].getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
}"""


def test_while_twenty_a_second_arrive_a_click_hits_what_was_pointed_at(served: Site, page_of: PageOf) -> None:
    page = live(page_of("hale"))
    hit: list[str] = []
    with raising(served, 0.05) as raised:
        until(lambda: len(raised) > 10)
        while len(hit) < 5:
            page.mouse.move(5, 5)
            page.wait_for_timeout(400)  # the order is let go, and new ones come in between
            place = page.evaluate(BUTTON)
            page.mouse.move(*place)
            if not page.evaluate(f"place => ({ROW})(place).classList.contains('new')", place):
                continue  # it moved before the pointer was there
            hit.append(page.evaluate(f"place => ({ROW})(place).querySelector('a').textContent", place))
            page.wait_for_timeout(300)
            page.mouse.click(*place)
            until(lambda: state(served, hit[-1]) == [("acknowledged", "hale")])
    acknowledged = [one for one in served.desk.snapshot().alerts if one.status == "acknowledged"]
    assert sorted(one.finding.message for one in acknowledged) == sorted(hit), "those and no other"


def test_law_18_what_one_does_another_sees_and_who_is_second_reads_who_was_first(
    served: Site, page_of: PageOf
) -> None:
    hale, ito = live(page_of("hale")), live(page_of("ito"))
    for page in (hale, ito):
        row(page, PAID).locator(".c-table").click()
        expect(page.locator("#panel")).to_contain_text("Money")
    hale.keyboard.press("a")
    expect(row(ito, PAID)).to_contain_text("Ack hale")
    ito.keyboard.press("a")
    expect(ito.locator("#told")).to_contain_text("acknowledged, hale")
    version = served.desk.snapshot().alerts[5].version
    answer = ito.evaluate(
        "([id, version]) => fetch('/api/acts', {method: 'POST', headers: {'content-type': 'application/json',"
        " 'x-csrf-token': document.body.dataset.csrf}, body: JSON.stringify({wish: {act: 'acknowledged'},"
        " alerts: [{id, version}]})}).then(answer => answer.json())",
        [served.desk.snapshot().alerts[5].id, version - 1],
    )
    assert re.fullmatch(r"Taken by hale \d+ s ago", answer["refused"][0]["why"])


def test_an_act_is_undone_within_ten_seconds(served: Site, page_of: PageOf) -> None:
    page = live(page_of("hale"))
    row(page, TRAY).focus()
    page.keyboard.press("a")
    page.get_by_role("dialog").get_by_role("button", name="Acknowledge (5 alerts)").click()
    expect(page.locator("#told")).to_contain_text("Acknowledged: 5 alerts")
    expect(page.locator("#undo")).to_be_visible()
    assert {status for status, _ in state(served, TRAY)} == {"acknowledged"}
    page.keyboard.press("u")
    page.get_by_role("dialog").get_by_role("button", name="Undo (5 alerts)").click()
    expect(page.locator("#told")).to_contain_text("Undone")
    assert state(served, TRAY) == [("new", None)] * 5
    expect(page.locator("#undo")).to_be_hidden()
    page.keyboard.press("u")
    expect(page.locator("#told")).to_have_text("There is nothing to undo.")


def test_several_lines_are_marked_and_given_to_someone_at_once(served: Site, page_of: PageOf) -> None:
    page = live(page_of("hale"))
    page.keyboard.press("j")
    page.keyboard.press("Shift+J")
    page.keyboard.press("Shift+J")
    expect(page.locator('tr[aria-selected="true"]')).to_have_count(3)
    page.keyboard.press("s")
    box = page.get_by_role("dialog")
    expect(box).to_contain_text("8 alerts")
    box.get_by_label("Assign to").select_option("ito")
    box.get_by_role("button", name="Assign").click()
    expect(box).to_have_count(0)
    page.keyboard.press("Escape")
    expect(page.locator('tr[aria-selected="true"]')).to_have_count(0)
    expect(live(page_of("ito")).locator('[data-tab="mine"] b')).to_have_text("8")


def test_a_shelved_alert_is_gone_for_its_time_and_comes_back_by_itself(
    served: Site, page_of: PageOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = live(page_of("hale"))
    row(page, LATE).focus()
    page.keyboard.press("z")
    box = page.get_by_role("dialog")
    box.get_by_label("Reason").fill("shift change at CR-07")
    box.get_by_label("Until").select_option("15")
    box.get_by_role("button", name="Shelve").click()
    expect(row(page, LATE)).to_contain_text("Shelved")
    expect(page.locator("#told")).to_contain_text("Shelved")  # the answer writes the line once more
    page.keyboard.press("n")
    expect(rows(page).filter(has_text=LATE)).to_have_count(0)
    page.locator('[data-tab="shelved"]').first.click()
    expect(rows(page).filter(has_text=LATE)).to_have_count(1)
    page.locator('[data-tab="open"]').first.click()
    later = served.desk.snapshot().alerts[6].shelved_until or pytest.fail("on no shelf")
    monkeypatch.setattr(served.desk, "_clock", lambda: later)
    expect(rows(page).filter(has_text=LATE)).to_have_count(1)
    expect(row(page, LATE)).to_contain_text("New")


def test_a_critical_alert_is_closed_by_two(served: Site, page_of: PageOf, shoot: Shoot) -> None:
    page = live(page_of("hale"))
    row(page, PAID).locator(".c-table").click()
    page.keyboard.press("d")
    box = page.get_by_role("dialog")
    box.get_by_label("What it was").select_option("dealer error")
    box.get_by_label("Note").fill("floor paid the rest")
    box.get_by_label("Money").fill("1,600.00")
    box.get_by_label("that is").select_option("loss")
    shoot(page, "dispose")
    second = live(page_of("ito"))
    mine, theirs = (one.locator('.tabs [data-tab="second"] b') for one in (page, second))
    box.get_by_role("button", name="Dispose").click()
    expect(page.locator("#told")).to_contain_text("Proposed, waits for a second person")
    expect(theirs).to_have_text("1")
    expect(mine).to_have_text("0")
    for each in (page, second):
        said = row(each, PAID).locator(".c-status > span")
        expect(said).to_have_text("Waits for second; hale proposes")
        assert not said.evaluate("place => place.scrollWidth > place.clientWidth || place.scrollHeight > 36")
    expect(page.locator("#panel")).to_contain_text("You propose to close it as dealer error")
    expect(page.locator("#panel").get_by_role("button", name="Confirm")).to_have_count(0)
    assert state(served, PAID) == [("awaiting", None)]

    second.locator('.tabs [data-tab="second"]').click()
    row(second, PAID).locator(".c-table").click()
    panel = second.locator("#panel")
    proposed = r"hale proposes to close it as dealer error, lost \$1,600\.00.*floor paid the rest"
    expect(panel).to_contain_text(re.compile(proposed, re.DOTALL))
    panel.get_by_role("button", name="Decline").click()
    second.get_by_role("dialog").get_by_label("Why not").fill("the slip is not signed")
    second.get_by_role("dialog").get_by_role("button", name="Decline").click()
    for text in ("ito declined it", "the slip is not signed"):
        expect(page.locator("#panel")).to_contain_text(text)
    assert state(served, PAID) == [("new", None)]

    page.wait_for_timeout(400)  # what changed within a glance has not been seen, and is not acted upon
    page.keyboard.press("d")
    box.get_by_label("What it was").select_option("dealer error")
    box.get_by_label("Note").fill("floor paid the rest, slip 4711")
    box.get_by_role("button", name="Dispose").click()
    expect(panel).to_contain_text("slip 4711")
    second.wait_for_timeout(400)
    row(page, PAID).hover()
    second.keyboard.press("y")
    until(lambda: state(served, PAID) == [])
    expect(row(page, PAID).locator(".c-status > span")).to_have_text("Closed by hale, ito")
    expect(page.locator("#panel [data-state]")).to_have_text("Closed by hale, confirmed by ito")
    expect(second.locator("#told")).to_contain_text("Closed")
    expect(panel).to_contain_text("by hale, confirmed by ito")
    expect(theirs).to_have_text("0")
    for each in (page, second):
        each.locator('[data-tab="closed"]').click()
        closed = each.get_by_role("row").filter(has_text=PAID)
        expect(closed).to_contain_text(re.compile("Dealer error.*hale, confirmed by ito", re.DOTALL))
        expect(each.locator("#live")).to_contain_text("Live")


def test_the_filter_is_in_the_address_and_survives_reload_and_restart(served: Site, page_of: PageOf) -> None:
    page = live(page_of("hale"))
    page.keyboard.press("/")
    page.keyboard.type("d110")
    expect(rows(page)).to_have_count(1)
    page.keyboard.press("Escape")
    for key in ("3", "4"):
        page.keyboard.press(key)
    assert page.url.endswith("/?severity=critical&severity=major&q=d110")
    page.reload()
    expect(rows(live(page))).to_have_count(1)
    expect(page.get_by_label("Minor")).not_to_be_checked()
    served.stop()
    served.start()
    served.raise_alerts(a_finding(999, "Bet raised after all", subject="CR-09"), dealer="D110")
    expect(rows(page)).to_have_count(2, timeout=15_000)
    assert page.get_by_label("Filter by table").input_value() == "d110"


def test_the_panel_tells_why_and_leads_on(served: Site, page_of: PageOf, shoot: Shoot) -> None:
    page = live(page_of("hale"))
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    panel = page.locator("#panel")
    expect(panel).to_contain_text("owed to patron $1,600.00")
    expect(panel).to_contain_text("dealer D105 1 of 1")
    clause = panel.get_by_text("A player Blackjack is paid 3 to 2.")
    expect(clause).to_be_hidden()
    page.keyboard.press("p")
    expect(clause).to_be_visible()
    assert panel.locator("[data-replay]").get_attribute("href") == "/hands/BJ-12/7?at=205&seat=3"
    expect(page.locator("#panel .felt > svg")).to_be_visible()
    page.keyboard.press("j")
    expect(panel).to_contain_text("CR-07 · round 7 · seat 6")
    shoot(page, "panel")
    page.reload()
    expect(panel).to_contain_text("CR-07")
    page.keyboard.press("Escape")
    expect(panel).to_be_hidden()


def test_a_line_opens_into_its_alerts_and_each_is_acted_upon_alone(served: Site, page_of: PageOf) -> None:
    page = live(page_of("hale"))
    page.keyboard.press("j")
    page.keyboard.press("ArrowRight")
    expect(rows(page)).to_have_count(10)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("a")
    expect(rows(page).first).to_contain_text("4 of 5 new")
    assert sorted(state(served, TRAY), key=str) == [("acknowledged", "hale"), *[("new", None)] * 4]
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowLeft")
    expect(rows(page)).to_have_count(5)
    assert page.locator("#rows").get_attribute("aria-rowcount") == "6"
