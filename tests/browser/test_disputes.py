"""A dispute as those settle it who have the patron before them: found, opened, decided and printed by keyboard."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from dashboards.desk.disputes import Dispute, DisputeTerms
from dashboards.ledger.dispute_acts import DisputeConfirmed, DisputeDecided, DisputeOpened, Review
from dashboards.reader.question import Reader
from tests.browser.conftest import SIZES, PageOf
from tests.browser.measures import small_targets
from tests.browser.site import Site
from tests.drawing.streams import Event, changed
from tests.embedded.ledgers import lines_of
from tests.hands.stored import Recorded, recorded

ROUND, SEAT = 12, 6  # the dealer had 22, and paid
NEW = f"/disputes/new?subject=FB-12&round={ROUND}&seat={SEAT}"
PAGES = {
    "list": "/disputes",
    "empty": "/disputes?show=decided",
    "new": NEW,
    "which": "/disputes/new",
    "open": "/disputes/DIS-0001",
    "late": "/disputes/DIS-0003",
    "asked of nobody": "/disputes/DIS-0099",
}


@pytest.fixture(scope="module")
def held() -> Recorded:
    return recorded("breach_dealer22_paid")


@pytest.fixture
def records(held: Recorded) -> Reader:
    return held.store


def opened(site: Site, *, days: int = 30, claim: str = "He says the dealer had 22.") -> Dispute:
    """A dispute that is due in so many days."""

    def made(name: str, at: dt.datetime) -> DisputeOpened:
        return DisputeOpened(
            dispute=name,
            subject="FB-12",
            round=ROUND,
            first_sequence=641,
            seat=SEAT,
            sequence=682,
            claim=claim,
            claimed_cents=10_000,
            patron="P-0098",
            review=Review(requested_by="fay", dealer="D-301", supervisor="F-12", camera="C-0217"),
            due=at + dt.timedelta(days=days),
            two_from_cents=DisputeTerms().two_from_cents,
        )

    return site.desk.open_dispute(made, "hale")


@pytest.fixture
def disputed(empty_site: Site) -> Site:
    """Three disputes: one in time, one due soon, one late."""
    opened(empty_site)
    opened(empty_site, days=3, claim="Blackjack was paid 6 to 5.")
    opened(empty_site, days=-2, claim="My double was collected though I had 20 against 19. " * 6)
    return empty_site


def test_a_dispute_is_found_opened_decided_and_printed_without_a_pointer(
    empty_site: Site, page_of: PageOf
) -> None:
    page = page_of("hale")
    page.keyboard.press("g")
    page.keyboard.press("d")
    page.wait_for_url("**/disputes")
    page.keyboard.press("n")
    page.wait_for_url("**/disputes/new")
    page.get_by_label("Table").focus()
    for text in ("FB-12", str(ROUND), str(SEAT)):
        page.keyboard.type(text)
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_text("the patron was paid $100.00 more than was due")).to_be_visible()
    page.wait_for_load_state()  # keys act when the scripts are there
    page.keyboard.press("c")
    expect(page.get_by_label("What the patron says")).to_be_focused()
    page.keyboard.type("The dealer had 22 and I was told it is a push.")
    page.keyboard.press("Tab")
    page.keyboard.type("100")
    page.get_by_label("Requested by").focus()
    page.keyboard.type("fay")
    page.keyboard.press("Enter")
    page.wait_for_url("**/disputes/DIS-0001")
    expect(page.get_by_text("30 days left")).to_be_visible()
    page.keyboard.press("d")
    page.keyboard.type("for the house")
    page.keyboard.press("Tab")
    page.keyboard.type("-100")
    page.keyboard.press("Tab")
    page.keyboard.type("A dealer total of 22 pushes.")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Decided for the house")).to_be_visible()
    page.wait_for_load_state()
    with page.expect_download() as printing:
        page.keyboard.press("p")
    report = printing.value.path().read_bytes()
    dispute = empty_site.desk.dispute("DIS-0001")
    assert dispute is not None
    assert (dispute.status, dispute.claimed_cents) == ("decided", 10_000)
    assert dispute.decision is not None
    assert dispute.decision.amount_cents == -10_000
    (printed,) = dispute.prints
    assert printed.act.sha256 == hashlib.sha256(report).hexdigest()  # type: ignore[union-attr]  # prints alone
    with page.expect_download() as writing:
        page.keyboard.press("l")
    assert writing.value.suggested_filename == "DIS-0001-2-letter.pdf"


def unpaid(event: Event) -> None:
    """The winnings of the disputed seat are collected instead."""
    if event["sequence"] == 682:
        event["data"] |= {"outcome": "collect", "cents": 10_000}


@pytest.mark.parametrize(
    "held", [Recorded(changed(tuple(lines_of("breach_dealer22_paid")), unpaid), "FB-12")], ids=["unpaid"]
)
def test_a_ruling_that_pays_nothing_takes_the_proposal_away_and_gives_it_back(
    disputed: Site, page_of: PageOf
) -> None:
    page = page_of("hale", "/disputes/DIS-0001")
    page.wait_for_load_state()
    amount = page.get_by_label("Amount to the patron")
    expect(amount).to_have_value("100.00")
    page.get_by_label("Ruling").select_option("for the house")
    expect(amount).to_have_value("")
    page.get_by_label("Ruling").select_option("settled between")
    expect(amount).to_have_value("100.00")
    amount.fill("25")
    page.get_by_label("Ruling").select_option("withdrawn")
    expect(amount).to_have_value("25")
    amount.fill("")
    page.get_by_label("Reason").fill("The patron left.")
    page.get_by_role("button", name="Decide").click()
    expect(
        page.get_by_text("$100.00 is owed to the patron by the record; $100.00 is still to be paid.")
    ).to_be_visible()
    expect(page.get_by_text("Decided withdrawn")).to_be_visible()


def test_the_second_person_confirms_what_the_first_decided(disputed: Site, page_of: PageOf) -> None:
    first = page_of("hale", "/disputes/DIS-0001")
    first.get_by_label("Ruling").select_option("for the patron")
    first.get_by_label("Amount to the patron").fill("1,000.01")
    first.get_by_label("Reason").fill("The call was late.")
    first.get_by_role("button", name="Decide").click()
    expect(first.get_by_role("alert").filter(has_text="this pays $1,000.01 beyond the debt")).to_be_visible()
    expect(first.get_by_label("Reason")).to_have_value("The call was late.")
    first.get_by_label("beyond the debt: it is meant").check()
    first.get_by_role("button", name="Decide").click()
    expect(first.get_by_text("someone else with the right to decide")).to_be_visible()
    expect(first.get_by_role("button", name="Confirm the decision")).to_have_count(0)
    second = page_of("ito", "/disputes/DIS-0001")
    second.get_by_role("button", name="Confirm the decision").click()
    expect(second.get_by_text("Decided for the patron")).to_be_visible()
    first.reload()
    expect(first.get_by_text("ito, ")).to_be_visible()


def test_law_15_one_proposes_to_open_a_dispute_again_and_another_confirms(
    disputed: Site, page_of: PageOf, shoot: Callable[[Page, str], None]
) -> None:
    name = "DIS-0001"
    disputed.desk.act_on_dispute(
        DisputeDecided(
            dispute=name,
            version=1,
            ruling="for the patron",
            amount_cents=100_001,
            reason="The call was late.",
        ),
        "hale",
    )
    disputed.desk.act_on_dispute(DisputeConfirmed(dispute=name, version=2), "ito")
    first = page_of("hale", f"/disputes/{name}")
    first.get_by_label("Why it is opened again").fill("The patron has a witness.")
    first.get_by_role("button", name="Propose to open it again").click()
    expect(first.get_by_text("hale proposes to open it again")).to_be_visible()
    expect(first.get_by_text("someone else with the right to decide")).to_be_visible()
    expect(first.get_by_role("button", name="Confirm the opening")).to_have_count(0)
    second = page_of("ito", "/disputes?show=second")
    expect(second.get_by_text("hale would reopen it")).to_be_visible()
    second.get_by_role("link", name=name).click()
    expect(second.get_by_text("The decision stands until a second person confirms that.")).to_be_visible()
    for size in SIZES:
        shoot(page_of("ito", f"/disputes/{name}", size=size), f"disputes-reopening-{size}")
        shoot(page_of("ito", "/disputes?show=second", size=size), f"disputes-second-{size}")
    second.get_by_label("Why not").fill("The witness saw another seat.")
    second.get_by_role("button", name="Decline it").click()
    expect(second.get_by_text("Not opened again:")).to_be_visible()
    first.reload()
    expect(first.get_by_text("Not opened again: ito declined it")).to_be_visible()
    first.get_by_label("Why it is opened again").fill("There are two witnesses.")
    first.get_by_role("button", name="Propose to open it again").click()
    expect(first.get_by_role("button", name="Withdraw the opening")).to_be_visible()
    second.goto(first.url)
    second.get_by_role("button", name="Confirm the opening").click()
    expect(second.get_by_role("heading", name="Decide")).to_be_visible()
    history = second.locator(".history")
    for kept in ("The call was late.", "The witness saw another seat.", "There are two witnesses."):
        expect(history).to_contain_text(kept)
    expect(history).to_contain_text("Proposed to open it again")


def test_who_was_slower_reads_who_was_faster_and_still_has_their_words(
    disputed: Site, page_of: PageOf
) -> None:
    slow, fast = page_of("hale", "/disputes/DIS-0002"), page_of("ito", "/disputes/DIS-0002")
    slow.get_by_label("Remark").fill("The camera shows the layout only.")
    fast.get_by_label("Remark").fill("I am on it.")
    fast.get_by_role("button", name="Add the note").click()
    expect(fast.get_by_text("I am on it.")).to_be_visible()
    slow.get_by_role("button", name="Add the note").click()
    expect(slow.get_by_role("alert").filter(has_text="Noted by ito")).to_be_visible()
    slow.get_by_role("button", name="Add the note").click()
    expect(slow.locator(".history").get_by_text("The camera shows the layout only.")).to_be_visible()
    assert len(disputed.desk.dispute("DIS-0002").history) == 3  # type: ignore[union-attr]  # it is there


def test_without_a_script_everything_is_done_all_the_same(disputed: Site, page_of: PageOf) -> None:
    page = page_of("hale", NEW, java_script_enabled=False)
    page.get_by_label("What the patron says").fill("It was a push.")
    page.get_by_label("Amount claimed").fill("100")
    page.get_by_label("Requested by").fill("fay")
    page.get_by_role("button", name="Open the dispute").click()
    page.get_by_text("Change the review").click()
    page.get_by_label("Type of error").select_option("dealer error")
    page.get_by_role("button", name="Keep the review").click()
    page.get_by_label("Ruling").select_option("withdrawn")
    page.get_by_label("Reason").fill("The patron left.")
    page.get_by_role("button", name="Decide").click()
    expect(page.get_by_text("Decided withdrawn")).to_be_visible()
    dispute = disputed.desk.dispute("DIS-0004")
    assert dispute is not None
    assert dispute.review.error_type == "dealer error"


def test_rows_are_walked_by_key_and_the_filter_stands_in_the_address(disputed: Site, page_of: PageOf) -> None:
    page = page_of("hale", "/disputes")
    page.keyboard.press("j")
    expect(page.get_by_role("link", name="DIS-0003")).to_be_focused()
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("j")
    expect(page.get_by_role("link", name="DIS-0001")).to_be_focused()
    page.keyboard.press("k")
    page.keyboard.press("/")
    page.keyboard.type("6 to 5")
    page.keyboard.press("Enter")
    page.wait_for_url("**/disputes?show=open&q=6+to+5")
    expect(page.locator("[data-row]")).to_have_count(1)
    page.get_by_role("link", name="Overdue").click()
    expect(page.get_by_role("heading", name="Nothing is overdue")).to_have_count(0)
    assert "q=6+to+5" in page.url
    page.reload()
    expect(page.get_by_label("Filter", exact=True)).to_have_value("6 to 5")


@pytest.mark.soak  # every page in dark and contrast: test_everywhere
def test_no_page_of_disputes_breaks_a_rule_of_accessibility_in_the_light_theme(
    disputed: Site, page_of: PageOf, axe: Callable[[Page], list[str]]
) -> None:
    page = page_of("hale", "/disputes", theme="light")
    for path in PAGES.values():
        page.goto(path)
        assert axe(page) == [], path
    late = disputed.desk.dispute("DIS-0003")
    assert late is not None


@pytest.mark.soak  # every page in dark and contrast: test_everywhere
@pytest.mark.parametrize("size", SIZES)
def test_the_pages_fit_their_window(
    disputed: Site,
    page_of: PageOf,
    fits: Callable[[Page], bool],
    shoot: Callable[[Page, str], None],
    size: str,
) -> None:
    for name, path in PAGES.items():
        page = page_of("hale", path, size=size)
        shoot(page, f"disputes-{name}-{size}")
        assert fits(page), path
        assert small_targets(page) == [], path
