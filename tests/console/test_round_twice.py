"""A table that deals two rounds of one number: every way to a round leads to the one that was meant."""

import html
import json
import re
from collections.abc import Callable, Iterator
from functools import lru_cache

import pytest

from dashboards.ledger.acts import Raised
from dashboards.reader.question import Reader
from dashboards.web.console import Console
from deploy.configured.desk_ledger import SqliteDeskLog
from processors.runtime.store.warehouse import Warehouse
from schemas.findings import Finding, finding_id
from tests.console.books import store_of
from tests.console.conftest import Browser
from tests.console.desk_building import T0
from tests.console.test_sign_in import accesses
from tests.drawing.streams import chained, kind
from tests.embedded.ledgers import lines_of, subject_of

SignedIn = Callable[[str], Browser]
NAME, TWICE = "lawful_free_bet_590", 2
SUBJECT = subject_of(NAME)


@lru_cache(maxsize=1)
def lines() -> list[bytes]:
    """Round 3 is numbered 2 as well."""
    events = [json.loads(line) for line in lines_of(NAME)]
    for event in events:
        if kind(event) == "round_started" and event["data"]["round"] == TWICE + 1:
            event["data"]["round"] = TWICE
    return list(chained(events))


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Warehouse]:
    with store_of(tmp_path_factory.mktemp("twice"), {SUBJECT: lines()}) as held:
        yield held


def stretches(store: Reader) -> list[tuple[int, int]]:
    """First and last event of the two rounds."""
    rows = store.query(
        "SELECT first_sequence, last_sequence FROM rounds FINAL WHERE round = {n:UInt32} ORDER BY first_sequence",
        {"n": TWICE},
    )
    assert len(rows) == 2
    return [(int(first), int(last)) for first, last in rows]


def at(sequence: int) -> Finding:
    return Finding(
        finding_id=finding_id(SUBJECT, "pay.blackjack", sequence, ""), check="pay.blackjack", cites=("13:69F-2.15",),
        verdict="breached", severity="major", subject=SUBJECT, round=TWICE, sequence=sequence, sequences=(sequence,),
        expected=1, observed=2, money_cents=100, message="Paid amiss", seat=1,
    )  # fmt: skip


def test_an_event_chooses_the_round_that_holds_it_and_a_later_one_the_round_before_it(
    signed_in: SignedIn, store: Warehouse, log: SqliteDeskLog
) -> None:
    (first, last), (second, end) = stretches(store)
    hale = signed_in("hale")
    for asked, meant in (
        (first, (first, last)), (last, (first, last)), (second, (second, end)), (end, (second, end)),
        (end + 40, (second, end)), (1, (second, end)),
    ):  # fmt: skip
        assert hale.get(f"/hands/{SUBJECT}/{TWICE}?at={asked}").status_code == 200
        assert looked_at(log) == f"hand {SUBJECT} round {TWICE}, events {meant[0]} to {meant[1]}"
    hale.get(f"/hands/{SUBJECT}/{TWICE}?first={first}&at={end}")
    assert looked_at(log).endswith(f"events {first} to {last}")


def looked_at(log: SqliteDeskLog) -> str:
    return accesses(log)[-1][1].object


def test_an_alert_opens_the_replayer_and_a_dispute_of_the_round_it_is_about(
    signed_in: SignedIn, store: Warehouse, console: Console, log: SqliteDeskLog
) -> None:
    hale = signed_in("hale")
    for first, last in stretches(store):
        finding = at(last - 1)
        console.desk.raise_alerts([Raised(finding=finding, decided_at=T0)])
        for path in (f"/alerts/{finding.finding_id}", f"/alerts/{finding.finding_id}/panel"):
            text = html.unescape(hale.get(path).text)
            replayer = re.search(r'href="(/hands/[^"]+)" data-replay', text)
            dispute = re.search(r'href="(/disputes/new[^"]+)"', text)
            assert replayer is not None
            assert dispute is not None
            assert f"first={first}&" in replayer[1]
            hale.get(replayer[1])
            assert f"events {first} to {last}" in looked_at(log)
            form = hale.get(dispute[1]).text
            assert re.search(rf'name="first"[^>]*value="{first}"', form)


def test_bars_of_a_table_and_rounds_behind_revenue_lead_each_to_its_own_round(
    signed_in: SignedIn, store: Warehouse
) -> None:
    meant = [first for first, _ in stretches(store)]
    (day,) = store.query("SELECT DISTINCT toString(gaming_day) FROM rounds WHERE round = 2")
    for user, path in (("hale", f"/tables/{SUBJECT}"), ("rex", f"/revenue/hands?day={day[0]}")):
        text = html.unescape(signed_in(user).get(path).text)
        led = re.findall(rf"/hands/{SUBJECT}/{TWICE}\?first=(\d+)", text)
        assert sorted(map(int, led)) == meant, path
