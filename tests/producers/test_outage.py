"""What a gateway says while Kafka is away: seldom, whole, and once when it is over."""

from __future__ import annotations

import datetime as dt

from producers.kafka.connection import Trouble
from producers.kafka.outage import Outage

TROUBLE = Trouble("no answer", "check that the brokers run")


def test_an_outage_is_said_once_a_minute_with_what_waits_and_once_when_it_is_over() -> None:
    said: list[tuple[float, str]] = []
    now = [0.0]
    begun = dt.datetime(2026, 11, 22, 10, 0, tzinfo=dt.UTC)
    outage = Outage(
        "b:1",
        lambda line: said.append((now[0], line)),
        lambda: begun + dt.timedelta(seconds=now[0]),
        lambda: now[0],
    )
    for second in range(200):
        now[0] = second
        away = 5 < second < 150
        outage.look(second - 5 if away else 0.0, TROUBLE, lambda: int(now[0]) * 10)
        assert (outage.why is not None) == (15 <= second < 150)
    assert [at for at, _ in said] == [15, 75, 135, 150]
    assert said[1][1] == (
        "Kafka at b:1: nothing can be forwarded since 2026-11-22 10:00:05Z: no answer:"
        " 750 events wait in the journal; check that the brokers run"
    )
    assert said[3][1] == ("Kafka at b:1 answers again after 145 s: 1,490 events waited and are forwarded")


def test_a_missing_topic_is_told_at_once_with_what_makes_it() -> None:
    said: list[str] = []
    outage = Outage("b:1", said.append)
    outage.look(0.5, Trouble("topic a is not there", "make it", missing=True), lambda: 3)
    assert outage.why == "Kafka at b:1: topic a is not there; make it"
    assert len(said) == 1


def test_an_election_is_no_outage_and_what_another_has_just_said_is_not_said_again() -> None:
    said: list[str] = []
    now = [0.0]
    outage = Outage("b:1", said.append, clock=lambda: now[0])
    outage.look(9.0, TROUBLE, lambda: 1)
    outage.look(0.0, TROUBLE, lambda: 1)
    assert said == []
    outage.look(11.0, TROUBLE, lambda: 1)
    now[0] = 55.0
    outage.said()
    now[0] = 65.0
    outage.look(76.0, TROUBLE, lambda: 1)
    assert len(said) == 1
