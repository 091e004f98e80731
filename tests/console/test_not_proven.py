"""What is grave and not proven is an alert too, and nobody takes it for a proven breach."""

from __future__ import annotations

import datetime as dt
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from dashboards.desk.desk import Desk
from dashboards.web.console import Console
from deploy.configured.desk_ledger import SqliteDeskLog
from deploy.configured.embedded import LEDGER, embedded
from deploy.console.alerting import Alerting, Raising, asks_for_alert
from deploy.console.server import utc_now
from deploy.settings import Settings
from processors.pipeline import TablePipeline
from processors.runtime.store.warehouse import Warehouse
from producers.recorder import Arrival, Recorder
from producers.simulator.floor.gaming_floor import gaming_floor, seed_of
from producers.simulator.scenarios.catalogue import CATALOGUE
from producers.simulator.session import simulate_table
from producers.sqlite_log import SqliteLog
from schemas.findings import Finding
from tests.console.books import store_of
from tests.console.conftest import Browser, Clock
from tests.console.desk_building import a_finding, a_raise
from tests.waiting import until

SignedIn = Callable[[str], Browser]


@pytest.fixture(scope="module")
def short() -> tuple[list[bytes], list[Finding]]:
    """The lines of a table up to where a shoe is short, and its findings."""
    return short_shoe()


@pytest.fixture(scope="module")
def store(
    tmp_path_factory: pytest.TempPathFactory, short: tuple[list[bytes], list[Finding]]
) -> Iterator[Warehouse]:
    lines, found = short
    with store_of(tmp_path_factory.mktemp("short"), {found[-1].subject: lines}) as opened:
        yield opened


def short_shoe() -> tuple[list[bytes], list[Finding]]:
    """A table at which a hole card was switched, up to where its shoe turns out short of a card; and its findings."""
    for setup in gaming_floor(3, 1, ("free_bet_672a",)):
        pipeline, lines = TablePipeline(setup.subject, proofs=False, detect=False), list[bytes]()
        found: list[Finding] = []
        for line in simulate_table(setup, 80, seed_of(1, setup.subject), CATALOGUE["hole_switched"]):
            lines.append(line)
            found += pipeline.advance(line).findings
            if found and re.match(r"Shoe \d+ is short of 1 card", found[-1].message):
                return lines, found
    raise AssertionError("no shoe of these tables is short")


def test_all_critical_findings_of_a_folder_are_alerts_proven_or_not(
    tmp_path: Path, short: tuple[list[bytes], list[Finding]]
) -> None:
    lines, found = short
    last = found[-1]
    assert (last.verdict, last.severity, last.check) == ("indeterminate", "critical", "integrity.shoe")
    grave = {one.finding_id for one in found if one.severity == "critical"}
    with closing(SqliteLog(tmp_path / LEDGER)) as ledger, embedded(Settings(data=str(tmp_path))) as held:
        recorder = Recorder(ledger, utc_now)
        with closing(SqliteDeskLog(tmp_path / "followed.db")) as log:
            desk = Desk(log, utc_now)
            alerting = Alerting(held, desk)
            ended = threading.Event()
            follower = threading.Thread(target=alerting.follow, args=(ended,))
            follower.start()
            recorder.record_lines([Arrival(line, "test") for line in lines])
            until(lambda: desk.alert(found[-1].finding_id) is not None, lambda: "no alert of a short shoe")
            ended.set()
            follower.join()
            assert {one.id for one in desk.snapshot().alerts} >= grave
        with closing(SqliteDeskLog(tmp_path / "stored.db")) as log:
            desk = Desk(log, utc_now)
            Raising(desk).of_store(held.store)
            assert {one.id for one in desk.snapshot().alerts} >= grave


@pytest.mark.parametrize(
    ("check", "changes", "asks"),
    [
        ("settlement.stake", {"missing": ("a card of hand 2.1",)}, True),
        ("settlement.stake", {"because_of": "f" * 32}, True),
        ("settlement.stake", {"because_of": "f" * 32, "verdict": "breached"}, True),
        ("settlement.stake", {"severity": "major"}, False),
        ("integrity.shoe", {"because_of": "f" * 32}, True),
        ("integrity.witness", {"verdict": "breached"}, True),
        ("integrity.witness", {"verdict": "breached", "severity": "minor"}, False),
        ("integrity.witness", {"verdict": "breached", "severity": "info"}, False),
        ("integrity.device", {"verdict": "breached", "severity": "major"}, True),
        ("integrity.device", {"verdict": "breached", "because_of": "f" * 32}, False),
        ("rack.order", {"verdict": "breached", "severity": "minor"}, True),
    ],
)
def test_what_is_grave_is_an_alert_but_a_word_that_was_lost_and_what_a_device_has_one_for(
    check: str, changes: dict[str, object], asks: bool
) -> None:
    grave = a_finding(check=check, severity="critical", verdict="indeterminate", money_cents=0)
    assert asks_for_alert(msgspec.structs.replace(grave, **changes)) is asks


@pytest.mark.parametrize(
    ("changes", "title"),
    [
        (
            {"missing": ("a card of hand 2.1",)},
            "Not proven (unseen: a card of hand 2.1): Blackjack paid 6:5; the table pays 3:2",
        ),
        (
            {
                "missing": (
                    "event 4 is missing",
                    "event 7 is missing",
                    "event 9 is missing",
                    "event 11 is missing",
                )
            },
            "Not proven (unseen: event 4 is missing, event 7 is missing, event 9 is missing and 1 more):"
            " Blackjack paid 6:5; the table pays 3:2",
        ),
        (
            {"because_of": "f" * 32},
            "Not proven (may only follow from an earlier finding): Blackjack paid 6:5; the table pays 3:2",
        ),
        ({}, "Not proven: Blackjack paid 6:5; the table pays 3:2"),
        (
            {"verdict": "interpretation", "reading": "A23"},
            "A breach by one reading of the rules alone (A23): Blackjack paid 6:5; the table pays 3:2",
        ),
        ({"verdict": "breached"}, "Blackjack paid 6:5; the table pays 3:2"),
    ],
)
def test_its_title_says_what_was_not_seen_wherever_it_stands(
    changes: dict[str, object], title: str, signed_in: SignedIn, console: Console
) -> None:
    plain = a_finding(severity="critical", verdict="indeterminate", money_cents=0)
    finding = msgspec.structs.replace(plain, **changes)
    console.desk.raise_alerts([a_raise(finding)])
    hale = signed_in("hale")
    [row] = hale.get("/api/alerts").json()["alerts"]
    assert row["message"] == title
    whole = hale.get(f"/api/alerts/{finding.finding_id}").json()
    assert whole["message"] == title
    assert whole.get("missing", []) == list(changes.get("missing", ()))  # type: ignore[call-overload] # a tuple
    doubt = {"indeterminate": "Not proven: ", "interpretation": "By one reading: "}.get(finding.verdict, "")
    line = row.get("title", row["message"])
    assert line == f"{doubt}Blackjack paid 6:5; the table pays 3:2"
    for path, shown in (
        ("/", line),
        (f"/alerts/{finding.finding_id}", title),
        (f"/alerts/{finding.finding_id}/panel", title),
    ):
        page = hale.get(path).text
        assert f">{shown}<" in page, path


class _At(msgspec.Struct):
    time: dt.datetime


def test_a_shoe_that_was_short_is_headed_as_short_wherever_it_stands(
    signed_in: SignedIn, short: tuple[list[bytes], list[Finding]], clock: Clock
) -> None:
    """A card of the shoe was exchanged for another: the number agrees, and the shoe is not whole."""
    last = short[1][-1]
    clock.now = msgspec.json.decode(short[0][-1], type=_At).time
    fay = signed_in("fay")
    page = " ".join(re.sub(r"<[^>]+>", " ", fay.get(f"/tables/{last.subject}").text).split())
    assert "whole batch" not in page
    assert "✕ in number as many as batch B1 has, but 1 card short" in page
    told = fay.get(f"/api/tables/{last.subject}").json()["shoe"]
    assert (told["short"], told["sign"], "1 card short" in told["standing"]) == (1, "✕", True)
    [line] = re.findall(
        rf"<tr[^>]*>(?:(?!</tr>).)*{last.subject}(?:(?!</tr>).)*</tr>",
        fay.get("/tables?view=list").text,
        re.S,
    )
    assert "1 card short" in line
    assert 'class="right" aria-hidden="true">✓</span> 312' not in line
