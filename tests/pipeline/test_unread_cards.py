"""Cards that a shoe, a camera or a rack did not read make things indeterminate, and accuse nobody."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterable, Iterator
from functools import cache

import pytest

from processors.pipeline import TablePipeline
from schemas.findings import Finding
from tests.mutations.rechain import altered, in_their_own_times, kind, load, rechained
from tests.pipeline.streams import EXAMPLES, RULESETS, Run, lines_of, run
from tests.sampling import one_in

EXPECTED = json.loads((EXAMPLES / "expect.json").read_text("utf-8"))
IN_ORDER = sorted(name for name in EXPECTED if name.startswith(("lawful_", "irregular_")))
BLACKJACK = sorted(name for name in IN_ORDER if EXPECTED[name]["ruleset"] in list(RULESETS)[:3])
# A hand that never reaches the rack shows no face there.
BREACHED = sorted(
    name
    for name in EXPECTED
    if name.startswith("breach_")
    and "not_racked" not in name
    and EXPECTED[name]["ruleset"] in list(RULESETS)[:3]
)
SOME = [
    name if at % 5 == 0 else pytest.param(name, marks=pytest.mark.soak) for at, name in enumerate(BREACHED)
]
UNREAD = "??"
Blank = Callable[[str, dict[str, object]], None]


def _unread(name: str, blank: Blank) -> Run:
    """The stream with cards blanked in the data of its events, and its chain made whole."""
    lines = _lines(name, blank)
    return run(str(json.loads(lines[0])["subject"]), lines)


def _lines(name: str, blank: Blank) -> list[bytes]:
    events = load(name)
    for event in events:
        blank(kind(event), event["data"])
    return list(in_their_own_times(events))


def _by_the_shoe(kind: str, data: dict[str, object]) -> None:
    if kind == "card_drawn":
        data["card"] = UNREAD


def _on_the_layout() -> Blank:
    """What the shoe has told; a card that it could not tell is left to the layout."""
    drawn: object = UNREAD

    def blank(kind: str, data: dict[str, object]) -> None:
        nonlocal drawn
        if kind == "card_drawn":
            drawn = data["card"]
        elif kind == "card_placed" and data["card"] == drawn:
            data["card"] = UNREAD

    return blank


def _in_the_rack(kind: str, data: dict[str, object]) -> None:
    if kind == "cards_racked":
        data["cards"] = [UNREAD] * len(list(_cards(data)))


def _anywhere(kind: str, data: dict[str, object]) -> None:
    if "card" in data:
        data["card"] = UNREAD
    if "cards" in data and isinstance(data["cards"], list):
        data["cards"] = [UNREAD] * len(data["cards"])
    data.pop("seal", None)
    data.pop("nonce", None)


def _cards(data: dict[str, object]) -> Iterable[object]:
    cards = data["cards"]
    assert isinstance(cards, list)
    return cards


def _one(number: int) -> Blank:
    """The drawn card of that number, also where it is laid; what the rack shows of it stays."""
    drawn = 0

    def blank(kind: str, data: dict[str, object]) -> None:
        nonlocal drawn
        drawn += kind == "card_drawn"
        if kind in ("card_drawn", "card_placed") and drawn == number:
            data["card"] = UNREAD

    return blank


def _accusations(seen: Run) -> list[tuple[str, int, str]]:
    return [(f.check, f.sequence, f.message) for f in seen.findings if f.verdict != "indeterminate"]


@pytest.mark.parametrize("name", one_in(4, IN_ORDER))
@pytest.mark.parametrize("witness", ["shoe", "layout"])
def test_one_witness_is_enough(name: str, witness: str) -> None:
    seen = _unread(name, _by_the_shoe if witness == "shoe" else _on_the_layout())
    assert seen.findings == _clean(name).findings
    assert {result.status for result in seen.rounds} <= {"consistent", "void"}


@cache
def _blind(name: str) -> Run:
    """What is said of a stream of which nobody read a card."""
    return _unread(name, _anywhere)


@pytest.mark.parametrize("name", one_in(4, IN_ORDER, 1))
@pytest.mark.parametrize("blank", [_in_the_rack, _anywhere])
def test_nobody_is_accused_by_cards_that_were_not_read(name: str, blank: Blank) -> None:
    assert _accusations(_blind(name) if blank is _anywhere else _unread(name, blank)) == []


@pytest.mark.parametrize("name", one_in(4, BLACKJACK, 1))
def test_what_was_not_read_is_said_to_be_missing(name: str) -> None:
    seen = _blind(name)
    assert seen.findings
    assert {result.status for result in seen.rounds} <= {"indeterminate", "void"}
    assert all(result.missing for result in seen.rounds if result.status == "indeterminate")
    assert all(finding.missing or finding.because_of for finding in seen.findings)


SOME_CARDS = pytest.mark.parametrize("most", [2, pytest.param(10, marks=pytest.mark.soak)])


def _sample(name: str, most: int) -> list[int]:
    """Some of the cards drawn, by number."""
    count = sum(b"card_drawn" in line for line in lines_of(name))
    return random.Random(f"rack {name}").sample(range(1, count + 1), most)


@cache
def _clean(name: str) -> Run:
    return run(str(json.loads(lines_of(name)[0])["subject"]), lines_of(name))


def _said(seen: Run) -> set[tuple[str, str, int]]:
    return {(one.finding_id, one.verdict, one.money_cents) for one in seen.findings}


@SOME_CARDS
@pytest.mark.parametrize("name", one_in(3, BLACKJACK))
def test_a_face_that_only_the_rack_read_is_known_and_accuses_nobody(name: str, most: int) -> None:
    clean = _clean(name)
    for number in _sample(name, most):
        seen = _unread(name, _one(number))
        assert _accusations(seen) == [], number
        assert seen.findings == clean.findings, number
        for one, other in zip(seen.rounds, clean.rounds, strict=True):
            assert (one.status, one.hands, one.stakes) == (other.status, other.hands, other.stakes), number


@SOME_CARDS
@pytest.mark.parametrize("name", SOME)
def test_a_breach_is_found_by_a_face_that_only_the_rack_read(name: str, most: int) -> None:
    clean = _clean(name)
    for number in _sample(name, most):
        assert _said(_unread(name, _one(number))) == _said(clean), number


def _with_two_unread(name: str) -> Iterator[tuple[str, list[bytes]]]:
    """A hand, and the stream with its two first cards unread, which are not alike."""
    events = load(name)
    for hand in ("1.1", "D"):
        laid = [at for at, event in enumerate(events) if kind(event) == "card_placed"]
        mine = [at for at in laid if events[at]["data"]["hand"] == hand][:2]
        cards = {events[at]["data"]["card"] for at in mine}
        if len(cards) == 2 and UNREAD not in cards:
            unread = events
            for at in {at for place in mine for at in (place - 1, place)}:
                unread = altered(unread, at, card=UNREAD)
            yield hand, list(in_their_own_times(unread))


@pytest.mark.parametrize("name", one_in(2, sorted(name for name in BLACKJACK if name.startswith("lawful_"))))
def test_which_of_two_unread_cards_is_which_stays_open_and_accuses_nobody(name: str) -> None:
    for hand, lines in _with_two_unread(name):
        seen = run(str(json.loads(lines[0])["subject"]), lines)
        assert _accusations(seen) == []
        assert f"a card of hand {hand}" in seen.rounds[0].missing
        assert [one.status for one in seen.rounds[1:]].count("indeterminate") == 0


@pytest.mark.parametrize("name", BREACHED[:2])
def test_what_waits_for_a_face_outlives_a_restart(name: str) -> None:
    [number] = _sample(name, 1)
    lines = _lines(name, _one(number))
    pipeline = TablePipeline(str(json.loads(lines[0])["subject"]))
    found: list[Finding] = []
    for line in lines:
        found += pipeline.advance(line).findings
        pipeline = TablePipeline.restore(pipeline.snapshot())
    assert found + list(pipeline.finish().findings) == _unread(name, _one(number)).findings


@SOME_CARDS
@pytest.mark.parametrize("name", one_in(3, BLACKJACK, 2))
def test_the_next_draw_is_not_taken_for_an_unread_card_whose_draw_was_lost(name: str, most: int) -> None:
    events = load(name)
    draws = [at for at, event in enumerate(events) if kind(event) == "card_drawn"]
    for at in random.Random(name).sample(draws, most):
        laid = events[at + 1]
        if kind(laid) == "card_placed" and laid["data"]["face_up"]:
            unread = {**laid, "data": {**laid["data"], "card": UNREAD}}
            seen = [*events[:at], unread, *events[at + 2 :]]
            assert _of_play(run(str(laid["subject"]), rechained(seen))) == [], at


def _of_play(seen: Run) -> list[tuple[str, int, str]]:
    """The accusations that turn on which cards the hands hold."""
    return [
        one
        for one in _accusations(seen)
        if one[0].partition(".")[0] in ("action", "deal", "rack", "settlement")
    ]
