"""A dispute over a round with a card that the layout never reported: found, opened and printed by who settles it.

At one table the rack shows where the card lay; at the other its word was lost as well, and play alone tells.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from dashboards.drawing.cards import spoken
from dashboards.reports import dispute_report
from dashboards.reports.dispute_report import DisputeContent
from dashboards.reports.typesetting import typeset
from deploy.console.hand_ports import duties_by_ruleset, solve_rack
from tests.browser.conftest import SIZES, PageOf
from tests.hands.stored import unlaid
from tests.mutations.rechain import dropped, rechained

RACKED, UNRACKED = "BJ-31", "BJ-32"
LOST = unlaid("lawful_free_bet_590", RACKED)
SEAT = LOST.hand[0]
CARD = f"Hand {LOST.hand}, {spoken(LOST.card)}: drawn at event {LOST.drawn}"
WORD = f"the placement of the card drawn at event {LOST.drawn}"
MISSING = f"Words of devices that never came: {WORD}."
MARK = f"(place inferred: drawn at event {LOST.drawn}, not reported laid down; by the order of play it lies here)"


def unracked() -> tuple[bytes, ...]:
    """The other table: the same play, of which the discard rack did not report the hand either."""
    events = [json.loads(line) for line in unlaid("lawful_free_bet_590", UNRACKED).lines]
    return tuple(rechained(dropped(events, LOST.racked - 1)))


STREAMS = {RACKED: LOST.lines, UNRACKED: unracked()}


@pytest.fixture
def settings() -> dict[str, Any]:
    return {"duties": duties_by_ruleset(), "solve_rack": solve_rack}


@pytest.fixture
def printed(monkeypatch: pytest.MonkeyPatch) -> list[DisputeContent]:
    """The contents of the reports that are printed."""
    contents: list[DisputeContent] = []

    def keeping(template: str, content: DisputeContent, at: dt.datetime) -> bytes:
        contents.append(content)
        return typeset(template, content, at)

    monkeypatch.setattr(dispute_report, "typeset", keeping)
    return contents


def opened(page: Page, table: str) -> None:
    """Go from the replayer of the round to a dispute about it, by keyboard."""
    page.goto(f"/hands/{table}/1?at={LOST.racked - 1}&seat={SEAT}")
    page.wait_for_selector("#replayer[data-ready]")
    expect(page.locator("#felt g.inferred title")).to_contain_text(MARK)
    page.locator("#tab-record").click()
    expect(page.get_by_text(MISSING)).to_be_visible()
    page.keyboard.press("o")
    page.wait_for_url("**/disputes/new?**")
    page.get_by_label("What the patron says").fill("I never had that card.")
    page.get_by_label("Amount claimed").fill("25")
    page.get_by_label("Requested by").fill("fay")
    page.keyboard.press("Enter")
    page.wait_for_url("**/disputes/DIS-*")


@pytest.mark.usefixtures("empty_site")
@pytest.mark.parametrize(
    ("table", "known"),
    [(RACKED, f"seen by rack at event {LOST.racked}"), (UNRACKED, "inferred by play")],
)
def test_the_dispute_and_its_report_say_what_is_inferred_and_by_which_witness(
    page_of: PageOf,
    printed: list[DisputeContent],
    axe: Callable[[Page], list[str]],
    fits: Callable[[Page], bool],
    shoot: Callable[[Page, str], None],
    table: str,
    known: str,
) -> None:
    page = page_of("hale", None)
    opened(page, table)
    expect(page.locator("ul.inferred li")).to_have_text(f"{CARD}, {known}")
    expect(page.get_by_text(MISSING)).to_be_visible()
    still = table == UNRACKED  # no other device has shown the card: each picture of it bears the mark
    dealt = page.get_by_role("table", name="Cards as dealt").get_by_role("row", name=f"Hand {LOST.hand}")
    expect(dealt.filter(has_text=MARK)).to_have_count(int(still))
    if still:
        assert axe(page) == []
        shoot(page, "lost-dispute-wall")
        page.set_viewport_size({"width": SIZES["phone"][0], "height": SIZES["phone"][1]})
        assert fits(page)
    with page.expect_download() as printing:
        page.keyboard.press("p")
    assert printing.value.path().read_bytes().startswith(b"%PDF")
    (content,) = printed
    assert (content.inferred, content.words_missing) == ((f"{CARD}, {known}",), (WORD,))
    assert [one.name for one in content.hands if MARK in one.words] == [f"Hand {LOST.hand}"] * still
