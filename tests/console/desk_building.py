"""Findings, acts and a state of the desk, built in one line each."""

import datetime as dt

from dashboards.desk.alerts import Change
from dashboards.desk.decisions import permit
from dashboards.desk.state import DeskState
from dashboards.ledger.acts import Act, OnAlert, Raised, write
from schemas.findings import Finding, Severity, Verdict, finding_id

T0 = dt.datetime(2026, 11, 20, 20, tzinfo=dt.UTC)


def after(seconds: float) -> dt.datetime:
    return T0 + dt.timedelta(seconds=seconds)


def a_finding(
    number: int = 1,
    *,
    check: str = "pay.blackjack",
    subject: str = "BJ-12",
    severity: Severity = "major",
    verdict: Verdict = "breached",
    money_cents: int = 3000,
) -> Finding:
    return Finding(
        finding_id=finding_id(subject, check, number, ""),
        check=check,
        cites=("13:69F-2.15",),
        verdict=verdict,
        severity=severity,
        subject=subject,
        round=7,
        sequence=number,
        sequences=(number,),
        expected=15000,
        observed=12000,
        money_cents=money_cents,
        message="Blackjack paid 6:5; the table pays 3:2",
    )


def a_raise(finding: Finding, dealer: str | None = "D105", at: dt.datetime = T0) -> Raised:
    return Raised(finding=finding, decided_at=at, dealer=dealer)


def take(state: DeskState, act: Act, actor: str = "hale", at: dt.datetime = T0) -> Change | None:
    return state.take(write(act, actor, at, state.sequence + 1, state.head))


def perform(state: DeskState, act: OnAlert, actor: str = "hale", at: dt.datetime = T0) -> Change:
    permit(state, act, actor, at)
    change = take(state, act, actor, at)
    assert change is not None
    return change
