"""Administration: what an admin does to users, what is kept of it, and what nobody may do."""

import html
import re
from collections.abc import Callable
from typing import Any

import pytest

from dashboards.accounts.accounts import AccountError, Accounts, User
from dashboards.accounts.one_time import PATH
from dashboards.desk.decisions import Refused
from dashboards.desk.desk import Desk
from dashboards.ledger.acts import Released, Withheld, read
from dashboards.ledger.ledger import DeskUnavailable
from dashboards.sign_in.restrictions import Kind, Restriction, restrict
from dashboards.web.console import Console
from deploy.configured.desk_ledger import SqliteDeskLog
from schemas.events.envelope import GENESIS
from tests.console.conftest import ORIGIN, PASSWORD, Browser, Clock
from tests.console.desk_building import a_finding, a_raise
from tests.console.test_account import send
from tests.console.test_factors import code_of
from tests.console.test_sign_in import accesses, account_changes, attempt

SignedIn = Callable[[str], Browser]
Browse = Callable[[], Browser]


def change(browser: Browser, user: str, what: str, **more: str) -> tuple[int, str]:
    return send(browser, "/admin/change", user=user, what=what, **{"reason": "asked by the shift", **more})


def link_in(text: str) -> str:
    found = re.search(r"<code>(\S+)</code>", text)
    assert found is not None, text
    return found.group(1)


def test_a_user_is_added_with_a_link_and_the_admin_never_knows_the_password(
    signed_in: SignedIn, browse: Browse, log: SqliteDeskLog
) -> None:
    ann = signed_in("ann")
    status, text = send(ann, "/admin/add", name="newt", role="floor", reason="new on the floor")
    assert status == 200
    link = link_in(text)
    assert link.startswith(f"{ORIGIN}{PATH}#")
    token = link.partition("#")[2]
    form = {"token": token, "new": PASSWORD, "again": PASSWORD}
    newt = browse()
    answer = newt.post(f"{PATH}/password", data=form, headers={"origin": ORIGIN}, follow_redirects=False)
    assert answer.status_code == 303
    assert newt.get("/api/alerts").status_code == 200
    kept = [(who, act.user, act.what, act.to, act.reason) for who, act in account_changes(log)]
    assert kept == [
        ("ann", "newt", "added", "floor", "new on the floor"),
        ("newt", "newt", "password", "", "one-time link"),
    ]
    assert token.encode() not in b"".join(line for _, line in log.read_from(1))


def test_each_act_upon_a_user_does_what_it_says_and_is_kept_with_who_whom_and_why(
    signed_in: SignedIn, browse: Browse, accounts: Accounts, clock: Clock, log: SqliteDeskLog
) -> None:
    ann, hale = signed_in("ann"), signed_in("hale")
    assert change(ann, "hale", "sign-ins ended")[0] == 200
    assert hale.get("/api/alerts").status_code == 401
    hale = signed_in("hale")
    assert change(ann, "hale", "role", role="revenue")[0] == 200
    assert hale.get("/api/alerts").status_code == 401
    assert ("hale", "revenue", False) in accounts.users()
    hale = signed_in("hale")
    assert change(ann, "hale", "disabled")[0] == 200
    assert hale.get("/api/alerts").status_code == 401
    assert attempt(browse(), "hale") == 401
    assert change(ann, "hale", "enabled")[0] == 200
    secret = accounts.factors.begin("hale", "t")
    assert accounts.factors.confirm("hale", "t", code_of(secret, clock)) is not None
    assert change(ann, "hale", "factor reset")[0] == 200
    assert not accounts.factors.has("hale")
    assert attempt(browse(), "hale") == 303
    status, text = change(ann, "hale", "link")
    assert status == 200
    assert attempt(browse(), "hale") == 303, "the old password is good until another one is chosen"
    assert link_in(text).startswith(f"{ORIGIN}{PATH}#")
    kept = [(who, act.user, act.what, act.to) for who, act in account_changes(log)]
    assert kept == [
        ("ann", "hale", "sign-ins ended", ""),
        ("ann", "hale", "role", "revenue"),
        ("ann", "hale", "disabled", ""),
        ("ann", "hale", "enabled", ""),
        ("ann", "hale", "factor reset", ""),
        ("ann", "hale", "link", ""),
    ]


def test_the_last_admin_can_neither_be_disabled_nor_lose_the_role(
    signed_in: SignedIn, accounts: Accounts, log: SqliteDeskLog
) -> None:
    ann = signed_in("ann")
    for what, more in (("disabled", {}), ("role", {"role": "floor"})):
        status, text = change(ann, "ann", what, **more)
        assert (status, "the last who gives out rights" in text) == (422, True)
    assert ann.get("/admin").status_code == 200
    assert account_changes(log) == []
    accounts.add("amy", "admin", PASSWORD)
    assert change(ann, "amy", "disabled")[0] == 200
    with pytest.raises(AccountError, match="the last"):
        accounts.disable("ann")
    accounts.enable("amy")
    assert change(ann, "ann", "disabled")[0] == 200
    assert ann.get("/admin", follow_redirects=False).status_code == 303


def test_what_somebody_else_tried_to_administer_is_kept(
    signed_in: SignedIn, log: SqliteDeskLog, accounts: Accounts
) -> None:
    browser, before = signed_in("hale"), accounts.users()
    browser.get("/admin")
    change(browser, "hale", "role", role="admin")
    send(browser, "/admin/add", name="mine", role="admin", reason="for me")
    held = {"user": "ito", "kind": "table", "value": "BJ-12", "act": "withhold", "reason": "just so"}
    send(browser, "/admin/withhold", **held)
    assert accounts.users() == before
    refused = [access.object for who, access in accesses(log) if who == "hale" and not access.granted]
    assert refused == ["administration", "role hale", "added mine", "withhold table BJ-12 of ito"]


def test_what_cannot_be_kept_is_not_done(
    signed_in: SignedIn, accounts: Accounts, log: SqliteDeskLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, before = signed_in("ann"), accounts.people()

    def broken(*_: object) -> None:
        raise DeskUnavailable("disk full")

    monkeypatch.setattr(log, "append", broken)
    assert change(ann, "hale", "disabled")[0] == 503
    assert change(ann, "hale", "role", role="admin")[0] == 503
    assert send(ann, "/admin/add", name="newt", role="floor", reason="new here")[0] == 503
    assert accounts.people() == before


@pytest.mark.parametrize(
    ("form", "why"),
    [
        ({"user": "nosuch", "what": "disabled"}, "there is no user nosuch"),
        ({"user": "", "what": "disabled"}, "there is no user"),
        ({"user": "hale", "what": "role", "role": "pilot"}, "no role"),
        ({"user": "hale", "what": "disabled", "reason": " "}, "say why"),
    ],
)
def test_what_will_not_do_is_said_on_the_page(
    signed_in: SignedIn, form: dict[str, str], why: str, log: SqliteDeskLog
) -> None:
    ann = signed_in("ann")
    status, text = send(ann, "/admin/change", **{"reason": "asked by the shift", **form})
    assert (status, why in text) == (422, True)
    assert account_changes(log) == []


def test_a_table_is_withheld_from_a_user_with_a_reason_and_released(
    signed_in: SignedIn, log: SqliteDeskLog, console: Console
) -> None:
    console.desk.raise_alerts([a_raise(a_finding())])
    ann = signed_in("ann")
    form = {"user": "hale", "kind": "table", "value": " BJ-12 ", "reason": "his brother deals there"}
    status, text = send(ann, "/admin/withhold", **form, act="withhold")
    assert (status, "Table BJ-12 is withheld from hale" in text) == (200, True)
    assert send(ann, "/admin/withhold", **form, act="withhold")[0] == 422
    assert send(ann, "/admin/withhold", **form, act="release")[0] == 200
    assert send(ann, "/admin/withhold", **form, act="release")[0] == 422
    for change in ({"user": "nosuch"}, {"value": " "}, {"reason": ""}):
        assert send(ann, "/admin/withhold", **form | change, act="withhold")[0] == 422
    assert [(who, type(act), act.value, act.reason) for who, act in restrictions(log)] == [
        ("ann", Withheld, "BJ-12", "his brother deals there"),
        ("ann", Released, "BJ-12", "his brother deals there"),
    ]


def restrictions(log: SqliteDeskLog) -> list[tuple[str, Withheld | Released]]:
    kept, head = [], GENESIS
    for sequence, line in log.read_from(1):
        record, head = read(line, sequence, head)
        if isinstance(record.data, Withheld | Released):
            kept.append((record.actor, record.data))
    return kept


@pytest.mark.parametrize(
    ("kind", "value", "why"),
    [
        ("table", "bj-12", "there is no table bj-12; did you mean BJ-12?"),
        ("table", "D105", "there is no table D105"),
        ("dealer", "D1O5", "there is no dealer D1O5; did you mean D105?"),
        ("dealer", "BJ-12", "there is no dealer BJ-12"),
        ("alert", a_finding().finding_id[:9], f"did you mean {a_finding().finding_id}?"),
        ("alert", "BJ-12", "there is no alert BJ-12"),
    ],
)
def test_what_there_is_not_is_not_withheld_by_page_or_interface_and_what_is_like_it_is_named(
    signed_in: SignedIn, console: Console, log: SqliteDeskLog, kind: str, value: str, why: str
) -> None:
    console.desk.raise_alerts([a_raise(a_finding())])
    ann = signed_in("ann")
    wish = {"user": "hale", "kind": kind, "value": value, "reason": "his brother deals there"}
    status, text = send(ann, "/admin/withhold", **wish, act="withhold")
    assert (status, why in html.unescape(text)) == (422, True)
    assert f'value="{value}"' in text, "what was typed is still there"
    answer = ann.post("/api/restrictions", json=wish | {"withheld": True})
    assert answer.status_code == 422
    assert why in answer.json()["detail"]
    assert restrictions(log) == []


def test_the_interface_asks_for_a_reason_and_keeps_it_with_the_address(
    signed_in: SignedIn, console: Console, log: SqliteDeskLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    console.desk.raise_alerts([a_raise(a_finding())])
    ann = signed_in("ann")
    monkeypatch.setattr("dashboards.sign_in.restrictions.current_address", lambda: "192.0.2.7")
    wish = {"user": "hale", "kind": "table", "value": "BJ-12", "withheld": True}
    for reason in ({}, {"reason": ""}, {"reason": "  x "}):
        assert ann.post("/api/restrictions", json=wish | reason).status_code == 422
    for kind in ("tables", "round", "user"):
        assert ann.post("/api/restrictions", json=wish | {"kind": kind, "reason": "why"}).status_code == 400
    assert ann.post("/api/restrictions", json=wish | {"reason": "his  brother"}).status_code == 204
    ((who, act),) = restrictions(log)
    assert (who, act.reason, act.address) == ("ann", "his brother", "192.0.2.7")
    refused = ann.post("/api/restrictions", json=wish | {"value": "BJ-1", "withheld": False, "reason": "why"})
    assert refused.json()["detail"] == "table BJ-1 is not withheld from hale; did you mean BJ-12?"


def test_tables_and_dealers_that_the_store_alone_knows_may_be_withheld(
    log: SqliteDeskLog, accounts: Accounts, clock: Clock
) -> None:
    class Store:
        def query(self, sql: str, parameters: object = None) -> list[tuple[Any, ...]]:
            return [("D-9",)] if "DISTINCT" in sql else [("PK-3", 1)]

    console = Console(Desk(log, clock), accounts, clock, (ORIGIN,), records=Store())
    ann = User("ann", "admin", "")
    known: tuple[tuple[Kind, str], ...] = (("table", "PK-3"), ("dealer", "D-9"))
    for kind, value in known:
        wish = Restriction(user="hale", kind=kind, value=value, withheld=True, reason="related")
        assert restrict(console, ann, wish) == value
    with pytest.raises(Refused, match="no table PK-4; did you mean PK-3"):
        restrict(
            console,
            ann,
            Restriction(user="hale", kind="table", value="PK-4", withheld=True, reason="related"),
        )
