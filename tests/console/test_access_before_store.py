"""Who may not read is refused, and the refusal kept, also while the store is away."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from dashboards.accounts.accounts import Accounts
from dashboards.desk.desk import Desk
from dashboards.reader.question import Parameter, RecordsAway
from dashboards.web.console import Console
from deploy.configured.desk_ledger import SqliteDeskLog
from tests.console.conftest import ORIGIN, Clock
from tests.console.test_rival_readings import SignedIn
from tests.console.test_sign_in import accesses

PATHS = [
    "/revenue/readings",
    "/revenue/readings/lines?place=A12&policy=best",
    "/revenue/owed",
    "/revenue/owed/csv",
]


class Away:
    """A store that does not answer."""

    def query(self, sql: str, parameters: Mapping[str, Parameter] | None = None) -> list[tuple[Any, ...]]:
        raise RecordsAway("no route")


@pytest.fixture
def console(log: SqliteDeskLog, accounts: Accounts, clock: Clock) -> Console:
    return Console(Desk(log, clock), accounts, clock, (ORIGIN,), records=Away())


@pytest.mark.parametrize("path", PATHS)
def test_a_refusal_needs_no_store_and_is_kept(path: str, signed_in: SignedIn, log: SqliteDeskLog) -> None:
    assert signed_in("hale").get(path).status_code == 403
    refused = [one.object for who, one in accesses(log) if who == "hale" and not one.granted]
    assert len(refused) == 1, refused
    assert signed_in("rex").get(path).status_code == 503
