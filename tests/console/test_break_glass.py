"""Break-glass: who opens what is sealed, for how long, and what is kept of it before it opens."""

from collections.abc import Callable

import pytest

from dashboards.accounts.accounts import User
from dashboards.desk.desk import Desk
from dashboards.ledger.acts import GlassBroken, read
from dashboards.ledger.ledger import DeskUnavailable
from dashboards.web.console import Console
from deploy.configured.desk_ledger import SqliteDeskLog
from schemas.events.envelope import GENESIS
from tests.console.conftest import Browser, Clock
from tests.console.desk_building import a_finding, a_raise, after
from tests.console.test_sign_in import accesses

SignedIn = Callable[[str], Browser]
WISH = {"kind": "live_composition", "about": "BJ-12", "reason": "patron at seat 3 disputes the count"}
HALE = User("hale", "surveillance", "")
KIND, TABLE = "live_composition", "BJ-12"


class Known:
    """The tables of a store, by name."""

    def names(self) -> tuple[str, ...]:
        return ("BJ-12", "BJ-19")


@pytest.fixture(autouse=True)
def _tables(console: Console) -> None:
    object.__setattr__(console, "states", Known())


def opened(log: SqliteDeskLog) -> list[tuple[str, GlassBroken]]:
    found, head = [], GENESIS
    for sequence, line in log.read_from(1):
        record, head = read(line, sequence, head)
        if isinstance(record.data, GlassBroken):
            found.append((record.actor, record.data))
    return found


def test_it_opens_for_one_user_one_thing_and_a_quarter_of_an_hour(
    signed_in: SignedIn, console: Console, clock: Clock, log: SqliteDeskLog
) -> None:
    assert not console.opened(HALE, KIND, TABLE)
    answer = signed_in("hale").post("/api/openings", json=WISH)
    assert (answer.status_code, answer.json()) == (201, {"until": "2026-11-20T20:15:00Z"})
    assert console.opened(HALE, KIND, TABLE)
    assert not console.opened(HALE, KIND, "BJ-19")
    assert not console.opened(User("ito", "surveillance", ""), KIND, TABLE)
    clock.forward(15 * 60 - 1)
    assert console.opened(HALE, KIND, TABLE)
    clock.forward(1)
    assert not console.opened(HALE, KIND, TABLE)
    kept = GlassBroken(kind=KIND, about=TABLE, reason=WISH["reason"], until=after(900))
    assert opened(log) == [("hale", kept)]


def test_what_one_console_opened_is_open_at_the_others_and_after_a_restart(
    signed_in: SignedIn, console: Console, log: SqliteDeskLog, clock: Clock
) -> None:

    signed_in("hale").post("/api/openings", json=WISH)
    again = Console(Desk(log, clock), console.accounts, clock, console.origins)
    assert again.opened(HALE, KIND, TABLE)


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"reason": "  x        "}, 422),
        ({"reason": ""}, 422),
        ({"reason": "x" * 2001}, 400),
        ({"kind": "everything"}, 404),
        ({"until": "2027-01-01T00:00:00Z"}, 400),
    ],
)
def test_without_a_reason_it_stays_sealed(
    signed_in: SignedIn, log: SqliteDeskLog, change: dict[str, str], status: int
) -> None:
    assert signed_in("hale").post("/api/openings", json=WISH | change).status_code == status
    assert opened(log) == []
    assert [access.reason for who, access in accesses(log) if who == "hale" and not access.granted] == []


def test_nothing_opens_when_it_cannot_be_kept(
    signed_in: SignedIn, console: Console, log: SqliteDeskLog, monkeypatch: pytest.MonkeyPatch
) -> None:

    hale = signed_in("hale")

    def broken(*_: object) -> None:
        raise DeskUnavailable("disk full")

    monkeypatch.setattr(log, "append", broken)
    assert hale.post("/api/openings", json=WISH).status_code == 503
    assert not console.opened(HALE, KIND, TABLE)


def test_a_table_that_is_withheld_from_a_user_is_no_table_to_them(
    signed_in: SignedIn, log: SqliteDeskLog, console: Console
) -> None:
    console.desk.raise_alerts([a_raise(a_finding(subject=TABLE))])
    rule = {"user": "hale", "kind": "table", "value": TABLE, "withheld": True, "reason": "related"}
    assert signed_in("ann").post("/api/restrictions", json=rule).status_code == 204
    assert signed_in("hale").post("/api/openings", json=WISH).status_code == 404
    assert opened(log) == []


def test_a_table_that_does_not_exist_is_not_opened_and_who_asked_is_kept(
    signed_in: SignedIn, log: SqliteDeskLog
) -> None:
    answer = signed_in("hale").post("/api/openings", json=WISH | {"about": "BJ-99"})
    assert (answer.status_code, answer.json()["detail"]) == (404, "no such table")
    assert opened(log) == []
    refusals = [access.reason for who, access in accesses(log) if who == "hale" and not access.granted]
    assert refusals == ["no such table"]


def test_auditors_read_all_openings_and_others_their_own(signed_in: SignedIn, console: Console) -> None:
    for name, table in (("hale", "BJ-12"), ("ito", "BJ-19")):
        assert signed_in(name).post("/api/openings", json=WISH | {"about": table}).status_code == 201
    told = signed_in("otto").get("/api/openings").json()
    assert [(o["user"], o["about"], o["reason"]) for o in told] == [
        ("ito", "BJ-19", WISH["reason"]),
        ("hale", "BJ-12", WISH["reason"]),
    ]
    assert [o["user"] for o in signed_in("hale").get("/api/openings").json()] == ["hale"]
    assert signed_in("fay").get("/api/openings").json() == []
