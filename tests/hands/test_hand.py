"""A stored round rebuilt: as its lines give it, with what is missing said, and no card before it is shown."""

import json
from functools import lru_cache
from typing import NamedTuple

import pytest

from dashboards.drawing.palette import LIGHT
from dashboards.folding.states import States
from dashboards.hands.hand import StoredRound, UnknownRound, neighbours, stored_round
from dashboards.hands.pictures import picture_of
from dashboards.replayer.admitting import round_of
from dashboards.replayer.replay import Replay, ReplayAsked, replay_round
from schemas.findings import Finding, finding_id
from tests.drawing.scenes import drawn
from tests.drawing.streams import Event, chained, changed, kind
from tests.embedded.ledgers import lines_of, subject_of
from tests.hands.stored import Recorded, recorded
from tests.sampling import one_in
from tests.warehouse.memory_warehouse import MemoryWarehouse

OVERPAID = "breach_overpay"
LAWFUL = "lawful_free_bet_590"


@lru_cache(maxsize=8)
def whole(name: str) -> Recorded:
    return recorded(name)


class Shown(NamedTuple):
    stored: StoredRound
    replay: Replay


def shown(held: Recorded, number: int, asked: ReplayAsked | None = None, first: int | None = None) -> Shown:
    stored = stored_round(held.store, States(held.store), held.subject, number, first)
    return Shown(stored, stored.replay(asked))


def rounds_of(lines: list[bytes]) -> list[int]:
    return [json.loads(line)["data"]["round"] for line in lines if b"v1.round_started" in line]


@pytest.mark.parametrize(
    "name", one_in(2, [OVERPAID, LAWFUL, "lawful_fortune_670a10", "irregular_shoe_runs_out"])
)
def test_a_round_out_of_the_store_is_the_round_out_of_its_lines(name: str) -> None:
    held, lines = whole(name), lines_of(name)
    for number in rounds_of(lines)[:: 1 if name == OVERPAID else 7]:
        told = shown(held, number)
        before, own = round_of(held.subject, number, lines)
        assert told.stored.before == before
        assert [one.line for one in told.stored.lines] == own
        alone = replay_round(before, own, findings=told.stored.findings, result=told.stored.result)
        assert told.replay == alone
        assert told.stored.breaks == ()
        assert told.stored.head_before == json.loads(own[0])["prevhash"]
        assert dict(told.stored.hashes)[told.stored.last] == told.stored.head_after
        assert {one.finding_id for one in told.stored.findings} >= set(told.stored.row.findings)  # type: ignore[union-attr]  # it ended


def test_a_round_that_still_goes_on_is_shown_as_far_as_it_went() -> None:
    lines = lines_of(LAWFUL)
    _, own = round_of(subject_of(LAWFUL), 3, lines)
    end = lines.index(own[20]) + 1
    held = Recorded(lines[:end], subject_of(LAWFUL))
    told = shown(held, 3)
    assert told.stored.is_going_on
    assert (told.stored.row, told.stored.result) == (None, None)
    assert [step.sequence for step in told.replay.steps] == [
        json.loads(line)["sequence"] for line in own[:21]
    ]
    assert not told.replay.ended
    held.grow(lines[end:])
    ended = shown(held, 3)
    assert not ended.stored.is_going_on
    assert ended.replay.steps[:21] == told.replay.steps


def test_of_two_rounds_with_one_number_the_last_is_shown_and_the_other_named() -> None:
    lines = lines_of(LAWFUL)
    events = [json.loads(line) for line in lines]
    for event in events:
        if kind(event) == "round_started" and event["data"]["round"] == 3:
            event["data"]["round"] = 2
    held = Recorded(chained(events), subject_of(LAWFUL))
    told = shown(held, 2)
    (twin,) = told.stored.twins
    assert twin.first_sequence < told.stored.first
    other = shown(held, 2, first=twin.first_sequence)
    assert (other.stored.first, other.stored.twins[0].first_sequence) == (
        twin.first_sequence,
        told.stored.first,
    )
    with pytest.raises(UnknownRound):
        shown(held, 2, first=7)
    with pytest.raises(UnknownRound):
        shown(held, 3)
    with pytest.raises(UnknownRound):
        stored_round(held.store, States(held.store), "NO-1", 1)


def test_missing_events_and_unreadable_lines_are_said_where_they_are_missing() -> None:
    lines = lines_of(LAWFUL)
    _, own = round_of(subject_of(LAWFUL), 2, lines)
    first = lines.index(own[0])
    cut = [*lines[: first + 10], b"no event", *lines[first + 10 : first + 15], *lines[first + 18 :]]
    held = Recorded(cut, subject_of(LAWFUL))
    told = shown(held, 2)
    base = json.loads(own[0])["sequence"]
    assert [(one.after, one.says.split(":")[0]) for one in told.stored.breaks] == [
        (base + 9, f"The line at {base + 10} is no event"),
        (base + 14, f"Events {base + 15} to {base + 17} are missing."),
    ]
    assert len(told.replay.steps) == len(own) - 3
    assert told.replay.result is not None
    assert told.replay.result.status == "indeterminate"


def test_the_hands_before_and_after_are_those_of_the_table() -> None:
    held = whole(LAWFUL)
    numbers = rounds_of(lines_of(LAWFUL))
    for place, number in list(enumerate(numbers))[::9]:
        stored = shown(held, number, ReplayAsked(frames=False)).stored
        earlier, later = neighbours(held.store, held.subject, stored.first, stored.last)
        assert (earlier.round if earlier else None) == (numbers[place - 1] if place else None)
        assert (later.round if later else None) == (numbers[place + 1] if place + 1 < len(numbers) else None)


def test_under_another_reading_what_is_due_is_worked_out_anew() -> None:
    held = whole(LAWFUL)
    one = shown(held, 16, ReplayAsked(frames=False))
    other = shown(held, 16, ReplayAsked(frames=False, readings={"A24": "main_only"}))
    assert one.replay.result == one.stored.result
    assert other.replay.result is not None
    assert [row.staked_cents for row in other.replay.payouts] == [
        row.staked_cents for row in one.replay.payouts
    ]


def a_finding(subject: str, sequence: int, number: int | None, **more: object) -> Finding:
    return Finding(
        finding_id=finding_id(subject, "settlement.stake", sequence, ""), check="settlement.stake", cites=("590.7(o)",),
        verdict="breached", severity="major", subject=subject, round=number, sequence=sequence, sequences=(sequence,),
        expected=1, observed=2, money_cents=5, message="Paid wrongly.", **more,  # type: ignore[arg-type]  # seat, hand
    )  # fmt: skip


def test_the_picture_of_an_alert_shows_its_seat_and_the_dealer_at_its_event() -> None:
    held = whole(OVERPAID)
    found = next(one for one in shown(held, 1).stored.findings if one.check == "settlement.stake")
    svg = picture_of(held.store, States(held.store), found, LIGHT)
    assert "✕ paid 200, due 100" in svg
    assert "Seat 6" in svg
    assert svg.count("Seat ") == 1
    assert 'class="now"' in svg
    step = next(step for step in shown(held, 1).replay.steps if step.sequence == found.sequence)
    seat = next(seat for seat in step.felt.seats if seat.number == 6)
    assert set(drawn(svg)) >= {card.name for one in seat.hands for card in one.cards}


def test_the_picture_of_an_alert_does_not_show_the_hole_card_before_it_is_turned() -> None:
    stream = tuple(lines_of(LAWFUL))
    holes = [json.loads(line)["data"]["card"] for line in stream if b"v1.hole_card_revealed" in line]

    def named(event: Event) -> None:
        data = event["data"]
        if kind(event) == "card_drawn" and data["card"] == "??":
            data["card"] = holes[0]
        elif kind(event) == "card_placed" and data["hand"] == "D" and not data["face_up"]:
            data["card"] = holes.pop(0)

    leaking = changed(stream, named)
    safe, leaked = whole(LAWFUL), Recorded(leaking, subject_of(LAWFUL))
    _, own = round_of(safe.subject, 1, stream)
    hidden_from = next(json.loads(line)["sequence"] for line in own if b'"face_up":false' in line)
    turned = next(json.loads(line)["sequence"] for line in own if b"v1.hole_card_revealed" in line)
    for sequence in range(hidden_from, turned):
        for more in ({"hand": "D"}, {"seat": 1}, {}):
            one = a_finding(safe.subject, sequence, 1, **more)
            pictures = {str(picture_of(held.store, States(held.store), one)) for held in (safe, leaked)}
            assert len(pictures) == 1


def test_between_rounds_a_picture_shows_the_whole_table_and_without_the_event_there_is_none() -> None:
    held = whole(LAWFUL)
    svg = picture_of(held.store, States(held.store), a_finding(held.subject, 20, None))
    assert svg.count("Seat ") > 4
    with pytest.raises(LookupError):
        picture_of(held.store, States(held.store), a_finding(held.subject, 999_999, None))
    empty = MemoryWarehouse()
    empty.migrate()
    with pytest.raises(LookupError):
        picture_of(empty, States(empty), a_finding("NO-1", 1, 1))
