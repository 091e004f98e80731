"""One debt is not paid twice: a second dispute is proposed what is left, and pays more only where it is meant."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace as changed_to

from dashboards.debts.settling import Debt, Scope, SettledBy, beyond_debt, settle
from dashboards.desk.desk import Desk
from dashboards.ledger import dispute_acts as acts
from dashboards.ledger.acts import Withheld
from dashboards.web.console import Console
from deploy.configured.desk_ledger import SqliteDeskLog
from processors.games.named_stakes import MONEY_CHECKS
from processors.runtime.store.warehouse import Warehouse
from schemas.findings import Finding, finding_id
from tests.console.books import store_of
from tests.console.conftest import Browser, Clock
from tests.console.desk_building import T0, a_finding, a_raise
from tests.console.disputing import FIRST, ROUND, SEAT, act, fields_of, found, open_one, with_records
from tests.console.hands_building import SignedIn
from tests.console.test_dispute_letter import NAME, taken
from tests.drawing.streams import changed
from tests.embedded.ledgers import lines_of, subject_of

OWED = 10_000  # seat 6 staked $100.00, which was taken where it was to go back
PAY = {"act": "decided", "version": 1, "ruling": "for the patron", "reason": "22 pushes."}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Warehouse]:
    """In the engine itself: what lies around an alert is asked for in words that the store in memory lacks."""
    lines = list(changed(tuple(lines_of(NAME)), taken))
    with store_of(tmp_path_factory.mktemp("once"), {subject_of(NAME): lines}) as made:
        yield made


@pytest.fixture
def console(console: Console, store: Warehouse) -> Console:
    return replace(with_records(console), records=store)


def owed() -> Finding:
    """The finding of the record in which seat 6 is owed its stake."""
    return changed_to(found(), severity="major", money_cents=OWED)


def proposed(browser: Browser, dispute: str) -> str:
    return fields_of(browser.get(f"/disputes/{dispute}").text, f"/disputes/{dispute}/acts")["amount"]


def test_a_second_dispute_is_proposed_what_the_first_left_of_the_debt(signed_in: SignedIn) -> None:
    hale = signed_in("hale")
    first, second = open_one(hale), open_one(hale)
    assert (proposed(hale, first.id), proposed(hale, second.id)) == ("100.00", "100.00")
    page = hale.get(f"/disputes/{second.id}").text
    assert f'<a href="/disputes/{first.id}">{first.id}</a> is about the same stakes: open, nothing is' in page
    assert act(hale, first.id, **PAY, amount_cents=4_000)[0] == 200
    assert proposed(hale, second.id) == "60.00"
    page = hale.get(f"/disputes/{second.id}").text
    assert "As owed by the record, less what was settled of it already." in page
    assert f"{first.id}</a> is about the same stakes: decided for the patron, $40.00 to the patron." in page
    new = hale.get(f"/disputes/new?subject={first.subject}&round={ROUND}&seat={SEAT}").text
    assert fields_of(new, "/disputes")["claimed"] == "60.00"
    assert f"{first.id}</a> is about the same stakes: decided" in new
    assert act(hale, second.id, **PAY, amount_cents=6_000)[0] == 200
    third = open_one(hale)
    assert proposed(hale, third.id) == ""


def test_a_dispute_of_another_seat_takes_nothing_of_the_debt(signed_in: SignedIn) -> None:
    hale = signed_in("hale")
    other, mine = open_one(hale, seat=SEAT - 1), open_one(hale)
    assert act(hale, other.id, **PAY, amount_cents=OWED, beyond_cents=OWED)[0] == 200
    assert proposed(hale, mine.id) == "100.00"
    assert other.id not in hale.get(f"/disputes/{mine.id}").text


def test_a_decision_beyond_the_debt_is_refused_once_and_kept_where_it_is_meant(
    signed_in: SignedIn, console: Console, log: SqliteDeskLog, clock: Clock
) -> None:
    hale = signed_in("hale")
    first, second = open_one(hale), open_one(hale)
    assert act(hale, first.id, **PAY, amount_cents=OWED)[0] == 200
    status, told = act(hale, second.id, **PAY, amount_cents=OWED)
    assert status == 422
    assert told["detail"] == (
        "this pays $100.00 beyond the debt: the record owes the patron $100.00, and for the same stakes "
        "DIS-0001 settled $100.00 to the patron; if that is meant, say so and do it again"
    )
    path = f"/disputes/{second.id}/acts"
    fields = fields_of(hale.get(f"/disputes/{second.id}").text, path)
    fields |= {"act": "decided", "ruling": "for the patron", "amount": "100.00", "reason": "Goodwill"}
    refused = hale.post(path, data=fields)
    assert (refused.status_code, "Pay $100.00 beyond the debt: it is meant" in refused.text) == (422, True)
    assert "Goodwill" in refused.text
    [meant] = re.findall(r'<input type="checkbox" name="beyond" value="(\d+)"', refused.text)
    assert hale.post(path, data=fields | {"beyond": meant}, follow_redirects=False).status_code == 303
    told_again = console.desk.dispute(second.id)
    assert told_again is not None
    assert told_again.decision is not None
    assert (told_again.decision.amount_cents, told_again.decision.beyond_cents) == (OWED, OWED)
    assert "100.00 of it beyond the debt, as meant" in hale.get(f"/disputes/{second.id}").text
    assert Desk(log, clock).disputes() == console.desk.disputes()


def test_what_is_meant_beyond_the_debt_is_said_anew_where_another_dispute_was_decided_meanwhile(
    signed_in: SignedIn,
) -> None:
    hale = signed_in("hale")
    first, second = open_one(hale), open_one(hale)
    assert act(hale, first.id, **PAY, amount_cents=OWED)[0] == 200
    status, told = act(hale, second.id, **PAY, amount_cents=OWED + 500, beyond_cents=500)
    assert (status, "pays $105.00 beyond" in told["detail"]) == (422, True)


def test_the_second_person_is_told_that_the_debt_was_paid_while_the_decision_waited(
    signed_in: SignedIn,
) -> None:
    hale, ito = signed_in("hale"), signed_in("ito")
    first, second = open_one(hale), open_one(hale)
    great = PAY | {"amount_cents": 60_000}
    assert act(hale, second.id, **great)[0] == 422
    assert act(hale, second.id, **great, beyond_cents=50_000)[1]["dispute"]["status"] == "awaiting a second"
    assert act(hale, first.id, **PAY, amount_cents=OWED)[0] == 200
    status, told = act(ito, second.id, act="confirmed", version=2)
    assert (status, "pays $600.00 beyond the debt" in told["detail"]) == (422, True)
    form = {"csrf": "", "act": "confirmed", "version": "2"}
    page = ito.get(f"/disputes/{second.id}").text
    form |= {"csrf": fields_of(page, f"/disputes/{second.id}/acts")["csrf"]}
    refused = ito.post(f"/disputes/{second.id}/acts", data=form)
    assert 'name="beyond" value="60000"' in refused.text
    status, told = act(ito, second.id, act="confirmed", version=2, beyond_cents=60_000)
    assert (status, told["dispute"]["decision"]["beyond_cents"]) == (200, 60_000)


def test_the_alert_of_the_debt_names_the_disputes_about_it(signed_in: SignedIn, console: Console) -> None:
    hale, finding = signed_in("hale"), found()
    console.desk.raise_alerts([a_raise(finding)])
    one = open_one(hale)
    assert act(hale, one.id, **PAY, amount_cents=OWED)[0] == 200
    panel = hale.get(f"/alerts/{finding.finding_id}").text
    said = (
        f'<a href="/disputes/{one.id}">{one.id}</a> is about the same stakes: decided for the patron, $100.00'
    )
    assert said in panel


def test_a_dispute_that_is_withheld_counts_and_has_no_name(signed_in: SignedIn, console: Console) -> None:
    hale = signed_in("hale")
    first, second = open_one(hale, patron="P-secret"), open_one(hale)
    assert act(hale, first.id, **PAY, amount_cents=OWED)[0] == 200
    console.desk.note(Withheld(user="hale", kind="patron", value="P-secret"), "ann")
    page = hale.get(f"/disputes/{second.id}").text
    assert "A dispute that is not shown is about the same stakes: decided for the patron" in page
    status, told = act(hale, second.id, **PAY, amount_cents=OWED)
    assert (status, "a dispute that is not shown settled $100.00" in told["detail"]) == (422, True)
    assert first.id not in told["detail"] + page


def closed(browser: Browser, finding_id: str, **said: Any) -> Any:
    version = browser.get(f"/api/alerts/{finding_id}").json()["version"]
    wish = {"act": "disposed", "disposition": "dealer error", "note": "Paid at the table."} | said
    answer = browser.post(
        "/api/acts", json={"wish": wish, "alerts": [{"id": finding_id, "version": version}]}
    )
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_what_was_paid_when_an_alert_was_closed_is_settled_of_the_debt(
    signed_in: SignedIn, console: Console
) -> None:
    hale, finding = signed_in("hale"), owed()
    console.desk.raise_alerts([a_raise(finding)])
    page = hale.get(f"/alerts/{finding.finding_id}").text
    assert 'name="money_cents" value="10000"' in page
    assert "Paid to the patron: <b>$100.00</b>, still to be paid by the record" in page
    assert not closed(hale, finding.finding_id, dollars="40.00", side="loss")["refused"]
    one = open_one(hale)
    assert proposed(hale, one.id) == "60.00"
    page = hale.get(f"/disputes/{one.id}").text
    said = f'<a href="/alerts/{finding.finding_id}">Alert {finding.finding_id[:12]}</a> is about the same stakes: '
    assert f"{said}alert closed as dealer error, $40.00 to the patron." in page
    status, told = act(hale, one.id, **PAY, amount_cents=OWED)
    assert (status, "pays $40.00 beyond the debt" in told["detail"]) == (422, True)
    assert f"alert {finding.finding_id[:12]} settled $40.00 to the patron" in told["detail"]


def test_an_alert_is_proposed_nothing_of_what_a_dispute_settled(
    signed_in: SignedIn, console: Console
) -> None:
    hale, finding = signed_in("hale"), owed()
    console.desk.raise_alerts([a_raise(finding)])
    one = open_one(hale)
    assert act(hale, one.id, **PAY, amount_cents=4_000)[0] == 200
    assert 'name="money_cents" value="6000"' in hale.get(f"/alerts/{finding.finding_id}").text


SCOPE = Scope(subject="BJ-1", first_sequence=FIRST, seat=SEAT)
_PARTS = st.lists(st.tuples(st.sampled_from(acts.RULINGS), st.integers(-900, 900)), max_size=4)


def paid(number: int, ruling: acts.Ruling, cents: int) -> SettledBy:
    return SettledBy(
        source=f"DIS-{number:04d}",
        scope=SCOPE,
        ruling=ruling,
        said=ruling,
        amount=cents,
        at=T0.replace(microsecond=number),
        by="ann",
        withheld_with=frozenset(),
    )


def closing(number: int, cents: int) -> SettledBy:
    return changed_to(paid(number, "withdrawn", cents), ruling=None)


@pytest.mark.parametrize(
    ("owed", "before", "closed_with", "settled"),
    [
        (500, [], 300, 300),
        (500, [], 800, 500),  # what is more than the debt is the house's loss, and not paid beyond it
        (500, [], -300, 0),  # nothing to come back
        (-500, [], 300, 0),  # the house has lost it: nothing came back
        (-500, [], -300, -300),
        (500, [paid(1, "settled between", 200)], 300, 300),
        (500, [paid(1, "settled between", 200)], 200, 0),  # it tells of the same money
        (500, [paid(1, "for the house", 0)], 300, 300),
        (500, [closing(1, 200)], 200, 200),
    ],
)
def test_an_alert_that_is_closed_settles_a_debt_in_its_direction_unless_it_tells_of_a_disputes_money(
    owed: int, before: list[SettledBy], closed_with: int, settled: int
) -> None:
    debts = [Debt(seat=SEAT, hand=None, player=None, owed=owed)]
    [first] = settle(debts, before)
    [after] = settle(debts, [*before, closing(5, closed_with)])
    assert (after.part - first.part, after.beyond) == (settled, 0)
    [later] = settle(debts, [closing(5, closed_with), paid(9, "for the patron", 500)])
    assert later.beyond == (max(0, settled) if owed > 0 and not before else later.beyond)


def of_people(*debts: tuple[int, str | None, int]) -> list[Debt]:
    return [Debt(seat=seat, hand=None, player=player, owed=cents) for seat, player, cents in debts]


def rests(debts: list[Debt], *decided: SettledBy) -> list[tuple[int | None, int]]:
    """Of each debt what is left, and how much of that is ruled out."""
    return [(one.rest, one.ruled_out) for one in settle(debts, decided)]


def by_patron(ruling: acts.Ruling, cents: int, patron: str | None) -> SettledBy:
    return changed_to(
        paid(1, ruling, cents), scope=Scope(subject="BJ-1", first_sequence=FIRST, patron=patron)
    )


@pytest.mark.parametrize("told", [("for the house", 0), ("for the patron", 5_000), ("settled between", 1)])
def test_a_patron_who_is_owed_nothing_settles_and_denies_nobody_elses_debt(
    told: tuple[acts.Ruling, int],
) -> None:
    """Only stakes that were settled wrongly are in the list of who is to be paid back: of P there is none."""
    debts = of_people((5, "Q", 5_000))
    assert rests(debts, by_patron(*told, "P")) == [(5_000, 0)]
    assert rests(of_people((5, None, 5_000)), by_patron(*told, "P")) == [(5_000, 0)]


def test_an_amount_for_several_seats_goes_to_one_patron_or_to_all_where_it_is_the_sum() -> None:
    mine = of_people((3, "P", 10_000), (4, "P", 5_000), (5, "Q", 700))
    assert rests(mine, by_patron("for the patron", 15_000, "P")) == [(0, 0), (0, 0), (700, 0)]
    assert rests(mine, by_patron("settled between", 12_000, "P")) == [(0, 0), (3_000, 3_000), (700, 0)]
    assert rests(mine, by_patron("for the patron", 15_700, None)) == [(0, 0), (0, 0), (0, 0)]
    assert rests(mine, by_patron("for the patron", 9_000, None)) == [(10_000, 0), (5_000, 0), (700, 0)]
    both = of_people((3, "P", 10_000), (4, "Q", -4_000))
    assert rests(both, by_patron("for the patron", 6_000, None)) == [(10_000, 0), (-4_000, 0)]


def test_what_was_paid_to_nobody_in_particular_counts_against_a_second_decision() -> None:
    debts = of_people((3, "P", 10_000), (4, "Q", 5_000))
    before = by_patron("for the patron", 9_000, None)
    assert not settle(debts, [before])[0].shares[0].told
    for amount, beyond in ((1_000, 0), (1_001, 1), (10_000, 9_000)):
        assert beyond_debt(debts, changed_to(SCOPE, seat=3), [before], amount) == beyond


def test_the_amount_of_an_alert_goes_to_the_stake_that_its_finding_names() -> None:
    stakes = (("main", f"{SEAT}.1", 6_000), ("insurance", None, 4_000))
    debts = [Debt(seat=SEAT, hand=hand, player=None, owed=cents, kind=kind) for kind, hand, cents in stakes]
    check = "settlement.stake"
    named = finding_id(SCOPE.subject, check, 9, MONEY_CHECKS[check](SEAT, "insurance", None))
    of_insurance = changed_to(a_finding(9, check=check, subject=SCOPE.subject), finding_id=named)
    told = changed_to(closing(1, 4_000), finding=of_insurance)
    assert rests(debts, told) == [(6_000, 0), (0, 0)]


@given(owed=st.lists(st.one_of(st.none(), st.integers(-500, 500)), min_size=1, max_size=3), parts=_PARTS)
def test_every_amount_is_settled_or_beyond_and_no_cent_is_both(
    owed: list[int | None], parts: list[tuple[acts.Ruling, int]]
) -> None:
    debts = [Debt(seat=SEAT, hand=None, player=None, owed=cents) for cents in owed]
    decided = [paid(number, *part) for number, part in enumerate(parts)]
    left = settle(debts, decided)
    for debt, behind in zip(debts, left, strict=True):
        assert behind.rest == (None if debt.owed is None else debt.owed - behind.part)
    if None not in owed:
        assert sum(one.part + one.beyond for one in left) == sum(one.amount for one in decided)
        more = 700
        told = beyond_debt(debts, SCOPE, decided, more)
        after = settle(debts, [*decided, paid(99, "for the patron", more)])
        assert sum(one.beyond for one in after) - sum(one.beyond for one in left) == told


def test_an_unknown_debt_is_paid_once_without_asking_and_not_twice() -> None:
    debts = [Debt(seat=SEAT, hand=None, player=None, owed=None)]
    assert beyond_debt(debts, SCOPE, [], 500) == 0
    assert beyond_debt(None, SCOPE, [], 500) == 0
    before = paid(1, "for the patron", 500)
    for known in (debts, None):
        assert beyond_debt(known, SCOPE, [before], 500) == 500
    elsewhere = changed_to(before, scope=changed_to(SCOPE, seat=SEAT - 1))
    assert beyond_debt(debts, SCOPE, [elsewhere], 500) == 0
