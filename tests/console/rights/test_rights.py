"""Every route of the console for every role: who may, who may not, and that each refusal is kept."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
from httpx import Response

from dashboards.accounts.accounts import NOBODY
from dashboards.desk.casework import open_case
from dashboards.desk.desk import Desk
from dashboards.web.console import Console
from deploy.configured.desk_ledger import SqliteDeskLog
from deploy.console.case_files import FolderFiles
from deploy.console.paging import Paging
from processors.detectors.paging import ONE_PAGE
from tests.console.apps import browser_of
from tests.console.conftest import ORIGIN, Browser, Clock, open_accounts
from tests.console.desk_building import a_raise
from tests.console.hands_building import STREAMS, a_console
from tests.console.rights.acts import ACTS, PDF
from tests.console.rights.reads import ALERT, READS, SUSPICION, UNKEPT
from tests.hands.stored import floor

USERS = ("hale", "fay", "rex", "otto", "ann", "")  # one of each role, and nobody
_ROWS = [(path, statuses) for statuses, paths in READS.items() for path in paths.split()]


class Rights:
    """A console of which everybody asks everything, and what it keeps of that."""

    def __init__(self, console: Console, browser: Browser, clock: Clock) -> None:
        self.console, self.browser, self.clock = console, browser, clock

    def sign_in(self, user: str) -> str:
        """The cookie of a sign-in."""
        return self.console.accounts.sign_ins.begin(user)

    def token(self, cookie: str) -> str:
        """What the pages of this sign-in send with what they send."""
        return self.console.accounts.sign_ins.user(cookie).csrf  # type: ignore[union-attr]  # it has begun

    def send(self, user: str, path: str, given: dict[str, Any] | None = None, **odd: str) -> Response:
        """Read the address, or send it something as its page does; `odd` is another token or origin."""
        browser, cookie = self.browser, self.sign_in(user) if user else ""
        browser.cookies.clear()
        browser.cookies.set(self.console.cookie, cookie)
        token = odd.get("token", self.token(cookie) if user else "")
        headers = {"origin": odd.get("origin", ORIGIN), "x-csrf-token": token}
        if given is None:
            return browser.get(path, follow_redirects=False)
        if path.startswith("/api/") and "file" not in given:
            return browser.post(path, json=given, headers=headers, follow_redirects=False)
        form = {"csrf": token} | {name: value for name, value in given.items() if name != "file"}
        files = {name: value for name, value in given.items() if name == "file"}
        return browser.post(path, data=form, files=files or None, headers=headers, follow_redirects=False)

    def kept(self, after: int) -> list[Any]:
        """The records behind this one, without those of how often nobody was refused, which come by the minute."""
        records = (msgspec.json.decode(line) for line in self.console.desk.lines(after + 1, 20))
        return [one for one in records if one["actor"] != NOBODY]

    def holds(self, statuses: str, path: str, given: dict[str, Any] | None = None) -> None:
        """Each role gets its status; a refusal is one record of who was refused, and a look is kept."""
        found = []
        self.clock.forward(3600)  # what was tried for the row before limits nothing of this one
        for user in USERS:
            before = self.console.desk.records
            found.append(self.send(user, path, given).status_code)
            kept = self.kept(before)
            if found[-1] == 403:
                told = [
                    (record["actor"], record["data"]["act"], record["data"]["granted"]) for record in kept
                ]
                assert told == [(user, "accessed", False)], (user, path)
            elif found[-1] == 200 and given is None and not path.startswith(UNKEPT):
                assert any(one["data"].get("granted") for one in kept if one["actor"] == user), (user, path)
        assert " ".join(map(str, found)) == statuses


@pytest.fixture(scope="module")
def rights(begun: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Rights]:
    """A console with an alert, a suspicion, a dispute that the floor asked for, and a case with a file."""
    folder, clock = tmp_path_factory.mktemp("rights"), Clock()
    log = SqliteDeskLog(Path(shutil.copy(begun / "desk.db", folder)))
    accounts = open_accounts(Path(shutil.copy(begun / "console.db", folder)), clock)
    paging = Paging(ONE_PAGE, lambda: 2)
    with floor(folder / "store", {"BJ-12": STREAMS["BJ-12"]}) as store:
        console = replace(
            a_console(Desk(log, clock), accounts, clock, store),
            files=FolderFiles(folder / "files"),
            patterns=paging.families,
            page_budget=paging.asked,
        )
        console.desk.raise_alerts([a_raise(ALERT), a_raise(SUSPICION, "D-411")])
        open_case(console.desk, "Payouts", "", [], "hale", "hale")
        with browser_of(console) as browser:
            made = Rights(console, browser, clock)
            asked = {"subject": "BJ-12", "round": 1, "claim": "x", "claimed_cents": 100}
            dispute = made.send("hale", "/api/disputes", asked | {"review": {"requested_by": "fay"}})
            file = made.send("hale", "/api/cases/CASE-0001/attachments", {"version": "1", "file": PDF})
            assert (dispute.status_code, file.status_code) == (201, 201)
            yield made
    accounts.close()
    log.close()


def test_every_route_is_in_a_table(rights: Rights) -> None:
    routes = {(method, one.path) for one in rights.browser.app.routes for method in _methods(one)}
    tables = [("GET", path) for path, _ in _ROWS] + [("POST", path) for path, _, _ in ACTS]
    held = {(method, _route(path.partition("?")[0], routes, method)) for method, path in tables}
    assert routes == held


def _methods(route: Any) -> set[str]:
    return set(route.methods) - {"OPTIONS"}  # the feed has none, and tests of its own


def _route(path: str, routes: set[tuple[str, str]], method: str) -> str:
    """The route that answers to an address: one without places for names before one with."""
    forms = sorted((form for of, form in routes if of == method), key=lambda form: form.count("{"))
    return next(form for form in forms if re.fullmatch(re.sub(r"\{\w+:\w+\}", "[^/]+", form), path))


@pytest.mark.parametrize(("path", "statuses"), _ROWS)
def test_each_role_reads_what_it_may(rights: Rights, path: str, statuses: str) -> None:
    rights.holds(statuses, path)


@pytest.mark.parametrize(("path", "given", "statuses"), ACTS)
def test_each_role_does_what_it_may(rights: Rights, path: str, given: dict[str, Any], statuses: str) -> None:
    rights.holds(statuses, path, given)


@pytest.mark.parametrize(("path", "given", "statuses"), ACTS)
def test_another_page_and_one_without_the_token_of_the_sign_in_do_nothing(
    rights: Rights, path: str, given: dict[str, Any], statuses: str
) -> None:
    user = next(user for user, status in zip(USERS, statuses.split(), strict=True) if status != "403")
    before = rights.console.desk.records
    odd = [
        {"origin": "https://elsewhere.test"},
        {"token": ""},
        {"token": rights.token(rights.sign_in("ito"))},
    ]
    if not path.startswith("/sign-in"):  # nobody has a token before
        assert [rights.send(user, path, given, **one).status_code for one in odd] == [403] * 3
    assert rights.send(user, path, given, **odd[0]).status_code == 403
    assert rights.kept(before) == []
