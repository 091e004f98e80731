"""The console over a home of extreme lines, as `catwalk console` makes it, and every page about what it holds."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlencode

import httpx
import msgspec

from dashboards.accounts.accounts import Accounts
from dashboards.wording.addresses import part_of
from deploy.console.server import Served, wired
from deploy.settings import load
from tests.accepted.home import Home
from tests.console.apps import browser_of
from tests.console.conftest import ORIGIN, PASSWORD, ROLES, Browser

FIXED = (
    "/", "/account", "/cases", "/disputes", "/hands", "/patterns", "/patterns/budget", "/patterns/calibration",
    "/patterns/calibration.csv", "/shift", "/shift.pdf", "/shift/trends", "/status", "/tables", "/tables?view=list",
    "/tuning", "/watch", "/api/alerts", "/api/cases", "/api/disputes", "/api/hands", "/api/shift", "/api/shift/trends",
    "/api/status", "/api/tables", "/api/words?q=a", "/api/watch", "/api/tuning",
)  # fmt: skip
USERS = ROLES | {"otto": "auditor"}
OF_ALERT = ("/alerts/{}", "/alerts/{}/panel", "/api/alerts/{}", "/api/alerts/{}/picture")
OF_REVENUE = ("/revenue", "/api/revenue", "/api/revenue/hands", "/revenue/hands", "/revenue/slips",
              "/revenue/export.csv", "/revenue/export.xlsx", "/revenue/export.pdf")  # fmt: skip


class Pages:
    """The pages of one console, as people of some roles open them; a page that fails is remembered."""

    def __init__(self, browser: httpx.Client, signed_in: Mapping[str, Mapping[str, str]]) -> None:
        """One browser for all roles; who has signed in with a role sends these headers."""
        self._browser, self._signed_in = browser, signed_in
        self.opened = 0
        self.failed: list[str] = []

    def open(self, path: str, role: str = "surveillance", **sent: Any) -> Any:
        """Open a page, or send it something; what it answered."""
        headers = dict(self._signed_in[role])
        if sent:
            answer = self._browser.post(path, headers=headers, **sent)
        else:
            answer = self._browser.get(path, headers=headers, follow_redirects=False)
        self.opened += 1
        if answer.status_code >= 500:
            self.failed.append(f"{answer.status_code} {path[:200]}: {answer.text[:300]}")
        return answer


def _sign_in(browser: Browser, accounts: Accounts, name: str) -> dict[str, str]:
    """What a browser in which this user has signed in sends with each request."""
    form, origin = {"name": name, "password": PASSWORD}, {"origin": ORIGIN}
    assert browser.post("/sign-in", data=form, headers=origin, follow_redirects=False).status_code == 303
    token = browser.cookies["__Host-catwalk"]
    user = accounts.sign_ins.user(token)
    assert user is not None
    browser.cookies.clear()
    return origin | {"x-csrf-token": user.csrf, "cookie": f"__Host-catwalk={token}"}


@contextmanager
def pages_of(home: Home) -> Iterator[Pages]:
    """The console of the home, everything that its ledger holds folded and at the desk."""
    settings = msgspec.structs.replace(load().values, console_factor_roles="none")
    with wired(settings, Served("127.0.0.1", 443, (ORIGIN,))) as made:
        for name, role in USERS.items():
            made.accounts.add(name, role, PASSWORD)
        with browser_of(made.console) as browser:
            signed_in = {role: _sign_in(browser, made.accounts, name) for name, role in USERS.items()}
            yield Pages(browser, signed_in)


def every_page_answers(home: Home, pages: Pages, each: int) -> None:
    """Open every page, those about a table, hand, alert or person for one in so many of them."""
    for path in FIXED:
        pages.open(path)
    for table in home.tables:
        for path in ("/tables/{}", "/api/tables/{}", "/tables/{}/history", "/hands?table={}", "/find?q={}"):
            pages.open(path.format(table.subject))
    rounds, findings = home.rows("replayed", "rounds"), home.rows("replayed", "findings")
    for number, row in enumerate(rounds[::each]):
        _open_hand(pages, f"{row['subject']}/{row['round']}", number)
    _open_alerts(pages, [finding["finding_id"] for finding in findings[::each]])
    for finding in findings:
        if finding["verdict"] == "suspected":
            _open_alerts(
                pages, [finding["finding_id"]], ("/alerts/{}", "/patterns/{}", "/patterns/{}/report.pdf")
            )
    for row in rounds[:: 10 * each]:
        dispute = {"subject": row["subject"], "round": row["round"], "claim": "a claim", "claimed_cents": 100}
        made = pages.open("/api/disputes", json=dispute).json()
        pages.open(f"/disputes/{made.get('id')}")
        pages.open(f"/disputes/{made.get('id')}.pdf")
    for name in people_of(home, "staff", "player")[:: max(1, each // 2)]:
        for path in ("/dealers/{}", "/players/{}"):
            pages.open(path.format(part_of(name)))
        pages.open(f"/api/find?{urlencode({'q': name})}")
        pages.open(f"/hands?{urlencode({'dealer': name, 'q': name})}")
    _open_revenue(pages, sorted({row["gaming_day"] for row in rounds if row["gaming_day"]}))


def _open_hand(pages: Pages, hand: str, number: int) -> None:
    pages.open(f"/hands/{hand}")
    pages.open(f"/api/hands/{hand}")
    pages.open(f"/hands/{hand}?solve=true&seat=1&at={number * 7 + 1}")
    if number % 4 == 0:
        pages.open(f"/hands/{hand}/evidence.pdf")
        pages.open(f"/hands/{hand}/evidence.zip")


def _open_alerts(pages: Pages, alerts: Sequence[str], paths: Sequence[str] = OF_ALERT) -> None:
    for alert in alerts:
        for path in paths:
            pages.open(path.format(alert))


def _open_revenue(pages: Pages, days: Sequence[str]) -> None:
    for number, day in enumerate(days):
        for path in OF_REVENUE if number % 5 == 0 else OF_REVENUE[:4]:
            by = ("table", "game", "pit", "shift", "dealer", "day")[number % 6]
            asked = {"day": day, "period": ("day", "ytd")[number % 2], "by": by}
            pages.open(f"{path}?{urlencode(asked)}", "revenue")


def people_of(home: Home, *fields: str) -> list[str]:
    """Names that the lines give in these fields of an event's data."""
    told = (json.loads(line)["data"] for table in home.tables for line in table.lines)
    return sorted({data[name] for data in told for name in fields if isinstance(data.get(name), str)})
