"""Signing in at an identity provider: whom it vouches for is let in with the role it says, and nobody else."""

import dataclasses
import re
import socket
import time
from collections.abc import Iterator
from html import unescape
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from dashboards.accounts.accounts import Accounts
from dashboards.accounts.provider import NotVouchedFor, Provider, ProviderSettings
from dashboards.accounts.roles import ROLE_NAMES
from dashboards.accounts.sign_in_rules import SignInRules
from dashboards.web.console import Console
from deploy.configured.desk_ledger import SqliteDeskLog
from tests.console.apps import browser_of
from tests.console.conftest import ORIGIN, PASSWORD, Browser, Clock
from tests.console.id_provider import CLIENT, REDIRECT, SECRET, IdProvider, forged, rsa_key, serving
from tests.console.test_sign_in import accesses, account_changes

RETURN = "/sign-in/provider/return"
ROLES = {"cctv": "surveillance", "it": "admin"}


class Ticking:
    """Seconds for the provider's own short memory."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture(scope="module")
def served() -> Iterator[IdProvider]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
    with serving(port) as provider:
        yield provider


@pytest.fixture
def idp(served: IdProvider) -> IdProvider:
    """The provider as it was when new."""
    fresh = IdProvider(served.issuer)
    served.__dict__.update(fresh.__dict__)
    served.sign = served.signed
    return served


@pytest.fixture
def ticking() -> Ticking:
    return Ticking()


def provider_of(idp: IdProvider, ticking: Ticking, **changed: Any) -> Provider:
    settings: dict[str, Any] = {
        "issuer": idp.issuer,
        "client": CLIENT,
        "secret": SECRET,
        "redirect": REDIRECT,
        "roles": ROLES,
        "methods": frozenset({"mfa"}),
        "label": "Boardwalk Holdings",
    }
    return Provider(ProviderSettings(**settings | changed), patience=5.0, monotonic=ticking)


@pytest.fixture
def provider(idp: IdProvider, ticking: Ticking) -> Provider:
    return provider_of(idp, ticking)


@pytest.fixture
def console(console: Console, provider: Provider) -> Console:
    rules = SignInRules(factor_for=frozenset(ROLE_NAMES), provider=provider)
    return dataclasses.replace(console, rules=rules)


@pytest.fixture
def browser(console: Console) -> Iterator[Browser]:
    with browser_of(console) as opened:
        opened.headers["origin"] = ORIGIN
        yield opened


def away(browser: Browser) -> str:
    """Press the button; where the page sends the browser."""
    answer = browser.post("/sign-in/provider")
    assert answer.status_code == 200, answer.text
    found = re.search(r'<a href="([^"]+)">go there yourself', answer.text)
    assert found is not None
    return unescape(found.group(1))


def come_back(browser: Browser, told: dict[str, str]) -> int:
    return browser.get(RETURN, params=told).status_code


def signed_in(browser: Browser) -> bool:
    return browser.get("/account").url.path == "/account"


def why(log: SqliteDeskLog) -> str:
    """Why the last sign-in was refused."""
    reasons = [
        access.reason for _, access in accesses(log) if access.what == "sign-in" and not access.granted
    ]
    return reasons[-1] if reasons else ""


def test_whom_the_provider_vouches_for_is_let_in_with_the_role_it_says(
    browser: Browser, idp: IdProvider, accounts: Accounts, log: SqliteDeskLog
) -> None:
    assert "Sign in at Boardwalk Holdings" in browser.get("/sign-in").text
    answer = browser.get(RETURN, params=idp.signs_in(away(browser)))
    assert answer.status_code == 200, why(log)
    assert 'content="0;url=/"' in answer.text
    cookies = answer.headers.get_list("set-cookie")
    (session,) = [cookie for cookie in cookies if cookie.startswith("__Host-catwalk=")]
    assert "SameSite=strict" in session
    assert browser.get("/api/alerts").status_code == 200
    person = accounts.person("kim")
    assert person is not None
    assert (person.role, person.issuer, person.password) == ("surveillance", idp.issuer, False)
    kept = [(who, access.reason) for who, access in accesses(log) if access.what == "sign-in"]
    assert kept == [("kim", "provider")]
    page = browser.get("/account").text
    token = page.partition('name="csrf" value="')[2].partition('"')[0]
    assert browser.post("/account/factor", data={"csrf": token}).status_code == 404
    assert "vouches for you" in page
    assert "New password" not in page


def test_the_role_is_what_the_provider_says_at_each_sign_in(
    browser: Browser, idp: IdProvider, accounts: Accounts, log: SqliteDeskLog
) -> None:
    assert come_back(browser, idp.signs_in(away(browser))) == 200
    idp.claims["roles"] = "it"
    assert come_back(browser, idp.signs_in(away(browser))) == 200
    assert ("kim", "admin", False) in accounts.users()
    kept = [(who, act.user, act.what, act.to) for who, act in account_changes(log)]
    assert kept == [("kim", "kim", "added", "surveillance"), ("kim", "kim", "role", "admin")]
    assert browser.get("/api/alerts").status_code == 403
    assert browser.get("/admin").status_code == 200


def test_an_unknown_role_is_refused_and_kept(
    browser: Browser, idp: IdProvider, accounts: Accounts, log: SqliteDeskLog
) -> None:
    idp.claims["roles"] = ["kitchen"]
    answer = browser.get(RETURN, params=idp.signs_in(away(browser)))
    assert answer.status_code == 401
    assert "You were not let in" in answer.text
    assert "role" not in answer.text.lower().replace('role="alert"', "")
    assert why(log) == "provider: no role is set for what roles holds"
    assert accounts.person("kim") is None
    assert not signed_in(browser)


def test_a_role_may_lie_within_a_claim(idp: IdProvider, ticking: Ticking, accounts: Accounts) -> None:
    provider = provider_of(idp, ticking, role_claim="realm_access.roles")
    begun = accounts.flows.begin()
    idp.claims["realm_access"] = {"roles": ["x", "it", "cctv"]}
    told = idp.signs_in(provider.away_to(begun))
    assert provider.back_with(begun, told["code"], told["iss"]).role == "surveillance", (
        "the first that is set"
    )


def test_a_user_disabled_here_stays_out(
    browser: Browser, idp: IdProvider, accounts: Accounts, log: SqliteDeskLog
) -> None:
    assert come_back(browser, idp.signs_in(away(browser))) == 200
    accounts.disable("kim")
    assert not signed_in(browser)
    assert come_back(browser, idp.signs_in(away(browser))) == 401
    assert why(log) == "provider: kim: disabled"
    assert not signed_in(browser)


def test_nobody_gets_the_name_of_a_user_of_this_console_or_of_another_subject(
    browser: Browser, idp: IdProvider, log: SqliteDeskLog
) -> None:
    idp.claims["preferred_username"] = "hale"
    assert come_back(browser, idp.signs_in(away(browser))) == 401
    assert why(log) == "provider: hale: there is another user hale"
    idp.claims |= {"preferred_username": "kim", "sub": "0001"}
    assert come_back(browser, idp.signs_in(away(browser))) == 200
    idp.claims["sub"] = "0002"
    assert come_back(browser, idp.signs_in(away(browser))) == 401
    assert why(log) == "provider: kim: there is another user kim"
    idp.claims |= {"preferred_username": "kim2", "sub": "0001"}
    assert come_back(browser, idp.signs_in(away(browser))) == 401
    assert why(log) == "provider: kim2: the provider named this user kim before"


def test_a_user_of_the_provider_has_no_password_here(
    browser: Browser, idp: IdProvider, accounts: Accounts
) -> None:
    assert come_back(browser, idp.signs_in(away(browser))) == 200
    for password in ("", PASSWORD):
        assert accounts.check("kim", password).refused == "wrong password"
    with pytest.raises(Exception, match="no password here"):
        accounts.set_password("kim", PASSWORD)


@pytest.mark.parametrize(
    ("claims", "without", "reason"),
    [
        ({"aud": "another"}, set(), "InvalidAudienceError"),
        ({"aud": [CLIENT, "another"]}, set(), "for another client"),
        ({"azp": "another"}, set(), "for another client"),
        ({"iss": "http://127.0.0.1:1"}, set(), "InvalidIssuerError"),
        ({"exp": int(time.time()) - 120}, set(), "ExpiredSignatureError"),
        ({"iat": int(time.time()) + 3600}, set(), "ImmatureSignatureError"),
        ({"nbf": int(time.time()) + 3600}, set(), "ImmatureSignatureError"),
        ({"nonce": "of another sign-in"}, set(), "of another sign-in"),
        ({}, {"nonce"}, "MissingRequiredClaimError"),
        ({}, {"exp"}, "MissingRequiredClaimError"),
        ({}, {"sub"}, "MissingRequiredClaimError"),
        ({"amr": ["pwd"]}, set(), "no second factor"),
        ({"amr": "mfa"}, set(), "no second factor"),
        ({}, {"amr"}, "no second factor"),
        ({"preferred_username": "../../hale"}, set(), "no name of a user"),
        ({"preferred_username": "desk"}, set(), "no name of a user"),
        ({"preferred_username": 7}, set(), "names nobody"),
        ({"sub": ""}, set(), "names nobody"),
    ],
)
def test_a_token_that_is_not_for_this_sign_in_here_and_now_lets_nobody_in(
    browser: Browser,
    idp: IdProvider,
    log: SqliteDeskLog,
    claims: dict[str, Any],
    without: set[str],
    reason: str,
) -> None:
    idp.claims |= claims
    idp.without = without
    assert come_back(browser, idp.signs_in(away(browser))) == 401
    assert reason in why(log)
    assert not signed_in(browser)


@pytest.mark.parametrize(
    "how",
    [
        "tampered",
        "unsigned",
        "by the public key",
        "by a shared secret",
        "by another's key",
        "by an unknown key",
        "no token",
    ],
)
def test_a_forged_token_lets_nobody_in(
    browser: Browser, idp: IdProvider, log: SqliteDeskLog, accounts: Accounts, how: str
) -> None:
    idp.sign = forged(idp)[how]
    assert come_back(browser, idp.signs_in(away(browser))) == 401
    assert why(log).startswith("provider: the token")
    assert not signed_in(browser)
    assert accounts.person("kim") is None


def test_a_state_is_good_once_in_its_own_browser_and_for_ten_minutes(
    browser: Browser, console: Console, idp: IdProvider, log: SqliteDeskLog, clock: Clock
) -> None:
    told = idp.signs_in(away(browser))
    with browser_of(console) as other:
        assert other.get(RETURN, params=told).status_code == 401
        assert why(log) == "provider: no sign-in was begun with this state in this browser"
    assert come_back(browser, told) == 401, "the state was used up by the other browser"
    told = idp.signs_in(away(browser))
    assert come_back(browser, told | {"state": "guessed"}) == 401
    assert come_back(browser, told) == 200
    assert come_back(browser, told) == 401
    told = idp.signs_in(away(browser))
    clock.forward(600)
    assert come_back(browser, told) == 401


def test_a_code_of_another_flow_is_refused_by_its_verifier(
    browser: Browser, idp: IdProvider, log: SqliteDeskLog
) -> None:
    """Two flows of one browser, mixed up: the verifier is of the state, the code of the other."""
    first, second = away(browser), away(browser)
    stolen, own = idp.signs_in(first), idp.signs_in(second)
    assert come_back(browser, own | {"code": stolen["code"]}) == 401
    assert idp.refused == ["verifier"]
    assert why(log) == "provider: /token of the provider answered 400"


def test_an_answer_of_another_issuer_is_not_taken(
    browser: Browser, idp: IdProvider, log: SqliteDeskLog
) -> None:
    told = idp.signs_in(away(browser))
    assert come_back(browser, told | {"iss": "https://evil.example"}) == 401
    assert why(log) == "provider: the answer is another provider's"
    told = idp.signs_in(away(browser))
    del told["iss"]
    assert come_back(browser, told) == 401
    assert why(log) == "provider: the answer does not say whose it is"


def test_a_no_of_the_provider_is_a_no(browser: Browser, idp: IdProvider, log: SqliteDeskLog) -> None:
    told = idp.signs_in(away(browser))
    assert come_back(browser, {"state": told["state"], "error": "access_denied"}) == 401
    assert why(log) == "provider: the provider said no"


@pytest.mark.parametrize(
    ("described", "reason"),
    [
        ({"issuer": "http://127.0.0.1:1"}, "another issuer"),
        ({"token_endpoint": "http://elsewhere.test/token"}, "not reached by TLS"),
        ({"jwks_uri": None}, "jwks_uri"),
    ],
)
def test_a_provider_that_describes_itself_wrongly_is_not_believed(
    browser: Browser, idp: IdProvider, log: SqliteDeskLog, described: dict[str, Any], reason: str
) -> None:
    idp.described = described
    assert browser.post("/sign-in/provider").status_code == 503
    assert reason in why(log)


def test_a_provider_that_does_not_answer_is_said_and_the_password_still_works(
    console: Console, ticking: Ticking, idp: IdProvider, port: int, log: SqliteDeskLog
) -> None:
    gone = provider_of(idp, ticking, issuer=f"http://127.0.0.1:{port}")
    away_from = dataclasses.replace(console, rules=SignInRules(provider=gone))
    with browser_of(away_from) as browser:
        browser.headers["origin"] = ORIGIN
        assert browser.post("/sign-in/provider").status_code == 503
        assert why(log) == "provider: the provider did not answer: ConnectError"
        form = {"name": "hale", "password": PASSWORD}
        assert browser.post("/sign-in", data=form, follow_redirects=False).status_code == 303


def test_a_new_key_of_the_provider_is_looked_up_and_not_for_every_token(
    idp: IdProvider, provider: Provider, ticking: Ticking, accounts: Accounts
) -> None:
    def try_once() -> str:
        begun = accounts.flows.begin()
        told = idp.signs_in(provider.away_to(begun))
        return provider.back_with(begun, told["code"], told["iss"]).name

    assert try_once() == "kim"
    assert try_once() == "kim"
    assert idp.asked_for_keys == 1
    ticking.now += 61
    idp.keys["two"] = ec.generate_private_key(ec.SECP256R1())
    idp.sign = lambda claims: idp.signed(claims, "two")
    assert try_once() == "kim"
    assert idp.asked_for_keys == 2
    idp.sign = lambda claims: jwt.encode(claims, rsa_key("stranger"), "RS256", headers={"kid": "three"})
    for _ in range(3):
        with pytest.raises(NotVouchedFor, match="does not publish"):
            try_once()
    assert idp.asked_for_keys == 2


def test_the_context_of_authentication_may_be_asked_for(
    idp: IdProvider, ticking: Ticking, accounts: Accounts
) -> None:
    provider = provider_of(idp, ticking, methods=frozenset(), contexts=frozenset({"gold"}))
    begun = accounts.flows.begin()
    there = provider.away_to(begun)
    assert "acr_values=gold" in there
    told = idp.signs_in(there)
    with pytest.raises(NotVouchedFor, match="acr"):
        provider.back_with(begun, told["code"], told["iss"])
    idp.claims["acr"] = "gold"
    told = idp.signs_in(there)
    assert provider.back_with(begun, told["code"], told["iss"]).subject == "0001"


def test_a_provider_is_reached_by_tls_and_its_secret_is_shown_nowhere() -> None:
    settings: dict[str, Any] = {"client": CLIENT, "secret": SECRET, "redirect": REDIRECT, "roles": ROLES}
    with pytest.raises(ValueError, match="not reached by TLS"):
        ProviderSettings(issuer="http://id.example", **settings)
    assert SECRET not in repr(ProviderSettings(issuer="https://id.example", **settings))
