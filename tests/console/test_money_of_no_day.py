"""Money of rounds that are of no gaming day, and which files tell of all money that decisions moved."""

from __future__ import annotations

import datetime as dt
import io
import json
from collections.abc import Iterator
from typing import Any

import openpyxl
import pypdf
import pytest
from msgspec.structs import replace

from dashboards.desk.desk import Desk
from dashboards.restitution.causes import every_stake_of, of_days
from dashboards.restitution.claims import Claim, Restitution
from dashboards.restitution.files import as_csv, as_workbook
from dashboards.restitution.money_days import ruled_of_days
from dashboards.restitution.printed import as_pdf
from dashboards.restitution.rulings import with_rulings
from deploy.configured.desk_ledger import SqliteDeskLog
from processors.runtime.store.warehouse import Warehouse
from tests.console.books import store_of
from tests.console.conftest import Clock
from tests.console.test_money_without_stake import FIFTY, SUBJECT, close, decide
from tests.console.test_revenue_luck import DAY, books
from tests.mutations.rechain import rechained

DAYLESS, UNREADABLE = "FB-6", "FB-7"


def as_table(name: str, day: str | None) -> list[bytes]:
    """The first table as another, which tells of this gaming day; None: it tells of none."""
    events = []
    for line in books()[0][SUBJECT]:
        event = {**json.loads(line), "subject": name}
        if event["type"].endswith("gaming_day_started"):
            if day is None:
                continue
            event["data"] = {**event["data"], "gaming_day": day}
        events.append(event)
    return list(rechained(events))


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Warehouse]:
    lines = {DAYLESS: as_table(DAYLESS, None), UNREADABLE: as_table(UNREADABLE, "soon")}
    with store_of(tmp_path_factory.mktemp("dayless"), lines) as held:
        yield held


@pytest.fixture
def desk(log: SqliteDeskLog, clock: Clock) -> Desk:
    return Desk(log, clock)


def stakes_of_table(store: Warehouse, subject: str) -> tuple[Claim, ...]:
    rows = store.query(
        "SELECT first_sequence FROM rounds FINAL WHERE subject = {s:String} AND gaming_day IS NULL",
        {"s": subject},
    )
    return every_stake_of(store, [(subject, int(str(first))) for (first,) in rows]).lines


def ruled(store: Warehouse, desk: Desk, day: dt.date) -> Restitution:
    return ruled_of_days(store, of_days(store, day, day), desk.disputes(), desk.closed(), (day, day))


def test_money_for_an_owed_stake_of_a_round_without_a_gaming_day_settles_it(
    store: Warehouse, desk: Desk, clock: Clock
) -> None:
    owing = next(one for one in stakes_of_table(store, DAYLESS) if one.owed > 1)
    dispute = decide(desk, owing, owing.owed - 1)
    told = ruled(store, desk, clock().date())
    assert told.without_stake == (), "the stake is on record"
    [line] = [one for one in told.lines if one.disputes]
    assert [one.dispute for one in line.disputes] == [dispute.id]
    assert (line.subject, line.seat, line.owed, line.settled) == (
        DAYLESS,
        owing.seat,
        owing.owed,
        owing.owed - 1,
    )
    assert told.paid_total == owing.owed - 1
    assert not ruled(store, desk, DAY).lines, "its money is of the day on which it was decided"


def test_a_gaming_day_that_cannot_be_read_takes_no_money_out_of_every_list(
    store: Warehouse, desk: Desk, clock: Clock
) -> None:
    line = stakes_of_table(store, UNREADABLE)[0]
    decide(desk, replace(line, first_sequence=line.first_sequence + 1), FIFTY)
    told = ruled(store, desk, clock().date())
    assert [(one.gaming_day, one.without_stake) for one in told.without_stake] == [(clock().date(), FIFTY)]
    assert not ruled(store, desk, dt.date(1900, 1, 1)).without_stake


class Counting:
    """A reader that counts what it is asked."""

    def __init__(self, store: Warehouse) -> None:
        self.store, self.asked = store, 0

    def query(self, *told: Any, **named: Any) -> Any:
        self.asked += 1
        return self.store.query(*told, **named)


def test_the_store_is_not_asked_of_what_was_decided_before_the_days(store: Warehouse, desk: Desk) -> None:
    line = replace(stakes_of_table(store, DAYLESS)[0], seat=9)
    alert = close(desk, line, FIFTY)
    assert alert.closed_at is not None
    day = alert.closed_at.date()
    made, asked = of_days(store, day, day), []
    for old in (0, 1_000):
        before = alert.closed_at - dt.timedelta(days=4)
        others = [
            replace(
                alert,
                id=f"old{at}",
                closed_at=before,
                finding=replace(alert.finding, finding_id=f"old{at}", subject=f"T-{at % 7}", round=at),
            )
            for at in range(old)
        ]
        reader = Counting(store)
        told = ruled_of_days(reader, made, [], [*others, alert], (day, day))
        assert told.paid_total == FIFTY
        asked.append(reader.asked)
    assert asked[0] == asked[1] > 0


@pytest.mark.parametrize("of_day", [True, False])
def test_every_file_of_days_tells_of_all_money_that_moved_and_no_other_file_does(
    of_day: bool, store: Warehouse, desk: Desk
) -> None:
    made = ruled(store, desk, DAY)
    if not of_day:
        made = with_rulings(of_days(store, DAY, DAY), ())
    nought = 0 if of_day else None
    assert (made.without_stake_total, made.without_stake_returned) == (nought, nought)
    assert (made.paid_total, made.returned_total) == (nought, nought)
    assert ("paid in all" in as_csv(made, dt.UTC)) == of_day
    sheets = openpyxl.load_workbook(io.BytesIO(as_workbook(made, dt.UTC))).sheetnames
    assert sheets == ["restitution", "undecided", *(["without stake", "paid in all"] if of_day else [])]
    paper = "".join(one.extract_text() for one in pypdf.PdfReader(io.BytesIO(as_pdf(made, dt.UTC))).pages)
    assert ("in all" in paper, "at no stake" in paper) == (of_day, of_day)
