"""The revenue page of eight tables on three windows: small charts stand in rows, and the table of figures is near."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from dashboards.reader.question import Reader
from producers.simulator.floor.setup import usual_setup
from tests.browser.conftest import PageOf
from tests.console.books import simulated, store_of

DAY = "/revenue?day=2026-03-02"
TABLES = tuple(
    usual_setup("free_bet_672a", f"FB-{number}", decks=6, open_hours=1.2, pit="1", number=number)
    for number in range(1, 9)
)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reader]:
    lines = {setup.subject: simulated(setup, 60) for setup in TABLES}
    with store_of(tmp_path_factory.mktemp("room"), lines) as held:
        yield held


def left(one: Locator) -> float:
    box = one.bounding_box()
    assert box is not None
    return box["x"]


@pytest.mark.parametrize(
    ("width", "height", "a_row", "deepest"),
    [(1920, 1080, 3, 1300), (1440, 900, 2, 1400), (1024, 768, 2, 1700)],
)
def test_small_charts_stand_in_rows_and_the_table_begins_near_and_keeps_its_first_column(
    width: int, height: int, a_row: int, deepest: int, page_of: PageOf, fits: Callable[[Page], bool]
) -> None:
    page = page_of("rex", DAY, viewport={"width": width, "height": height})
    charts = page.locator(".multiples li")
    expect(charts).to_have_count(len(TABLES))
    assert len({round(left(one)) for one in charts.all()}) >= a_row
    begins = page.get_by_role("heading", name="By table").bounding_box()
    assert begins is not None
    assert begins["y"] <= deepest
    assert fits(page)
    region = page.get_by_role("region", name="Revenue by table")
    head = region.get_by_role("rowheader", name="FB-3")
    before = left(head)
    region.evaluate("one => one.scrollBy({left: one.scrollWidth})")
    assert left(head) == pytest.approx(before, abs=1), "it stays while the figures move"
    told = [one.inner_text() for one in region.get_by_role("columnheader").all()]
    assert {"Errors for house", "Errors for patrons"} <= {" ".join(one.split()) for one in told}
