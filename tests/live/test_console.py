"""Two consoles on one desk: with a real broker, a real server, workers, and people who act at both."""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack, closing
from pathlib import Path

import httpx
import pytest
from aiokafka import AIOKafkaProducer

from deploy.configured.workers import brokers_of
from deploy.settings import PREFIX, load
from deploy.stack.stack import Stack
from schemas.topics import CLOUDEVENT, EVENTS
from tests.embedded.ledgers import lines_of, subject_of
from tests.live.consoles import (
    ConsoleProcess,
    Person,
    consoles,
    free_port,
    kept,
    prepared_users,
    to_be_raised,
    watching,
)
from tests.live.figures import tell
from tests.live.folding import Environment, Sent, apply_topics, expected, in_turn, produce
from tests.live.killing import still
from tests.live.working import Proxy, prepared, workers
from tests.waiting import until

BREACHES = ("breach_masque_wrong", "breach_overpay", "breach_surrender_after_hit")


def tables_of(*names: str) -> dict[bytes, list[bytes]]:
    return {subject_of(name).encode(): lines_of(name) for name in names}


@pytest.fixture
def environment(live_environment: dict[str, str], tmp_path: Path) -> dict[str, str]:
    prepared(live_environment)
    return prepared_users(live_environment, tmp_path, "hale", "ito")


def test_an_alert_appears_in_two_consoles_and_what_is_done_in_one_is_seen_in_the_other(
    environment: dict[str, str], tmp_path: Path
) -> None:
    tables = tables_of(*BREACHES)
    wanted = set(to_be_raised(expected(tables)[1]))
    with ExitStack() as stack:
        stack.enter_context(workers(environment, tmp_path, "fold"))
        one, other = stack.enter_context(consoles(environment, tmp_path, "one", "other"))
        hale = stack.enter_context(closing(Person(one.ready(), "hale")))
        ito = stack.enter_context(closing(Person(other.ready(), "ito")))
        feed = stack.enter_context(watching(ito))
        produce(environment, in_turn(tables))
        assert hale.sees(len(wanted)).keys() == wanted
        seen = ito.sees(len(wanted))
        assert seen.keys() == wanted
        assert all(alert["dealer"] for alert in seen.values()), "who dealt is known"
        alert = min(wanted)
        assert hale.act(alert, 1, "acknowledged").status_code == 200
        other.until(lambda: ito.alerts()[alert]["status"] == "acknowledged", 60)
        assert ito.alerts()[alert]["owner"] == "hale"
        late = ito.act(alert, 1, "acknowledged")
        assert (late.status_code, late.json()["detail"][:14]) == (409, "Taken by hale ")
        other.until(lambda: len(feed.changes()) > len(wanted), 60)
        assert [change["seq"] for change in feed.changes()] == list(range(1, len(wanted) + 2))
        assert feed.changes()[-1]["act"] == "acknowledged"
        assert [one.stop(), other.stop()] == [0, 0]
    raised = [record["data"]["finding"]["finding_id"] for record in kept(environment).acts("raised")]
    assert sorted(raised) == sorted(wanted), "both consoles raised, and each alert stands once"


class Working:
    """A person who puts alerts to cases, act after act until it is over, whether the console is away or not."""

    def __init__(
        self, console: ConsoleProcess, name: str, acts: int, over: threading.Event, rest: float = 0.0
    ) -> None:
        self.answered: list[tuple[str, str]] = []
        self.in_doubt: list[tuple[str, str]] = []
        self.asked = ""  # the case of an act that is not answered yet
        self._console, self._name, self._acts, self._over = console, name, acts, over
        self._rest = rest  # seconds between two acts
        self.failure: BaseException | None = None
        self.thread = threading.Thread(target=self._guarded)
        self.thread.start()

    def _guarded(self) -> None:
        try:
            self._work()
        except BaseException as error:
            self.failure = error

    def _work(self) -> None:
        person: Person | None = None
        number = 0
        while number < self._acts or not self._over.is_set():
            if person is None:
                person = self._signed_in()
            case = f"{self._name}-{number}"
            time.sleep(self._rest)
            try:
                alerts = person.browser.get("/api/alerts").json()["alerts"]
                alert = {"version": 1} | alerts[number % len(alerts)]
                self.asked = case
                answer = person.act(alert["id"], alert["version"], "added_to_case", case=case)
                self.asked = ""
            except (httpx.TransportError, KeyError, ValueError):
                # Whether it was done is not known: it is not done again, and may stand once or not at all.
                self.in_doubt.append(("", case))
                self.asked = ""
                person.close()
                person = None
                number += 1
                continue
            if answer.status_code == 200:
                self.answered.append((alert["id"], case))
            elif answer.status_code == 503:
                self.in_doubt.append((alert["id"], case))
                time.sleep(0.2)
            else:
                assert answer.status_code == 409, answer.text
                continue
            number += 1
        if person is not None:
            person.close()

    def _signed_in(self) -> Person:
        return until(self._person)

    def _person(self) -> Person | None:
        try:
            return Person(self._console, self._name)
        except (httpx.TransportError, AssertionError):
            return None


def hold_the_record_against(environment: Environment, people: list[Working], raised: set[str]) -> None:
    """Chain intact and without a gap (the checker asserts it), each answered act once, none doubled."""
    found = kept(environment)
    cases = Counter((act["data"]["alert"], act["data"]["case"]) for act in found.acts("added_to_case"))
    answered = [act for person in people for act in person.answered]
    assert {act: cases[act] for act in answered} == dict.fromkeys(answered, 1), (
        "each answered act stands once"
    )
    assert max(Counter(case for _, case in cases.elements()).values()) == 1, "no act stands twice"
    unknown = {case for _, case in cases} - {case for _, case in answered}
    assert unknown <= {case for person in people for _, case in person.in_doubt}
    ids = [record["data"]["finding"]["finding_id"] for record in found.acts("raised")]
    assert sorted(ids) == sorted(raised)
    tell("records", len(found.records))
    tell("void frames", found.void)
    tell("answered", len(answered))
    tell("in doubt", sum(len(person.in_doubt) for person in people))


def killed_in_an_act(console: ConsoleProcess, person: Working) -> bool:
    """Kill it if an act was asked for and is not answered; it stands still while that is looked at."""
    with still(console.process):
        asked = person.asked
        time.sleep(0.05)  # an answer that is on its way arrives, and no other leaves
        if asked and person.asked == asked:
            console.kill()
            return True
    return False


@pytest.mark.parametrize(
    ("acts", "kills"), [(20, 1), pytest.param(200, 12, marks=[pytest.mark.soak, pytest.mark.timeout(900)])]
)
def test_two_consoles_race_while_one_is_killed_again_and_again_and_no_answered_act_is_lost_or_doubled(
    environment: dict[str, str], tmp_path: Path, acts: int, kills: int
) -> None:
    tables = tables_of(*BREACHES)
    wanted = set(to_be_raised(expected(tables)[1]))
    with ExitStack() as stack:
        stack.enter_context(workers(environment, tmp_path, "fold"))
        started = stack.enter_context(consoles(environment, tmp_path, "one", "other"))
        produce(environment, in_turn(tables))
        with closing(Person(started[0].ready(), "hale")) as hale:
            hale.sees(len(wanted))
        started[1].ready()
        over = threading.Event()
        stack.callback(over.set)
        # Who is at the console that is killed never rests, and each kill comes into an act of theirs.
        people = [Working(started[0], "hale", acts, over), Working(started[1], "ito", acts, over, rest=0.05)]
        for _ in range(kills):
            done = len(people[0].answered)
            started[0].until(lambda done=done: len(people[0].answered) > done, 90)
            started[0].until(lambda: killed_in_an_act(started[0], people[0]))
            started[0].start()
        over.set()
        for person in people:
            person.thread.join(240)
            assert person.failure is None, person.failure
            assert not person.thread.is_alive()
        # The killed one, started again, holds what the other holds.
        with closing(Person(started[0].ready(), "hale")) as hale, closing(Person(started[1], "ito")) as ito:
            started[0].until(lambda: hale.alerts() == ito.alerts(), 60)
    assert len(people[0].in_doubt) >= kills, "each kill left an act of which nobody was told"
    hold_the_record_against(environment, people, wanted)


@pytest.mark.soak  # the fold and the gateway ride a dead broker out in every run
def test_a_broker_that_is_started_again_stops_the_desk_for_a_while_and_loses_no_answered_act(
    own_stack: Callable[..., Stack], tmp_path: Path
) -> None:
    """No ClickHouse is there at all: the desk needs none."""
    stack_of_servers = own_stack(clickhouse=False)
    environment = {name: value for name, value in os.environ.items() if not name.startswith(PREFIX)}
    environment |= {"CATWALK_MODE": "distributed", "CATWALK_KAFKA": stack_of_servers.kafka_addresses}
    environment["CATWALK_CLICKHOUSE_PORT"] = str(free_port())
    apply_topics(environment)
    environment = prepared_users(environment, tmp_path, "hale", "ito")
    tables = tables_of(*BREACHES)
    wanted = set(to_be_raised(expected(tables)[1]))
    with ExitStack() as stack:
        stack.enter_context(workers(environment, tmp_path, "fold"))
        started = stack.enter_context(consoles(environment, tmp_path, "one", "other"))
        produce(environment, in_turn(tables))
        with closing(Person(started[0].ready(), "hale")) as hale:
            hale.sees(len(wanted))
        started[1].ready()
        over = threading.Event()
        stack.callback(over.set)
        people = [Working(each, name, 80, over) for each, name in zip(started, ("hale", "ito"), strict=True)]
        started[0].until(lambda: all(len(person.answered) >= 5 for person in people), 90)
        broker = stack_of_servers.brokers[0]
        broker.process.kill()
        killed = time.monotonic()
        for each in started:
            each.until(lambda each=each: each.page("readyz")[0] == 503, 30)
        tell("seconds until it says so", round(time.monotonic() - killed, 1))
        assert "not ready: " in started[0].page("readyz")[1]
        assert started[0].page("healthz")[0] == 200, "it waits, and is not to be started again"
        stack_of_servers.up([broker])
        back = time.monotonic()
        for each in started:
            each.ready(60)
        tell("seconds until it is at work again", round(time.monotonic() - back, 1))
        over.set()
        for person in people:
            person.thread.join(240)
            assert person.failure is None, person.failure
    hold_the_record_against(environment, people, wanted)


@pytest.mark.soak  # test_faults freezes the store in every run
def test_while_clickhouse_is_away_alerts_arrive_and_health_says_what_is_missing(
    environment: dict[str, str], tmp_path: Path
) -> None:
    proxy = Proxy(environment["CATWALK_CLICKHOUSE_HOST"], int(environment["CATWALK_CLICKHOUSE_PORT"]))
    environment = {**environment, "CATWALK_CLICKHOUSE_PORT": str(proxy.port)}
    first, second = tables_of(BREACHES[0]), tables_of(*BREACHES[1:])
    with ExitStack() as stack:
        stack.callback(proxy.close)
        stack.enter_context(workers(environment, tmp_path, "fold"))
        (console,) = stack.enter_context(consoles(environment, tmp_path, "one"))
        hale = stack.enter_context(closing(Person(console.ready(), "hale")))
        produce(environment, in_turn(first))
        before = set(to_be_raised(expected(first)[1]))
        hale.sees(len(before))
        proxy.refuse = True
        proxy.cut()
        console.until(lambda: "without records" in console.page("readyz")[1], 30)
        status, said = console.page("readyz")
        assert (status, said.splitlines()[0]) == (200, "ready")
        produce(environment, in_turn(second))
        after = before | set(to_be_raised(expected(second)[1]))
        assert hale.sees(len(after)).keys() == after
        page = hale.browser.get("/status")
        assert page.status_code == 200
        assert "ClickHouse" in page.text
        begun = time.monotonic()
        assert hale.act(min(after), 1, "acknowledged").status_code == 200
        assert time.monotonic() - begun < 5
        proxy.refuse = False
        console.until(lambda: console.page("readyz") == (200, "ready\n"), 30)


def many_tables(count: int) -> dict[bytes, list[bytes]]:
    """So many tables that begin alike, and at each a shoe from which no card is burnt."""
    begun = lines_of("breach_no_burn")[:45]
    own = subject_of("breach_no_burn").encode()
    tables = {}
    for number in range(count):
        name, lines, head = f"FB-{100 + number}".encode(), [], b"0" * 64
        for line in begun:
            before = line.partition(b'"prevhash":"')[2][:64]
            lines.append(line.replace(own, name).replace(before, head))
            head = hashlib.sha256(lines[-1]).hexdigest().encode()
        tables[name] = lines
    return tables


def at_pace(environment: Environment, records: list[Sent], each_second: int) -> dict[tuple[str, int], float]:
    """Produce records at this pace; when (monotonic seconds) each was handed over, by table and sequence."""
    sent_at: dict[tuple[str, int], float] = {}

    async def send() -> None:
        brokers = brokers_of(load(environment=environment).values)
        async with AIOKafkaProducer(**brokers.client_options(), acks="all", linger_ms=0) as out:
            begun = time.monotonic()
            for number, one in enumerate(records):
                await asyncio.sleep(max(0.0, begun + number / each_second - time.monotonic()))
                told = json.loads(one.value or b"{}")
                sent_at[told["subject"], told["sequence"]] = time.monotonic()
                headers = [("content-type", CLOUDEVENT.encode())]
                await out.send(brokers.topic(EVENTS), one.value, key=one.key, headers=headers)

    asyncio.run(send())
    return sent_at


@pytest.mark.soak  # a time: nothing else may be at work on the machine
@pytest.mark.parametrize("tables", [40, pytest.param(200, marks=pytest.mark.soak)])
def test_a_finding_is_at_the_viewers_within_a_second_of_its_event(
    environment: dict[str, str], tmp_path: Path, tables: int
) -> None:
    """A hundred events a second, from the topic of events to the feeds of two consoles."""
    ledgers = many_tables(tables)
    wanted = to_be_raised(expected(ledgers)[1])
    with ExitStack() as stack:
        (fold,) = stack.enter_context(workers(environment, tmp_path, "fold"))
        started = stack.enter_context(consoles(environment, tmp_path, "one", "other"))
        people = [
            stack.enter_context(closing(Person(each.ready(), name)))
            for each, name in zip(started, ("hale", "ito"), strict=True)
        ]
        fold.at_work()
        feeds = [stack.enter_context(watching(person)) for person in people]
        sent_at = at_pace(environment, list(in_turn(ledgers)), 100)
        for feed, each in zip(feeds, started, strict=True):
            each.until(lambda feed=feed: len(feed.changes()) >= len(wanted), 30)
        took = sorted(
            at - sent_at[wanted[message["alert"]["id"]]]
            for feed in feeds
            for at, message in feed.messages
            if message["kind"] == "change"
        )
    assert len(took) == 2 * len(wanted) >= 2 * tables
    tell("alerts at each", len(wanted))
    tell("p50 ms", round(1000 * took[len(took) // 2]))
    tell("p99 ms", round(1000 * took[int(len(took) * 0.99)]))
    tell("void frames", kept(environment).void)
    assert took[int(len(took) * 0.99)] < 1.0
