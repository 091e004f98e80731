"""The letter to the patron: its words, when a dispute has a letter, and its place on the dispute."""

from __future__ import annotations

import datetime as dt
import hashlib
from dataclasses import replace
from io import BytesIO

import pytest
from pypdf import PdfReader

from dashboards.ledger.acts import Withheld
from dashboards.reports import letter, typesetting
from dashboards.reports.letter import LetterContent
from dashboards.web.console import Console
from tests.console.disputing import CLAIM, SETTLED, act, held, open_one, with_records
from tests.console.hands_building import SignedIn
from tests.drawing.streams import Event, changed
from tests.embedded.ledgers import lines_of, subject_of
from tests.hands.stored import Recorded

NAME = "breach_dealer22_paid"


def taken(event: Event) -> None:
    """The stake of seat 6 in round 12 is taken, where a dealer's 22 pushes."""
    if event["sequence"] == SETTLED:
        event["data"] |= {"outcome": "collect"}


@pytest.fixture
def records() -> Recorded:
    return held()


@pytest.fixture
def console(console: Console, records: Recorded) -> Console:
    return replace(with_records(console), records=records.store)


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> list[LetterContent]:
    """What letters say, as they are set."""
    kept: list[LetterContent] = []

    def keeping(template: str, content: LetterContent, at: dt.datetime) -> bytes:
        kept.append(content)
        return typesetting.typeset(template, content, at)

    monkeypatch.setattr(letter, "typeset", keeping)
    return kept


def test_a_decision_that_holds_is_told_in_a_letter_and_stands_on_the_dispute(
    signed_in: SignedIn, console: Console, written: list[LetterContent]
) -> None:
    hale = signed_in("hale")
    one = open_one(hale, patron="P-0098")
    refused = hale.get(f"/disputes/{one.id}/letter.pdf")
    assert (refused.status_code, "No letter: nothing is decided." in refused.text) == (409, True)
    said = {
        "act": "decided",
        "version": 1,
        "ruling": "for the house",
        "amount_cents": 0,
        "reason": "22 pushes.",
    }
    assert act(hale, one.id, **said)[0] == 200
    assert "/letter.pdf" in hale.get(f"/disputes/{one.id}").text
    answer = hale.get(f"/disputes/{one.id}/letter.pdf")
    assert (answer.status_code, answer.content[:5]) == (200, b"%PDF-")
    assert hale.get(f"/disputes/{one.id}/letter.pdf").content == answer.content, "the same letter"
    [content, _] = written
    assert (content.to, content.claim) == ("P-0098", CLAIM)
    assert content.about.startswith(f"table {one.subject}, round 12, seat 6, which began ")
    assert content.shows == "By the record you were paid $100.00 more than was due."
    assert (content.ruling, content.money) == ("We have decided for the house.", "No money moves.")
    assert content.reason == "22 pushes."
    assert [(row.hand, row.staked, row.due, row.paid, row.difference) for row in content.payouts] == [
        ("6.1", "$100.00", "returned", "paid $100.00", "overpaid $100.00"),
        ("–", "$5.00", "paid $100.00", "paid $100.00", "as due"),
    ]
    assert {hand.name for hand in content.hands} == {"Dealer", "Hand 6.1"}
    assert content.clauses
    assert "hale" not in str(content), "who decided is not told"
    dispute = console.desk.dispute(one.id)
    assert dispute is not None
    assert [entry.name for entry in dispute.prints] == ["told", "told"]
    assert dispute.prints[0].act.sha256 == hashlib.sha256(answer.content).hexdigest()  # type: ignore[union-attr]
    assert dispute.version == 2, "a letter changes nothing about the dispute"
    assert "<li>Letter " in hale.get(f"/disputes/{one.id}").text


def test_there_is_no_letter_before_the_second_person_confirmed(
    signed_in: SignedIn, written: list[LetterContent]
) -> None:
    hale, ito = signed_in("hale"), signed_in("ito")
    one = open_one(hale)
    said = {
        "act": "decided",
        "version": 1,
        "ruling": "for the patron",
        "amount_cents": 60_000,
        "beyond_cents": 60_000,
        "reason": "So.",
    }
    assert act(hale, one.id, **said)[0] == 200
    refused = hale.get(f"/disputes/{one.id}/letter.pdf")
    assert "No letter: a second person has yet to confirm the decision." in refused.text
    assert (refused.status_code, "/letter.pdf" in hale.get(f"/disputes/{one.id}").text) == (409, False)
    assert act(ito, one.id, act="confirmed", version=2)[0] == 200
    assert hale.get(f"/disputes/{one.id}/letter.pdf").status_code == 200
    assert (written[0].ruling, written[0].money) == ("We have decided for you.", "You are paid $600.00.")


def test_of_a_round_that_the_store_lacks_the_letter_says_so(signed_in: SignedIn, console: Console) -> None:
    hale = signed_in("hale")
    one = open_one(hale)
    said = {
        "act": "decided",
        "version": 1,
        "ruling": "withdrawn",
        "amount_cents": -500,
        "reason": "As agreed.",
    }
    assert act(hale, one.id, **said)[0] == 200
    dispute = console.desk.dispute(one.id)
    assert dispute is not None
    assert dispute.decision is not None
    content = letter.letter_content(dispute, dispute.decision, None, None)
    assert (content.money, content.shows) == (
        "You are asked to pay back $5.00.",
        "There is no record of this round.",
    )
    assert (content.hands, content.payouts, content.house) == ((), (), "")
    assert letter.letter(dispute, dispute.decision, None, None)[:5] == b"%PDF-"


@pytest.mark.parametrize("records", [Recorded(changed(tuple(lines_of(NAME)), taken), subject_of(NAME))])
def test_the_amount_that_the_record_owes_a_seat_is_proposed(signed_in: SignedIn) -> None:
    hale = signed_in("hale")
    one, of_all = open_one(hale), open_one(hale, seat=None)
    page = hale.get(f"/disputes/{one.id}").text
    assert 'name="amount" maxlength="20" value="100.00"' in page
    assert "As owed by the record. 0 if no money moves" in page
    assert "Beyond $500.00 a second person" in page
    page = hale.get(f"/disputes/{of_all.id}").text
    assert ('name="amount" maxlength="20" value=""' in page, "As owed" in page) == (True, False)


@pytest.mark.parametrize("records", [Recorded(changed(tuple(lines_of(NAME)), taken), subject_of(NAME))])
def test_the_letter_says_what_of_the_debt_is_paid_and_what_is_not_and_by_which_ruling(
    signed_in: SignedIn, written: list[LetterContent]
) -> None:
    hale = signed_in("hale")
    first, second = open_one(hale), open_one(hale)
    said = {"act": "decided", "version": 1, "reason": "22 pushes."}
    assert act(hale, first.id, **said, ruling="settled between", amount_cents=4_000)[0] == 200
    hale.get(f"/disputes/{first.id}/letter.pdf")
    paid = "Of the $100.00 that the record owes you, this decision pays $40.00."
    assert written[-1].debt == f"{paid} $60.00 is not paid, by this decision."
    assert act(hale, second.id, **said, ruling="for the house", amount_cents=0)[0] == 200
    hale.get(f"/disputes/{second.id}/letter.pdf")
    assert written[-1].debt == (
        "Of the $100.00 that the record owes you, this decision pays $0.00. $40.00 was settled by another decision. "
        "$60.00 is not paid, by this decision."
    )
    page = hale.get(f"/disputes/{first.id}").text
    assert f"$40.00 is settled; $60.00 is not to be paid by the ruling of {second.id}." in page


FOR_THE_HOUSE = {
    "act": "decided", "version": 1, "ruling": "for the house", "amount_cents": 0, "reason": "22 pushes.",
}  # fmt: skip


def test_a_letter_of_a_dispute_that_names_nobody_is_to_whom_the_record_names_at_the_seat(
    signed_in: SignedIn, console: Console, written: list[LetterContent]
) -> None:
    hale = signed_in("hale")
    one, whole = open_one(hale), open_one(hale, seat=None)
    for dispute in (one, whole):
        assert act(hale, dispute.id, **FOR_THE_HOUSE)[0] == 200
        assert hale.get(f"/disputes/{dispute.id}/letter.pdf").status_code == 200
    console.desk.note(Withheld(user="hale", kind="patron", value="P-0098"), "ann")
    assert hale.get(f"/disputes/{one.id}/letter.pdf").status_code == 200
    assert [content.to for content in written] == ["P-0098", "", ""], "a round's dispute is of no one seat"


def test_what_is_copied_out_of_the_letter_and_the_reports_has_no_character_that_nobody_sees(
    signed_in: SignedIn,
) -> None:
    hale = signed_in("hale")
    one = open_one(hale)
    assert act(hale, one.id, **FOR_THE_HOUSE)[0] == 200
    papers = (
        f"/disputes/{one.id}/letter.pdf",
        f"/disputes/{one.id}.pdf",
        f"/hands/{one.subject}/{one.round}/evidence.pdf?first={one.first_sequence}",
    )
    for paper in papers:
        pages = PdfReader(BytesIO(hale.get(paper).content)).pages
        text = "".join(page.extract_text() for page in pages)
        assert not set(text) & set("\u200b\u200c\u200d\u2060\ufeff\u00ad"), paper
        assert "672a.7(n)(1)#1" in text.replace("\n", ""), paper
