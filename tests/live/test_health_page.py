"""The health page over real brokers and a real server: lag by worker and partition, the store's parts, parts away."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import ExitStack, closing
from pathlib import Path

import httpx
import pytest

from deploy.settings import PREFIX
from deploy.stack.stack import Stack
from tests.live.consoles import Person, consoles, free_port, prepared_users
from tests.live.figures import tell
from tests.live.folding import apply_topics, in_turn, produce
from tests.live.test_console import tables_of
from tests.live.working import prepared, workers

SECONDS = 2.0  # that a page may take, whatever is away, if nothing else is at work on the machine


def looked_at(person: Person, within: float = 60.0) -> str:
    begun = time.monotonic()
    page = person.browser.get("/status")
    assert time.monotonic() - begun < within, "it waited for a part"
    assert page.status_code == 200, page.text
    return page.text


def shows(person: Person, *told: str, within: float = 60.0) -> bool:
    page = looked_at(person, within)
    return all(each in page for each in told)


def test_lag_is_told_by_worker_and_goes_when_the_worker_comes(
    live_environment: dict[str, str], tmp_path: Path
) -> None:
    prepared(live_environment)
    environment = prepared_users(live_environment, tmp_path, "hale")
    tables = tables_of("breach_overpay")
    events = sum(map(len, tables.values()))
    with ExitStack() as stack:
        (console,) = stack.enter_context(consoles(environment, tmp_path, "one"))
        hale = stack.enter_context(closing(Person(console.ready(), "hale")))
        produce(environment, in_turn(tables))
        waits = f"{environment['CATWALK_KAFKA_PREFIX']}catwalk.events</td><td>{events:,}</td>"
        console.until(lambda: looked_at(hale).count(waits) == 2, 60)  # fold and sink
        assert "analyst not started" in looked_at(hale)
        stack.enter_context(workers(environment, tmp_path, "fold", "sink"))
        console.until(lambda: shows(hale, "0 records behind in all", "written", "clock 0.0 s"), 60)
        assert 'ClickHouse</strong> <span class="word">well' in looked_at(hale)


@pytest.mark.soak  # a broker of its own
def test_brokers_and_a_store_that_are_away_are_said_and_the_page_waits_for_neither(
    own_stack: Callable[..., Stack], tmp_path: Path
) -> None:
    servers = own_stack(clickhouse=False)
    environment = {name: value for name, value in os.environ.items() if not name.startswith(PREFIX)}
    environment |= {"CATWALK_MODE": "distributed", "CATWALK_KAFKA": servers.kafka_addresses}
    environment["CATWALK_CLICKHOUSE_PORT"] = str(free_port())
    apply_topics(environment)
    environment = prepared_users(environment, tmp_path, "hale")
    with ExitStack() as stack:
        (console,) = stack.enter_context(consoles(environment, tmp_path, "one"))
        hale = stack.enter_context(closing(Person(console.ready(), "hale")))
        console.until(
            lambda: shows(hale, "0 records behind in all", "it does not answer", within=SECONDS), 30
        )
        broker = servers.brokers[0]
        broker.process.kill()
        killed = time.monotonic()

        def said() -> bool:
            try:
                return shows(hale, "not known for", "runbook lost-broker", within=SECONDS)
            except httpx.HTTPError:
                return False

        console.until(said, 60)
        tell("seconds until the lag is not known", round(time.monotonic() - killed, 1))
        servers.up([broker])
        console.until(lambda: shows(hale, "0 records behind in all", within=SECONDS), 60)
