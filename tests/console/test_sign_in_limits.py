"""Guessing: stopped by name and address, without letting strangers lock anybody out; and where a request comes from."""

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from litestar.testing import TestClient

from dashboards.accounts.accounts import Accounts
from dashboards.accounts.attempts import ADDRESS_FAILURES, FAILURES, NAME_FAILURES
from dashboards.web.address import address_of, networks
from dashboards.web.console import Console
from deploy.configured.desk_ledger import SqliteDeskLog
from tests.console.apps import app_over
from tests.console.conftest import ORIGIN, PASSWORD, Browser, Clock
from tests.console.test_sign_in import accesses, attempt

HOME, OFFICE, STRANGER, OTHER = "192.0.2.7", "192.0.2.8", "203.0.113.9", "203.0.113.10"


@pytest.fixture
def at(console: Console) -> Iterator[Callable[[str], Browser]]:
    """A browser at an address."""
    with ExitStack() as stack:

        def browser(address: str) -> Browser:
            app: Any = stack.enter_context(app_over(console))

            async def from_there(scope: Any, receive: Any, send: Any) -> None:
                if scope["type"] == "http":
                    scope["client"] = (address, 50000)
                await app(scope, receive, send)

            return stack.enter_context(TestClient[Any](from_there, base_url=ORIGIN))

        yield browser


def test_a_stranger_who_guesses_locks_the_name_for_their_own_address_alone(
    at: Callable[[str], Browser],
) -> None:
    stranger = at(STRANGER)
    assert [attempt(stranger, "hale", "wrong") for _ in range(FAILURES)] == [401] * FAILURES
    assert attempt(stranger, "hale") == 401, "even with the right password"
    assert attempt(at(HOME), "hale") == 303


def test_an_address_from_which_too_much_fails_is_not_looked_at_for_a_while(
    at: Callable[[str], Browser], clock: Clock, log: SqliteDeskLog
) -> None:
    stranger = at(STRANGER)
    for number in range(ADDRESS_FAILURES):
        assert attempt(stranger, f"nosuch{number}", "wrong") == 401
    assert attempt(stranger, "hale") == 429
    assert attempt(at(HOME), "hale") == 303
    assert ("nobody", "too many failures from this address") in [(who, a.reason) for who, a in accesses(log)]
    clock.forward(15 * 60)
    assert attempt(stranger, "hale") == 303


def test_who_is_refused_again_and_again_is_kept_once_a_minute_with_how_often(
    at: Callable[[str], Browser], clock: Clock, log: SqliteDeskLog
) -> None:
    def refusals() -> list[tuple[str, str]]:
        told = (access for who, access in accesses(log) if who == "nobody")
        return [(one.address, one.reason) for one in told if "too many" in one.reason]

    stranger, other = at(STRANGER), at(OTHER)
    for number in range(ADDRESS_FAILURES):
        attempt(stranger, f"nosuch{number}", "wrong")
        attempt(other, f"nosuch{number}", "wrong")
    first = "too many failures from this address"
    for _ in range(50):
        assert attempt(stranger, "hale") == 429
    assert attempt(other, "hale") == 429
    assert refusals() == [(STRANGER, first), (OTHER, first)]
    clock.forward(60)
    for _ in range(500):
        if len(refusals()) > 2:
            break
        time.sleep(0.01)
    assert refusals()[2:] == [(STRANGER, f"49 more within a minute: {first}")]
    assert attempt(stranger, "hale") == 429
    assert refusals()[3:] == [(STRANGER, first)]


def test_guessing_from_many_addresses_stops_strangers_and_not_who_was_here_before(
    at: Callable[[str], Browser], accounts: Accounts, clock: Clock
) -> None:
    assert attempt(at(HOME), "hale") == 303
    for number in range(NAME_FAILURES):
        accounts.check("hale", "wrong", f"198.51.100.{number % 250}")
    assert accounts.check("hale", PASSWORD, "198.51.100.251").refused == "locked"
    assert attempt(at(STRANGER), "hale") == 401
    assert attempt(at(HOME), "hale") == 303
    assert attempt(at(STRANGER), "ito") == 303
    clock.forward(3600)
    assert attempt(at(STRANGER), "hale") == 303


def test_an_administrator_forgives_what_failed(accounts: Accounts) -> None:
    for _ in range(FAILURES):
        accounts.check("hale", "wrong", HOME)
    assert accounts.check("hale", PASSWORD, HOME).refused == "locked"
    accounts.enable("hale")
    assert accounts.check("hale", PASSWORD, HOME).refused is None


def test_a_subscriber_of_ipv6_is_one_address(accounts: Accounts) -> None:
    for number in range(FAILURES):
        accounts.check("hale", "wrong", f"2001:db8::{number}")
    assert accounts.check("hale", PASSWORD, "2001:db8::ffff").refused == "locked"
    assert accounts.check("hale", PASSWORD, "2001:db8:0:1::1").refused is None


def test_what_was_typed_for_a_name_that_nobody_has_is_kept_nowhere(
    at: Callable[[str], Browser], accounts: Accounts, log: SqliteDeskLog
) -> None:
    typed = "my-secret-typed-as-a-name"
    attempt(at(HOME), typed, "x")
    assert typed not in "\n".join(accounts._file.connection.iterdump())
    assert not any(typed.encode() in line for _, line in log.read_from(1))


def test_every_access_says_from_where(at: Callable[[str], Browser], log: SqliteDeskLog) -> None:
    browser = at(HOME)
    attempt(browser, "hale", "wrong")
    attempt(browser, "hale")
    browser.get("/api/alerts")
    assert [access.address for _, access in accesses(log)] == [HOME] * 3
    assert HOME in browser.get("/account").text


@pytest.mark.parametrize(
    ("peer", "forwarded", "address"),
    [
        ("192.0.2.7", [], "192.0.2.7"),
        ("192.0.2.7", ["203.0.113.9"], "192.0.2.7"),
        ("10.0.0.5", ["203.0.113.9"], "203.0.113.9"),
        ("10.0.0.5", ["1.1.1.1", "203.0.113.9", "10.0.0.6"], "203.0.113.9"),
        ("10.0.0.5", ["1.1.1.1", "203.0.113.9"], "203.0.113.9"),
        ("10.0.0.5", ["forged", "nonsense"], "10.0.0.5"),
        ("10.0.0.5", ["10.0.0.6"], "10.0.0.6"),
        ("10.0.0.5", [], "10.0.0.5"),
        ("10.0.0.5", ["203.0.113.9:4711"], "203.0.113.9"),
        ("10.0.0.5", ["[2001:db8::1]:4711"], "2001:db8::1"),
        ("::ffff:10.0.0.5", ["203.0.113.9"], "203.0.113.9"),
        ("testclient", ["203.0.113.9"], ""),
    ],
)
def test_a_proxy_is_believed_where_it_is_known_and_a_browser_never(
    peer: str, forwarded: list[str], address: str
) -> None:
    assert address_of(peer, forwarded, networks(["10.0.0.0/8"])) == address
