"""Links that are good once: for the first user of a demonstration, and to choose a first password."""

from collections.abc import Callable

import pytest

from dashboards.accounts.accounts import AccountError, Accounts
from dashboards.accounts.one_time import PATH
from deploy.configured.desk_ledger import SqliteDeskLog
from tests.console.conftest import ORIGIN, PASSWORD, Browser, Clock
from tests.console.test_sign_in import accesses, account_changes, attempt

Browse = Callable[[], Browser]


def use(browser: Browser, token: str) -> int:
    form = {"token": token}
    return browser.post(PATH, data=form, headers={"origin": ORIGIN}, follow_redirects=False).status_code


def test_a_link_signs_in_once(browse: Browse, accounts: Accounts, log: SqliteDeskLog) -> None:
    token = accounts.make_one_time("hale")
    browser = browse()
    for _ in range(3):
        assert browser.get(PATH).status_code == 200, "looking at it, as previews do, uses nothing up"
    assert use(browser, token) == 303
    assert browser.get("/api/alerts").status_code == 200
    other = browse()
    assert use(other, token) == 401
    assert other.get("/api/alerts").status_code == 401
    kept = [(who, access.granted, access.reason) for who, access in accesses(log) if access.what == "sign-in"]
    assert kept == [("hale", True, "one-time link"), ("nobody", False, "one-time link that is over")]


def test_a_link_is_over_after_a_quarter_of_an_hour(browse: Browse, accounts: Accounts, clock: Clock) -> None:
    first, second = accounts.make_one_time("hale"), accounts.make_one_time("ito")
    clock.forward(15 * 60 - 1)
    assert use(browse(), first) == 303
    clock.forward(1)
    assert use(browse(), second) == 401


def test_a_new_link_is_in_the_place_of_the_old_one(browse: Browse, accounts: Accounts) -> None:
    old, new = accounts.make_one_time("hale"), accounts.make_one_time("hale")
    assert use(browse(), old) == 401
    assert use(browse(), new) == 303


def test_a_link_of_a_user_who_is_disabled_is_worth_nothing(browse: Browse, accounts: Accounts) -> None:
    token = accounts.make_one_time("hale")
    accounts.disable("hale")
    assert use(browse(), token) == 401
    for name in ("hale", "nosuch"):
        with pytest.raises(AccountError, match="no user"):
            accounts.make_one_time(name)


def test_the_file_holds_no_token_and_another_page_uses_none_up(browse: Browse, accounts: Accounts) -> None:
    token = accounts.make_one_time("hale")
    assert token not in "\n".join(accounts._file.connection.iterdump())
    elsewhere = browse().post(PATH, data={"token": token}, headers={"origin": "https://elsewhere.test"})
    assert elsewhere.status_code == 403
    assert use(browse(), token) == 303


def test_who_has_no_password_yet_chooses_one_by_a_link(
    browse: Browse, accounts: Accounts, log: SqliteDeskLog
) -> None:
    accounts.add("newt", "surveillance")
    browser = browse()
    browser.headers["origin"] = ORIGIN
    assert attempt(browser, "newt", "") == 401
    token = accounts.one_time.make("newt", "password")
    page = browser.post(PATH, data={"token": token})
    assert "A password for newt" in page.text
    for new, again, why in (
        ("short", "short", "12 to 256"),
        ("iloveyou123456", "iloveyou123456", "guessed first"),
        (PASSWORD, PASSWORD + "x", "not the same"),
    ):
        form = {"token": token, "new": new, "again": again}
        answer = browser.post(f"{PATH}/password", data=form)
        assert (answer.status_code, why in answer.text) == (422, True)
    form = {"token": token, "new": PASSWORD, "again": PASSWORD}
    answer = browser.post(f"{PATH}/password", data=form, follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    assert browser.get("/api/alerts").status_code == 200
    assert [(who, act.user, act.what) for who, act in account_changes(log)] == [("newt", "newt", "password")]
    late = browse().post(f"{PATH}/password", data=form, headers={"origin": ORIGIN})
    assert late.status_code == 401
    assert attempt(browse(), "newt") == 303


def test_a_link_to_sign_in_chooses_no_password(browse: Browse, accounts: Accounts) -> None:
    token = accounts.make_one_time("hale")
    form = {"token": token, "new": "another long secret", "again": "another long secret"}
    answer = browse().post(f"{PATH}/password", data=form, headers={"origin": ORIGIN})
    assert answer.status_code == 401
    assert attempt(browse(), "hale") == 303
