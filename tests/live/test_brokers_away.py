"""Brokers and a store that stand still, one of them for longer: what gateway, workers and pages say, and who ends."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from deploy.stack.stack import Stack
from tests.live.consoles import Person, prepared_users
from tests.live.figures import tell
from tests.live.sites import KINDS, Site, site_on
from tests.producers.builders import stream


@pytest.mark.soak  # test_faults freezes both in every run
def test_what_stands_still_is_said_in_words_until_it_goes_on_and_workers_that_are_told_to_end_meanwhile_do(
    own_stack: Callable[..., Stack], tmp_path: Path
) -> None:
    stack, lines = own_stack(), stream(60)
    with site_on(stack, tmp_path, [("FB90-1", line) for line in lines]) as site:
        prepared_users(site.environment, tmp_path, "hale")
        with closing(Person(site.console, "hale")) as hale:
            both_stand_still_for_a_while(site, hale, lines)
        stack.brokers[0].process.pause()
        stack.clickhouse.process.pause()
        begun = time.monotonic()
        for one in site.workers.values():
            one.process.terminate()
        assert {kind: one.process.wait(40) for kind, one in site.workers.items()} == dict.fromkeys(KINDS, 0)
        tell("seconds until all had ended", round(time.monotonic() - begun, 1))
        for one in site.workers.values():
            assert "Traceback" not in one.log.read_text()
        for server in site.servers(("brokers", "store")):
            server.process.resume()


def both_stand_still_for_a_while(site: Site, hale: Person, lines: list[bytes]) -> None:
    site.give(lines[:20])
    time.sleep(12.0)  # longer than an answer is believed
    assert site.all_ready(), "nobody plays, and everything is well"
    brokers, store = site.servers(("brokers",)), site.stack.clickhouse
    for one in (*brokers, store):
        one.process.pause()
    site.give(lines[20:40])
    waits = "20 events wait in the journal; check that the brokers run"
    site.until("all say what stands still", lambda: site.names(("brokers", "store")))
    site.until("the gateway says what waits", lambda: site.said.read_text().count(waits) == 1)
    for one in brokers:
        one.process.resume()
    site.until("only the sink is not ready", lambda: not_ready(site) == {"sink"} and site.at_desk())
    site.until("the gateway can again", lambda: site.said.read_text().count("answers again after") == 1)
    assert "without records" in site.console.page("readyz")[1]
    site.until("the health page says it of the store", lambda: "it does not answer" in page(hale))
    store.process.resume()
    site.until("all are ready again", site.all_ready)
    for worker in site.workers.values():
        assert worker.measure("catwalk_ready") == 1
        assert worker.measure("catwalk_lag_age_seconds") < 10


def not_ready(site: Site) -> set[str]:
    return {name for name, (status, _) in site.readiness().items() if status != 200}


def page(hale: Person) -> str:
    """The console's health page, empty while it is refused."""
    try:
        answer = hale.browser.get("/status")
    except httpx.HTTPError:
        return ""
    return answer.text if answer.status_code == 200 else ""
