"""What a dispute settled is no longer to be paid: the list deducts it, and marks what a ruling is against."""

from __future__ import annotations

import csv
import datetime as dt
import io
from collections.abc import Callable, Iterator

import msgspec
import pypdf
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from dashboards.accounts.accounts import Accounts
from dashboards.debts.seen import NAMELESS
from dashboards.desk.desk import Desk
from dashboards.desk.disputes import Decision, Dispute
from dashboards.ledger import dispute_acts as acts
from dashboards.ledger.acts import Disposed, Raised, Reopened
from dashboards.reader import restitution as asked
from dashboards.restitution.causes import every_stake_of, of_days
from dashboards.restitution.claims import Claim, Restitution
from dashboards.restitution.money_days import ruled_of_days
from dashboards.restitution.patrons import by_patron
from dashboards.restitution.rulings import begun_of, paid_rounds, with_rulings
from dashboards.web.console import Console
from processors.runtime.store.warehouse import Warehouse
from schemas.findings import Finding
from tests.console.books import store_of
from tests.console.conftest import Browser
from tests.console.test_revenue_luck import DAY, books
from tests.console.test_revenue_owed import dollars

SignedIn = Callable[[str], Browser]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Warehouse]:
    lines = {name: list(one) for name, one in books()[0].items()}
    with store_of(tmp_path_factory.mktemp("ruled"), lines) as held:
        yield held


@pytest.fixture(scope="module")
def made(store: Warehouse) -> Restitution:
    return of_days(store, DAY, DAY)


def only(made: Restitution, sign: int) -> Claim:
    """A stake owed in this direction that is its seat's only one."""
    seats = [(one.subject, one.round, one.seat) for one in made.lines]
    return next(
        one
        for one in made.lines
        if one.owed * sign > 0 and seats.count((one.subject, one.round, one.seat)) == 1
    )


def opened(desk: Desk, line: Claim, *, seat: bool = True, two_from_cents: int = 100_000) -> Dispute:
    def make(name: str, at: dt.datetime) -> acts.DisputeOpened:
        return acts.DisputeOpened(
            dispute=name,
            subject=line.subject,
            round=line.round,
            first_sequence=line.first_sequence,
            seat=line.seat if seat else None,
            claim="not paid",
            claimed_cents=line.owed,
            patron=line.player,
            review=acts.Review(requested_by="fay"),
            due=at + dt.timedelta(days=30),
            two_from_cents=two_from_cents,
        )

    return desk.open_dispute(make, "ann")


def decide(desk: Desk, dispute: Dispute, ruling: acts.Ruling, cents: int) -> Dispute:
    act = acts.DisputeDecided(
        dispute=dispute.id, version=dispute.version, ruling=ruling, amount_cents=cents, reason="seen"
    )
    return desk.act_on_dispute(act, "ann")


def after(made: Restitution, desk: Desk, line: Claim) -> Claim:
    ruled = with_rulings(made, desk.disputes())
    return next(
        one
        for one in ruled.lines
        if (one.subject, one.first_sequence, one.seat, one.kind, one.hand)
        == (line.subject, line.first_sequence, line.seat, line.kind, line.hand)
    )


def test_an_amount_that_was_decided_is_settled_until_the_dispute_is_opened_again(
    console: Console, made: Restitution
) -> None:
    desk, line = console.desk, only(made, 1)
    dispute = opened(desk, line)
    assert after(made, desk, line) == line, "nothing is decided yet"
    dispute = decide(desk, dispute, "for the patron", line.owed)
    told = after(made, desk, line)
    assert (told.owed, told.settled, told.to_pay, told.ruled_out) == (line.owed, line.owed, 0, 0)
    (ruled,) = told.disputes
    assert (ruled.dispute, ruled.by, ruled.settled, ruled.amount) == (dispute.id, "ann", line.owed, line.owed)
    desk.act_on_dispute(
        acts.DisputeReopened(dispute=dispute.id, version=dispute.version, reason="more"), "ann"
    )
    assert after(made, desk, line) == line


def test_a_decision_that_waits_for_a_second_person_settles_nothing(
    console: Console, made: Restitution
) -> None:
    desk, line = console.desk, only(made, 1)
    dispute = decide(desk, opened(desk, line, two_from_cents=0), "for the patron", line.owed)
    assert after(made, desk, line) == line
    desk.act_on_dispute(acts.DisputeConfirmed(dispute=dispute.id, version=dispute.version), "bob")
    assert after(made, desk, line).to_pay == 0


def test_what_two_decided_is_settled_until_a_second_person_confirms_that_it_is_opened_again(
    console: Console, made: Restitution
) -> None:
    desk, line = console.desk, only(made, 1)
    name = decide(desk, opened(desk, line, two_from_cents=0), "for the patron", line.owed).id
    desk.act_on_dispute(acts.DisputeConfirmed(dispute=name, version=2), "bob")
    desk.act_on_dispute(acts.DisputeReopeningProposed(dispute=name, version=3, reason="more"), "ann")
    assert after(made, desk, line).to_pay == 0
    desk.act_on_dispute(acts.DisputeReopeningConfirmed(dispute=name, version=4), "bob")
    assert after(made, desk, line) == line


def test_a_ruling_for_the_house_leaves_the_debt_of_the_record_and_says_that_it_is_not_to_be_paid(
    console: Console, made: Restitution
) -> None:
    desk, line = console.desk, only(made, 1)
    decide(desk, opened(desk, line), "for the house", 0)
    told = after(made, desk, line)
    assert (told.owed, told.settled, told.to_pay, told.ruled_out) == (line.owed, 0, 0, line.owed)
    ruled = with_rulings(made, desk.disputes())
    assert ruled.both_ways("ruled_out").to_patrons == line.owed
    assert ruled.owed_total == made.owed_total


@pytest.mark.parametrize(
    ("ruling", "sign", "part", "out"),
    [
        ("for the patron", 1, 0.5, False),
        ("settled between", 1, 0.5, True),
        ("for the house", -1, 0.5, False),
        ("for the patron", -1, 0, True),
        ("withdrawn", 1, 0, False),
    ],
)
def test_a_part_that_was_paid_leaves_the_rest_owed_or_ruled_out(
    ruling: acts.Ruling, sign: int, part: float, out: bool, console: Console, made: Restitution
) -> None:
    desk, line = console.desk, only(made, sign)
    cents = int(line.owed * part)
    decide(desk, opened(desk, line), ruling, cents)
    told = after(made, desk, line)
    assert (told.settled, told.to_pay) == (cents, 0 if out else line.owed - cents)
    assert told.ruled_out == (line.owed - cents if out else 0)


def test_a_dispute_of_a_round_without_seat_and_patron_is_named_and_settles_no_seats_debt(
    console: Console, made: Restitution
) -> None:
    desk = console.desk
    rounds = [(one.subject, one.first_sequence) for one in made.lines]
    seats = {
        place: {one.seat for one in made.lines if (one.subject, one.first_sequence) == place}
        for place in rounds
    }
    line = next(one for one in made.lines if len(seats[one.subject, one.first_sequence]) > 1)
    dispute = opened(desk, line, seat=False)
    assert dispute.patron == line.player
    decide(desk, dispute, "settled between", 700)
    told = with_rulings(made, [replace(desk.disputes()[0], patron=None)])
    named = [one for one in told.lines if one.disputes]
    assert {one.first_sequence for one in named} == {line.first_sequence}
    assert all((one.settled, one.ruled_out) == (0, 0) for one in named)


def test_page_and_files_say_what_was_settled_and_by_whom_to_whoever_may_know(
    signed_in: SignedIn, console: Console, made: Restitution
) -> None:
    line, lost = only(made, 1), only(made, -1)
    dispute = decide(console.desk, opened(console.desk, line), "for the patron", line.owed)
    decide(console.desk, opened(console.desk, lost), "for the patron", 0)
    rex = signed_in("rex")
    page = rex.get(f"/revenue/owed?day={DAY}").text
    assert f'<data id="owed">{dollars(made.owed_total)}</data>' in page
    assert f'<data id="settled">{dollars(line.owed)}</data>' in page
    assert f'<data id="to-pay">{dollars(made.owed_total - line.owed)}</data>' in page
    assert f"{dispute.id}: for the patron" in page
    assert "by ann" not in page
    assert "not to be asked for, by a ruling: " in page
    rows = stakes_in(rex.get(f"/revenue/owed/csv?day={DAY}").text)
    settled = [row for row in rows if row["disputes"].startswith(f"{dispute.id}: for the patron")]
    assert [(row["settled"], row["to_pay"]) for row in settled] == [(f"{line.owed / 100:.2f}", "0.00")]
    sums = {row["subject"]: row["settled"] for row in rows if row["subject"].startswith("to")}
    assert sums == {
        "to patrons": f"{line.owed / 100:.2f}", "to the house": "0.00", "total": f"{line.owed / 100:.2f}",
    }  # fmt: skip
    paper = pypdf.PdfReader(io.BytesIO(rex.get(f"/revenue/owed/pdf?day={DAY}").content))
    text = "".join(one.extract_text() for one in paper.pages)
    assert "What was decided" in text
    assert dispute.id in text


def test_what_is_paid_beyond_a_debt_is_a_sum_of_its_own_and_settles_no_other_debt(
    signed_in: SignedIn, console: Console, made: Restitution
) -> None:
    line, desk = only(made, 1), console.desk
    for _ in range(2):
        decide(desk, opened(desk, line), "for the patron", line.owed)
    told = after(made, desk, line)
    assert (told.settled, told.to_pay, told.beyond) == (line.owed, 0, line.owed)
    assert [(one.settled, one.beyond) for one in told.disputes] == [(line.owed, 0), (0, line.owed)]
    ruled = with_rulings(made, desk.disputes())
    assert ruled.both_ways("to_pay").to_patrons == ruled.to_pay_total == made.owed_total - line.owed
    rex = signed_in("rex")
    page = rex.get(f"/revenue/owed?day={DAY}").text
    assert f'<data id="beyond">{dollars(line.owed)}</data> to patrons' in page
    assert f'<data id="to-pay">{dollars(made.owed_total - line.owed)}</data>' in page
    rows = stakes_in(rex.get(f"/revenue/owed/csv?day={DAY}").text)
    assert {row["beyond"] for row in rows if row["subject"] == "to patrons"} == {f"{line.owed / 100:.2f}"}
    paper = pypdf.PdfReader(io.BytesIO(rex.get(f"/revenue/owed/pdf?day={DAY}").content))
    assert "Beyond the debt" in "".join(one.extract_text() for one in paper.pages)


def stakes_in(text: str) -> list[dict[str, str]]:
    """The rows of stakes in the CSV, with their sums."""
    return list(csv.DictReader(io.StringIO(text.partition("\r\n\r\n")[0])))


def as_due(store: Warehouse, made: Restitution) -> Claim:
    """A stake that was settled as due, in a round in which another was not."""
    places = {(one.subject, one.first_sequence) for one in made.lines}
    stakes = every_stake_of(store, places).lines
    seats = {(stake.subject, stake.first_sequence, stake.seat) for stake in stakes if stake.owed}
    return next(
        one
        for one in stakes
        if (one.subject, one.first_sequence, one.seat) not in seats and one.player and one.kind == "main"
    )


def test_goodwill_on_a_stake_that_was_settled_as_due_is_in_the_list_and_owes_nothing(
    signed_in: SignedIn, console: Console, store: Warehouse, made: Restitution
) -> None:
    line, debt, desk = as_due(store, made), only(made, 1), console.desk
    assert line not in made.lines
    decide(desk, opened(desk, debt), "for the patron", debt.owed)
    goodwill = decide(desk, opened(desk, line), "for the patron", 1_700)
    disputes = desk.disputes()
    beside = every_stake_of(store, paid_rounds(disputes))
    told = with_rulings(made, disputes, beside=beside)
    [more] = [one for one in told.lines if not one.owed]
    assert (more.subject, more.first_sequence, more.seat) == (line.subject, line.first_sequence, line.seat)
    assert (more.owed, more.settled, more.to_pay, more.beyond) == (0, 0, 0, 1_700)
    assert [one.dispute for one in more.disputes] == [goodwill.id]
    assert (told.beyond_total, told.owed_total) == (1_700, made.owed_total)
    assert told.to_pay_total == made.owed_total - debt.owed
    assert told.undecided == made.undecided
    never = dt.date(2020, 1, 1)
    assert ruled_of_days(store, of_days(store, never, never), disputes, (), (never, never)).lines == ()
    withheld = {("table", line.subject)}
    mine = ruled_of_days(store, of_days(store, DAY, DAY, withheld), disputes, (), (DAY, DAY), withheld)
    assert line.subject not in {one.subject for one in mine.lines}
    rex = signed_in("rex")
    page = rex.get(f"/revenue/owed?day={DAY}").text
    assert '<data id="beyond">17.00</data> to patrons' in page
    assert "Something was paid on 1 stake that was settled as due." in page
    assert f"{len(made.lines):,} stakes in {made.rounds:,} rounds were not settled as due." in page
    rows = stakes_in(rex.get(f"/revenue/owed/csv?day={DAY}").text)
    paid = [(row["owed"], row["beyond"]) for row in rows if (row["disputes"] or "").startswith(goodwill.id)]
    assert paid == [("0.00", "17.00")]
    paper = pypdf.PdfReader(io.BytesIO(rex.get(f"/revenue/owed/pdf?day={DAY}").content))
    assert goodwill.id in "".join(one.extract_text() for one in paper.pages)


def test_an_alert_that_was_closed_with_an_amount_settles_its_debt_on_page_and_in_files(
    signed_in: SignedIn, console: Console, made: Restitution
) -> None:
    line, desk = next(one for one in made.lines if one.finding and one.owed > 0), console.desk
    [row] = asked.finding(str(line.finding)).ask(console.records)
    finding = replace(msgspec.json.decode(row.record, type=Finding), severity="major")
    desk.raise_alerts([Raised(finding=finding, decided_at=line.time, dealer=None)])
    closing = Disposed(
        alert=finding.finding_id, version=1, disposition="dealer error", note="paid", money_cents=line.owed
    )
    desk.act(closing, "ann")
    rounds = begun_of(console.records, made, desk.closed())
    ruled = with_rulings(made, [], closed=desk.closed(), rounds=rounds)
    [told] = [one for one in ruled.lines if one.disputes]
    assert (told.finding, told.settled, told.to_pay) == (line.finding, line.owed, 0)
    [by] = told.disputes
    assert (by.dispute, by.alert, by.ruling) == (None, line.finding, "alert closed as dealer error")
    rex = signed_in("rex")
    page = rex.get(f"/revenue/owed?day={DAY}").text
    assert f'<data id="settled">{dollars(line.owed)}</data>' in page
    assert f"Alert {finding.finding_id[:12]}: alert closed, " in page
    rows = stakes_in(rex.get(f"/revenue/owed/csv?day={DAY}").text)
    assert [row["settled"] for row in rows if "alert closed" in (row["disputes"] or "")] == [
        f"{line.owed / 100:.2f}"
    ]
    desk.act(Reopened(alert=finding.finding_id, version=2, reason="more"), "ann")
    assert with_rulings(made, [], closed=desk.closed(), rounds=rounds) == made


def test_the_page_lists_apart_whom_nothing_is_to_be_paid_and_names_open_disputes_and_letters(
    signed_in: SignedIn, console: Console, accounts: Accounts, made: Restitution
) -> None:
    line, lost = only(made, 1), only(made, -1)
    whole = [one for one in by_patron(made.lines) if one.player == line.player]
    for one in made.lines:
        if one.player == line.player and one.owed > 0:
            decide(console.desk, opened(console.desk, one), "for the patron", one.owed)
    waiting = opened(console.desk, lost)
    hale = signed_in("hale")
    assert hale.get(f"/revenue/owed?day={DAY}").status_code == 403
    auditor = signed_in("otto")
    page = auditor.get(f"/revenue/owed?day={DAY}").text
    listed, apart = page.split('<details id="nothing-to-pay">')
    apart = apart.split("</details>")[0]
    head = listed[listed.index("Patrons to whom money is still to be paid") :]
    assert (f">{line.player}<" in head, f">{line.player}<" in apart) == (False, True)
    assert whole
    assert (
        "to whom nothing is to be paid: paid too much, settled, denied by a ruling, or owed nothing" in apart
    )
    assert f'<a href="/disputes/{waiting.id}">{waiting.id}</a> is open' in page
    assert 'href="/disputes/DIS-0001/letter.pdf" download>Letter of DIS-0001</a>' in page
    assert f'<input id="day" name="day" type="date" value="{DAY}" data-filter>' in page
    assert auditor.get(f"/revenue/owed?day={DAY}&period=day").text.count('rel="prev"') == 1
    rex = signed_in("rex").get(f"/revenue/owed?day={DAY}").text
    assert "letter.pdf" not in rex, "accounting takes no letters out"


def test_a_dispute_that_is_withheld_settles_without_its_name(console: Console, made: Restitution) -> None:
    line = only(made, 1)
    decide(console.desk, opened(console.desk, line), "for the patron", line.owed)
    withheld = {("patron", line.player or "")}
    ruled = with_rulings(made, console.desk.disputes(), withheld)
    (told,) = [one.disputes[0] for one in ruled.lines if one.disputes]
    assert (told.dispute, told.by, told.settled) == (NAMELESS, None, line.owed)


@given(parts=st.lists(st.tuples(st.sampled_from(acts.RULINGS), st.integers(-9_000, 9_000)), max_size=4))
def test_settled_ruled_out_and_still_to_be_paid_are_what_is_owed_and_nothing_is_settled_beyond_it(
    parts: list[tuple[acts.Ruling, int]], made: Restitution
) -> None:
    line = only(made, 1)
    ruled = with_rulings(made, [decided(line, number, *part) for number, part in enumerate(parts)])
    for one in ruled.lines:
        assert one.settled + one.to_pay + one.ruled_out == one.owed
        assert 0 <= one.to_pay * (1 if one.owed > 0 else -1) <= abs(one.owed)
        assert 0 in (one.ruled_out, one.to_pay)
        assert sum(told.settled for told in one.disputes) == one.settled


def decided(line: Claim, number: int, ruling: acts.Ruling, cents: int) -> Dispute:
    """A dispute that one person decided."""
    at = dt.datetime(2026, 3, 3, number, tzinfo=dt.UTC)
    return Dispute(
        id=f"DIS-{number:04d}",
        version=2,
        status="decided",
        subject=line.subject,
        round=line.round,
        first_sequence=line.first_sequence,
        seat=line.seat,
        hand=None,
        sequence=None,
        claim="not paid",
        claimed_cents=0,
        patron=None,
        review=acts.Review(),
        opened_at=at,
        opened_by="ann",
        due=at,
        two_from_cents=100_000,
        decision=Decision(ruling=ruling, amount_cents=cents, reason="seen", by="ann", at=at),
        history=(),
    )
