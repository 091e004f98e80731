"""The revenue page in the browser: keys, what a figure opens, the CSV, and how it reads in every theme and size."""

import csv
import io
from collections.abc import Callable, Iterator
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from dashboards.reader.question import Reader
from tests.browser.conftest import SIZES, THEMES, PageOf
from tests.console.books import store_of
from tests.console.decided import decided
from tests.console.refolded import refolded

DAY = "/revenue?day=2026-03-02"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reader]:
    with store_of(tmp_path_factory.mktemp("books")) as held, refolded(held, "1", decided):
        yield held


def query(page: Page) -> str:
    return page.url.partition("?")[2]


@pytest.mark.soak  # every page in dark and contrast: test_everywhere
@pytest.mark.parametrize(("size", "theme"), list(zip(SIZES, THEMES, strict=True)))
def test_it_breaks_no_rule_of_accessibility_and_no_page_is_wider_than_its_window(
    size: str,
    theme: str,
    page_of: PageOf,
    axe: Callable[[Page], list[str]],
    fits: Callable[[Page], bool],
    shoot: Callable[[Page, str], None],
) -> None:
    page = page_of("rex", DAY, size=size, theme=theme)
    for path in (
        DAY,
        "/revenue/hands?day=2026-03-02&table=FB-1",
        "/revenue/hands?day=2026-03-02&of=theo",
        "/revenue/slips?day=2026-03-02&what=net",
        "/revenue?day=2026-08-01",
    ):
        page.goto(path)
        assert axe(page) == [], path
        assert fits(page), path
        shoot(page, f"revenue-{size}-{theme}-{path.partition('?')[0].rpartition('/')[2]}-{len(path)}")


@pytest.mark.parametrize("size", ["phone", "wall"])
def test_who_is_paid_back_is_reached_from_the_day_and_fits_its_window(
    size: str, page_of: PageOf, axe: Callable[[Page], list[str]], fits: Callable[[Page], bool]
) -> None:
    page = page_of("rex", f"{DAY}&period=month", size=size)
    page.get_by_role("link", name="who is to be paid back").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Who is to be paid back")
    expect(page.get_by_role("region", name="Stakes", exact=True)).to_be_visible()
    assert (axe(page), fits(page)) == ([], True)
    page.get_by_role("link", name="Year to date").click()
    expect(page.get_by_role("link", name="Year to date")).to_have_attribute("aria-current", "true")


def test_arrows_go_to_the_day_before_and_after_and_shift_with_them_to_another_shift(page_of: PageOf) -> None:
    page = page_of("rex", DAY)
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**day=2026-03-03*")
    page.keyboard.press("ArrowLeft")
    page.wait_for_url("**day=2026-03-02*")
    page.keyboard.press("Shift+ArrowRight")
    page.wait_for_url("**shift=1*")
    expect(page.get_by_role("heading", level=1)).to_contain_text("shift 1")
    page.keyboard.press("Shift+ArrowLeft")
    page.wait_for_url(lambda url: "shift" not in url)


@pytest.mark.parametrize("path", ["/revenue/owed", "/revenue/readings"])
def test_arrows_go_to_another_day_where_a_day_is_paid_back_or_read_otherwise_and_the_keys_are_listed(
    path: str, page_of: PageOf
) -> None:
    page = page_of("rex", f"{path}?day=2026-03-02")
    page.keyboard.press("ArrowRight")
    page.wait_for_url(f"**{path}?day=2026-03-03")
    page.keyboard.press("ArrowLeft")
    page.wait_for_url(f"**{path}?day=2026-03-02")
    for key in ("Shift+ArrowRight", "b"):
        page.keyboard.press(key)
    page.keyboard.press("?")
    listed = page.get_by_role("dialog")
    expect(listed).to_contain_text("Day, week, month or year after")
    expect(listed).not_to_contain_text("Shift after")
    expect(listed).not_to_contain_text("Tell apart")
    assert page.url.endswith(f"{path}?day=2026-03-02")
    page.keyboard.press("Escape")
    page.get_by_role("link", name="Month to date").click()
    page.wait_for_url("**period=month")
    page.keyboard.press("ArrowLeft")
    page.wait_for_url("**day=2026-02-28&period=month")


def test_b_tells_the_lines_apart_by_the_next_and_p_prints(page_of: PageOf) -> None:
    page = page_of("rex", DAY)
    for by in ("game", "pit", "shift", "dealer", "day"):
        page.keyboard.press("b")
        page.wait_for_url(f"**by={by}*")
        expect(page.get_by_role("heading", name=f"By {by}")).to_be_visible()
    page.evaluate("window.print = () => { document.body.dataset.printed = 'yes'; }")
    page.keyboard.press("p")
    expect(page.locator("body")).to_have_attribute("data-printed", "yes")


def test_arrows_in_a_region_with_the_focus_scroll_it_and_leave_the_day(page_of: PageOf) -> None:
    page = page_of("rex", DAY, size="phone")
    region = page.get_by_role("region", name="Revenue by table")
    region.focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator(":focus")).not_to_have_js_property("scrollLeft", 0)
    assert "day=2026-03-02" in page.url


def test_a_figure_opens_the_rounds_behind_it_which_come_to_it(page_of: PageOf) -> None:
    page = page_of("rex", DAY)
    row = page.get_by_role("region", name="Revenue by table").get_by_role("row").filter(has_text="DU-2")
    win = row.get_by_role("cell").nth(5).inner_text()
    row.get_by_role("link", name=win, exact=True).first.click()
    page.wait_for_url("**/revenue/hands?*")
    expect(page.get_by_role("heading", level=1)).to_have_text(f"Win {win}")
    expect(page.locator("tfoot [data-sum=win]")).to_have_text(win)
    first = page.get_by_role("link", name="DU-2, round 1", exact=True)
    assert (first.get_attribute("href") or "").startswith("/hands/DU-2/1?first=")
    page.keyboard.press("Escape")
    page.wait_for_url("**/revenue?*")


def test_a_slip_unfolds_its_record_and_its_hash(page_of: PageOf, fits: Callable[[Page], bool]) -> None:
    page = page_of("rex", "/revenue/slips?day=2026-03-02&what=drop", size="phone")
    summary = page.locator("td.record summary").first
    summary.focus()
    page.keyboard.press("Enter")
    raw = page.locator("td.record details[open] code.raw")
    expect(raw.last).to_be_visible()
    assert len(raw.first.inner_text()) == 64
    assert '"prevhash"' in raw.last.inner_text()
    assert fits(page)


def test_the_csv_that_is_downloaded_says_what_the_page_says(page_of: PageOf) -> None:
    page = page_of("rex", DAY)
    with page.expect_download() as download:
        page.get_by_role("link", name="CSV").click()
    text = Path(download.value.path()).read_text(encoding="utf-8")
    rows = {row["key"]: row for row in csv.DictReader(io.StringIO(text))}
    table = page.get_by_role("region", name="Revenue by table")
    for line in table.locator("tbody tr, tfoot tr").all():
        name = line.get_by_role("rowheader").inner_text()
        _, rounds, hands, handle, payout, win = (
            cell.inner_text() for cell in line.get_by_role("cell").all()[:6]
        )
        told = rows.pop("total" if name == "All" else name)
        assert [told["rounds"], told["hands"]] == [rounds.replace(",", ""), hands.replace(",", "")]
        for key, shown in (("handle", handle), ("payout", payout), ("win", win)):
            assert told[key] == shown.replace(",", "").replace("−", "-")
    assert rows == {}


def test_the_filters_work_without_a_script(page_of: PageOf) -> None:
    page = page_of("rex", DAY, java_script_enabled=False)
    page.get_by_label("Table", exact=True).select_option("FB-1")
    page.get_by_role("button", name="Show").click()
    page.wait_for_url("**table=FB-1*")
    expect(page.get_by_role("region", name="Revenue by table").locator("tbody tr")).to_have_count(1)
    page.get_by_role("figure", name="Running win").get_by_text("The same as a table").click()
    expect(page.get_by_role("columnheader", name="95 % band, ±").first).to_be_visible()


def test_on_paper_the_figures_stand_without_what_can_only_be_clicked(page_of: PageOf) -> None:
    page = page_of("rex", DAY)
    page.emulate_media(media="print")
    expect(page.get_by_role("search")).to_be_hidden()
    expect(page.get_by_role("region", name="Net win by count")).to_be_visible()
    assert page.pdf().startswith(b"%PDF")


@pytest.mark.parametrize(("size", "theme"), [("wall", "light"), ("desk", "dark"), ("phone", "light")])
def test_the_count_less_the_settlements_is_what_is_unexplained_and_columns_stand_in_groups(
    size: str, theme: str, page_of: PageOf, fits: Callable[[Page], bool], shoot: Callable[[Page, str], None]
) -> None:
    page = page_of("rex", f"{DAY}&table=FB-1", size=size, theme=theme)
    tiles = page.locator(".tiles").nth(1)
    told = {
        name: tiles.locator(f"[data-figure={name}]").first.inner_text()
        for name in ("net", "win", "unexplained")
    }
    assert cents(told["net"]) - cents(told["win"]) == cents(told["unexplained"])
    table = page.get_by_role("region", name="Revenue by table")
    expect(table.locator("th[scope=colgroup]")).to_have_text(
        ["By settlements", "The difference is made of", "By count"]
    )
    spans = [int(one.get_attribute("colspan") or "1") for one in table.locator(".groups > *").all()]
    for line in table.locator("tbody tr, tfoot tr").all():
        assert line.locator("th, td").count() == sum(spans)
        row = {
            one.get_attribute("data-figure"): cents(one.inner_text())
            for one in line.locator("[data-figure]").all()
            if one.get_attribute("data-figure")
            in ("difference", "luck", "play", "errors_for_house", "errors_for_patron")
        }
        assert sum(row.values()) == 2 * row["difference"]
        assert len(row) == 5
    letters = page.evaluate(
        "() => { const svg = document.querySelector('.course svg'), drawn = svg.getBoundingClientRect().width;"
        " return 16 * drawn / svg.viewBox.baseVal.width; }"
    )
    assert 13 < letters <= 16, "letters of a chart are readable and no larger than those of the page"
    assert fits(page)
    shoot(page, f"revenue-equations-{size}")


@pytest.mark.parametrize(
    "more", ["", "&by=dealer", "&by=shift&period=week", "&by=day&period=month", "&table=C4-3"]
)
def test_groups_and_columns_are_as_many_in_every_division(more: str, page_of: PageOf) -> None:
    table = page_of("rex", f"{DAY}{more}").locator("table.grouped")
    groups = [int(one.get_attribute("colspan") or "1") for one in table.locator(".groups > *").all()]
    heads, *rows = table.locator("tr:not(.groups)").all()
    assert {one.locator("th, td").count() for one in (heads, *rows)} == {sum(groups)}
    assert len(rows) > 1


@pytest.mark.parametrize("theme", ["dark", "light", "contrast"])
def test_charts_are_dark_on_white_paper_in_every_theme(theme: str, page_of: PageOf) -> None:
    page = page_of("rex", DAY, theme=theme)
    page.emulate_media(media="print")
    brightness = page.evaluate(
        """() => {
          const light = text => { const [r, g, b] = text.match(/[\\d.]+/g).map(Number); return r + g + b; };
          const of = (where, what) => light(getComputedStyle(document.querySelector(where))[what]);
          return {
            win: of('.course .win', 'stroke'), theo: of('.course .theo', 'stroke'),
            limit: of('.course .limit', 'stroke'), text: of('.course svg', 'color'),
            luck: of('.luck', 'stroke'), paper: of('body', 'backgroundColor'),
          };
        }"""
    )
    paper = brightness.pop("paper")
    assert paper == 3 * 255
    assert {name: one < 330 for name, one in brightness.items()} == dict.fromkeys(brightness, True)


def cents(text: str) -> int:
    return int(text.replace("−", "-").replace(",", "").replace(".", ""))


def test_the_cards_add_up_as_they_stand_and_each_opens_what_comes_to_it(page_of: PageOf) -> None:
    page = page_of("rex", DAY)
    links = page.locator(".tiles [data-figure]")
    told: dict[str, tuple[str, str]] = {}
    for place in range(links.count()):
        link = links.nth(place)
        told[link.get_attribute("data-figure") or ""] = (link.inner_text(), link.get_attribute("href") or "")
    value = {name: cents(text) for name, (text, _) in told.items() if "%" not in text}
    assert value["handle"] - value["payout"] == value["win"]
    assert value["covered_win"] - value["theo"] == value["difference"]
    parts = ("theo", "luck", "covered_errors", "play", "uncovered_win")
    assert value["errors_for_house"] + value["errors_for_patron"] == value["covered_errors"] != 0
    assert value["play"] != 0
    assert sum(value[name] for name in parts) == value["win"]
    for name in ("handle", "payout", "win", "theo", "difference", "covered_win"):
        text, href = told[name]
        page.goto(href)
        expect(page.locator("#figure")).to_have_text(text)
        expect(page.locator(f"tfoot [data-sum={name}]")).to_have_text(text)


def opened_cells(page: Page, name: str) -> list[Decimal]:
    """The amounts of a column over all leaves of an opened list, as they stand."""
    found: list[Decimal] = []
    while True:
        texts = page.locator(f"tbody [data-of={name}]").all_inner_texts()
        found += [Decimal(one.replace("−", "-").replace(",", "").replace("–", "0")) for one in texts]
        later = page.locator("a[rel=next]")
        if not later.count():
            return found
        page.goto(later.get_attribute("href") or "")


@pytest.mark.parametrize("narrowed", ["", "&table=FB-1"])
def test_the_rounds_or_slips_that_each_card_opens_sum_to_its_figure(narrowed: str, page_of: PageOf) -> None:
    page = page_of("rex", f"{DAY}{narrowed}")
    cards = page.locator(".tiles dt + dd [data-figure]").all()
    told = [
        (one.get_attribute("data-figure") or "", one.inner_text(), one.get_attribute("href") or "")
        for one in cards
    ]
    of_day = {
        "handle",
        "payout",
        "win",
        "theo",
        "luck",
        "covered_errors",
        "play",
        "difference",
    }
    more = {"net", "unexplained", "tax", "drop"} if narrowed else {"uncovered_win", "sold"}
    assert {name for name, *_ in told} == of_day | more
    for name, text, href in told:
        page.goto(href)
        expect(page.locator("#figure")).to_have_text(text)
        figure = Decimal(cents(text)) / 100
        column = {"unexplained": "net", "tax": "net"}.get(name, name)
        come_to = sum(opened_cells(page, column), Decimal())
        if name == "unexplained":
            come_to -= Decimal(cents(next(shown for known, shown, _ in told if known == "win"))) / 100
        elif name == "tax":
            come_to *= Decimal("0.16")  # 14 % to the state and 2 % of local share, in 2026
        assert come_to.quantize(Decimal("0.01"), ROUND_HALF_UP) == figure, name
