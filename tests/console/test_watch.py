"""The watch list: who may add whom, where an entry shows, how an entry ends by itself, and the record of each act."""

from __future__ import annotations

import dataclasses
import datetime as dt
import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from dashboards.accounts.accounts import Accounts
from dashboards.desk.desk import Desk
from dashboards.ledger.acts import Raised, Withheld, write
from dashboards.ledger.watch_acts import WatchTaken
from dashboards.web.console import Console
from deploy.configured.desk_ledger import SqliteDeskLog
from processors.runtime.embedded.fold import EmbeddedFold
from processors.runtime.store.chdb_warehouse import ChdbWarehouse
from schemas.events.envelope import GENESIS
from tests.console.apps import browser_of
from tests.console.conftest import ORIGIN, Browser, Clock
from tests.console.desk_building import T0, a_finding
from tests.embedded.ledgers import filled, subject_of

STREAM = "breach_dealer22_paid"
TABLE = subject_of(STREAM)
Visit = Callable[[str], Browser]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ChdbWarehouse]:
    held = ChdbWarehouse(tmp_path_factory.mktemp("watch") / "warehouse")
    held.migrate()
    EmbeddedFold(filled((STREAM,), events=120), held).catch_up()
    yield held
    held.close()


@pytest.fixture(scope="module")
def patron(store: ChdbWarehouse) -> str:
    """Somebody who sat down before the first round."""
    [(first,)] = store.query("SELECT first_sequence FROM rounds FINAL WHERE round = 1")
    rows = store.query(
        "SELECT any(patron) FROM patrons FINAL WHERE seat > 0 AND sequence < {first:UInt32}", {"first": first}
    )
    return str(rows[0][0])


@pytest.fixture(scope="module")
def dealer(store: ChdbWarehouse) -> str:
    [(name,)] = store.query("SELECT any(dealer) FROM rounds FINAL WHERE round = 1")
    return str(name)


@pytest.fixture
def visit(console: Console, accounts: Accounts, store: ChdbWarehouse) -> Iterator[Visit]:
    with browser_of(dataclasses.replace(console, records=store)) as browser:

        def sign_in(name: str) -> Browser:
            token = accounts.sign_ins.begin(name)
            user = accounts.sign_ins.user(token)
            assert user is not None
            browser.cookies.set("__Host-catwalk", token)
            browser.headers.update({"origin": ORIGIN, "x-csrf-token": user.csrf})
            return browser

        yield sign_in


def _wish(kind: str, value: str, **given: Any) -> dict[str, Any]:
    day = (T0 + dt.timedelta(days=10)).date().isoformat()
    return {"act": "put", "kind": kind, "value": value, "reason": "tips, see case 7", "until": day} | given


def _records(console: Console, word: str) -> list[dict[str, Any]]:
    found = (json.loads(line) for line in console.desk.lines(1, 1_000))
    return [one["data"] for one in found if word in json.dumps(one["data"])]


def test_whoever_is_watched_is_marked_on_alerts_and_hands_until_the_end_and_no_longer(
    visit: Visit, console: Console, clock: Clock, store: ChdbWarehouse, dealer: str, patron: str
) -> None:
    sat = "SELECT seat, sequence FROM patrons FINAL WHERE patron = {patron:String} AND seat > 0 LIMIT 1"
    [(seat, sequence)] = store.query(sat, {"patron": patron})
    finding = replace(a_finding(sequence + 1, subject=TABLE), seat=seat)
    console.desk.raise_alerts([Raised(finding=finding, decided_at=T0, dealer=dealer)])
    paths = (f"/alerts/{finding.finding_id}", f"/alerts/{finding.finding_id}/panel", f"/hands/{TABLE}/1")
    assert not any("On the watch list" in visit("hale").get(path).text for path in paths)
    for kind, value in (("dealer", dealer), ("table", TABLE), ("player", patron)):
        assert visit("hale").post("/api/watch", json=_wish(kind, value)).status_code == 200
    for path in paths:
        page = visit("ito").get(path).text
        assert f"</a>: dealer {dealer}, until" in page, path
        assert f"</a>: table {TABLE}, until" in page
        assert f"</a>: patron {patron}, until" in page
    assert "On the watch list" not in visit("fay").get(paths[0]).text, "it is not the floor's"
    clock.now = dt.datetime(2026, 12, 1, tzinfo=dt.UTC) - dt.timedelta(seconds=1)
    assert len(visit("hale").get("/api/watch").json()) == 3
    clock.forward(1)
    assert visit("hale").get("/api/watch").json() == [], "it ends by itself"
    assert not any("On the watch list" in visit("hale").get(path).text for path in paths)
    assert "Nobody is watched" in visit("hale").get("/watch").text
    again = _wish("dealer", dealer, until="2026-12-20")
    assert visit("hale").post("/api/watch", json=again).status_code == 200, "what has ended can be put again"


def test_every_put_change_take_and_look_is_a_record_that_the_log_tells(
    visit: Visit, console: Console, log: SqliteDeskLog, clock: Clock, dealer: str
) -> None:
    assert visit("hale").post("/api/watch", json=_wish("dealer", dealer)).status_code == 200
    changed = _wish("dealer", dealer, act="changed", reason="longer", until="2026-12-24", version=1)
    assert visit("ito").post("/api/watch", json=changed).status_code == 200
    [entry] = visit("hale").get("/api/watch").json()
    assert (entry["reason"], entry["version"], entry["put_by"], entry["last_by"]) == (
        "longer",
        2,
        "hale",
        "ito",
    )
    assert entry["until"].startswith("2026-12-25T00:00:00")
    stale = visit("hale").post("/api/watch", json=changed | {"reason": "I saw the first"})
    assert (stale.status_code, "ito has changed it meanwhile" in stale.text) == (422, True)
    visit("hale").get("/watch")
    taken = _wish("dealer", dealer, act="taken", reason="cleared", version=2)
    assert visit("hale").post("/api/watch", json=taken).json() == []
    acts = [one["act"] for one in _records(console, f'"{dealer}"')]
    assert acts == ["watch_put", "watch_changed", "watch_taken"]
    looks = _records(console, "watch list")
    assert {(one["what"], one["granted"]) for one in looks} == {("record", True), ("page", True)}
    assert any(one["object"] == f"watch list: dealer {dealer}" for one in looks)
    told = visit("otto").get("/log", params={"about": f"dealer {dealer}"}).text
    for words in ("put on the watch list", "watch changed", "taken off the watch list", "reason: cleared"):
        assert words in told, words
    assert Desk(log, clock).look(lambda state: state.watched) == {}, "another console reads the same"


def test_auditors_are_offered_no_change_of_the_list_and_one_they_try_is_kept(
    visit: Visit, console: Console, dealer: str
) -> None:
    visit("otto").post("/api/watch", json=_wish("dealer", dealer))
    assert "Put on the list" not in visit("otto").get("/watch").text
    assert [one for one in _records(console, "watch put") if not one["granted"]]


@pytest.mark.parametrize(("watched", "kind"), [("dealer", "dealer"), ("player", "patron")])
def test_who_is_withheld_from_a_user_is_neither_shown_nor_watched_by_them(
    visit: Visit, console: Console, dealer: str, patron: str, watched: str, kind: Any
) -> None:
    value = {"dealer": dealer, "player": patron}[watched]
    assert visit("ito").post("/api/watch", json=_wish(watched, value)).status_code == 200
    for user in ("hale", "otto"):
        console.desk.note(Withheld(user=user, kind=kind, value=value), "ann")
    assert visit("hale").get("/api/watch").json() == []
    assert value not in visit("hale").get("/watch").text
    for act in ("put", "changed", "taken"):
        refused = visit("hale").post("/api/watch", json=_wish(watched, value, act=act))
        assert (refused.status_code, f"there is no {kind} {value}" in refused.text) == (422, True)
    assert "put on the watch list" not in visit("otto").get("/log", params={"what": "watch"}).text
    assert len(visit("ito").get("/api/watch").json()) == 1


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"until": "2026-11-19"}, "the end lies ahead, within 90 days"),
        ({"until": "2027-03-01"}, "the end lies ahead, within 90 days"),
        ({"until": None}, "say the last day"),
        ({"reason": " x "}, "say why, in 3 characters or more: auditors read it"),
        ({"value": " "}, "name the table"),
        ({"value": "FB-13"}, f"there is no table FB-13; like it are {TABLE}"),
        ({"kind": "player", "value": "P-nobody"}, "there is no patron P-nobody"),
        ({"act": "taken"}, "is not on the watch list"),
    ],
)
def test_what_cannot_be_done_is_said_and_changes_nothing(
    visit: Visit, console: Console, given: dict[str, Any], says: str
) -> None:
    answer = visit("hale").post("/api/watch", json=_wish("table", TABLE) | given)
    assert (answer.status_code, says in answer.text) == (422, True), answer.text
    assert console.desk.look(lambda state: state.watched) == {}


def test_the_forms_of_the_page_put_change_and_take_and_keep_what_was_written(
    visit: Visit, console: Console
) -> None:
    hale = visit("hale")
    csrf = {"csrf": hale.headers["x-csrf-token"]}
    wrong = hale.post("/watch", data=csrf | _wish("table", TABLE, until="some day"))
    assert (wrong.status_code, "cannot be read" in wrong.text, "tips, see case 7" in wrong.text) == (
        422,
        True,
        True,
    )
    put = hale.post("/watch", data=csrf | _wish("table", TABLE), follow_redirects=False)
    assert (put.status_code, put.headers["location"]) == (303, "/watch")
    assert f"Table {TABLE}" in hale.get("/watch").text
    again = hale.post("/watch", data=csrf | _wish("table", TABLE))
    assert "is on the watch list already" in again.text
    changed = {"act": "changed", "version": "1", "reason": "still"}
    assert hale.post("/watch", data=csrf | _wish("table", TABLE) | changed).status_code == 200
    taken = {"act": "taken", "version": "2", "reason": "over"}
    hale.post("/watch", data=csrf | _wish("table", TABLE) | taken)
    assert "Nobody is watched" in hale.get("/watch").text
    assert 'value="D-9"' in hale.get("/watch?kind=dealer&value=D-9").text


def test_a_ledger_that_takes_off_the_list_whom_nobody_put_there_is_altered(
    log: SqliteDeskLog, clock: Clock
) -> None:
    act = WatchTaken(kind="dealer", value="D-1", reason="odd", version=1)
    log.append([write(act, "hale", T0, 1)], 0, GENESIS)
    alarm = Desk(log, clock).alarm
    assert alarm is not None
    assert "is not on the watch list" in alarm.why
