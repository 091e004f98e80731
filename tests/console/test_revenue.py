"""Revenue: figures that a second count out of the raw lines agrees with, what is behind each, and who may read them."""

import csv
import datetime as dt
import io
import json
import re
from collections.abc import Callable, Iterator

import pytest
from msgspec.structs import replace

from dashboards.ledger.acts import Withheld
from dashboards.reader import cash, revenue
from dashboards.revenue.account import Account, lacking
from dashboards.revenue.books import places_of, scopes, statement
from dashboards.revenue.edges import EDGES, edge_of
from dashboards.revenue.figures import rounded, share
from dashboards.revenue.filing.delimited import safe
from dashboards.revenue.filing.line import report_of
from dashboards.revenue.opened import value_of
from dashboards.revenue.wanted import BYS, PERIODS, WantedRevenue
from dashboards.web.console import Console
from dashboards.wording.money import dollars
from deploy.configured.desk_ledger import SqliteDeskLog
from processors.runtime.store.warehouse import Warehouse
from schemas.rounds import RoundResult
from schemas.warehouse import RELATIONS
from tests.console.books import recounted, store_of, streams
from tests.console.conftest import Browser
from tests.console.refolded import refolded
from tests.console.test_sign_in import accesses

SignedIn = Callable[[str], Browser]
DAY = dt.date(2026, 3, 2)
PLAIN = ("FB-1", "DU-2", "C4-3")  # tables whose days are whole: opened, closed, counted


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Warehouse]:
    with store_of(tmp_path_factory.mktemp("books")) as held:
        yield held


def lines_by_table(store: Warehouse, **wanted: object) -> dict[str, object]:
    made = statement(store, WantedRevenue(day=DAY, **wanted))  # type: ignore[arg-type]  # fields by name
    return {line.key: line for line in made.lines}


def test_every_figure_of_a_day_is_what_adding_up_the_raw_lines_gives(store: Warehouse) -> None:
    compared = 0
    for subject, raw in streams().items():
        for day, sums in recounted(raw).items():
            made = statement(store, WantedRevenue(day=dt.date.fromisoformat(day), table=subject))
            figures, account = made.total.figures, made.total.account
            assert account is not None
            assert figures.rounds == sums["rounds"], (subject, day)
            assert figures.handle_cents == sums["handle"]
            assert figures.win_cents == sums["win"]
            assert figures.lammer_cents == sums.get("lammers", 0)
            assert account.drop_cents == sums.get("drop", 0)
            assert (account.fill_cents, account.credit_cents) == (
                sums.get("fills", 0),
                sums.get("credits", 0),
            )
            sides = sum(sums.get(f"win {kind}", 0) for kind in ("push22", "match_dealer", "progressive",
                                                                "five_card_hand", "six_card_bonus"))  # fmt: skip
            assert figures.side_win_cents == sides
            if subject in PLAIN:
                assert account.counted
                assert account.net_cents == sums["net"] == sums["win"]
                assert made.total.unexplained_cents == 0
            compared += 1
    assert compared == 7


@pytest.mark.parametrize("by", BYS)
def test_lines_add_up_to_the_total_however_they_are_told_apart(by: str, store: Warehouse) -> None:
    usual = statement(store, WantedRevenue(day=DAY, period="month"))
    made = statement(store, WantedRevenue(day=DAY, period="month", by=by))  # type: ignore[arg-type]  # one of BYS
    for name in ("rounds", "hands", "handle_cents", "win_cents", "theo_millionths", "stakes", "judged"):
        parts = [getattr(line.figures, name) for line in made.lines]
        assert sum(parts) == getattr(made.total.figures, name) == getattr(usual.total.figures, name)
    assert made.course[-1].figures.win_cents == usual.total.figures.win_cents


def test_weeks_months_and_years_follow_each_other_without_a_gap() -> None:
    for period in PERIODS:
        wanted = WantedRevenue(day=dt.date(2026, 1, 31), period=period)
        for _ in range(30):
            following = WantedRevenue(day=wanted.after, period=period)
            assert following.first == (wanted.day if period == "day" else end_of(wanted)) + dt.timedelta(
                days=1
            )
            wanted = following


def end_of(wanted: WantedRevenue) -> dt.date:
    """The last day of the week, month or year of a day."""
    day = wanted.day
    while WantedRevenue(day=day + dt.timedelta(days=1), period=wanted.period).first == wanted.first:
        day += dt.timedelta(days=1)
    return day


def test_a_month_is_its_days_and_a_year_its_months(store: Warehouse) -> None:
    last = dt.date(2026, 3, 4)
    days = [statement(store, WantedRevenue(day=DAY + dt.timedelta(days=n))).total for n in range(3)]
    for period in ("week", "month", "year"):
        whole = statement(store, WantedRevenue(day=last, period=period)).total
        assert whole.figures.win_cents == sum(day.figures.win_cents for day in days)
        assert whole.account is not None
        assert whole.account.net_cents == sum(day.account.net_cents for day in days if day.account)


def test_shifts_change_by_the_clock_of_the_property_every_eight_hours_from_the_start_of_its_gaming_day(
    store: Warehouse,
) -> None:
    # Gaming days begin at 06:00 in New York; that is 11:00 UTC in winter. The second shift begins at 19:00 UTC.
    made = statement(store, WantedRevenue(day=DAY, by="shift"))
    ends = [json.loads(line) for lines in streams().values() for line in lines if b"round_ended" in line]
    of_day = [e["time"][11:13] for e in ends if e["time"][:10] == str(DAY)]
    first = sum("11" <= hour < "19" for hour in of_day)
    assert [(line.key, line.figures.rounds) for line in made.lines] == [("1", first)]
    assert first == len(of_day)


def test_a_wager_without_a_figure_has_none_and_is_not_taken_for_nought(store: Warehouse) -> None:
    made = statement(store, WantedRevenue(day=DAY, table="C4-3"))
    assert made.total.figures.theo_cents is None
    assert made.total.figures.difference_cents is None
    assert made.total.figures.band_cents is None
    assert sum(made.total.figures.uncovered.values()) == made.total.figures.handle_cents


def test_the_theoretical_win_is_handle_times_edge_and_its_band_counts_the_wagers_of_a_round_together(
    store: Warehouse,
) -> None:
    made = statement(store, WantedRevenue(day=DAY, table="FB-1"))
    wager = next(one for one in made.wagers if one.kind == "push22")
    rounds: dict[int, list[int]] = {}
    number = 0
    for line in streams()["FB-1"]:
        event = json.loads(line)
        number += event["type"].endswith("round_started")
        if event["type"].endswith("wager_placed") and event["data"]["kind"] == "push22":
            rounds.setdefault(number, []).append(event["data"]["cents"])
    handle = sum(map(sum, rounds.values()))
    assert wager.figures.handle_cents == handle
    assert wager.figures.theo_cents == rounded(handle * 68_430, 1_000_000)
    # The dealer's hand decides all wagers of a round: they stray as one.
    spread = sum(sum(stakes) ** 2 for stakes in rounds.values()) ** 0.5 * 4.188
    assert wager.figures.band_cents == pytest.approx(1.96 * spread, abs=1)
    assert any(len(stakes) > 1 for stakes in rounds.values())


def test_edges_are_those_in_force_for_the_decks_the_paytable_and_the_reading_of_the_table(
    store: Warehouse,
) -> None:
    places = places_of(store)
    free, down = places.terms("FB-1", 1), places.terms("DU-2", 1)
    main = edge_of("free_bet_672a", "main", free, DAY)
    assert main is not None
    assert main.edge == 5_800
    assert edge_of("free_bet_672a", "main", free, dt.date(2016, 1, 1)) is None
    assert edge_of("free_bet_590", "main", free, dt.date(2013, 1, 1)) is None
    literal = edge_of("down_under_685a", "main", down, DAY)
    assert literal is not None
    assert literal.edge == 660
    assert all(one.source and (one.deviation is None or one.spread) for one in EDGES)


def test_an_error_of_settlement_is_told_apart_from_luck(store: Warehouse) -> None:
    found = statement(store, WantedRevenue(day=DAY, table="FB-12")).total.figures
    assert found.error_cents < 0  # somebody was overpaid
    assert found.luck_cents == (found.difference_cents or 0) - found.error_cents - found.play_cents


def test_a_table_that_was_not_counted_says_so_and_its_win_is_that_of_the_settlements(
    signed_in: SignedIn, store: Warehouse
) -> None:
    total = statement(store, WantedRevenue(day=DAY, table="FB-12")).total
    assert total.account is not None
    assert total.account.why == {"no closing count yet": 1}
    assert total.win_cents == total.figures.win_cents
    assert total.unexplained_cents is None
    sold = sum(json.loads(line)["data"]["cents"] for line in streams()["FB-12"] if b"chips_bought" in line)
    assert value_of("sold", total) == sold > 0
    assert (total.drop_cents, total.hold) == (None, None), "chips that were sold are no drop"
    text = signed_in("rex").get("/revenue?day=2026-03-02&table=FB-12").text
    assert "by the settlements seen" in text
    assert "no closing count yet" in text


def test_a_box_that_is_counted_late_and_again_belongs_to_the_day_it_was_taken_with_its_last_count(
    store: Warehouse,
) -> None:
    raw = [json.loads(line) for line in streams()["DU-2"]]
    count = next(event for event in raw if event["type"].endswith("drop_counted"))
    before = cash.drops(DAY, DAY).ask(store)
    columns = RELATIONS["account_events"].column_names
    (row,) = store.query(
        f"SELECT {', '.join(columns)} FROM account_events FINAL WHERE subject = 'DU-2' AND sequence = {{n:UInt32}}",
        {"n": count["sequence"]},
    )
    again = json.loads(row[columns.index("line")])
    again["data"]["currency_cents"] += 500
    last = max(event["sequence"] for event in raw) + 1
    later = row[2] + dt.timedelta(days=2)  # two gaming days on
    store.insert(RELATIONS["account_events"], [("DU-2", last, later, *row[3:6], json.dumps(again), *row[7:])])
    try:
        after = cash.drops(DAY, DAY).ask(store)
        grown = [
            (a.subject, a.currency_cents - b.currency_cents, a.boxes)
            for b, a in zip(before, after, strict=True)
        ]
        assert [one for one in grown if one[1]] == [("DU-2", 500, 1)]
    finally:
        store.query(
            "DELETE FROM account_events WHERE subject = 'DU-2' AND sequence = {n:UInt32}", {"n": last}
        )


def test_what_a_net_win_lacks_is_said(store: Warehouse) -> None:
    (sheet,) = (one for one in cash.accounts(DAY, DAY).ask(store) if one.subject == "DU-2")
    (drop,) = (one for one in cash.drops(DAY, DAY).ask(store) if one.subject == "DU-2")

    def but(**changes: int) -> cash.AccountRow:
        fields = {name: getattr(sheet, name) for name in sheet.__struct_fields__}
        return cash.AccountRow(**(fields | changes))

    assert lacking(sheet, drop) == ""
    assert lacking(sheet, None) == "drop box not counted yet"
    assert lacking(but(closings=0), drop) == "no closing count yet"
    assert lacking(but(openings=0), drop) == "no opening count"
    assert lacking(but(begins_well=False), drop) == "no opening count"
    assert lacking(but(closings=2), drop) == "more closing counts than opening ones"
    assert lacking(but(boxes=0), None) == "no drop box taken yet"


@pytest.mark.parametrize(
    ("open_days", "closed_days", "said"),
    [
        ("A1", "", ("no closing count yet",)),
        ("A1", "B1 C1", ("no closing count yet: 1 of 3 tables",)),
        ("A1 B1", "", ("no closing count yet: both tables",)),
        ("A1 B1 C1", "", ("no closing count yet: all 3 tables",)),
        ("A2", "A1 A3", ("no closing count yet: 1 of 3 days",)),
        ("A1 A2", "", ("no closing count yet: both days",)),
        ("A1 A2 A3", "", ("no closing count yet: all 3 days",)),
        ("A2 B2", "A1", ("no closing count yet: 2 of 3 days of 2 tables together",)),
        ("A1 A2 B1 B2", "", ("no closing count yet: all 4 days of 2 tables together",)),
        ("", "A1 B1", ()),
    ],
)
def test_what_a_net_win_lacks_names_the_tables_or_days_that_lack_it(
    open_days: str, closed_days: str, said: tuple[str, ...], store: Warehouse
) -> None:
    (sheet,) = (one for one in cash.accounts(DAY, DAY).ask(store) if one.subject == "DU-2")
    (drop,) = (one for one in cash.drops(DAY, DAY).ask(store) if one.subject == "DU-2")
    account = Account()
    for days, closings in ((open_days, 0), (closed_days, 1)):
        for name in days.split():
            date = dt.date(2026, 3, int(name[1]))
            account.add(replace(sheet, subject=name[0], gaming_day=date, closings=closings), drop)
    assert account.lacks == said


def test_a_stake_whose_outcome_was_not_seen_is_counted_and_is_in_no_win(store: Warehouse) -> None:
    collects = "subject = 'FB-1' AND kind = 'main' AND observed_outcome = 'collect'"
    first = f"SELECT round, ordinal, staked_cents, observed_cents FROM stakes FINAL WHERE {collects}"
    ((number, ordinal, staked, collected),) = store.query(f"{first} ORDER BY round, ordinal LIMIT 1")
    wanted = WantedRevenue(day=DAY, table="FB-1")
    before = statement(store, wanted).total.figures

    def unseen(result: RoundResult) -> RoundResult:
        stakes = list(result.stakes)
        stakes[ordinal - 1] = replace(stakes[ordinal - 1], observed=None)
        return replace(result, stakes=tuple(stakes))

    with refolded(store, f"subject = 'FB-1' AND round = {number}", unseen):
        after = statement(store, wanted).total.figures
        scope = next(scopes(wanted, places_of(store), frozenset()))
        (behind,) = revenue.rounds_behind(scope, only="unknown").ask(store)
    assert (after.unknown, after.unknown_cents) == (1, staked)
    assert before.win_cents - after.win_cents == collected
    assert after.handle_cents == before.handle_cents
    assert behind.round == number


def table_of(text: str) -> list[list[str]]:
    body = text.split("<tbody>")[1].split("</tbody>")[0]
    rows = re.findall(r"<tr[^>]*>(.*?)</tr>", body, re.S)
    return [
        [re.sub(r"<[^>]+>", "", cell).strip() for cell in re.findall(r"<t[dh].*?</t[dh]>", r, re.S)]
        for r in rows
    ]


def test_slips_behind_the_account_come_to_its_figures(signed_in: SignedIn) -> None:
    text = signed_in("rex").get("/revenue/slips?day=2026-03-02&table=DU-2&what=drop").text
    rows = table_of(text)
    assert [row[3] for row in rows] == ["Box taken", "Box counted"]
    assert rows[1][-2] == dollars(recounted(streams()["DU-2"])["2026-03-02"]["drop"])


def test_the_csv_is_the_page_exact_to_the_cent_and_is_kept_as_an_export(
    signed_in: SignedIn, store: Warehouse, log: SqliteDeskLog
) -> None:
    answer = signed_in("rex").get("/revenue/export.csv?day=2026-03-02&by=table")
    assert answer.status_code == 200
    assert (
        answer.headers["content-disposition"] == 'attachment; filename="revenue-day-2026-03-02-by-table.csv"'
    )
    assert answer.content.endswith(b"\r\n")
    rows = list(csv.DictReader(io.StringIO(answer.text, newline="")))
    made = report_of(statement(store, WantedRevenue(day=DAY)))
    assert [row["key"] for row in rows] == [*(line.key for line in made.lines), "total"]
    for row, line in zip(rows, (*made.lines, made.total), strict=True):
        assert row["win"] == f"{line.win / 100:.2f}"
        assert row["handle"] == f"{line.handle / 100:.2f}"
        assert row["luck"] == ("" if line.luck is None else f"{line.luck / 100:.2f}")
        assert row["rounds"] == str(line.rounds)
    told = [(actor, access.what, access.granted) for actor, access in accesses(log)]
    assert told[-1] == ("rex", "export", True)


def test_no_cell_of_the_csv_is_a_formula() -> None:
    for text in ("=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"):
        assert safe(text) == f"'{text}"
    assert safe("FB-1") == "FB-1"


def test_a_look_at_revenue_is_kept_with_what_was_asked(signed_in: SignedIn, log: SqliteDeskLog) -> None:
    signed_in("rex").get("/revenue?day=2026-03-02&dealer=D-1")
    actor, access = accesses(log)[-1]
    assert (actor, access.what, access.object) == ("rex", "page", "revenue day=2026-03-02&dealer=D-1")


@pytest.mark.thorough
def test_a_table_that_is_withheld_is_in_no_figure_no_filter_no_round_and_no_slip(
    signed_in: SignedIn, console: Console
) -> None:
    rex = signed_in("rex")
    console.desk.note(
        Withheld(user="rex", kind="table", value="DU-2", reason="his brother deals there"), "ann"
    )
    for path in ("/revenue?", "/revenue/hands?", "/revenue/slips?what=net&", "/revenue/export.csv?"):
        for more in ("&period=month",):
            assert "DU-2" not in rex.get(f"{path}day=2026-03-02{more}").text
    asked = rex.get("/revenue?day=2026-03-02&table=DU-2").text
    assert "No revenue" in asked
    assert "No round" in rex.get("/revenue/hands?day=2026-03-02&table=DU-2").text


def test_rounds_of_a_dealer_who_is_withheld_are_not_there(signed_in: SignedIn, console: Console) -> None:
    rex = signed_in("rex")
    (dealer, *_) = statement(console.records, WantedRevenue(day=DAY, table="DU-2")).dealers
    console.desk.note(Withheld(user="rex", kind="dealer", value=dealer, reason="related"), "ann")
    for path in ("/revenue?by=dealer&", "/revenue/hands?", "/revenue/export.csv?by=dealer&"):
        assert dealer not in rex.get(f"{path}day=2026-03-02").text


def test_a_day_without_rounds_and_a_day_that_is_none_are_answered_in_words(signed_in: SignedIn) -> None:
    rex = signed_in("rex")
    assert "No revenue" in rex.get("/revenue?day=2026-07-01").text
    wrong = rex.get("/revenue?day=2026-02-30&by=moon").text
    assert "“2026-02-30” is no day" in wrong
    assert "“moon” is no by" in wrong
    assert "Wednesday, 4 March 2026" in wrong  # the newest


def test_rounds_of_no_gaming_day_are_named_and_in_no_sum(signed_in: SignedIn, store: Warehouse) -> None:
    before = statement(store, WantedRevenue(day=DAY)).total.figures.rounds
    with refolded(store, "subject = 'FB-1' AND round = 1", gaming_day=None):
        text = signed_in("rex").get("/revenue?day=2026-03-02").text
        after = statement(store, WantedRevenue(day=DAY)).total.figures.rounds
    assert "in no sum: 1 round of FB-1." in re.sub(r"<[^>]+>", "", text)
    assert after == before - 1


def test_shares_are_rounded_half_away_from_nought() -> None:
    assert share(1, 3) == 3333
    assert share(-1, 8) == -1250
    assert rounded(5, 10) == 1
    assert rounded(-5, 10) == -1
    assert share(5, 0) is None
