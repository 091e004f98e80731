"""The console that shows every page there is, its store, and the pages that are open."""

from __future__ import annotations

import datetime as dt
import itertools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Browser, Page

from dashboards.accounts.provider import Provider, ProviderSettings
from dashboards.accounts.roles import ROLE_NAMES
from dashboards.accounts.sign_in_rules import SignInRules
from dashboards.desk.casework import act_on_case, open_case
from dashboards.desk.casework import case as case_of
from dashboards.ledger.case_acts import CaseNoted, CaseTaskAdded, CaseWaiting, Member
from dashboards.ledger.tuning_acts import TuningAsked, TuningConfirmed
from dashboards.reader.question import Parameter, Reader
from dashboards.web.vitals import Vital
from deploy.console.hand_ports import duties_by_ruleset, solve_rack
from deploy.console.server import utc_now
from tests.browser.site import PASSWORD, Site, a_finding, sample
from tests.browser.test_disputes import opened
from tests.console.books import store_of, streams
from tests.embedded.ledgers import lines_of
from tests.hands.stored import renamed

NUMBERS = itertools.count()


class Records:
    """The store, or one that does not answer, or one that holds nothing."""

    def __init__(self, store: Reader) -> None:
        self.store = store
        self.state = "there"

    def query(
        self, sql: str, parameters: Mapping[str, Parameter] = MappingProxyType({})
    ) -> list[tuple[Any, ...]]:
        if self.state == "away":
            raise ConnectionError("no route to the store")
        return self.store.query(sql, parameters) if self.state == "there" else []


@dataclass
class World:
    """The console of this module, its store, and the pages that are open."""

    site: Site
    records: Records
    chrome: Browser
    pages: dict[str, Page] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)

    def page(self, user: str | None) -> Page:
        """A page of this user; who is not signed in begins anew each time."""
        key = user or f"nobody {next(NUMBERS)}"
        if key not in self.pages:
            context = self.chrome.new_context(
                base_url=self.site.origin, viewport={"width": 1600, "height": 900}
            )
            if user is not None:
                session = self.site.sign_in(user)
                context.add_cookies([{"name": "catwalk", "value": session, "url": self.site.origin}])
            made = self.pages[key] = context.new_page()
            made.on("pageerror", lambda error: self.wrong.append(f"{made.url}: {error}"))
        return self.pages[key]

    def new_user(self) -> str:
        """Someone of the floor who has a password and no second factor yet."""
        assert self.site.console is not None
        name = f"newt{next(NUMBERS)}"
        self.site.console.accounts.add(name, "floor", PASSWORD)
        return name


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory, chrome: Browser) -> Iterator[World]:
    held = {name: lines for name, lines in streams().items() if name in ("FB-1", "C4-3")} | {
        "BJ-12": list(renamed("breach_overpay", "BJ-12")),
        "FP-21": list(renamed("lawful_fortune_670a10", "FP-21")),
        "FB-12": lines_of("breach_dealer22_paid"),
    }
    provider = ProviderSettings(
        issuer="https://id.example",
        client="catwalk",
        secret="none",
        redirect="http://127.0.0.1/sign-in/provider/return",
        roles={"cctv": "surveillance"},
        label="Boardwalk Holdings",
    )
    with store_of(tmp_path_factory.mktemp("everywhere"), held) as store:
        records = Records(store)
        settings: dict[str, Any] = {
            "records": records,
            "duties": duties_by_ruleset(),
            "solve_rack": solve_rack,
            "video": "https://video.example/{camera}?t={time}",
            "vitals": lambda: (Vital(part="Fold", state="warning", told="behind", remedy="start another"),),
            "rules": SignInRules(frozenset(ROLE_NAMES), provider=Provider(provider)),
        }
        site = Site(tmp_path_factory.mktemp("site"), settings)
        site.start()
        for finding, dealer in sample():
            site.raise_alerts(finding, dealer=dealer)
        whole = a_finding(82, "The whole table is meant", subject="BJ-12", check="rack.order")
        site.raise_alerts(msgspec.structs.replace(whole, seat=msgspec.UNSET, hand=msgspec.UNSET))
        opened(site)
        opened(site, days=-2, claim="My double was collected though I had 20 against 19. " * 6)
        a_case(site)
        a_tuning(site)
        made = World(site, records, chrome)
        try:
            yield made
        finally:
            for page in made.pages.values():
                page.context.close()
            site.stop()
    assert made.wrong == []


Act = Callable[[Page, World], None]


def a_tuning(site: Site) -> None:
    """One that is in force, and one that waits for a second person."""
    check = site.desk.snapshot().alerts[0].finding.check
    until = utc_now() + dt.timedelta(days=3)
    given: dict[str, Any] = {"check": check, "until": until, "reason": "The shoe is being mended."}
    asked = [
        TuningAsked(tuning="TUNE-0001", way="group", **given),
        TuningAsked(tuning="TUNE-0002", way="page never", **given),
    ]
    site.desk.decide("hale", lambda _state, _at: asked)
    site.desk.decide("ito", lambda _state, _at: [TuningConfirmed(tuning="TUNE-0001")])


def a_case(site: Site) -> None:
    """A case with a member of each kind, a task that is overdue, a note and a wait."""
    alert = site.desk.snapshot().alerts[0].id
    members = [
        Member(kind="alert", value=alert),
        Member(kind="dispute", value="DIS-0001"),
        Member(kind="hand", value="BJ-12/1/1", dealers=("D-1",)),
    ]
    name = open_case(
        site.desk, "Payouts of one dealer at two tables", "Six over a week.", members, "hale", "hale"
    ).id
    version = case_of(site.desk, name).version  # type: ignore[union-attr]  # it is there
    due = dt.date(2026, 1, 2)
    task = CaseTaskAdded(case=name, version=version, what="Ask for the recording", who="ito", by=due)
    act_on_case(site.desk, task, "hale")
    act_on_case(site.desk, CaseNoted(case=name, version=version + 1, note="Long words. " * 30), "ito")
    act_on_case(site.desk, CaseWaiting(case=name, version=version + 2, reason="the recording"), "ito")
