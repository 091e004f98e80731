"""Who is to be paid back, as a page: the stakes behind the errors of the day, by patron, without what is withheld."""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator

import pypdf
import pytest

from dashboards.ledger.acts import Withheld
from dashboards.restitution.causes import of_days
from dashboards.restitution.claims import NOT_SHOWN
from dashboards.restitution.patrons import by_patron
from dashboards.web.console import Console
from dashboards.wording.settlements import stake_name
from processors.runtime.store.warehouse import Warehouse
from tests.console.books import store_of
from tests.console.conftest import Browser
from tests.console.test_revenue_luck import DAY, LAST, books
from tests.drawing.streams import Event, chained, kind

SignedIn = Callable[[str], Browser]
DAYS = f"day={LAST}&period=month"
NAMELESS = "FB-1"  # at half of its seats nobody is seen


def without_names(lines: Iterable[bytes]) -> Iterator[Event]:
    """The events, with nobody at the odd seats: no arrivals, and wagers of nobody."""
    for event in map(json.loads, lines):
        data = event["data"]
        if data.get("seat", 0) % 2 and "player" in data:
            if kind(event) in ("player_arrived", "player_left"):
                continue
            del data["player"]
        yield event


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Warehouse]:
    held = {name: list(lines) for name, lines in books()[0].items()}
    held[NAMELESS] = list(chained(list(without_names(held[NAMELESS]))))
    with store_of(tmp_path_factory.mktemp("owed"), held) as made:
        yield made


def dollars(cents: int) -> str:
    return f"{cents / 100:,.2f}"


def test_the_page_sums_what_was_done_to_the_settlements_and_names_each_patron_and_stake(
    signed_in: SignedIn, store: Warehouse
) -> None:
    _, errors = books()
    rex = signed_in("rex")
    page = rex.get(f"/revenue/owed?{DAYS}").text
    made = of_days(store, DAY.replace(day=1), LAST)
    assert made.owed_total - made.overpaid_total == sum(errors.values())
    assert f'<data id="owed">{dollars(made.owed_total)}</data>' in page
    assert f'<data id="overpaid">{dollars(made.overpaid_total)}</data>' in page
    patrons = by_patron(made.lines)
    assert sum(one.owed_cents for one in patrons) == made.owed_total
    assert sum(one.overpaid_cents for one in patrons) == made.overpaid_total
    assert [one.owed_cents for one in patrons] == sorted((one.owed_cents for one in patrons), reverse=True)
    shown = Counter(re.findall(r"<td>((?:owed to patron|overpaid) \$[\d.,]+)</td>", page))
    assert shown.total() == len(made.lines)
    first = made.lines[0]
    link = f"/hands/{first.subject}/{first.round}?first={first.first_sequence}&amp;seat={first.seat}"
    assert (link in page) == ("/hands/" in page)
    assert "/revenue/owed?" in rex.get(f"/revenue?{DAYS}").text, "the day's page leads there"


def test_the_files_hold_every_stake(signed_in: SignedIn, store: Warehouse) -> None:
    rex = signed_in("rex")
    made = of_days(store, DAY.replace(day=1), LAST)
    answer = rex.get(f"/revenue/owed/csv?{DAYS}")
    rows = list(csv.DictReader(io.StringIO(answer.text)))
    paid_in_all = 1 + 3  # a head, and the sums of all money that decisions moved
    undecided = len(made.undecided) + 1 if made.undecided else 0
    assert len(rows) == len(made.lines) + 3 + paid_in_all + undecided
    assert answer.headers["content-disposition"] == f'attachment; filename="owed-2026-03-01-to-{LAST}.csv"'
    assert rex.get(f"/revenue/owed/xlsx?{DAYS}").content[:2] == b"PK"
    assert rex.get(f"/revenue/owed/pdf?{DAYS}").content[:5] == b"%PDF-"
    assert rex.get(f"/revenue/owed/doc?{DAYS}").status_code == 404


def test_the_pdf_says_what_each_patron_or_nameless_seat_is_owed_as_the_page_does(
    signed_in: SignedIn, store: Warehouse
) -> None:
    rex, made = signed_in("rex"), of_days(store, DAY.replace(day=1), LAST)
    content = rex.get(f"/revenue/owed/pdf?{DAYS}").content
    text = "".join(one.extract_text() for one in pypdf.PdfReader(io.BytesIO(content)).pages)
    paper = " ".join(text.split()).partition("Table, round")[0]
    page = rex.get(f"/revenue/owed?{DAYS}").text
    patron = r'<tr><th scope="row">(.*?)</th>((?:<td class="number">[^<]*</td>){5})</tr>'
    shown = [
        (re.sub("<.*?>", "", whom), re.findall(">([^<]+)<", cells))
        for whom, cells in re.findall(patron, page)
    ]
    dealt: dict[str, set[tuple[str, int]]] = defaultdict(set)
    for one in made.lines:
        whom = one.player or f"nobody seen, {one.subject} seat {one.seat}"
        dealt[whom].add((one.subject, one.first_sequence))
    assert {whom for whom, _ in shown} == set(dealt)
    assert len({whom for whom in dealt if whom.startswith("nobody seen, FB-1 seat ")}) > 1
    assert len(dealt) == made.patrons > len([whom for whom in dealt if whom.startswith("nobody")])
    for whom, (stakes, *sums) in shown:
        assert f"{whom} {len(dealt[whom])} {stakes} {' '.join(sums)}" in paper
    for column, total in enumerate((made.owed_total, made.overpaid_total), 1):
        assert sum(round(float(cells[column].replace(",", "")) * 100) for _, cells in shown) == total


def test_the_pdf_names_a_wager_as_the_page_does(signed_in: SignedIn) -> None:
    rex = signed_in("rex")
    rows = csv.DictReader(io.StringIO(rex.get(f"/revenue/owed/csv?{DAYS}").text.partition("\r\n\r\n")[0]))
    kinds = {row["kind"] for row in rows} - {""}
    assert {"push22", "match_dealer", "double"} <= kinds, "the files of figures have codes"
    page = rex.get(f"/revenue/owed?{DAYS}").text
    pages = pypdf.PdfReader(io.BytesIO(rex.get(f"/revenue/owed/pdf?{DAYS}").content)).pages
    paper = " ".join("".join(one.extract_text() for one in pages).split())
    for kind_ in kinds:
        assert f"<td>{stake_name(kind_)}</td>" in page
        assert f" {stake_name(kind_)} " in paper
        assert f" {kind_} " not in paper


def test_what_is_withheld_is_not_there_and_a_withheld_patron_has_no_name(
    signed_in: SignedIn, console: Console, store: Warehouse
) -> None:
    made = of_days(store, DAY, DAY)
    patron = next(one.player for one in made.lines if one.player and one.subject == "FB-1")
    dealer = store.query("SELECT dealer FROM rounds FINAL WHERE subject = 'FB-1' LIMIT 1")[0][0]
    rex = signed_in("rex")
    console.desk.note(
        Withheld(user="rex", kind="table", value="DU-2", reason="his brother deals there"), "ann"
    )
    console.desk.note(Withheld(user="rex", kind="patron", value=patron, reason="a friend"), "ann")
    page = rex.get(f"/revenue/owed?day={DAY}").text
    assert ("DU-2" in page, patron in page, NOT_SHOWN in page) == (False, False, True)
    before = len(of_days(store, DAY, DAY).lines)
    assert len(of_days(store, DAY, DAY, {("dealer", dealer)}).lines) < before


def test_a_day_without_an_error_says_so_and_a_day_that_is_none_is_named(signed_in: SignedIn) -> None:
    rex = signed_in("rex")
    page = rex.get("/revenue/owed?day=2026-01-05&period=day").text
    assert "Every stake of these days whose due is known was settled as due." in page
    assert "nobody can say" not in page
    assert "“yesterday” is no day" in rex.get("/revenue/owed?day=yesterday").text
