"""What the fold stores is what the pipeline says, however often it is stopped on the way."""

from __future__ import annotations

import base64
import datetime as dt

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from processors.pipeline import Outcome, TablePipeline
from processors.runtime.embedded.fold import EmbeddedFold
from processors.runtime.store.warehouse import Warehouse
from producers.log import EventLog
from producers.memory_log import MemoryLog
from producers.recorder import Arrival, Recorder
from schemas.events.codec import record_hash
from schemas.rounds import RoundResult
from tests.embedded.ledgers import (
    FIVE_TABLES,
    append,
    contents,
    filled,
    folded,
    lines_of,
    new_store,
    subject_of,
)

NOON = dt.datetime(2026, 3, 1, 12, 0, tzinfo=dt.UTC)


@pytest.fixture(scope="module")
def ledger() -> EventLog:
    return filled()


@pytest.fixture(scope="module")
def clean(ledger: EventLog) -> Warehouse:
    return folded(ledger)


def outcomes(ledger: EventLog, subject: str) -> list[Outcome]:
    """What the pipeline itself makes of a table's records."""
    pipeline = TablePipeline(subject)
    return [pipeline.advance(line) for _, line in ledger.read_from(subject)]


@pytest.mark.parametrize("name", FIVE_TABLES)
def test_rounds_and_findings_in_the_store_are_those_of_the_pipeline(
    ledger: EventLog, clean: Warehouse, name: str
) -> None:
    subject = subject_of(name)
    made = outcomes(ledger, subject)
    of_table = {"subject": subject}
    rounds = clean.query(
        "SELECT record FROM rounds FINAL WHERE subject = {subject:String} ORDER BY last_sequence", of_table
    )
    expected = [msgspec.json.encode(result).decode() for outcome in made for result in outcome.rounds]
    assert [record for (record,) in rounds] == expected
    assert expected
    findings = clean.query("SELECT record FROM findings FINAL WHERE subject = {subject:String}", of_table)
    said = [msgspec.json.encode(finding).decode() for outcome in made for finding in outcome.findings]
    assert sorted(record for (record,) in findings) == sorted(said)


def test_hands_stakes_and_racks_say_what_their_round_says(clean: Warehouse) -> None:
    rounds = clean.query("SELECT record, decided_at, subject, round, first_sequence FROM rounds FINAL")
    for record, decided_at, *key in rounds:
        result = msgspec.json.decode(record, type=RoundResult)
        of_round = dict(zip(("subject", "round", "first"), key, strict=True))
        where = (
            "WHERE subject = {subject:String} AND round = {round:UInt32} AND first_sequence = {first:UInt32}"
        )
        hands = clean.query(f"SELECT hand, cards, decided_at FROM hands FINAL {where}", of_round)
        assert {hand: (cards, at) for hand, cards, at in hands} == {
            name: (hand.cards, decided_at) for name, hand in result.hands.items()
        }
        stakes = clean.query(
            f"SELECT kind, staked_cents, observed_cents FROM stakes FINAL {where} ORDER BY ordinal", of_round
        )
        assert stakes == [
            (stake.kind, stake.staked_cents, stake.observed and stake.observed.cents)
            for stake in result.stakes
        ]
        racks = clean.query(f"SELECT observed, agrees FROM racks FINAL {where}", of_round)
        assert racks == [(result.rack.observed, result.rack.agrees)]


def test_the_store_says_how_far_it_is_and_where_the_chain_stands(ledger: EventLog, clean: Warehouse) -> None:
    rows = clean.query(
        "SELECT subject, next_sequence, chain_head FROM progress FINAL WHERE next_sequence > 0 ORDER BY subject"
    )
    heads = [(subject, ledger.head(subject)) for subject in ledger.subjects()]
    assert rows == [(subject, head.sequence + 1, head.hash) for subject, head in heads]


_stops = st.lists(st.tuples(st.integers(1, 400), st.booleans()), max_size=12)


@settings(
    max_examples=min(20, settings().max_examples // 6),
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(stops=_stops)
def test_stopping_anywhere_with_or_without_storing_changes_nothing(
    ledger: EventLog, clean: Warehouse, stops: list[tuple[int, bool]]
) -> None:
    store = new_store()
    for events, stored in stops:
        fold = EmbeddedFold(ledger, store)
        fold.fold(events)
        if stored:
            fold.store()
    EmbeddedFold(ledger, store).catch_up()
    assert contents(store) == contents(clean)


def test_records_that_come_while_it_runs_are_folded_in_turn(ledger: EventLog, clean: Warehouse) -> None:
    growing = MemoryLog()
    store = new_store()
    fold = EmbeddedFold(growing, store)
    assert fold.catch_up() == 0
    taken = 0
    for _, subject, _, line in ledger.tail():
        append(growing, subject, [line])
        if growing.head(subject).sequence % 100 == 0:
            taken += fold.catch_up()
    taken += fold.catch_up()
    assert taken == sum(1 for _ in ledger.tail())
    assert contents(store) == contents(clean)


def test_each_finding_is_given_to_the_caller_once_with_the_time_of_its_event(ledger: EventLog) -> None:
    fold = EmbeddedFold(ledger, new_store())
    decided = [each for _ in range(10) for each in fold.fold(1000).decided]
    said = [(each.subject, finding) for each in decided for finding in each.outcome.findings]
    expected = {
        (subject, finding.finding_id)
        for subject in ledger.subjects()
        for outcome in outcomes(ledger, subject)
        for finding in outcome.findings
    }
    assert {(subject, finding.finding_id) for subject, finding in said} == expected
    assert len(said) == len(expected)
    for each in decided:
        _, line = next(ledger.read_from(each.subject, each.sequence))
        assert each.at == dt.datetime.fromisoformat(msgspec.json.decode(line)["time"])


def test_a_line_that_cannot_be_read_is_kept_with_its_bytes_and_its_neighbours_go_on() -> None:
    name = "lawful_free_bet_672a"
    subject, lines = subject_of(name), lines_of(name)[:400]
    bad = b'{"specversion":"1.0","subject":"FB-12","time":"yesterday"}\xff'
    log = MemoryLog()
    append(log, subject, [*lines[:200], bad, *lines[200:]])
    Recorder(log, lambda: NOON).record_lines([Arrival(b"no event at all", "shift.ndjson:9")])
    store = folded(log)
    letters = store.query(
        "SELECT subject, sequence, number, origin, digest, bytes_base64, decided_at"
        " FROM dead_letters FINAL ORDER BY number"
    )
    before = dt.datetime.fromisoformat(msgspec.json.decode(lines[199])["time"])
    stray = b"no event at all"
    assert letters == [
        (subject, 201, 0, "ledger", record_hash(bad), base64.b64encode(bad).decode(), before),
        ("", 0, 1, "shift.ndjson:9", record_hash(stray), base64.b64encode(stray).decode(), NOON),
    ]
    rounds = store.query("SELECT count() FROM rounds FINAL")
    assert rounds == [(sum(len(o.rounds) for o in outcomes(log, subject)),)]
    again = EmbeddedFold(log, store)
    again.catch_up()
    assert len(store.query("SELECT number FROM dead_letters FINAL")) == 2


@pytest.mark.parametrize("said", ["0001-01-01", "9999-12-31"])
def test_what_a_clock_beyond_the_calendar_decides_has_the_time_of_the_event_before(said: str) -> None:
    name = "lawful_free_bet_672a"
    subject, lines = subject_of(name), lines_of(name)
    ended = next(n for n, line in enumerate(lines) if b"round_ended" in line)
    time, before = (msgspec.json.decode(line)["time"] for line in (lines[ended], lines[ended - 1]))
    log = MemoryLog()
    append(log, subject, [*lines[:ended], lines[ended].replace(time[:10].encode(), said.encode())])
    store = folded(log)
    told = [
        *store.query("SELECT decided_at FROM rounds FINAL"),
        *store.query("SELECT time FROM events FINAL ORDER BY sequence DESC LIMIT 1"),
    ]
    assert told == [(dt.datetime.fromisoformat(before),)] * 2
