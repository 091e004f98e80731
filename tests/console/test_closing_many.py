"""Many alerts closed at once: each as if it were closed alone, and the store is asked a few questions for all."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from dashboards.accounts.accounts import Accounts, User
from dashboards.alerts.api import SeenAlert, do
from dashboards.alerts.wishes import Dispose
from dashboards.desk.alerts import Alert, Change
from dashboards.desk.decisions import Refused
from dashboards.desk.desk import Desk
from dashboards.ledger.acts import Raised
from dashboards.restitution.claims import Claim, Restitution
from dashboards.web.console import Console
from deploy.configured.desk_ledger import SqliteDeskLog
from processors.runtime.store.warehouse import Warehouse
from schemas.findings import Finding, finding_id
from tests.console.conftest import ORIGIN, Clock
from tests.console.test_money_of_no_day import Counting
from tests.console.test_money_without_stake import (
    LACKING,
    LATE,
    SignedIn,
    at_free_seat,
    decide,
    made,
    stakes,
    store,
)

__all__ = ["made", "stakes", "store"]  # fixtures
HALE = User("hale", "surveillance", "")


def found_at(place: Claim, number: int, **said: Any) -> Raised:
    """The alert of a finding about a stake."""
    sequence = place.first_sequence + 2
    finding = Finding(
        finding_id=finding_id(place.subject, "pay.blackjack", sequence, str(number)), check="pay.blackjack",
        cites=("13:69F-2.15",), verdict="breached", severity="major", subject=place.subject, round=place.round,
        sequence=sequence, sequences=(sequence,), expected=1, observed=2, money_cents=500, message="Paid wrongly",
        seat=place.seat,
    )  # fmt: skip
    return Raised(finding=replace(finding, **said), decided_at=place.time)


def of_all_sorts(made: Restitution, stakes: tuple[Claim, ...]) -> list[Raised]:
    """Alerts of owed stakes and of paid ones, some of one stake, of rounds that there are and are not."""
    lines = [*made.lines[:8], *stakes[:8]]
    raised = [found_at(one, number) for number, one in enumerate(lines)]
    free = at_free_seat(stakes)
    raised += [
        found_at(free, 100),
        found_at(free, 101, round=None),
        found_at(replace(free, round=9_999), 102),
        found_at(replace(free, first_sequence=1), 103),
        found_at(replace(free, first_sequence=LATE), 104),
        found_at(replace(free, subject="NONE"), 105),
        found_at(replace(free, subject=LACKING), 106),
        found_at(lines[0], 107, severity="critical"),
        found_at(lines[1], 108, hand="D"),
    ]
    return raised


@pytest.fixture
def a_desk(tmp_path: Path, accounts: Accounts, clock: Clock, store: Warehouse) -> Callable[[str], Console]:
    def make(name: str) -> Console:
        desk = Desk(SqliteDeskLog(tmp_path / f"{name}.db"), clock)
        return Console(desk, accounts, clock, (ORIGIN,), records=store)

    return make


def standing(console: Console, raised: Raised) -> Alert:
    alert = console.desk.alert(raised.finding.finding_id)
    assert alert is not None
    return alert


def told(answer: Change | Refused) -> tuple[object, ...]:
    if isinstance(answer, Refused):
        return type(answer).__name__, answer.why, getattr(answer, "cents", 0)
    return answer.act, replace(answer.alert, before=None)


@pytest.mark.parametrize("meant", [0, 300, 10**6])
@pytest.mark.parametrize("cents", [None, 500, 2_500, -500])
def test_of_many_alerts_each_is_closed_or_refused_as_if_it_were_closed_alone(
    cents: int | None,
    meant: int,
    a_desk: Callable[[str], Console],
    made: Restitution,
    stakes: tuple[Claim, ...],
) -> None:
    raised = of_all_sorts(made, stakes)
    wish = Dispose(disposition="dealer error", note="Paid.", money_cents=cents, beyond_cents=meant)
    answers = []
    for name in ("together", "alone"):
        console = a_desk(name)
        console.desk.raise_alerts(raised)
        decide(console.desk, made.lines[2], 500)
        seen = [SeenAlert(one.finding.finding_id, 1) for one in raised]
        seen.append(SeenAlert("nothing", 1))
        several = [tuple(seen)] if name == "together" else [(one,) for one in seen]
        answers.append([told(one) for part in several for one in do(console, HALE, wish, part)])
    assert answers[0] == answers[1]
    assert len(answers[0]) == len(raised) + 1
    kinds = {str(one[0]) for one in answers[0]}
    assert kinds >= {"disposed", "UnknownToDesk"}
    assert ("closing_proposed" in kinds) == (meant > 300 or (cents or 0) <= 0)
    assert ("BeyondDebt" in kinds) == ((cents or 0) > 0 and meant < 500)


def test_the_store_is_asked_no_more_for_500_alerts_than_a_few_questions_for_each_hundred(
    signed_in: SignedIn, console: Console, store: Warehouse, made: Restitution, stakes: tuple[Claim, ...]
) -> None:
    asked = []
    hale = signed_in("hale")
    for many in (5, 500):
        reader = Counting(store)
        raised = [found_at(stakes[at % len(stakes)], 1_000 * many + at) for at in range(many)]
        console.desk.raise_alerts(raised)
        wish = {"act": "disposed", "disposition": "dealer error", "note": "Paid.", "money_cents": 100}
        named = [{"id": one.finding.finding_id, "version": 1} for one in raised]
        object.__setattr__(console, "records", reader)
        object.__setattr__(console, "states", type(console.states)(reader))
        answer = hale.post("/api/acts", json={"wish": wish, "alerts": named})
        assert answer.status_code == 200
        assert len(answer.json()["done"]) + len(answer.json()["refused"]) == many
        asked.append(reader.asked)
    assert 0 < asked[0] <= 10
    assert asked[1] <= asked[0] + 15
