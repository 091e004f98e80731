"""New alerts come into view, in the order that each person chose, and call who wants to be called."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from dashboards.ledger.acts import Acknowledged
from tests.browser.conftest import PageOf
from tests.browser.site import Site, a_finding
from tests.browser.test_alerts import PAID, TRAY, live, rows
from tests.sampling import one_in
from tests.waiting import until

Axe = Callable[[Page], list[str]]
HEARD = """
window.tones = 0; window.notices = [];
document.hasFocus = () => false;
window.AudioContext = class {
  destination = {}; currentTime = 0;
  createOscillator() { window.tones += 1; return {frequency: {}, connect: (one) => one, start() {}, stop() {}}; }
  createGain() { return {gain: {setValueAtTime() {}, exponentialRampToValueAtTime() {}}, connect() {}}; }
};
window.Notification = class extends EventTarget {
  static permission = "default";
  static async requestPermission() { return (Notification.permission = "granted"); }
  constructor(title, {body}) { super(); window.notices.push(`${title}: ${body}`); }
};
"""


def first(page: Page) -> str:
    return rows(page).first.locator(".c-alert a").inner_text()


def test_the_order_is_chosen_by_a_heading_and_the_persons_at_every_workstation(
    served: Site, page_of: PageOf, axe: Axe
) -> None:
    served.raise_alerts(a_finding(900, "The newest of all", subject="BJ-50", severity="info", money_cents=0))
    page = live(page_of("hale"))
    assert first(page).startswith(TRAY)
    heading = page.get_by_role("columnheader", name="Time")
    heading.get_by_role("link").click()
    expect(rows(page).first.locator(".c-alert a")).to_have_text("The newest of all")
    expect(heading).to_have_attribute("aria-sort", "descending")
    until(lambda: served.console is not None and order_of(served) == "newest")
    assert axe(page) == []
    elsewhere, plain = live(page_of("hale")), page_of("hale", java_script_enabled=False)
    assert first(elsewhere) == first(plain) == "The newest of all"
    assert first(live(page_of("ito"))).startswith(TRAY), "it is each person's own"
    page.get_by_role("columnheader", name="Money").get_by_role("link").click()
    expect(rows(page).first.locator(".c-alert a")).to_contain_text(PAID)


def order_of(site: Site) -> str:
    assert site.console is not None
    return site.console.accounts.preferences.of("hale")["queue_order"]


@pytest.mark.parametrize("size", one_in(2, ["desk", "phone"], 1))
def test_new_ones_are_announced_wherever_the_list_is_scrolled_and_counted_in_the_title(
    empty_site: Site, page_of: PageOf, size: str
) -> None:
    empty_site.raise_alerts(*(a_finding(n, f"Alert {n}", subject=f"BJ-{n}") for n in range(100, 160)))
    page = live(page_of("hale", size=size))
    expect(page).to_have_title("(60) Alerts · Catwalk")
    page.mouse.move(5, 5)
    page.evaluate("document.querySelector('.rows').scrollTo(0, 900)")
    page.evaluate("document.querySelector('.rows').scrollTop || window.scrollTo(0, 2000)")
    page.wait_for_timeout(400)
    empty_site.raise_alerts(a_finding(1, "A wrong payout", subject="BJ-1", severity="critical"))
    release = page.locator("#release")
    expect(release).to_be_in_viewport()
    expect(release).to_contain_text("↑ 1 new · 1 critical")
    expect(page).to_have_title("(61) Alerts · Catwalk")
    release.click()
    expect(rows(page).first).to_contain_text("A wrong payout")
    expect(rows(page).first).to_be_in_viewport()
    expect(release).to_be_hidden()
    empty_site.raise_alerts(a_finding(2, "A late call", subject="BJ-2", severity="info"))
    expect(release).to_be_visible()
    expect(release).to_have_text("↑ 1 new")
    page.keyboard.press("n")
    expect(rows(page).filter(has_text="A late call")).to_be_in_viewport()
    alert = next(one for one in empty_site.desk.snapshot().alerts if one.finding.severity == "critical")
    empty_site.desk.act(Acknowledged(alert=alert.id, version=1), "ito")
    expect(page).to_have_title("(61) Alerts · Catwalk")


def test_sound_and_notices_are_off_until_chosen_and_then_by_severity(served: Site, page_of: PageOf) -> None:
    page = page_of("hale", None)
    page.add_init_script(HEARD)
    page.goto("/")
    live(page)
    served.raise_alerts(a_finding(901, "Nobody hears", subject="BJ-51", severity="critical"))
    expect(page.get_by_text("Nobody hears").first).to_be_attached()
    assert page.evaluate("[window.tones, window.notices.length]") == [0, 0]
    page.locator("#calls summary").click()
    page.get_by_label("Sound for new alerts").select_option("critical")
    page.get_by_label("Desktop notices for new alerts").select_option("major")
    assert page.evaluate("window.tones") == 1, "it sounds once, so that its person knows how"
    page.wait_for_timeout(5100)
    served.raise_alerts(a_finding(902, "Only told", subject="BJ-52", severity="major", money_cents=-2_000))
    served.raise_alerts(a_finding(903, "Nothing", subject="BJ-53", severity="info"))
    served.raise_alerts(a_finding(904, "Heard", subject="BJ-54", severity="critical", money_cents=0))
    until(lambda: page.evaluate("window.notices.length") == 2)
    assert page.evaluate("window.notices") == [
        "Major: BJ-52 round 7: overpaid $20.00", "Critical: BJ-54 round 7: payout.blackjack",
    ]  # fmt: skip
    assert page.evaluate("window.tones") == 2
    page.reload()
    expect(live(page).locator("#sound")).to_have_value("critical")
    expect(page.locator("#notices")).to_have_value("major")


def test_in_their_quiet_hours_a_person_hears_and_sees_nothing_but_what_they_let_through(
    served: Site, page_of: PageOf
) -> None:
    page = page_of("hale", None)
    page.add_init_script(HEARD)
    page.goto("/")
    live(page)
    page.locator("#calls summary").click()
    page.get_by_label("Sound for new alerts").select_option("info")
    page.get_by_label("Desktop notices for new alerts").select_option("info")
    until(lambda: chosen_by(served)["queue_notices"] == "info")
    heard = page.evaluate("window.tones")
    # All day: the test does not hang on when it runs.
    page.get_by_label("to", exact=True).select_option("00:00")
    page.get_by_label("Quiet from").select_option("00:00")
    expect(page.locator("#quiet-told")).to_have_text("Quiet each day from 00:00 to 00:00 (UTC).")
    page.wait_for_timeout(5100)  # two tones are five seconds apart
    served.raise_alerts(a_finding(911, "Held back", subject="BJ-61", severity="critical"))
    expect(page.locator("#fitting")).to_have_text("11 alerts")
    assert page.evaluate("[window.tones, window.notices.length]") == [heard, 0]
    page.get_by_label("Gravest alerts meanwhile").select_option("heard")
    expect(page.locator("#quiet-told")).to_contain_text("critical alerts are told all the same")
    served.raise_alerts(a_finding(912, "Still quiet", subject="BJ-62", severity="major"))
    served.raise_alerts(a_finding(913, "Let through", subject="BJ-63", severity="critical"))
    until(lambda: page.evaluate("window.notices.length") == 1)
    assert page.evaluate("window.notices[0]").startswith("Critical: BJ-63")
    assert page.evaluate("window.tones") == heard + 1
    page.reload()
    expect(live(page).locator("#quiet_from")).to_have_value("00:00")
    expect(page.locator("#quiet_critical")).to_have_value("heard")


def chosen_by(site: Site) -> dict[str, str]:
    assert site.console is not None
    return site.console.accounts.preferences.of("hale")


def tables(page: Page, most: int) -> list[str]:
    """The tables of the first lines."""
    return page.locator("#rows tbody tr .c-table").all_inner_texts()[:most]


def test_n_pressed_again_leaves_what_it_brought_before_at_the_head_and_marked(
    empty_site: Site, page_of: PageOf
) -> None:
    empty_site.raise_alerts(*(a_finding(n, f"Alert {n}", subject=f"BJ-{n}") for n in range(100, 180)))
    page = live(page_of("hale"))
    expect(page.locator("#fitting")).to_have_text("80 alerts")
    release = page.locator("#release")
    rows(page).nth(3).hover()
    empty_site.raise_alerts(a_finding(1, "First", subject="N-1", severity="info"))
    expect(release).to_have_text("↑ 1 new")
    page.keyboard.press("n")
    expect(rows(page).first).to_contain_text("First")
    empty_site.raise_alerts(a_finding(2, "Then", subject="N-2", severity="info"))
    empty_site.raise_alerts(a_finding(3, "Then", subject="N-3", severity="critical"))
    expect(release).to_have_text("↑ 2 new · 1 critical")
    page.keyboard.press("n")
    expect(rows(page).first.locator(".c-table")).to_have_text("N-3")
    assert tables(page, 3) == ["N-3", "N-2", "N-1"]
    expect(page.locator("#rows .came")).to_have_count(3)
    page.keyboard.press("n")  # nothing came meanwhile
    page.wait_for_timeout(400)
    assert tables(page, 3) == ["N-3", "N-2", "N-1"]
    expect(page.locator("#rows .came")).to_have_count(3)


def test_what_was_brought_and_never_in_view_is_announced_again_when_an_order_is_asked_for(
    empty_site: Site, page_of: PageOf
) -> None:
    empty_site.raise_alerts(*(a_finding(n, f"Alert {n}", subject=f"BJ-{n}") for n in range(100, 180)))
    page = live(page_of("hale"))
    expect(page.locator("#fitting")).to_have_text("80 alerts")
    release = page.locator("#release")
    rows(page).nth(3).hover()
    empty_site.raise_alerts(*(a_finding(n, "New", subject=f"N-{n}", severity="info") for n in range(1, 61)))
    expect(release).to_have_text("↑ 60 new")
    page.keyboard.press("n")
    expect(release).to_be_hidden()
    empty_site.raise_alerts(a_finding(90, "One more", subject="N-90", severity="info"))
    expect(release).to_have_text("↑ 1 new")
    page.keyboard.press("n")
    expect(rows(page).first).to_contain_text("One more")
    assert set(tables(page, 12)) <= {f"N-{n}" for n in (*range(1, 61), 90)}
    page.get_by_role("columnheader", name="Age").get_by_role("link").click()
    expect(rows(page).first.locator(".c-table")).to_have_text("BJ-100")
    expect(release).to_be_visible()
