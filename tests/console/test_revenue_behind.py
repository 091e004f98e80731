"""What is behind each figure of revenue: every one opens a list of rounds or slips that comes to it."""

import html
import json
import re
from collections.abc import Callable, Iterator
from decimal import ROUND_HALF_UP, Decimal
from typing import NamedTuple

import pytest

from dashboards.reader import cash, revenue
from dashboards.revenue.figures import share
from dashboards.revenue.opened import FIGURES
from processors.runtime.store.warehouse import Warehouse
from schemas.events.codec import record_hash
from schemas.rounds import Settlement, StakeResult
from schemas.warehouse import RELATIONS
from tests.console.books import store_of, streams
from tests.console.conftest import Browser
from tests.console.decided import decided
from tests.console.refolded import called_off, refolded, restaked
from tests.console.test_revenue import table_of
from tests.sampling import in_soak, one_in

SignedIn = Callable[[str], Browser]
TAXES = {"state_tax": 14, "local_tax": 2, "tax": 16}  # percent of the net win; two roundings to the cent

# Lines are rounded so that they add up, a list by itself: a line is within a cent of its own exact value.
APPORTIONED = ("theo", "difference", "luck", "play", "hours")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Warehouse]:
    with store_of(tmp_path_factory.mktemp("behind")) as held:
        yield held


class Link(NamedTuple):
    """A figure on the page: where it leads, its name, and what it says."""

    href: str
    name: str
    text: str


def links_of(text: str) -> list[Link]:
    found = re.findall(r'<a href="([^"]+)" data-figure="(\w+)">([^<]+)</a>', text)
    return list(dict.fromkeys(Link(html.unescape(href), name, told) for href, name, told in found))


def link_to(browser: Browser, path: str, name: str) -> Link:
    return next(one for one in links_of(browser.get(path).text) if one.name == name)


def number(text: str) -> Decimal:
    return Decimal(text.replace("−", "-").replace(",", "").replace(" %", "").replace("–", "0"))


class Opened(NamedTuple):
    """All pages of a list: its headline, its rows, and the column of a figure with its sum."""

    text: str
    headline: str
    rows: list[list[str]]
    cells: list[str]
    sums: list[str]


def opened(browser: Browser, link: Link) -> Opened:
    rows: list[list[str]] = []
    cells: list[str] = []
    href, text = link.href, ""
    while href:
        text = browser.get(href).text
        rows += table_of(text) if "<tbody>" in text else []
        cells += re.findall(rf'data-of="{link.name}">([^<]*)<', text)
        later = re.search(r'rel="next" href="([^"]+)"', text)
        href = html.unescape(later[1]) if later else ""
    headline = re.search(r'<data id="figure">([^<]*)<', text)
    assert headline is not None, link
    sums = re.findall(rf'data-sum="{link.name}">([^<]*)<', text)
    return Opened(text, headline[1], rows, cells, sums)


def assert_it_opens_its_sum(browser: Browser, link: Link) -> None:
    """What a figure opens says the same figure, and comes to it; or names what it is reckoned from."""
    listed = opened(browser, link)
    if link.name in APPORTIONED:
        assert abs(number(listed.headline) - number(link.text)) <= Decimal("0.01"), link
        link = link._replace(text=listed.headline)
    assert listed.headline == link.text, link
    if link.name == "corrections":
        assert len(listed.rows) == number(link.text), link
    elif listed.cells:
        come_to = sum(map(number, listed.cells), Decimal())
        assert come_to.quantize(number(link.text), ROUND_HALF_UP) == number(link.text), link
        assert set(listed.sums) == {link.text}, link
    elif link.name in ("rounds", "void", "dayless"):
        assert len(listed.rows) == number(link.text), link
    elif link.name in ("boxes", "boxes_counted"):
        what = "Box taken" if link.name == "boxes" else "Box counted"
        assert sum(row[3] == what for row in listed.rows) == number(link.text), link
    else:
        parts = re.findall(r'<dt>([^<]+)</dt><dd><a href="[^"]+">([^<]+)</a>', listed.text)
        if link.text.endswith(" %"):
            part, whole = (int(number(text) * 100) for _, text in parts)
            assert share(part, whole) == int(number(link.text) * 100), link
        elif link.name in TAXES:
            net = number(parts[0][1])
            assert abs(net * TAXES[link.name] / 100 - number(link.text)) <= Decimal("0.01"), link
        elif link.name == "unexplained":
            assert number(parts[0][1]) - number(parts[1][1]) == number(link.text), link
        elif link.text not in ("0.00", "0"):
            assert link.name in ("z", "band", "hours"), (link, "it opens nothing that comes to it")
            assert listed.rows


@pytest.fixture(scope="module")
def doubtful(store: Warehouse) -> Iterator[Warehouse]:
    """The day with a void round, one of no dealer, one of no ruleset, stakes of no seen end, and a wrong one."""
    returned = Settlement("return", 0)
    with (
        refolded(store, "1", decided),
        refolded(store, "subject = 'FB-1' AND round = 2", called_off),
        refolded(store, "subject = 'FB-1' AND round IN (3, 4)", dealer=None),
        refolded(store, "subject = 'DU-2' AND round = 5", ruleset=None),
        refolded(store, "subject = 'FB-1' AND round = 6", restaked(lambda _: True, observed=None)),
        refolded(store, "subject = 'DU-2' AND round = 2", restaked(_collected, observed=returned)),
    ):
        yield store


def _collected(stake: StakeResult) -> bool:
    return stake.observed is not None and stake.observed.outcome == "collect"


def last(links: list[Link]) -> list[Link]:
    """Of each name the last link: that of some line, or of the whole day where no line has it."""
    return list({one.name: one for one in links}.values())


def a_third(links: list[Link]) -> list[Link]:
    """Of each third name the last link."""
    return last(links)[::3]


@pytest.mark.thorough
@pytest.mark.parametrize("some", [a_third, *map(in_soak, (last, list))])
def test_every_figure_of_a_day_opens_a_list_that_comes_to_it(
    some: Callable[[list[Link]], list[Link]],
    signed_in: SignedIn,
    doubtful: Warehouse,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(revenue, "MOST", 40)
    monkeypatch.setattr(cash, "MOST", 9)
    rex = signed_in("rex")
    links = links_of(rex.get("/revenue?day=2026-03-02").text)
    assert {one.name for one in links} >= {
        "void",
        "errors",
        "unknown",
        "luck",
        "play",
        "play_handle",
        "theo",
        "difference",
        "hold",
        "net",
    }
    for link in dict.fromkeys(some(links)):
        assert_it_opens_its_sum(rex, link)


@pytest.mark.thorough
@pytest.mark.parametrize(
    "by", ["game", *(pytest.param(one, marks=pytest.mark.soak) for one in ("dealer", "pit", "shift"))]
)
def test_every_line_opens_its_own_rounds_and_slips_however_lines_are_told_apart(
    by: str, signed_in: SignedIn, doubtful: Warehouse
) -> None:
    rex = signed_in("rex")
    text = rex.get(f"/revenue?day=2026-03-03&period=month&by={by}").text
    lines = text[text.index(f'aria-label="Revenue by {by}"') :].split("<h2")[0]
    assert {"game": "no game named", "dealer": "nobody named"}.get(by, by) in lines
    links = links_of(lines)
    assert len(links) > 10
    for link in links[:: 3 if by == "dealer" else 12 if by == "game" else 2]:
        assert_it_opens_its_sum(rex, link)


def test_rounds_of_no_gaming_day_can_be_opened(signed_in: SignedIn, store: Warehouse) -> None:
    with refolded(store, "subject = 'FB-1' AND round = 1", gaming_day=None):
        rex = signed_in("rex")
        for path in ("/revenue?day=2026-03-02", "/revenue?day=2026-03-02&table=DU-2&period=year"):
            assert_it_opens_its_sum(rex, link_to(rex, path, "dayless"))
        told = rex.get("/api/revenue?day=2026-03-02").json()
    assert told["dayless"] == {"FB-1": 1}
    assert not any("dayless" in wager["figures"] for wager in told["wagers"])
    assert signed_in("rex").get("/api/revenue?day=2026-03-02").json()["dayless"] == {}


@pytest.mark.parametrize("more", one_in(4, ["", "&by=dealer", "&by=shift&period=week", "&table=C4-3"], 1))
def test_no_figure_of_the_page_is_without_a_link(more: str, signed_in: SignedIn, doubtful: Warehouse) -> None:
    text = signed_in("rex").get(f"/revenue?day=2026-03-02{more}").text
    body = text[text.index('<dl class="tiles">') :]
    for left_out in (
        r"<a .*?</a>",
        r"<svg.*?</svg>",
        r'<figure class="course heat">.*?</figure>',  # the win by hour: no list is of an hour
        r"<details><summary>[^<]*%.*?</details>",
        r"<[^>]+>",
        r"[\d.,]+ %(?: band| with|.*?deviations)",
    ):
        body = re.sub(left_out, " ", body, flags=re.S)
    body = body[: body.index("The band:")]
    assert re.findall(r"[\d,]+\.\d\d", body.replace("601a.9", "")) == []


def test_a_list_that_is_asked_for_by_a_name_that_is_none_says_so(signed_in: SignedIn) -> None:
    rex = signed_in("rex")
    assert "“moon” is no figure" in rex.get("/revenue/hands?day=2026-03-02&of=moon").text
    assert "“drop” is no figure" in rex.get("/revenue/hands?day=2026-03-02&of=drop").text
    assert "“win” is no figure" in rex.get("/revenue/slips?day=2026-03-02&what=win").text
    assert "“moon” is no kind" in rex.get("/revenue/hands?day=2026-03-02&kind=moon").text
    assert "“noon” is no moment" in rex.get("/revenue/hands?day=2026-03-02&until=noon").text
    assert "“seat” is nothing" in rex.get("/revenue?day=2026-03-02&lacks=seat").text


def test_a_round_in_a_list_is_named_by_the_event_it_began_with(signed_in: SignedIn, store: Warehouse) -> None:
    text = signed_in("rex").get("/revenue/hands?day=2026-03-02&table=FB-1").text
    firsts: dict[int, int] = dict(
        store.query("SELECT round, first_sequence FROM rounds FINAL WHERE subject = 'FB-1'")
    )
    led = re.findall(r'href="/hands/FB-1/(\d+)\?first=(\d+)"', text)
    assert led
    assert all(firsts[int(number)] == int(first) for number, first in led)


@pytest.mark.parametrize(
    "query", ["day=2026-03-02", "day=2026-03-02&by=game", "day=2026-03-04&period=month&by=day&pit=2"]
)
def test_what_a_line_opens_leads_back_to_the_statement_that_it_was_opened_from(
    query: str, signed_in: SignedIn, store: Warehouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(revenue, "MOST", 5)
    monkeypatch.setattr(cash, "MOST", 2)
    rex, statement = signed_in("rex"), f"/revenue?{query}"
    text = rex.get(statement).text
    links = last(links_of(text[text.index("<tbody>") :].split("</tbody>")[-2]))
    for name in ("win", "hold", "net", "fills"):
        opened_by = [one for one in last(links_of(text)) if one.name == name]
        for link in opened_by:
            assert back_of(rex.get(link.href).text) == statement, link
    lists = [one for one in links if one.name in ("win", "z")]
    assert lists
    for link in lists:
        page = rex.get(link.href).text
        onwards = re.findall(r'(?:rel="next" href|<dd><a href)="([^"]+)"', page)
        assert onwards, link
        for href in onwards:
            assert back_of(rex.get(html.unescape(href)).text) == statement, href


def test_the_lists_of_slips_beside_one_lead_back_as_it_does(signed_in: SignedIn) -> None:
    rex, statement = signed_in("rex"), "/revenue?day=2026-03-03&period=month"
    fills = next(
        one for one in links_of(rex.get(statement).text) if one.name == "fills" and "table=" in one.href
    )
    page = rex.get(fills.href).text
    beside = re.findall(r'<a class="button" href="(/revenue/slips[^"]+)"', page)
    assert len(beside) > 3
    for href in beside:
        assert back_of(rex.get(html.unescape(href)).text) == statement, href


def test_a_list_leads_nowhere_but_to_the_revenue(signed_in: SignedIn) -> None:
    rex = signed_in("rex")
    for back in ("https://elsewhere.test/", "//elsewhere.test", "day=soon&by=moon&table=%22%3E%3Cscript%3E"):
        page = rex.get("/revenue/hands", params={"day": "2026-03-02", "back": back}).text
        assert back_of(page).startswith("/revenue?day=2026-03-0")
        assert "<script>" not in page.partition("<main")[2]


def back_of(page: str) -> str:
    found = re.search(r'<a href="([^"]+)" data-back>', page)
    assert found
    return html.unescape(found[1])


def test_names_of_figures_are_those_of_their_columns() -> None:
    for name, one in FIGURES.items():
        assert set(one.columns) | set(one.made_of) <= set(FIGURES), name
        assert bool(one.columns) != bool(one.slips), name


def test_each_slip_shows_its_record_and_the_hash_that_the_next_record_carries(signed_in: SignedIn) -> None:
    text = signed_in("rex").get("/revenue/slips?day=2026-03-02&table=DU-2&what=net").text
    shown = re.findall(r'<code class="raw">([0-9a-f]{64})</code><code class="raw">(.*?)</code>', text)
    carried = {json.loads(line)["prevhash"] for line in streams()["DU-2"]}
    assert len(shown) >= 4
    for digest, line in shown:
        record = html.unescape(line).encode()
        assert record in streams()["DU-2"]
        assert digest == record_hash(record)
        assert digest in carried


def test_of_a_box_that_was_counted_again_the_list_counts_the_last(
    signed_in: SignedIn, store: Warehouse
) -> None:
    raw = [json.loads(line) for line in streams()["DU-2"]]
    count = next(event for event in raw if event["type"].endswith("drop_counted"))
    columns = RELATIONS["account_events"].column_names
    (row,) = store.query(
        f"SELECT {', '.join(columns)} FROM account_events FINAL WHERE subject = 'DU-2' AND sequence = {{n:UInt32}}",
        {"n": count["sequence"]},
    )
    again = json.loads(row[columns.index("line")])
    again["data"]["currency_cents"] += 500
    last = max(event["sequence"] for event in raw) + 1
    store.insert(
        RELATIONS["account_events"], [("DU-2", last, row[2], *row[3:6], json.dumps(again), *row[7:])]
    )
    try:
        rex = signed_in("rex")
        assert_it_opens_its_sum(rex, link_to(rex, "/revenue?day=2026-03-02&table=DU-2", "drop"))
        text = rex.get("/revenue/slips?day=2026-03-02&table=DU-2&what=drop").text
        assert "counted again later" in text
        assert_it_opens_its_sum(rex, link_to(rex, "/revenue?day=2026-03-02&table=DU-2", "corrections"))
    finally:
        store.query(
            "DELETE FROM account_events WHERE subject = 'DU-2' AND sequence = {n:UInt32}", {"n": last}
        )
