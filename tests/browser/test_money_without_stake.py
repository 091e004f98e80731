"""The list of who is to be paid back with money that stands at no stake, in every size."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from dashboards.restitution.causes import every_stake_of, of_days
from processors.runtime.store.warehouse import Warehouse
from tests.browser.conftest import PageOf
from tests.browser.site import Site
from tests.console.books import store_of
from tests.console.test_money_without_stake import at_free_seat, decide
from tests.console.test_revenue_luck import DAY, books


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Warehouse]:
    with store_of(
        tmp_path_factory.mktemp("apart"), {name: list(one) for name, one in books()[0].items()}
    ) as held:
        yield held


@pytest.mark.parametrize(("size", "theme"), [("wall", "dark"), ("desk", "light"), ("phone", "dark")])
def test_money_at_no_stake_leads_to_its_hand_and_the_page_fits(
    size: str,
    theme: str,
    store: Warehouse,
    empty_site: Site,
    page_of: PageOf,
    axe: Callable[[Page], list[str]],
    fits: Callable[[Page], bool],
    shoot: Callable[[Page, str], None],
) -> None:
    places = {(one.subject, one.first_sequence) for one in of_days(store, DAY, DAY).lines}
    free = at_free_seat(every_stake_of(store, places).lines)
    decide(empty_site.desk, free, 5_000)
    decide(empty_site.desk, free, -3_000)
    page = page_of("rex", f"/revenue/owed?day={DAY}", size=size, theme=theme)
    apart = page.get_by_role("region", name="Decided, at no stake on record")
    expect(apart.get_by_role("row")).to_have_count(3)
    expect(page.locator("#without-stake")).to_have_text("50.00")
    assert (axe(page), fits(page)) == ([], True)
    shoot(page, f"owed-{size}")
    apart.scroll_into_view_if_needed()
    shoot(page, f"owed-{size}-apart")
