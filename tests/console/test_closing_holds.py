"""A closing settles until the second person confirms that the alert is opened again."""

from __future__ import annotations

import msgspec
import pytest

from dashboards.debts.begun import numbers_closed
from dashboards.debts.decided import closings
from dashboards.debts.settling import Debt, Scope, SettledBy, settle
from dashboards.desk.desk import Desk
from dashboards.desk.state import DeskState
from dashboards.ledger import acts
from deploy.configured.desk_ledger import SqliteDeskLog
from schemas.findings import Finding, finding_id
from tests.console.conftest import Clock
from tests.console.desk_building import T0

ROUND = ("BJ-12", 4)
FINDING = Finding(
    finding_id=finding_id("BJ-12", "pay.blackjack", 90, ""), check="pay.blackjack", cites=("13:69F-2.15",),
    verdict="breached", severity="critical", subject="BJ-12", round=4, sequence=90, sequences=(90,),
    expected=1, observed=2, money_cents=20_000, message="Paid amiss", seat=3,
)  # fmt: skip


@pytest.fixture
def desk(log: SqliteDeskLog, clock: Clock) -> Desk:
    made = Desk(log, clock)
    made.raise_alerts([acts.Raised(finding=FINDING, decided_at=T0)])
    return made


def settled(desk: Desk) -> int:
    """The cents that closings settle now."""
    alerts = desk.look(DeskState.settled)
    assert numbers_closed(alerts) <= {ROUND}
    return sum(one.amount for one in closings(alerts, {ROUND: (70,)}))


def act(desk: Desk, kind: type[acts.OnAlert], actor: str, **said: object) -> None:
    alert = desk.alert(FINDING.finding_id)
    assert alert is not None
    desk.act(msgspec.convert({"alert": alert.id, "version": alert.version, **said}, kind), actor)


@pytest.mark.parametrize("answer", ["reopening_confirmed", "reopening_declined", "reopening_withdrawn"])
def test_what_two_closed_is_settled_until_a_second_person_confirms_that_it_is_opened_again(
    desk: Desk, answer: str
) -> None:
    said = {"disposition": "dealer error", "note": "paid", "money_cents": 20_000}
    act(desk, acts.ClosingProposed, "ann", **said)
    assert settled(desk) == 0, "it waits for a second person"
    act(desk, acts.ClosingConfirmed, "bob")
    assert settled(desk) == 20_000
    act(desk, acts.ReopeningProposed, "ann", reason="another seat")
    assert settled(desk) == 20_000, "one person alone takes nothing back"
    who = "ann" if answer == "reopening_withdrawn" else "bob"
    reason = {"reason": "it stands"} if answer == "reopening_declined" else {}
    kinds = {one.__struct_config__.tag: one for one in (
        acts.ReopeningConfirmed, acts.ReopeningDeclined, acts.ReopeningWithdrawn
    )}  # fmt: skip
    act(desk, kinds[answer], who, **reason)
    assert settled(desk) == (0 if answer == "reopening_confirmed" else 20_000)


def test_an_amount_for_a_patron_whom_nobody_saw_stands_in_nobody_elses_line() -> None:
    others = [Debt(seat=1, hand=None, player="P-1", owed=0), Debt(seat=2, hand=None, player=None, owed=500)]
    told = SettledBy(
        source="DIS-0001", scope=Scope(subject="BJ-12", first_sequence=70, patron="P-9"), ruling="for the patron",
        said="for the patron", amount=5_000, at=T0, by="ann", withheld_with=frozenset(),
    )  # fmt: skip
    left = settle(others, [told])
    assert [(one.rest, one.part, one.beyond) for one in left] == [(0, 0, 0), (500, 0, 0)]
    assert [share.told for one in left for share in one.shares] == [False, False]
