"""My account: one's own password, second factor and sign-ins, each changed after the password is given again."""

import re
from collections.abc import Callable

from dashboards.accounts.accounts import Accounts
from deploy.configured.desk_ledger import SqliteDeskLog
from tests.console.conftest import PASSWORD, Browser, Clock
from tests.console.test_factors import code_of, secret_on
from tests.console.test_sign_in import account_changes, attempt

SignedIn = Callable[[str], Browser]
NEW = "another long secret"


def send(browser: Browser, path: str, **form: str) -> tuple[int, str]:
    answer = browser.post(path, data={"csrf": browser.headers["x-csrf-token"], **form})
    return answer.status_code, answer.text


def test_a_password_is_changed_by_who_knows_the_old_one_and_ends_the_other_sign_ins(
    signed_in: SignedIn, browse: Callable[[], Browser], log: SqliteDeskLog
) -> None:
    here, there = signed_in("hale"), signed_in("hale")
    for old, new, again, why in (
        ("wrong", NEW, NEW, "not your password"),
        (PASSWORD, NEW, NEW + "x", "not the same"),
        (PASSWORD, "hale likes his name", "hale likes his name", "user&#39;s name"),
    ):
        status, text = send(here, "/account/password", old=old, new=new, again=again)
        assert (status, why in text) == (422, True)
    assert there.get("/api/alerts").status_code == 200
    status, text = send(here, "/account/password", old=PASSWORD, new=NEW, again=NEW)
    assert (status, "Your password is changed" in text) == (200, True)
    assert here.get("/api/alerts").status_code == 200
    assert there.get("/api/alerts").status_code == 401
    assert attempt(browse(), "hale") == 401
    assert [(who, act.user, act.what) for who, act in account_changes(log)] == [("hale", "hale", "password")]
    assert NEW.encode() not in b"".join(line for _, line in log.read_from(1))


def test_guessing_the_old_password_of_an_open_browser_is_limited_like_signing_in(
    signed_in: SignedIn, browse: Callable[[], Browser]
) -> None:
    here = signed_in("hale")
    for _ in range(5):
        send(here, "/account/password", old="wrong", new=NEW, again=NEW)
    assert send(here, "/account/password", old=PASSWORD, new=NEW, again=NEW)[0] == 422


def test_a_factor_is_set_up_by_who_gives_the_password_and_replaced_by_who_has_it(
    signed_in: SignedIn, accounts: Accounts, clock: Clock, log: SqliteDeskLog
) -> None:
    here, there = signed_in("hale"), signed_in("hale")
    assert here.get("/account/factor", follow_redirects=False).status_code == 303
    assert here.get("/account/factor.svg").status_code == 404
    assert send(here, "/account/factor", password="wrong")[0] == 422
    status, text = send(here, "/account/factor", password=PASSWORD)
    assert status == 200
    first = secret_on(text)
    assert here.get("/account/factor.svg").headers["content-type"] == "image/svg+xml"
    assert there.get("/account/factor.svg").status_code == 404, "it is shown where it was begun"
    assert send(here, "/account/factor/confirm", code="000000")[0] == 422
    assert not accounts.factors.has("hale")
    status, text = send(here, "/account/factor/confirm", code=code_of(first, clock))
    assert (status, len(re.findall(r"<li><code>", text))) == (200, 10)
    assert there.get("/api/alerts").status_code == 401
    clock.forward(60)
    assert send(here, "/account/factor", password=PASSWORD)[0] == 422, "a code of the old one is asked for"
    status, text = send(here, "/account/factor", password=PASSWORD, code=code_of(first, clock))
    second = secret_on(text)
    assert second != first
    assert send(here, "/account/factor/confirm", code=code_of(second, clock))[0] == 200
    clock.forward(60)
    assert accounts.factors.accept("hale", code_of(first, clock)) is None
    assert accounts.factors.accept("hale", code_of(second, clock)) == "code"
    assert [act.what for _, act in account_changes(log)] == ["factor", "factor"]


def test_who_is_signed_in_in_two_places_ends_the_other_one(signed_in: SignedIn, clock: Clock) -> None:
    there = signed_in("hale")
    clock.forward(60)
    here = signed_in("hale")
    page = here.get("/account").text
    (which,) = re.findall(r'name="which" value="([0-9a-f]+)"', page)
    assert send(here, "/account/sign-ins", which=which, password="wrong")[0] == 422
    assert there.get("/api/alerts").status_code == 200
    status, text = send(here, "/account/sign-ins", which=which, password=PASSWORD)
    assert (status, "1 of your sign-ins ended" in text) == (200, True)
    assert there.get("/api/alerts").status_code == 401
    assert send(here, "/account/sign-ins", which=which, password=PASSWORD)[0] == 404
    third = signed_in("hale")
    assert send(here, "/account/sign-ins", password=PASSWORD)[0] == 200
    assert third.get("/api/alerts").status_code == 401
    assert here.get("/api/alerts").status_code == 200


def test_nobody_ends_the_sign_in_of_another_user(signed_in: SignedIn, accounts: Accounts) -> None:
    ito, hale = signed_in("ito"), signed_in("hale")
    (one,) = accounts.sign_ins.of("ito")
    assert send(hale, "/account/sign-ins", which=one.id, password=PASSWORD)[0] == 404
    assert ito.get("/api/alerts").status_code == 200


def test_the_eleventh_sign_in_ends_the_one_that_was_used_the_longest_ago(
    accounts: Accounts, clock: Clock
) -> None:
    tokens = []
    for _ in range(11):
        tokens.append(accounts.sign_ins.begin("hale"))
        clock.forward(1)
    assert [accounts.sign_ins.user(token) is not None for token in tokens] == [False] + [True] * 10
