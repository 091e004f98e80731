"""The dollars that other readings change, by patron and house, held against what the lines alone say."""

from __future__ import annotations

import datetime as dt
import html
import json
import re
from collections.abc import Callable, Iterator
from functools import cache, partial

import pytest

from dashboards.accounts.accounts import Accounts
from dashboards.desk.desk import Desk
from dashboards.folding.states import States
from dashboards.reader.question import Reader
from dashboards.replayer.readings_port import Rival, RivalDues
from dashboards.restitution.rivals import (
    NOT_WORKED_OUT,
    OF_STAKES,
    RIVALS,
    RivalReading,
    rival_lines,
    rival_readings,
    rounds_of_days,
)
from dashboards.web.console import Console
from deploy.audit.reread_table import RereadTable
from deploy.audit.rereading import reread, reread_rounds
from deploy.configured.desk_ledger import SqliteDeskLog
from processors.games.readings import READINGS
from processors.runtime.store.warehouse import Warehouse
from producers.simulator.floor.setup import usual_setup
from tests.console.books import simulated, store_of
from tests.console.conftest import ORIGIN, Browser, Clock
from tests.console.test_revenue_owed import dollars
from tests.drawing.streams import Event, changed, kind
from tests.embedded.ledgers import lines_of, subject_of
from tests.law.record import SUBJECT
from tests.law.script import play
from tests.readings.test_rivals import CASES

SignedIn = Callable[[str], Browser]
FIRST, LAST = dt.date(2026, 3, 1), dt.date(2026, 3, 31)
BEST = ("A12", "best")
# Odds of a match of both cards, and what the worse of the two alone pays: 3 to 1 unsuited, 14 to 1 suited.
WORSE = {"6:1": 3, "17:1": 3, "28:1": 14}
SETUP = usual_setup("down_under_685a", "DU-2", decks=8, open_hours=0.5, pit="2", number=3)
READ_AS = usual_setup("down_under_685a", "DU-3", decks=8, open_hours=0.5, pit="2", number=3)


@cache
def streams() -> dict[str, list[bytes]]:
    """The same rounds at two tables; the second declares the rival reading, and pays by the first's all the same."""

    def declare(event: Event) -> None:
        if kind(event) == "table_configured":
            event["data"]["readings"] = {"A12": "best"}

    return {
        SETUP.subject: simulated(SETUP, 200),
        READ_AS.subject: list(changed(tuple(simulated(READ_AS, 200)), declare)),
    }


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Warehouse]:
    with store_of(tmp_path_factory.mktemp("rivals"), streams()) as held:
        yield held


@pytest.fixture
def console(log: SqliteDeskLog, accounts: Accounts, clock: Clock, store: Warehouse) -> Console:
    desk = Desk(log, clock)
    return Console(
        desk, accounts, clock, (ORIGIN,), records=store, reread_rounds=partial(reread_rounds, store)
    )


def dues(store: Reader, first: dt.date, last: dt.date, rivals: tuple[Rival, ...] = RIVALS) -> RivalDues:
    states = States(store)
    rounds = rounds_of_days(store, first, last)
    return reread_rounds(store, rounds, lambda subject, at: states.before(subject, at).table(), rivals)


def by_lines(subject: str) -> dict[tuple[str, int], int]:
    """By gaming day and round: what the better match alone pays less than both, cents, by the lines of settlement."""
    day, number = "", 0
    stakes, found = dict[int, int](), dict[tuple[str, int], int]()
    for event in map(json.loads, streams()[subject]):
        data = event["data"]
        if kind(event) == "gaming_day_started":
            day = data["gaming_day"]
        elif kind(event) == "round_started":
            number, stakes = data["round"], {}
        elif kind(event) == "wager_placed" and data["kind"] == "match_dealer":
            stakes[data["seat"]] = data["cents"]
        elif kind(event) == "wager_settled" and data["kind"] == "match_dealer" and data.get("odds") in WORSE:
            less = WORSE[data["odds"]] * stakes[data["seat"]]
            found[day, number] = found.get((day, number), 0) + less
    return found


def the(made: tuple[RivalReading, ...], rival: Rival) -> RivalReading:
    return next(one for one in made if (one.place, one.policy) == rival)


def test_a_reading_moves_to_patron_or_house_what_the_lines_say_to_the_cent(store: Warehouse) -> None:
    reckoned = by_lines(SETUP.subject)
    total = sum(reckoned.values())
    assert total > 0
    made = rival_readings(FIRST, LAST, 1, dues(store, FIRST, LAST)).readings
    house, patrons = the(made, BEST), the(made, ("A12", "each"))
    assert (house.to_house, house.to_patrons, house.undecided) == (total, 0, 0)
    assert (patrons.to_patrons, patrons.to_house, patrons.undecided) == (total, 0, 0)
    assert house.rounds == patrons.rounds == len(reckoned)
    days = {dt.date.fromisoformat(day) for day, _ in reckoned}
    for day in {*days, min(days) - dt.timedelta(days=1), max(days) + dt.timedelta(days=1)}:
        due = sum(cents for (of, _), cents in reckoned.items() if of == str(day))
        found = rival_readings(day, day, 1, dues(store, day, day)).readings
        assert sum(one.to_house for one in found if (one.place, one.policy) == BEST) == due, day
        assert sum(one.to_patrons for one in found if (one.place, one.policy) == ("A12", "each")) == due, day


def test_a_day_that_is_read_again_from_its_first_round_says_what_the_whole_record_does(
    store: Warehouse,
) -> None:
    rival = ("A1", "conventional")
    whole = reread(store, dict([rival]))
    days = [row[0] for row in store.query("SELECT DISTINCT gaming_day FROM rounds ORDER BY gaming_day")]
    found = [one for day in days for one in rival_lines(store, dues(store, day, day, (rival,))[rival])]
    assert len(whole.undecided) == len(found) > 0
    assert {(one.row.subject, one.row.round) for one in found} == {
        (one.subject, one.round) for one in whole.undecided
    }
    assert all(one.due.now is None and one.due.missing for one in found)


@pytest.mark.parametrize("name", ["lawful_free_bet_590", "breach_dealer22_paid", "irregular_early_surrender"])
def test_no_reading_but_those_of_stakes_changes_what_a_stake_is_due(name: str) -> None:
    others = [
        (place, policy) for place, one in READINGS.items() if place not in OF_STAKES for policy in one.rivals
    ]
    assert others
    table = RereadTable(subject_of(name), [dict([rival]) for rival in others])
    closed = sum(len(table.advance(line).rounds) for line in lines_of(name)) + len(table.finish().rounds)
    assert closed
    assert [rival for rival, changes in zip(others, table.changes, strict=True) if changes] == []


def changed_in_some_stream(rivals: list[Rival]) -> set[Rival]:
    """Those of the rivals by which a stake is due otherwise, or undecided, in a stream of `rivals.toml`."""
    found = set[Rival]()
    for case in CASES:
        table = RereadTable(SUBJECT, [dict([rival]) for rival in rivals])
        for line in play(case["script"], case["ruleset"], case.get("table", {})).lines:
            table.advance(line)
        table.finish()
        found |= {rival for rival, changes in zip(rivals, table.changes, strict=True) if changes}
    return found


def test_each_place_that_is_worked_out_changes_a_stake_in_some_stream_and_no_other_does() -> None:
    every = [(place, policy) for place, one in READINGS.items() for policy in one.rivals]
    assert {place for place, _ in changed_in_some_stream(every)} == set(OF_STAKES)
    assert set(NOT_WORKED_OUT).isdisjoint(OF_STAKES)


def test_a_draw_for_a_push_22_alone_is_said_not_to_be_worked_out(
    signed_in: SignedIn, store: Warehouse
) -> None:
    assert {"A8", "A9", "A35"} <= set(NOT_WORKED_OUT)
    rex = signed_in("rex")
    for asked in ("", "&work=yes"):
        page = html.unescape(rex.get(f"/revenue/readings?day={LAST}&period=month{asked}").text)
        assert f"Not worked out are those of {', '.join(NOT_WORKED_OUT)}" in page
    assert rex.get("/revenue/readings/lines?place=A8&policy=stands").status_code == 404
    made = rival_readings(FIRST, LAST, 1, {})
    assert made.not_worked_out == NOT_WORKED_OUT


def test_the_page_says_what_it_costs_and_works_it_out_where_that_is_asked_for(
    signed_in: SignedIn, store: Warehouse
) -> None:
    rex, total = signed_in("rex"), sum(by_lines(SETUP.subject).values())
    asked = f"/revenue/readings?day={LAST}&period=month"
    before = rex.get(asked).text
    rounds = len(rounds_of_days(store, FIRST, LAST))
    assert f"Each of the {rounds:,} rounds" in html.unescape(before)
    assert 'name="work" value="yes"' in before
    assert "<table" not in before
    page = html.unescape(rex.get(f"{asked}&work=yes").text)
    row = next(one for one in page.split("<tr>") if ">A12</a>" in one and "<td>best</td>" in one)
    assert re.findall(r'<data value="(\d+)">', row) == ["0", str(total)]
    link = re.search(r'href="(/revenue/readings/lines[^"]+)"', row)
    assert link is not None
    lines = rex.get(link[1]).text
    assert f'<data id="to-house">{dollars(total)}</data>' in lines
    changes = re.findall(r'<td class="still">([\d,.]+) more to the house</td>', lines)
    assert sum(round(float(one.replace(",", "")) * 100) for one in changes) == total
    assert SETUP.subject in lines
    assert READ_AS.subject not in lines
    assert rex.get("/revenue/readings/lines?place=A3&policy=either").status_code == 404
    assert signed_in("hale").get(asked).status_code == 403


def test_what_is_withheld_is_in_no_reading(store: Warehouse) -> None:
    rounds = rounds_of_days(store, FIRST, LAST, {("table", SETUP.subject)})
    assert {one.subject for one in rounds} == {READ_AS.subject}
