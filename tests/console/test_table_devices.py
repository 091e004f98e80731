"""The devices of a table on its page, in the list of tables and on the health page; one alert for one that dies."""

import json
from collections.abc import Callable, Iterator

import pytest

from dashboards.web.console import Console
from deploy.console.alerting import Raising
from processors.runtime.store.warehouse import Warehouse
from tests.console.books import store_of
from tests.console.conftest import Browser
from tests.embedded.ledgers import lines_of, subject_of
from tests.mutations.rechain import Event, dropped, kind, rechained, rounds_of

SignedIn = Callable[[str], Browser]
BACK, DEAD, WELL = "lawful_free_bet_672a", "lawful_down_under_685a", "lawful_manual_shoe_657a8"


def without(name: str, word: Callable[[Event], bool], last: int | None) -> list[bytes]:
    """A record some of whose words are lost from its fifth round on, up to the start of another."""
    events = [json.loads(line) for line in lines_of(name)]
    rounds = rounds_of(events)
    end = len(events) if last is None else rounds[last][0]
    return list(rechained(dropped(events, *(at for at in range(rounds[4][0], end) if word(events[at])))))


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Warehouse]:
    """At one table the rack was dead for some rounds, at one the layout is since the fifth, one is well."""
    held = {
        subject_of(BACK): without(BACK, lambda event: kind(event) == "cards_racked", 10),
        subject_of(DEAD): without(DEAD, lambda event: event["source"].endswith("/layout"), None),
        subject_of(WELL): lines_of(WELL),
    }
    with store_of(tmp_path_factory.mktemp("devices"), held) as opened:
        yield opened


def devices_of(browser: Browser, name: str) -> dict[tuple[str, str], dict[str, object]]:
    answer = browser.get(f"/api/tables/{subject_of(name)}")
    return {(one["device"], one["words"]): one for one in answer.json()["devices"]}


def test_a_device_that_was_dead_is_in_order_again_and_what_that_cost_is_said(signed_in: SignedIn) -> None:
    hale = signed_in("hale")
    devices = devices_of(hale, BACK)
    rack = devices.pop(("discard rack", "hands racked"))
    assert (rack["state"], rack["rounds"]) == ("in order again", 6)
    assert {one["state"] for one in devices.values()} == {"in order"}
    page = hale.get(f"/tables/{subject_of(BACK)}").text
    assert f"event {rack['since']}" in page
    assert "in order again since" in page


def test_a_layout_that_is_dead_is_said_of_all_its_parts_and_in_the_list_of_tables(
    signed_in: SignedIn,
) -> None:
    hale = signed_in("hale")
    devices = devices_of(hale, DEAD)
    silent = {part for part, one in devices.items() if one["state"] == "silent"}
    assert silent == {("layout", "cards laid"), ("layout", "wagers"), ("discard rack", "hands racked")}
    assert "layout silent (cards laid)" in hale.get("/tables?view=list").text
    assert "✕</span> silent" in hale.get(f"/tables/{subject_of(DEAD)}").text


def test_the_devices_of_a_table_without_failures_are_in_order(signed_in: SignedIn) -> None:
    devices = devices_of(signed_in("hale"), WELL)
    assert {one["state"] for one in devices.values()} == {"in order"}
    assert {one["since"] for one in devices.values()} == {None}
    assert "card reader" not in {device for device, _ in devices}


def test_health_has_the_failures_of_all_tables(signed_in: SignedIn) -> None:
    hale = signed_in("hale")
    assert "Devices that fail" in hale.get("/status").text
    failures = hale.get("/api/status").json()["failures"]
    assert {one["table"] for one in failures} <= {subject_of(BACK), subject_of(DEAD)}
    assert {one["state"] for one in failures} & {"silent", "in order again"}


def test_a_device_that_dies_is_one_alert(console: Console, store: Warehouse) -> None:
    Raising(console.desk).of_store(store)
    alerts = console.desk.snapshot().alerts
    assert sorted(alert.finding.subject for alert in alerts) == sorted((subject_of(BACK), subject_of(DEAD)))
    assert {alert.finding.check for alert in alerts} == {"integrity.device"}
