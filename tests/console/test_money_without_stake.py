"""Money that was decided where the record has no stake: a line of its own in the list, once, in its gaming day."""

from __future__ import annotations

import csv
import datetime as dt
import io
import json
from collections.abc import Callable, Iterator
from functools import cache

import openpyxl
import pypdf
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from dashboards.debts.seen import NAMELESS, NAMELESS_ALERT
from dashboards.desk.alerts import Alert
from dashboards.desk.desk import Desk
from dashboards.desk.disputes import Dispute
from dashboards.ledger import dispute_acts as acts
from dashboards.ledger.acts import Disposed, Raised
from dashboards.restitution.causes import every_stake_of, of_days
from dashboards.restitution.claims import NOT_SHOWN, Claim, DecidedApart, Restitution
from dashboards.restitution.money_days import ruled_of_days
from dashboards.restitution.rulings import NO_ROUND
from dashboards.web.console import Console
from processors.runtime.store.warehouse import Warehouse
from schemas.findings import Finding, finding_id
from tests.console.books import store_of
from tests.console.conftest import Browser, Clock
from tests.console.test_owed_rulings import decided
from tests.console.test_revenue_luck import DAY, books
from tests.mutations.rechain import rechained

SignedIn = Callable[[str], Browser]
SUBJECT, LACKING, NEVER, LATE = "FB-1", "FB-8", dt.date(2020, 1, 1), 2_000_000
FIFTY = 5_000


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Warehouse]:
    lines = {name: list(one) for name, one in books()[0].items()} | {LACKING: lacking()[0]}
    with store_of(tmp_path_factory.mktemp("unstaked"), lines) as held:
        yield held


@pytest.fixture(scope="module")
def made(store: Warehouse) -> Restitution:
    return of_days(store, DAY, DAY)


@pytest.fixture(scope="module")
def stakes(store: Warehouse, made: Restitution) -> tuple[Claim, ...]:
    """Every stake of the rounds of the day in which one was not settled as due."""
    places = {(one.subject, one.first_sequence) for one in made.lines}
    return every_stake_of(store, places).lines


def at_free_seat(stakes: tuple[Claim, ...]) -> Claim:
    """A stake, moved to a seat that has none in its round."""
    line = next(one for one in stakes if one.subject == SUBJECT)
    taken = {one.seat for one in stakes if one.first_sequence == line.first_sequence}
    return replace(line, seat=min({1, 2, 3, 4, 5, 6, 7} - taken))


def opened(
    desk: Desk,
    place: Claim,
    *,
    seat: bool = True,
    hand: str | None = None,
    patron: str | None = None,
    alert: str | None = None,
) -> Dispute:
    """A dispute of this seat, else of the round."""

    def make(name: str, at: dt.datetime) -> acts.DisputeOpened:
        return acts.DisputeOpened(
            dispute=name,
            subject=place.subject,
            round=place.round,
            first_sequence=place.first_sequence,
            seat=place.seat if seat else None,
            hand=hand,
            claim="my bet was never recorded",
            claimed_cents=FIFTY,
            patron=patron,
            alert=alert,
            review=acts.Review(),
            due=at + dt.timedelta(days=30),
            two_from_cents=100_000,
        )

    return desk.open_dispute(make, "ann")


def decide(
    desk: Desk,
    place: Claim,
    cents: int,
    *,
    seat: bool = True,
    hand: str | None = None,
    patron: str | None = None,
    alert: str | None = None,
) -> Dispute:
    """A dispute of this seat, else of the round, that one person decided for the patron, or for the house."""
    held = opened(desk, place, seat=seat, hand=hand, patron=patron, alert=alert)
    ruling: acts.Ruling = "for the patron" if cents > 0 else "for the house"
    act_of = acts.DisputeDecided(
        dispute=held.id,
        version=1,
        ruling=ruling,
        amount_cents=cents,
        reason="seen",
        beyond_cents=max(cents, 0),
    )
    return desk.act_on_dispute(act_of, "ann")


def finding_of(place: Claim, cents: int, *, numbered: bool = True) -> Finding:
    """A finding about a seat of a round, or of no round."""
    sequence = place.first_sequence + 2
    return Finding(
        finding_id=finding_id(place.subject, "pay.blackjack", sequence, str(cents)), check="pay.blackjack",
        cites=("13:69F-2.15",), verdict="breached", severity="major", subject=place.subject,
        round=place.round if numbered else None, sequence=sequence, sequences=(sequence,), expected=1, observed=2,
        money_cents=0, message="Chips at a seat without a stake", seat=place.seat,
    )  # fmt: skip


def close(desk: Desk, place: Claim, cents: int, *, numbered: bool = True) -> Alert:
    """An alert about a seat of a round, or of no round, that was closed with an amount."""
    finding = finding_of(place, cents, numbered=numbered)
    desk.raise_alerts([Raised(finding=finding, decided_at=place.time)])
    closing = Disposed(
        alert=finding.finding_id, version=1, disposition="dealer error", note="paid", money_cents=cents
    )
    desk.act(closing, "ann")
    alert = desk.alert(finding.finding_id)
    assert alert is not None
    return alert


def ruled(store: Warehouse, desk: Desk, day: dt.date = DAY) -> Restitution:
    return ruled_of_days(store, of_days(store, day, day), desk.disputes(), desk.closed(), (day, day))


def owing_seats(stakes: tuple[Claim, ...], line: Claim) -> set[int]:
    """The seats that are owed something in the round of this stake."""
    place = line.subject, line.first_sequence
    return {one.seat for one in stakes if (one.subject, one.first_sequence) == place and one.owed}


def moved(told: Restitution) -> int:
    ways = told.both_ways("paid")
    return ways.to_patrons - ways.to_house


def _leaves(paper: bytes) -> list[pypdf.PageObject]:
    return list(pypdf.PdfReader(io.BytesIO(paper)).pages)


def test_money_for_a_seat_without_a_stake_is_a_line_of_its_own_on_page_and_in_files(
    signed_in: SignedIn, console: Console, store: Warehouse, made: Restitution, stakes: tuple[Claim, ...]
) -> None:
    free = at_free_seat(stakes)
    paid, back = decide(console.desk, free, FIFTY), decide(console.desk, free, -3_000)
    told = ruled(store, console.desk)
    assert [(one.disputes[0].dispute, one.without_stake) for one in told.without_stake] == [
        (paid.id, FIFTY), (back.id, -3_000),
    ]  # fmt: skip
    one = told.without_stake[0]
    assert (one.subject, one.round, one.seat, one.gaming_day) == (SUBJECT, free.round, free.seat, DAY)
    assert (one.owed, one.decided, one.why) == (0, FIFTY, "no stake on record")
    assert (told.lines, told.owed_total, told.to_pay_total) == (
        made.lines,
        made.owed_total,
        made.to_pay_total,
    )
    assert (told.without_stake_total, told.without_stake_returned) == (FIFTY, 3_000)
    assert (told.paid_total, told.returned_total) == (FIFTY, 3_000)
    assert not ruled(store, console.desk, NEVER).without_stake
    otto = signed_in("otto")
    page = otto.get(f"/revenue/owed?day={DAY}").text
    assert '<data id="without-stake">50.00</data> to patrons, 30.00 back from patrons' in page
    assert '<data id="moved">50.00</data> to patrons, 30.00 back from patrons' in page
    apart = page[page.index('<table class="figures wraps" id="apart">') :]
    hand = f'href="/hands/{SUBJECT}/{free.round}?first={free.first_sequence}&amp;seat={free.seat}"'
    assert apart.count(hand) == 2
    assert f'href="/disputes/{paid.id}">{paid.id}: for the patron, $50.00 to the patron, ' in apart
    assert f"/disputes/{paid.id}/letter.pdf" in apart
    assert " by ann" in apart
    assert "$30.00 back from the patron" in apart
    rows = [row for row in csv.reader(io.StringIO(otto.get(f"/revenue/owed/csv?day={DAY}").text)) if row]
    assert [row for row in rows if row[0] == "to patrons"][-1] == [
        "to patrons",
        "0.00",
        "0.00",
        "50.00",
        "50.00",
    ]
    assert [row for row in rows if row[0] == "to the house"][-1][-2:] == ["-30.00", "-30.00"]
    assert [row for row in rows if row[0] == "total"][-1][-1] == "20.00"
    heads = next(row for row in rows if "without_stake" in row and "why" in row)
    [first, _] = [dict(zip(heads, row, strict=True)) for row in rows if row[-1].startswith("DIS-")]
    assert (first["owed"], first["decided"], first["without_stake"]) == ("0.00", "50.00", "50.00")
    assert (first["gaming_day"], first["why"]) == (str(DAY), "no stake on record")
    book = openpyxl.load_workbook(
        io.BytesIO(otto.get(f"/revenue/owed/xlsx?day={DAY}").content), data_only=True
    )
    column = 1 + DecidedApart.__struct_fields__.index("without_stake")
    assert [book["without stake"].cell(row, column).value for row in range(2, 7)] == [50, -30, 50, -30, 20]
    assert [book["paid in all"].cell(row, 5).value for row in (2, 3, 4)] == [50, -30, 20]
    paper = otto.get(f"/revenue/owed/pdf?day={DAY}").content
    text = "".join(leaf.extract_text() for leaf in _leaves(paper))
    assert "Decided, at no stake on record" in text
    assert "Decided, at no stake on record 50.00 30.00 20.00" in text.replace("\n", " ")
    letter = otto.get(f"/disputes/{paid.id}/letter.pdf").content
    told_by_letter = " ".join("".join(leaf.extract_text() for leaf in _leaves(letter)).split())
    assert "50.00" in told_by_letter
    assert "The record holds no stake of yours in this round." in told_by_letter


@pytest.mark.parametrize("case", ["hand", "patron", "whole round", "no round"])
def test_a_hand_a_patron_or_a_round_that_the_record_lacks_is_told_with_the_reason(
    case: str, console: Console, store: Warehouse, stakes: tuple[Claim, ...]
) -> None:
    seats = {(one.first_sequence, one.seat) for one in stakes if one.subject == SUBJECT and one.hand}
    firsts = [first for first, _ in seats]
    owed: int | None = 0
    line = next(
        one for one in stakes if one.subject == SUBJECT and one.hand and firsts.count(one.first_sequence) > 1
    )
    match case:
        case "hand":
            decide(console.desk, line, FIFTY, hand=f"{line.seat}.4")
            side = any(
                one.seat == line.seat and one.hand is None and one.first_sequence == line.first_sequence
                for one in stakes
            )
            why = None if side else "no stake on record"
        case "patron":
            decide(console.desk, line, FIFTY, seat=False, patron="P-NOBODY")
            why = "the patron is at no seat of the round on record"
        case "whole round":
            several = next(one for one in stakes if len(owing_seats(stakes, one)) > 1)
            decide(console.desk, several, FIFTY, seat=False)
            why, owed = "nobody said whose stake it is for", None
        case _:
            lost = replace(line, round=9_999, first_sequence=LATE)
            decide(console.desk, lost, FIFTY)
            why = NO_ROUND
    day = DAY if case != "no round" else console.clock().date()
    told = ruled(store, console.desk, day)
    assert moved(told) == FIFTY
    assert all(one.owed == owed for one in told.without_stake)
    assert [(one.why, one.without_stake) for one in told.without_stake] == ([(why, FIFTY)] if why else [])


def test_what_is_of_no_round_on_record_is_of_the_day_begun_before_it_or_of_the_day_it_was_decided(
    console: Console, store: Warehouse, stakes: tuple[Claim, ...], clock: Clock
) -> None:
    free = at_free_seat(stakes)
    inside = replace(free, first_sequence=free.first_sequence + 1)  # no round began with it
    decide(console.desk, inside, FIFTY)
    assert [one.why for one in ruled(store, console.desk).without_stake] == [NO_ROUND]
    # 03:00 at the property, whose day begins at 06:00.
    clock.now = dt.datetime(2027, 5, 3, 7, 0, tzinfo=dt.UTC)
    decide(console.desk, replace(free, round=9_999, first_sequence=LATE), FIFTY)
    elsewhere = replace(free, subject="NONE", first_sequence=4)
    decide(console.desk, elsewhere, FIFTY)
    [here, there] = ruled(store, console.desk, dt.date(2027, 5, 2)).without_stake
    assert {here.subject, there.subject} == {SUBJECT, "NONE"}
    assert not ruled(store, console.desk, dt.date(2027, 5, 3)).without_stake


@cache
def lacking() -> tuple[list[bytes], int]:
    """The first table as another, whose record lacks the stakes of one seat in its first round, and that seat."""
    events = [{**json.loads(line), "subject": LACKING} for line in books()[0][SUBJECT]]
    at = next(place for place, one in enumerate(events) if one["type"].endswith("wager_placed"))
    seat = events[at]["data"]["seat"]
    end = next(place for place, one in enumerate(events) if one["type"].endswith("round_ended"))
    lost = [
        one
        for place, one in enumerate(events)
        if place > end or one["data"].get("seat") != seat or "wager" not in one["type"]
    ]
    return list(rechained(lost)), seat


def test_a_stake_that_comes_to_the_record_takes_the_money_to_itself(
    console: Console, store: Warehouse, stakes: tuple[Claim, ...]
) -> None:
    seat, free = lacking()[1], at_free_seat(stakes)
    told = {}
    for subject in (LACKING, SUBJECT):
        [(number, first)] = store.query(
            "SELECT round, first_sequence FROM rounds FINAL WHERE subject = {s:String} ORDER BY first_sequence LIMIT 1",
            {"s": subject},
        )
        place = replace(
            free, subject=subject, round=int(str(number)), first_sequence=int(str(first)), seat=seat
        )
        dispute = decide(console.desk, place, FIFTY)
        made = ruled_of_days(store, of_days(store, DAY, DAY), [dispute], (), (DAY, DAY))
        assert made.paid_total == FIFTY
        told[subject] = made
    assert [(one.seat, one.without_stake) for one in told[LACKING].without_stake] == [(seat, FIFTY)]
    assert not told[SUBJECT].without_stake
    its = [one for one in told[SUBJECT].lines if one.disputes]
    assert sum(one.settled + one.beyond for one in its) == FIFTY
    assert {one.seat for one in its} == {seat}


def test_whoever_may_not_know_a_decision_has_its_money_without_its_names(
    signed_in: SignedIn, console: Console, store: Warehouse, made: Restitution, stakes: tuple[Claim, ...]
) -> None:
    free, desk = at_free_seat(stakes), console.desk
    dispute = decide(desk, free, FIFTY, patron="P-SECRET")
    alert = close(desk, free, 900)
    rex = signed_in("rex").get(f"/revenue/owed?day={DAY}").text
    assert '<data id="without-stake">59.00</data> to patrons' in rex
    assert ("P-SECRET" in rex, " by ann" in rex, f"/disputes/{dispute.id}" in rex) == (False, False, False)
    assert signed_in("hale").get(f"/revenue/owed?day={DAY}").status_code == 403
    both = (desk.disputes(), desk.closed(), (DAY, DAY))
    hidden = {("alert", alert.id), ("patron", "P-SECRET")}
    told = ruled_of_days(store, made, *both, unseen=hidden)
    assert [one.disputes[0].dispute or one.disputes[0].alert for one in told.without_stake] == [
        NAMELESS_ALERT, NAMELESS,
    ]  # fmt: skip
    assert [one.player for one in told.without_stake] == [None, NOT_SHOWN]
    assert [one.disputes[0].by for one in told.without_stake] == [None, None]
    assert told.without_stake_total == FIFTY + 900
    assert not ruled_of_days(store, made, *both, {("table", SUBJECT)}).without_stake
    dealers = store.query(
        "SELECT assumeNotNull(dealer) FROM rounds FINAL WHERE subject = {s:String} AND first_sequence = {f:UInt32}",
        {"s": SUBJECT, "f": free.first_sequence},
    )
    assert not ruled_of_days(store, made, *both, {("dealer", str(dealers[0][0]))}).without_stake


PLACES = st.tuples(
    st.integers(0, 5),
    st.sampled_from(["seat", "free seat", "round", "patron", "nobody", "hand", "no such round"]),
    st.sampled_from(acts.RULINGS),
    st.integers(-9_000, 9_000),
)


@settings(deadline=None, max_examples=25)
@given(chosen=st.lists(PLACES, max_size=6))
def test_every_cent_of_every_decision_of_the_day_stands_in_one_place(
    chosen: list[tuple[int, str, acts.Ruling, int]],
    store: Warehouse,
    made: Restitution,
    stakes: tuple[Claim, ...],
) -> None:
    disputes = []
    for number, (place, kind, ruling, cents) in enumerate(chosen):
        line = stakes[(place * 7) % len(stakes)]
        one = decided(line, number, ruling, cents)
        match kind:
            case "free seat":
                free = at_free_seat(stakes)
                one = replace(one, subject=free.subject, round=free.round, seat=free.seat)
                one = replace(one, first_sequence=free.first_sequence)
            case "round":
                one = replace(one, seat=None)
            case "patron":
                one = replace(one, seat=None, patron=line.player)
            case "nobody":
                one = replace(one, seat=None, patron="P-NOBODY")
            case "hand":
                one = replace(one, hand=f"{line.seat}.4")
            case "no such round":
                one = replace(one, first_sequence=line.first_sequence + 1)
        disputes.append(one)
    told = ruled_of_days(store, made, disputes, (), (DAY, DAY))
    amounts = {one.id: one.decision.amount_cents for one in disputes if one.decision is not None}
    for name, amount in amounts.items():
        shares = [by for line in told.lines for by in line.disputes if by.dispute == name]
        apart = [one for one in told.without_stake if one.disputes[0].dispute == name]
        assert len(apart) <= 1
        placed = sum(by.settled + by.beyond for by in shares)
        assert placed + sum(one.without_stake for one in apart) == amount
    assert moved(told) == sum(amounts.values())
