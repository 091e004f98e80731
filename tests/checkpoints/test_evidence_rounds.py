"""Which bundles are made of rounds, which records and findings they hold, and what they say of the hole card."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from deploy.evidence import verify as verifier
from deploy.evidence.folding import find_round
from tests.checkpoints.bundles import Event, Place, outcome
from tests.commands.run import Catwalk, catwalk
from tests.mutations.rechain import load

__all__ = ["catwalk"]  # a fixture


def test_a_hole_card_that_is_not_the_sealed_one_is_said(
    catwalk: Catwalk, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = Place(catwalk, tmp_path, load("breach_hole_switched"))
    out = tmp_path / "b.zip"
    said = []
    for number in range(1, 13):
        assert place.bundle(number, out).status == 0
        status = outcome(out)
        said.append((status, "is NOT the one that was sealed" in capsys.readouterr().out))
    assert said.count((1, True)) == 1
    assert said.count((0, False)) == 11


def test_a_seal_of_another_card_takes_nothing_from_the_hole_card(
    catwalk: Catwalk, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    events = load("lawful_free_bet_672a")
    at = within_a_round(events, 5)
    drawn = next(
        one for one in events[at:] if one["type"].endswith("card_drawn") and "seal" not in one["data"]
    )
    drawn["data"]["seal"] = "0" * 64
    place, out = Place(catwalk, tmp_path, events), tmp_path / "b.zip"
    assert place.bundle(5, out).status == 0
    assert outcome(out) == 0
    said = capsys.readouterr().out
    assert "is the one that was sealed when it was drawn" in said
    assert "not proved  which card each seal of the round holds that was not opened" in said


def within_a_round(events: list[Event], number: int) -> int:
    """Place after the first event of a round."""
    for at, event in enumerate(events):
        if event["type"].endswith("round_started") and event["data"]["round"] == number:
            return at + 1
    raise AssertionError(number)


def test_of_two_rounds_of_one_number_each_has_the_findings_of_its_own(
    tmp_path: Path, catwalk: Catwalk
) -> None:
    events = load("breach_hole_switched")
    place = Place(catwalk, tmp_path / "once", events)
    lines = list(enumerate(place.stream.read_bytes().splitlines(), 1))
    broken = next(n for n in range(1, 13) if find_round(place.subject, n, lines, _unseen).findings)
    for event in events:
        if event["type"].endswith("round_started") and event["data"]["round"] == broken + 1:
            event["data"]["round"] = broken
    place = Place(catwalk, tmp_path / "twice", events)
    lines = list(enumerate(place.stream.read_bytes().splitlines(), 1))
    firsts = [
        number for number, line in lines
        if b"round_started" in line and json.loads(line)["data"]["round"] == broken
    ]  # fmt: skip
    found = [find_round(place.subject, broken, lines, _unseen, first) for first in firsts]
    assert [one.result.first_sequence for one in found] == firsts
    of_seals = [[each.sequence for each in one.findings if each.check == "integrity.seal"] for one in found]
    assert (len(of_seals[0]), of_seals[1]) == (1, [])


def _unseen(_records: int) -> None:
    """Progress that nobody looks at."""


def test_cards_that_nobody_saw_are_in_no_bundle(
    catwalk: Catwalk, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    events = load("lawful_free_bet_672a")
    at = within_a_round(events, 5)
    burnt = {"type": "catwalk.v1.card_burned", "data": {"card": "9c", "reason": "new_dealer"}, "id": "burnt"}
    racked = {
        "type": "catwalk.v1.cards_racked", "id": "stub",
        "data": {"hand": "D", "cards": ["8c", "7h"], "reason": "stub"},
    }  # fmt: skip
    rest = {"type": "catwalk.v1.shoe_emptied", "data": {"cards": ["2c", "Kd", "9c"]}, "id": "rest"}
    events[at:at] = [events[at] | one for one in (burnt, racked, rest)]
    place, out = Place(catwalk, tmp_path, events), tmp_path / "b.zip"
    assert place.bundle(5, out).status == 0
    files = verifier.read_bundle(out)
    for hidden in (b'"burnt"', b'"stub"', b'"rest"'):
        assert not any(hidden in content for name, content in files.items() if name != "verify.py")
    assert json.loads(files["round.json"])["rack"] is None
    cited = [one for line in files["findings.ndjson"].splitlines() for one in json.loads(line)["sequences"]]
    assert not {at + 1, at + 2, at + 3} & set(cited)
    assert outcome(out) == 0
    assert "what is said in 3 of the records, which show cards nobody saw" in capsys.readouterr().out
    assert "3 records of the round show cards that nobody at the table saw" in files["README.txt"].decode()


def test_no_bundle_is_made_where_nothing_can_be_proved(catwalk: Catwalk, tmp_path: Path) -> None:
    events = load("lawful_free_bet_672a")
    out = tmp_path / "b.zip"

    def refused(place: Place, number: int, status: int = 2) -> str:
        ran = place.bundle(number, out)
        assert (ran.status, ran.out, ran.err.count("\n"), out.exists()) == (status, "", 1, False), ran
        return ran.err

    first, second = within_a_round(events, 5), within_a_round(events, 6)
    place = Place(catwalk, tmp_path / "cut", events[: first + 20])
    assert "there is no such round" in refused(place, 99)
    assert "it is not over" in refused(place, 5)
    hidden = [
        event for at, event in enumerate(events[:second])
        if at < first or not event["type"].endswith("hole_card_revealed")
    ]  # fmt: skip
    covered = Place(catwalk, tmp_path / "covered", hidden + events[second:])
    assert "never turned over" in refused(covered, 5)
    late = Place(catwalk, tmp_path / "late", events[:first])
    more = tmp_path / "more.ndjson"
    whole = Place(catwalk, tmp_path / "whole", events)
    more.write_bytes(whole.stream.read_bytes())
    assert catwalk("record", more, "--ledger", late.house.ledger).status == 0
    assert "no checkpoint has its records yet" in refused(late, 6)
    line = whole.house.lines()[whole.subject][0].replace(b'"seats":6', b'"seats":7').hex()
    whole.house.harm(whole.house.ledger, f"UPDATE records SET line = x'{line}' WHERE position = 1")
    assert "those there are now are others" in refused(whole, 6, 1)
