"""Alerts closed with money where the record has no stake: counted once, and shown to whoever may see them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from dashboards.debts.settling import SAME_MATTER
from dashboards.ledger.acts import Raised, Withheld
from dashboards.ledger.dispute_acts import DisputeLinked
from dashboards.restitution.claims import NOT_SHOWN, Claim, Restitution
from dashboards.restitution.money_days import ruled_of_days
from dashboards.restitution.rulings import NO_NUMBER, NO_ROUND
from dashboards.web.console import Console
from processors.runtime.store.warehouse import Warehouse
from tests.console.conftest import Clock
from tests.console.disputing import act
from tests.console.test_closed_once import closed_for
from tests.console.test_debt_once import PAY
from tests.console.test_money_without_stake import (
    FIFTY,
    LATE,
    SUBJECT,
    SignedIn,
    at_free_seat,
    close,
    decide,
    finding_of,
    made,
    opened,
    ruled,
    stakes,
    store,
)
from tests.console.test_revenue_luck import DAY

__all__ = ["made", "stakes", "store"]  # fixtures


def test_an_alert_of_a_seat_without_a_stake_is_told_once_beside_the_dispute_that_paid_as_much(
    console: Console, store: Warehouse, stakes: tuple[Claim, ...], clock: Clock
) -> None:
    free, desk = at_free_seat(stakes), console.desk
    alert = close(desk, free, FIFTY)
    [one] = ruled(store, desk).without_stake
    assert (one.disputes[0].alert, one.disputes[0].dispute, one.without_stake) == (alert.id, None, FIFTY)
    assert one.disputes[0].ruling == "alert closed as dealer error"
    dispute = decide(desk, free, 700)
    assert ruled(store, desk).paid_total == FIFTY + 700
    clock.forward(60)
    close(desk, free, 700)
    told = ruled(store, desk)
    assert told.paid_total == FIFTY + 700, "it tells of the money of the dispute"
    assert [one.disputes[0].dispute for one in told.without_stake] == [None, dispute.id]


@pytest.mark.parametrize("numbered", [True, False])
@pytest.mark.parametrize("alert_first", [True, False])
def test_an_alert_of_no_round_and_the_dispute_that_was_opened_with_it_are_the_same_money(
    alert_first: bool,
    numbered: bool,
    console: Console,
    store: Warehouse,
    stakes: tuple[Claim, ...],
    clock: Clock,
) -> None:
    desk, place = console.desk, at_free_seat(stakes)
    if numbered:
        place = replace(place, round=9_999)
    raised = finding_of(place, FIFTY, numbered=numbered).finding_id
    done: list[Callable[[], object]] = [
        lambda: close(desk, place, FIFTY, numbered=numbered),
        lambda: decide(desk, place, FIFTY, alert=raised),
    ]
    for one in done if alert_first else done[::-1]:
        one()
        clock.forward(60)
    [told] = ruled(store, desk).without_stake
    assert told.disputes[0].dispute is not None
    assert ruled(store, desk).paid_total == FIFTY
    close(desk, place, FIFTY - 100, numbered=numbered)
    assert ruled(store, desk).paid_total == 2 * FIFTY - 100, "another alert, with another amount"


@pytest.mark.parametrize("numbered", [True, False])
@pytest.mark.parametrize(("closed_with", "more"), [(7_000, 2_000), (3_000, 0)])
def test_an_alert_of_no_round_that_is_closed_after_its_dispute_pays_what_it_tells_of_beyond_the_decision(
    closed_with: int,
    more: int,
    numbered: bool,
    signed_in: SignedIn,
    console: Console,
    stakes: tuple[Claim, ...],
    clock: Clock,
) -> None:
    hale, desk, place = signed_in("hale"), console.desk, at_free_seat(stakes)
    if numbered:
        place = replace(place, round=9_999)
    finding = finding_of(place, FIFTY, numbered=numbered)
    desk.raise_alerts([Raised(finding=finding, decided_at=place.time)])
    dispute = opened(desk, place, alert=finding.finding_id)
    # The record of the round is there, and owes the seat nothing.
    decision = PAY | ({} if numbered else {"beyond_cents": FIFTY})
    assert act(hale, dispute.id, **decision, amount_cents=FIFTY)[0] == 200
    clock.forward(60)
    assert closed_for(hale, finding.finding_id, money_cents=closed_with).status_code == 200
    page = signed_in("otto").get(f"/revenue/owed?day={DAY}").text
    apart = page[page.index('id="apart"') :]
    rows = apart[apart.index("<tbody>") : apart.index("</tbody>")]
    assert (f"{dispute.id}: for the patron, $50.00 to the patron" in rows, SAME_MATTER in rows) == (
        True,
        True,
    )
    alert = f"Alert {finding.finding_id[:12]}: alert closed as dealer error"
    assert f"{alert}, ${closed_with / 100:.2f} to the patron" in rows
    assert f'<data id="without-stake">{(FIFTY + more) / 100:.2f}</data> to patrons' in page


def test_a_dispute_that_pays_more_than_its_alert_as_it_is_meant_pays_beside_it(
    signed_in: SignedIn, console: Console, store: Warehouse, stakes: tuple[Claim, ...], clock: Clock
) -> None:
    desk, place = console.desk, replace(at_free_seat(stakes), round=9_999)
    alert = close(desk, place, FIFTY)
    clock.forward(60)
    dispute = opened(desk, place, alert=alert.id)
    hale = signed_in("hale")
    assert act(hale, dispute.id, **PAY, amount_cents=700)[0] == 422
    assert act(hale, dispute.id, **PAY, amount_cents=700, beyond_cents=700)[0] == 200
    assert ruled(store, desk).paid_total == FIFTY + 700


def test_money_back_from_a_patron_is_told_by_no_dispute_that_paid_the_patron(
    console: Console, store: Warehouse, stakes: tuple[Claim, ...], clock: Clock
) -> None:
    desk, place = console.desk, replace(at_free_seat(stakes), round=9_999)
    decide(desk, place, FIFTY, alert=finding_of(place, -700).finding_id)
    clock.forward(60)
    close(desk, place, -700)
    told = ruled(store, desk)
    assert (told.paid_total, told.returned_total) == (FIFTY, 700)


@pytest.mark.parametrize(
    ("first", "second", "elsewhere", "total"),
    [
        (4_000, 4_100, False, 4_000 + 4_100),
        (3_000, FIFTY, False, 3_000 + FIFTY),  # the second is the decision's money
        (3_000, 1_000, False, FIFTY),
        (3_000, 1_000, True, FIFTY + 1_000),  # the second is of another seat
    ],
)
def test_two_alerts_of_one_dispute_share_its_decision(
    first: int,
    second: int,
    elsewhere: bool,
    total: int,
    console: Console,
    store: Warehouse,
    stakes: tuple[Claim, ...],
    clock: Clock,
) -> None:
    desk, place = console.desk, replace(at_free_seat(stakes), round=9_999)
    dispute = decide(desk, place, FIFTY, alert=finding_of(place, first).finding_id)
    clock.forward(60)
    close(desk, place, first)
    clock.forward(60)
    beside = close(desk, replace(place, seat=place.seat + 1) if elsewhere else place, second)
    link = DisputeLinked(dispute=dispute.id, version=dispute.version, kind="alert", value=beside.id)
    desk.act_on_dispute(link, "ann")
    assert ruled(store, desk).paid_total == total


def test_an_alert_that_is_closed_long_after_its_dispute_tells_of_the_same_money(
    console: Console, store: Warehouse, stakes: tuple[Claim, ...], clock: Clock
) -> None:
    desk, place = console.desk, replace(at_free_seat(stakes), round=9_999, first_sequence=LATE)
    decide(desk, place, FIFTY, alert=finding_of(place, FIFTY).finding_id)
    clock.forward(30 * 24 * 60 * 60)
    close(desk, place, FIFTY)
    assert not ruled(store, desk, clock.now.date()).without_stake
    close(desk, replace(place, seat=place.seat + 1), 700)
    assert ruled(store, desk, clock.now.date()).paid_total == 700


def test_an_alert_and_the_dispute_opened_with_it_are_the_same_money_where_a_stake_was_owed_it(
    console: Console, store: Warehouse, made: Restitution
) -> None:
    desk, owing = console.desk, next(one for one in made.lines if one.owed > 0 and one.seat)
    raised = close(desk, owing, owing.owed, numbered=False)
    decide(desk, owing, owing.owed, alert=raised.id)
    told = ruled(store, desk)
    assert (told.settled_total, told.without_stake, told.paid_total) == (owing.owed, (), owing.owed)


def test_whoever_decides_is_asked_where_an_alert_of_no_round_paid_for_the_place(
    signed_in: SignedIn, console: Console, stakes: tuple[Claim, ...]
) -> None:
    desk, lost = console.desk, replace(at_free_seat(stakes), round=9_999, first_sequence=LATE)
    closed = close(desk, lost, FIFTY)
    hale = signed_in("hale")
    linked = opened(desk, lost, alert=closed.id)
    assert act(hale, linked.id, **PAY, amount_cents=FIFTY)[0] == 200, "it is the money of the alert"
    beside = opened(desk, replace(lost, seat=lost.seat + 1))
    assert act(hale, beside.id, **PAY, amount_cents=FIFTY)[0] == 200, "nobody paid for that seat"
    again = opened(desk, replace(lost, first_sequence=LATE + 9))
    status, told = act(hale, again.id, **PAY, amount_cents=700)
    assert (status, f"alert {closed.id[:12]} settled $50.00 to the patron" in str(told)) == (422, True)


@pytest.mark.parametrize("known", [True, False])
def test_an_alert_of_no_round_counts_where_its_finding_names_a_seat(
    known: bool, console: Console, store: Warehouse, stakes: tuple[Claim, ...]
) -> None:
    free, desk = at_free_seat(stakes), console.desk
    place = free if not known else replace(free, round=9_999)
    close(desk, place, -FIFTY, numbered=known)
    [one] = ruled(store, desk).without_stake
    assert (one.round, one.without_stake) == (9_999 if known else None, -FIFTY)
    assert one.why == (NO_ROUND if known else NO_NUMBER)
    assert ruled(store, desk).returned_total == FIFTY


def test_of_an_alert_that_a_reader_may_not_see_neither_seat_nor_hand_nor_round_is_shown(
    signed_in: SignedIn, console: Console, stakes: tuple[Claim, ...]
) -> None:
    free, desk = at_free_seat(stakes), console.desk
    alert = close(desk, free, FIFTY)
    link = f'href="/hands/{SUBJECT}/{free.round}?first={free.first_sequence}'

    def shown(who: str) -> tuple[str, str]:
        browser = signed_in(who)
        page = browser.get(f"/revenue/owed?day={DAY}").text
        apart = page[page.index('id="apart"') :]
        row = apart[apart.index("<tbody>") : apart.index("</tbody>")]
        files = browser.get(f"/revenue/owed/csv?day={DAY}").text
        return row, next(line for line in files.splitlines() if "alert closed" in line)

    row, line = shown("otto")
    assert f"{link}&amp;seat={free.seat}" in row
    assert f"<td>{free.seat}</td>" in row
    assert line.startswith(f"{SUBJECT},{free.round},{DAY},{free.seat},")
    # The role of revenue is never sent the seat of an alert, nor an alert whose finding states no money.
    row, line = shown("rex")
    assert ("/hands/" in row, f"<td>{free.seat}</td>" in row) == (False, False)
    assert "<td>not shown</td>" in row
    assert line.startswith(f"{SUBJECT},,{DAY},,,0.00,50.00,50.00,,,{NOT_SHOWN},")
    desk.note(Withheld(user="otto", kind="alert", value=alert.id), "ann")
    row, line = shown("otto")
    assert ("/hands/" in row, f"<td>{free.seat}</td>" in row, alert.id[:12] in row) == (False, False, False)
    assert line.startswith(f"{SUBJECT},,{DAY},,,0.00,50.00,50.00,,,{NOT_SHOWN},")


def test_a_role_that_is_sent_no_seats_of_alerts_is_told_the_round_of_those_that_it_sees(
    console: Console, store: Warehouse, made: Restitution, stakes: tuple[Claim, ...]
) -> None:
    free, desk = at_free_seat(stakes), console.desk
    close(desk, free, FIFTY)
    decide(desk, free, 700)
    told = ruled_of_days(store, made, desk.disputes(), desk.closed(), (DAY, DAY), hidden={"seat", "hand"})
    assert [(one.round, one.first_sequence) for one in told.without_stake] == [
        (free.round, free.first_sequence)
    ] * 2
    assert {(one.seat, one.disputes[0].alert is None) for one in told.without_stake} == {
        (None, False),
        (free.seat, True),
    }


def test_an_alert_whose_event_stands_before_the_start_of_its_round_is_of_that_round(
    console: Console, store: Warehouse, made: Restitution
) -> None:
    desk, owing = console.desk, next(one for one in made.lines if one.owed > 0 and one.kind == "main")
    close(desk, replace(owing, first_sequence=owing.first_sequence - 3), owing.owed)
    told = ruled(store, desk)
    assert (told.without_stake, told.settled_total) == ((), owing.owed)
