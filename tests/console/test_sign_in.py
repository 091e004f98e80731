"""Who is let in, how long, and what is kept of it."""

import unicodedata
from collections.abc import Callable
from typing import Literal

import pytest

from dashboards.accounts import accounts as kept
from dashboards.accounts.accounts import AccountError, Accounts
from dashboards.ledger.acts import Accessed, AccountChanged, read
from dashboards.web.gate import REFRESH_HEADER
from deploy.configured.desk_ledger import SqliteDeskLog
from schemas.events.envelope import GENESIS
from tests.console.conftest import ORIGIN, PASSWORD, Browser, Clock

Browse = Callable[[], Browser]
Form = Literal["NFC", "NFD", "NFKC", "NFKD"]
SignedIn = Callable[[str], Browser]


def accesses(log: SqliteDeskLog) -> list[tuple[str, Accessed]]:
    found, head = [], GENESIS
    for sequence, line in log.read_from(1):
        record, head = read(line, sequence, head)
        if isinstance(record.data, Accessed):
            found.append((record.actor, record.data))
    return found


def account_changes(log: SqliteDeskLog) -> list[tuple[str, AccountChanged]]:
    found, head = [], GENESIS
    for sequence, line in log.read_from(1):
        record, head = read(line, sequence, head)
        if isinstance(record.data, AccountChanged):
            found.append((record.actor, record.data))
    return found


def attempt(browser: Browser, name: str, password: str = PASSWORD) -> int:
    form = {"name": name, "password": password}
    answer = browser.post("/sign-in", data=form, headers={"origin": ORIGIN}, follow_redirects=False)
    return answer.status_code


def test_without_sign_in_there_is_nothing_but_the_form_and_the_health(browse: Browse) -> None:
    browser = browse()
    assert browser.get("/health").json()["status"] == "ok"
    assert 'type="password"' in browser.get("/sign-in").text
    answer = browser.get("/", follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, "/sign-in")
    for path in ("/api/alerts", "/api/alerts/x", "/api/schema/openapi.json"):
        answer = browser.get(path)
        assert (answer.status_code, answer.json()) == (401, {"detail": "sign in first"})


def test_the_cookie_is_for_this_host_by_tls_and_no_script(browse: Browse) -> None:
    form = {"name": "hale", "password": PASSWORD}
    answer = browse().post("/sign-in", data=form, headers={"origin": ORIGIN}, follow_redirects=False)
    cookie = answer.headers["set-cookie"].lower()
    assert cookie.startswith("__host-catwalk=")
    for part in ("httponly", "secure", "samesite=strict", "path=/"):
        assert part in cookie
    assert "domain=" not in cookie


def test_a_wrong_name_and_a_wrong_password_read_the_same_and_are_kept(
    browse: Browse, log: SqliteDeskLog
) -> None:
    browser = browse()
    texts = set()
    for name, password in (("nosuch", PASSWORD), ("hale", "wrong"), ("hale", "x" * 300)):
        form = {"name": name, "password": password}
        answer = browser.post("/sign-in", data=form, headers={"origin": ORIGIN})
        assert answer.status_code == 401
        texts.add(answer.text)
    assert len(texts) == 1
    assert [(actor, access.granted, access.reason) for actor, access in accesses(log)] == [
        ("nobody", False, "no such user"),
        ("hale", False, "wrong password"),
        ("hale", False, "wrong password"),
    ]


def test_five_failures_lock_the_user_for_a_quarter_of_an_hour(browse: Browse, clock: Clock) -> None:
    browser = browse()
    assert [attempt(browser, "hale", "wrong") for _ in range(5)] == [401] * 5
    assert attempt(browser, "hale") == 401
    assert attempt(browser, "ito") == 303
    clock.forward(15 * 60 - 1)
    assert attempt(browser, "hale") == 401
    clock.forward(1)
    assert attempt(browser, "hale") == 303


def test_failures_that_are_not_in_a_row_do_not_lock(browse: Browse) -> None:
    browser = browse()
    for _ in range(3):
        assert [attempt(browser, "hale", "wrong") for _ in range(4)] == [401] * 4
        assert attempt(browser, "hale") == 303


@pytest.mark.parametrize("origin", [None, "null", "https://elsewhere.test", "http://console.test"])
def test_another_page_cannot_sign_someone_in(browse: Browse, origin: str | None) -> None:
    headers = {"origin": origin} if origin else {}
    form = {"name": "hale", "password": PASSWORD}
    assert browse().post("/sign-in", data=form, headers=headers).status_code == 403


def test_a_sign_in_ends_after_half_an_hour_without_use(signed_in: SignedIn, clock: Clock) -> None:
    browser = signed_in("hale")
    for _ in range(3):
        clock.forward(29 * 60)
        assert browser.get("/api/alerts").status_code == 200
    clock.forward(30 * 60)
    assert browser.get("/api/alerts").status_code == 401


def test_a_page_that_renews_itself_is_no_use_of_its_sign_in(signed_in: SignedIn, clock: Clock) -> None:
    browser = signed_in("hale")
    for _ in range(29):
        clock.forward(60)
        assert browser.get("/status", headers={REFRESH_HEADER: "1"}).status_code == 200
        assert browser.get("/api/feed").status_code == 200, (
            "a page asks it by itself when its feed is refused"
        )
    clock.forward(60)
    answer = browser.get("/status", headers={REFRESH_HEADER: "1"}, follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, "/sign-in")
    assert browser.get("/api/alerts").status_code == 401


def test_a_sign_in_ends_after_twelve_hours_of_use(signed_in: SignedIn, clock: Clock) -> None:
    browser = signed_in("hale")
    for _ in range(12 * 3 - 1):
        clock.forward(20 * 60)
        assert browser.get("/api/alerts").status_code == 200
    clock.forward(20 * 60)
    assert browser.get("/api/alerts").status_code == 401


def test_who_signs_out_is_out_even_with_the_old_cookie(signed_in: SignedIn) -> None:
    browser = signed_in("hale")
    token = browser.cookies["__Host-catwalk"]
    assert browser.post("/sign-out", data={"csrf": "wrong"}).status_code == 403
    form = {"csrf": browser.headers["x-csrf-token"]}
    answer = browser.post("/sign-out", data=form, follow_redirects=False)
    assert (answer.status_code, answer.headers["clear-site-data"]) == (303, '"cache"')
    browser.cookies.set("__Host-catwalk", token)
    assert browser.get("/api/alerts").status_code == 401


def test_who_signs_in_again_in_the_same_browser_has_one_sign_in(signed_in: SignedIn, browse: Browse) -> None:
    browser = signed_in("hale")
    before = browser.cookies["__Host-catwalk"]
    assert attempt(browser, "ito") == 303
    assert browser.cookies["__Host-catwalk"] != before
    stale = browse()
    stale.cookies.set("__Host-catwalk", before)
    assert stale.get("/api/alerts").status_code == 401


@pytest.mark.parametrize("how", ["disabled", "new password"])
def test_a_user_who_is_disabled_or_gets_a_new_password_is_out_at_once(
    signed_in: SignedIn, accounts: Accounts, how: str
) -> None:
    browser = signed_in("hale")
    if how == "disabled":
        accounts.disable("hale")
    else:
        accounts.set_password("hale", "another long secret")
    assert browser.get("/api/alerts").status_code == 401
    assert attempt(browser, "hale") == 401


def test_each_sign_in_has_its_own_token_and_the_file_holds_none_of_them(
    signed_in: SignedIn, accounts: Accounts
) -> None:
    tokens = {signed_in("hale").cookies["__Host-catwalk"] for _ in range(2)}
    assert len(tokens) == 2
    dump = "\n".join(accounts._file.connection.iterdump())
    assert PASSWORD not in dump
    assert not any(token in dump for token in tokens)
    assert "$argon2id$" in dump


@pytest.mark.parametrize(
    ("name", "role", "password", "why"),
    [
        ("Hale!", "floor", PASSWORD, "no user name"),
        ("desk", "floor", PASSWORD, "reserved"),
        ("hale", "floor", PASSWORD, "already"),
        ("new", "pilot", PASSWORD, "no role"),
        ("new", "floor", "elevenchars", "12 to 256"),
        ("new", "floor", "x" * 257, "12 to 256"),
        ("news", "floor", "the NEWS of today", "user's name"),
    ],
)
def test_accounts_that_will_not_do_are_not_made(
    accounts: Accounts, name: str, role: str, password: str, why: str
) -> None:
    before = accounts.users()
    with pytest.raises(AccountError, match=why):
        accounts.add(name, role, password)
    assert accounts.users() == before


@pytest.mark.parametrize(
    "written",
    ["Der Kühlschrank brummt leise", "zażółć gęślą jaźń 12", "Ångström läuft über", "ﬁnd the blue oﬃce"],
)
@pytest.mark.parametrize("made", ["NFC", "NFD", "NFKC"])
@pytest.mark.parametrize("typed", ["NFC", "NFD"])
def test_a_pass_phrase_is_the_same_in_whatever_form_a_system_writes_its_letters(
    accounts: Accounts, browse: Browse, written: str, made: Form, typed: Form
) -> None:
    accounts.add("mia", "floor", unicodedata.normalize(made, written))
    assert attempt(browse(), "mia", unicodedata.normalize(typed, written)) == 303
    assert attempt(browse(), "mia", unicodedata.normalize(typed, written) + "́") == 401


def test_a_pass_phrase_that_an_earlier_release_kept_as_it_was_typed_still_lets_in(
    accounts: Accounts, browse: Browse, monkeypatch: pytest.MonkeyPatch
) -> None:
    typed = unicodedata.normalize("NFD", "Der Kühlschrank brummt leise")
    with monkeypatch.context() as before:
        before.setattr(kept, "_composed", str)
        accounts.add("mia", "floor", typed)
    assert attempt(browse(), "mia", typed) == 303
