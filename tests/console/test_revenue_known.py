"""What is not known is a dash on the page and null in every file: one rule for each cell, by line and in the total."""

from __future__ import annotations

import csv
import html
import io
import re
import zipfile
from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any

import pypdf
import pytest
from msgspec.structs import replace

from dashboards.revenue.figures import rounded
from dashboards.revenue.wanted import BYS
from dashboards.wording.money import dollars
from processors.runtime.store.warehouse import Warehouse
from schemas.rounds import RoundResult
from tests.console.books import store_of
from tests.console.conftest import Browser
from tests.console.reckoning import Reckoned
from tests.console.refolded import refolded
from tests.console.test_revenue_behind import number

SignedIn = Callable[[str], Browser]
DAY = "2026-03-02"
OPEN, UNFIGURED = "FB-12", "C4-3"  # no closing count and no box yet; no wager has a theoretical figure
HTML = {"accept": "text/html,application/xhtml+xml"}
SPLIT = ("difference", "luck", "errors_for_house", "errors_for_patron")
# Columns of the tables, by the names that the files have; an empty name is in no file.
BY_TABLE = (
    "hours", "rounds", "hands", "handle", "payout", "win", "", "theoretical", "", "difference", "", "luck",
    "errors_for_house", "errors_for_patron", "play", "drop", "net_win", "unexplained", "tax",
)  # fmt: skip
BY_COUNT = ("opening", "fills", "credits", "closing", "drop", "net_win", "win", "unexplained")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Warehouse]:
    with store_of(tmp_path_factory.mktemp("known")) as held:
        yield held


def rows_of(page: str, region: str) -> dict[str, list[str]]:
    """The cells of a table of the page as they are read, by the head of their row."""
    table = page[page.index(f'aria-label="{region}"') :].split("</table>")[0]
    found = {}
    for row in re.findall(r"<tr[^>]*>(.*?)</tr>", table.partition("<tbody>")[2], re.S):
        head, *cells = (
            html.unescape(re.sub(r"<[^>]+>", "", cell)).strip()
            for cell in re.findall(r"<t[dh].*?</t[dh]>", row, re.S)
        )
        found[head] = cells
    return found


def shown(line: dict[str, Any], name: str) -> str:
    """What the page has to say of a figure of the files."""
    value = line[name]
    if value is None and name.startswith("errors_"):
        value = line[f"all_{name}"]  # known without a theoretical figure, too
    if value is None:
        return "–"
    if name == "hours":
        return f"{value:.2f}"
    return f"{value:,}" if name in ("rounds", "hands") else dollars(value)


@pytest.mark.parametrize(
    "query", [f"day={DAY}", f"day={DAY}&by=pit", "day=2026-03-03&period=week", f"day={DAY}&table=FB-1"]
)
def test_every_cell_of_the_page_is_the_figure_of_the_files_and_a_dash_where_they_have_none(
    query: str, signed_in: SignedIn
) -> None:
    rex = signed_in("rex")
    page, told = rex.get(f"/revenue?{query}").text, rex.get(f"/api/revenue?{query}").json()
    by = told["by"]
    lines = {one["key"]: one for one in told["lines"]} | {"All": told["total"]}
    for head, cells in rows_of(page, f"Revenue by {by}").items():
        line = lines[head.removeprefix("Pit ")]
        for name, cell in zip(BY_TABLE, cells, strict=False):
            if name:
                text = cell.removeprefix("▲ ").replace("no figure", "–")
                assert text == shown(line, name), (head, name)
    for head, cells in rows_of(page, "Net win by count").items():
        line = lines[head.removeprefix("Pit ")]
        if line["drop"] is None:
            assert "counted" in cells.pop(4)
        else:
            assert sum(number(cells.pop(4)) for _ in range(3)) * 100 == line["drop"]
        for name, cell in zip(BY_COUNT, cells, strict=False):
            if name == "net_win" and line["net_win"] is None:
                assert not re.search(r"\.\d\d", cell), "a reason, or a dash"
            else:
                assert cell.removeprefix("▲ ") == shown(line, name), (head, name)
    rows = list(csv.DictReader(io.StringIO(rex.get(f"/revenue/export.csv?{query}").text, newline="")))
    for row, line in zip(rows, [*told["lines"], told["total"]], strict=True):
        assert {name for name, text in row.items() if not text and name not in ("key", "lacks")} == {
            name for name, value in line.items() if value is None
        }


def test_of_an_open_day_no_closing_no_drop_and_no_net_win_is_known(signed_in: SignedIn) -> None:
    rex = signed_in("rex")
    line = next(one for one in rex.get(f"/api/revenue?day={DAY}").json()["lines"] if one["key"] == OPEN)
    assert [line[name] for name in ("closing", "drop", "net_win", "unexplained", "tax")] == [None] * 5
    assert line["opening"] is not None
    cells = rows_of(rex.get(f"/revenue?day={DAY}").text, "Net win by count")[OPEN]
    assert (cells[0], cells[3]) == (dollars(line["opening"]), "–")
    assert "0 of 0 boxes counted; sold 2,000.00" in re.sub(r"\s+", " ", cells[4])
    slips = rex.get(f"/revenue/slips?day={DAY}&table={OPEN}&what=closing").text
    assert "<data" not in slips, "the list names no sum that is not known"


@pytest.mark.parametrize(
    ("query", "line", "said"),
    [
        (f"day={DAY}", OPEN, "no closing count yet"),
        (f"day={DAY}", "All", "no closing count yet: 1 of 4 tables"),
        (f"day={DAY}&by=pit", "Pit 2", "no closing count yet: 1 of 3 tables"),
        ("day=2026-03-04&period=month", "All", "no closing count yet: 1 of 7 days of 4 tables together"),
    ],
)
def test_page_lists_json_and_pdf_say_in_the_same_words_what_a_net_win_lacks(
    query: str, line: str, said: str, signed_in: SignedIn
) -> None:
    rex = signed_in("rex")
    page = rex.get(f"/revenue?{query}").text
    assert rows_of(page, "Net win by count")[line][-4] == said
    told = rex.get(f"/api/revenue?{query}").json()
    lines = {one["key"]: one for one in told["lines"]} | {"All": told["total"]}
    assert lines[line.removeprefix("Pit ")]["lacks"][0] == said
    slips = rex.get(f"/revenue/slips?{query}&what=net").text
    assert f"It is no net win yet: {told['total']['lacks'][0]}." in slips
    assert f'<dd class="muted">{told["total"]["lacks"][0]}</dd>' in page, "the card says it too"
    if line != "All":
        paper = pypdf.PdfReader(io.BytesIO(rex.get(f"/revenue/export.pdf?{query}").content))
        printed = " ".join("".join(one.extract_text() for one in paper.pages).split())
        assert f"{line.removeprefix('Pit ')}: net win: {said}" in printed


@pytest.mark.parametrize("query", [f"day={DAY}", f"day={DAY}&by=pit", "day=2026-03-04&period=month"])
def test_the_hold_is_known_where_the_drop_is_counted_and_is_win_of_that_drop(
    query: str, signed_in: SignedIn
) -> None:
    rex = signed_in("rex")
    page, told = rex.get(f"/revenue?{query}").text, rex.get(f"/api/revenue?{query}").json()
    lines = {one["key"]: one for one in told["lines"]} | {"All": told["total"]}
    known = 0
    for head, cells in rows_of(page, "Net win by count").items():
        line = lines[head.removeprefix("Pit ")]
        if line["drop"] is None:
            assert cells[-1] == "–", head
            continue
        known += 1
        win = line["win"] if line["net_win"] is None else line["net_win"]
        assert cells[-1] == f"{dollars(rounded(win * 10_000, line['drop']))} %", head
    assert known > 0
    assert 'hold <span class="muted">–</span>' in page, "the card of the drop says it too"
    slips = rex.get(f"/revenue/hands?{query}&of=hold").text
    assert "<data" not in slips[: slips.index("<dl")], "the list names no hold"
    assert told["total"]["drop"] is None


def test_a_line_whose_wagers_have_no_figure_has_no_difference_and_a_play_of_nought(
    signed_in: SignedIn, store: Warehouse
) -> None:
    rex = signed_in("rex")
    told = rex.get(f"/api/revenue?day={DAY}").json()
    lines = {one["key"]: one for one in told["lines"]}
    assert [lines[UNFIGURED][name] for name in SPLIT] == [None] * len(SPLIT)
    assert lines[UNFIGURED]["play"] == lines[UNFIGURED]["play_handle"] == 0
    for line in (*told["lines"], told["total"]):
        known = [line[name] is not None for name in SPLIT]
        assert all(known) or not any(known)
        assert (line["difference"] or 0) == line["play"] + sum(line[name] or 0 for name in SPLIT[1:])
    alone = rex.get(f"/api/revenue?day={DAY}&table={UNFIGURED}").json()["total"]
    assert [alone[name] for name in SPLIT] == [None] * len(SPLIT)
    file = Reckoned(rex.get(f"/revenue/export.xlsx?day={DAY}").content)
    assert file.at("by table", UNFIGURED, "play") == 0
    for sheet in file.book.sheetnames:
        parts = ("play", *SPLIT[1:])
        assert sum(file.at(sheet, "total", name) for name in parts) == file.at(sheet, "total", "difference")
    paper = pypdf.PdfReader(io.BytesIO(rex.get(f"/revenue/export.pdf?day={DAY}&table={UNFIGURED}").content))
    printed = " ".join("".join(one.extract_text() for one in paper.pages).split())
    win = dollars(lines[UNFIGURED]["win"])
    assert f"{win} - 0.00 - - 0.00 - - -" in printed, (
        "of a handle of 0.00 no theoretical win, and no part of it"
    )


@pytest.mark.parametrize("by", [one for one in BYS if one not in ("shift", "dealer")])
def test_the_hours_of_the_lines_add_up_to_the_total_and_are_those_of_the_files(
    by: str, signed_in: SignedIn
) -> None:
    rex, query = signed_in("rex"), f"day=2026-03-04&period=month&by={by}"
    rows = rows_of(rex.get(f"/revenue?{query}").text, f"Revenue by {by}")
    *lines, total = [Decimal(cells[0].replace(",", "")) for cells in rows.values()]
    assert sum(lines) == total > 0
    filed = [
        row["hours"] for row in csv.DictReader(io.StringIO(rex.get(f"/revenue/export.csv?{query}").text))
    ]
    assert [*lines, total] == [Decimal(one) for one in filed]


def unseen(result: RoundResult, stakes: int) -> RoundResult:
    """The round with the outcome of its first stakes not seen."""
    told = [replace(one, observed=None) if n < stakes else one for n, one in enumerate(result.stakes)]
    return replace(result, stakes=tuple(told))


@pytest.mark.parametrize(("stakes", "said"), [(1, "1 stake of"), (2, "2 stakes of")])
def test_one_is_told_in_the_singular(stakes: int, said: str, signed_in: SignedIn, store: Warehouse) -> None:
    sql = "SELECT min(round) FROM stakes FINAL WHERE subject = 'DU-2' AND kind != 'lammer' AND ordinal = 2"
    ((first,),) = store.query(sql)
    with refolded(store, f"subject = 'DU-2' AND round = {first}", lambda one: unseen(one, stakes)):
        page = signed_in("rex").get(f"/revenue?day={DAY}&table=DU-2").text
    text = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))
    assert f"Outcome not seen {said}" in text
    assert not re.search(r"\b(?<![.,\d])1 (stakes|rounds|counts|boxes|decks|days)\b", text)


def test_where_no_round_is_behind_a_figure_one_sentence_says_so(signed_in: SignedIn) -> None:
    page = signed_in("rex").get(f"/revenue/hands?day={DAY}&of=unknown").text
    text = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))
    assert text.count("No round") == text.count("No round is behind this figure.") == 1


def test_all_files_are_the_three_in_one_archive_and_the_same_each_time(signed_in: SignedIn) -> None:
    rex, name = signed_in("rex"), f"revenue-day-{DAY}-by-game"
    page = html.unescape(rex.get(f"/revenue?day={DAY}&by=game").text)
    assert f'href="/revenue/export.zip?day={DAY}&by=game" download>All files</a>' in page
    answer = rex.get(f"/revenue/export.zip?day={DAY}&by=game")
    assert answer.headers["content-disposition"] == f'attachment; filename="{name}.zip"'
    assert answer.headers["content-type"] == "application/zip"
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        held = {one: archive.read(one) for one in archive.namelist()}
    assert held == {
        f"{name}.{form}": rex.get(f"/revenue/export.{form}?day={DAY}&by=game").content
        for form in ("csv", "xlsx", "pdf")
    }
    assert rex.get(f"/revenue/export.zip?day={DAY}&by=game").content == answer.content


def test_who_does_not_make_the_months_report_reads_who_does(signed_in: SignedIn) -> None:
    said = "The month’s report is made by an auditor."
    assert said in signed_in("rex").get(f"/revenue?day={DAY}").text
    assert said not in signed_in("otto").get(f"/revenue?day={DAY}").text
    for form in ("pdf", "xlsx"):
        answer = signed_in("rex").get(f"/revenue/month.{form}?month=2026-03", headers=HTML)
        assert (answer.status_code, answer.headers["content-type"]) == (403, "text/html; charset=utf-8")
        assert "The role revenue does not read all that a month&#39;s report counts." in answer.text


def test_a_file_of_text_names_its_charset_once(signed_in: SignedIn) -> None:
    for user, path in (
        ("rex", f"/revenue/export.csv?day={DAY}"),
        ("rex", f"/revenue/owed/csv?day={DAY}"),
        ("hale", "/patterns/calibration.csv"),
    ):
        answer = signed_in(user).get(path)
        assert (answer.status_code, answer.headers["content-type"]) == (200, "text/csv; charset=utf-8"), path
