"""What of an amount stands at no stake: all that its debts, and what is beyond them, do not have."""

from __future__ import annotations

import datetime as dt

from msgspec.structs import replace

from dashboards.debts.settling import Debt, Scope, SettledBy, beyond_debt, settle_round
from schemas.findings import Finding

SUBJECT, FIFTY = "FB-1", 5_000


def test_what_of_an_unknown_debt_is_not_settled_stands_at_no_stake() -> None:
    scope = Scope(subject=SUBJECT, first_sequence=4, seat=2)
    told = SettledBy(
        source="DIS-1", scope=scope, ruling="for the patron", said="", amount=FIFTY,
        at=dt.datetime(2026, 3, 2, tzinfo=dt.UTC), by="ann", withheld_with=frozenset(),
    )  # fmt: skip
    known = Debt(seat=2, hand="2.1", player=None, owed=2_000)
    unknown = Debt(seat=2, hand="2.2", player=None, owed=None)
    both = settle_round([known, unknown], [told])
    [rest] = both.without_stake
    assert (both.debts[0].part, rest.cents, rest.why) == (
        2_000,
        3_000,
        "the record does not show what is owed",
    )
    assert not settle_round([known], [told]).without_stake, "all of it is settled, or beyond the debt"
    closing = replace(told, ruling=None, source="a")
    assert not settle_round([known, unknown], [closing]).without_stake, "it may be a loss of the house"
    beyond = settle_round([known, unknown], [replace(closing, meant=3_000)])
    assert [one.part for one in beyond.debts] == [2_000, 0]
    assert [(one.cents, one.why) for one in beyond.without_stake] == [
        (3_000, "the record does not show what is owed")
    ], "it was meant beyond the debt that it settled"
    assert not settle_round([known], [replace(closing, meant=3_000)]).without_stake, (
        "all of it stands at the stake"
    )
    assert settle_round([], [closing]).without_stake[0].cents == FIFTY
    assert not settle_round([], [replace(closing, scope=replace(scope, seat=None))]).without_stake


def test_an_alert_that_tells_of_a_disputes_money_at_no_stake_asks_for_nothing_more() -> None:
    scope = Scope(subject=SUBJECT, first_sequence=4, seat=2)
    paid = SettledBy(
        source="DIS-1", scope=scope, ruling="for the patron", said="", amount=FIFTY,
        at=dt.datetime(2026, 3, 2, tzinfo=dt.UTC), by="ann", withheld_with=frozenset(),
    )  # fmt: skip
    finding = Finding(
        finding_id="f", check="pay.blackjack", cites=(), verdict="breached", severity="major", subject=SUBJECT, round=1,
        sequence=6, sequences=(6,), expected=1, observed=2, money_cents=0, message="", seat=2,
    )  # fmt: skip
    assert beyond_debt((), scope, [paid], FIFTY, finding) == 0
    assert beyond_debt((), scope, [paid], FIFTY + 1, finding) == FIFTY + 1
    assert beyond_debt((), replace(scope, seat=3), [paid], FIFTY, finding) == FIFTY
    nobody = replace(paid, scope=replace(scope, seat=None, patron="PX"))
    debts = [Debt(seat=5, hand="5.1", player="PY", owed=0)]
    assert beyond_debt(debts, scope, [nobody], FIFTY, finding) == 0, "that patron may have sat there"
    closing = replace(paid, source="f", ruling=None, finding=finding, at=paid.at + dt.timedelta(hours=1))
    both = settle_round(debts, [nobody, closing])
    assert [(one.settled_by.source, one.cents) for one in both.without_stake] == [("DIS-1", FIFTY)]
