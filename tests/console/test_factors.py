"""The second factor: enrolled where the role owes it, asked for at each sign-in, each code good once."""

import dataclasses
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pyotp
import pytest
from argon2 import PasswordHasher

from dashboards.accounts.accounts import Accounts
from dashboards.accounts.factors import FactorKeyError, Factors, enrolment_uri
from dashboards.accounts.one_time import PATH
from dashboards.accounts.roles import ROLE_NAMES
from dashboards.accounts.sign_in_rules import SignInRules
from dashboards.web.console import Console
from deploy.configured.desk_ledger import SqliteDeskLog
from tests.console.apps import browser_of
from tests.console.conftest import ORIGIN, PASSWORD, Browser, Clock
from tests.console.test_sign_in import accesses, account_changes

STEP = "__Host-catwalk-step"
COOKIE = "__Host-catwalk"


@pytest.fixture
def console(console: Console) -> Console:
    """Every role owes a second factor."""
    return dataclasses.replace(console, rules=SignInRules(factor_for=frozenset(ROLE_NAMES)))


def password(browser: Browser, name: str = "hale") -> str:
    """Give name and password; where the browser is sent."""
    browser.headers["origin"] = ORIGIN
    form = {"name": name, "password": PASSWORD}
    answer = browser.post("/sign-in", data=form, follow_redirects=False)
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def secret_on(text: str) -> str:
    found = re.search(r'class="secret">([A-Z2-7 ]+)<', text)
    assert found is not None
    return found.group(1).replace(" ", "")


def code_of(secret: str, clock: Clock, later: int = 0) -> str:
    return pyotp.TOTP(secret).at(int(clock().timestamp()) + 30 * later)


def enrolled(browser: Browser, clock: Clock, name: str = "hale") -> tuple[str, list[str]]:
    """Enrol at the first sign-in; secret and recovery codes."""
    assert password(browser, name) == "/sign-in/factor"
    secret = secret_on(browser.get("/sign-in/factor").text)
    answer = browser.post("/sign-in/factor", data={"code": code_of(secret, clock)})
    assert answer.status_code == 200, answer.text
    return secret, re.findall(r"<li><code>([a-z0-9-]+)</code>", answer.text)


def give(browser: Browser, code: str) -> int:
    return browser.post("/sign-in/code", data={"code": code}, follow_redirects=False).status_code


def test_a_role_that_owes_a_factor_enrols_one_before_anything_is_shown(
    browse: Callable[[], Browser], clock: Clock, log: SqliteDeskLog
) -> None:
    browser = browse()
    assert password(browser) == "/sign-in/factor"
    assert browser.get("/api/alerts").status_code == 401
    assert browser.post("/sign-in/factor", data={"code": "000000"}).status_code == 401
    secret = secret_on(browser.get("/sign-in/factor").text)
    picture = browser.get("/sign-in/factor.svg")
    assert (picture.headers["content-type"], picture.headers["cache-control"]) == (
        "image/svg+xml",
        "no-store",
    )
    assert "style" not in picture.text
    answer = browser.post("/sign-in/factor", data={"code": code_of(secret, clock)})
    assert len(set(re.findall(r"<li><code>([a-z0-9-]+)</code>", answer.text))) == 10
    assert browser.get("/api/alerts").status_code == 200
    assert STEP not in browser.cookies
    kept = [(access.granted, access.reason) for who, access in accesses(log) if access.what == "sign-in"]
    assert kept == [(False, "password right, factor to enrol owed"), (True, "password and new factor")]
    assert [(who, act.what) for who, act in account_changes(log)] == [("hale", "factor")]


def test_who_has_a_factor_is_asked_for_its_code_and_none_is_good_twice(
    browse: Callable[[], Browser], clock: Clock, log: SqliteDeskLog
) -> None:
    secret, _ = enrolled(browse(), clock)
    browser = browse()
    assert password(browser) == "/sign-in/code"
    assert browser.get("/api/alerts").status_code == 401
    assert browser.get("/sign-in/factor", follow_redirects=False).status_code == 303
    assert browser.get("/sign-in/factor.svg").status_code == 404
    assert give(browser, code_of(secret, clock)) == 401, "the one it was enrolled with is used"
    clock.forward(30)
    code = code_of(secret, clock)
    assert give(browser, f"{code[:3]} {code[3:]}") == 303
    assert browser.get("/api/alerts").status_code == 200
    other = browse()
    assert password(other) == "/sign-in/code"
    assert give(other, code) == 401
    assert give(other, code_of(secret, clock, -1)) == 401
    assert give(other, code_of(secret, clock, +1)) == 303, "a clock half a minute ahead"
    reasons = [access.reason for _, access in accesses(log) if access.what == "sign-in"]
    assert reasons.count("password and code") == 2
    assert reasons.count("wrong code") == 3


def test_a_code_of_another_time_or_user_or_shape_is_no_code(
    browse: Callable[[], Browser], clock: Clock
) -> None:
    secret, _ = enrolled(browse(), clock)
    other, _ = enrolled(browse(), clock, "ito")
    clock.forward(600)
    for wrong in (code_of(secret, clock, -2), code_of(secret, clock, 2), code_of(other, clock), "", "١٢٣٤٥٦"):
        browser = browse()
        password(browser)
        if code_of(secret, clock) != wrong:
            assert give(browser, wrong) == 401
        clock.forward(16 * 60)


def test_a_recovery_code_lets_in_once(
    browse: Callable[[], Browser], clock: Clock, accounts: Accounts
) -> None:
    _, codes = enrolled(browse(), clock)
    assert len(codes) == 10
    browser = browse()
    password(browser)
    assert give(browser, codes[3].upper().replace("-", " ")) == 303
    assert browser.get("/api/alerts").status_code == 200
    again = browse()
    password(again)
    assert give(again, codes[3]) == 401
    assert accounts.factors.left("hale") == 9
    stranger = browse()
    enrolled(stranger, clock, "ito")
    other = browse()
    password(other, "ito")
    assert give(other, codes[4]) == 401, "it is hale's"


def test_guessing_codes_ends_the_attempt_and_then_the_password_is_of_no_use(
    browse: Callable[[], Browser], clock: Clock
) -> None:
    secret, _ = enrolled(browse(), clock)
    clock.forward(60)
    browser = browse()
    password(browser)
    wrong = "000000" if code_of(secret, clock) != "000000" else "111111"
    assert [give(browser, wrong) for _ in range(5)] == [401] * 5
    assert give(browser, code_of(secret, clock)) == 303
    assert browser.get("/api/alerts").status_code == 401, "the first step is owed again"
    form = {"name": "hale", "password": PASSWORD}
    assert browser.post("/sign-in", data=form, follow_redirects=False).status_code == 401
    clock.forward(15 * 60)
    password(browser)
    assert give(browser, code_of(secret, clock)) == 303
    assert browser.get("/api/alerts").status_code == 200


def test_the_time_between_password_and_code_is_ten_minutes(
    browse: Callable[[], Browser], clock: Clock
) -> None:
    secret, _ = enrolled(browse(), clock)
    browser = browse()
    password(browser)
    clock.forward(600)
    assert give(browser, code_of(secret, clock)) == 303
    assert browser.get("/api/alerts").status_code == 401


def test_a_factor_that_is_taken_away_is_enrolled_anew(
    browse: Callable[[], Browser], clock: Clock, accounts: Accounts
) -> None:
    browser = browse()
    _, codes = enrolled(browser, clock)
    accounts.reset_factor("hale")
    assert browser.get("/api/alerts").status_code == 401
    again = browse()
    assert password(again) == "/sign-in/factor"
    assert accounts.factors.accept("hale", codes[0]) is None


def test_the_page_before_the_code_belongs_to_one_browser(browse: Callable[[], Browser], clock: Clock) -> None:
    enrolled(browse(), clock)
    one = browse()
    password(one)
    assert browse().get("/sign-in/code", follow_redirects=False).headers["location"] == "/sign-in"


def test_who_owes_none_but_has_one_is_asked_all_the_same(
    console: Console, accounts: Accounts, clock: Clock
) -> None:
    secret = accounts.factors.begin("hale", "a token")
    assert accounts.factors.confirm("hale", "a token", code_of(secret, clock)) is not None
    free = dataclasses.replace(console, rules=SignInRules())
    with browser_of(free) as browser:
        assert password(browser) == "/sign-in/code"
        assert password(browser, "ito") == "/"


def test_secrets_are_sealed_at_rest_with_a_key_and_opened_with_no_other(tmp_path: Path, clock: Clock) -> None:
    cheap = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    path = tmp_path / "sealed.db"
    plain = Accounts(path, clock, cheap)
    plain.add("hale", "floor", PASSWORD)
    secret = plain.factors.begin("hale", "t")
    codes = plain.factors.confirm("hale", "t", code_of(secret, clock))
    assert codes is not None
    dump = "\n".join(plain._file.connection.iterdump())
    assert secret in dump, "without a key the rights of the file are all that protects it"
    assert not any(code in dump or code.replace("-", "") in dump for code in codes)
    assert path.stat().st_mode & 0o777 == 0o600
    assert all(file.stat().st_mode & 0o077 == 0 for file in tmp_path.glob("sealed.db*"))
    plain.close()

    clock.forward(30)
    sealed = Accounts(path, clock, cheap, factor_key=b"k" * 32)
    assert sealed.factors.accept("hale", code_of(secret, clock)) == "code"
    assert secret not in "\n".join(sealed._file.connection.iterdump()), "sealed with the key given later"
    sealed.close()

    clock.forward(30)
    for key in (b"x" * 32, None):
        other = Accounts(path, clock, cheap, factor_key=key)
        with pytest.raises(FactorKeyError):
            other.factors.accept("hale", code_of(secret, clock))
        other.close()
    with pytest.raises(FactorKeyError, match="not 32"):
        Accounts(path, clock, cheap, factor_key=b"short")


def test_a_sealed_secret_moved_to_another_user_does_not_open(accounts: Accounts, clock: Clock) -> None:
    factors = Factors(accounts._file, clock, b"k" * 32)
    secret = factors.begin("hale", "t")
    assert factors.confirm("hale", "t", code_of(secret, clock)) is not None
    with accounts._file.transaction() as file:
        file.execute("UPDATE factors SET name = 'ito'")
    with pytest.raises(FactorKeyError):
        factors.accept("ito", code_of(secret, clock, 1))


def test_a_phone_reads_issuer_name_and_secret_from_the_picture() -> None:
    uri = enrolment_uri("hale", "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP")
    parsed = pyotp.parse_uri(uri)
    assert isinstance(parsed, pyotp.TOTP)
    assert (parsed.secret, parsed.name, parsed.issuer, parsed.interval, parsed.digits) == (
        "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP",
        "hale",
        "Catwalk",
        30,
        6,
    )


def test_the_record_of_a_factor_holds_no_secret(
    browse: Callable[[], Browser], clock: Clock, log: SqliteDeskLog
) -> None:
    secret, codes = enrolled(browse(), clock)
    written = b"\n".join(line for _, line in log.read_from(1)).decode()
    assert not any(word in written for word in (secret, *codes, PASSWORD))
    assert [act.what for _, act in account_changes(log)] == ["factor"]
    assert msgspec.json.decode(written.splitlines()[-1])["actor"] == "hale"


@pytest.mark.parametrize("purpose", ["sign-in", "password"])
def test_a_link_does_not_pass_by_the_second_factor(
    browse: Callable[[], Browser], clock: Clock, accounts: Accounts, purpose: Any
) -> None:
    enrolled(browse(), clock)
    token = accounts.one_time.make("hale", purpose)
    browser = browse()
    browser.headers["origin"] = ORIGIN
    path, form = PATH, {"token": token}
    if purpose == "password":
        path, form = (
            f"{PATH}/password",
            {"token": token, "new": "another long one", "again": "another long one"},
        )
    answer = browser.post(path, data=form, follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, "/sign-in/code")
    assert browser.get("/api/alerts").status_code == 401
