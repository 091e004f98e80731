"""A console over tables with hands, and what tests of hands ask of it."""

import json
import re
from collections.abc import Callable, Iterator

import pytest

from dashboards.accounts.accounts import Accounts
from dashboards.desk.desk import Desk
from dashboards.web.console import Console
from deploy.configured.desk_ledger import SqliteDeskLog
from deploy.console.hand_ports import duties_by_ruleset, solve_rack
from processors.runtime.store.warehouse import Warehouse
from tests.console.conftest import ORIGIN, Browser, Clock
from tests.console.test_sign_in import accesses
from tests.drawing.streams import Event, changed, kind
from tests.embedded.ledgers import lines_of
from tests.hands.stored import floor, renamed
from tests.law.record import SUBJECT
from tests.law.script import play

SignedIn = Callable[[str], Browser]
TUCKED = [
    "wager 3", "deal 3:8s8d D:Tc2h", "split 3 6c", "hit 3.1 Tc", "tuck 3.1", "deal 3.2 Td", "stand 3.2", "dealer Kd",
    "settle 3 main 3.1 return 2500", "take 3.2", "rack_all", "end",
]  # fmt: skip
STREAMS = {
    "BJ-12": renamed("breach_overpay", "BJ-12"),
    "BJ-19": renamed("lawful_down_under_685a", "BJ-19"),
    "FP-21": renamed("lawful_fortune_670a10", "FP-21"),
    "BJ-20": renamed("breach_surrender_after_hit", "BJ-20"),
    SUBJECT: tuple(play(TUCKED, "free_bet_672a", {}).lines),
}
CARD = re.compile(r"\b(?:[2-9TJQKA][cdhs]|[2-9]|10|ace|king|queen|jack) of |\b[2-9TJQKA][cdhs]\b")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Warehouse]:
    with floor(tmp_path_factory.mktemp("hands"), STREAMS) as held:
        yield held


def a_console(desk: Desk, accounts: Accounts, clock: Clock, store: Warehouse) -> Console:
    video = "https://video.example/{camera}?t={time}"
    return Console(
        desk,
        accounts,
        clock,
        (ORIGIN,),
        records=store,
        duties=duties_by_ruleset(),
        solve_rack=solve_rack,
        video=video,
    )


@pytest.fixture
def console(log: SqliteDeskLog, accounts: Accounts, clock: Clock, store: Warehouse) -> Console:
    return a_console(Desk(log, clock), accounts, clock, store)


def listed(browser: Browser, **asked: object) -> list[dict[str, object]]:
    answer = browser.get("/api/hands", params={name: str(value) for name, value in asked.items()})
    assert answer.status_code == 200, answer.text
    return list(answer.json()["hands"])


def keys(hands: list[dict[str, object]]) -> list[tuple[object, object]]:
    return [(one["subject"], one["round"]) for one in hands]


def rounds_of(table: str) -> list[int]:
    return [json.loads(line)["data"]["round"] for line in STREAMS[table] if b"v1.round_started" in line]


def kept(log: SqliteDeskLog, user: str) -> list[tuple[str, bool]]:
    return [(one.object, one.granted) for who, one in accesses(log) if who == user and one.what == "record"]


LAWFUL = "lawful_free_bet_590"


def leaking() -> tuple[bytes, ...]:
    """A record that names each hole card when it is drawn, which no record may do."""
    stream = tuple(lines_of(LAWFUL))
    holes = [json.loads(line)["data"]["card"] for line in stream if b"v1.hole_card_revealed" in line]

    def named(event: Event) -> None:
        data = event["data"]
        if kind(event) == "card_drawn" and data["card"] == "??":
            data["card"] = holes[0]
        elif kind(event) == "card_placed" and data["hand"] == "D" and not data["face_up"]:
            data["card"] = holes.pop(0)

    return changed(stream, named)


def contradicted(lines: tuple[bytes, ...]) -> tuple[bytes, ...]:
    """The same record, in which the layout saw another card laid face down than the shoe says it gave up."""

    def other(event: Event) -> None:
        data = event["data"]
        if kind(event) == "card_placed" and data["hand"] == "D" and not data["face_up"]:
            data["card"] = "2c" if data["card"] != "2c" else "2d"

    return changed(lines, other)


def spot_of(lines: tuple[bytes, ...], word: bytes) -> int:
    return next(at for at, line in enumerate(lines) if word in line)


def shown(text: str) -> str:
    """What a page says without the cards it keeps to draw with, and without hashes."""
    text = re.sub(r"<symbol.*?</symbol>", "", text, flags=re.S)
    return re.sub(r"[0-9a-f]{64}|nonce-\w+|csrf\S+", "", text)
