"""A table that deals two rounds of one number: what was paid at the later settles no debt of the earlier."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import lru_cache

import pytest

from dashboards.accounts.accounts import User
from dashboards.debts.begun import begun, begun_with
from dashboards.debts.seen import others_about
from dashboards.debts.settling import Scope
from dashboards.desk.desk import Desk
from dashboards.ledger.acts import Disposed, Raised
from dashboards.reader.question import Reader
from dashboards.reader.restitution import ended_rounds
from dashboards.restitution.causes import of_shoe
from dashboards.restitution.claims import Claim
from dashboards.restitution.rulings import begun_of, with_rulings
from dashboards.web.console import Console
from processors.runtime.store.warehouse import NOTHING, Parameter, Row, Warehouse, WarehouseError
from schemas.findings import Finding, finding_id
from tests.console.books import store_of
from tests.console.conftest import ORIGIN
from tests.console.desk_building import T0
from tests.console.disputing import SEAT, SETTLED, fields_of, open_one
from tests.console.hands_building import SignedIn
from tests.console.test_dispute_letter import NAME
from tests.drawing.streams import chained, kind
from tests.embedded.ledgers import lines_of, subject_of

SUBJECT, TWICE, OWED = subject_of(NAME), 11, 20_000


@lru_cache(maxsize=1)
def lines() -> list[bytes]:
    """Seat 6 won $100.00 in round 11, which was taken; round 12, settled as due, is numbered 11 as well."""
    events = [json.loads(line) for line in lines_of(NAME)]
    for event in events:
        if event["sequence"] == 631:
            event["data"] = {**event["data"], "outcome": "collect"}
            del event["data"]["odds"]
        if event["sequence"] == SETTLED:
            event["data"] = {**event["data"], "outcome": "return"}
            del event["data"]["odds"]
        if kind(event) == "round_started" and event["data"]["round"] == TWICE + 1:
            event["data"]["round"] = TWICE
    return list(chained(events))


def second_start() -> int:
    return [
        at
        for at, event in enumerate(map(json.loads, lines()), 1)
        if kind(event) == "round_started" and event["data"]["round"] == TWICE
    ][1]


@pytest.fixture(scope="module", params=["ended", "going on"])
def store(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Warehouse]:
    """The later round has ended, or ten of its events are on record."""
    held = lines() if request.param == "ended" else lines()[: second_start() + 9]
    with store_of(tmp_path_factory.mktemp("twice"), {SUBJECT: held}) as made:
        yield made


def closed_at(desk: Desk, sequence: int) -> None:
    """An alert about seat 6 at an event, closed with what seat 6 is owed of the earlier round."""
    finding = Finding(
        finding_id=finding_id(SUBJECT, "pay.blackjack", sequence, ""), check="pay.blackjack", cites=("13:69F-2.15",),
        verdict="breached", severity="major", subject=SUBJECT, round=TWICE, sequence=sequence, sequences=(sequence,),
        expected=1, observed=2, money_cents=100, message="Paid amiss", seat=SEAT,
    )  # fmt: skip
    desk.raise_alerts([Raised(finding=finding, decided_at=T0)])
    desk.act(
        Disposed(
            alert=finding.finding_id, version=1, disposition="dealer error", note="paid", money_cents=OWED
        ),
        "ann",
    )


def debt(desk: Desk, store: Reader) -> Claim:
    made = of_shoe(store, SUBJECT, 1)
    rounds = begun_of(store, made, desk.closed())
    told = with_rulings(made, [], closed=desk.closed(), rounds=rounds)
    [owed] = [one for one in told.lines if one.owed]
    assert (owed.round, owed.seat, owed.owed) == (TWICE, SEAT, OWED)
    return owed


def test_an_alert_of_the_later_round_settles_nothing_of_the_earlier(
    console: Console, store: Warehouse, signed_in: SignedIn
) -> None:
    second, hale = second_start(), signed_in("hale")
    closed_at(console.desk, second + 3)
    assert (debt(console.desk, store).settled, debt(console.desk, store).disputes) == (0, ())
    first = debt(console.desk, store).first_sequence
    one = open_one(hale, subject=SUBJECT, round=TWICE, first=first, seat=SEAT)
    page = hale.get(f"/disputes/{one.id}").text
    assert fields_of(page, f"/disputes/{one.id}/acts")["amount"] == "200.00"
    assert "is about the same stakes" not in page
    closed_at(console.desk, second - 1)
    [by] = debt(console.desk, store).disputes
    assert (by.settled, debt(console.desk, store).to_pay) == (OWED, 0)
    page = hale.get(f"/disputes/{one.id}").text
    assert fields_of(page, f"/disputes/{one.id}/acts")["amount"] == ""
    assert "is about the same stakes: alert closed as dealer error, $200.00 to the patron." in page


def test_rounds_of_a_number_are_told_by_their_first_events(store: Warehouse) -> None:
    found = begun(store, [(SUBJECT, TWICE), (SUBJECT, 9_999), ("NONE", 1)])
    assert list(found) == [(SUBJECT, TWICE)]
    assert found[SUBJECT, TWICE][-1] == second_start()
    assert len(found[SUBJECT, TWICE]) == 2


def test_a_start_that_was_told_late_begins_no_second_round(store: Warehouse) -> None:
    first, told = begun(store, [(SUBJECT, TWICE)])[SUBJECT, TWICE]
    goes_on = not any(one.first_sequence == told for one in ended_rounds([(SUBJECT, TWICE)]).ask(store))
    if goes_on:
        assert begun_with(store, (SUBJECT, TWICE), told - 1) == {(SUBJECT, TWICE): (first, told - 1)}
    assert begun_with(store, (SUBJECT, TWICE), told) == {(SUBJECT, TWICE): (first, told)}
    assert begun_with(store, (SUBJECT, TWICE), first) == {(SUBJECT, TWICE): (first, told)}


class Silent:
    """A store that answers everything but the question which rounds began."""

    def __init__(self, store: Warehouse) -> None:
        self._store = store

    def query(self, sql: str, parameters: Mapping[str, Parameter] = NOTHING) -> list[Row]:
        if "round_started" in sql:
            raise WarehouseError("store", "no answer in time", "wait")
        return self._store.query(sql, parameters)


def test_where_the_store_does_not_tell_the_rounds_apart_the_disputes_are_named_all_the_same(
    console: Console, store: Warehouse, signed_in: SignedIn
) -> None:
    closed_at(console.desk, second_start() - 1)
    hale, first = signed_in("hale"), debt(console.desk, store).first_sequence
    one = open_one(hale, subject=SUBJECT, round=TWICE, first=first, seat=SEAT)
    user = User("hale", "surveillance", "")
    scope = Scope(subject=SUBJECT, first_sequence=first, seat=SEAT)
    assert len(others_about(console, user, scope, TWICE)) == 2
    silent = Console(console.desk, console.accounts, console.clock, (ORIGIN,), records=Silent(store))
    assert [other.name for other in others_about(silent, user, scope, TWICE)] == [one.id]
