"""Keys throw nothing away and trap nobody: Escape in a field, keys of one's own choice, lists that are walked."""

from __future__ import annotations

import pytest
from playwright.sync_api import Dialog, Page, expect

from tests.browser.conftest import PageOf
from tests.browser.site import Site, a_finding
from tests.browser.test_alerts import PAID, live, row, rows
from tests.browser.test_disputes import NEW, opened
from tests.embedded.ledgers import lines_of
from tests.sampling import one_in
from tests.waiting import PATIENCE

CLAIM = "He says the dealer had 22."


STREAMS = {"FB-12": lines_of("breach_dealer22_paid")}


def answering(page: Page, *, leave: bool) -> list[str]:
    """The kinds of questions that the page asks from now on, each answered in this way."""
    asked: list[str] = []

    def answer(question: Dialog) -> None:
        asked.append(question.type)
        question.accept() if leave else question.dismiss()

    page.on("dialog", answer)
    return asked


def asks(page: Page, asked: list[str]) -> None:
    """Wait until the page has asked."""
    for _ in range(200):
        if asked:
            return
        page.wait_for_timeout(100)


def test_escape_in_a_claim_leaves_the_field_and_a_second_one_asks_before_it_is_lost(page_of: PageOf) -> None:
    page = page_of("hale", NEW)
    asked = answering(page, leave=False)
    field = page.get_by_label("What the patron says")
    field.fill(CLAIM)
    page.keyboard.press("Escape")
    expect(field).not_to_be_focused()
    assert asked == []
    page.keyboard.press("Escape")
    asks(page, asked)
    assert asked == ["beforeunload"]
    assert page.url.endswith(NEW)
    expect(field).to_have_value(CLAIM)


def test_escape_goes_back_at_once_from_a_form_that_nobody_changed(page_of: PageOf) -> None:
    page = page_of("hale", NEW)
    asked = answering(page, leave=False)
    page.get_by_label("What the patron says").focus()
    page.keyboard.press("Escape")
    expect(page.get_by_label("What the patron says")).not_to_be_focused()
    assert page.url.endswith(NEW)
    page.keyboard.press("Escape")
    page.wait_for_url("**/disputes", timeout=PATIENCE * 1_000)  # others compute too
    assert asked == []


def test_a_form_that_is_sent_asks_nothing(empty_site: Site, page_of: PageOf) -> None:
    opened(empty_site)
    page = page_of("hale", "/disputes/DIS-0001")
    asked = answering(page, leave=False)
    page.get_by_label("Remark").fill("camera 12 shows it")
    page.get_by_role("button", name="Add the note").click()
    expect(page.get_by_role("region", name="Records of the dispute")).to_contain_text("camera 12 shows it")
    assert asked == []


def test_going_to_a_section_by_key_asks_before_a_reason_is_lost(empty_site: Site, page_of: PageOf) -> None:
    opened(empty_site)
    page = page_of("hale", "/disputes/DIS-0001")
    asked = answering(page, leave=True)
    page.locator("#reason").fill("the felt shows 22")
    page.keyboard.press("Escape")
    page.keyboard.press("g")
    page.keyboard.press("h")
    page.wait_for_url("**/hands")
    assert asked == ["beforeunload"]


def test_escape_in_the_finder_leaves_the_field_and_then_asks(page_of: PageOf) -> None:
    page = page_of("hale", "/hands?table=FB-12")
    asked = answering(page, leave=False)
    page.get_by_label("Time at the table").fill("21:14")
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    asks(page, asked)
    assert asked == ["confirm"]
    expect(page.get_by_label("Time at the table")).to_have_value("21:14")


def test_a_note_in_a_dialog_is_not_lost_by_escape_without_a_question(served: Site, page_of: PageOf) -> None:
    page = live(page_of("hale"))
    asked = answering(page, leave=False)
    row(page, PAID).locator(".c-table").click()
    page.keyboard.press("d")
    note = page.get_by_role("dialog").get_by_label("Note")
    note.fill("floor paid the rest")
    page.keyboard.press("Escape")
    expect(note).not_to_be_focused()
    expect(note).to_have_value("floor paid the rest")
    page.keyboard.press("Escape")
    asks(page, asked)
    assert asked == ["confirm"]
    expect(note).to_have_value("floor paid the rest")


def test_escape_on_the_alerts_never_takes_a_filter_away(served: Site, page_of: PageOf) -> None:
    page = live(page_of("hale", "/?q=d110"))
    expect(rows(page)).to_have_count(1)
    for _ in range(3):
        page.keyboard.press("Escape")
    page.wait_for_timeout(300)
    assert page.url.endswith("/?q=d110")
    page.keyboard.press("/")
    page.keyboard.press("Escape")
    expect(page.get_by_label("Filter by table")).to_have_value("d110")
    expect(rows(page).first).to_be_focused()


def change(page: Page, label: str) -> None:
    """Begin to choose another key for this."""
    page.get_by_role("dialog").get_by_role("button", name=f"Change the key of {label}", exact=True).click()


def test_no_key_is_taken_that_would_trap_or_take_another_ones_place(served: Site, page_of: PageOf) -> None:
    page = live(page_of("hale"))
    page.keyboard.press("?")
    told = page.get_by_role("dialog").get_by_role("status")
    change(page, "Acknowledge")
    for key, why in (
        ("Enter", "Enter is taken: Open (Alerts)"),
        ("F5", "moves, presses or leaves"),
        ("PageDown", "moves, presses or leaves"),
        ("ArrowRight", "is taken: Open the alerts of a line"),
        ("Control+p", "is the browser's own"),
        ("Alt+d", "is the browser's own"),
        ("d", "D is taken: Dispose (Alerts)"),
        ("g", "G is taken: Go to"),
        ("/", "/ is taken: Filter (Everywhere)"),
    ):
        page.keyboard.press(key)
        expect(told).to_contain_text(why)
    expect(page.get_by_role("dialog").get_by_text("Press a key; Esc leaves it")).to_have_count(1)
    page.keyboard.press("Tab")
    expect(page.get_by_role("dialog").get_by_text("Press a key; Esc leaves it")).to_have_count(0)
    expect(page.get_by_role("button", name="Change the key of Acknowledge")).not_to_be_focused()
    page.keyboard.press("q")
    change(page, "Acknowledge")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_visible()
    expect(page.get_by_role("row", name="A Acknowledge", exact=False).first).to_contain_text("A")


def test_what_the_page_says_of_a_key_is_what_the_key_is(served: Site, page_of: PageOf) -> None:
    page = live(page_of("hale"))
    row(page, PAID).locator(".c-table").click()
    act = page.locator("#panel [data-do=acknowledged] kbd")
    expect(act).to_have_text("A")
    page.keyboard.press("?")
    change(page, "Acknowledge")
    page.keyboard.press("q")
    page.keyboard.press("Escape")
    expect(act).to_have_text("Q")
    page.keyboard.press("?")
    page.get_by_label("Single keys act on the page").uncheck()
    page.keyboard.press("Escape")
    expect(act).to_be_hidden()
    expect(page.locator("#words")).to_have_attribute("placeholder", "Table, dealer, clause, time")
    page.locator(".me summary").click()
    expect(page.locator(".me .menu").get_by_text("Ctrl K")).to_be_visible()
    page.get_by_role("button", name="Keys").click()
    page.get_by_label("Single keys act on the page").check()
    page.get_by_role("button", name="All as they came").click()
    page.keyboard.press("Escape")
    expect(act).to_have_text("A")


def test_keys_are_each_users_own(served: Site, page_of: PageOf) -> None:
    page = live(page_of("hale"))
    page.keyboard.press("?")
    change(page, "Acknowledge")
    page.keyboard.press("q")
    page.context.clear_cookies(name="catwalk")
    page.context.add_cookies([{"name": "catwalk", "value": served.sign_in("ito"), "url": served.origin}])
    page.goto("/")
    live(page).keyboard.press("?")
    expect(page.get_by_role("row").filter(has=page.get_by_text("Acknowledge", exact=True))).to_contain_text(
        "A"
    )


@pytest.mark.parametrize("key", one_in(2, ["ArrowDown", "j"], 1))
def test_the_first_key_goes_into_the_list_and_space_holds_it(served: Site, page_of: PageOf, key: str) -> None:
    page = live(page_of("hale"))
    page.keyboard.press(" ")
    expect(page.locator("#hold")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press(key)
    expect(rows(page).first).to_be_focused()
    page.keyboard.press(key)
    expect(rows(page).nth(1)).to_be_focused()
    page.locator("#calls summary").focus()
    page.keyboard.press(" ")
    expect(page.locator("#sound")).to_be_visible()
    expect(page.locator("#hold")).to_have_attribute("aria-pressed", "true")


@pytest.mark.parametrize(
    ("user", "path", "url"),
    one_in(
        2,
        [
            ("hale", "/hands?table=FB-12", "**/hands/FB-12/*"),
            ("hale", "/tables?view=list", "**/tables/FB-12"),
            ("otto", "/log", "**/log?about=*"),
        ],
    ),
)
def test_lists_are_walked_by_j_and_k_and_opened_by_enter(
    served: Site, page_of: PageOf, user: str, path: str, url: str
) -> None:
    page = page_of(user, path)
    page.wait_for_load_state()
    for key in ("j", "j", "k", "k"):
        page.keyboard.press(key)
    assert page.evaluate("document.activeElement.closest('tbody tr')?.rowIndex") == 1
    page.keyboard.press("Enter")
    page.wait_for_url(url)


def test_a_dispute_is_found_whatever_the_case_of_its_name(empty_site: Site, page_of: PageOf) -> None:
    opened(empty_site)
    page = page_of("hale", "/hands")
    page.keyboard.press("Control+k")
    page.keyboard.type("dis-0001")
    page.keyboard.press("Enter")
    page.wait_for_url("**/disputes/DIS-0001")


def test_escape_closes_an_open_menu_and_nothing_else_and_a_click_beside_it_closes_it(
    empty_site: Site, page_of: PageOf
) -> None:
    empty_site.raise_alerts(a_finding(1, "Alert 1"))
    page = live(page_of("hale"))
    rows(page).first.click()
    expect(page.locator("#panel")).to_be_visible()
    menu, summary = page.locator("#offers"), page.locator("#offers > summary")
    summary.click()
    expect(menu).to_have_attribute("open", "")
    page.keyboard.press("Escape")
    expect(menu).not_to_have_attribute("open", "")
    expect(summary).to_be_focused()
    expect(page.locator("#panel")).to_be_visible()
    summary.click()
    page.mouse.click(700, 4)
    expect(menu).not_to_have_attribute("open", "")
